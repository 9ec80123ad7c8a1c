"""What a player may do now: the stack that is chosen, and where it may go."""

from dataclasses import dataclass
from typing import Self

from dvonn import Point, Position


@dataclass(frozen=True, slots=True)
class Marks:
    """What is marked in a picture, and named in its text twin, in place of the last move.

    Attributes:
        source: the chosen stack, if one is.
        landings: where it may go.
    """

    source: Point | None = None
    landings: tuple[Point, ...] = ()

    @classmethod
    def of(cls, position: Position, source: Point) -> Self:
        """A stack as chosen, with all of its landings, if it may move now.

        Raises:
            UnknownPointError: if the source is no standard name of a point.
        """
        return cls(source, position.destinations(source))
