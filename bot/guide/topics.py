"""Topics that people ask about in words. Each part adds its own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bot.base.languages import Reader
from bot.play.extension_points import ExtensionPoint


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A topic that people ask the bot about in words, with a feature's answer."""

    words: str
    """Its names in all languages of the bot, in lowercase, separated by commas."""
    told: Callable[[Reader], str]


TOPICS: Final = ExtensionPoint[Topic]()
"""Topics of features that people ask about in words."""
