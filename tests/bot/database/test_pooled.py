"""Tests for setting up connections. Through a pooler, each transaction may use another one."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from sqlalchemy import Connection

from bot.database.connection import AsyncConnection
from bot.database.opening import ConnectionSetup, is_pooled

LIMIT = "idle_in_transaction_session_timeout = '10s'"


class Driven:
    """A driver's connection, and the server process behind it."""

    def __init__(self, arguments: dict[str, Any], answering: int) -> None:
        self.arguments = arguments
        self.said: list[str] = []
        self.closed = False
        self.driver_connection = SimpleNamespace(get_server_pid=lambda: 1)
        self._answering = answering

    def cursor(self) -> "Driven":
        return self

    def execute(self, statement: str) -> None:
        self.said.append(statement)

    def fetchone(self) -> tuple[int]:
        return (self._answering,)

    def commit(self) -> None:
        self.said.append("COMMIT")

    def rollback(self) -> None:
        self.said.append("ROLLBACK")

    def close(self) -> None:
        self.closed = True


class Server:
    """A server, or a pooler in front of it."""

    def __init__(self, *, pools: bool) -> None:
        self.opened: list[Driven] = []
        self._answering = 2 if pools else 1
        self.dialect = SimpleNamespace(loaded_dbapi=SimpleNamespace(connect=self._open))

    def _open(self, **arguments: Any) -> Driven:
        self.opened.append(Driven(arguments, self._answering))
        return self.opened[-1]

    def connect(self, setup: ConnectionSetup) -> tuple[Driven, dict[str, Any]]:
        record = SimpleNamespace(info={})
        connection = setup._connect(cast(Any, self.dialect), record, (), {})
        return connection, record.info


def begun(setup: ConnectionSetup, info: dict[str, Any], **options: str) -> list[str]:
    """Return the first statements of a transaction."""
    said: list[str] = []
    connection: Any = SimpleNamespace(
        info=info, get_execution_options=lambda: options, exec_driver_sql=said.append
    )
    setup._begin(cast("Connection", connection))
    return said


def test_a_connection_of_its_own_has_its_limit_for_good() -> None:
    server, setup = Server(pools=False), ConnectionSetup({"host": "here"}, idle_s=10)
    (first, info), (second, _) = server.connect(setup), server.connect(setup)
    assert server.opened == [first, second]
    assert first.said[1:] == ["ROLLBACK", f"SET {LIMIT}", "COMMIT"]
    assert second.said == [f"SET {LIMIT}", "COMMIT"], "it is not looked for again"
    assert second.arguments == {"host": "here"}
    assert begun(setup, info) == []


def test_a_pooler_gets_no_prepared_statements_and_a_limit_per_transaction() -> None:
    server, setup = Server(pools=True), ConnectionSetup({"host": "here"}, idle_s=10)
    (first, info), (second, _) = server.connect(setup), server.connect(setup)
    looked, *rest = server.opened
    assert looked.closed
    assert rest == [first, second]
    for item in rest:
        assert item.arguments["prepared_statement_cache_size"] == 0
        assert item.said == [], "the limit would be somebody else's"
    assert begun(setup, info) == [f"SET LOCAL {LIMIT}"]
    assert begun(setup, info, isolation_level="AUTOCOMMIT") == []
    assert is_pooled(cast("AsyncConnection", SimpleNamespace(info=info)))


@pytest.mark.parametrize("pools", [False, True])
def test_no_statement_limit_is_set_unless_configured(*, pools: bool) -> None:
    server, setup = Server(pools=pools), ConnectionSetup({}, idle_s=0)
    connection, info = server.connect(setup)
    assert not any("SET" in words for words in connection.said)
    assert begun(setup, info) == []
