"""The seam at which a feature answers those who watch a game and press what its players press."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.base.ids import GameId
from bot.play.doors.answers import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Watching:
    """Answers to *Move* and *Type a move* for somebody who doesn't play. A feature makes them.

    Both raise a `PlayError` where they open nothing.
    """

    pick: Callable[[Answer, GameId], Awaitable[None]]
    type: Callable[[Answer, GameId], Awaitable[None]]
