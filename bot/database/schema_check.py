"""Compares a database's schema with the tables in the code, regardless of its revision.

Tables, columns, keys, constraints and indexes are compared as SQLAlchemy reflects them. Each
database writes conditions in its own way (`state IN ('open')` is `((state)::text = ANY …` in
PostgreSQL, and changes after a dump and a restore). So only the columns and values in conditions
are compared. Harmless additions of a host, such as a table or an index, are ignored.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.types import NullType, TypeEngine

from bot.database.schema import index_condition, metadata

_Parts = dict[str, object]
"""Parts of a table: their names and properties."""


class _Index(NamedTuple):
    columns: tuple[str | None, ...]
    """None for an expression."""
    unique: bool
    where: object


class SchemaError(Exception):
    """The database's schema is not this version's, and no migrations lead to it."""

    def __init__(self, problem: str, cure: str) -> None:
        super().__init__(problem)
        self.cure = cure


def check_no_foreign_tables(connection: sa.Connection) -> None:
    """Check that a database without migrations has no tables with our names.

    Raises:
        SchemaError: if it has some.
    """
    if names := sorted(metadata.tables.keys() & set(sa.inspect(connection).get_table_names())):
        raise SchemaError(
            f"it has a table {names[0]} that isn't dvonn-bot's",
            "choose another database, such as an empty one",
        )


def check_schema(connection: sa.Connection) -> None:
    """Check that a fully migrated database matches the code.

    Raises:
        SchemaError: if it doesn't.
    """
    if problems := differences(connection):
        suffix = f", and {len(problems) - 1} more" if len(problems) > 1 else ""
        raise SchemaError(
            f"it was created by another commit of dvonn-bot: {problems[0]}{suffix}",
            "use the commit that created it, or start with an empty database",
        )


def differences(connection: sa.Connection) -> list[str]:
    """Describe each difference between a database and the metadata in a few words."""
    actual = _actual_parts(connection)
    return [
        line
        for table in metadata.sorted_tables
        for line in _compare(
            table.name, _expected_parts(table, connection.dialect), actual.get(table.name)
        )
    ]


def _compare(table: str, expected: _Parts, actual: _Parts | None) -> Iterator[str]:
    if actual is None:
        yield f"the table {table} is missing"
        return
    for part, value in expected.items():
        if part not in actual:
            yield f"{part} of {table} is missing"
        elif actual[part] != value:
            yield f"{part} of {table} is different"
    for part, value in actual.items():
        if part not in expected and not (isinstance(value, _Index) and not value.unique):
            yield f"{part} of {table} is unknown"


def _expected_parts(table: sa.Table, dialect: sa.Dialect) -> _Parts:
    names = set(table.columns.keys())
    parts: _Parts = {
        f"the column {column.name}": (_type(column.type, dialect), bool(column.nullable))
        for column in table.columns
    }
    parts["the primary key"] = table.primary_key.columns.keys()
    for constraint in table.constraints:
        match constraint:
            case sa.CheckConstraint(name=name, sqltext=condition):
                parts[f"the check {name}"] = _condition(condition, names)
            case sa.UniqueConstraint(name=name, columns=columns):
                parts[f"the unique {name}"] = columns.keys()
            case sa.ForeignKeyConstraint(name=name, column_keys=columns, elements=elements):
                target = [element.target_fullname for element in elements]
                parts[f"the foreign key {name}"] = (columns, target)
    for index in table.indexes:
        parts[f"the index {index.name}"] = _Index(
            tuple(index.columns.keys()),
            bool(index.unique),
            _condition(index_condition(index), names),
        )
    return parts


def _actual_parts(connection: sa.Connection) -> dict[str, _Parts]:
    """Return the database's tables that have the names of ours, and their parts."""
    inspector, dialect = sa.inspect(connection), connection.dialect
    table_names = list(metadata.tables)
    columns = inspector.get_multi_columns(filter_names=table_names)
    keys = inspector.get_multi_pk_constraint(filter_names=table_names)
    checks = inspector.get_multi_check_constraints(filter_names=table_names)
    uniques = inspector.get_multi_unique_constraints(filter_names=table_names)
    references = inspector.get_multi_foreign_keys(filter_names=table_names)
    indexes = inspector.get_multi_indexes(filter_names=table_names)
    result: dict[str, _Parts] = {}
    for table in columns:
        names = {column["name"] for column in columns[table]}
        parts: _Parts = {
            f"the column {column['name']}": (_type(column["type"], dialect), column["nullable"])
            for column in columns[table]
        }
        parts["the primary key"] = keys[table]["constrained_columns"]
        for check in checks[table]:
            parts[f"the check {check['name']}"] = _condition(check["sqltext"], names)
        for unique in uniques[table]:
            parts[f"the unique {unique['name']}"] = unique["column_names"]
        for reference in references[table]:
            target = [
                f"{reference['referred_table']}.{column}"
                for column in reference["referred_columns"]
            ]
            parts[f"the foreign key {reference['name']}"] = (
                reference["constrained_columns"],
                target,
            )
        for index in indexes[table]:
            if "duplicates_constraint" in index:
                continue  # PostgreSQL made it for a constraint, which was compared above
            clause = index.get("dialect_options", {}).get(f"{dialect.name}_where")
            parts[f"the index {index['name']}"] = _Index(
                tuple(index["column_names"]), bool(index["unique"]), _condition(clause, names)
            )
        result[table[1]] = parts
    return result


def _type(kind: TypeEngine[Any], dialect: sa.Dialect) -> str:
    return "unknown" if isinstance(kind, NullType) else kind.compile(dialect)


# A cast adds words and numbers, such as "::character varying(9)".
_CAST = re.compile(r"::(?:character varying|double precision|[a-z_]+)(?:\(\d+\))?(?:\[\])?")
_WORD = re.compile(r"'(?P<text>(?:[^']|'')*)'|(?P<name>[A-Za-z_]\w*)|(?P<number>-?\d+)")


def _condition(text: object, names: set[str]) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return a condition's columns, and its values in order."""
    columns: set[str] = set()
    values: list[str] = []
    for word in _WORD.finditer(_CAST.sub("", "" if text is None else str(text))):
        if (name := word["name"]) is None:
            values.append(word["text"] if word["number"] is None else word["number"])
        elif name in names:
            columns.add(name)
    return frozenset(columns), tuple(values)
