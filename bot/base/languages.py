"""Readers of the bot's texts and their languages.

English texts are in the code. Each other language has a gettext catalogue:
bot/base/locales/LANGUAGE/LC_MESSAGES/messages.po (docs/languages.md).

Babel takes a tenth of a second to parse one, so the result is cached beside it in `__pycache__`,
named by a hash of its content. If that folder isn't writable, Babel parses the catalogue at each
start.
"""

import os
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Final

from babel import Locale, UnknownLocaleError

from bot.base.ids import UserId
from dvonn import Coordinates
from renderer import THEMES, WOOD, Theme

CATALOGUES: Final = Path(__file__).parent / "locales"
_FILE: Final = "LC_MESSAGES/messages.po"
_NOT_TRANSLATED: Final = NullTranslations()


@dataclass(frozen=True, slots=True)
class Reader:
    """The person who reads a message and sees its picture.

    Each text is written for one reader.

    Attributes:
        locale: Discord locale, such as "en-GB".
        catalogue: Translations of the English sentences.
        theme: Colors of pictures.
        coordinates: Preferred names of spaces, or None for the names of each game.
        player: The reader's own id, if they read alone and want their own side at the bottom.
        uses_screen_reader: True if boards come with their description, for a screen reader.
        reads_chances: True if they want winning chances in percent instead of in words.
    """

    locale: str
    catalogue: NullTranslations = field(default=_NOT_TRANSLATED, repr=False)
    theme: Theme = field(default=WOOD, repr=False)
    coordinates: Coordinates | None = None
    player: UserId | None = None
    reads_chances: bool = False
    uses_screen_reader: bool = False

    @property
    def formats(self) -> Locale:
        return _formats(self.locale)

    def coordinates_or(self, default: Coordinates) -> Coordinates:
        """Return the reader's preferred notation of spaces, or else `default`."""
        return self.coordinates or default

    def gettext(self, sentence: str) -> str:
        """Return a sentence in the reader's language. The caller fills in its `{names}`."""
        return self.catalogue.gettext(sentence)

    def ngettext(self, singular: str, plural: str, count: int) -> str:
        """Return the singular or plural of a sentence in the reader's language."""
        return self.catalogue.ngettext(singular, plural, count)

    def pgettext(self, context: str, name: str) -> str:
        """Translate a word that would be ambiguous without its context."""
        return self.catalogue.pgettext(context, name)


IN_ENGLISH: Final = Reader("en")


@lru_cache(maxsize=64)  # Discord has about thirty languages
def reader_for(locale: str, folder: Path = CATALOGUES) -> Reader:
    """Return a reader for a locale.

    If the locale has no catalogue, the reader reads English.

    Args:
        locale: Discord locale. "pt-BR" uses the catalogue pt_BR, or else pt.
        folder: Folder with the catalogues.
    """
    files = catalogues(folder)
    for language in (locale.replace("-", "_"), locale.partition("-")[0]):
        if language in files:
            return Reader(locale, read_catalogue(files[language]))
    return IN_ENGLISH


def languages(folder: Path = CATALOGUES) -> tuple[str, ...]:
    """Return the languages as Discord locales: English, and those with a catalogue."""
    return (IN_ENGLISH.locale, *(name.replace("_", "-") for name in catalogues(folder)))


def theme_of(key: str | None) -> Theme:
    """Return the theme with a key, or the default for None and unknown keys."""
    return WOOD if key is None else THEMES.get(key, WOOD)


def catalogues(folder: Path = CATALOGUES) -> dict[str, Path]:
    """Return the catalogues by language code, such as "pt_BR"."""
    return {path.parents[1].name: path for path in sorted(folder.glob(f"*/{_FILE}"))}


def read_languages(folder: Path = CATALOGUES) -> None:
    """Load all catalogues and the English formats, so that no message waits for them.

    This takes a few hundredths of a second, so it must not run in the event loop. The formats of
    each other language are loaded with its first message. That takes 5 ms, and 1 MiB of memory.
    """
    for language in catalogues(folder):
        reader_for(language.replace("_", "-"), folder)
    IN_ENGLISH.formats.number_symbols  # noqa: B018 - triggers the lazy load


@lru_cache(maxsize=64)
def _formats(locale: str) -> Locale:
    try:
        return Locale.parse(locale, sep="-")
    except (UnknownLocaleError, ValueError):
        return Locale("en")


@lru_cache(maxsize=64)
def read_catalogue(path: Path) -> GNUTranslations:
    """Return a catalogue's translations, without fuzzy ones.

    Raises:
        babel.messages.pofile.PoFileError: if it is malformed.
    """
    source = path.read_bytes()
    cache = path.parent / "__pycache__" / f"{path.stem}.{sha256(source).hexdigest()[:16]}.mo"
    with suppress(OSError):
        return GNUTranslations(BytesIO(cache.read_bytes()))
    data = _compile(source, path.parents[1].name)
    if not sys.dont_write_bytecode:
        with suppress(OSError):
            _write_cache(data, cache)
    return GNUTranslations(BytesIO(data))


def _compile(source: bytes, language: str) -> bytes:
    from babel.messages.mofile import write_mo  # noqa: PLC0415 - hardly ever needed, and slow to load
    from babel.messages.pofile import read_po  # noqa: PLC0415 - the same

    buffer = BytesIO()
    write_mo(buffer, read_po(BytesIO(source), locale=language, abort_invalid=True))
    return buffer.getvalue()


def _write_cache(data: bytes, file: Path) -> None:
    """Write a cache file atomically, so that nobody reads half of it, and delete older ones."""
    file.parent.mkdir(exist_ok=True)
    part = file.with_suffix(f".{os.getpid()}")
    part.write_bytes(data)
    part.replace(file)
    for other in file.parent.glob("*.mo"):
        if other != file:
            other.unlink(missing_ok=True)
