"""The parts of all tables, and the treatment of rows once people, servers or time go.

`bot.play.store.privacy` and `bot.play.store.retention` read that from the metadata, so that they
name no table of a feature. A column that holds people needs no line: its name tells it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import BigInteger, Column, Dialect, Integer, MetaData, Select, Table, Update
from sqlalchemy.sql.dml import UpdateBase
from sqlalchemy.types import TypeDecorator

from bot.base.retention import Gone

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
        return None if value is None else (value - _EPOCH) // _MILLISECOND

    def process_result_value(self, value: int | None, _dialect: Dialect) -> datetime | None:
        return None if value is None else _EPOCH + value * _MILLISECOND


# SQLite numbers rows by itself only for a column that is exactly INTEGER PRIMARY KEY.
RowId = BigInteger().with_variant(Integer(), "sqlite")


def one_of(column: str, values: Iterable[str]) -> str:
    """Return the condition that a column has one of some values."""
    return f"{column} IN ({', '.join(map(repr, map(str, values)))})"


_KEY: Final = "keeping"
_OF_OTHERS: Final = "of_others"
OF_OTHERS: Final = {_OF_OTHERS: True}
"""`Column(info=OF_OTHERS)`: the person is named in a row that is somebody else's own, such as whom
they have blocked. It is not exported to the person, and outlasts them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Anonymous:
    """The way in which people are taken out of rows that ended long ago."""

    what: Gone
    found: Select[tuple[int]]
    """Finds some numbers of rows that ended until `:until`."""
    changes: Sequence[Update]
    """Take the people out of the row `:row` at `:moment`; it is not found any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """The treatment of a table's rows, beside what the names of its columns say."""

    goes: tuple[Gone, str] | None = None
    """Rows go after a while: among what, and by the moment in which column."""
    stays: bool = False
    """Rows stay without their people: where somebody leaves by `leaving` or by the game's own
    statements, else with what they belong to."""
    goes_by_itself: bool = False
    """Rows mean nothing after a day at the most, and bound meanwhile whom somebody can disturb."""
    of_server: bool = False
    """Rows go with their server although they belong to a game, too."""
    shows_server: bool = False
    """True if a row shows that the bot is or was in its server."""
    leaving: Callable[[], Sequence[UpdateBase]] = lambda: ()
    """Statements to run, before other rows go, where all about `:player` is deleted."""
    anonymous: Callable[[], Anonymous] | None = None

    @property
    def info(self) -> dict[str, Any]:
        return {_KEY: self}


_USUAL: Final = Keeping()


def keeping(table: Table) -> Keeping:
    found = table.info.get(_KEY, _USUAL)
    return found if isinstance(found, Keeping) else _USUAL


def is_of_others(column: Column[Any]) -> bool:
    """Tell whether a row that names somebody in this column is another person's own."""
    return bool(column.info.get(_OF_OTHERS))
