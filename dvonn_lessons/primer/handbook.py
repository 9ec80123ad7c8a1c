"""Terms of DVONN strategy, each with a position that shows it."""

from collections.abc import Mapping
from typing import Final

from dvonn._records.position_text import position_from_text
from dvonn._rules.board import Point
from dvonn._rules.frozen import Value
from dvonn._rules.move import Move
from dvonn._rules.notation import parse_moves
from dvonn._rules.position import Position
from dvonn_lessons.primer.chapters import CHAPTERS

_STEPS: Final = {step.name: step for chapter in CHAPTERS for step in chapter.steps}


class Example(Value, kw_only=True):
    """A position that shows what a term means.

    Attributes:
        text: The position, as `dvonn.position_to_text` writes it.
        moves: The move that shows it, possibly followed by the move that it prepares or threatens.
            Empty if no move is needed.
        points: The points of the stacks to look at, if no move is needed.
    """

    text: str
    moves: tuple[Move, ...] = ()
    points: tuple[Point, ...] = ()

    @property
    def position(self) -> Position:
        """The position before the moves, without its history."""
        return position_from_text(self.text)


def _step(name: str, answer: str | None = None) -> Example:
    """Return the position and the first right move of a step, and possibly a second move."""
    step = _STEPS[name]
    moves = () if answer is None else parse_moves(answer)
    return Example(text=step.text, moves=(step.solutions[0], *moves))


def _stacks(text: str, points: str) -> Example:
    """Return an example of stacks in a position, or in the position of the named step."""
    places = tuple(map(Point, points.split()))
    return Example(text=_STEPS[text].text if text in _STEPS else text, points=places)


HANDBOOK: Final[Mapping[str, Example]] = {
    "mobility": _step("alone"),
    "blocked": _stacks("surrounded", "d3"),
    "freeing": _step("free"),
    "neutralise": _step("take"),
    "selfstacking": _step("shot"),
    "control": _stacks("quiet", "d3"),
    "retake": _step("back"),
    "guard": _step("guard"),
    "towersingle": _step("leap"),
    "overload": _step("load"),
    "young": _stacks("decoy", "e2"),
    "sharpshooting": _step("snipe", "g2-i4"),
    "lifting": _step("lift", "k4-i4"),
    "spoiling": _step("hold"),
    "melee": _step("outnumbered"),
    "settlement": _step("settle"),
    "cut": _step("cut"),
    "lifeline": _stacks("anchor", "c2"),
    "bridge": _stacks("bridge", "j3"),
    # From the puzzle 456e4775.
    "string": _stacks(
        "B8/rwwwbBbbwB4bwbbW3/1bbwbwwB2bW2rbWwB2/wB2WwwwbWwbbWR3/2W6 W move", "e4 f4 g4"
    ),
    "chokepoint": _stacks("choke", "i3"),
    # These two are from games of level 8 (version 4).
    "sacrifice": Example(
        text="9/W1wbbwB1wbwbwBbwWwbbbW3/1wwrbWW3bbwwwBwB2R/3wwwbWRbB3B/9 W move",
        moves=parse_moves("b3-g3"),
    ),
    "selfcut": Example(
        text="9/4bbbwwwBrW4/5bwbwBbwwbrWW3/7WbWwbW/RbwwbbwB7 W move", moves=parse_moves("i4-h3")
    ),
    "redtax": _step("red"),
    "reserve": _step("reserve", "a2-a3"),
    "lastmover": _step("order"),
    # From the puzzle 6c0db6ad.
    "initiative": Example(
        text="3WWR1BB/3wbbWbbWR1BBB/RW3wBbwbWBBwBW/bW4wbWBBbwwwwB1/6BB1 W move",
        moves=parse_moves("g3-k3 g4-d1"),
    ),
    "spread": _step("reds"),
}
"""Examples by term."""
