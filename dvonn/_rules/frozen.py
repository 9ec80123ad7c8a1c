"""Immutable values without the standard library's `dataclasses`.

Importing `dataclasses`, which imports `inspect`, takes as long as the rest of `import dvonn`.
"""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeVar, dataclass_transform

if TYPE_CHECKING:
    from dataclasses import Field
    from typing import Self

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True, kw_only_default=True, eq_default=False)
def frozen(cls: type[_T]) -> type[_T]:
    """Make the instances of a class with slots immutable after creation or unpickling.

    Raises:
        AttributeError: later, if a field is set or deleted.
    """
    for name, way in (("__setattr__", _refuse), ("__delattr__", _refuse), ("__setstate__", _fill)):
        setattr(cls, name, way)
    return cls


def _refuse(value: object, field: str, *_: object) -> NoReturn:
    raise AttributeError(f"{field!r} of {type(value).__name__} never changes")


def _fill(value: object, state: tuple[None, dict[str, Any]]) -> None:
    for field, content in state[1].items():
        object.__setattr__(value, field, content)


class _DataclassFields:
    """A descriptor that lets the functions of `dataclasses` accept a `Value`."""

    def __get__(self, value: object, cls: Any) -> "Mapping[str, Field[Any]]":
        return _dataclass_fields(cls)


@cache
def _dataclass_fields(cls: Any) -> "Mapping[str, Field[Any]]":
    from dataclasses import fields, make_dataclass  # noqa: PLC0415 - rarely needed

    return {
        field.name: field for field in fields(make_dataclass(cls.__name__, cls.__annotations__))
    }


@dataclass_transform(frozen_default=True)
class Value:
    """Base class of immutable values. The annotations of a subclass are its fields.

    Two values are equal if they have the same class and equal fields. A subclass with
    `kw_only=True` takes its fields only by name.

    Raises:
        AttributeError: if a field is set or deleted.
        TypeError: if a field without a default is missing, or if a field is unknown or given twice.
    """

    __match_args__: ClassVar[tuple[str, ...]] = ()
    _fields: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, *, kw_only: bool = False) -> None:
        cls._fields = tuple(cls.__annotations__)
        type.__setattr__(cls, "__match_args__", () if kw_only else cls._fields)

    def __init__(self, *values: object, **named: object) -> None:
        fields = dict(zip(self.__match_args__, values, strict=False)) | named if values else named
        if len(fields) < len(values) + len(named):
            raise TypeError(f"{type(self).__name__} got too many arguments")
        for field in self._fields:
            try:
                content = fields.pop(field) if field in fields else getattr(type(self), field)
            except AttributeError:
                raise TypeError(f"{type(self).__name__} lacks {field!r}") from None
            object.__setattr__(self, field, content)
        if fields:
            raise TypeError(f"{type(self).__name__} has no {', '.join(map(repr, fields))}")

    def replace(self, **changes: Any) -> "Self":
        """Return the value with some fields replaced."""
        return type(self)(**self.as_dict() | changes)

    __replace__ = replace

    def as_dict(self) -> dict[str, Any]:
        """Return the values of the fields by name."""
        return {field: getattr(self, field) for field in self._fields}

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.as_dict() == other.as_dict()

    def __hash__(self) -> int:
        return hash(tuple(self.as_dict().values()))

    def __repr__(self) -> str:
        texts = (f"{field}={getattr(self, field)!r}" for field in self._fields if field[0] != "_")
        return f"{type(self).__name__}({', '.join(texts)})"

    if not TYPE_CHECKING:
        __dataclass_fields__ = _DataclassFields()
        __setattr__ = __delattr__ = _refuse
