"""Tests that migrations only add, so that an older bot keeps running next to a newer one."""

import re
from typing import Any

from sqlalchemy import Connection, inspect

from bot.database.connection import AsyncEngine
from bot.database.opening import revisions, run_migrations

_WORDS = re.compile(r"'((?:[^']|'')*)'")

Schema = dict[str, dict[str, Any]]


def schema(connection: Connection, known: dict[tuple[str, ...], dict[str, Any]]) -> Schema:
    """The parts of each table that an older bot relies on, by name."""
    found = inspect(connection)
    tables: Schema = {}
    for table in found.get_table_names():
        words = statements_of(connection, table)
        if words in known:
            tables[table] = known[words]
            continue
        parts: dict[str, Any] = {
            f"column {column['name']}": (str(column["type"]), column["nullable"], column["default"])
            for column in found.get_columns(table)
        }
        parts["primary key"] = found.get_pk_constraint(table)["constrained_columns"]
        for key in found.get_foreign_keys(table):
            parts[f"foreign key {key['name']}"] = (
                key["constrained_columns"],
                key["referred_table"],
            )
        for unique in found.get_unique_constraints(table):
            parts[f"unique {unique['name']}"] = unique["column_names"]
        for index in found.get_indexes(table):
            if index["unique"] and "duplicates_constraint" not in index:
                parts[f"unique {index['name']}"] = index["column_names"]
        for check in found.get_check_constraints(table):
            parts[f"check {check['name']}"] = frozenset(_WORDS.findall(check["sqltext"]))
        tables[table] = parts
        if words:
            known[words] = parts
    return tables


def statements_of(connection: Connection, table: str) -> tuple[str, ...]:
    """Return the statements that made a table on SQLite: few tables change with a migration."""
    if connection.dialect.name != "sqlite":
        return ()
    asked = "SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY name"
    return tuple(connection.exec_driver_sql(asked, (table,)).scalars())


def narrower(before: Schema, after: Schema) -> list[str]:
    """Describe each operation that an older bot can no longer do.

    It doesn't use new tables.
    """
    found = []
    for table, parts in before.items():
        if table not in after:
            found.append(f"{table} is gone")
            continue
        now = after[table]
        lost = (part for part, how in parts.items() if is_lost(part, how, now))
        new = {name.removeprefix("column ") for name in now.keys() - parts.keys()}
        asked = (part for part in now.keys() - parts.keys() if is_asked(part, now[part], new))
        found += [f"{part} of {table}" for part in (*lost, *asked)]
    return found


def is_lost(part: str, how: Any, now: dict[str, Any]) -> bool:
    """Return True if a part is gone or different. A constraint may disappear, or allow more."""
    is_condition = part.startswith(("check", "unique", "foreign key"))
    if part not in now:
        return not is_condition
    return not how <= now[part] if part.startswith("check") else now[part] != how


def is_asked(part: str, how: Any, new: set[str]) -> bool:
    """Return True if a change makes an older bot's writes fail. It doesn't know new columns."""
    kind = part.partition(" ")[0]
    match kind:
        case "column":
            _, nullable, default = how
            return not nullable and default is None
        case "unique":
            return not set(how) & new
        case "foreign":
            return not set(how[0]) <= new
        case _:
            return True


async def test_each_migration_keeps_what_older_bots_use(empty_engine: AsyncEngine) -> None:
    steps = revisions()
    async with empty_engine.connect() as connection:
        await connection.run_sync(run_migrations, steps[0])
        known: dict[tuple[str, ...], dict[str, Any]] = {}
        before = await connection.run_sync(schema, known)
        for revision in steps[steps.index(steps[0]) + 1 :]:
            await connection.run_sync(run_migrations, revision)
            after = await connection.run_sync(schema, known)
            assert (revision, narrower(before, after)) == (revision, [])
            before = after
