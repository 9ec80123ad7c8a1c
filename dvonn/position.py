"""A position: the stacks, whose turn it is, and what may be played."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from dvonn.bitboard import (
    INDEX,
    NEIGHBOURS,
    POINT_AT_INDEX,
    SIZE,
    SPLITS,
    indices,
    linked,
    movements,
    surrounded,
)
from dvonn.board import POINTS, Point, distance
from dvonn.errors import (
    IllegalMoveError,
    PositionError,
    PositionProblem,
    Reason,
    UnknownPointError,
)
from dvonn.move import Move
from dvonn.pieces import PIECE_COUNTS, Color, Piece


class Phase(StrEnum):
    """The phases of a game."""

    PLACEMENT = "placement"
    MOVEMENT = "movement"
    OVER = "over"


_PLACED: Final[tuple[Piece, ...]] = ("R", "R", "R", *(("B", "W") * 23))
_PLACEMENTS: Final = tuple(Move(target=point) for point in POINTS)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Position:
    """A frozen moment of a game, made by `initial`, `from_stacks` and `play`.

    Forced passes are resolved already: `turn` is the player who really may play. Two positions are
    equal if they have the same stacks, phase and turn, which is all that matters for what can still
    happen; how they came about (`plies`, `removed`, `passed`) is left out.

    Attributes:
        phase: placement, movement, or over.
        turn: who plays next; None when the game is over.
        plies: placements and moves played since `initial` or `from_stacks`; passes are not counted.
        passed: the players passed over since the last ply, in order. Empty when the game is over:
            then nobody is passed over, neither player can move.
    """

    phase: Phase
    turn: Color | None
    plies: int = field(compare=False)
    passed: tuple[Color, ...] = field(compare=False)
    _cells: tuple[str, ...]
    _removed: tuple[tuple[Point, str], ...] = field(compare=False)
    _white: int = field(compare=False)
    _black: int = field(compare=False)
    _red: int = field(compare=False)
    _legal: tuple[Move, ...] = field(compare=False)

    @staticmethod
    def initial() -> "Position":
        """The empty board, White to place the first red piece."""
        return _INITIAL

    @staticmethod
    def from_stacks(stacks: Mapping[str, str] | Mapping[Point, str], *, turn: Color) -> "Position":
        """A position of the movement phase.

        Args:
            stacks: from the standard names of points to pieces bottom to top, such as "WRB".
            turn: whose turn it is. As after a move, a player who cannot move is passed over, and
                the game is over if neither can.

        Raises:
            PositionError: for unknown points, for what is no stack, for more pieces than a game
                has (3 red, 23 white, 23 black), and for stacks that are linked to no red piece.
        """
        _check_stacks(stacks)
        cells = [""] * SIZE
        for point, pieces in stacks.items():
            cells[INDEX[Point(point)]] = pieces
        white, black, red = _masks(cells)
        if lost := (white | black) & ~linked(white | black | red, red):
            names = tuple(POINT_AT_INDEX[index] for index in indices(lost))
            raise PositionError(PositionProblem.UNLINKED, names)
        return _resolved(tuple(cells), white, black, red, first=turn)

    def legal_moves(self) -> tuple[Move, ...]:
        """All that may be played, in row order of sources, then of targets; empty when over."""
        return self._legal

    def play(self, move: Move) -> "Position":
        """The position after a placement or a move.

        Raises:
            IllegalMoveError: if it is not among `legal_moves`; it says why.
        """
        if move not in self._legal:
            raise IllegalMoveError(move, self, self._refusal(move))
        if move.source is None:
            return self._after_placement(INDEX[move.target])
        return self._after_movement(INDEX[move.source], INDEX[move.target])

    @property
    def stacks(self) -> Mapping[Point, str]:
        """The occupied points in row order, each with its pieces bottom to top; read-only."""
        return MappingProxyType(
            {POINT_AT_INDEX[index]: pieces for index, pieces in enumerate(self._cells) if pieces}
        )

    @property
    def removed(self) -> Mapping[Point, str]:
        """The stacks that left the board by the last move, with their pieces; read-only.

        A stack that moved and was then cut off stands at its landing point, with what lay there.
        """
        return MappingProxyType(dict(self._removed))

    @property
    def to_place(self) -> Piece | None:
        """The piece that the player whose turn it is places now; None outside the placement."""
        return _PLACED[self.plies] if self.phase is Phase.PLACEMENT else None

    @property
    def winner(self) -> Color | None:
        """Who won; None for a draw, and while the game is not over."""
        if self.phase is not Phase.OVER:
            return None
        white, black = self.score(Color.WHITE), self.score(Color.BLACK)
        if white == black:
            return None
        return Color.WHITE if white > black else Color.BLACK

    def score(self, color: Color) -> int:
        """How many pieces, of any colour, stand in the stacks that a player owns."""
        own = self._white if color is Color.WHITE else self._black
        return sum(len(self._cells[index]) for index in indices(own))

    def owner(self, point: Point) -> Color | None:
        """Who owns the stack on a point; None for a single red piece and an empty point.

        Raises:
            UnknownPointError: as all questions about a point.
        """
        pieces = self._pieces(point)
        return Color(pieces[-1]) if pieces and pieces != "R" else None

    def height(self, point: Point) -> int:
        """How many pieces stand on a point."""
        return len(self._pieces(point))

    def reds(self, point: Point) -> int:
        """How many red pieces stand on a point."""
        return self._pieces(point).count("R")

    def is_surrounded(self, point: Point) -> bool:
        """Whether a stack stands here and on all six points around it, so that it may not move.

        A point at the edge never has six.
        """
        return bool(self._pieces(point)) and bool(surrounded(self._occupied) >> INDEX[point] & 1)

    def destinations(self, point: Point) -> tuple[Point, ...]:
        """Where the stack on a point may go now, in row order; empty if it may not move."""
        self._pieces(point)
        return tuple(move.target for move in self._legal if move.source == point)

    def __repr__(self) -> str:
        turn = "nobody" if self.turn is None else self.turn.name
        return f"<Position {self.phase} turn={turn} plies={self.plies} stacks={dict(self.stacks)}>"

    @property
    def _occupied(self) -> int:
        return self._white | self._black | self._red

    def _pieces(self, point: Point) -> str:
        try:
            return self._cells[INDEX[point]]
        except KeyError:
            raise UnknownPointError(point) from None

    def _after_placement(self, target: int) -> "Position":
        cells, bit = list(self._cells), 1 << target
        piece = cells[target] = _PLACED[self.plies]
        white = self._white | bit if piece == "W" else self._white
        black = self._black | bit if piece == "B" else self._black
        red = self._red | bit if piece == "R" else self._red
        plies = self.plies + 1
        if plies == len(POINTS):
            return _resolved(tuple(cells), white, black, red, first=Color.WHITE, plies=plies)
        before = self._legal.index(Move(target=POINT_AT_INDEX[target]))
        return Position(
            phase=Phase.PLACEMENT,
            turn=Color.BLACK if plies % 2 else Color.WHITE,
            plies=plies,
            passed=(),
            _cells=tuple(cells),
            _removed=(),
            _white=white,
            _black=black,
            _red=red,
            _legal=self._legal[:before] + self._legal[before + 1 :],
        )

    def _after_movement(self, source: int, target: int) -> "Position":
        cells = list(self._cells)
        moved = cells[source]
        cells[target] += moved
        cells[source] = ""
        leaves, lands = ~(1 << source), 1 << target
        white, black, red = self._white & leaves, self._black & leaves, self._red
        if moved[-1] == "W":
            white, black = white | lands, black & ~lands
        else:
            white, black = white & ~lands, black | lands
        if red & ~leaves:
            red = red & leaves | lands
            may_cut = True
        else:
            may_cut = (white | black | red) & NEIGHBOURS[source] in SPLITS[source]
        removed: tuple[tuple[Point, str], ...] = ()
        if may_cut and (lost := (white | black) & ~linked(white | black | red, red)):
            removed = tuple((POINT_AT_INDEX[index], cells[index]) for index in indices(lost))
            for index in indices(lost):
                cells[index] = ""
            white, black = white & ~lost, black & ~lost
        first = Color.BLACK if self.turn is Color.WHITE else Color.WHITE
        return _resolved(
            tuple(cells), white, black, red, first=first, plies=self.plies + 1, removed=removed
        )

    def _refusal(self, move: Move) -> Reason:
        """Why a move that is not legal is refused."""
        if self.phase is Phase.OVER:
            return Reason.GAME_OVER
        if (move.source is None) != (self.phase is Phase.PLACEMENT):
            return Reason.WRONG_PHASE
        if move.source is None:
            return Reason.OCCUPIED
        return self._movement_refusal(move.source, move.target)

    def _movement_refusal(self, source: Point, target: Point) -> Reason:
        pieces = self._pieces(source)
        spaces = distance(source, target)
        checks = (
            (source == target, Reason.SAME_POINT),
            (not pieces, Reason.EMPTY_SOURCE),
            (pieces == "R", Reason.LONE_DVONN),
            (self.owner(source) is not self.turn, Reason.NOT_OWNER),
            (self.is_surrounded(source), Reason.SURROUNDED),
            (spaces is None, Reason.NOT_STRAIGHT),
            (spaces != len(pieces), Reason.WRONG_DISTANCE),
        )
        return next((reason for holds, reason in checks if holds), Reason.EMPTY_TARGET)


def _check_stacks(stacks: Mapping[str, str] | Mapping[Point, str]) -> None:
    if unknown := tuple(point for point in stacks if point not in INDEX):
        raise PositionError(PositionProblem.UNKNOWN_POINT, unknown)
    bad = tuple(
        point
        for point, pieces in stacks.items()
        if not pieces or set(pieces) - set(PIECE_COUNTS) or (pieces[-1] == "R" and pieces != "R")
    )
    if bad:
        raise PositionError(PositionProblem.BAD_STACK, bad)
    everything = "".join(stacks.values())
    if many := tuple(piece for piece, n in PIECE_COUNTS.items() if everything.count(piece) > n):
        raise PositionError(PositionProblem.TOO_MANY_PIECES, many)


def _masks(cells: list[str]) -> tuple[int, int, int]:
    """The stacks that White owns, that Black owns, and those that hold a red piece, as sets."""
    white = sum(1 << index for index, pieces in enumerate(cells) if pieces.endswith("W"))
    black = sum(1 << index for index, pieces in enumerate(cells) if pieces.endswith("B"))
    red = sum(1 << index for index, pieces in enumerate(cells) if "R" in pieces)
    return white, black, red


def _resolved(
    cells: tuple[str, ...],
    white: int,
    black: int,
    red: int,
    *,
    first: Color,
    plies: int = 0,
    removed: tuple[tuple[Point, str], ...] = (),
) -> Position:
    """A position after the placement: `first` is to move if he can, else the other player."""
    occupied = white | black | red
    free = ~surrounded(occupied)
    turn: Color | None = first
    passed: tuple[Color, ...] = ()
    legal = movements(cells, occupied, (white if first is Color.WHITE else black) & free)
    if not legal:
        legal = movements(cells, occupied, (black if first is Color.WHITE else white) & free)
        turn, passed = (first.opponent, (first,)) if legal else (None, ())
    return Position(
        phase=Phase.OVER if turn is None else Phase.MOVEMENT,
        turn=turn,
        plies=plies,
        passed=passed,
        _cells=cells,
        _removed=removed,
        _white=white,
        _black=black,
        _red=red,
        _legal=legal,
    )


_INITIAL: Final = Position(
    phase=Phase.PLACEMENT,
    turn=Color.WHITE,
    plies=0,
    passed=(),
    _cells=("",) * SIZE,
    _removed=(),
    _white=0,
    _black=0,
    _red=0,
    _legal=_PLACEMENTS,
)
