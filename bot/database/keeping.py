"""The treatment of a table's rows once people, servers or time go: declared at each table.

`bot.play.store.privacy` and `bot.play.store.retention` read it from the metadata, so that they
name no table of a feature. A column that holds people needs no line: its name tells it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Column, Select, Table, Update
from sqlalchemy.sql.dml import UpdateBase

from bot.base.retention import Gone

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
        """The argument `info` of the table."""
        return {_KEY: self}


_USUAL: Final = Keeping()


def keeping(table: Table) -> Keeping:
    """Return what a table has declared."""
    found = table.info.get(_KEY, _USUAL)
    return found if isinstance(found, Keeping) else _USUAL


def is_of_others(column: Column[Any]) -> bool:
    """Tell whether a row that names somebody in this column is another person's own."""
    return bool(column.info.get(_OF_OTHERS))
