"""Example values by type, to call functions of words and refusals without a listed example.

A function or class gets each example of each parameter, side by side. A parameter of another type
needs an entry in the `example_texts.py` of its feature's tests.
"""

import inspect
import types
import typing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import cache
from itertools import islice, product
from typing import Any, Final, Union

from bot.base import ids
from bot.base.languages import Reader
from bot.play.model.game import Game
from dvonn import Color
from tests.bot.replayed import ANN, BOB, started

NOW: Final = datetime(2026, 3, 1, tzinfo=UTC)
MOST: Final = 64
"""Maximum number of combinations of a function's arguments."""

_BY_TYPE: Final[dict[object, tuple[object, ...]]] = {
    bool: (True, False),
    int: (0, 1, 2, 1_234),
    float: (0.0, 1.5),
    str: ("a1-b1",),
    type(None): (None,),
    datetime: (NOW,),
    timedelta: (timedelta(hours=5),),
    ids.UserId: (ANN, BOB),
    ids.GameId: (ids.GameId(12),),
    ids.GuildId: (ids.GuildId(1),),
    ids.ChannelId: (ids.ChannelId(2),),
    ids.MessageId: (ids.MessageId(3),),
    ids.Revision: (ids.Revision(1),),
    Color: tuple(Color),
}


_ANY_NUMBER: Final = {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}


class NoExample(LookupError):  # noqa: N818 - it names what is missing
    """A parameter has a type without examples."""


def texts_by(words: Callable[..., object]) -> Callable[[Reader], list[object]]:
    """Return a function that makes a reader's texts with all examples.

    Raises:
        NoExample: if a parameter has none.
    """
    given = list(calls(words, leaving=("reader",)))
    return lambda who: [words(who, **arguments) for arguments in given]


def calls(what: Callable[..., object], leaving: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    """Yield arguments for a function or class, in all combinations up to `MOST`.

    Raises:
        NoExample: if a parameter has none.
    """
    made: Any = what.__init__ if inspect.isclass(what) else what
    given = inspect.signature(what).parameters if inspect.isfunction(made) else {}
    hints = _hints(made)
    named = {
        name: examples(hints.get(name))
        for name, parameter in given.items()
        if name not in leaving
        and parameter.kind not in {parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL}
    }
    for values in islice(product(*named.values()), MOST):
        yield dict(zip(named, values, strict=True))


def _hints(function: Any) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function)
    except (NameError, TypeError):  # a name for type checkers only
        return {}


def examples(kind: Any) -> tuple[Any, ...]:
    """Return values of a type.

    Raises:
        NoExample: if there are none.
    """
    if kind in _BY_TYPE or kind is Game:
        return _BY_TYPE.get(kind) or (_game(),)
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in {Union, types.UnionType}:
        return tuple(example for part in inner for example in examples(part))
    if origin is tuple and inner[-1] is not Ellipsis:
        return tuple(product(*(examples(part)[:2] for part in inner)))
    if inspect.isclass(origin) and issubclass(origin, Sequence) and inner:
        some = examples(inner[0])
        return ((), some[:1], some)
    if inspect.isclass(kind) and issubclass(kind, Enum):
        return tuple(kind)
    if is_dataclass(kind) and isinstance(kind, type):
        return tuple(_instances(kind))
    raise NoExample(kind)


def _instances(kind: type[Any]) -> Iterator[object]:
    """Yield objects of a dataclass, as many as the field with the most examples has."""
    hints = typing.get_type_hints(kind)
    named = {field.name: examples(hints[field.name]) for field in fields(kind) if field.init}
    for number in range(max(map(len, named.values()), default=1)):
        yield kind(**{name: some[number % len(some)] for name, some in named.items()})


@cache
def _game() -> Game:
    return started()
