"""Extension points: typed places in the game or a feature that other features add to.

A module that asks for additions declares an `ExtensionPoint`. A feature above names its additions
in `Feature.extends`. Without a feature, its additions are absent, too.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class ExtensionPoint(Generic[T]):
    """A place where features may add values of one type. Each instance is its own place."""

    def extended_by(self, addition: T) -> "Extension":
        """Return a feature's addition to this place."""
        return Extension(self, addition)


@dataclass(frozen=True, slots=True)
class Extension:
    """One feature's addition to one place, made by `ExtensionPoint.extended_by`."""

    point: ExtensionPoint[Any]
    addition: Any


class Extensions:
    """The additions of all features, by the place that they are made for."""

    def __init__(self, given: Iterable[Extension] = ()) -> None:
        self._additions: defaultdict[ExtensionPoint[Any], list[Any]] = defaultdict(list)
        for extension in given:
            self._additions[extension.point].append(extension.addition)

    def all_of(self, point: ExtensionPoint[T]) -> tuple[T, ...]:
        """Return the additions of features to a place, in the order of the features."""
        return tuple(self._additions.get(point, ()))

    def first(self, point: ExtensionPoint[T]) -> T | None:
        """Return the first feature's addition to a place, or None if there is none."""
        return next(iter(self.all_of(point)), None)
