"""Tests that SQLite uses an index for every query on a growing table."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

from sqlalchemy import CompoundSelect, Delete, Select, Table, Update, select
from sqlalchemy.dialects import sqlite

from bot.base.retention import DeletedKind
from bot.database.schema import FEW_ROWS, metadata, retention_rule
from bot.people.store import retention
from bot.play.store.schema import games
from tests import rooms


def _modules() -> Iterator[ModuleType]:
    """Every module with queries, so that none is forgotten."""
    for module in rooms.modules():
        if {"store", "schema"} & set(module.__name__.split(".")):
            yield module


STATEMENTS: dict[str, Any] = {
    f"{module.__name__}.{name.removeprefix('_')}": value
    for module in _modules()
    for name, value in vars(module).items()
    if isinstance(value, Select | CompoundSelect | Update | Delete)
}
STATEMENTS |= {
    f"retention.{number}": statement
    for number, statement in enumerate(
        (
            retention.next_server(),
            *(
                statement
                for table in metadata.sorted_tables
                if table is games or retention_rule(table).anonymization is not None
                for statement in retention.dependent_deletions(table)
            ),
            *(
                retention.delete_batch(table, which)
                for table, which in (
                    *retention.server_tables(),
                    *(item for what in DeletedKind for item in retention.expiring_tables(what)),
                )
            ),
        )
    )
}
_ONCE_IN_A_LIFE = {
    "bot.people.store.privacy.anonymize_events",
    "bot.people.store.privacy.delete_challenges",
}
"""Deletion of everything about a person, which searches every row."""
# Partial indexes of few rows, such as running games or unsent deliveries, may be read whole.
_OF_FEW = r" USING (?:COVERING )?INDEX \w+_(?:running|open|unsent|waiting|hidden|closer)"
_WHOLE = re.compile(rf"SCAN (\w+)\b(?!{_OF_FEW})")


def grows(table: Table | None) -> bool:
    """Return True if a table grows with people, servers or games."""
    return table is not None and not FEW_ROWS.items() <= table.info.items()


def whole_tables(connection: sqlite3.Connection, statement: Any) -> list[str]:
    """Return the steps in which a statement would read all rows of a growing table."""
    question = re.sub(
        r"__\[POSTCOMPILE_\w+\]", "0", str(statement.compile(dialect=sqlite.dialect()))
    )
    numbers = tuple([1] * question.count("?"))
    plan = connection.execute(f"EXPLAIN QUERY PLAN {question}", numbers)
    names: dict[str, str] = {
        alias: table for table, alias in re.findall(r"(\w+) AS (\w+)", question)
    }
    read = ((_WHOLE.match(step), step) for _, _, _, step in plan)
    return [
        step
        for found, step in read
        if found is not None and grows(metadata.tables.get(names.get(str(found[1]), found[1])))
    ]


def test_no_growing_table_is_read_completely(migrated: Path) -> None:
    with closing(sqlite3.connect(migrated)) as connection:
        read = {name: whole_tables(connection, asks) for name, asks in STATEMENTS.items()}
    assert {name for name, steps in read.items() if steps} == _ONCE_IN_A_LIFE, read


def test_every_statement_is_checked() -> None:
    assert {name.partition(".")[0] for name in STATEMENTS} >= set(rooms.ROOMS)


def test_a_table_grows_unless_it_says_that_it_has_few_rows(migrated: Path) -> None:
    with closing(sqlite3.connect(migrated)) as connection:
        there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        read = {
            table.name: whole_tables(connection, select(table.alias("one")))
            for table in metadata.sorted_tables
            if table.name in there
        }
    assert {name for name, steps in read.items() if not steps} == {"identifies", "puzzle_ratings"}
