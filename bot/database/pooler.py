"""Connections to a PostgreSQL, directly or through a pooler such as pgbouncer.

A pooler may hand each transaction to another of its own connections. What lasts longer than a
transaction is lost there, or somebody else's: prepared statements, and settings of a connection.
"""

from typing import Any, Final

from sqlalchemy import Connection, Dialect, event
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

_IS_POOLED: Final = "is_pooled"
_NOTHING_PREPARED: Final[dict[str, Any]] = {
    "statement_cache_size": 0,
    "prepared_statement_cache_size": 0,
}
"""Then asyncpg prepares each statement without a name, and once more where it is executed."""


class Connecting:
    """Makes an engine's connections, as `create_engine` is told to."""

    def __init__(self, arguments: dict[str, Any], *, idle_s: int) -> None:
        self._arguments = arguments
        # A statement, for not every pooler takes it as a setting of the connection.
        limit = f"idle_in_transaction_session_timeout = '{idle_s}s'"
        self._limit = limit if idle_s else None
        self._is_pooled: bool | None = None

    def prepare(self, engine: AsyncEngine) -> AsyncEngine:
        """Let an engine connect this way."""
        event.listen(engine.sync_engine, "do_connect", self._connect)
        event.listen(engine.sync_engine, "begin", self._begin)
        return engine

    def _connect(self, dialect: Dialect, record: Any, _unnamed: Any, _named: Any) -> Any:
        connect = dialect.loaded_dbapi.connect
        # Several connect at once: each that begins before the first has looked looks itself.
        is_unknown = self._is_pooled is None
        told: dict[str, Any] = _NOTHING_PREPARED if self._is_pooled else {}
        if is_unknown:
            names = iter(("",))  # of the first statement, which may be asked of a pooler
            told = {"prepared_statement_name_func": lambda: next(names, None)}
        connection = connect(**self._arguments, **told)
        if is_unknown:
            self._is_pooled = _is_of_a_pooler(connection)
            if self._is_pooled:
                connection.close()
                connection = connect(**self._arguments, **_NOTHING_PREPARED)
        if self._is_pooled:
            record.info[_IS_POOLED] = True
        elif self._limit:
            connection.cursor().execute(f"SET {self._limit}")
            connection.commit()
        return connection

    def _begin(self, connection: Connection) -> None:
        is_alone = connection.get_execution_options().get("isolation_level") == "AUTOCOMMIT"
        if self._limit and _IS_POOLED in connection.info and not is_alone:
            connection.exec_driver_sql(f"SET LOCAL {self._limit}")


def _is_of_a_pooler(connection: Any) -> bool:
    """Return whether another process answers than the one that has let us in."""
    cursor = connection.cursor()
    cursor.execute("SELECT pg_backend_pid()")
    (process,) = cursor.fetchone()
    connection.rollback()
    return bool(process != connection.driver_connection.get_server_pid())


def is_pooled(connection: AsyncConnection) -> bool:
    """Return whether it goes through a pooler."""
    return _IS_POOLED in connection.info
