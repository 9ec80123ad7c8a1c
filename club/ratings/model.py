"""Rated games, and the machine's levels as opponents."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum, auto
from typing import Final, Self

from bot.base.errors import PlayError
from bot.base.glicko import Rating, placing_deviation
from bot.base.ids import DELETED_USER, NO_GUILD, GuildId, UserId, is_team
from bot.play.model.clock import Pace, pace_of
from bot.play.model.conduct import Venue
from bot.play.model.game import Game
from bot.play.model.terms import ChallengeTerms, EndReason, Outcome, Start
from dvonn import Color
from dvonn.machine import VERSION

LEVELS: Final[Mapping[int, tuple[tuple[float, float], ...]]] = {
    7: (
        (849.2, 62.4),
        (985.0, 60.8),
        (1123.3, 60.0),
        (1270.4, 59.3),
        (1409.8, 58.0),
        (1568.9, 55.0),
        (1709.3, 50.6),
        (1834.9, 46.2),
        (1963.9, 38.7),
        (2154.7, 27.5),
        (2327.5, 0.0),
        (2500.3, 31.0),
        (2668.7, 45.1),
        (2822.8, 63.3),
        (3040.5, 72.6),
        (3170.7, 78.2),
    ),
}
"""For each version of the machine: rating and standard error of each level, starting with level 1.
"""
_ALWAYS = datetime(1970, 1, 1, tzinfo=UTC)
_STEADY = 0.0
"""The volatility of a level's rating. It is zero, because a version's levels never change."""


def machine_rating(version: int | None, level: int | None) -> Rating | None:
    """Return the rating of a level in a version of the machine, or None if not measured."""
    levels = LEVELS.get(version or 0, ())
    if level is None or not 1 <= level <= len(levels):
        return None
    rating, error = levels[level - 1]
    return Rating(rating=rating, deviation=error, volatility=_STEADY, at=_ALWAYS)


class RateProblem(Enum):
    """Reasons why a game can't be rated."""

    TEAMS = auto()
    """Teams play the game."""
    PLACE = auto()
    """The bot is a guest in the channel, or the game is in direct messages."""
    START = auto()
    """The board favors one side, or the machine was measured on a different kind of board."""
    UNMEASURED = auto()
    """The machine's version was not measured."""


@dataclass(eq=False)
class CannotRate(PlayError):  # noqa: N818
    """A game can't be rated as requested."""

    problem: RateProblem


LEAST_TURNS: Final = 5
"""Minimum number of turns by each player in a rated game that ends by resignation or on time.

A game that was played to the end always counts.
"""
MOST_A_DAY: Final = 5
"""Maximum number of rated games between the same two players in `A_DAY`, for each pace."""
A_DAY: Final = timedelta(hours=24)
MEASURED_STARTS: Final = frozenset({Start.BALANCED})
"""Starts on which the machine's ratings were measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolRating:
    """A player's rating in one pool: one pace, in one server or in all of a host's servers."""

    rating: Rating
    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    best: float | None = None
    """Their highest settled rating, or None."""

    @classmethod
    def new(cls, at: datetime) -> Self:
        return cls(rating=Rating.new(at))

    def updated(
        self, score: float, opponent: Rating, at: datetime, *, places: bool = False
    ) -> "PoolRating":
        """Return the rating after one more game: 1 for a win, 0 for a loss, 0.5 for a draw.

        `opponent` is the opponent's rating before the game. With `places`, the opponent's strength
        was measured, so the game counts more.
        """
        least = placing_deviation(self.games) if places else 0.0
        rating, best = self.rating.updated([(score, opponent)], at, least=least), self.best
        if rating.is_settled and (best is None or rating.rating > best):
            best = rating.rating
        return PoolRating(
            rating=rating,
            games=self.games + 1,
            won=self.won + (score == 1),
            drawn=self.drawn + (score not in (0, 1)),
            lost=self.lost + (score == 0),
            best=best,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedResult:
    """The result of an ended game, for rating."""

    pace: Pace
    white: UserId
    black: UserId
    score: float
    """White's score: 1, 0.5 or 0."""
    fixed: UserId | None = None
    """The player whose rating does not change: the machine, or a deleted user."""
    fixed_rating: Rating | None = None

    @property
    def people(self) -> tuple[UserId, ...]:
        return tuple(user for user in (self.white, self.black) if user != self.fixed)

    @property
    def is_against_machine(self) -> bool:
        """True if the opponent was the machine, whose strength was measured."""
        return self.fixed is not None and self.fixed not in DELETED_USER.values()

    def opponent(self, player: UserId) -> UserId:
        """Return a player's opponent."""
        return self.black if player == self.white else self.white

    def score_of(self, player: UserId) -> float:
        return self.score if player == self.white else 1 - self.score


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingChange:
    """The change of one player's rating in one pool by a game."""

    guild: GuildId
    """The server, or `NO_GUILD` for all of the host's servers together."""
    player: UserId
    before: PoolRating
    after: PoolRating
    opponent: Rating
    """The opponent's rating used in the calculation."""
    score: float


class UnratedReason(Enum):
    """Reasons why an ended rated game did not count."""

    TOO_SHORT = auto()
    """Fewer turns than `LEAST_TURNS` were played."""
    TOO_MANY = auto()
    """The same two players had already played `MOST_A_DAY` games."""
    RECENTLY_DELETED = auto()
    """A player had deleted their data less than `A_DAY` before the game ended.

    Otherwise, deleting data would be a way around `MOST_A_DAY`.
    """
    MACHINE = auto()
    """The machine's version has changed since the game began."""


Verdict = tuple[RatingChange, ...] | UnratedReason
"""A rated game's changes of ratings, or the reason why it did not count."""


def score_of(outcome: Outcome) -> float:
    """Return White's score in a game with a result.

    >>> score_of(Outcome(EndReason.RESIGNATION, winner=Color.BLACK))
    0.0
    """
    if outcome.winner is None:
        return 0.5
    return 1.0 if outcome.winner is Color.WHITE else 0.0


def result_of(game: Game) -> RatedResult | UnratedReason | None:
    """Return a rated game's result, or why it doesn't count, or None without a result."""
    row, outcome = game.row, game.outcome
    if not row.rated or outcome is None or not outcome.has_result:
        return None
    turns = min(game.turns_of(row.white), game.turns_of(row.black))
    if outcome.reason is not EndReason.COUNT and turns < LEAST_TURNS:
        return UnratedReason.TOO_SHORT
    measured = None
    if row.machine is not None:
        measured = machine_rating(row.engine, row.level) if row.engine == VERSION else None
        if measured is None:
            return UnratedReason.MACHINE
    if {row.white, row.black} & set(DELETED_USER.values()):
        return None
    return RatedResult(
        pace=pace_of(row.clock),
        white=row.white,
        black=row.black,
        score=score_of(outcome),
        fixed=row.machine,
        fixed_rating=measured,
    )


def is_rated(terms: ChallengeTerms, venue: Venue, *, default: bool) -> bool:
    """Return True if a proposed game is rated.

    `default` is True if games between users are rated there by default.

    Raises:
        CannotRate: if a rating was requested but is not possible.
    """
    problem = _problem(terms, venue)
    if terms.rated is None:
        between_people = terms.level is None
        return problem is None and between_people and default
    if terms.rated and problem is not None:
        raise CannotRate(problem)
    return terms.rated


def _problem(terms: ChallengeTerms, venue: Venue) -> RateProblem | None:
    if terms.vote is not None or is_team(terms.challenger):
        return RateProblem.TEAMS
    if venue.is_direct or venue.visiting or terms.guild == NO_GUILD:
        return RateProblem.PLACE
    if terms.start is Start.POSITION:
        return RateProblem.START
    if terms.level is not None:
        if machine_rating(VERSION, terms.level) is None:
            return RateProblem.UNMEASURED
        if terms.start not in MEASURED_STARTS:
            return RateProblem.START
    return None
