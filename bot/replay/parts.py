"""The parts that features add to views of games, each at its rank: the lowest comes first."""

from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from bot.play.extension_points import ExtensionPoint, Extensions
from bot.replay.words.game_page import GamePagePart, ReplayPart, SharedPart

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Part(Generic[T]):
    """Buttons, and their rank among all."""

    rank: int
    buttons: T


GAME_PAGE: Final = ExtensionPoint[Part[GamePagePart]]()
"""Buttons on the page of a game."""
REPLAY: Final = ExtensionPoint[Part[ReplayPart]]()
"""Buttons below a ply in a replay."""
SHARED: Final = ExtensionPoint[SharedPart]()
"""Buttons under shared views."""


def page_parts(extensions: Extensions) -> tuple[GamePagePart, ...]:
    return _in_order(extensions, GAME_PAGE)


def replay_parts(extensions: Extensions) -> tuple[ReplayPart, ...]:
    return _in_order(extensions, REPLAY)


def _in_order(extensions: Extensions, point: ExtensionPoint[Part[T]]) -> tuple[T, ...]:
    found = sorted(extensions.all_of(point), key=lambda part: part.rank)
    return tuple(part.buttons for part in found)
