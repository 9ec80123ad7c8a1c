"""One's own mistakes are tried at once, and come back after 1, 4 and 10 days while solved."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.base.errors import PlayError
from bot.base.ids import GameId, UserId
from bot.play.model.engine_thoughts import Thought
from bot.play.model.game import Game
from dvonn import Color, Move, PlyReview, Position
from dvonn.review import INACCURACY


class NothingDue(PlayError):  # noqa: N818
    """A player wants to see what they have misplayed, and nothing has come back."""


INTERVALS: Final = (timedelta(days=1), timedelta(days=4), timedelta(days=10))
"""The times for which a position stays away, by the times in a row it was solved."""


NEW: Final = -1
"""The step of a position that was not tried yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeRow:
    """A position that a player wants to see again."""

    player: UserId
    game: GameId
    ply: int
    """The move that they had better not have made; the first of a game is number 1."""
    step: int = 0
    """The number of times in a row that they have solved it since the first try."""
    due_at: datetime | None
    """The moment at which it comes back; None: it does so no more."""

    def is_due(self, at: datetime) -> bool:
        return self.due_at is not None and self.due_at <= at

    def answered(self, at: datetime, *, right: bool) -> "PracticeRow":
        """Return the row after an answer at a time at which it was due."""
        step = self.step + 1 if right else 0
        due_at = at + INTERVALS[step] if step < len(INTERVALS) else None
        return replace(self, step=step, due_at=due_at)


@dataclass(frozen=True, slots=True)
class Mistake:
    """A position that a player has misplayed."""

    row: PracticeRow
    game: Game
    made: PlyReview
    positions: tuple[Position, ...]
    """The positions of the game up to the misplayed one, which is the last."""

    @property
    def position(self) -> Position:
        return self.positions[-1]


def is_as_good(move: Move, thoughts: Iterable[Thought], color: Color) -> bool:
    """Tell whether the engine finds a move about the best: not even an inaccuracy beside that."""
    chances = {
        one.moves[0]: one.white_wins if color is Color.WHITE else 1 - one.white_wins
        for one in thoughts
        if one.white_wins is not None
    }
    return move in chances and max(chances.values()) - chances[move] < INACCURACY
