"""The base of all kinds of events, and the circumstances in which they are carried out."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import ClassVar

from bot.base.ids import GameId, Revision, SourceId, UserId
from bot.play.model.clock import Clock
from bot.play.model.game import Game, Offer, Ply
from dvonn import Color


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """The place, the person and the time of an event: all of it but its kind and data."""

    game: GameId
    revision: Revision
    actor: UserId
    source: SourceId | None
    """None where it came by itself, from a list or a clock."""
    used: timedelta | None = None
    """Time that the clock of the player to move ran for it, where they have one."""
    at: datetime


class Happened(ABC):
    """A kind of event, with its own data."""

    __slots__ = ()
    name: ClassVar[str]
    """Name in the database; at most 20 letters."""
    clock_runs: ClassVar[bool] = False
    """The time until it counts on the clock of the player to move."""
    begins_turn: ClassVar[bool] = False
    """Somebody's turn begins with it. Of such events the board is made."""
    brings_position: ClassVar[bool] = False
    """True if it makes a new position: on it somebody may have to pass, and plans follow."""
    is_talk: ClassVar[bool] = False
    """True if it leaves the board as it is."""
    agrees_to: ClassVar[Offer | None] = None
    """Offer of the other player that this event carries out, if any."""

    @abstractmethod
    def apply(self, game: Game, event: Circumstances) -> Game:
        """Return the game after it."""

    def undoes(self, _game: Game, _actor: UserId) -> tuple[Ply, ...]:
        """Return the plies that this event takes back, or would, oldest first."""
        return ()

    def calls(self, game: Game, _actor: UserId) -> UserId | None:
        """Return the player whom it calls as the newest event: to answer or to move."""
        return game.to_move


def clock_after(
    game: Game, event: Circumstances, turn: Color | None, *, gains: bool = True
) -> Clock | None:
    """Return the clocks once the time until an event has counted for the player to move."""
    control = game.row.clock
    if game.clock is None or control is None or turn is None:
        return None
    if not gains:
        control = replace(control, increment=timedelta())
    return game.clock.spend(turn, event.used or timedelta(), control, event.at)
