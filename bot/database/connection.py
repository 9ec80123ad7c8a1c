"""Connections and engines for asyncio, which wrap SQLAlchemy's synchronous ones.

`sqlalchemy.ext.asyncio` has the same classes, but imports the whole ORM, which the bot doesn't use.
That would take 6 MiB of memory and 5% of the startup time.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import sqlalchemy
from sqlalchemy import Connection, CursorResult, Dialect, Engine, Executable, Row
from sqlalchemy.engine import URL
from sqlalchemy.util import greenlet_spawn

_T = TypeVar("_T")

Parameters = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None


class AsyncConnection:
    """A connection whose statements are awaited."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @property
    def dialect(self) -> Dialect:
        return self._connection.dialect

    @property
    def info(self) -> dict[Any, Any]:
        """Data that is stored with the driver's connection, for as long as it is open."""
        return self._connection.info

    async def execute(
        self, statement: Executable, parameters: Parameters = None
    ) -> CursorResult[*tuple[Any, ...]]:
        """Run a statement and fetch its rows. With several sets of parameters, run it for each."""
        if getattr(self._connection.connection.driver_connection, "runs_at_once", False):
            return self._connection.execute(statement, parameters)
        return await greenlet_spawn(self._connection.execute, statement, parameters)

    async def scalar(self, statement: Executable, parameters: Parameters = None) -> Any:
        """Run a statement, and return the first column of its first row."""
        return (await self.execute(statement, parameters)).scalar()

    async def exec_driver_sql(
        self, statement: str, parameters: Any = None
    ) -> CursorResult[*tuple[Any, ...]]:
        """Run a statement in the driver's own SQL, unchanged."""
        return await greenlet_spawn(self._connection.exec_driver_sql, statement, parameters)

    async def partitions(
        self, statement: Executable, size: int
    ) -> AsyncGenerator[Sequence[Row[*tuple[Any, ...]]]]:
        """Yield a statement's rows, `size` at a time, without reading all of them first."""
        options = {"stream_results": True}
        result = await greenlet_spawn(
            self._connection.execute, statement, execution_options=options
        )
        try:
            while rows := await greenlet_spawn(result.fetchmany, size):
                yield rows
        finally:
            await greenlet_spawn(result.close)

    async def run_sync(self, work: Callable[..., _T], *args: Any) -> _T:
        """Call a function that uses the connection without awaiting it."""
        return await greenlet_spawn(work, self._connection, *args)

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[None]:
        """Run the block in a transaction, which is rolled back if it raises."""
        await greenlet_spawn(self._connection.begin)
        try:
            yield
        except BaseException:
            await self.rollback()
            raise
        await self.commit()

    async def commit(self) -> None:
        """Commit, or roll back if that fails."""
        await greenlet_spawn(_commit, self._connection)

    async def rollback(self) -> None:
        await greenlet_spawn(self._connection.rollback)

    async def invalidate(self) -> None:
        """Close the driver's connection, so that it isn't reused."""
        await greenlet_spawn(self._connection.invalidate)

    async def execution_options(self, **options: Any) -> "AsyncConnection":
        """Set options of this connection, before its first statement."""
        await greenlet_spawn(self._connection.execution_options, **options)
        return self


class AsyncEngine:
    """Opens connections, and pools some of them for reuse.

    Attributes:
        sync_engine: SQLAlchemy's engine, for listeners to its events.
    """

    def __init__(self, sync_engine: Engine) -> None:
        self.sync_engine = sync_engine

    @property
    def url(self) -> URL:
        return self.sync_engine.url

    @property
    def dialect(self) -> Dialect:
        return self.sync_engine.dialect

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[AsyncConnection]:
        """Use a connection. A transaction that isn't committed is rolled back."""
        connection = await greenlet_spawn(self.sync_engine.connect)
        try:
            yield AsyncConnection(connection)
        finally:
            await greenlet_spawn(connection.close)

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[AsyncConnection]:
        """Use a connection in a transaction, which is rolled back if the block raises."""
        connection = await greenlet_spawn(_begin, self.sync_engine)
        try:
            yield AsyncConnection(connection)
        except BaseException:
            await greenlet_spawn(connection.close)
            raise
        await greenlet_spawn(_commit_and_close, connection)

    def execution_options(self, **options: Any) -> "AsyncEngine":
        """Return an engine with other options and the same connections."""
        return AsyncEngine(self.sync_engine.execution_options(**options))

    async def dispose(self) -> None:
        """Close all connections that aren't in use."""
        await greenlet_spawn(self.sync_engine.dispose)


def create_async_engine(url: URL | str, **options: Any) -> AsyncEngine:
    """Return an engine for a URL with an asynchronous driver, with SQLAlchemy's options."""
    return AsyncEngine(sqlalchemy.create_engine(url, **options))


def _begin(engine: Engine) -> Connection:
    connection = engine.connect()
    try:
        connection.begin()
    except BaseException:
        connection.close()
        raise
    return connection


def _commit(connection: Connection) -> None:
    try:
        connection.commit()
    except BaseException:
        # Otherwise `close` would assume that the transaction has ended, and leave it open.
        connection.rollback()
        raise


def _commit_and_close(connection: Connection) -> None:
    with connection:
        _commit(connection)
