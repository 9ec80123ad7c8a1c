"""Queries for challenges, which are answered once or expire, and for recent pings."""

from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import Exists, bindparam, delete, exists, insert, select, update

from bot.base import ids
from bot.base.ids import UserId
from bot.database import database
from bot.database.connection import AsyncConnection
from bot.database.schema import Instant
from bot.play.model.clock import TimeControl, clock_text
from bot.play.model.conduct import Ping, PingKind, Relation
from bot.play.model.terms import (
    ChallengeRow,
    ChallengeState,
    ChallengeTerms,
    ColorChoice,
    Place,
    Start,
    StartLimits,
)
from bot.play.store.guilds import start_limits
from bot.play.store.schema import IS_OPEN, blocks, challenges, pings
from dvonn import Coordinates, position_to_text
from dvonn._records.position_text import PrintedPosition, printed_from_text


def _block(player: str, blocked: str) -> Exists:
    return exists().where(
        blocks.c.player_id == bindparam(player), blocks.c.blocked_id == bindparam(blocked)
    )


_of_pair = (
    pings.c.by_id == bindparam("by"),
    pings.c.to_id == bindparam("to"),
    pings.c.kind == bindparam("what"),
)
_pair = select(
    _block("by", "to").label("blocks"),
    _block("to", "by").label("blocked"),
    select(pings.c.counted_until).where(*_of_pair).scalar_subquery().label("counted_until"),
)
_insert_ping = insert(pings)
_count_ping = update(pings).where(*_of_pair).values(counted_until=bindparam("until", type_=Instant))
_reset_ping = delete(pings).where(*_of_pair)
_delete_expired = delete(pings).where(pings.c.counted_until <= bindparam("now"))


class PingTable(database.Queries):
    """The table of recent pings between people."""

    async def delete_expired(self, *, now: datetime) -> None:
        await self._database.change(_delete_expired, {"now": now})


async def count_ping(connection: AsyncConnection, ping: Ping) -> None:
    """Check in a transaction that a person may ping another, and count the ping.

    Raises:
        The errors of the ping's check.
    """
    await database.lock(connection, min(ping.by, ping.to))
    names = _names(ping.by, ping.to, ping.kind)
    row = (await connection.execute(_pair, names)).one()
    until = ping.check(
        Relation(
            blocks=bool(row.blocks),
            blocked=bool(row.blocked),
            counted_until=row.counted_until,
        )
    )
    if until is not None:
        result = await connection.execute(_count_ping, {**names, "until": until})
        if result.rowcount == 0:
            values = {"by_id": ping.by, "to_id": ping.to, "kind": ping.kind}
            await connection.execute(_insert_ping, {**values, "counted_until": until})
    if ping.welcomes:
        await connection.execute(_reset_ping, _names(ping.to, ping.by, ping.kind))


def _names(by: UserId, to: UserId, kind: PingKind) -> dict[str, object]:
    return {"by": by, "to": to, "what": kind}


_insert = insert(challenges)
_by_id = select(challenges).where(challenges.c.id == bindparam("id"))
_by_game = select(challenges).where(challenges.c.game_id == bindparam("game"))
_rematches = (
    select(challenges).where(challenges.c.rematch_of == bindparam("game")).order_by(challenges.c.id)
)
_by_source = select(challenges.c.id).where(challenges.c.source_id == bindparam("source"))
_answer = (
    update(challenges)
    .where(challenges.c.id == bindparam("challenge"), IS_OPEN)
    .values(
        state=bindparam("new_state"), answered_at=bindparam("at"), game_id=bindparam("new_game")
    )
)
_set_message = (
    update(challenges)
    .where(challenges.c.id == bindparam("challenge"))
    .values(message_id=bindparam("message"))
    .returning(challenges)
)
_expire = (
    update(challenges)
    .where(
        IS_OPEN,
        challenges.c.created_at <= bindparam("before"),
        database.guild_in_shards(challenges.c.guild_id),
    )
    .values(state=ChallengeState.EXPIRED, answered_at=bindparam("at"))
    .returning(challenges)
)


class ChallengeTable(database.Queries):
    """The table of challenges."""

    @database.shielded
    async def add(
        self,
        terms: ChallengeTerms,
        *,
        source: ids.SourceId,
        at: datetime,
        check: Callable[[StartLimits], None],
        rematches: int = 0,
        ping: Ping | None = None,
    ) -> ChallengeRow:
        """Store an open challenge.

        `check` receives the challenger's limits, and raises an error if the challenge is not
        allowed. `rematches` is the number of rematches of the same game that the caller knows
        about.

        Raises:
            Conflict: if this source has already created a challenge, or there are more rematches.
        """
        values = {
            "guild_id": terms.guild,
            "channel_id": terms.channel,
            "challenger_id": terms.challenger,
            "opponent_id": terms.opponent,
            "colour": terms.colour,
            "coordinates": terms.coordinates.value,
            "start": terms.start,
            "position": None if terms.position is None else _position_text(terms.position),
            "clock": clock_text(terms.clock),
            "level": terms.level,
            "place": terms.place,
            "rematch_of": terms.rematch_of,
            "vote_s": None if terms.vote is None else round(terms.vote.total_seconds()),
            "rated": terms.rated,
            "strict": terms.strict,
            "state": ChallengeState.OPEN,
            "source_id": source,
            "created_at": at,
        }
        async with self._database.transaction() as connection:
            challenger, opponent = terms.challenger, terms.opponent
            check(
                await start_limits(
                    connection, terms.guild, challenger, None, at=at, invited=opponent
                )
            )
            if terms.rematch_of is not None:
                rows = await connection.execute(_rematches, {"game": terms.rematch_of})
                if len(rows.all()) != rematches:
                    raise database.Conflict(f"there is another rematch of game {terms.rematch_of}")
            if ping is not None:
                await count_ping(connection, ping)
            number = await database.insert_row(connection, _insert, values)
        return ChallengeRow(
            id=ids.ChallengeId(number),
            terms=terms,
            state=ChallengeState.OPEN,
            game=None,
            created_at=at,
        )

    @database.shielded
    async def set_message(self, challenge: ids.ChallengeId, message: ids.MessageId) -> ChallengeRow:
        """Store a challenge's message, and return the challenge in its current state."""
        values = {"challenge": challenge, "message": message}
        async with self._database.transaction() as connection:
            return as_challenge((await connection.execute(_set_message, values)).one())

    async def get(self, challenge: ids.ChallengeId) -> ChallengeRow | None:
        row = await self._database.first(_by_id, {"id": challenge})
        return None if row is None else as_challenge(row)

    async def by_game(self, game: ids.GameId) -> ChallengeRow | None:
        """Return the challenge that led to a game, if any."""
        row = await self._database.first(_by_game, {"game": game})
        return None if row is None else as_challenge(row)

    async def has_source(self, source: ids.SourceId) -> bool:
        return await self._database.first(_by_source, {"source": source}) is not None

    async def rematches(self, game: ids.GameId) -> list[ChallengeRow]:
        """Return the rematches of a game that its players offered, open or closed."""
        return [as_challenge(row) for row in await self._database.all(_rematches, {"game": game})]

    @database.shielded
    async def close(
        self, challenge: ids.ChallengeId, state: ChallengeState, *, at: datetime
    ) -> None:
        """Decline or cancel an open challenge. Raise Conflict if it is no longer open."""
        async with self._database.transaction() as connection:
            await answer(connection, challenge, state, at=at, game=None)

    @database.shielded
    async def expire(
        self, shards: ids.Shards, *, before: datetime, at: datetime
    ) -> list[ChallengeRow]:
        """Close these shards' challenges that were made at or before `before`.

        Each is returned only once.
        """
        parameters = {"before": before, "at": at, **database.shard_parameters(shards)}
        async with self._database.transaction() as connection:
            rows = (await connection.execute(_expire, parameters)).all()
        return [as_challenge(row) for row in rows]


async def answer(
    connection: AsyncConnection,
    challenge: ids.ChallengeId,
    state: ChallengeState,
    *,
    at: datetime,
    game: ids.GameId | None,
) -> None:
    """Answer an open challenge in a transaction.

    Raises:
        Conflict: if it is no longer open.
    """
    parameters = {"challenge": challenge, "new_state": state, "at": at, "new_game": game}
    result = await connection.execute(_answer, parameters)
    if result.rowcount != 1:
        raise database.Conflict(f"challenge {challenge} is no longer open")


def _position_text(printed: PrintedPosition) -> str:
    return position_to_text(printed.position, printed.assumed)


def as_challenge(row: database.AnyRow) -> ChallengeRow:
    return ChallengeRow(
        id=ids.ChallengeId(row.id),
        terms=ChallengeTerms(
            guild=ids.GuildId(row.guild_id),
            channel=ids.ChannelId(row.channel_id),
            challenger=ids.UserId(row.challenger_id),
            opponent=None if row.opponent_id is None else ids.UserId(row.opponent_id),
            colour=ColorChoice(row.colour),
            coordinates=Coordinates(row.coordinates),
            start=Start(row.start),
            position=None if row.position is None else printed_from_text(row.position),
            clock=TimeControl.from_text(row.clock),
            level=row.level,
            place=Place(row.place),
            rematch_of=None if row.rematch_of is None else ids.GameId(row.rematch_of),
            vote=None if row.vote_s is None else timedelta(seconds=row.vote_s),
            rated=row.rated,
            strict=bool(row.strict),
        ),
        state=ChallengeState(row.state),
        game=None if row.game_id is None else ids.GameId(row.game_id),
        created_at=row.created_at,
        message=None if row.message_id is None else ids.MessageId(row.message_id),
    )
