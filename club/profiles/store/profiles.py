"""Queries for profiles, except for counts of games, and for leaderboards.

People with a hidden profile are left out of leaderboards.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    CompoundSelect,
    Select,
    and_,
    bindparam,
    func,
    literal_column,
    select,
    true,
    union,
    union_all,
)

from bot.base.ids import GuildId, UserId
from bot.database.database import AnyRow, Queries
from bot.play.model.clock import Pace
from bot.play.model.terms import EndReason, Start
from bot.play.store.schema import HAS_CHOSEN_LEVEL, HAS_ENDED, games, players
from club.profiles.model import ALL_SERVERS, PlayerRating, RatingPoint, Score
from club.ratings.schema import rating_changes, ratings
from club.ratings.store import rating_of, strength_of
from dvonn import Color, Review
from school.reviews.schema import reviews

_HAS_RESULT: Final = games.c.outcome != literal_column(f"'{EndReason.ABORT.value}'")
_IS_WHOLE: Final = games.c.start != literal_column(f"'{Start.POSITION.value}'")
_ratings = select(ratings).where(
    ratings.c.player_id == bindparam("player"),
    ratings.c.guild_id.in_(bindparam("pools", expanding=True)),
)


def _newest(pace: Pace, *columns: Any) -> Select[Any]:
    """Select a player's latest rated games at one pace, newest first."""
    return (
        select(*columns)
        .where(
            rating_changes.c.player_id == bindparam("player"),
            rating_changes.c.guild_id == bindparam("pool"),
            rating_changes.c.pace == literal_column(f"'{pace.value}'"),
        )
        .order_by(rating_changes.c.at.desc())
        .limit(bindparam("limit"))
    )


_COURSE: Final = (
    rating_changes.c.at,
    rating_changes.c.score,
    rating_changes.c.rating_before,
    rating_changes.c.deviation_before,
    rating_changes.c.rating_after,
    rating_changes.c.deviation_after,
)
_course_live = _newest(Pace.LIVE, *_COURSE)
_course_slow = _newest(Pace.SLOW, *_COURSE)
_newest_games = union_all(
    *(
        select(_newest(pace, rating_changes.c.game_id, rating_changes.c.at).subquery())
        for pace in Pace
    )
).subquery()
_newest_reviews = (
    select(games.c.white_id, reviews.c.review)
    .select_from(
        _newest_games.join(games, games.c.id == _newest_games.c.game_id).join(
            reviews, reviews.c.game_id == _newest_games.c.game_id
        )
    )
    .where(reviews.c.review.is_not(None))
    .order_by(_newest_games.c.at.desc())
    .limit(bindparam("limit"))
)


def _beaten(*conditions: Any) -> CompoundSelect[Any]:
    seats = ((games.c.white_id, Color.WHITE), (games.c.black_id, Color.BLACK))
    return union(
        *(
            select(games.c.level).where(
                seat == bindparam("player"),
                HAS_CHOSEN_LEVEL,
                games.c.winner == literal_column(f"'{colour.value}'"),
                games.c.vote_s.is_(None),
                _IS_WHOLE,
                *conditions,
            )
            for seat, colour in seats
        )
    )


_beaten_here = _beaten(games.c.guild_id == bindparam("pool"))
_beaten_anywhere = _beaten()


def _encounters(*conditions: Any) -> Select[Any]:
    seats = (("player", "other"), ("other", "player"))
    meetings = union_all(
        *(
            select(games.c.white_id, games.c.winner).where(
                games.c.white_id == bindparam(white),
                games.c.black_id == bindparam(black),
                HAS_ENDED,
                _HAS_RESULT,
                _IS_WHOLE,
                *conditions,
            )
            for white, black in seats
        )
    ).subquery()
    number = func.count().label("number")
    return select(meetings.c.white_id, meetings.c.winner, number).group_by(
        meetings.c.white_id, meetings.c.winner
    )


_encounters_here = _encounters(games.c.guild_id == bindparam("pool"))
_encounters_anywhere = _encounters()
_hidden = select(players.c.player_id).where(players.c.profile.is_not(None))
_LISTED = and_(
    ratings.c.guild_id == bindparam("pool"),
    ratings.c.pace == bindparam("pace"),
    ratings.c.settled == true(),
    ratings.c.player_id.not_in(_hidden),
)
_rows = select(
    ratings.c.player_id,
    ratings.c.rating,
    ratings.c.deviation,
    ratings.c.volatility,
    ratings.c.rated_at,
).where(_LISTED)
_page = (
    _rows.order_by(ratings.c.rating.desc(), ratings.c.player_id.desc())
    .limit(bindparam("limit"))
    .offset(bindparam("offset"))
)
_page_from_end = (
    _rows.order_by(ratings.c.rating, ratings.c.player_id)
    .limit(bindparam("limit"))
    .offset(bindparam("offset"))
)
_all = select(func.count()).select_from(ratings).where(_LISTED)
_from = _all.where(ratings.c.rating >= bindparam("rating"))
_below = _all.where(ratings.c.rating < bindparam("rating"))
_higher = (
    select(
        func.count().filter(ratings.c.rating >= bindparam("shown_higher")).label("shown_higher"),
        func.count().label("higher"),
    )
    .select_from(ratings)
    .where(_LISTED, ratings.c.rating > bindparam("rating"))
)
_same = _all.where(
    ratings.c.rating == bindparam("rating"), ratings.c.player_id > bindparam("player")
)
_is_hidden = _hidden.where(players.c.player_id == bindparam("player"))


class LeaderboardRow(NamedTuple):
    """A player in a leaderboard."""

    player: UserId
    rating: float
    deviation: float
    """The current deviation."""


class HigherCounts(NamedTuple):
    """Numbers of people above a player in a leaderboard."""

    shown_higher: int
    """Number of people with a higher rounded rating."""
    all: int
    """Number of people before the player in the order of the pages."""


class ProfileTable(Queries):
    """Queries about players' profiles."""

    async def ratings(
        self, player: UserId, pools: Sequence[GuildId], *, at: datetime | None = None
    ) -> dict[tuple[GuildId, Pace], PlayerRating]:
        """Return a player's ratings in some servers.

        `ALL_SERVERS` means all of them together.

        Deviations are as of `at`. With None, they are as of the last game.
        """
        rows = await self._database.all(_ratings, {"player": player, "pools": list(pools)})
        return {(GuildId(row.guild_id), Pace(row.pace)): _rating(row, at) for row in rows}

    async def course(
        self, player: UserId, pool: GuildId, pace: Pace, *, limit: int
    ) -> list[RatingPoint]:
        """Return a player's latest rating changes, in chronological order."""
        statement = _course_live if pace is Pace.LIVE else _course_slow
        parameters = {"player": player, "pool": pool, "limit": limit}
        rows = await self._database.all(statement, parameters)
        return [
            RatingPoint(
                at=row.at,
                score=row.score,
                before=(row.rating_before, row.deviation_before),
                after=(row.rating_after, row.deviation_after),
            )
            for row in reversed(rows)
        ]

    async def reviewed(
        self, player: UserId, pool: GuildId, *, limit: int
    ) -> list[tuple[Color, Review]]:
        """Return the reviews of a player's latest rated games, each with the player's color.

        A limited number of games is searched at each pace.
        """
        parameters = {"player": player, "pool": pool, "limit": limit}
        rows = await self._database.all(_newest_reviews, parameters)
        return [
            (Color.WHITE if row.white_id == player else Color.BLACK, Review.from_json(row.review))
            for row in rows
        ]

    async def encounters(self, player: UserId, other: UserId, pool: GuildId) -> Score:
        everywhere = pool == ALL_SERVERS
        parameters = {"player": player, "other": other, **({} if everywhere else {"pool": pool})}
        statement = _encounters_anywhere if everywhere else _encounters_here
        score = Score()
        for row in await self._database.all(statement, parameters):
            color = Color.WHITE if row.white_id == player else Color.BLACK
            if row.winner is None:
                score += Score(drawn=row.number)
            elif row.winner == color:
                score += Score(won=row.number)
            else:
                score += Score(lost=row.number)
        return score

    async def beaten(self, player: UserId, pool: GuildId) -> tuple[int, ...]:
        """Return the machine's levels that a player has beaten, lowest first."""
        everywhere = pool == ALL_SERVERS
        parameters = {"player": player, **({} if everywhere else {"pool": pool})}
        statement = _beaten_anywhere if everywhere else _beaten_here
        rows = await self._database.all(statement, parameters)
        return tuple(sorted({row.level for row in rows}))

    # Leaderboards

    async def page(
        self, pool: GuildId, pace: Pace, *, offset: int, limit: int, count: int, at: datetime
    ) -> list[LeaderboardRow]:
        """Return players with a settled rating, starting at `offset`, highest first.

        `count` is their total number. Late pages are read from the end, because skipping rows takes
        time.
        """
        parameters = {"pool": pool, "pace": pace, "offset": offset, "limit": limit}
        on_page = min(count - offset, limit)
        behind = count - offset - on_page
        if behind >= offset:
            rows = await self._database.all(_page, parameters)
        else:
            parameters |= {"offset": behind, "limit": on_page}
            rows = (await self._database.all(_page_from_end, parameters))[::-1]
        faded = ((row, rating_of(row).as_of(at)) for row in rows)
        return [
            LeaderboardRow(UserId(row.player_id), rating.rating, rating.deviation)
            for row, rating in faded
        ]

    async def count(self, pool: GuildId, pace: Pace) -> int:
        return await self._count(_all, {"pool": pool, "pace": pace})

    async def count_from(
        self, pool: GuildId, pace: Pace, rating: float, *, offset: int, count: int
    ) -> int:
        """Return the number of people whose rating is at least the given one.

        `offset` and `count` show which end of the index is nearer.
        """
        parameters = {"pool": pool, "pace": pace, "rating": rating}
        if offset <= count - offset:
            return await self._count(_from, parameters)
        return count - await self._count(_below, parameters)

    async def counts_above(
        self, pool: GuildId, pace: Pace, player: UserId, rating: float, *, shown_higher: float
    ) -> HigherCounts:
        """Return how many people rank above a player.

        `shown_higher` is the lowest rating that rounds to a higher one.
        """
        parameters = {"pool": pool, "pace": pace, "rating": rating}
        row = await self._database.first(_higher, {**parameters, "shown_higher": shown_higher})
        same = await self._count(_same, {**parameters, "player": player})
        return (
            HigherCounts(0, same)
            if row is None
            else HigherCounts(row.shown_higher, row.higher + same)
        )

    async def is_hidden(self, player: UserId) -> bool:
        """Return True if a player hides their profile."""
        return await self._database.first(_is_hidden, {"player": player}) is not None

    async def _count(self, statement: Any, parameters: dict[str, Any]) -> int:
        row = await self._database.first(statement, parameters)
        return 0 if row is None else int(row[0])


def _rating(row: AnyRow, at: datetime | None) -> PlayerRating:
    deviation, is_settled = row.deviation, row.settled
    if at is not None:
        now = strength_of(row).rating.as_of(at)
        deviation, is_settled = now.deviation, now.is_settled
    return PlayerRating(
        rating=row.rating,
        deviation=deviation,
        is_settled=is_settled,
        games=row.games,
        best=row.best,
    )
