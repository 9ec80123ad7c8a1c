"""The outbox: messages that must reach Discord exactly once.

A process may die after it sends a message and before it records that. So before a new attempt, the
bot searches the channel for a message of an earlier attempt. Such a message can't be older than
`tried_at`, which changes only after a search has found nothing.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam, case, func, insert, or_, select, update

from bot.base import ids
from bot.database import delivery_rows
from bot.database.connection import AsyncConnection
from bot.database.database import (
    AnyRow,
    Queries,
    guild_in_shards,
    shard_parameters,
    shielded,
)
from bot.database.delivery_rows import deliveries
from bot.database.leases import LEASE, claim, is_held, renew

STUCK_FROM = 2
"""Number of attempts after which a board that is still unsent counts as blocked."""

_insert = insert(deliveries).values(silent=False).returning(deliveries)
_UNSENT = and_(deliveries.c.sent_at.is_(None), deliveries.c.dropped_at.is_(None))
_THIS_UNSENT = and_(_UNSENT, deliveries.c.id == bindparam("row"))
_KINDS_AND_SHARDS = and_(
    deliveries.c.kind.in_(bindparam("kinds", expanding=True)),
    guild_in_shards(deliveries.c.guild_id),
)
_THIS_GAME = deliveries.c.game_id == bindparam("game")
_SENT_BEFORE = and_(
    _THIS_GAME,
    deliveries.c.revision < bindparam("before"),
    deliveries.c.sent_at.is_not(None),
    deliveries.c.kind.in_(bindparam("kinds", expanding=True)),
)

_all_unsent = select(deliveries).where(_UNSENT)
_unsent_of_game = select(deliveries).where(_UNSENT, _THIS_GAME).order_by(deliveries.c.id)
_unsent_boards_of_guild = select(func.count()).where(
    _UNSENT, deliveries.c.kind == delivery_rows.BOARD, deliveries.c.guild_id == bindparam("guild")
)
_stuck = (
    select(deliveries.c.game_id)
    .where(
        _UNSENT,
        deliveries.c.game_id.in_(bindparam("games", expanding=True)),
        deliveries.c.kind.in_((delivery_rows.BOARD, delivery_rows.THREAD)),
        deliveries.c.tries >= STUCK_FROM,
    )
    .distinct()
)
_due = select(deliveries).where(_UNSENT, deliveries.c.due_at <= bindparam("now"), _KINDS_AND_SHARDS)
_release = update(deliveries).where(_UNSENT, _KINDS_AND_SHARDS).values(due_at=bindparam("now"))
_release_guild = (
    update(deliveries)
    .where(_UNSENT, deliveries.c.guild_id == bindparam("guild"))
    .values(due_at=bindparam("now"))
)
# If another attempt was made in the meantime, the channel must be searched first.
_SAME_ATTEMPT = deliveries.c.tries == bindparam("seen_tries")
_claim = claim(deliveries, _THIS_UNSENT & _SAME_ATTEMPT).values(
    batch=bindparam("new_batch"),
    tried_at=case((deliveries.c.tries == 0, bindparam("now")), else_=deliveries.c.tried_at),
)
_renew = renew(deliveries, _THIS_UNSENT)
_begin = (
    update(deliveries).where(is_held(deliveries, _THIS_UNSENT)).values(tried_at=bindparam("at"))
)
_postpone = update(deliveries).where(_THIS_UNSENT).values(due_at=bindparam("until"))
_restart = _postpone.values(way=bindparam("new_way"), batch=None, tries=0)
_readdress = _postpone.values(channel_id=bindparam("to"))
_mark_sent = (
    update(deliveries)
    .where(deliveries.c.id == bindparam("row"))
    .values(sent_at=bindparam("at"), message_id=bindparam("message"))
)
_mark_sent_with = _mark_sent.values(data=bindparam("new_data"))
_set_data = (
    update(deliveries).where(deliveries.c.id == bindparam("row")).values(data=bindparam("new_data"))
)
_newest_of_kind = (
    select(deliveries)
    .where(
        _THIS_GAME,
        deliveries.c.kind == bindparam("of_kind"),
        deliveries.c.sent_at.is_not(None),
        deliveries.c.message_id.is_not(None),
    )
    .order_by(deliveries.c.revision.desc())
    .limit(1)
)
_revive = (
    update(deliveries)
    .where(
        _THIS_GAME,
        deliveries.c.revision == bindparam("of_revision"),
        deliveries.c.kind.in_(bindparam("kinds", expanding=True)),
        deliveries.c.sent_at.is_(None),
        deliveries.c.dropped_at.is_not(None),
    )
    .values(dropped_at=None, due_at=bindparam("until"), tried_at=bindparam("now"), tries=1)
    .returning(deliveries)
)
_drop = update(deliveries).where(_THIS_UNSENT).values(dropped_at=bindparam("at"))
_newest_announced = select(func.max(deliveries.c.revision)).where(_SENT_BEFORE)
_newest_sent = (
    select(
        deliveries.c.kind,
        deliveries.c.revision,
        deliveries.c.channel_id,
        deliveries.c.message_id,
    )
    .where(_SENT_BEFORE, deliveries.c.message_id.is_not(None))
    .order_by(deliveries.c.revision.desc())
    .limit(1)
)
_opened_in = select(deliveries.c.channel_id).where(
    _THIS_GAME, deliveries.c.kind == delivery_rows.THREAD
)
_by_key = select(deliveries.c.id).where(
    deliveries.c.key == bindparam("of_key"), deliveries.c.kind == bindparam("of_kind")
)
_sent = select(deliveries.c.key, deliveries.c.message_id).where(
    deliveries.c.key.in_(bindparam("keys", expanding=True)),
    deliveries.c.kind == bindparam("of_kind"),
    deliveries.c.sent_at.is_not(None),
    deliveries.c.message_id.is_not(None),
)
_sent_row = select(deliveries).where(
    deliveries.c.kind == bindparam("of_kind"),
    deliveries.c.key == bindparam("key"),
    deliveries.c.sent_at.is_not(None),
)
_data = select(deliveries.c.data).where(_THIS_GAME, deliveries.c.kind == bindparam("of_kind"))

_traces = select(deliveries.c.message_id, deliveries.c.tries).where(
    deliveries.c.game_id == bindparam("game"),
    or_(
        deliveries.c.revision == bindparam("of_revision"),
        deliveries.c.message_id == bindparam("sent_as"),
    ),
)


class Trace(NamedTuple):
    """A delivery's message and its number of attempts."""

    message: ids.MessageId | None
    """The sent message, or None."""
    tries: int


class DeliveryTable(Queries):
    """The outbox: queued and sent deliveries."""

    # Queuing

    @shielded
    async def add(self, new: delivery_rows.NewDelivery, *, at: datetime) -> delivery_rows.Delivery:
        """Queue a delivery that is due immediately.

        Raises:
            Conflict: if it is already queued.
        """
        async with self._database.transaction() as connection:
            return await insert_delivery(connection, new, at=at)

    # Reading

    async def all_unsent(self) -> list[delivery_rows.Delivery]:
        return [_row(row) for row in await self._database.all(_all_unsent, {})]

    async def due(
        self, kinds: Collection[delivery_rows.DeliveryKind], shards: ids.Shards, now: datetime
    ) -> list[delivery_rows.Delivery]:
        """Return the due deliveries of some kinds and shards.

        Those with the fewest attempts come first, so all are tried even if the bot keeps crashing.
        """
        parameters = {"kinds": list(kinds), "now": now, **shard_parameters(shards)}
        rows = await self._database.all(_due, parameters)
        return [
            _row(row) for row in sorted(rows, key=lambda row: (row.tries, row.tried_at, row.id))
        ]

    async def unsent(self, game: ids.GameId) -> list[delivery_rows.Delivery]:
        return [_row(row) for row in await self._database.all(_unsent_of_game, {"game": game})]

    async def unsent_of_guild(self, guild: ids.GuildId) -> int:
        """Return the number of unsent boards of a guild."""
        ((number,),) = await self._database.all(_unsent_boards_of_guild, {"guild": guild})
        return int(number)

    async def stuck(self, games: Collection[ids.GameId]) -> frozenset[ids.GameId]:
        """Return the games whose boards or threads currently can't be sent."""
        rows = await self._database.all(_stuck, {"games": list(games)}) if games else []
        return frozenset(ids.GameId(row.game_id) for row in rows)

    async def newest_announced(
        self,
        game: ids.GameId,
        before: ids.Revision = ids.LATEST,
        *,
        by: Collection[delivery_rows.DeliveryKind] = delivery_rows.NEWS,
    ) -> ids.Revision | None:
        """Return the newest revision before `before` that was announced, or None."""
        parameters = {"game": game, "before": before, "kinds": list(by)}
        row = await self._database.first(_newest_announced, parameters)
        return None if row is None or row[0] is None else ids.Revision(row[0])

    async def newest_board(
        self, game: ids.GameId, before: ids.Revision = ids.LATEST
    ) -> tuple[ids.ChannelId, ids.MessageId] | None:
        """Return the channel and message of the newest sent board before a revision, or None."""
        newest = await self.newest_sent(game, before, by=[delivery_rows.BOARD])
        return None if newest is None else newest.location

    async def newest_sent(
        self,
        game: ids.GameId,
        before: ids.Revision = ids.LATEST,
        *,
        by: Collection[delivery_rows.DeliveryKind] = delivery_rows.NEWS,
    ) -> delivery_rows.SentMessage | None:
        """Return the newest sent message of a game before a revision, or None."""
        parameters = {"game": game, "before": before, "kinds": list(by)}
        row = await self._database.first(_newest_sent, parameters)
        if row is None:
            return None
        place = ids.ChannelId(row.channel_id), ids.MessageId(row.message_id)
        return delivery_rows.SentMessage(
            delivery_rows.DeliveryKind(row.kind), ids.Revision(row.revision), *place
        )

    async def traces(
        self, game: ids.GameId, revision: ids.Revision, message: ids.MessageId
    ) -> list[Trace]:
        """Return the messages and attempts of a game's deliveries for a revision or a message."""
        parameters = {"game": game, "of_revision": revision, "sent_as": message}
        return [
            Trace(None if row.message_id is None else ids.MessageId(row.message_id), row.tries)
            for row in await self._database.all(_traces, parameters)
        ]

    async def opened_in(self, game: ids.GameId) -> ids.ChannelId | None:
        """Return the thread that a game's delivery opened, or None if there is none."""
        row = await self._database.first(_opened_in, {"game": game})
        return None if row is None else ids.ChannelId(row[0])

    async def data(
        self, kind: delivery_rows.DeliveryKind, game: ids.GameId
    ) -> list[Mapping[str, Any]]:
        rows = await self._database.all(_data, {"game": game, "of_kind": kind})
        return [row[0] for row in rows]

    async def sent(
        self, kind: delivery_rows.DeliveryKind, keys: Collection[str]
    ) -> dict[str, ids.MessageId]:
        """Return sent messages of a kind, by their keys."""
        parameters = {"keys": list(keys), "of_kind": kind}
        rows = await self._database.all(_sent, parameters) if keys else []
        return {row.key: ids.MessageId(row.message_id) for row in rows}

    async def sent_row(
        self, kind: delivery_rows.DeliveryKind, key: str
    ) -> delivery_rows.Delivery | None:
        """Return a sent delivery by its key, or None."""
        row = await self._database.first(_sent_row, {"key": key, "of_kind": kind})
        return None if row is None else _row(row)

    # Sending

    async def release(
        self, kinds: Collection[delivery_rows.DeliveryKind], shards: ids.Shards, now: datetime
    ) -> None:
        """Make all unsent deliveries of these shards due, because their process has ended."""
        parameters = {"kinds": list(kinds), "now": now, **shard_parameters(shards)}
        await self._database.change(_release, parameters)

    async def release_guild(self, guild: ids.GuildId, now: datetime) -> None:
        """Make all unsent deliveries of a guild due now."""
        await self._database.change(_release_guild, {"guild": guild, "now": now})

    @shielded
    async def claim(
        self, rows: Sequence[delivery_rows.Delivery], *, batch: int, now: datetime
    ) -> list[delivery_rows.Delivery]:
        """Claim the rows of one message, except those tried since they were read.

        Return them with the new batch number, but otherwise as they were before this attempt.
        """
        parameters = {"new_batch": batch, "now": now, "until": now + LEASE}
        async with self._database.transaction() as connection:
            return [
                replace(row, batch=batch)
                for row in rows
                if (await connection.execute(_claim, _attempt_key(row) | parameters)).rowcount == 1
            ]

    async def renew(
        self, rows: Sequence[delivery_rows.Delivery], *, since: datetime, now: datetime
    ) -> bool:
        """Extend our claim on rows claimed at `since`. Return False if any is no longer ours."""
        return await self._change(_renew, rows, held=since + LEASE, until=now + LEASE) == len(rows)

    async def begin(
        self, rows: Sequence[delivery_rows.Delivery], *, since: datetime, at: datetime
    ) -> bool:
        """Start a new attempt for rows that no earlier attempt has sent.

        From then on, messages of earlier attempts are not searched for. So this changes only rows
        whose claim at `since` is still ours, and that are unsent. Return True if it changed all of
        the rows.
        """
        return await self._change(_begin, rows, held=since + LEASE, at=at) == len(rows)

    async def postpone(self, rows: Sequence[delivery_rows.Delivery], *, until: datetime) -> bool:
        """Postpone rows. Return False if they were sent in the meantime."""
        return await self._change(_postpone, rows, until=until) > 0

    async def requeue(
        self,
        rows: Sequence[delivery_rows.Delivery],
        route: delivery_rows.DeliveryRoute,
        *,
        until: datetime,
    ) -> None:
        """Queue rows again for another message, later and perhaps by another route."""
        await self._change(_restart, rows, until=until, new_way=route)

    async def readdress(
        self, row: delivery_rows.Delivery, channel: ids.ChannelId, *, now: datetime
    ) -> None:
        """Redirect a row to another channel, as soon as possible."""
        await self._change(_readdress, [row], until=now, to=channel)

    async def mark_sent(
        self,
        rows: Sequence[delivery_rows.Delivery],
        message: ids.MessageId | None,
        *,
        at: datetime,
        data: Mapping[str, Any] | None = None,
    ) -> None:
        """Mark rows as sent, with their message if known.

        If `data` is given, it replaces their data.
        """
        if data is None:
            await self._change(_mark_sent, rows, message=message, at=at)
        else:
            await self._change(_mark_sent_with, rows, message=message, at=at, new_data=dict(data))

    async def note(self, row: delivery_rows.Delivery, data: Mapping[str, Any]) -> None:
        """Replace the data of a row, sent or not."""
        await self._change(_set_data, [row], new_data=dict(data))

    async def newest_of(
        self, game: ids.GameId, kind: delivery_rows.DeliveryKind
    ) -> delivery_rows.Delivery | None:
        """Return the newest sent delivery of a game and kind with a known message, or None."""
        row = await self._database.first(_newest_of_kind, {"game": game, "of_kind": kind})
        return None if row is None else _row(row)

    @shielded
    async def revive(
        self, game: ids.GameId, revision: ids.Revision, *, now: datetime
    ) -> list[delivery_rows.Delivery]:
        """Revive a revision's dropped announcements, for the caller to send."""
        parameters = {"game": game, "of_revision": revision, "kinds": list(delivery_rows.NEWS)}
        async with self._database.transaction() as connection:
            rows = await connection.execute(
                _revive, {**parameters, "now": now, "until": now + LEASE}
            )
            return [_row(row) for row in rows]

    async def drop(self, rows: Sequence[delivery_rows.Delivery], *, at: datetime) -> None:
        """Drop superseded rows."""
        await self._change(_drop, rows, at=at)

    async def _change(
        self, statement: Any, rows: Sequence[delivery_rows.Delivery], **parameters: Any
    ) -> int:
        """Change some rows in one transaction and return the number of changed rows."""
        if len(rows) == 1:
            return await self._database.change(statement, {"row": rows[0].id, **parameters})
        return await self._change_several(statement, rows, **parameters) if rows else 0

    @shielded
    async def _change_several(
        self, statement: Any, rows: Sequence[delivery_rows.Delivery], **parameters: Any
    ) -> int:
        async with self._database.transaction() as connection:
            results = [
                await connection.execute(statement, {"row": row.id, **parameters}) for row in rows
            ]
        return sum(result.rowcount for result in results)


def _attempt_key(row: delivery_rows.Delivery) -> dict[str, object]:
    return {"row": row.id, "seen_tries": row.tries}


def for_event(
    new: delivery_rows.NewDelivery, game: ids.GameId, revision: ids.Revision
) -> delivery_rows.NewDelivery:
    """Return a delivery with the key of a game's event."""
    return replace(new, game=game, revision=revision, key=f"{game}-{revision}")


async def insert_delivery(
    connection: AsyncConnection,
    new: delivery_rows.NewDelivery,
    *,
    at: datetime,
    is_ours: bool = False,
) -> delivery_rows.Delivery:
    """Insert a delivery that is due immediately, or that the caller sends.

    Raises:
        IntegrityError: if it is already queued.
    """
    values = {
        "kind": new.kind,
        "key": new.key,
        "guild_id": new.guild,
        "channel_id": new.channel,
        "game_id": new.game,
        "revision": new.revision,
        "player_id": new.player,
        "way": new.route,
        "message_id": new.message,
        "data": dict(new.data),
        "created_at": at,
        "due_at": at + LEASE if is_ours else at,
        "tries": int(is_ours),
        "tried_at": at,
    }
    return _row((await connection.execute(_insert, values)).one())


async def is_queued(connection: AsyncConnection, new: delivery_rows.NewDelivery) -> bool:
    """Return True if a delivery was ever queued, sent or not."""
    result = await connection.execute(_by_key, {"of_key": new.key, "of_kind": new.kind})
    return result.first() is not None


async def queue_for_later(
    connection: AsyncConnection, new: delivery_rows.NewDelivery, due: datetime, *, at: datetime
) -> None:
    """Queue a delivery for later, unless it is already queued.

    Raises:
        IntegrityError: if another transaction queues it at the same time.
    """
    if not await is_queued(connection, new):
        row = await insert_delivery(connection, new, at=at)
        await connection.execute(_postpone, {"row": row.id, "until": due})


def _row(row: AnyRow) -> delivery_rows.Delivery:
    return delivery_rows.Delivery(
        id=row.id,
        kind=delivery_rows.DeliveryKind(row.kind),
        key=row.key,
        guild=ids.GuildId(row.guild_id),
        channel=ids.ChannelId(row.channel_id),
        game=None if row.game_id is None else ids.GameId(row.game_id),
        revision=None if row.revision is None else ids.Revision(row.revision),
        player=None if row.player_id is None else ids.UserId(row.player_id),
        route=delivery_rows.DeliveryRoute(row.way),
        message=None if row.message_id is None else ids.MessageId(row.message_id),
        data=row.data,
        batch=row.batch,
        tries=row.tries,
        tried_at=row.tried_at,
    )
