"""Whom something is said to, and in which language.

English stands in the code. Any other language is one file, a catalogue that the standard library's
gettext reads: bot/locales/LANGUAGE/LC_MESSAGES/messages.mo (docs/extending.md).
"""

from dataclasses import dataclass, field
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Final

from bot.model.ids import UserId
from dvonn import Coordinates
from renderer import SLATE, THEMES, Theme

CATALOGUES: Final = Path(__file__).parent
_FILE: Final = "LC_MESSAGES/messages.mo"
_NOT_TRANSLATED: Final = NullTranslations()


@dataclass(frozen=True, slots=True)
class Reader:
    """Whoever reads a message and sees its picture: every text is made for one.

    Attributes:
        locale: the language, as Discord names it, such as "en-GB".
        catalogue: the sentences of that language, by the English ones.
        theme: the colours of pictures.
        coordinates: how they want spaces to be named; None: as they are in each game.
        player: who it is, where they read alone and want their own side at the bottom.
    """

    locale: str
    catalogue: NullTranslations = field(default=_NOT_TRANSLATED, repr=False)
    theme: Theme = field(default=SLATE, repr=False)
    coordinates: Coordinates | None = None
    player: UserId | None = None

    def gettext(self, sentence: str) -> str:
        """A sentence in the reader's language; `{names}` are filled in afterwards."""
        return self.catalogue.gettext(sentence)

    def ngettext(self, one: str, many: str, count: int) -> str:
        """A sentence that depends on a number, in the reader's language."""
        return self.catalogue.ngettext(one, many, count)

    def pgettext(self, context: str, name: str) -> str:
        """A single word, in the reader's language, where the word alone would be ambiguous."""
        return self.catalogue.pgettext(context, name)


IN_ENGLISH: Final = Reader("en")


@lru_cache(maxsize=64)  # Discord has about thirty languages
def reader(locale: str, folder: Path = CATALOGUES) -> Reader:
    """Somebody who reads a language, or English where there is no catalogue of it.

    Args:
        locale: as Discord names it; "pt-BR" is read from the catalogue pt_BR, else from pt.
        folder: where the catalogues are.
    """
    there = {path.parents[1].name: path for path in folder.glob(f"*/{_FILE}")}
    for language in (locale.replace("-", "_"), locale.partition("-")[0]):
        if language in there:
            with there[language].open("rb") as file:
                return Reader(locale, GNUTranslations(file))
    return IN_ENGLISH


def theme_of(key: str | None) -> Theme:
    """The theme of a key; the usual one where nothing was chosen, or no theme has that key."""
    return SLATE if key is None else THEMES.get(key, SLATE)
