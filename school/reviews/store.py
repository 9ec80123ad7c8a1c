"""The table of reviews, which is both the queue and the results, with one row for each game.

A finished review is queued a second time, for a closer look. A process claims a row while it works
on the review (`bot.database.leases`).
"""

from dataclasses import replace
from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, case, func, insert, select, update

import dvonn
from bot.base.ids import GameId, GuildId, Shards
from bot.database.connection import AsyncConnection
from bot.database.database import (
    AnyRow,
    Queries,
    guild_in_shards,
    shard_parameters,
    shielded,
)
from bot.database.deliveries import insert_delivery
from bot.database.delivery_rows import NewDelivery
from bot.database.leases import claim, is_held, renew
from dvonn import Review
from school.reviews.model import ReviewRow, ReviewState
from school.reviews.schema import IS_WAITING, reviews

TRIES: Final = 2
"""Number of failed attempts after which a review is abandoned."""
STARTS: Final = 5
"""Number of attempts after which a review is abandoned even if no failure was recorded.

Then its process died each time. Usually someone stopped the bot, but a review may also crash its
process.
"""

_THIS = reviews.c.game_id == bindparam("game")
_LOOKS_CLOSER = reviews.c.closer_since.is_not(None)
_STAGE = case((IS_WAITING, 0), (_LOOKS_CLOSER, 1), else_=None)
_THIS_WAITING = _THIS & (bindparam("stage") == _STAGE)
_HELD = is_held(reviews, _THIS_WAITING)

_of_game = select(reviews).where(_THIS)
_oldest = (
    select(reviews)
    .where(IS_WAITING, reviews.c.due_at <= bindparam("now"), guild_in_shards(reviews.c.guild_id))
    .order_by(reviews.c.queued_at, reviews.c.game_id)
    .limit(1)
)
_newest = (
    select(reviews)
    .where(_LOOKS_CLOSER, reviews.c.due_at <= bindparam("now"), guild_in_shards(reviews.c.guild_id))
    .order_by(reviews.c.closer_since.desc(), reviews.c.game_id)
    .limit(1)
)
_waiting = select(func.count()).select_from(reviews).where(IS_WAITING)
_insert = insert(reviews)
_claim = claim(reviews, _THIS_WAITING)
_renew = renew(reviews, _THIS_WAITING)
_put_back = update(reviews).where(_HELD).values(due_at=bindparam("now"))
_give_back = _put_back.values(tries=reviews.c.tries - 1)
_give_up = (
    update(reviews)
    .where(_HELD)
    .values(
        state=case((IS_WAITING, ReviewState.REFUSED), else_=reviews.c.state),
        engine=case((IS_WAITING, bindparam("by_engine")), else_=reviews.c.engine),
        closer_since=None,
    )
)
_retry = (
    update(reviews)
    .where(_THIS, reviews.c.state == ReviewState.REFUSED)
    .values(
        state=ReviewState.WAITING,
        engine=None,
        tells=False,
        queued_at=bindparam("now"),
        due_at=bindparam("now"),
        tries=0,
    )
)
_finish = (
    update(reviews)
    .where(_HELD)
    .values(
        state=ReviewState.DONE,
        review=bindparam("made"),
        engine=bindparam("by_engine"),
        made_at=bindparam("at"),
        due_at=bindparam("at"),
        tries=0,
        closer_since=bindparam("since"),
    )
)


class ReviewTable(Queries):
    """The table of reviews."""

    async def get(self, game: GameId) -> ReviewRow | None:
        """Return a game's review, in any state, or None if it was never requested."""
        row = await self._database.first(_of_game, {"game": game})
        return None if row is None else _row(row)

    @shielded
    async def ask(self, game: GameId, guild: GuildId, *, at: datetime) -> None:
        """Queue a review that only the user who asks for it will see.

        Raises:
            Conflict: if the review was already requested.
        """
        async with self._database.transaction() as connection:
            await queue(connection, game, guild, at, tells=False)

    @shielded
    async def take(
        self, shards: Shards, *, now: datetime, until: datetime, closer: bool = False
    ) -> ReviewRow | None:
        """Claim the review that has been queued longest for some shards, or return None.

        If `closer`, claim the newest review that is queued for a closer look instead, because its
        players may be reading it. Reviews with too many attempts are abandoned.
        """
        query, due = _newest if closer else _oldest, {"now": now, **shard_parameters(shards)}
        while (due_row := await self._database.first(query, due)) is not None:
            row = _row(due_row)
            if row.tries >= STARTS:
                await self.give_up(row)
                continue
            values = {"game": row.game, "stage": _stage(row), "now": now, "until": until}
            if await self._database.change(_claim, values) == 1:
                return replace(row, due_at=until, tries=row.tries + 1)
        return None

    async def is_waiting(self, shards: Shards, *, now: datetime) -> bool:
        """Return True if a game of some shards is queued for review."""
        waits = {"now": now, **shard_parameters(shards)}
        return await self._database.first(_oldest, waits) is not None

    async def waiting(self) -> int:
        """Return the number of games of all shards that are queued for review."""
        row = await self._database.first(_waiting, {})
        assert row is not None  # a count has a row  # noqa: S101
        return int(row[0])

    async def renew(self, row: ReviewRow, *, until: datetime) -> ReviewRow | None:
        """Extend the claim on a review. Return None if another process has it now."""
        changed = await self._database.change(_renew, {**_ours(row), "until": until})
        return replace(row, due_at=until) if changed == 1 else None

    async def put_back(self, row: ReviewRow, *, now: datetime) -> None:
        """Release a failed review for another attempt, or abandon it if none is left."""
        if row.tries >= TRIES:
            await self.give_up(row)
        else:
            await self._database.change(_put_back, {**_ours(row), "now": now})

    async def give_back(self, row: ReviewRow, *, now: datetime) -> None:
        """Release a review as if it had not been started."""
        await self._database.change(_give_back, {**_ours(row), "now": now})

    async def give_up(self, row: ReviewRow) -> None:
        """Abandon a review until the engine has a newer version."""
        await self._database.change(_give_up, {**_ours(row), "by_engine": dvonn.__version__})

    async def retry(self, game: GameId, *, now: datetime) -> None:
        """Queue an abandoned review again. Only the user who asks will see it."""
        await self._database.change(_retry, {"game": game, "now": now})

    @shielded
    async def finish(
        self, row: ReviewRow, review: Review, *, telling: NewDelivery | None, at: datetime
    ) -> bool:
        """Store a review and queue its delivery, in one transaction.

        A first review is also queued for a closer look.

        Returns:
            True if the claim was still ours. If not, nothing is stored.
        """
        since = None if row.is_closer_review_pending else at
        values = {"made": review.to_json(), "by_engine": review.engine, "at": at, "since": since}
        async with self._database.transaction() as connection:
            if (await connection.execute(_finish, {**_ours(row), **values})).rowcount != 1:
                return False
            if telling is not None:
                await insert_delivery(connection, telling, at=at)
        return True


async def queue(
    connection: AsyncConnection, game: GameId, guild: GuildId, at: datetime, *, tells: bool
) -> None:
    """Queue a game for review. Call this in a transaction."""
    values = {
        "game_id": game,
        "guild_id": guild,
        "state": ReviewState.WAITING,
        "queued_at": at,
        "tells": tells,
        "due_at": at,
        "tries": 0,
    }
    await connection.execute(_insert, values)


def _ours(row: ReviewRow) -> dict[str, object]:
    """Return the parameters of statements that change a review only while the claim is ours."""
    return {"game": row.game, "stage": _stage(row), "held": row.due_at}


def _stage(row: ReviewRow) -> int:
    return int(row.is_closer_review_pending)


def _row(row: AnyRow) -> ReviewRow:
    return ReviewRow(
        game=GameId(row.game_id),
        state=ReviewState(row.state),
        queued_at=row.queued_at,
        tells=row.tells,
        due_at=row.due_at,
        tries=row.tries,
        review=None if row.review is None else Review.from_json(row.review),
        engine=row.engine,
        is_closer_review_pending=row.closer_since is not None,
    )
