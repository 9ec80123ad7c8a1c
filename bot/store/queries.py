"""Every question and every change the bot asks of its database, as statements built once."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, Row, and_, bindparam, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.ids import ChallengeId, ChannelId, GameId, GuildId, MessageId, Revision, SourceId, UserId
from bot.store.rows import (
    ChallengeRow,
    ChallengeState,
    ChallengeTerms,
    ColourChoice,
    EventKind,
    EventRow,
    GameRow,
    GameState,
    NewGame,
    OutboxKind,
    OutboxRow,
    Place,
    Shards,
)
from bot.store.schema import challenges, events, games, listening, outbox
from dvonn import Coordinates

AnyRow = Row[*tuple[Any, ...]]

BEFORE_START = Revision(-1)
"""The revision of a game of which nothing has happened: its first event is revision 0."""


class Conflict(Exception):  # noqa: N818 - not an error: another hand was quicker
    """A change came too late: another one has taken its revision, its channel or its answer."""


_RUNNING = games.c.state == GameState.RUNNING

_challenge_by_id = select(challenges).where(challenges.c.id == bindparam("id"))
_answer_challenge = (
    update(challenges)
    .where(challenges.c.id == bindparam("challenge"), challenges.c.state == ChallengeState.OPEN)
    .values(
        state=bindparam("new_state"), answered_at=bindparam("at"), game_id=bindparam("new_game")
    )
)
_game_by_id = select(games).where(games.c.id == bindparam("id"))
_game_by_channel = select(games).where(games.c.channel_id == bindparam("channel"), _RUNNING)
_games_of_player = (
    select(games)
    .where(
        _RUNNING,
        games.c.guild_id == bindparam("guild"),
        or_(games.c.white_id == bindparam("player"), games.c.black_id == bindparam("player")),
    )
    .order_by(games.c.id)
)
_events_of_game = (
    select(events)
    .where(events.c.game_id == bindparam("game"), events.c.revision > bindparam("after"))
    .order_by(events.c.revision)
)
_event_by_source = select(events.c.game_id).where(events.c.source_id == bindparam("source"))
_insert_event = insert(events)
_advance_game = (
    update(games)
    .where(games.c.id == bindparam("game"))
    .values(
        revision=bindparam("new_revision"),
        state=bindparam("new_state"),
        ended_at=bindparam("new_ended_at"),
    )
)
_insert_outbox = insert(outbox)
_UNSENT = and_(outbox.c.sent_at.is_(None), outbox.c.dropped_at.is_(None))
_unsent_games = select(outbox.c.game_id).where(_UNSENT).distinct()
# Discord's own rule: (guild_id >> 22) % shard_count; written as a division it means the same in
# every database.
_in_shards = (games.c.guild_id // 2**22 % bindparam("shard_count", type_=BigInteger)).in_(
    bindparam("shard_ids", expanding=True)
)
_due_games = select(games.c.id).where(
    games.c.id.in_(_unsent_games.where(outbox.c.due_at <= bindparam("now"))), _in_shards
)
_unsent_of_game = (
    select(outbox).where(_UNSENT, outbox.c.game_id == bindparam("game")).order_by(outbox.c.id)
)
_release = (
    update(outbox)
    .where(_UNSENT, outbox.c.game_id.in_(select(games.c.id).where(_in_shards)))
    .values(due_at=bindparam("now"))
)
_claim = (
    update(outbox)
    .where(_UNSENT, outbox.c.id == bindparam("row"), outbox.c.due_at <= bindparam("now"))
    .values(due_at=bindparam("until"), tried_at=bindparam("now"), tries=outbox.c.tries + 1)
)
_postpone = (
    update(outbox).where(_UNSENT, outbox.c.id == bindparam("row")).values(due_at=bindparam("until"))
)
_mark_sent = (
    update(outbox)
    .where(outbox.c.id == bindparam("row"))
    .values(sent_at=bindparam("at"), message_id=bindparam("message"))
)
_drop = (
    update(outbox)
    .where(_UNSENT, outbox.c.id == bindparam("row"))
    .values(dropped_at=bindparam("at"))
)
_last_told = select(func.max(outbox.c.revision)).where(
    outbox.c.game_id == bindparam("game"),
    outbox.c.kind == OutboxKind.BOARD,
    outbox.c.sent_at.is_not(None),
    outbox.c.revision < bindparam("before"),
)
_newest_board = (
    select(outbox.c.channel_id, outbox.c.message_id)
    .where(
        outbox.c.game_id == bindparam("game"),
        outbox.c.kind == OutboxKind.BOARD,
        outbox.c.message_id.is_not(None),
    )
    .order_by(outbox.c.revision.desc())
    .limit(1)
)
_running_with_last_source = (
    select(games.c.channel_id, func.max(events.c.source_id))
    .join_from(games, events)
    .where(_RUNNING, _in_shards)
    .group_by(games.c.id, games.c.channel_id)
    .order_by(games.c.id)
)
_heard_until = select(listening.c.heard_at).where(
    listening.c.shard_id == bindparam("shard"), listening.c.shard_count == bindparam("count")
)


class Store:
    """The database as the rest of the bot sees it. Every method is one transaction."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        # A lone SELECT needs no transaction of its own, and must not wait for a writer's.
        self._reader = engine.execution_options(isolation_level="AUTOCOMMIT")

    async def close(self) -> None:
        """Close every connection."""
        await self._engine.dispose()

    # Challenges

    async def add_challenge(
        self, terms: ChallengeTerms, *, source: SourceId, at: datetime
    ) -> ChallengeRow:
        """Write down an open challenge.

        Raises:
            Conflict: if this source has made a challenge already.
        """
        values = {
            "guild_id": terms.guild,
            "channel_id": terms.channel,
            "challenger_id": terms.challenger,
            "opponent_id": terms.opponent,
            "colour": terms.colour,
            "coordinates": terms.coordinates.value,
            "place": terms.place,
            "state": ChallengeState.OPEN,
            "source_id": source,
            "created_at": at,
        }
        async with self._transaction() as connection:
            result = await connection.execute(insert(challenges), values)
            (number,) = result.inserted_primary_key or (0,)
        return ChallengeRow(
            id=ChallengeId(number), terms=terms, state=ChallengeState.OPEN, game=None
        )

    async def challenge(self, challenge: ChallengeId) -> ChallengeRow | None:
        """One challenge, or None where there is no such number."""
        row = await self._first(_challenge_by_id, {"id": challenge})
        return None if row is None else _challenge(row)

    async def close_challenge(
        self, challenge: ChallengeId, state: ChallengeState, *, at: datetime
    ) -> None:
        """Decline or cancel an open challenge.

        Raises:
            Conflict: if it is open no more.
        """
        async with self._transaction() as connection:
            await _answer(connection, challenge, state, at=at, game=None)

    async def start_game(
        self,
        challenge: ChallengeId,
        new: NewGame,
        *,
        actor: UserId,
        source: SourceId,
        at: datetime,
        lease_until: datetime,
    ) -> tuple[GameRow, list[OutboxRow]]:
        """Accept a challenge: the game, its first event, and what is to be sent.

        What is to be sent is leased until a moment: until then it is the caller's to send.

        Raises:
            Conflict: if the challenge is open no more, or the channel has a running game.
        """
        async with self._transaction() as connection:
            result = await connection.execute(
                insert(games),
                {
                    "guild_id": new.guild,
                    "channel_id": new.channel,
                    "white_id": new.white,
                    "black_id": new.black,
                    "coordinates": new.coordinates.value,
                    "revision": 0,
                    "state": GameState.RUNNING,
                    "created_at": at,
                },
            )
            (number,) = result.inserted_primary_key or (0,)
            game = GameId(number)
            await _answer(connection, challenge, ChallengeState.ACCEPTED, at=at, game=game)
            start = EventRow(
                game=game,
                revision=Revision(0),
                kind=EventKind.START,
                move=None,
                actor=actor,
                source=source,
                at=at,
            )
            await connection.execute(_insert_event, _event_values(start))
            rows = []
            if new.thread_of is not None:
                thread = _Letter(OutboxKind.THREAD, new.thread_of, MessageId(new.channel))
                rows.append(await _put_in_outbox(connection, start, thread, lease_until))
            board = _Letter(OutboxKind.BOARD, new.channel)
            rows.append(await _put_in_outbox(connection, start, board, lease_until))
        row = GameRow(
            id=game,
            guild=new.guild,
            channel=new.channel,
            white=new.white,
            black=new.black,
            coordinates=new.coordinates,
            revision=Revision(0),
            state=GameState.RUNNING,
        )
        return row, rows

    # Games

    async def game(self, game: GameId) -> GameRow | None:
        """One game, or None where there is no such number."""
        row = await self._first(_game_by_id, {"id": game})
        return None if row is None else _game(row)

    async def running_game(self, channel: ChannelId) -> GameRow | None:
        """The game that is being played in a channel."""
        row = await self._first(_game_by_channel, {"channel": channel})
        return None if row is None else _game(row)

    async def running_games_of(self, guild: GuildId, player: UserId) -> list[GameRow]:
        """A player's running games in a guild, oldest first."""
        return [
            _game(row)
            for row in await self._all(_games_of_player, {"guild": guild, "player": player})
        ]

    async def events(self, game: GameId, *, after: Revision = BEFORE_START) -> list[EventRow]:
        """The events of a game later than a revision, in order."""
        rows = await self._all(_events_of_game, {"game": game, "after": after})
        return [_event(row) for row in rows]

    async def has_source(self, source: SourceId) -> bool:
        """Whether this message or interaction has changed a game."""
        return await self._first(_event_by_source, {"source": source}) is not None

    async def append(
        self, event: EventRow, *, state: GameState, channel: ChannelId, lease_until: datetime
    ) -> OutboxRow:
        """Write one event and the board that tells of it, in one transaction.

        The board is leased until a moment: until then it is the caller's to send.

        Raises:
            Conflict: if the revision is taken, or the source has changed a game before.
        """
        async with self._transaction() as connection:
            await connection.execute(_insert_event, _event_values(event))
            await connection.execute(
                _advance_game,
                {
                    "game": event.game,
                    "new_revision": event.revision,
                    "new_state": state,
                    "new_ended_at": None if state is GameState.RUNNING else event.at,
                },
            )
            board = _Letter(OutboxKind.BOARD, channel)
            return await _put_in_outbox(connection, event, board, lease_until)

    # What is to be sent

    async def games_with_unsent(self) -> set[GameId]:
        """The games of which something is unsent, leased or not."""
        return {GameId(row[0]) for row in await self._all(_unsent_games, {})}

    async def due_games(self, shards: Shards, now: datetime) -> set[GameId]:
        """The games of these shards of which something is unsent and leased to nobody."""
        parameters = {"now": now, "shard_count": shards.count, "shard_ids": shards.ids}
        return {GameId(row[0]) for row in await self._all(_due_games, parameters)}

    async def release(self, shards: Shards, now: datetime) -> None:
        """End all leases on what is unsent of these shards, as when their process has died."""
        parameters = {"now": now, "shard_count": shards.count, "shard_ids": shards.ids}
        async with self._transaction() as connection:
            await connection.execute(_release, parameters)

    async def unsent(self, game: GameId) -> list[OutboxRow]:
        """What is unsent of a game, oldest first."""
        return [_outbox(row) for row in await self._all(_unsent_of_game, {"game": game})]

    async def claim(self, row: OutboxRow, *, now: datetime, until: datetime) -> bool:
        """Lease a row; False where another process was quicker."""
        async with self._transaction() as connection:
            parameters = {"row": row.id, "now": now, "until": until}
            result = await connection.execute(_claim, parameters)
        return result.rowcount == 1

    async def postpone(self, row: OutboxRow, *, until: datetime) -> None:
        """Try a row again later."""
        async with self._transaction() as connection:
            await connection.execute(_postpone, {"row": row.id, "until": until})

    async def mark_sent(self, row: OutboxRow, message: MessageId, *, at: datetime) -> None:
        """Remember that a row has been sent, and as which message."""
        async with self._transaction() as connection:
            await connection.execute(_mark_sent, {"row": row.id, "message": message, "at": at})

    async def drop(self, rows: Sequence[OutboxRow], *, at: datetime) -> None:
        """Give up rows that newer ones make needless."""
        async with self._transaction() as connection:
            await connection.execute(_drop, [{"row": row.id, "at": at} for row in rows])

    async def last_told(self, game: GameId, before: Revision) -> Revision:
        """The newest revision, before another one, whose board has been sent; -1 if none has."""
        row = await self._first(_last_told, {"game": game, "before": before})
        return BEFORE_START if row is None or row[0] is None else Revision(row[0])

    async def newest_board(self, game: GameId) -> tuple[ChannelId, MessageId] | None:
        """Where the newest board that was sent stands."""
        row = await self._first(_newest_board, {"game": game})
        return None if row is None else (ChannelId(row[0]), MessageId(row[1]))

    # What was heard

    async def running_channels(self, shards: Shards) -> list[tuple[ChannelId, SourceId]]:
        """The channel of each running game of these shards, and the source of its last event."""
        parameters = {"shard_count": shards.count, "shard_ids": shards.ids}
        rows = await self._all(_running_with_last_source, parameters)
        return [(ChannelId(row[0]), SourceId(row[1])) for row in rows]

    async def heard_until(self, shard: int, count: int) -> datetime | None:
        """Until when a shard is known to have heard everything; None where that is unknown."""
        row = await self._first(_heard_until, {"shard": shard, "count": count})
        return None if row is None else row[0]

    async def set_heard_until(self, shard: int, count: int, at: datetime) -> None:
        """Remember that a shard has heard everything until a moment."""
        key = (listening.c.shard_id == shard, listening.c.shard_count == count)
        async with self._transaction() as connection:
            result = await connection.execute(update(listening).where(*key).values(heard_at=at))
            if result.rowcount == 0:
                await connection.execute(
                    insert(listening).values(shard_id=shard, shard_count=count, heard_at=at)
                )

    # How statements are run

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with self._engine.begin() as connection:
                yield connection
        except IntegrityError as error:
            raise Conflict(str(error.orig)) from error

    async def _first(self, statement: Any, parameters: dict[str, Any]) -> AnyRow | None:
        async with self._reader.connect() as connection:
            return (await connection.execute(statement, parameters)).first()

    async def _all(self, statement: Any, parameters: dict[str, Any]) -> Sequence[AnyRow]:
        async with self._reader.connect() as connection:
            return (await connection.execute(statement, parameters)).all()


async def _answer(
    connection: AsyncConnection,
    challenge: ChallengeId,
    state: ChallengeState,
    *,
    at: datetime,
    game: GameId | None,
) -> None:
    parameters = {"challenge": challenge, "new_state": state, "at": at, "new_game": game}
    result = await connection.execute(_answer_challenge, parameters)
    if result.rowcount != 1:
        raise Conflict(f"challenge {challenge} is open no more")


def _challenge(row: AnyRow) -> ChallengeRow:
    return ChallengeRow(
        id=ChallengeId(row.id),
        terms=ChallengeTerms(
            guild=GuildId(row.guild_id),
            channel=ChannelId(row.channel_id),
            challenger=UserId(row.challenger_id),
            opponent=None if row.opponent_id is None else UserId(row.opponent_id),
            colour=ColourChoice(row.colour),
            coordinates=Coordinates(row.coordinates),
            place=Place(row.place),
        ),
        state=ChallengeState(row.state),
        game=None if row.game_id is None else GameId(row.game_id),
    )


def _game(row: AnyRow) -> GameRow:
    return GameRow(
        id=GameId(row.id),
        guild=GuildId(row.guild_id),
        channel=ChannelId(row.channel_id),
        white=UserId(row.white_id),
        black=UserId(row.black_id),
        coordinates=Coordinates(row.coordinates),
        revision=Revision(row.revision),
        state=GameState(row.state),
    )


def _event(row: AnyRow) -> EventRow:
    return EventRow(
        game=GameId(row.game_id),
        revision=Revision(row.revision),
        kind=EventKind(row.kind),
        move=row.move,
        actor=UserId(row.actor_id),
        source=SourceId(row.source_id),
        at=row.at,
    )


def _event_values(event: EventRow) -> dict[str, Any]:
    return {
        "game_id": event.game,
        "revision": event.revision,
        "kind": event.kind,
        "move": event.move,
        "actor_id": event.actor,
        "source_id": event.source,
        "at": event.at,
    }


def _outbox(row: AnyRow) -> OutboxRow:
    return OutboxRow(
        id=row.id,
        game=GameId(row.game_id),
        revision=Revision(row.revision),
        kind=OutboxKind(row.kind),
        channel=ChannelId(row.channel_id),
        message=None if row.message_id is None else MessageId(row.message_id),
        tries=row.tries,
        tried_at=row.tried_at,
    )


class _Letter(NamedTuple):
    kind: OutboxKind
    channel: ChannelId
    """Where it goes; a thread's is the channel in which it opens."""
    message: MessageId | None = None
    """The message that a thread starts from: a thread has the number of its message."""


async def _put_in_outbox(
    connection: AsyncConnection, event: EventRow, letter: _Letter, lease_until: datetime
) -> OutboxRow:
    result = await connection.execute(
        _insert_outbox,
        {
            "game_id": event.game,
            "revision": event.revision,
            "kind": letter.kind,
            "channel_id": letter.channel,
            "message_id": letter.message,
            "due_at": lease_until,
            "tries": 1,
            "tried_at": event.at,
        },
    )
    (number,) = result.inserted_primary_key or (0,)
    return OutboxRow(
        id=number,
        game=event.game,
        revision=event.revision,
        kind=letter.kind,
        channel=letter.channel,
        message=letter.message,
        tries=1,
        tried_at=event.at,
    )
