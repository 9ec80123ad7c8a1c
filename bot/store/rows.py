"""What the tables hold, as values."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.model.ids import ChannelId, GameId, MessageId, Revision


class OutboxKind(StrEnum):
    """What can be sent."""

    THREAD = "thread"
    BOARD = "board"


@dataclass(frozen=True, slots=True, kw_only=True)
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
