"""The contents of a profile, beside the ratings themselves and the counts of games."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Select, bindparam, func, literal_column, select, union_all

from bot.base.ids import GuildId, UserId
from bot.database.database import AnyRow, Database
from bot.features.profiles.model import ALL_SERVERS, CourseStep, PlayerRating, Score
from bot.features.ratings.model.glicko import Pace
from bot.features.ratings.schema import rating_changes, ratings
from bot.features.ratings.store.ratings import strength_of
from bot.features.reviews.schema import reviews
from bot.play.model.outcome import How
from bot.play.store.schema.games import HAS_ENDED, games
from dvonn import Color, Review

_HAS_RESULT: Final = games.c.outcome != literal_column(f"'{How.ABORT.value}'")

_ratings = select(ratings).where(
    ratings.c.player_id == bindparam("player"),
    ratings.c.guild_id.in_(bindparam("pools", expanding=True)),
)


def _newest(pace: Pace, *columns: Any) -> Select[Any]:
    """Select a player's newest rated games at one pace, the last one first."""
    return (
        select(*columns)
        .where(
            rating_changes.c.player_id == bindparam("player"),
            rating_changes.c.guild_id == bindparam("pool"),
            rating_changes.c.pace == literal_column(f"'{pace.value}'"),
        )
        .order_by(rating_changes.c.at.desc())
        .limit(bindparam("most"))
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
    .limit(bindparam("most"))
)


def _encounters(*where: Any) -> Select[Any]:
    """Select the results of two people's games against each other, by colours and winners."""
    seats = (("player", "other"), ("other", "player"))
    both = union_all(
        *(
            select(games.c.white_id, games.c.winner).where(
                games.c.white_id == bindparam(white),
                games.c.black_id == bindparam(black),
                HAS_ENDED,
                _HAS_RESULT,
                *where,
            )
            for white, black in seats
        )
    ).subquery()
    number = func.count().label("number")
    return select(both.c.white_id, both.c.winner, number).group_by(both.c.white_id, both.c.winner)


_encounters_here = _encounters(games.c.guild_id == bindparam("pool"))
_encounters_anywhere = _encounters()


class ProfileTable:
    """The tables of players' profiles, to be read."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def ratings(
        self, player: UserId, pools: Sequence[GuildId], *, at: datetime | None = None
    ) -> dict[tuple[GuildId, Pace], PlayerRating]:
        """Return a player's ratings in some servers; `ALL_SERVERS` stands for all together.

        Args:
            player: Whose.
            pools: The servers.
            at: How sure they are at a moment; None: as sure as they were after the last game.
        """
        rows = await self._database.all(_ratings, {"player": player, "pools": list(pools)})
        return {(GuildId(row.guild_id), Pace(row.pace)): _rating(row, at) for row in rows}

    async def course(
        self, player: UserId, pool: GuildId, pace: Pace, *, most: int
    ) -> list[CourseStep]:
        """Return the changes of a player's newest rated games, the oldest of them first."""
        statement = _course_live if pace is Pace.LIVE else _course_slow
        asked = {"player": player, "pool": pool, "most": most}
        rows = await self._database.all(statement, asked)
        return [
            CourseStep(
                at=row.at,
                score=row.score,
                before=(row.rating_before, row.deviation_before),
                after=(row.rating_after, row.deviation_after),
            )
            for row in reversed(rows)
        ]

    async def reviewed(
        self, player: UserId, pool: GuildId, *, most: int
    ) -> list[tuple[Color, Review]]:
        """Return the reviews of a player's newest rated games, as far as there are any.

        Of as many games at each pace those are found that have one.

        Returns:
            Each with the colour that they played.
        """
        asked = {"player": player, "pool": pool, "most": most}
        rows = await self._database.all(_newest_reviews, asked)
        return [
            (
                Color.WHITE if row.white_id == player else Color.BLACK,
                Review.from_json(row.review),
            )
            for row in rows
        ]

    async def encounters(self, player: UserId, other: UserId, pool: GuildId) -> Score:
        """Return a player's score against another person."""
        everywhere = pool == ALL_SERVERS
        asked = {"player": player, "other": other, **({} if everywhere else {"pool": pool})}
        statement = _encounters_anywhere if everywhere else _encounters_here
        score = Score()
        for row in await self._database.all(statement, asked):
            own = Color.WHITE if row.white_id == player else Color.BLACK
            if row.winner is None:
                score += Score(drawn=row.number)
            elif row.winner == own:
                score += Score(won=row.number)
            else:
                score += Score(lost=row.number)
        return score


def _rating(row: AnyRow, at: datetime | None) -> PlayerRating:
    deviation, is_settled = row.deviation, row.settled
    if at is not None:
        now = strength_of(row).rating.by(at)
        deviation, is_settled = now.deviation, now.is_settled
    return PlayerRating(
        rating=row.rating,
        deviation=deviation,
        is_settled=is_settled,
        games=row.games,
        best=row.best,
    )
