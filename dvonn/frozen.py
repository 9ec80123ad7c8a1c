"""Classes whose values never change, without the standard library's `dataclasses`.

To load that, and `inspect` with it, takes as long as all else that `import dvonn` does.
"""

from typing import Any, NoReturn, TypeVar, dataclass_transform

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True, kw_only_default=True, eq_default=False)
def frozen(cls: type[_T]) -> type[_T]:
    """Refuse to set the fields of a class with slots, but where it is made and unpickled.

    Raises:
        AttributeError: whenever one is set or deleted afterwards.
    """
    for name, way in (("__setattr__", _refuse), ("__delattr__", _refuse), ("__setstate__", _fill)):
        setattr(cls, name, way)
    return cls


def _refuse(value: object, field: str, *_: object) -> NoReturn:
    raise AttributeError(f"{field!r} of a {type(value).__name__} never changes")


def _fill(value: object, state: tuple[None, dict[str, Any]]) -> None:
    for field, content in state[1].items():
        object.__setattr__(value, field, content)
