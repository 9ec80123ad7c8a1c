"""Attempts at puzzles, and the ratings of solvers and puzzles by them."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from bot.base.ids import ChannelId, GuildId, UserId
from bot.base.zones import DailyTime
from bot.features.ratings.model.glicko import Rating, both_after
from bot.play.model.preferences import OwnSwitch
from dvonn.puzzles import Puzzle

PUZZLES: Final = OwnSwitch("puzzles", default=False)
"""The player's games may become puzzles for the servers they were played in."""
NEWCOMER: Final = 1_200.0
"""The rating to start from: the first puzzles are of the easier half."""
_ESTIMATED: Final = 150.0
"""The deviation of a puzzle's rating before anybody has tried it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedSolver:
    """A player's record with puzzles."""

    rating: Rating
    tries: int = 0
    solved: int = 0
    streak: int = 0
    """The number solved in a row until now."""
    best_streak: int = 0

    @classmethod
    def new(cls, at: datetime) -> "RatedSolver":
        """Return the record of a player who has tried none."""
        return cls(rating=Rating(rating=NEWCOMER, at=at))


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedPuzzle:
    """A puzzle's difficulty, by the attempts at it."""

    rating: Rating
    tries: int = 0
    solved: int = 0

    @classmethod
    def estimated(cls, puzzle: Puzzle, at: datetime) -> "RatedPuzzle":
        """Return a puzzle that nobody has tried."""
        return cls(rating=Rating(rating=puzzle.rating, deviation=_ESTIMATED, at=at))


def tried(
    solver: RatedSolver, puzzle: RatedPuzzle, at: datetime, *, solved: bool
) -> tuple[RatedSolver, RatedPuzzle]:
    """Return both after the first answer to a puzzle."""
    score = 1.0 if solved else 0.0
    of_solver, of_puzzle = both_after(solver.rating, score, puzzle.rating, at)
    streak = solver.streak + 1 if solved else 0
    return (
        RatedSolver(
            rating=of_solver,
            tries=solver.tries + 1,
            solved=solver.solved + solved,
            streak=streak,
            best_streak=max(streak, solver.best_streak),
        ),
        RatedPuzzle(rating=of_puzzle, tries=puzzle.tries + 1, solved=puzzle.solved + solved),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A player's first answer to a puzzle, the one that counts."""

    puzzle: str
    at: datetime
    solved: bool
    before: float
    """The solver's rating."""
    after: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """The outcome of an answer."""

    attempt: Attempt
    solver: RatedSolver
    is_first: bool
    """True if it is this one that counts; else the attempt is an earlier one."""


# A server's puzzle of the day


@dataclass(frozen=True, slots=True, kw_only=True)
class DailySetting:
    """The channel and the time for a server's daily puzzles."""

    guild: GuildId
    channel: ChannelId
    time: DailyTime
    due_at: datetime
    """The moment at which the next one is to be posted."""


@dataclass(frozen=True, slots=True)
class Daily:
    """The puzzle of a day in a server."""

    guild: GuildId
    day: date
    puzzle: str


@dataclass(frozen=True, slots=True)
class DailyAnswer:
    """A player's first answer to the puzzle of a day."""

    player: UserId
    solved: bool


@dataclass(frozen=True, slots=True)
class MonthRow:
    """A player's results in a month."""

    player: UserId
    solved: int
    tries: int
