"""The model of puzzles: keys, ratings, answers, refusals, and the puzzle of the day."""

import re
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cache
from hashlib import sha256
from typing import Final

from bot.base.errors import PlayError
from bot.base.glicko import Rating, rate_pair
from bot.base.ids import ChannelId, GuildId, UserId
from bot.base.zones import DailyTime
from bot.play.model.preferences import OwnSwitch
from bot.replay.model.refusals import NoSuchPly
from dvonn_lessons.puzzles import Puzzle, PuzzleTheme, find, load

_HERE: Final = "here"
_KEY: Final = re.compile(
    rf"(?P<id>[0-9a-f]{{8}})(?:-(?:(?P<day>\d{{4}}-\d\d-\d\d)|(?P<theme>{'|'.join(PuzzleTheme)})))?"
)


@dataclass(frozen=True, slots=True)
class PuzzleKey:
    """Identifies a puzzle and its source: a theme, a day, or a server's own games."""

    puzzle: Puzzle
    theme: PuzzleTheme | None = None
    day: date | None = None
    here: bool = False

    @classmethod
    def found(cls, text: str) -> "PuzzleKey":
        """Parse the text of a puzzle key.

        Keys of puzzles from a server's own games need `server_puzzle_id` instead.

        >>> puzzle = load()[0]
        >>> PuzzleKey.found(f"{puzzle.id}-2026-11-30").day
        datetime.date(2026, 11, 30)
        >>> PuzzleKey.found(puzzle.id).day is None
        True

        Raises:
            NoSuchPly: if there is no such puzzle, or it was deleted.
        """
        match = _KEY.fullmatch(text)
        puzzle = None if match is None else find(match["id"])
        if match is None or puzzle is None:
            raise NoSuchPly
        try:
            day = None if match["day"] is None else date.fromisoformat(match["day"])
        except ValueError as error:
            raise NoSuchPly from error
        theme = None if match["theme"] is None else PuzzleTheme(match["theme"])
        return cls(puzzle, theme, day)

    @staticmethod
    def server_puzzle_id(text: str) -> str | None:
        """Return the puzzle id in the key of a server's own puzzle, or None for any other text.

        >>> PuzzleKey.server_puzzle_id("0a1b2c3d-here")
        '0a1b2c3d'
        >>> PuzzleKey.server_puzzle_id("0a1b2c3d-2026-11-30")
        """
        name, _, source = text.partition("-")
        return name if source == _HERE else None

    @property
    def text(self) -> str:
        if self.here:
            return f"{self.puzzle.id}-{_HERE}"
        source = self.day.isoformat() if self.day is not None else self.theme
        return self.puzzle.id if source is None else f"{self.puzzle.id}-{source}"


PUZZLES: Final = OwnSwitch("puzzles", default=False)
"""Setting: allow the player's games to become puzzles in the servers where they were played."""
NEWCOMER: Final = 1_200.0
"""Rating of a new solver."""
_NEW_TRIES: Final = 10
"""Number of attempts after which a solver is no longer new."""
_LITTLE: Final = 20.0
"""Maximum number of rating points that a new solver loses for a miss."""
_ESTIMATED: Final = 150.0
"""Rating deviation of a puzzle that no one has tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedSolver:
    """A player's puzzle record."""

    rating: Rating
    tries: int = 0
    solved: int = 0
    streak: int = 0
    """Number of puzzles solved in a row, up to now."""
    best_streak: int = 0

    @classmethod
    def new(cls, at: datetime) -> "RatedSolver":
        return cls(rating=Rating(rating=NEWCOMER, at=at))


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedPuzzle:
    """A puzzle's difficulty, which attempts change."""

    rating: Rating
    tries: int = 0
    solved: int = 0

    @classmethod
    def estimated(cls, puzzle: Puzzle, at: datetime) -> "RatedPuzzle":
        return cls(rating=Rating(rating=puzzle.rating, deviation=_ESTIMATED, at=at))


def tried(
    solver: RatedSolver, puzzle: RatedPuzzle, at: datetime, *, solved: bool
) -> tuple[RatedSolver, RatedPuzzle]:
    """Update the ratings of a solver and a puzzle after the solver's first answer."""
    score = 1.0 if solved else 0.0
    of_solver, of_puzzle = rate_pair(solver.rating, score, puzzle.rating, at)
    if solver.tries < _NEW_TRIES:
        least = solver.rating.rating - _LITTLE
        of_solver = replace(of_solver, rating=max(of_solver.rating, least))
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
    """A player's first answer to a puzzle. Only the first one counts."""

    puzzle: str
    at: datetime
    solved: bool
    before: float
    """The solver's rating before the answer."""
    after: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredAttempt:
    """A scored answer to a puzzle."""

    attempt: Attempt
    solver: RatedSolver
    is_first: bool
    """True if the answer counts. Otherwise `attempt` is an earlier one."""


# A server's puzzle of the day


@dataclass(frozen=True, slots=True, kw_only=True)
class DailySetting:
    """Channel and time of a server's daily puzzles."""

    guild: GuildId
    channel: ChannelId
    time: DailyTime
    due_at: datetime
    """When the next puzzle is due."""


@dataclass(frozen=True, slots=True)
class Daily:
    """A server's puzzle on a given day."""

    guild: GuildId
    day: date
    puzzle: str


@dataclass(frozen=True, slots=True)
class DailyAnswer:
    """A player's first answer to a day's puzzle."""

    player: UserId
    solved: bool


@dataclass(frozen=True, slots=True)
class MonthRow:
    """A player's results in a given month."""

    player: UserId
    solved: int
    tries: int


_WEEK_DAYS: Final = 7
_ONE_IN: Final = 3
"""Ratio of all puzzles to those that are reserved as daily puzzles."""
_NARROW_ONE_IN: Final = 12
"""`_ONE_IN` for puzzles that win by one piece, of which there are many."""


def puzzle_of(day: date) -> Puzzle:
    """Return the daily puzzle for a date.

    It is the same in all servers, easy on Mondays and hard on Sundays.

    >>> puzzle_of(date(2026, 11, 30)).id == puzzle_of(date(2026, 11, 30)).id
    True
    >>> is_daily(puzzle_of(date(2026, 11, 30)))
    True
    """
    ordinal = day.toordinal()
    week, weekday = divmod(ordinal - 1, _WEEK_DAYS)  # day 1 was a Monday
    puzzles = _by_weekday()[weekday]
    return puzzles[week % len(puzzles)]


def is_daily(puzzle: Puzzle) -> bool:
    """Return True if a proven puzzle is reserved as a daily one, so that it is new to everyone."""
    one_in = _NARROW_ONE_IN if puzzle.best == 1 else _ONE_IN
    return _mixed(puzzle) % one_in == 0 and not puzzle.is_rescue and not puzzle.judged


@cache
def _by_weekday() -> tuple[tuple[Puzzle, ...], ...]:
    """Return the daily puzzles of each weekday, Monday first, in a random but fixed order."""
    puzzles = sorted(filter(is_daily, load()), key=lambda puzzle: (puzzle.rating, puzzle.id))
    size = len(puzzles) // _WEEK_DAYS
    parts = (puzzles[at * size : (at + 1) * size] for at in range(_WEEK_DAYS))
    return tuple(tuple(sorted(part, key=_mixed)) for part in parts)


def _mixed(puzzle: Puzzle) -> int:
    return int.from_bytes(sha256(puzzle.id.encode()).digest())


class NoPuzzleLeft(PlayError):  # noqa: N818
    """The player has tried every puzzle of the theme, or every puzzle."""


class NoServerPuzzle(PlayError):  # noqa: N818
    """None of the server's games has become a puzzle."""


class NoDailyPuzzle(PlayError):  # noqa: N818
    """The server has no channel for the puzzle of the day."""
