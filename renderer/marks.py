"""Marks in a picture, named in its text twin, in place of the last move."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Self

from dvonn import Move, Point, Position


@dataclass(frozen=True, slots=True)
class Marks:
    """A player's choices: the chosen stack and its targets.

    Attributes:
        source: The chosen stack, or None.
        landings: Its possible landings.
        only_outlined: True to point at the stack only, without its landings.
    """

    source: Point | None = None
    landings: tuple[Point, ...] = ()
    only_outlined: bool = False

    @classmethod
    def of(cls, position: Position, source: Point) -> Self:
        """Return a stack as chosen, with all of its landings, if it may move now.

        Raises:
            UnknownPointError: if the source is no standard name of a point.
        """
        return cls(source, position.destinations(source))


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrows:
    """Moves to show as arrows. Placements among them are lines around their spaces.

    Attributes:
        played: A plain arrow. Beside a better move it has a question mark.
        better: A hollow arrow with an exclamation mark, or a plain one if no other move was played.
        line: The continuation, arrows with the numbers 1, 2, 3 and so on.
    """

    played: Move | None = None
    better: Move | None = None
    line: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class Heat:
    """The values of free spaces to the player who places next.

    Attributes:
        chances: The chance to win, 0 to 1, after a placement on a space, by space.
    """

    chances: Mapping[Point, float] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def percent(self) -> dict[Point, int]:
        """The chances in whole percent, the best first."""
        best_first = sorted(self.chances.items(), key=lambda one: -one[1])
        return {point: round(100 * chance) for point, chance in best_first}


Marking = Marks | Arrows | Heat
"""A picture's subject instead of the last move: a choice, an explanation or a comparison."""
