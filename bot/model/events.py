"""What can happen in a game."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from bot.model.ids import GameId, Revision, SourceId, UserId


class EventKind(StrEnum):
    """What can happen in a game."""

    START = "start"
    """A challenge is accepted; with a pie start, the detail "picks" says that whoever accepted it
    picks the board."""
    MOVE = "move"
    """A placement or a movement."""
    RESIGN = "resign"
    ABORT = "abort"
    PICK = "pick"
    """One of the boards of a pie start is picked; its detail is which, 1 to 3."""
    SIDE = "side"
    """The other player of a pie start picks his colour; its detail is "white" or "black"."""
    OFFER = "offer"
    """Something is offered to the other player; its detail is an `Offer`."""
    DECLINE = "decline"
    """What stood offered is declined, or taken back by whoever offered it."""
    TAKEBACK = "takeback"
    """The game goes back; its detail is how many of the plies that were played stay."""
    DRAW = "draw"
    """The players agree on a draw."""
    FINISH = "finish"
    """The rest of the placement is drawn by lot; its detail is the seed."""
    TIMEOUT = "timeout"
    """The actor's time is up."""
    DESERT = "desert"
    """The actor has let a game without a clock lie: he counts as gone until he plays."""
    CONTINUE = "continue"
    """What stands before it was played in another game, with the machine's opponent of now."""


class Offer(StrEnum):
    """What one player can ask of the other."""

    TAKEBACK = "takeback"
    DRAW = "draw"
    FINISH = "finish"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRow:
    """One accepted change of a game."""

    game: GameId
    revision: Revision
    kind: EventKind
    move: str | None
    """A move in standard coordinates, where the kind is MOVE."""
    detail: str | None = None
    """What the kind says."""
    actor: UserId
    source: SourceId | None
    """None where it came by itself, from a list or a clock."""
    used: timedelta | None = None
    """How long the clock of the player to move ran for it, where he has one."""
    at: datetime
