"""The outbox: what is to be sent, written together with the event it tells of."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import (
    BigInteger,
    and_,
    bindparam,
    exists,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.model.events import Event
from bot.model.ids import ChannelId, GameId, GuildId, MessageId, Revision, Shards, UserId
from bot.store import leases
from bot.store.database import AnyRow, Database
from bot.store.rows import OutboxKind, OutboxRow
from bot.store.schema import games, outbox, players
from bot.store.shards import shard_parameters

_UNSENT = leases.unsent(outbox)

_insert = (
    insert(outbox)
    .values(
        silent=exists(
            select(players.c.player_id).where(
                players.c.player_id == bindparam("to_move", type_=BigInteger),
                players.c.mentions.is_(False),
            )
        )
    )
    .returning(outbox.c.id, outbox.c.silent)
)
_unsent_games = select(outbox.c.game_id).where(_UNSENT)
_due = select(outbox.c.game_id, outbox.c.tries, outbox.c.tried_at).where(leases.due(outbox))
_unsent_of_game = (
    select(outbox).where(_UNSENT, outbox.c.game_id == bindparam("game")).order_by(outbox.c.id)
)
_unsent_of_guild = select(func.count()).where(
    _UNSENT,
    outbox.c.kind == OutboxKind.BOARD,
    outbox.c.game_id == games.c.id,
    games.c.guild_id == bindparam("guild"),
)
_release = leases.release(outbox)
_release_guild = leases.release(outbox, games.c.guild_id == bindparam("guild"))
_claim = leases.claim(outbox)
_renew = leases.renew(outbox)
_begin = leases.begin(outbox)
_postpone = leases.postpone(outbox)
_mark_sent = (
    update(outbox)
    .where(outbox.c.id == bindparam("row"))
    .values(sent_at=bindparam("at"), message_id=bindparam("message"))
)
_drop = leases.drop(outbox)
_boards_sent = and_(
    outbox.c.game_id == bindparam("game"),
    outbox.c.kind == OutboxKind.BOARD,
    outbox.c.sent_at.is_not(None),
)
_last_told = select(func.max(outbox.c.revision)).where(
    _boards_sent, outbox.c.revision < bindparam("before")
)
_newest_told = select(func.max(outbox.c.revision)).where(_boards_sent)
_newest_board = (
    select(outbox.c.channel_id, outbox.c.message_id)
    .where(_boards_sent)
    .order_by(outbox.c.revision.desc())
    .limit(1)
)
_opened_in = select(outbox.c.channel_id).where(
    outbox.c.game_id == bindparam("game"), outbox.c.kind == OutboxKind.THREAD
)
_readdress = (
    update(outbox)
    .where(leases.one_unsent(outbox))
    .values(channel_id=bindparam("to"), due_at=bindparam("now"))
)
_board_before = (
    select(outbox.c.channel_id, outbox.c.message_id)
    .where(_boards_sent, outbox.c.revision < bindparam("before"))
    .order_by(outbox.c.revision.desc())
    .limit(1)
)


class Outbox:
    """The table of what is to be sent."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def games_with_unsent(self) -> set[GameId]:
        """The games of which something is unsent, leased or not."""
        return {GameId(row[0]) for row in await self._database.all(_unsent_games, {})}

    async def due_games(self, shards: Shards, now: datetime) -> list[GameId]:
        """The games of these shards of which something is unsent and leased to nobody.

        What was tried least comes first, also where the bot falls over again and again.
        """
        parameters = {"now": now, **shard_parameters(shards)}
        rows = await self._database.all(_due, parameters)
        rows = sorted(rows, key=lambda row: (row.tries, row.tried_at))
        return list(dict.fromkeys(GameId(row.game_id) for row in rows))

    async def release(self, shards: Shards, now: datetime) -> None:
        """End all leases on what is unsent of these shards, as when their process has died."""
        await self._database.change(_release, {"now": now, **shard_parameters(shards)})

    async def release_guild(self, guild: GuildId, now: datetime) -> None:
        """End all waiting on what is unsent of a guild."""
        await self._database.change(_release_guild, {"guild": guild, "now": now})

    async def unsent(self, game: GameId) -> list[OutboxRow]:
        """What is unsent of a game, oldest first."""
        return [_row(row) for row in await self._database.all(_unsent_of_game, {"game": game})]

    async def unsent_of_guild(self, guild: GuildId) -> int:
        """How many boards of a guild are unsent."""
        row = await self._database.first(_unsent_of_guild, {"guild": guild})
        return 0 if row is None else int(row[0])

    async def claim(self, row: OutboxRow, *, now: datetime, until: datetime) -> bool:
        """Lease a row; False where another process was quicker."""
        parameters = {"row": row.id, "now": now, "until": until}
        return await self._database.change(_claim, parameters) == 1

    async def renew(self, row: OutboxRow, *, held: datetime, until: datetime) -> bool:
        """Lease a row for longer than until `held`; False where it is ours no more."""
        parameters = {"row": row.id, "held": held, "until": until}
        return await self._database.change(_renew, parameters) == 1

    async def begin(self, row: OutboxRow, *, at: datetime) -> None:
        """Begin to send a row again, of which it is known that no earlier try has sent it."""
        await self._database.change(_begin, {"row": row.id, "at": at})

    async def postpone(self, row: OutboxRow, *, until: datetime) -> bool:
        """Try a row again later; False where another process has sent it."""
        return await self._database.change(_postpone, {"row": row.id, "until": until}) == 1

    async def mark_sent(self, row: OutboxRow, message: MessageId, *, at: datetime) -> None:
        """Remember that a row has been sent, and as which message."""
        await self._database.change(_mark_sent, {"row": row.id, "message": message, "at": at})

    async def drop(self, rows: Sequence[OutboxRow], *, at: datetime) -> None:
        """Give up rows that newer ones make needless."""
        await self._database.change(_drop, [{"row": row.id, "at": at} for row in rows])

    async def last_told(self, game: GameId, before: Revision) -> Revision | None:
        """The newest revision, before another one, whose board has been sent; None if none has."""
        row = await self._database.first(_last_told, {"game": game, "before": before})
        return None if row is None or row[0] is None else Revision(row[0])

    async def newest_told(self, game: GameId) -> Revision | None:
        """The newest revision whose board has been sent; None if none has."""
        row = await self._database.first(_newest_told, {"game": game})
        return None if row is None or row[0] is None else Revision(row[0])

    async def newest_board(self, game: GameId) -> tuple[ChannelId, MessageId] | None:
        """Where the newest board that was sent stands."""
        row = await self._database.first(_newest_board, {"game": game})
        return None if row is None else (ChannelId(row[0]), MessageId(row[1]))

    async def opened_in(self, game: GameId) -> ChannelId | None:
        """The channel in which a game's thread was to be opened; None where it got none."""
        row = await self._database.first(_opened_in, {"game": game})
        return None if row is None else ChannelId(row[0])

    async def readdress(self, row: OutboxRow, to: ChannelId, *, now: datetime) -> None:
        """Send a row to another channel, as soon as possible."""
        await self._database.change(_readdress, {"row": row.id, "to": to, "now": now})

    async def board_before(self, row: OutboxRow) -> tuple[ChannelId, MessageId] | None:
        """Where the board stands that was sent before another one of its game."""
        parameters = {"game": row.game, "before": row.revision}
        found = await self._database.first(_board_before, parameters)
        return None if found is None else (ChannelId(found[0]), MessageId(found[1]))


class Letter(NamedTuple):
    """Something to send."""

    kind: OutboxKind
    channel: ChannelId
    """Where it goes; a thread's is the channel in which it opens."""
    message: MessageId | None = None
    """The message that a thread starts from: a thread has the number of its message."""


async def put(
    connection: AsyncConnection,
    event: Event,
    letter: Letter,
    lease_until: datetime,
    *,
    to_move: UserId | None,
) -> OutboxRow:
    """Put a letter into the outbox within the transaction of its event, leased to the caller."""
    result = await connection.execute(
        _insert,
        {
            "game_id": event.game,
            "revision": event.revision,
            "kind": letter.kind,
            "channel_id": letter.channel,
            "message_id": letter.message,
            "due_at": lease_until,
            "tries": 1,
            "tried_at": event.at,
            "to_move": to_move,
        },
    )
    number, silent = result.one()
    return OutboxRow(
        id=number,
        game=event.game,
        revision=event.revision,
        kind=letter.kind,
        channel=letter.channel,
        message=letter.message,
        tries=1,
        tried_at=event.at,
        silent=silent,
    )


def _row(row: AnyRow) -> OutboxRow:
    return OutboxRow(
        id=row.id,
        game=GameId(row.game_id),
        revision=Revision(row.revision),
        kind=OutboxKind(row.kind),
        channel=ChannelId(row.channel_id),
        message=None if row.message_id is None else MessageId(row.message_id),
        tries=row.tries,
        tried_at=row.tried_at,
        silent=row.silent,
    )
