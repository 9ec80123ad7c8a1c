"""What the tables hold, as values."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.model.events import EventRow
from bot.model.game import GameState
from bot.model.ids import ChannelId, GameId, MessageId, Revision, UserId
from bot.model.lists import Plan
from bot.model.pings import Ping


class OutboxKind(StrEnum):
    """What can be sent."""

    THREAD = "thread"
    BOARD = "board"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What is written in one transaction: events, and what follows from them."""

    events: tuple[EventRow, ...]
    """At least one, of one game, in order."""
    state: GameState
    seats: tuple[UserId, UserId] | None = None
    """White's and Black's player, where that is settled only now."""
    to_move: UserId | None
    plans: Mapping[UserId, Plan] | None
    """The plans that were thought to stand, or None where none can."""
    plans_after: Mapping[UserId, Plan]
    look_at: datetime | None
    """When the game is to be looked at again, where it has a clock."""
    ping: Ping | None = None
    """Who asks the other player for something, or agrees to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxRow:
    """One thing to send."""

    id: int
    game: GameId
    revision: Revision
    kind: OutboxKind
    channel: ChannelId
    message: MessageId | None
    tries: int
    tried_at: datetime
    """When sending it was last begun."""
    silent: bool = False
    """The player to move wants no mention."""
