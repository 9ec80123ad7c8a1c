"""Games and their events, which are only ever added."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
    Subquery,
    bindparam,
    func,
    insert,
    or_,
    select,
    tuple_,
    union_all,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.model.clock import TimeControl, clock_text
from bot.model.events import Event
from bot.model.game import GameRow
from bot.model.ids import (
    BEFORE_START,
    LATEST,
    ChannelId,
    GameId,
    GuildId,
    MessageId,
    Revision,
    RunningChannel,
    Shards,
    SourceId,
    UserId,
)
from bot.model.lists import Plan
from bot.model.outcome import How, Outcome
from bot.model.pings import Ping
from bot.model.terms import ChallengeRow, ChallengeState, Standing, Start
from bot.store.challenges import answer
from bot.store.codec import decode, encode
from bot.store.database import AnyRow, Conflict, Database, whole
from bot.store.deliveries import put
from bot.store.guilds import standing
from bot.store.pings import check_in
from bot.store.plans import change_plans
from bot.store.reviews import queue
from bot.store.rows import THREAD, Delivery, DeliveryKind, NewDelivery
from bot.store.schema import HAS_ENDED, IS_RUNNING, Instant, events, games
from bot.store.shards import in_shards, shard_parameters
from bot.store.timers import set_timer
from dvonn import Color, Coordinates

_MILLISECOND = timedelta(milliseconds=1)

_by_id = select(games).where(games.c.id == bindparam("id"))
_by_channel = select(games).where(games.c.channel_id == bindparam("channel"), IS_RUNNING)
_ended_in = (
    select(games)
    .where(games.c.channel_id == bindparam("channel"), games.c.ended_at >= bindparam("since"))
    .order_by(games.c.ended_at.desc(), games.c.id.desc())
    .limit(1)
)
_in_guild = select(games).where(IS_RUNNING, games.c.guild_id == bindparam("guild"))
_between_people = select(games.c.id, games.c.revision).where(
    IS_RUNNING, games.c.machine_id.is_(None)
)
_seated = or_(games.c.white_id == bindparam("player"), games.c.black_id == bindparam("player"))
_of_player_between_people = _between_people.where(_seated)
_in_guild_between_people = _between_people.where(games.c.guild_id == bindparam("guild"))
_of_player = select(games).where(IS_RUNNING, games.c.guild_id == bindparam("guild"), _seated)
_began = select(games.c.created_at).where(games.c.id == bindparam("game"))
_end = select(games.c.ended_at, games.c.id).where(games.c.id == bindparam("game"))


def _ended(seat: ColumnElement[Any], *, later: bool | None) -> Subquery:
    """Some of a player's games in one seat that have ended in a guild, the next ones first.

    Args:
        seat: Whose column names the player.
        later: Those that ended after another game, the nearest first; or before it; None: the last.
    """
    end = tuple_(games.c.ended_at, games.c.id)
    other = tuple_(bindparam("ended_at", type_=Instant), bindparam("id", type_=BigInteger))
    beyond = () if later is None else (end > other if later else end < other,)
    order = (
        (games.c.ended_at, games.c.id) if later else (games.c.ended_at.desc(), games.c.id.desc())
    )
    found = select(games).where(
        HAS_ENDED, games.c.guild_id == bindparam("guild"), seat == bindparam("player"), *beyond
    )
    return found.order_by(*order).limit(bindparam("limit")).subquery()


def _ended_games(*, later: bool | None = None) -> Select[Any]:
    """The same of both seats: each is read from an index of its own, and no further."""
    seats = (_ended(seat, later=later) for seat in (games.c.white_id, games.c.black_id))
    both = union_all(*(select(seat) for seat in seats)).subquery()
    order = (both.c.ended_at, both.c.id) if later else (both.c.ended_at.desc(), both.c.id.desc())
    return select(both).order_by(*order).limit(bindparam("limit"))


_ended_last = _ended_games()
_ended_before = _ended_games(later=False)
_ended_after = _ended_games(later=True)
_events = (
    select(events)
    .where(
        events.c.game_id == bindparam("game"),
        events.c.revision > bindparam("after"),
        events.c.revision <= bindparam("until"),
    )
    .order_by(events.c.revision)
)
_continuation = select(games.c.id).where(games.c.continues_id == bindparam("game"))
_by_source = select(events.c.game_id).where(events.c.source_id == bindparam("source"))
_insert_game = insert(games)
_insert_event = insert(events)
_advance = (
    update(games)
    .where(games.c.id == bindparam("game"), IS_RUNNING)
    .values(
        revision=bindparam("new_revision"),
        outcome=bindparam("new_outcome"),
        winner=bindparam("new_winner"),
        margin=bindparam("new_margin"),
        ended_at=bindparam("new_ended_at"),
    )
)
_seat = (
    update(games)
    .where(games.c.id == bindparam("game"))
    .values(white_id=bindparam("white"), black_id=bindparam("black"))
)
_hint = (
    update(games)
    .where(games.c.id == bindparam("game"), games.c.hinted_at.is_(None))
    .values(hinted_at=bindparam("at"))
)
_with_machine = select(games).where(IS_RUNNING, games.c.machine_id.is_not(None), in_shards)
_with_last_source = (
    select(games.c.guild_id, games.c.channel_id, func.max(events.c.source_id))
    .join_from(games, events)
    .where(IS_RUNNING)
    .group_by(games.c.id, games.c.guild_id, games.c.channel_id)
    # Who has waited longest comes first, also where the bot falls over again and again.
    .order_by(func.max(events.c.source_id))
)
_running_with_last_source = _with_last_source.where(in_shards)
_in_guild_with_last_source = _with_last_source.where(games.c.guild_id == bindparam("guild"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What is written in one transaction: events, and what follows from them."""

    events: tuple[Event, ...]
    """At least one, of one game, in order."""
    outcome: Outcome | None
    """How the game has ended by them, if it has."""
    seats: tuple[UserId, UserId] | None = None
    """White's and Black's player, where that is settled only now."""
    tells: DeliveryKind | None
    """What is sent because of it; None: what follows it tells of it."""
    plans: Mapping[UserId, Plan] | None
    """The plans that were thought to stand, or None where none can."""
    plans_after: Mapping[UserId, Plan]
    look_at: datetime | None
    """When the game is to be looked at again, where it has a clock."""
    ping: Ping | None = None
    """Who asks the other player for something, or agrees to it."""
    is_reviewed: bool = False
    """The game has ended by it, and is to be reviewed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """The challenge that a game comes of."""

    challenge: ChallengeRow
    check: Callable[[Standing], None]
    """Raises what forbids the game, by how things stand for the challenger and the other player."""
    ping: Ping | None = None
    """Raises what forbids it by how the two stand towards each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Beginning:
    """A new game, and what is written with it."""

    row: GameRow
    """The game, of which only the number is not known yet."""
    events: tuple[Event, ...]
    """At least one, in order, likewise."""
    tells: DeliveryKind | None
    """What is sent of it, besides a thread; None: what follows it tells of it."""
    look_at: datetime | None
    """When the game is to be looked at, if it is."""
    thread_of: ChannelId | None
    """The channel in which a thread is to be opened for the game, if it gets one."""
    accepts: Acceptance | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedGame:
    """A game that is over, and when it ended."""

    row: GameRow
    at: datetime


class GameTable:
    """The tables of games and events."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @whole
    async def begin(
        self, beginning: Beginning, *, lease_until: datetime
    ) -> tuple[GameRow, list[Delivery]]:
        """A new game with its events, and what is to be sent: all or nothing.

        What is to be sent is leased until a moment: until then it is the caller's to send.

        Raises:
            Conflict: if the channel has a running game, a source has changed a game before, the
                challenge is open no more, or another game goes on with the same.
            And what the checks of an acceptance raise.
        """
        unnumbered, accepts, newest = beginning.row, beginning.accepts, beginning.events[-1]
        async with self._database.transaction() as connection:
            if accepts is not None:
                challenger = accepts.challenge.terms.challenger
                is_white = challenger == unnumbered.white
                opponent = unnumbered.black if is_white else unnumbered.white
                accepts.check(await standing(connection, unnumbered.guild, challenger, opponent))
            row = await _add_game(connection, unnumbered, newest.at)
            if accepts is not None:
                state = ChallengeState.ACCEPTED
                await answer(connection, accepts.challenge.id, state, at=newest.at, game=row.id)
            all_events = [replace(event, game=row.id) for event in beginning.events]
            await connection.execute(_insert_event, [_event_values(one) for one in all_events])
            if accepts is not None and accepts.ping is not None:
                await check_in(connection, accepts.ping)
            if beginning.look_at is not None:
                await set_timer(connection, row.id, row.guild, beginning.look_at)
            to_send = []
            if beginning.thread_of is not None:
                thread = NewDelivery(
                    kind=THREAD,
                    guild=row.guild,
                    channel=beginning.thread_of,
                    message=MessageId(row.channel),
                )
                to_send.append(thread)
            if beginning.tells is not None:
                to_send.append(_telling(row, beginning.tells))
            rows = [await put(connection, all_events[-1], one, lease_until) for one in to_send]
        return row, rows

    @whole
    async def append(
        self, row: GameRow, change: Change, *, lease_until: datetime
    ) -> Delivery | None:
        """Write events, what follows from them, and what tells of them: all or nothing.

        The latter is leased until a moment: until then it is the caller's to send.

        Raises:
            Conflict: if the game has ended, a revision is taken, or a source has changed a game
                before.
            PlansChanged: if the players' plans are not those that the change is made of.
        """
        newest = change.events[-1]
        ended = change.outcome is not None
        advance = {
            "game": row.id,
            "new_revision": newest.revision,
            **{f"new_{name}": value for name, value in _outcome_values(change.outcome).items()},
            "new_ended_at": newest.at if ended else None,
        }
        async with self._database.transaction() as connection:
            if (await connection.execute(_advance, advance)).rowcount != 1:
                raise Conflict(f"game {row.id} has ended")
            await connection.execute(_insert_event, [_event_values(one) for one in change.events])
            if change.ping is not None:
                await check_in(connection, change.ping)
            if change.seats is not None:
                white, black = change.seats
                await connection.execute(_seat, {"game": row.id, "white": white, "black": black})
            if change.plans is not None:
                await change_plans(connection, row.id, change.plans, change.plans_after)
            # That of a game without a clock waits for the day on which the game may lie.
            if row.clock is not None or ended:
                await set_timer(connection, row.id, row.guild, change.look_at)
            if change.is_reviewed:
                await queue(connection, row.id, row.guild, newest.at, tells=True)
            if change.tells is None:
                return None
            return await put(connection, newest, _telling(row, change.tells), lease_until)

    async def get(self, game: GameId) -> GameRow | None:
        """One game, or None where there is no such number."""
        row = await self._database.first(_by_id, {"id": game})
        return None if row is None else _game(row)

    async def running_in(self, channel: ChannelId) -> GameRow | None:
        """The game that is being played in a channel."""
        row = await self._database.first(_by_channel, {"channel": channel})
        return None if row is None else _game(row)

    async def ended_in(self, channel: ChannelId, since: datetime) -> GameRow | None:
        """The game that has ended last in a channel, if that was since a moment."""
        row = await self._database.first(_ended_in, {"channel": channel, "since": since})
        return None if row is None else _game(row)

    async def running_in_guild(self, guild: GuildId) -> list[GameRow]:
        """The games that are being played in a guild."""
        return [_game(row) for row in await self._database.all(_in_guild, {"guild": guild})]

    async def running_of(self, guild: GuildId, player: UserId) -> list[GameRow]:
        """A player's running games in a guild, oldest first."""
        rows = await self._database.all(_of_player, {"guild": guild, "player": player})
        # Asked for in order, SQLite would look at every game there ever was.
        return [_game(row) for row in sorted(rows, key=lambda row: row.id)]

    async def between_people(
        self, player: UserId, *, guild: GuildId | None
    ) -> list[tuple[GameId, Revision]]:
        """The running games between people that are a player's, or are played in a guild.

        Returns:
            Each with its revision, in no order.
        """
        found = await self._database.all(_of_player_between_people, {"player": player})
        if guild is not None:
            found = [*found, *await self._database.all(_in_guild_between_people, {"guild": guild})]
        return list({row.id: (GameId(row.id), Revision(row.revision)) for row in found}.values())

    async def ended_of(
        self,
        guild: GuildId,
        player: UserId,
        *,
        limit: int,
        before: GameId | None = None,
        after: GameId | None = None,
    ) -> list[EndedGame]:
        """A player's games in a guild that have ended, the last one first.

        Args:
            guild: The guild.
            player: The player.
            limit: How many at most.
            before: Only such as ended before this game, the nearest.
            after: Only such as ended after this game, the nearest.
        """
        asked: dict[str, Any] = {"guild": guild, "player": player, "limit": limit}
        statement, anchor = _ended_last, before if after is None else after
        if anchor is not None:
            end = await self._database.first(_end, {"game": anchor})
            if end is None or end.ended_at is None:
                return []
            asked |= {"ended_at": end.ended_at, "id": end.id}
            statement = _ended_before if after is None else _ended_after
        rows = await self._database.all(statement, asked)
        ended = [EndedGame(row=_game(row), at=row.ended_at) for row in rows]
        return ended[::-1] if after is not None else ended

    async def began(self, game: GameId) -> datetime | None:
        """When a game began; None where there is no such number."""
        row = await self._database.first(_began, {"game": game})
        return None if row is None else row.created_at

    async def running_channels(self, shards: Shards) -> list[RunningChannel]:
        """The channel of each running game of these shards; the longest untouched comes first."""
        rows = await self._database.all(_running_with_last_source, shard_parameters(shards))
        return [_channel(row) for row in rows]

    async def running_channels_in(self, guild: GuildId) -> list[RunningChannel]:
        """The channel of each running game of a server; the longest untouched comes first."""
        rows = await self._database.all(_in_guild_with_last_source, {"guild": guild})
        return [_channel(row) for row in rows]

    async def with_machine(self, shards: Shards) -> list[GameRow]:
        """The running games of these shards in which the machine plays."""
        rows = await self._database.all(_with_machine, shard_parameters(shards))
        return [_game(row) for row in rows]

    async def hint_once(self, game: GameId, *, at: datetime) -> bool:
        """Whether the players are to be told how to type here: True only the first time."""
        return await self._database.change(_hint, {"game": game, "at": at}) == 1

    async def events(
        self, game: GameId, *, after: Revision = BEFORE_START, until: Revision = LATEST
    ) -> list[Event]:
        """The events of a game later than a revision until another, in order."""
        parameters = {"game": game, "after": after, "until": until}
        rows = await self._database.all(_events, parameters)
        return [_event(row) for row in rows]

    async def is_continued(self, game: GameId) -> bool:
        """Whether another game goes on with this one."""
        return await self._database.first(_continuation, {"game": game}) is not None

    async def has_source(self, source: SourceId) -> bool:
        """Whether this message or interaction has changed a game."""
        return await self._database.first(_by_source, {"source": source}) is not None


async def _add_game(connection: AsyncConnection, row: GameRow, at: datetime) -> GameRow:
    """Write a running game down; the same with the number that it gets."""
    values = {
        "guild_id": row.guild,
        "channel_id": row.channel,
        "white_id": row.white,
        "black_id": row.black,
        "coordinates": row.coordinates.value,
        "start": row.start,
        "seed": row.seed,
        "clock": clock_text(row.clock),
        "machine_id": row.machine,
        "level": row.level,
        "continues_id": row.continues,
        "own_thread": row.own_thread,
        "revision": row.revision,
        "created_at": at,
    }
    result = await connection.execute(_insert_game, values)
    (number,) = result.inserted_primary_key or (0,)
    return replace(row, id=GameId(number))


def _telling(row: GameRow, kind: DeliveryKind) -> NewDelivery:
    """What tells of a game, in its channel."""
    return NewDelivery(kind=kind, guild=row.guild, channel=row.channel)


def _channel(row: AnyRow) -> RunningChannel:
    return RunningChannel(guild=GuildId(row[0]), channel=ChannelId(row[1]), last=SourceId(row[2]))


def _game(row: AnyRow) -> GameRow:
    return GameRow(
        id=GameId(row.id),
        guild=GuildId(row.guild_id),
        channel=ChannelId(row.channel_id),
        white=UserId(row.white_id),
        black=UserId(row.black_id),
        coordinates=Coordinates(row.coordinates),
        start=Start(row.start),
        seed=row.seed,
        clock=TimeControl.from_text(row.clock),
        machine=None if row.machine_id is None else UserId(row.machine_id),
        level=row.level,
        continues=None if row.continues_id is None else GameId(row.continues_id),
        own_thread=row.own_thread,
        revision=Revision(row.revision),
        outcome=_outcome(row),
    )


def _outcome(row: AnyRow) -> Outcome | None:
    if row.outcome is None:
        return None
    winner = None if row.winner is None else Color(row.winner)
    return Outcome(How(row.outcome), winner, row.margin)


def _outcome_values(outcome: Outcome | None) -> dict[str, Any]:
    if outcome is None:
        return {"outcome": None, "winner": None, "margin": None}
    return {"outcome": outcome.how, "winner": outcome.winner, "margin": outcome.margin}


def _event(row: AnyRow) -> Event:
    return Event(
        game=GameId(row.game_id),
        revision=Revision(row.revision),
        what=decode(row.kind, row.data),
        actor=UserId(row.actor_id),
        source=None if row.source_id is None else SourceId(row.source_id),
        used=None if row.used_ms is None else timedelta(milliseconds=row.used_ms),
        at=row.at,
    )


def _event_values(event: Event) -> dict[str, Any]:
    return {
        "game_id": event.game,
        "revision": event.revision,
        "kind": event.what.name,
        "data": encode(event.what),
        "used_ms": None if event.used is None else event.used // _MILLISECOND,
        "actor_id": event.actor,
        "source_id": event.source,
        "at": event.at,
    }
