"""The facts that a picture shows, as an immutable value.

The PNG, the SVG, the web page and the text twin all present these facts. They don't derive any
themselves.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Final

from dvonn import POINTS, Color, Coordinates, Move, Phase, Point, Position
from dvonn.svg.geometry import crossed
from renderer.caption import NO_CAPTION, Caption, is_over, winner
from renderer.marks import Arrows, Marking, Marks

_NOTHING: Final[Mapping[Point, str]] = MappingProxyType({})


@dataclass(frozen=True)
class Scene:
    """A position, and the facts about it that a picture shows.

    Attributes:
        position: The position, including the stacks that were just removed.
        coordinates: Coordinate system of the names of spaces, or None for no names.
        last: The move that led to the position.
        marks: Marks to show instead of the last move and its losses.
        caption: The players and the ending.
        aids: True to show which stacks can move.
    """

    position: Position
    coordinates: Coordinates | None = Coordinates.STANDARD
    last: Move | None = None
    marks: Marking | None = None
    caption: Caption = NO_CAPTION
    aids: bool = True

    @cached_property
    def is_over(self) -> bool:
        """True if the game has ended, by the rules or earlier."""
        return is_over(self.position, self.caption)

    @cached_property
    def placing(self) -> bool:
        """True in the placement phase, when a player can act on every free space."""
        return self.position.phase is Phase.PLACEMENT and not self.is_over

    @property
    def marked(self) -> Color | None:
        """The player whose name is highlighted: the player to move, or the winner."""
        return winner(self.position, self.caption) if self.is_over else self.position.turn

    @cached_property
    def movable(self) -> frozenset[Point]:
        """The stacks that the player to move can move."""
        if not self._aided:
            return frozenset()
        return frozenset(move.source for move in self.position.legal_moves() if move.source)

    @cached_property
    def dimmed(self) -> frozenset[Point]:
        """The stacks that the player to move owns but can't move."""
        if not self._aided:
            return frozenset()
        turn, stacks = self.position.turn, self.position.stacks
        return frozenset(at for at, stack in stacks.items() if stack[-1] == turn) - self.movable

    @cached_property
    def outlined(self) -> frozenset[Point]:
        """The movable stacks to outline. There are none if a stack is chosen."""
        chosen = isinstance(self.marks, Marks) and self.marks.source is not None
        return frozenset() if chosen else self.movable

    @cached_property
    def removed(self) -> Mapping[Point, str]:
        """The stacks that the last move cut off."""
        return self.position.removed if self.marks is None else _NOTHING

    @cached_property
    def source(self) -> Point | None:
        """The source of the last move, or None if it was a placement or isn't shown."""
        return None if self.last is None or self.marks is not None else self.last.source

    @cached_property
    def target(self) -> Point | None:
        """The target of the last move, even if the stack was cut off, or None if it isn't shown."""
        return None if self.last is None or self.marks is not None else self.last.target

    @cached_property
    def way(self) -> tuple[Point, ...]:
        """The spaces between the last move's source and target."""
        if self.source is None or self.target is None:
            return ()
        return crossed(self.source, self.target)

    @cached_property
    def loud(self) -> frozenset[Point]:
        """The spaces with dark names, because a player can act there or has just done so."""
        points = {end for end in (self.source, self.target) if end is not None} | self.movable
        if isinstance(self.marks, Marks):
            points |= {at for at in (self.marks.source, *self.marks.landings) if at is not None}
        if self.placing:
            points |= set(POINTS).difference(self.position.stacks)
        return frozenset(points)

    def lost(self, color: Color) -> int:
        """Return the number of pieces that a player has just lost."""
        return sum(len(stack) for stack in self.removed.values() if stack[-1] == color)

    def count(self, color: Color) -> int | None:
        """Return the number of pieces that a player controls, or None in the placement phase."""
        placement = self.position.phase is Phase.PLACEMENT
        return None if placement else self.position.score(color)

    @property
    def _aided(self) -> bool:
        """True if the picture should show which stacks can move."""
        moving = self.position.phase is Phase.MOVEMENT and not self.is_over
        return self.aids and moving and not isinstance(self.marks, Arrows)
