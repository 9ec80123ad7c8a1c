"""The highest ratings, page by page; those who keep their profile to themselves are left out."""

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam, func, select, true

from bot.base.ids import GuildId, UserId
from bot.database.database import Database
from bot.features.ratings.model.glicko import Pace
from bot.features.ratings.schema import ratings
from bot.features.ratings.store.ratings import rating_of
from bot.play.store.schema.people import players

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


class Listed(NamedTuple):
    """One of those who have a place."""

    player: UserId
    rating: float
    deviation: float
    """The present deviation."""


class Before(NamedTuple):
    """The number of people before one who has a rating."""

    shown_higher: int
    """Those whose rating is higher as it is shown."""
    all: int
    """Those who come before them in the order of the pages."""


class LeaderboardTable:
    """The ratings in their order, to be read."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(
        self, pool: GuildId, pace: Pace, *, offset: int, limit: int, count: int, at: datetime
    ) -> list[Listed]:
        """Return some of those with a settled rating, after so many others, the highest first.

        Whoever comes late is found from the end: what is passed over takes time.

        Args:
            pool: Of which server.
            pace: Of which ratings.
            offset: How many come before them.
            limit: How many are found at most.
            count: How many there are.
            at: The moment for which it is told how sure they are.
        """
        asked = {"pool": pool, "pace": pace, "offset": offset, "limit": limit}
        left = min(count - offset, limit)
        behind = count - offset - left
        if behind >= offset:
            rows = await self._database.all(_page, asked)
        else:
            asked |= {"offset": behind, "limit": left}
            rows = (await self._database.all(_page_from_end, asked))[::-1]
        faded = ((row, rating_of(row).by(at)) for row in rows)
        return [Listed(UserId(row.player_id), one.rating, one.deviation) for row, one in faded]

    async def count(self, pool: GuildId, pace: Pace) -> int:
        """Count the people who have a place."""
        return await self._count(_all, {"pool": pool, "pace": pace})

    async def count_from(
        self, pool: GuildId, pace: Pace, rating: float, *, offset: int, count: int
    ) -> int:
        """Count the people with at least a rating, on its nearer side: that takes time.

        Args:
            pool: Of which server.
            pace: Of which ratings.
            rating: At least.
            offset: About how many that will be.
            count: How many there are in all.
        """
        asked = {"pool": pool, "pace": pace, "rating": rating}
        if offset <= count - offset:
            return await self._count(_from, asked)
        return count - await self._count(_below, asked)

    async def before(
        self, pool: GuildId, pace: Pace, player: UserId, rating: float, *, shown_higher: float
    ) -> Before:
        """Count the people before one who has a rating.

        Args:
            pool: In which server.
            pace: Of which ratings.
            player: Who.
            rating: Theirs.
            shown_higher: The lowest rating that is shown as a higher one.
        """
        asked = {"pool": pool, "pace": pace, "rating": rating}
        row = await self._database.first(_higher, {**asked, "shown_higher": shown_higher})
        same = await self._count(_same, {**asked, "player": player})
        return Before(0, same) if row is None else Before(row.shown_higher, row.higher + same)

    async def is_hidden(self, player: UserId) -> bool:
        """Tell whether a player keeps their profile to themselves."""
        return await self._database.first(_is_hidden, {"player": player}) is not None

    async def _count(self, statement: Any, asked: dict[str, Any]) -> int:
        row = await self._database.first(statement, asked)
        return 0 if row is None else int(row[0])
