"""A one-line text notation for positions, similar to FEN in chess.

    2WwB5/2rBW6/4RBW4/10/4wwrB4 B move

The board comes first, in row order from a1, with slashes between rows. A number stands for that
many empty points. The letters R, W and B are pieces. A stack is written bottom to top, with its top
piece as a capital and all others in lowercase. So each capital letter is one stack and names its
owner. The player to move and the phase follow: `W place`, `B place`, `W move`, `B move`, or `over`.
Nothing else affects the rest of the game, so every position has exactly one text, of at most 90
characters, and no two positions share one.

Unknown inner pieces, as on a printed board, are question marks: `r??B` is a stack of four with a
red piece. No rule depends on them, so their colors and order are assumed.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from dvonn._rules.board import POINTS, ROWS, Point, column_row
from dvonn._rules.errors import PositionError, PositionTextError, PositionTextProblem
from dvonn._rules.frozen import Value
from dvonn._rules.move import Move
from dvonn._rules.pieces import PIECE_COUNTS, Color
from dvonn._rules.position import Phase, Position
from dvonn._rules.stacks import UNKNOWN_PIECE, view_stack, with_assumed_pieces

LONGEST: Final = 200
"""Maximum length of a text in characters, including surrounding whitespace."""

_ROWS: Final = tuple(
    tuple(point for point in POINTS if column_row(point)[1] == row) for row in range(ROWS)
)
_ROW_END: Final = "/"
_OVER: Final = "over"
_ACTIONS: Final = {Phase.PLACEMENT: "place", Phase.MOVEMENT: "move"}
_TURN: Final = re.compile(r"([WB]) (place|move)|over")
# The lower pieces of a stack and its top piece, or a number of empty points.
_POINTS: Final = re.compile(r"([rwb?]*)([RWB])|(1[01]|[1-9])")
_SMALL: Final = re.compile(r"[rwb?]+")


class PrintedPosition(Value):
    """A position from a text that may hide the inner pieces of stacks, as a printed board does.

    Attributes:
        position: A position that looks like the board.
        assumed: The points of the stacks with assumed pieces, in row order.
    """

    position: Position
    assumed: tuple[Point, ...] = ()


def printed(stacks: Mapping[Point, str], turn: Color, *, placing: bool) -> PrintedPosition:
    """Return a position with the given stacks, assuming a color for each unknown piece.

    Args:
        stacks: Pieces of each stack, bottom to top, with question marks for unknown ones.
        turn: Player to move in the movement phase.
        placing: True during the placement. The pieces then determine the player to move.

    Raises:
        PositionError: as in `Position.from_stacks`.
    """
    if placing:
        return PrintedPosition(placed(stacks)[1])
    position = Position.from_stacks(with_assumed_pieces(stacks), turn=turn)
    assumed = (point for point in position.stacks if UNKNOWN_PIECE in stacks[point])
    return PrintedPosition(position, tuple(assumed))


def position_to_text(position: Position, assumed: Collection[Point] = ()) -> str:
    """Return the line of text that describes a position, without a line break.

    Args:
        position: The position.
        assumed: The points of stacks with unknown inner pieces, which are written as question
            marks.
    """
    stacks = {
        point: view_stack(pieces[-1], len(pieces), pieces.count("R"))
        if point in assumed and len(pieces) > 1
        else pieces
        for point, pieces in position.stacks.items()
    }
    board = _ROW_END.join("".join(_row(row, stacks)) for row in _ROWS)
    return f"{board} {_turn(position)}"


def position_from_text(text: str) -> Position:
    """Parse a line of text as a position.

    Surrounding whitespace is ignored.

    The text does not contain the history of the position. So `passed` and `removed` are empty, and
    `plies` is the number of placed pieces, or 0 in the movement phase. Unknown pieces are assumed.
    `printed_from_text` lists the stacks that have any.

    Raises:
        PositionTextError: if `position_to_text` would not write this text.
    """
    return printed_from_text(text).position


def printed_from_text(text: str) -> PrintedPosition:
    """Parse a line of text as a position, and list the stacks with unknown pieces.

    Raises:
        PositionTextError: as in `position_from_text`.
    """
    if len(text) > LONGEST:
        raise PositionTextError(text, LONGEST, PositionTextProblem.TOO_LONG)
    stacks, at = _board(text, len(text) - len(text.lstrip()))
    words = text[at:].rstrip()
    match = _TURN.fullmatch(words)
    if match is None:
        raise PositionTextError(text, at, PositionTextProblem.BAD_TURN)
    turn = Color.BLACK if match[1] == "B" else Color.WHITE
    try:
        result = printed(stacks, turn, placing=match[2] == _ACTIONS[Phase.PLACEMENT])
    except PositionError as error:
        raise PositionTextError(text, at, PositionTextProblem.IMPOSSIBLE) from error
    # The turn in the text is wrong if that player has to pass, or if pieces were not placed in
    # turn.
    is_whole = result.position.stacks == with_assumed_pieces(stacks)
    if _turn(result.position) != words or not is_whole:
        raise PositionTextError(text, at, PositionTextProblem.IMPOSSIBLE)
    return result


def placed(stacks: Mapping[Point, str]) -> tuple[tuple[Move, ...], Position]:
    """Place a board's single pieces in alternating turns. Each player places theirs in row order.

    Returns:
        The placements, and the position after them. They stop early if alternating turns can't
        produce these numbers of pieces.
    """
    waiting = {
        piece: iter([p for p, pieces in stacks.items() if pieces == piece])
        for piece in PIECE_COUNTS
    }
    position = Position.initial()
    moves: list[Move] = []
    while (piece := position.to_place) is not None and (target := next(waiting[piece], None)):
        moves.append(Move(target=target))
        position = position.play(moves[-1])
    return tuple(moves), position


def _turn(position: Position) -> str:
    if position.turn is None:
        return _OVER
    return f"{position.turn} {_ACTIONS[position.phase]}"


def _row(row: tuple[Point, ...], stacks: Mapping[Point, str]) -> Iterator[str]:
    empty = 0
    for point in row:
        pieces = stacks.get(point)
        if pieces is None:
            empty += 1
            continue
        if empty:
            yield str(empty)
        empty = 0
        yield pieces[:-1].lower() + pieces[-1]
    if empty:
        yield str(empty)


def _board(text: str, at: int) -> tuple[dict[Point, str], int]:
    """Return the stacks, and the index after the blank that follows the board."""
    stacks: dict[Point, str] = {}
    for number, row in enumerate(_ROWS):
        ending = " " if number == ROWS - 1 else _ROW_END
        filled = 0
        while filled < len(row):
            match = _POINTS.match(text, at)
            if match is None:
                raise _misread(text, at)
            if match[3]:
                filled += int(match[3])
                if filled > len(row) or text[match.end() : match.end() + 1].isdigit():
                    raise PositionTextError(text, at, PositionTextProblem.BAD_ROW)
            else:
                if match[1] and match[2] == "R":
                    raise PositionTextError(text, match.start(2), PositionTextProblem.RED_ON_TOP)
                stacks[row[filled]] = match[0].upper()
                filled += 1
            at = match.end()
        if not text.startswith(ending, at):
            raise PositionTextError(text, at, PositionTextProblem.BAD_ROW)
        at += 1
    return stacks, at


def _misread(text: str, at: int) -> PositionTextError:
    """Return the error for text where a stack or a number of empty points is missing."""
    small = _SMALL.match(text, at)
    if small is not None:
        return PositionTextError(text, small.end(), PositionTextProblem.UNFINISHED_STACK)
    if text[at : at + 1] in {"", _ROW_END, " "}:
        return PositionTextError(text, at, PositionTextProblem.BAD_ROW)
    return PositionTextError(text, at, PositionTextProblem.BAD_CHARACTER)
