"""Six pictures from one game that teach the rules. The bot adds the texts.

render(lesson.position, last=lesson.last, marks=lesson.marks)
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from dvonn import Move, Point, Position, parse_move
from renderer.marks import Marks

_GAME: Final = """
    e3 k3 f5 j2 i1 d4 h2 h3 b4 k4 i2 h5 d2 a1 f3 f1 g4 d1 c4 g1 h4 c2 e4 g2 c5 g5 e1 k5 e5 j4 c1 h1
    a3 d3 j3 i3 b2 d5 f4 b1 b3 f2 j5 g3 i5 a2 e2 i4 c3
    i1-h1 g1-h1 i2-h1 k4-j3 h1-d1 f1-e1 c5-d5 k5-j5 i5-j5 i4-j5 h2-g2 h3-h4 c4-d4 a2-b2 d4-b2 a1-b2
    c3-b2 c2-b2 b3-b2 b1-c1 e4-d3 g5-g4 d2-c1 g3-g2 e2-e1 f2-f3 d3-f3 h4-f4 f3-j3 i3-j3 d5-f5 j5-f5
    e5-f5 h5-g4 j2-j3 g4-j4 j4-f4
"""


@dataclass(frozen=True, slots=True)
class Lesson:
    """The data for a picture that teaches a rule, and for its text twin.

    Attributes:
        name: The lesson's key in `LESSONS`.
        position: A position of a game.
        last: The move that led to the position, if it matters.
        marks: A stack and its possible moves, if they matter.
    """

    name: str
    position: Position
    last: Move | None = None
    marks: Marks | None = None


def _lessons() -> tuple[Lesson, ...]:
    moves = [parse_move(text) for text in _GAME.split()]
    after = [Position.initial()]
    for move in moves:
        after.append(after[-1].play(move))
    return (
        # The pieces: stacks, which belong to the color on top, and red pieces.
        Lesson("aim", after[70]),
        # Pieces are placed on any empty space, starting with the three red ones.
        Lesson("placement", after[20], last=moves[19]),
        # A stack of two moves two spaces, onto a stack of either player or onto a red piece.
        Lesson("movement", after[68], marks=Marks.for_stack(after[68], Point("e1"))),
        # On a full board, only stacks on the edge can move.
        Lesson("surrounded", after[49]),
        # The stack that moved was the only link between four others and a red piece.
        Lesson("cut", after[75], last=moves[74]),
        # Neither player can move. Pieces are counted, not stacks.
        Lesson("end", after[86], last=moves[85]),
    )


LESSONS: Final[Mapping[str, Lesson]] = MappingProxyType(
    {lesson.name: lesson for lesson in _lessons()}
)
"""The lessons by name, in reading order."""
