"""Runs statements: alone, or together in one transaction; and conditions of many of them.

Rows that one process at a time works on are leased until their `due_at`, or due. A process that
dies leaves its lease to run out; one that stood still finds that it has lost it.
"""

import asyncio
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, contextmanager, nullcontext, suppress
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

import structlog
from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    CursorResult,
    Result,
    Row,
    Table,
    Update,
    bindparam,
    insert,
    text,
    update,
)
from sqlalchemy.engine import URL
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.util import greenlet_spawn

from bot.base.errors import StoreError
from bot.base.ids import Shards
from bot.database.faults import DatabaseFault, diagnose, is_taken
from bot.database.sqlite import database_file, each_alone

_log = structlog.get_logger()

AnyRow = Row[*tuple[Any, ...]]

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Conflict(Exception):  # noqa: N818 - not an error: another hand was quicker
    """A change came too late: another one has taken its revision, its channel or its answer."""


def whole(method: Callable[_P, Awaitable[_T]]) -> Callable[_P, Awaitable[_T]]:
    """Let a method that uses the database run to its end, also when its caller is cancelled.

    A stop would otherwise tear a transaction apart in the middle of a statement.
    """

    @wraps(method)
    async def run(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        work = asyncio.ensure_future(method(*args, **kwargs))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            while not work.done():
                with suppress(Exception, asyncio.CancelledError):  # it may be cancelled again
                    await asyncio.shield(work)
            raise

    return run


async def choose_for_guild(
    connection: AsyncConnection, table: Table, guild: int, values: Mapping[str, Any]
) -> None:
    """Let a server's row of a table have these values from now on, whether it had one or not."""
    await lock(connection, guild)
    change = update(table).where(table.c.guild_id == bindparam("guild")).values(values)
    if (await connection.execute(change, {"guild": guild})).rowcount == 0:
        await connection.execute(insert(table), {**values, "guild_id": guild})


async def lock(connection: AsyncConnection, number: int) -> None:
    """Keep others who ask for the same number waiting until this transaction's end.

    SQLite has one writer at a time anyway. Discord's numbers are all different, whatever they name.
    """
    if connection.dialect.name == "postgresql":
        await connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": number})


async def lock_in_games(connection: AsyncConnection, players: Iterable[int]) -> None:
    """Keep people from being deleted until this transaction's end, which begins a game of theirs.

    It comes first in that transaction, so that whoever waits here holds nothing.
    """
    if connection.dialect.name == "postgresql":
        for player in players:
            await connection.execute(_IN_GAMES, {"number": player})


async def lock_out_of_games(connection: AsyncConnection, player: int) -> None:
    """Let no game of somebody begin until this transaction's end, once those that do have begun."""
    if connection.dialect.name == "postgresql":
        await connection.execute(_OUT_OF_GAMES, {"number": player})


# Other keys than those of `lock`, which players take in the middle of a transaction as well. Where
# two people have the same, one waits for the other, and no more than that.
_IN_GAMES = text("SELECT pg_advisory_xact_lock_shared(1, hashint8(:number))")
_OUT_OF_GAMES = text("SELECT pg_advisory_xact_lock(1, hashint8(:number))")


class Database:
    """An engine, as the tables' own modules use it."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        # A lone statement is a transaction by itself; a SELECT must not wait for a writer's.
        self._alone = each_alone(engine)
        # SQLite lets its writers wait in no order, so that some of many would give up.
        is_sqlite = engine.dialect.name == "sqlite"
        self._turn = asyncio.Lock() if is_sqlite else nullcontext()
        self._file = database_file(engine.url)
        self._number: int | None = None  # the file's inode
        self._is_gone = False
        self._ailment: DatabaseFault | None = None
        self._is_damaged = False

    @property
    def url(self) -> URL:
        return self._engine.url

    @property
    def ailment(self) -> DatabaseFault | None:
        """Fault of the database, until it has been written again; damage does not heal."""
        return self._ailment or (DatabaseFault.DAMAGED if self._is_damaged else None)

    def found_damaged(self, how: Exception) -> None:
        """Note that a search has found damage; most of the database may still be usable."""
        self._is_damaged = True
        _log.error(
            "the database is damaged: games go on as far as they can",
            cure=DatabaseFault.DAMAGED.cure,
            error=str(how),
        )

    async def close(self) -> None:
        await self._engine.dispose()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        """Run statements in one transaction, all or nothing.

        Raises:
            Conflict: if a row that must be unique is there already.
            StoreError: if the database cannot be used.
        """
        with self._writing():
            async with self._turn, self._engine.begin() as connection:
                yield connection

    @whole
    async def change(self, statement: Any, parameters: Mapping[str, Any]) -> int:
        """Run one statement in a transaction of its own; how many rows it changed.

        Raises:
            As `transaction`.
        """
        with self._writing():
            async with self._turn:
                return await self._run_alone(statement, parameters, _changed)

    @whole
    async def first(self, statement: Any, parameters: dict[str, Any]) -> AnyRow | None:
        with self._watching(writing=False):
            return await self._run_alone(statement, parameters, Result.first)

    @whole
    async def all(self, statement: Any, parameters: dict[str, Any]) -> Sequence[AnyRow]:
        with self._watching(writing=False):
            return await self._run_alone(statement, parameters, Result.all)

    async def _run_alone(
        self, statement: Any, parameters: Mapping[str, Any], take: Callable[[Result[Any]], _T]
    ) -> _T:
        """Run a lone statement. All of it goes one way, which costs two thirds of three ways."""

        def run() -> _T:
            with self._alone.sync_engine.connect() as connection:
                return take(connection.execute(statement, parameters))

        return await greenlet_spawn(run)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Tell those who were too late by a type; and the host once it can be written again."""
        try:
            with self._watching(writing=True):
                yield
        except IntegrityError as error:
            if not is_taken(error):
                raise  # a fault of ours: trying again would not mend it
            raise Conflict(str(error.orig)) from error
        if self._ailment is not None:
            self._ailment = None
            _log.info("the database can be used again")

    @contextmanager
    def _watching(self, *, writing: bool) -> Iterator[None]:
        """Tell the host once what is wrong with the database, and everybody else by a type."""
        try:
            if writing:
                self._look_at_file()
            yield
        except IntegrityError:
            raise
        except Exception as error:
            ailment = DatabaseFault.GONE if self._is_gone and writing else diagnose(error)
            if ailment is None:
                raise
            if ailment is not self._ailment:
                self._ailment = ailment
                _log.error(
                    "the database cannot be used",
                    problem=ailment.problem,
                    cure=ailment.cure,
                    error=f"{type(error).__name__}: {getattr(error, 'orig', None) or error}",
                )
            raise StoreError(ailment.problem, writing=writing) from error

    def _look_at_file(self) -> None:
        """See that what is written is kept: SQLite goes on with a file that was deleted.

        Nor may another one have taken its place, as where a backup is restored under the bot.

        Raises:
            FileNotFoundError: if so, from then on: one that is put back is another one.
        """
        if self._file is None:
            return
        with suppress(FileNotFoundError, NotADirectoryError):
            number = self._file.stat().st_ino
            if self._number is None:
                self._number = number
            if not self._is_gone and number == self._number:
                return
        self._is_gone = True
        raise FileNotFoundError(self._file)


class Queries:
    """Queries of a database, by a table or another subject."""

    def __init__(self, database: Database) -> None:
        self._database = database


def _changed(result: Result[Any]) -> int:
    return cast("CursorResult[Any]", result).rowcount


def guild_in_shards(guild: Column[int]) -> ColumnElement[bool]:
    """Return a condition on a table: its guild is in the shards of `shard_parameters`."""
    # Discord's own rule: (guild_id >> 22) % shard_count; written as a division it means the same
    # in every database.
    shard = guild // 2**22 % bindparam("shard_count", type_=BigInteger)
    return shard.in_(bindparam("shard_ids", expanding=True))


def shard_parameters(shards: Shards) -> dict[str, Any]:
    return {"shard_count": shards.count, "shard_ids": shards.ids}


def claim(table: Table, which: ColumnElement[bool]) -> Update:
    """Lease a row that is due at `now` until `until`; it changes none where another was quicker."""
    return (
        update(table)
        .where(which, table.c.due_at <= bindparam("now"))
        .values(due_at=bindparam("until"), tries=table.c.tries + 1)
    )


def held(table: Table, which: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return the condition that a row's lease until `held` is still ours."""
    return which & (table.c.due_at == bindparam("held"))


def renew(table: Table, which: ColumnElement[bool]) -> Update:
    """Lease a row for longer than until `held`; it changes none that is ours no more."""
    return update(table).where(held(table, which)).values(due_at=bindparam("until"))
