"""Texts about the machine's characters that a player has beaten."""

from collections.abc import Collection

from bot.base.languages import Reader
from bot.play.words.characters import character
from dvonn.machine import LEVELS


def who_is_next(reader: Reader, beaten: Collection[int]) -> str:
    """Return a line with the number of beaten characters and the next one, or ""."""
    following = next((level for level in LEVELS if level not in beaten), None)
    if following is None:
        return ""
    sentence = reader.gettext("{count} of {total} beaten. Next: {name}.")
    return sentence.format(count=len(beaten), total=len(LEVELS), name=character(following))
