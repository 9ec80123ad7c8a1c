"""Features' additions to views of games. The lowest rank comes first."""

from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from bot.play.extension_points import ExtensionPoint, Extensions
from bot.replay.words.game_page import GamePagePart, ReplayPart

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Part(Generic[T]):
    """A feature's buttons in a view, and their rank."""

    rank: int
    buttons: T
    shared: bool = False
    """True if the buttons belong below a shared view, not below the private one."""


GAME_PAGE: Final = ExtensionPoint[Part[GamePagePart]]()
"""Extension point for buttons on a game's page."""
REPLAY: Final = ExtensionPoint[Part[ReplayPart]]()
"""Extension point for buttons below a ply in a replay."""


def page_parts(extensions: Extensions) -> tuple[GamePagePart, ...]:
    return _in_order(extensions, GAME_PAGE)


def replay_parts(extensions: Extensions) -> tuple[ReplayPart, ...]:
    return _in_order(extensions, REPLAY)


def shared_parts(extensions: Extensions) -> tuple[ReplayPart, ...]:
    return _in_order(extensions, REPLAY, shared=True)


def _in_order(
    extensions: Extensions, point: ExtensionPoint[Part[T]], *, shared: bool = False
) -> tuple[T, ...]:
    parts = [part for part in extensions.all_of(point) if part.shared is shared]
    return tuple(part.buttons for part in sorted(parts, key=lambda part: part.rank))
