"""The parts of all tables: the names of their constraints, and kinds of columns."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import BigInteger, Dialect, Integer, MetaData
from sqlalchemy.types import TypeDecorator

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
"""The `info` of a table in which rows are no reason to keep a backup from being restored."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


class Instant(TypeDecorator[datetime]):
    """A moment, kept as milliseconds since 1970: the same number in every database."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> int | None:
        """Convert a time with its zone to milliseconds."""
        return None if value is None else (value - _EPOCH) // _MILLISECOND

    def process_result_value(self, value: int | None, _dialect: Dialect) -> datetime | None:
        """Convert milliseconds to a time in UTC."""
        return None if value is None else _EPOCH + value * _MILLISECOND


# SQLite numbers rows by itself only for a column that is exactly INTEGER PRIMARY KEY.
RowId = BigInteger().with_variant(Integer(), "sqlite")


def one_of(column: str, values: Iterable[str]) -> str:
    """Return the condition that a column has one of some values."""
    return f"{column} IN ({', '.join(map(repr, map(str, values)))})"
