"""Tests that SQLite uses an index for every query on a growing table."""

import importlib
import pkgutil
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

from sqlalchemy import CompoundSelect, Delete, Select, Update
from sqlalchemy.dialects import sqlite

import bot
from bot.base.retention import DeletedKind
from bot.database.schema import metadata, retention_rule
from bot.people.store import retention
from bot.play.store.schema import games


def _modules() -> Iterator[ModuleType]:
    """Every module that asks the database: none is forgotten."""
    for found in pkgutil.walk_packages(bot.__path__, "bot."):
        parts = found.name.split(".")
        if {"store", "schema"} & set(parts) and "migrations" not in parts:
            yield importlib.import_module(found.name)


STATEMENTS: dict[str, Any] = {
    f"{module.__name__.removeprefix('bot.')}.{name.removeprefix('_')}": value
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
                for statement in retention.people_of(table)
            ),
            *(
                retention.delete_batch(table, which)
                for table, which in (
                    *retention.of_servers(),
                    *(one for what in DeletedKind for one in retention.by_time(what)),
                )
            ),
        )
    )
}
_ONCE_IN_A_LIFE = {
    "people.store.privacy.leave_no_acts",
    "people.store.privacy.leave_no_challenges",
}
"""Whoever has all about them deleted is looked for in every row."""
# The indexes of the few rows that are running, open, unsent, waiting or hidden may be read whole.
_OF_FEW = r" USING (?:COVERING )?INDEX \w+_(?:running|open|unsent|waiting|hidden|closer)"
_GROWING = (
    "games|events|deliveries|blocks|callers|calls|challenges|made|outages|pings|plans|players"
    "|practice|reviews|timers|vacations|lessons|solvers|puzzle_attempts|given_puzzles|daily_settings"
    "|daily_puzzles|daily_answers|server_puzzles|records|ratings|rating_changes"
    "|tournaments|entrants|pairings|seats|one|other|seasons|badges|studies"
)
WHOLE_TABLE = re.compile(rf"SCAN (?:{_GROWING})\b(?!{_OF_FEW})")


def whole_tables(connection: sqlite3.Connection, statement: Any) -> list[str]:
    """The steps by which a statement would read all of a growing table."""
    question = re.sub(
        r"__\[POSTCOMPILE_\w+\]", "0", str(statement.compile(dialect=sqlite.dialect()))
    )
    numbers = tuple([1] * question.count("?"))
    plan = connection.execute(f"EXPLAIN QUERY PLAN {question}", numbers)
    return [step for _, _, _, step in plan if WHOLE_TABLE.match(step)]


def test_no_growing_table_is_read_whole(migrated: Path) -> None:
    with closing(sqlite3.connect(migrated)) as connection:
        read = {name: whole_tables(connection, asks) for name, asks in STATEMENTS.items()}
    assert {name for name, steps in read.items() if steps} == _ONCE_IN_A_LIFE, read


def test_every_statement_is_looked_at() -> None:
    assert len(STATEMENTS) > 50
