"""SQLite answers every question by an index: no growing table is read from end to end."""

import importlib
import pkgutil
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from sqlalchemy import CompoundSelect, Delete, Select, Update
from sqlalchemy.dialects import sqlite

import bot.play.store
from bot.play.store import retention


def _modules() -> Iterator[ModuleType]:
    """Every module of the store: none is forgotten."""
    for found in pkgutil.iter_modules(bot.play.store.__path__, "bot.play.store."):
        yield importlib.import_module(found.name)


STATEMENTS = {
    f"{module.__name__.rpartition('.')[2]}.{name.removeprefix('_')}": value
    for module in _modules()
    for name, value in vars(module).items()
    if isinstance(value, Select | CompoundSelect | Update | Delete)
}
STATEMENTS |= {
    f"retention.{number}": statement
    for number, statement in enumerate(
        (
            *retention.of_games(),
            *(
                retention.some_of(table, which)
                for table, which in (
                    *retention.of_servers(),
                    *(one for several in retention.BY_TIME.values() for one in several),
                )
            ),
        )
    )
}
_ONCE_IN_A_LIFE = {"privacy.leave_no_acts", "privacy.leave_no_challenges"}
"""Whoever has all about them deleted is looked for in every row."""
# The indexes of the few rows that are running, open, unsent, waiting or hidden may be read whole.
_OF_FEW = r" USING (?:COVERING )?INDEX \w+_(?:running|open|unsent|waiting|hidden)"
_GROWING = (
    "games|events|deliveries|blocks|callers|calls|challenges|made|outages|pings|plans|players"
    "|practice|reviews|timers|vacations|lessons|solvers|puzzle_attempts|daily_settings"
    "|daily_puzzles|daily_answers|server_puzzles|records|ratings|rating_changes"
    "|tournaments|entrants|pairings|seats|one|other|seasons|badges"
)
WHOLE_TABLE = re.compile(rf"SCAN (?:{_GROWING})\b(?!{_OF_FEW})")


@pytest.mark.parametrize("name", sorted(STATEMENTS.keys() - _ONCE_IN_A_LIFE))
async def test_no_growing_table_is_read_whole(migrated: Path, name: str) -> None:
    statement: Any = STATEMENTS[name]
    question = re.sub(
        r"__\[POSTCOMPILE_\w+\]", "0", str(statement.compile(dialect=sqlite.dialect()))
    )
    numbers = tuple([1] * question.count("?"))
    with closing(sqlite3.connect(migrated)) as connection:
        plan = [
            str(row[3]) for row in connection.execute(f"EXPLAIN QUERY PLAN {question}", numbers)
        ]
    assert not any(WHOLE_TABLE.match(step) for step in plan), plan


def test_every_statement_is_looked_at() -> None:
    assert len(STATEMENTS) > 50
