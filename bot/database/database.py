"""Runs statements, alone or in one transaction, and builds common conditions."""

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
    Insert,
    Result,
    Row,
    Table,
    bindparam,
    insert,
    text,
    update,
)
from sqlalchemy.engine import URL
from sqlalchemy.exc import IntegrityError
from sqlalchemy.util import greenlet_spawn

from bot.base.errors import StoreError
from bot.base.ids import Shards
from bot.database.connection import AsyncConnection, AsyncEngine
from bot.database.faults import DatabaseFault, diagnose, is_unique_violation
from bot.database.sqlite import autocommit, begin_quick, database_file

_log = structlog.get_logger()

AnyRow = Row[*tuple[Any, ...]]

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Conflict(Exception):  # noqa: N818 - not an error: another writer came first
    """Another writer was faster, and took the revision, the channel or the unique key."""


def shielded(method: Callable[_P, Awaitable[_T]]) -> Callable[_P, Awaitable[_T]]:
    """Decorate a database method, so that it finishes even if its caller is canceled.

    Otherwise a shutdown could interrupt a transaction in the middle of a statement.
    """

    @wraps(method)
    async def run(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        work = asyncio.ensure_future(method(*args, **kwargs))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            while not work.done():
                with suppress(Exception, asyncio.CancelledError):  # it may be canceled again
                    await asyncio.shield(work)
            raise

    return run


async def upsert_for_guild(
    connection: AsyncConnection, table: Table, guild: int, values: Mapping[str, Any]
) -> None:
    """Insert or update a server's row in a table."""
    await lock(connection, guild)
    change = update(table).where(table.c.guild_id == bindparam("guild")).values(values)
    if (await connection.execute(change, {"guild": guild})).rowcount == 0:
        await connection.execute(insert(table), {**values, "guild_id": guild})


async def insert_row(
    connection: AsyncConnection, statement: Insert, values: Mapping[str, Any]
) -> int:
    """Insert a row, and return its id."""
    result = await connection.execute(statement, values)
    (number,) = result.inserted_primary_key or (0,)
    return int(number)


async def lock(connection: AsyncConnection, number: int) -> None:
    """Lock a number, usually an id, until the end of this transaction.

    SQLite needs no lock, because it has one writer at a time. Users, servers and channels can all
    be locked by their ids, because Discord never uses an id twice.
    """
    if connection.dialect.name == "postgresql":
        await connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": number})


async def lock_in_games(connection: AsyncConnection, players: Iterable[int]) -> None:
    """Prevent users' deletion until the end of this transaction, which starts their game.

    This must come first in the transaction, so that a waiting process holds no other locks.
    """
    if connection.dialect.name == "postgresql":
        for player in players:
            await connection.execute(_IN_GAMES, {"number": player})


async def lock_out_of_games(connection: AsyncConnection, player: int) -> None:
    """Wait for games that a user is starting, then prevent new ones until the transaction ends."""
    if connection.dialect.name == "postgresql":
        await connection.execute(_OUT_OF_GAMES, {"number": player})


# `lock` uses other keys. It also locks players in the middle of a transaction.
# If two users have the same hash, one merely waits for the other.
_IN_GAMES = text("SELECT pg_advisory_xact_lock_shared(1, hashint8(:number))")
_OUT_OF_GAMES = text("SELECT pg_advisory_xact_lock(1, hashint8(:number))")


class Database:
    """The database, as used by the modules that define tables."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        # A single statement is its own transaction. A SELECT must not wait for a writer.
        is_sqlite = engine.dialect.name == "sqlite"
        postgresql = {"isolation_level": "AUTOCOMMIT"}
        self._autocommit_engine = engine if is_sqlite else engine.execution_options(**postgresql)
        # SQLite doesn't queue its writers, so if many were waiting, some would time out.
        self._writer_lock = asyncio.Lock() if is_sqlite else nullcontext()
        self._file = database_file(engine.url)
        self._inode: int | None = None
        self._is_replaced = False
        self._fault: DatabaseFault | None = None
        self._is_damaged = False

    @property
    def url(self) -> URL:
        return self._engine.url

    @property
    def fault(self) -> DatabaseFault | None:
        """The database's fault until the next successful write. Damage is permanent."""
        return self._fault or (DatabaseFault.DAMAGED if self._is_damaged else None)

    def report_damage(self, error: Exception) -> None:
        """Record that a scan found damage. Most of the database may still work."""
        self._is_damaged = True
        _log.error(
            "database damaged",
            cure=DatabaseFault.DAMAGED.cure,
            error=str(error),
        )

    async def close(self) -> None:
        await self._engine.dispose()

    @asynccontextmanager
    async def transaction(self, *, quick: bool = False) -> AsyncIterator[AsyncConnection]:
        """Run statements in one transaction, all or nothing.

        A quick transaction changes few rows, most of which were read just before. On SQLite, all of
        it except its end runs on the event loop, unless another process is writing.

        Raises:
            Conflict: if a row that must be unique already exists.
            StoreError: if the database can't be used.
        """
        with self._writing():
            async with self._writer_lock, self._engine.begin() as connection:
                if quick:
                    await connection.run_sync(begin_quick)
                yield connection

    @shielded
    async def change(self, statement: Any, parameters: Mapping[str, Any]) -> int:
        """Run one statement in its own transaction, and return the number of changed rows.

        Raises:
            Like `transaction`.
        """
        with self._writing():
            async with self._writer_lock:
                return await self._run_single(statement, parameters, _row_count)

    @shielded
    async def first(
        self, statement: Any, parameters: dict[str, Any], *, quick: bool = False
    ) -> AnyRow | None:
        """Return the first row, or None.

        A quick statement reads few rows by their keys. It is used for each move, so its rows are
        already in memory. On SQLite, it runs on the event loop.
        """
        with self._reporting_faults(writing=False):
            return await self._run_single(statement, parameters, Result.first, quick=quick)

    @shielded
    async def all(self, statement: Any, parameters: dict[str, Any]) -> Sequence[AnyRow]:
        with self._reporting_faults(writing=False):
            return await self._run_single(statement, parameters, Result.all)

    async def _run_single(
        self,
        statement: Any,
        parameters: Mapping[str, Any],
        take: Callable[[Result[Any]], _T],
        *,
        quick: bool = False,
    ) -> _T:
        """Run a single statement, with one call to the driver instead of three."""

        def run() -> _T:
            with self._autocommit_engine.sync_engine.connect() as connection:
                autocommit(connection, quick=quick)
                return take(connection.execute(statement, parameters))

        return await greenlet_spawn(run)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Raise Conflict after a unique violation, and log the first write after a fault."""
        try:
            with self._reporting_faults(writing=True):
                yield
        except IntegrityError as error:
            if not is_unique_violation(error):
                raise  # a bug in the bot: a retry wouldn't help
            raise Conflict(str(error.orig)) from error
        if self._fault is not None:
            self._fault = None
            _log.info("database recovered")

    @contextmanager
    def _reporting_faults(self, *, writing: bool) -> Iterator[None]:
        """Log a new fault of the database once, and raise StoreError."""
        try:
            if writing:
                self._check_file()
            yield
        except Exception as error:
            fault = DatabaseFault.GONE if self._is_replaced and writing else diagnose(error)
            if fault is None:
                raise
            if fault is not self._fault:
                self._fault = fault
                _log.error(
                    "database unavailable",
                    problem=fault.problem,
                    cure=fault.cure,
                    error=f"{type(error).__name__}: {getattr(error, 'orig', None) or error}",
                )
            raise StoreError(fault.problem, writing=writing) from error

    def _check_file(self) -> None:
        """Check that the file was not deleted or replaced.

        SQLite would not notice. For example, a backup may be restored while the bot is running.

        Raises:
            FileNotFoundError: if it was. From then on, each call raises it, even if the file is put
                back.
        """
        if self._file is None:
            return
        with suppress(FileNotFoundError, NotADirectoryError):
            number = self._file.stat().st_ino
            if self._inode is None:
                self._inode = number
            if not self._is_replaced and number == self._inode:
                return
        self._is_replaced = True
        raise FileNotFoundError(self._file)


class Queries:
    """Base class for queries, grouped by table or subject."""

    def __init__(self, database: Database) -> None:
        self._database = database


def _row_count(result: Result[Any]) -> int:
    return cast("CursorResult[Any]", result).rowcount


def guild_in_shards(guild: Column[int]) -> ColumnElement[bool]:
    """Return the condition that a column's guild is in the shards of `shard_parameters`."""
    # Discord's own rule, (guild_id >> 22) % shard_count. A division means the same in every
    # database.
    shard = guild // 2**22 % bindparam("shard_count", type_=BigInteger)
    return shard.in_(bindparam("shard_ids", expanding=True))


def shard_parameters(shards: Shards) -> dict[str, Any]:
    return {"shard_count": shards.count, "shard_ids": shards.ids}
