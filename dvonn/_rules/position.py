"""A position: the stacks, the player to move, and the legal moves."""

import importlib
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, cast

from dvonn._rules.bitboard import (
    INDEX,
    MOVEMENTS,
    PLACEMENTS,
    POINT_AT_INDEX,
    SIZE,
    indices,
    movements,
    surrounded,
    unlinked,
)
from dvonn._rules.board import ByPoint, Point, distance
from dvonn._rules.errors import (
    DvonnError,
    PositionError,
    PositionProblem,
    Reason,
    UnknownPointError,
)
from dvonn._rules.frozen import frozen
from dvonn._rules.layout import diagram_text
from dvonn._rules.move import Move
from dvonn._rules.notation import parse_move
from dvonn._rules.pieces import Color, Piece
from dvonn._rules.stacks import check_stacks


class Phase(StrEnum):
    """The phases of a game."""

    PLACEMENT = "placement"
    MOVEMENT = "movement"
    OVER = "over"


# Members of an enum are slow to look up, and these are needed at every ply.
_WHITE, _BLACK = Color
_PLACEMENT, _MOVEMENT, _OVER = Phase

_SIDES: Final[tuple[Piece, ...]] = ("B", "W")
_PLACED: Final[tuple[Piece, ...]] = ("R", "R", "R", *(_SIDES * 23))
_PLACEMENT_PLIES: Final = len(_PLACED)

_Sets = tuple[int, int, int, int]
"""Four bit sets of points: all stacks, White's, Black's, and stacks that contain red."""


@frozen
class Position:
    """An immutable position, created by `initial`, `from_stacks` and `play`.

    Forced passes are already resolved: `turn` is the player who can actually play. Two positions
    are equal if they have the same stacks, piece by piece, and the same phase and turn. Their
    history (`plies`, `passed`, `removed`) does not count.

    Attributes:
        phase: The phase: placement, movement, or over.
        turn: The player to move, or None when the game is over.
        plies: Number of placements and moves since `initial` or `from_stacks`, without passes.
        passed: The players who had to pass since the last ply, in order. Empty when the game is
            over, because neither player can move then.
    """

    __slots__ = ("_cells", "_legal", "_removed", "_sets", "passed", "phase", "plies", "turn")

    phase: Phase
    turn: Color | None
    plies: int
    passed: tuple[Color, ...]
    _removed: tuple[tuple[Point, str], ...]
    # The pieces at each bit index of `bitboard`: a list because it is copied at each ply, twice as
    # quickly as a tuple. It never changes once it is part of a position.
    _cells: list[str]
    _sets: _Sets
    _legal: tuple[Move, ...]

    def __init__(self) -> None:
        raise TypeError("use initial, from_stacks or play")

    @staticmethod
    def initial() -> "Position":
        """Return the empty board.

        White places the first red piece.

        >>> Position.initial().to_place
        'R'
        """
        return _INITIAL

    @staticmethod
    def from_text(text: str) -> "Position":
        """Parse a line of text as a position.

        See `dvonn.position_from_text`.

        >>> Position.from_text("WWB6/2R7/11/10/9 W move").owner("c1")
        <Color.BLACK: 'B'>

        Raises:
            PositionTextError: if `to_text` would not write this text.
        """
        return cast("Position", _texts().position_from_text(text))

    def to_text(self) -> str:
        """Return the line of text that describes the position. See `dvonn.position_to_text`.

        >>> Position.initial().after("b1").to_text()
        '1R7/10/11/10/9 B place'
        """
        return cast("str", _texts().position_to_text(self))

    @staticmethod
    def from_stacks(
        stacks: Mapping[str, str] | Mapping[Point, str], *, turn: Color | str
    ) -> "Position":
        """Return a position of the movement phase.

        >>> position = Position.from_stacks({"a1": "W", "b1": "WB", "b2": "R"}, turn="W")
        >>> position.stacks["b1"]
        'WB'

        Args:
            stacks: Pieces bottom to top, such as "WRB", by the standard names of points.
            turn: Player to move. As after a move, a player who cannot move is skipped, and the game
                is over if neither can.

        Raises:
            PositionError: for unknown points, for invalid stacks, for more pieces than a game has
                (3 red, 23 white, 23 black), and for stacks that are not linked to a red piece.
            UnknownColorError: if `turn` is not a player.
        """
        check_stacks(stacks)
        cells = [""] * SIZE
        for point, pieces in stacks.items():
            cells[INDEX[Point(point)]] = pieces
        sets = _sets(cells)
        if lost := unlinked(sets[0], sets[3], sets[0]):
            names = tuple(POINT_AT_INDEX[index] for index in indices(lost))
            raise PositionError(PositionProblem.UNLINKED, names)
        return _resolved(cells, sets, Color(turn))

    def legal_moves(self) -> tuple[Move, ...]:
        """Return all legal moves, in row order of sources, then of targets.

        Empty when the game is over.

        >>> [str(move) for move in Position.initial().legal_moves()[:3]]
        ['a1', 'b1', 'c1']
        """
        return self._legal

    def is_legal(self, move: Move | str) -> bool:
        """Return True if a move, or its text, is legal.

        >>> Position.initial().is_legal("d2"), Position.initial().is_legal("d2-d4")
        (True, False)

        Raises:
            NotationError: for a text that is not a move.
        """
        return (parse_move(move) if isinstance(move, str) else move) in self._legal

    def play(self, move: Move) -> "Position":
        """Return the position after a placement or a move.

        >>> position = Position.initial()
        >>> position.play(position.legal_moves()[3]).stacks
        mappingproxy({'d1': 'R'})

        Raises:
            IllegalMoveError: if the move is not legal. Its `reason` is the first rule that the move
                breaks.
            TypeError: if it is not a `Move`. Parse texts with `parse_move`, or use `after`.
        """
        try:
            source = move.source
        except AttributeError:
            raise TypeError(f"not a Move: {move!r}; parse_move reads texts") from None
        if source is None:
            target, bit, before = PLACEMENTS[move]
            if self.phase is _PLACEMENT and not self._sets[0] & bit:
                return self._after_placement(target, bit, before)
        elif move in self._legal:
            return self._after_movement(move)
        raise IllegalMoveError(move, self, self._refusal(move))

    def after(self, *moves: Move | str) -> "Position":
        """Return the position after several moves, each a `Move` or its text.

        >>> Position.initial().after("d2", "c3", "f5", "g2").turn
        <Color.WHITE: 'W'>

        Raises:
            IllegalMoveError: as in `play`.
            NotationError: for a text that is not a move.
        """
        position = self
        for move in moves:
            position = position.play(parse_move(move) if isinstance(move, str) else move)
        return position

    @property
    def stacks(self) -> ByPoint:
        """The occupied points in row order, each with its pieces from bottom to top. Read-only."""
        return ByPoint(
            {POINT_AT_INDEX[index]: pieces for index, pieces in enumerate(self._cells) if pieces}
        )

    @property
    def removed(self) -> ByPoint:
        """The stacks that the last move removed from the board, each with its pieces. Read-only.

        A stack that moved and was then cut off is listed at its landing point, with the pieces
        there.
        """
        return ByPoint(dict(self._removed))

    @property
    def to_place(self) -> Piece | None:
        """The piece that the player to move must place, or None outside the placement phase."""
        return _PLACED[self.plies] if self.phase is Phase.PLACEMENT else None

    @property
    def is_over(self) -> bool:
        """True if neither player has a move left."""
        return self.phase is _OVER

    @property
    def result(self) -> str:
        """The result in the notation of records: "1-0" if White won, "0-1", "1/2-1/2", or "*"."""
        if self.phase is not _OVER:
            return "*"
        return {_WHITE: "1-0", _BLACK: "0-1", None: "1/2-1/2"}[self.winner]

    @property
    def winner(self) -> Color | None:
        """The winner, or None for a draw or an unfinished game. See `result`."""
        if self.phase is not Phase.OVER:
            return None
        white, black = self.score(Color.WHITE), self.score(Color.BLACK)
        if white == black:
            return None
        return Color.WHITE if white > black else Color.BLACK

    def score(self, color: Color | str) -> int:
        """Count the pieces, of any color, in the stacks that a player owns.

        >>> Position.from_stacks({"a1": "W", "b1": "WB", "b2": "R"}, turn="W").score("B")
        2

        Raises:
            UnknownColorError: if it is neither a `Color` nor its letter.
        """
        _, white, black, _ = self._sets
        own_bits = white if Color(color) is _WHITE else black
        return sum(len(self._cells[index]) for index in indices(own_bits))

    def owner(self, point: Point | str) -> Color | None:
        """Return the owner of a stack, or None for a single red piece or an empty point.

        Raises:
            UnknownPointError: if it is not the standard name of a point.
        """
        pieces = self._pieces(point)
        return Color(pieces[-1]) if pieces and pieces != "R" else None

    def height(self, point: Point | str) -> int:
        """Count the pieces on a point."""
        return len(self._pieces(point))

    def reds(self, point: Point | str) -> int:
        """Count the red pieces on a point."""
        return self._pieces(point).count("R")

    def is_surrounded(self, point: Point | str) -> bool:
        """Return True if a stack cannot move because all six adjacent points are occupied.

        A point at the edge never has six neighbors.
        """
        return bool(self._pieces(point)) and bool(
            surrounded(self._sets[0]) >> INDEX[Point(point)] & 1
        )

    def destinations(self, point: Point | str) -> tuple[Point, ...]:
        """Return the points where the stack on a point may move now, in row order."""
        self._pieces(point)
        return tuple(move.target for move in self._legal if move.source == point)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        state = self.phase, self.turn, self._sets, self._cells
        return state == (other.phase, other.turn, other._sets, other._cells)

    def __hash__(self) -> int:
        return hash((self.phase, self.turn, self._sets))

    def __str__(self) -> str:
        """Return a text diagram with a legend, in standard coordinates."""
        return diagram_text(self.stacks, self.turn, placing=self.phase is Phase.PLACEMENT)

    def svg(self, **options: Any) -> str:
        """Return a picture as SVG. See `dvonn.svg.svg` for the options."""
        return cast("str", _pictures().svg(self, **options))

    def _repr_svg_(self) -> str:
        """Return the picture as SVG, for notebooks."""
        return self.svg()

    def __repr__(self) -> str:
        turn = "nobody" if self.turn is None else self.turn.name
        return f"<Position {self.phase} turn={turn} plies={self.plies} stacks={dict(self.stacks)}>"

    def _pieces(self, point: Point | str) -> str:
        try:
            return self._cells[INDEX[Point(point)]]
        except KeyError:
            raise UnknownPointError(point) from None

    def _after_placement(self, target: int, bit: int, before: int) -> "Position":
        piece, plies = _PLACED[self.plies], self.plies + 1
        cells = self._cells.copy()
        cells[target] = piece
        occupied, white, black, red = self._sets
        occupied |= bit
        if piece == "R":
            red |= bit
        elif piece == "W":
            white |= bit
        else:
            black |= bit
        if plies == _PLACEMENT_PLIES:
            return _resolved(cells, (occupied, white, black, red), _WHITE, plies)
        # The legal moves are the empty points in order. All but this one remain.
        legal, rank = self._legal, (before & ~occupied).bit_count()
        return _Draft().fill(
            _PLACEMENT,
            _BLACK if plies % 2 else _WHITE,
            plies,
            (),
            (),
            cells,
            (occupied, white, black, red),
            legal[:rank] + legal[rank + 1 :],
        )

    def _after_movement(self, move: Move) -> "Position":
        source, target, leaves, lands, ends, splits = MOVEMENTS[move]
        cells = self._cells.copy()
        cells[target] += cells[source]
        cells[source] = ""
        occupied, white, black, red = self._sets
        occupied ^= leaves
        if self.turn is _WHITE:
            following, white, black = _BLACK, white ^ leaves | lands, black & ~lands
        else:
            following, white, black = _WHITE, white & ~lands, black ^ leaves | lands
        # Every stack that was linked through the vacated point is linked to one of these neighbors.
        # If the neighbors form an unbroken chain, they stay linked, unless the piece that left was
        # the red one that linked them.
        beside, lost = occupied & ends, 0
        if red & leaves:
            red = red ^ leaves | lands
            lost = unlinked(occupied, red, beside)
        elif beside in splits:
            lost = unlinked(occupied, red, beside)
        removed: tuple[tuple[Point, str], ...] = ()
        if lost:
            cut = indices(lost)
            removed = tuple([(POINT_AT_INDEX[index], cells[index]) for index in cut])
            for index in cut:
                cells[index] = ""
            occupied, white, black = occupied ^ lost, white & ~lost, black & ~lost
        sets = occupied, white, black, red
        return _resolved(cells, sets, following, self.plies + 1, removed)

    def _refusal(self, move: Move) -> Reason:
        """Return the reason why an illegal move is illegal."""
        if self.phase is _OVER:
            return Reason.GAME_OVER
        if (move.source is None) != (self.phase is _PLACEMENT):
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


class IllegalMoveError(DvonnError):
    """A move that the rules refuse in a position.

    Attributes:
        move: The refused move.
        position: The position, which is unchanged.
        reason: The reason.
    """

    def __init__(self, move: Move, position: Position, reason: Reason) -> None:
        super().__init__(move, position, reason)
        self.move = move
        self.position = position
        self.reason = reason

    def __str__(self) -> str:
        return f"illegal move: {self.move} ({self.reason}) in {self.position!r}"


def _texts() -> Any:
    """Import `position_text` late, because it imports this module."""
    return importlib.import_module("dvonn._records.position_text")


def _pictures() -> Any:
    """Import `dvonn.svg` late, because it imports this module."""
    return importlib.import_module("dvonn.svg")


def _sets(cells: list[str]) -> _Sets:
    white = sum(1 << index for index, pieces in enumerate(cells) if pieces.endswith("W"))
    black = sum(1 << index for index, pieces in enumerate(cells) if pieces.endswith("B"))
    red = sum(1 << index for index, pieces in enumerate(cells) if "R" in pieces)
    return white | black | red, white, black, red


def _resolved(
    cells: list[str],
    sets: _Sets,
    following: Color,
    plies: int = 0,
    removed: tuple[tuple[Point, str], ...] = (),
) -> Position:
    """Return a position after the placement, with `following` to move unless they must pass."""
    occupied, own_bits, other, _ = sets
    if following is _BLACK:
        own_bits, other = other, own_bits
    if legal := movements(cells, occupied, own_bits):
        return _Draft().fill(_MOVEMENT, following, plies, (), removed, cells, sets, legal)
    if legal := movements(cells, occupied, other):
        turn, passed = following.opponent, (following,)
        return _Draft().fill(_MOVEMENT, turn, plies, passed, removed, cells, sets, legal)
    return _Draft().fill(_OVER, None, plies, (), removed, cells, sets, ())


class _Draft:
    """A mutable draft of a position.

    An immutable object sets each field through `object.__setattr__`, and these calls take as long
    as the rest of a placement. A draft has the same slots, is filled in by plain assignments, and
    then becomes a position.
    """

    __slots__ = Position.__slots__

    def fill(  # separate assignments, because keywords would be slower
        self,
        phase: Phase,
        turn: Color | None,
        plies: int,
        passed: tuple[Color, ...],
        removed: tuple[tuple[Point, str], ...],
        cells: list[str],
        sets: _Sets,
        legal: tuple[Move, ...],
    ) -> Position:
        self.phase = phase
        self.turn = turn
        self.plies = plies
        self.passed = passed
        self._removed = removed
        self._cells = cells
        self._sets = sets
        self._legal = legal
        self.__class__ = Position  # type: ignore[assignment]  # the object becomes a Position
        return self  # type: ignore[return-value]  # see above


_INITIAL: Final = _Draft().fill(
    _PLACEMENT, _WHITE, 0, (), (), [""] * SIZE, (0, 0, 0, 0), tuple(PLACEMENTS)
)
