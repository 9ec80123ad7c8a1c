"""The state of a private exercise: its name, its key and the moves played so far.

A puzzle, a step of a lesson and a user's own mistake are all exercises. Nothing is stored while one
is shown, because the custom ids of its buttons contain the state.
"""

import re
from dataclasses import dataclass, replace
from typing import Final

import dvonn
from bot.base import spelling
from bot.play.model.refusals import IllegalPlay, UnreadableMove
from bot.replay.model.replays import pack, unpack

LONGEST_LINE: Final = 24
"""Maximum number of moves in a custom id."""
LONGEST_TYPED: Final = 100
EXERCISE: Final = (
    r"(?P<exercise>[a-z]{1,8}):(?P<key>[a-z0-9_-]{1,24}):"
    rf"(?P<line>[A-Za-z0-9_-]{{0,{2 * LONGEST_LINE}}})"
)
"""Pattern of an exercise's state in a custom id."""


@dataclass(frozen=True, slots=True)
class ExerciseState:
    """The state of an exercise."""

    exercise: str
    """Name of the kind of exercise, up to eight lowercase letters."""
    key: str
    """The item within that kind: up to 24 of the characters a-z, 0-9, "_" and "-"."""
    line: tuple[dvonn.Move, ...] = ()
    """Both sides' moves since the start of the exercise."""

    @classmethod
    def found(cls, match: re.Match[str]) -> "ExerciseState":
        """Return the state in a custom id.

        Raises:
            NoSuchPly: if the moves in it are invalid.
        """
        return cls(match["exercise"], match["key"], unpack(match["line"]))

    @property
    def text(self) -> str:
        """The state as part of a custom id.

        >>> state = ExerciseState("puzzle", "17").with_moves(dvonn.parse_move("d2-d4"))
        >>> state.text
        'puzzle:17:Js'
        """
        return f"{self.exercise}:{self.key}:{pack(self.line)}"

    def with_moves(self, *moves: dvonn.Move) -> "ExerciseState":
        return replace(self, line=(*self.line, *moves))

    def without_last_move(self) -> "ExerciseState":
        return replace(self, line=self.line[:-1])


def one_move(
    text: str, position: dvonn.Position, coordinates: dvonn.Coordinates = dvonn.Coordinates.STANDARD
) -> dvonn.Move:
    """Parse a text as a single placement or movement in a position.

    >>> one_move("d2", dvonn.Position.initial())
    Move(target='d2')

    Raises:
        UnreadableMove: if the text is not a move, or more than one.
        IllegalPlay: if the move is illegal.
    """
    text = text[:LONGEST_TYPED]
    move = spelling.one_move(text, coordinates, position.phase)
    try:
        first, *rest = [move] if move else dvonn.parse_moves(spelling.whole(text), coordinates)
    except dvonn.NotationError as error:
        raise UnreadableMove(error, position, coordinates) from error
    if rest and position.phase is dvonn.Phase.MOVEMENT and first.source is None:  # "d2 d4"
        first = dvonn.Move(target=rest.pop(0).target, source=first.target)
    if rest:
        several = dvonn.NotationError(text, 0, dvonn.NotationProblem.SEVERAL_MOVES)
        raise UnreadableMove(several, position, coordinates)
    try:
        position.play(first)
    except dvonn.IllegalMoveError as error:
        raise IllegalPlay(error, coordinates) from error
    return first
