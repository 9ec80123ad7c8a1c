"""A pseudo-language made from the English sentences, in which every letter has an accent.

Numbers, lists and dates are as in Greek, which shares no letters with English. A text with plain
letters was never translated. It is longer than English, as most languages are.
"""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from gettext import NullTranslations

from bot.base.languages import languages, reader_for
from bot.connection.posts import Option
from bot.play.words.characters import character
from dvonn import Position
from dvonn.machine import LEVELS

SPOKEN_BY_NOBODY = "el"
"""Its language code."""
LONGER = 0.4
"""About how much longer a translation is than English, as a fraction."""
_PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_ACCENTED = "ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽåƀçðéƒĝĥîĵķļṁñöþǫŕšţûṽŵẋýž"
_ACCENTS = str.maketrans(_PLAIN, _ACCENTED)
_GAP = re.compile(r"(\{[a-z_]*\})")


def _own_name(language: str) -> str:
    """A language's own name at the start of a line."""
    name = str(reader_for(language).formats.display_name)
    return re.escape(name[:1].upper() + name[1:])


# The same in every language: names in Discord's own form, links, commands, spaces, boards,
# programs, the machine's characters.
_SAME = re.compile(
    r"<[@#]\d+>|<t:\d+:\w>|</[a-z ]+:\d+>|https://\S+|\]\(\S+\)|/[a-z]+( [a-z]+)?"
    r"|Europe/\w+|UTC|\b[a-k]\d{1,2}\b|else next free"
    rf"|{'|'.join(map(_own_name, languages()))}|\b(?:{'|'.join(map(character, LEVELS))})\b"
    r"|(?:dvonn)?-bot|(?:boardspace)?\.net|SGF|PGN|Little Golem|Holtz|Dvonner|CodeCup|PrimaDvonna"
)
_KEPT = re.compile(
    r"(?m:^-# `[^`\n]*`$)|```\n(?:\[\w+ \"|[a-k]\d|[RWBrwb?\d]+/).*?\n```", re.DOTALL
)
"""A record or a position that programs can read."""
_ROWS = re.compile(r"```\n.*\n(.*)\n```", re.DOTALL)
_WORD = re.compile(r"[A-Za-z]{2,}")


class Pseudo(NullTranslations):
    """The catalogue of that language. It remembers the requested sentences."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[str] = set()

    def gettext(self, message: str) -> str:
        """Return a sentence in brackets."""
        self.asked.add(message)
        return f"[{accented(message)}{'~' * round(len(message) * LONGER)}]"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the singular or plural of a sentence."""
        self.asked |= {msgid1, msgid2}
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        """Return a name, without brackets, which could not be part of it."""
        self.asked.add(f"{context} {message}")
        return accented(message)


def texts(said: object) -> Iterator[str]:
    """Return all texts in posts, options or forms, without ids and file names.

    The rows of a board in letters are left out, but not the text below them.
    """
    if isinstance(said, Enum | Position):
        return
    if isinstance(said, str):
        yield _ROWS.sub(r"\1", _KEPT.sub("", said))
    elif isinstance(said, list | tuple | set | frozenset):
        for item in said:
            yield from texts(item)
    elif isinstance(said, Option):  # in every language choices are typed like that
        yield from texts((said.label.replace(said.value, ""), said.description or ""))
    elif is_dataclass(said):
        for field in fields(said):
            if field.name not in {"custom_id", "filename", "value", "look", "last", "marks"}:
                yield from texts(getattr(said, field.name))


def plain_words(text: str) -> list[str]:
    """Return the parts of a text that are only English."""
    return _WORD.findall(_SAME.sub(" ", text))


def accented(message: str) -> str:
    """Return a sentence with an accent on each letter. Placeholders stay."""
    return "".join(
        part if _GAP.fullmatch(part) else part.translate(_ACCENTS) for part in _GAP.split(message)
    )
