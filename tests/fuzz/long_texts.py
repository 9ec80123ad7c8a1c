"""Texts of the maximum length, each hard to parse in its own way."""

from typing import Final

from dvonn import GameRecord
from dvonn.formats import FORMATS
from tests.games import random_game

LONGEST: Final = 20_000
"""Number of characters that are parsed. See `bot.replay.model.pasted`."""


def _long(part: str, begin: str = "") -> str:
    """A text that repeats a part."""
    return (begin + part * LONGEST)[:LONGEST]


LONG_TEXTS: Final = (
    _long("(", "(;"),
    _long("(;"),
    _long("()", "(;"),
    _long("(;C[x]"),
    _long("(b1 ", '[White "Ann"]\n\na1 '),
    _long("(b1) ", '[White "Ann"]\n\na1 '),
    _long('[White "Ann"]\n*\n'),
    _long("{\\}"),
    _long("1. g2 "),
    _long("d2 "),
    _long("a1 B6, "),
    _long("> ||`"),
    _long("0"),
    _long("0/"),
    _long("http://"),
    _long("a" * 999 + "."),
    _long("[ "),
    _long("{"),
    _long(" "),
    _long("\n"),
    _long("*_"),
    _long("```"),
    _long("```x\n"),
    _long("1 1. "),
    _long("1 - "),
    _long("\\", "A [x] B ["),
    _long("\\", '[A "'),
    _long("Event [x "),
    _long("White\n"),
    *(_long(item.text(GameRecord(random_game(3)))) for item in FORMATS.values()),
)
