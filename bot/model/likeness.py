"""Whether a position is that of a game, turned or mirrored or with the colours changed.

Whose turn it is does not matter here: who asks what the other player threatens is helped as well.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Self

from dvonn import POINTS, Phase, Position
from dvonn.board import SYMMETRIES

Cells = tuple[str, ...]
"""The pieces on each point of the board, in the order of `POINTS`, bottom to top."""

_AHEAD: Final = 2
"""So many plies on from a game, a position tells of the game's next move."""


@dataclass(frozen=True, slots=True)
class BoardCells:
    """What stands on a board, made ready to be compared."""

    cells: Cells
    stacks: tuple[tuple[int, str], ...]
    """What is not empty: where, as an index of the cells, and what."""
    is_placing: bool

    @classmethod
    def of(cls, position: Position) -> Self:
        """That of a position."""
        return cls.with_cells(cells(position), is_placing=position.phase is Phase.PLACEMENT)

    @classmethod
    def with_cells(cls, found: Cells, *, is_placing: bool) -> Self:
        """A board on which that stands."""
        stacks = tuple((at, pieces) for at, pieces in enumerate(found) if pieces)
        return cls(found, stacks, is_placing)

    def may_follow(self, other: Self) -> bool:
        """Whether two plies may lead here from another board: never wrongly no."""
        if self.is_placing and not 0 <= len(self.stacks) - len(other.stacks) <= _AHEAD:
            return False
        # What a ply leaves on the board differs from what was there on one point at most.
        new, before = 0, other.cells
        for at, pieces in self.stacks:
            if before[at] != pieces:
                new += 1
                if new > _AHEAD:
                    return False
        return True


@dataclass(frozen=True, slots=True)
class Question:
    """A position that somebody asks about, made ready to be compared with many games."""

    forms: tuple[BoardCells, ...]
    """All in which it is the same."""
    path: frozenset[Cells]
    """Full boards and what came after them on the way to it, in all forms."""

    @classmethod
    def of(cls, positions: Sequence[Position]) -> Self:
        """The question about the last of some positions that led to one another."""
        asked = positions[-1]
        is_placing = asked.phase is Phase.PLACEMENT
        forms = (BoardCells.with_cells(one, is_placing=is_placing) for one in alike(asked))
        moving = (one for one in positions if one.phase is not Phase.PLACEMENT)
        return cls(tuple(forms), frozenset[Cells]().union(*map(alike, moving)))

    def is_near(self, board: BoardCells) -> bool:
        """Whether the answer may tell of a game that stands like this: never wrongly no."""
        return self.leads_through(board) or any(
            form.may_follow(board) or board.may_follow(form) for form in self.forms
        )

    def leads_through(self, board: BoardCells) -> bool:
        """Whether the board, of the movement phase, was on the way."""
        return board.cells in self.path


def is_like(position: Position, present: Position, past: Iterable[Position] = ()) -> bool:
    """Whether what is said of a position helps in a game: it is there, just was, or may soon be.

    Args:
        position: What is asked about.
        present: How the game stands.
        past: The positions just before that.
    """
    forms = alike(position)
    return any(cells(one) in forms for one in past) or _leads_to(present, forms, _AHEAD)


def alike(position: Position) -> frozenset[Cells]:
    """A position in all the ways in which it is the same: four by symmetry, each in two colours."""
    here = cells(position)
    turned = [tuple(here[index] for index in order) for order in _ORDERS]
    return frozenset([*turned, *(tuple(map(_recoloured, one)) for one in turned)])


def cells(position: Position) -> Cells:
    """What stands on each point."""
    stacks = position.stacks
    return tuple(stacks.get(point, "") for point in POINTS)


def _leads_to(position: Position, targets: frozenset[Cells], plies: int) -> bool:
    """Whether one of some positions may come about within so many plies."""
    here = cells(position)
    if here in targets:
        return True
    near = frozenset(one for one in targets if _changed(here, one) <= plies)
    return bool(near and plies) and any(
        _leads_to(position.play(move), near, plies - 1) for move in position.legal_moves()
    )


def _changed(before: Cells, after: Cells) -> int:
    """On how many points something else stands than before."""
    return sum(1 for old, new in zip(before, after, strict=True) if new and new != old)


_SWAPPED: Final = str.maketrans("WB", "BW")


def _recoloured(pieces: str) -> str:
    return pieces.translate(_SWAPPED)


_ORDERS: Final = tuple(
    tuple(POINTS.index(symmetry[point]) for point in POINTS) for symmetry in SYMMETRIES
)
