"""A language in a file, as its translators make it: gettext's own form, written by hand."""

import struct
from collections.abc import Callable
from pathlib import Path

_MAGIC, _HEADER_LENGTH = 0x950412DE, 28
_CONTEXT = "\x04"
_HEADER = "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n"

Message = tuple[str, str | None, str | None]
"""A sentence, how it is for several, and what a single word is the name of."""


def write_catalogue(
    folder: Path, language: str, messages: list[Message], translate: Callable[[str], str]
) -> None:
    """Make a folder's catalogue of a language, in which everything is translated alike."""
    entries = {"": _HEADER}
    for one, many, context in messages:
        key = one if context is None else f"{context}{_CONTEXT}{one}"
        if many is None:
            entries[key] = translate(one)
        else:
            entries[f"{key}\0{many}"] = f"{translate(one)}\0{translate(many)}"
    path = folder / language / "LC_MESSAGES" / "messages.mo"
    path.parent.mkdir(parents=True)
    path.write_bytes(_mo(entries))


def _mo(entries: dict[str, str]) -> bytes:
    """The file: a table of where each original lies, one for the translations, and all of them."""
    pairs = sorted((key.encode(), value.encode()) for key, value in entries.items())
    tables = [_HEADER_LENGTH, _HEADER_LENGTH + 8 * len(pairs)]
    at = _HEADER_LENGTH + 16 * len(pairs)
    places, texts = b"", b""
    for which in (0, 1):
        for pair in pairs:
            places += struct.pack("<2I", len(pair[which]), at + len(texts))
            texts += pair[which] + b"\0"
    return struct.pack("<7I", _MAGIC, 0, len(pairs), *tables, 0, 0) + places + texts
