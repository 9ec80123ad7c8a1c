"""Events as rows, and back: what a kind of event holds, its class says, and it is kept as JSON."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import timedelta
from types import NoneType
from typing import Any, Final, NamedTuple, get_args, get_type_hints

from bot.base.ids import GameId, Revision, SourceId, UserId
from bot.database.database import AnyRow
from bot.play.model.events import KINDS, Event, Happening
from bot.play.model.game import Offer, Why
from dvonn import Color, Move, parse_move

_MILLISECOND: Final = timedelta(milliseconds=1)
_READ: Final[dict[type, Callable[[Any], Any]]] = {
    bool: bool,
    int: int,
    Color: Color,
    Move: parse_move,
    Offer: Offer,
    Why: Why,
}
"""Readers of fields by type. Nothing else is kept: an event holds no name and no text."""
_WRITE: Final[dict[type, Callable[[Any], Any]]] = {bool: bool, int: int}
"""Writers of fields by type, where not as a text."""


class _Field(NamedTuple):
    name: str
    default: object
    read: Callable[[Any], Any]
    write: Callable[[Any], Any]


def event_of(row: AnyRow) -> Event:
    """Return the event that a row holds."""
    return Event(
        game=GameId(row.game_id),
        revision=Revision(row.revision),
        what=decode(row.kind, row.data),
        actor=UserId(row.actor_id),
        source=None if row.source_id is None else SourceId(row.source_id),
        used=None if row.used_ms is None else timedelta(milliseconds=row.used_ms),
        at=row.at,
    )


def event_values(event: Event) -> dict[str, Any]:
    """Return the columns of an event."""
    return {
        "game_id": event.game,
        "revision": event.revision,
        "kind": event.what.name,
        "data": encode(event.what),
        "used_ms": None if event.used is None else event.used // _MILLISECOND,
        "actor_id": event.actor,
        "source_id": event.source,
        "at": event.at,
    }


def encode(what: Happening) -> dict[str, Any]:
    """Return the data of an event, without what is as it is by default."""
    found = {}
    for field in _FIELDS[what.name]:
        value = getattr(what, field.name)
        if value != field.default:
            found[field.name] = field.write(value)
    return found


def decode(kind: str, data: Mapping[str, Any]) -> Happening:
    """Read an event that `encode` has written, by the name of its kind.

    Raises:
        KeyError: There is no such kind, or it has no such field.
        TypeError, ValueError: A field is missing, or nothing that can be read.
    """
    found: Callable[..., Happening] = KINDS[kind]
    read = _READERS[kind]
    return found(**{name: read[name](value) for name, value in data.items()})


def _fields(kind: type[Happening]) -> tuple[_Field, ...]:
    hints = get_type_hints(kind)
    return tuple(
        _Field(field.name, field.default, _READ[type_], _WRITE.get(type_, str))
        for field in fields(kind)
        for type_ in (_alone(hints[field.name]),)
    )


def _alone(hint: Any) -> type:
    """Return the type of a field that may be None."""
    found: type
    (found,) = (one for one in get_args(hint) or (hint,) if one is not NoneType)
    return found


_FIELDS: Final = {name: _fields(kind) for name, kind in KINDS.items()}
_READERS: Final = {
    name: {field.name: field.read for field in of_it} for name, of_it in _FIELDS.items()
}
