"""The content of profiles and leaderboards: ratings, their history, and results of games."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from typing import Final

from bot.base.errors import PlayError
from bot.base.glicko import rounded_rating
from bot.base.ids import NO_GUILD, GuildId, UserId
from bot.play.model.clock import Pace
from bot.play.model.preferences import OwnSwitch
from bot.play.model.terms import Start
from club.tournaments.model.badges import EarnedBadge
from dvonn import Color, Motif, Review

SHOWN: Final = OwnSwitch("profile", default=True)
"""Show the player's profile, and their rank in leaderboards, to others."""
ALL_SERVERS: Final = NO_GUILD
"""Guild id in ratings and results that stands for all servers of a host together."""
PAGE: Final = 10
"""Number of ranks per page of a leaderboard."""


@dataclass(frozen=True, slots=True)
class Score:
    """Numbers of won, drawn and lost games."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    def __add__(self, other: "Score") -> "Score":
        return Score(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """A player's results with one color and one kind of start."""

    machine: bool
    colour: Color
    start: Start
    score: Score


def total(results: Iterable[Results]) -> Score:
    return sum((result.score for result in results), Score())


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRating:
    """A player's rating at one pace, in one server or all of them."""

    rating: float
    deviation: float
    """The rating's uncertainty."""
    is_settled: bool
    games: int
    best: float | None
    """The highest settled rating so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingPoint:
    """A rating's change by one rated game."""

    at: datetime
    score: float
    """1 for a win, 0 for a loss, 0.5 for a draw."""
    before: tuple[float, float]
    """The rating and its deviation before the game."""
    after: tuple[float, float]


def wins_in_a_row(changes: Iterable[RatingPoint]) -> int:
    """Return the length of the current streak of rated wins. The games may be in any order.

    >>> rating = (1500, 60)
    >>> wins_in_a_row(
    ...     RatingPoint(at=datetime(2026, 11, day), score=score, before=rating, after=rating)
    ...     for day, score in enumerate((1, 0, 1, 1), start=1)
    ... )
    2
    """
    streak = 0
    for change in sorted(changes, key=lambda point: point.at, reverse=True):
        if change.score < 1:
            break
        streak += 1
    return streak


@dataclass(frozen=True, slots=True, kw_only=True)
class MotifCounts:
    """A player's habits, according to the reviews of their games."""

    catches: tuple[tuple[Motif, int], ...] = ()
    """The motifs that the player uses against others, with counts, most frequent first."""
    suffers: tuple[tuple[Motif, int], ...] = ()
    """The motifs that others use against the player, with counts, most frequent first."""


def habits_of(reviewed: Sequence[tuple[Color, Review]]) -> MotifCounts:
    """Return a player's habits from reviews, each with the player's color.

    The motifs that a player uses appear as their opponents' mistakes.
    """
    catches, suffers = Counter[Motif](), Counter[Motif]()
    for color, review in reviewed:
        for ply in review.plies:
            (suffers if ply.color is color else catches).update(ply.motifs[:1])
    return MotifCounts(catches=_ranked(catches), suffers=_ranked(suffers))


def _ranked(counts: Counter[Motif]) -> tuple[tuple[Motif, int], ...]:
    order = list(Motif)
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], order.index(item[0]))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The content of a player's profile."""

    player: UserId
    guild: GuildId
    """The server where the user asked."""
    pool: GuildId
    """The server of the shown data, or `ALL_SERVERS`."""
    is_own: bool
    ratings: Mapping[Pace, PlayerRating]
    overall: Mapping[Pace, PlayerRating]
    """The ratings across all servers, if users look at their own profile in a server."""
    courses: Mapping[Pace, tuple[RatingPoint, ...]]
    """The latest changes of each rating, in chronological order."""
    results: tuple[Results, ...]
    beaten: tuple[int, ...]
    """The machine's levels that they have beaten, lowest first."""
    badges: tuple[EarnedBadge, ...]
    """Their badges from tournaments, newest first."""
    streak: int
    """Length of the current streak of rated wins."""
    habits: MotifCounts
    against: tuple[UserId, Score] | None
    """Another player, and the profile owner's score against them."""
    is_hidden: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Rank:
    """A player's line in a leaderboard."""

    number: int
    """Rank. People with the same rounded rating share it."""
    player: UserId | None
    """The player, or None if the user may not see the name."""
    rating: float
    deviation: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRank:
    """The user's own rank."""

    place: int | None
    """The rank, or None if they have none yet."""
    page: int
    """The page with that rank, counted from 0."""
    rating: PlayerRating | None
    is_hidden: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaderboard:
    """A page of the players with the highest ratings."""

    guild: GuildId
    """The server of the request."""
    pool: GuildId
    pace: Pace
    page: int
    count: int
    places: tuple[Rank, ...]
    own_rank: OwnRank

    @property
    def pages(self) -> int:
        return max(-(-self.count // PAGE), 1)


def numbered(
    rows: Sequence[tuple[UserId | None, float, float]], first: int, offset: int
) -> tuple[Rank, ...]:
    """Return the lines of a leaderboard with their ranks.

    Each row has a player, rating and deviation, highest rating first. `first` is the first row's
    rank, and `offset` the number of people before it.

    >>> rows = [(1, 1800.2, 50), (2, 1700.1, 50), (3, 1700.4, 50), (4, 1650, 50)]
    >>> [(rank.number, rank.player) for rank in numbered(rows, first=1, offset=0)]
    [(1, 1), (2, 2), (2, 3), (4, 4)]
    """
    places: list[Rank] = []
    for number, (player, rating, deviation) in enumerate(rows):
        place = first
        if places:
            last = places[-1]
            ties = rounded_rating(last.rating) == rounded_rating(rating)
            place = last.number if ties else offset + number + 1
        places.append(Rank(number=place, player=player, rating=rating, deviation=deviation))
    return tuple(places)


class ProfileProblem(Enum):
    """Reasons why a profile is not shown."""

    HIDDEN = auto()
    PRIVATELY = auto()
    """In direct messages users can only see their own."""
    MACHINE = auto()


class ProfileHidden(PlayError):  # noqa: N818
    """The user may not see the requested profile."""

    def __init__(self, player: UserId, problem: ProfileProblem) -> None:
        super().__init__(problem.name.lower())
        self.player = player
        self.problem = problem
