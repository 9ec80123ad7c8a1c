"""Parts that all tables share, and the rules for deleting their rows.

`bot.people.store.privacy` and `bot.people.store.retention` read the rules from the metadata, so
they need not name any feature's tables. Columns with users need no rule, because they are
recognized by name.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Column,
    Dialect,
    Index,
    Integer,
    MetaData,
    Select,
    Table,
    TextClause,
    Update,
)
from sqlalchemy.sql.dml import UpdateBase
from sqlalchemy.types import TypeDecorator

from bot.base.retention import DeletedKind

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

NO_GAMES: Final = {"no_games": True}
"""The `info` of a table whose rows do not prevent the restore of a backup."""
FEW_ROWS: Final = {"few_rows": True}
"""The `info` of a table that stays small. Queries may read all of it. Every other table grows."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


class Instant(TypeDecorator[datetime]):
    """A time stored as milliseconds since 1970, as the same number in every database."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> int | None:
        return None if value is None else (value - _EPOCH) // _MILLISECOND

    def process_result_value(self, value: int | None, _dialect: Dialect) -> datetime | None:
        return None if value is None else _EPOCH + value * _MILLISECOND


# SQLite generates ids only for a column declared exactly INTEGER PRIMARY KEY.
RowId = BigInteger().with_variant(Integer(), "sqlite")


def partial_index(name: str, *columns: str, condition: TextClause, unique: bool = False) -> Index:
    """Return an index of the rows for which a condition is true.

    The condition is given as SQLite's option, whatever the database. PostgreSQL's option would
    import its dialect, which few hosts need.
    """
    return Index(name, *columns, unique=unique, sqlite_where=condition)


def index_condition(index: Index) -> TextClause | None:
    """Return the condition of a partial index, or None for any other."""
    condition: TextClause | None = index.dialect_options["sqlite"]["where"]
    return condition


def one_of(column: str, values: Iterable[str]) -> str:
    """Return the SQL condition that a column has one of the given values."""
    return f"{column} IN ({', '.join(map(repr, map(str, values)))})"


_KEY: Final = "keeping"
_OF_OTHERS: Final = "of_others"
OF_OTHERS: Final = {_OF_OTHERS: True}
"""`Column(info=OF_OTHERS)`: the column names a user in another user's row, such as a blocked user.

The row is not exported to the named user, and remains when they are deleted.
"""
_WRITTEN_BY_PEOPLE: Final = "written_by_people"
WRITTEN_BY_PEOPLE: Final = {_WRITTEN_BY_PEOPLE: True}
"""`Column(info=WRITTEN_BY_PEOPLE)`: a text that people write. docs/privacy.md lists all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Anonymization:
    """The anonymization of rows that ended long ago."""

    kind: DeletedKind
    query: Select[tuple[int]]
    """Query for the ids of rows that ended by `:until`."""
    changes: Sequence[Update]
    """Statements that remove the users from the row `:row` at `:moment`.

    After that, `query` skips it.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionRule:
    """A table's retention rule, in addition to what its column names imply."""

    expires: tuple[DeletedKind, str] | None = None
    """Kind of data, and the column that its age counts from. None: it never expires."""
    outlives_people: bool = False
    """True if rows stay when their user is deleted.

    `before_deletion`, or the game's own statements, remove the user from them. If False, rows are
    deleted with their owner.
    """
    expires_soon: bool = False
    """True if rows expire automatically and, until then, limit how users can disturb others."""
    of_server: bool = False
    """True if rows are deleted with their server, even if they also belong to a game."""
    shows_server: bool = False
    """True if a row proves that the bot is or was in its server."""
    before_deletion: Callable[[], Sequence[UpdateBase]] = lambda: ()
    """Statements to run before the rows of `:player` are deleted."""
    anonymization: Callable[[], Anonymization] | None = None

    @property
    def info(self) -> dict[str, Any]:
        return {_KEY: self}


_DEFAULT: Final = RetentionRule()


def retention_rule(table: Table) -> RetentionRule:
    rule = table.info.get(_KEY, _DEFAULT)
    return rule if isinstance(rule, RetentionRule) else _DEFAULT


def has_retention_rule(table: Table) -> bool:
    """Return True if a table declares its own rule, even if it equals the default."""
    return _KEY in table.info


def belongs_to_others(column: Column[Any]) -> bool:
    """Return True if a row that names a user in this column belongs to another user."""
    return bool(column.info.get(_OF_OTHERS))


def is_written_by_people(column: Column[Any]) -> bool:
    """Return True if people write the column's text."""
    return bool(column.info.get(_WRITTEN_BY_PEOPLE))
