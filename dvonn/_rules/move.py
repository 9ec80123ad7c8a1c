"""Moves: placements and movements of stacks."""

from typing import TYPE_CHECKING, Final

from dvonn._rules.board import POINTS, Point
from dvonn._rules.errors import UnknownPointError
from dvonn._rules.frozen import frozen


@frozen
class Move:
    """A placement on `target`, or, with a `source`, a movement of the stack from there.

    There is only one instance of each move, so moves are compared by identity, which is fast.

    Attributes:
        target: The point of a placement, or the point where a stack lands.
        source: The point that the moving stack leaves, or None for a placement.

    Raises:
        UnknownPointError: if a name is not the standard name of a point.
    """

    __slots__ = ("source", "target")

    target: Point
    source: Point | None

    if TYPE_CHECKING:

        def __init__(  # pyright: ignore[reportInconsistentConstructor]
            self, *, target: Point | str, source: Point | str | None = None
        ) -> None: ...

    def __new__(cls, *, target: Point, source: Point | None = None) -> "Move":  # noqa: PYI034 - from a table of Moves
        """Return the only instance of a move."""
        if (move := _MOVES.get((source, target))) is not None:
            return move
        for name in (target, source):
            if name is not None and name not in POINTS:
                raise UnknownPointError(name)
        move = object.__new__(cls)
        object.__setattr__(move, "target", target)
        object.__setattr__(move, "source", source)
        return _MOVES.setdefault((source, target), move)

    def __str__(self) -> str:
        return self.target if self.source is None else f"{self.source}-{self.target}"

    def __repr__(self) -> str:
        if self.source is None:
            return f"Move(target={self.target!r})"
        return f"Move(target={self.target!r}, source={self.source!r})"

    def __reduce__(self) -> tuple[object, ...]:
        # Copying and unpickling must return the same instance.
        return _move, (self.target, self.source)


_MOVES: Final[dict[tuple[Point | None, Point], Move]] = {}


def _move(target: Point, source: Point | None) -> Move:
    return Move(target=target, source=source)
