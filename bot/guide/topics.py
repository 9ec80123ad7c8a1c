"""Help topics for questions in plain words. Each feature can add its own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bot.base.languages import Reader
from bot.play.extension_points import ExtensionPoint


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A help topic, and the answer that a feature gives."""

    words: str
    """The topic's names in all of the bot's languages: lowercase, separated by commas."""
    answer: Callable[[Reader], str]


TOPICS: Final = ExtensionPoint[Topic]()
"""Help topics that features add."""
