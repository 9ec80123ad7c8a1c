"""A catalogue as its translators write it, made into what gettext reads.

Babel takes a tenth of a second to read one, and every start of the bot would. So what it made is
kept beside it in `__pycache__`, as Python keeps what it made of a module, under a name that follows
from the catalogue's content: it is never out of date. Where nothing can be written, Babel reads.
"""

import os
import sys
from contextlib import suppress
from functools import lru_cache
from gettext import GNUTranslations
from hashlib import sha256
from io import BytesIO
from pathlib import Path


@lru_cache(maxsize=64)
def read_catalogue(path: Path) -> GNUTranslations:
    """Return the sentences of a language, but for those that a translator has marked as fuzzy.

    Args:
        path: a `.po` file in a folder of its own.

    Raises:
        babel.messages.pofile.PoFileError: if it is ill-formed.
    """
    source = path.read_bytes()
    kept = path.parent / "__pycache__" / f"{path.stem}.{sha256(source).hexdigest()[:16]}.mo"
    with suppress(OSError):
        return GNUTranslations(BytesIO(kept.read_bytes()))
    made = _compiled(source, path.parents[1].name)
    if not sys.dont_write_bytecode:
        with suppress(OSError):
            _keep(made, kept)
    return GNUTranslations(BytesIO(made))


def _compiled(source: bytes, language: str) -> bytes:
    from babel.messages.mofile import write_mo  # noqa: PLC0415 - hardly ever needed, and slow to load
    from babel.messages.pofile import read_po  # noqa: PLC0415 - the same

    made = BytesIO()
    write_mo(made, read_po(BytesIO(source), locale=language, abort_invalid=True))
    return made.getvalue()


def _keep(made: bytes, kept: Path) -> None:
    """Write a file in one go: another process may be at it, too. Those of older contents go."""
    kept.parent.mkdir(exist_ok=True)
    begun = kept.with_suffix(f".{os.getpid()}")
    begun.write_bytes(made)
    begun.replace(kept)
    for other in kept.parent.glob("*.mo"):
        if other != kept:
            other.unlink(missing_ok=True)
