"""A game as the use cases see it, and what they hand to the words and pictures."""

from dataclasses import dataclass
from datetime import timedelta

from bot.ids import UserId
from bot.store.rows import EventRow, GameRow, GameState, OutboxRow
from dvonn import Color, Move, Position

LEASE = timedelta(seconds=5)
"""How long what is to be sent belongs to the process that wrote it; then any may send it."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game at one revision."""

    row: GameRow
    position: Position
    last: Move | None
    """The last placement or movement, None before the first."""

    @property
    def is_running(self) -> bool:
        """Whether it goes on."""
        return self.row.state is GameState.RUNNING

    @property
    def to_move(self) -> UserId | None:
        """The player whose turn it is; None when the game has ended."""
        if not self.is_running or self.position.turn is None:
            return None
        return self.player(self.position.turn)

    def player(self, color: Color) -> UserId:
        """Who plays a colour."""
        return self.row.white if color is Color.WHITE else self.row.black

    def seat(self, user: UserId) -> Color | None:
        """The colour that somebody plays; None for a spectator."""
        if user == self.row.white:
            return Color.WHITE
        return Color.BLACK if user == self.row.black else None


@dataclass(frozen=True, slots=True)
class Told:
    """One event, and the position it led to."""

    event: EventRow
    position: Position
    mover: Color | None
    """Who placed or moved, where the event is a move."""


@dataclass(frozen=True, slots=True)
class Update:
    """What came of an accepted change: the one thing that leaves through `bot.edge.publish`."""

    game: Game
    """The game at the revision that the change made."""
    told: tuple[Told, ...]
    """What the players have not been told yet, oldest first; the last one made the revision."""
    outbox: tuple[OutboxRow, ...]
    """What is to be sent, leased to whoever holds this."""
