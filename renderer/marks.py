"""Marks that a picture shows in place of the last move, and that its text twin describes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Self

from dvonn import Move, Point, Position


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks for choosing a move: the chosen stack and its landings.

    Attributes:
        source: The chosen stack, or None.
        landings: The points where the chosen stack can land.
        only_outlined: True to outline the stack without showing its landings.
    """

    source: Point | None = None
    landings: tuple[Point, ...] = ()
    only_outlined: bool = False

    @classmethod
    def for_stack(cls, position: Position, source: Point) -> Self:
        """Return the marks for a chosen stack, with all its landings if it can move now.

        Raises:
            UnknownPointError: if the source is not a point in standard coordinates.
        """
        return cls(source, position.destinations(source))


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrows:
    """Moves to show as arrows.

    Placements are shown as outlines of their spaces.

    Attributes:
        played: The played move, as a plain arrow. If there is a better move, it has a question
            mark.
        better: The better move, as a hollow arrow with an exclamation mark, or as a plain arrow if
            `played` is None.
        line: The continuation, as arrows numbered 1, 2, 3 and so on.
    """

    played: Move | None = None
    better: Move | None = None
    line: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class Heat:
    """The values of free spaces for the player who places next.

    Attributes:
        chances: Winning chance (0 to 1) after placing on each space.
    """

    chances: Mapping[Point, float] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def percent(self) -> dict[Point, int]:
        """The chances in whole percent, best first."""
        best_first = sorted(self.chances.items(), key=lambda item: -item[1])
        return {point: round(100 * chance) for point, chance in best_first}


Marking = Marks | Arrows | Heat
"""Marks of any kind."""
