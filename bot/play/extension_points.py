"""Extension points: typed lists in the game, or in a feature, that other features can add to.

A module that accepts additions declares an `ExtensionPoint`. Features list their additions in
`Feature.extends`. If a feature is removed, so are its additions.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class ExtensionPoint(Generic[T]):
    """A place where features can add values of a type. Each instance is a separate place."""

    def extended_by(self, addition: T) -> "Extension":
        """Return a feature's addition to this place."""
        return Extension(self, addition)


@dataclass(frozen=True, slots=True)
class Extension:
    """One feature's addition to one place, created by `ExtensionPoint.extended_by`."""

    point: ExtensionPoint[Any]
    addition: Any


class Extensions:
    """The additions of all features, grouped by place."""

    def __init__(self, extensions: Iterable[Extension] = ()) -> None:
        self._additions: defaultdict[ExtensionPoint[Any], list[Any]] = defaultdict(list)
        for extension in extensions:
            self._additions[extension.point].append(extension.addition)

    def all_of(self, point: ExtensionPoint[T]) -> tuple[T, ...]:
        """Return the additions to a place, in the order of the features."""
        return tuple(self._additions.get(point, ()))

    def first(self, point: ExtensionPoint[T]) -> T | None:
        """Return the first addition to a place, or None if there is none."""
        return next(iter(self.all_of(point)), None)
