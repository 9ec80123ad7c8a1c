"""A private exercise: its name and the moves played so far.

A puzzle, a step of a lesson and a user's own mistake are exercises. No state is stored while they
are shown: the ids of a view's buttons contain it.
"""

import re
from dataclasses import dataclass, replace
from typing import Final

import dvonn
from bot.play.model.refusals import IllegalPlay, UnreadableMove
from bot.play.model.spelling import whole
from bot.play.model.typed import one_move as read_one
from bot.replay.model.replays import pack, unpack

LONGEST_LINE: Final = 24
"""Maximum number of moves in an id."""
LONGEST_TYPED: Final = 100
EXERCISE: Final = (
    r"(?P<exercise>[a-z]{1,8}):(?P<key>[a-z0-9_-]{1,24}):"
    rf"(?P<line>[A-Za-z0-9_-]{{0,{2 * LONGEST_LINE}}})"
)
"""Pattern of a spot in an id."""


@dataclass(frozen=True, slots=True)
class ExerciseState:
    """A place in an exercise."""

    exercise: str
    """The name of its kind, which knows the rest: up to eight plain letters."""
    key: str
    """The item of its kind: up to 24 of a-z, 0-9, "_" and "-"."""
    line: tuple[dvonn.Move, ...] = ()
    """The moves played since it began, by both sides."""

    @classmethod
    def found(cls, match: re.Match[str]) -> "ExerciseState":
        """Return the spot that an id names.

        Raises:
            NoSuchPly: if its moves are unreadable.
        """
        return cls(match["exercise"], match["key"], unpack(match["line"]))

    @property
    def text(self) -> str:
        """The spot as a part of an id."""
        return f"{self.exercise}:{self.key}:{pack(self.line)}"

    def with_moves(self, *moves: dvonn.Move) -> "ExerciseState":
        return replace(self, line=(*self.line, *moves))

    def without_last(self) -> "ExerciseState":
        return replace(self, line=self.line[:-1])


def one_move(
    text: str, position: dvonn.Position, coordinates: dvonn.Coordinates = dvonn.Coordinates.STANDARD
) -> dvonn.Move:
    """Return the one placement or move that is typed in a position.

    Raises:
        UnreadableMove: if it is none, or more than one.
        IllegalPlay: if the rules refuse it.
    """
    text = text[:LONGEST_TYPED]
    move = read_one(text, coordinates, position)
    try:
        first, *others = [move] if move else dvonn.parse_moves(whole(text), coordinates)
    except dvonn.NotationError as error:
        raise UnreadableMove(error, position, coordinates) from error
    if others and position.phase is dvonn.Phase.MOVEMENT and first.source is None:  # "d2 d4"
        first = dvonn.Move(target=others.pop(0).target, source=first.target)
    if others:
        several = dvonn.NotationError(text, 0, dvonn.NotationProblem.SEVERAL_MOVES)
        raise UnreadableMove(several, position, coordinates)
    try:
        position.play(first)
    except dvonn.IllegalMoveError as error:
        raise IllegalPlay(error, coordinates) from error
    return first
