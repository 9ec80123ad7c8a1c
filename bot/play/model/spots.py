"""A place in a game or a pasted record that somebody looks at, as the ids of buttons have it.

Nothing of a view is kept: its buttons hold the game, the ply and the moves that were tried from
there. Only what was pasted does not fit an id, and stands in the view's own text.
"""

import re
from dataclasses import dataclass, replace
from typing import Final

from bot.base.ids import GameId
from bot.play.model.courses import Course
from bot.play.model.game import Game
from bot.play.model.lines import pack, unpack
from bot.play.model.refusals.looking import LineTooLong, NoSuchPly
from dvonn import Coordinates, IllegalMoveError, Move, Position

LONGEST_LINE: Final = 28
"""Number of moves that fit an id, whatever the game's number."""
_PASTED: Final = "text"
SPOT: Final = rf"(?P<subject>[0-9]{{1,18}}|{_PASTED}):(?P<ply>[0-9]{{1,3}})"
"""Pattern of a spot, without the moves that are tried."""
LINE: Final = rf":(?P<line>[A-Za-z0-9_-]{{0,{2 * LONGEST_LINE}}})"
"""Pattern of these moves, which follow it."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a game: after a number of plies, and then tried moves."""

    game: GameId | None
    """None: what stands in the message's own text."""
    ply: int = 0
    line: tuple[Move, ...] = ()

    @classmethod
    def found(cls, match: re.Match[str]) -> "Spot":
        """Return the spot that an id names.

        Raises:
            NoSuchPly: if what is tried there are no moves.
        """
        parts = match.groupdict()
        subject, line = parts["subject"], parts.get("line") or ""
        game = None if subject == _PASTED else GameId(int(subject))
        try:
            return cls(game, int(parts["ply"]), unpack(line))
        except ValueError as error:
            raise NoSuchPly from error

    @property
    def text(self) -> str:
        """Text in an id, without the moves that are tried."""
        return f"{_PASTED if self.game is None else self.game}:{self.ply}"

    @property
    def with_line(self) -> str:
        """Text in an id, with the moves that are tried."""
        return f"{self.text}:{pack(self.line)}"

    def at(self, ply: int) -> "Spot":
        """Return another ply of the same game, where nothing is tried."""
        return replace(self, ply=ply, line=())

    def then(self, *moves: Move) -> "Spot":
        """Return the spot after some more moves that are tried."""
        return replace(self, line=(*self.line, *moves))

    def back(self) -> "Spot":
        """Go one move back; at the start stay."""
        return replace(self, line=self.line[:-1]) if self.line else self.at(max(self.ply - 1, 0))


@dataclass(frozen=True, slots=True)
class Seen:
    """A spot with all that is there to see."""

    spot: Spot
    course: Course
    """The whole game."""
    positions: tuple[Position, ...]
    """Positions up to the one there, which is the last."""
    game: Game | None
    """The game as it stands, if it is one that was played here."""

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def coordinates(self) -> Coordinates:
        """Names of spaces."""
        return self.course.coordinates

    @property
    def path(self) -> Course:
        """The moves that lead there."""
        return self.course.cut(self.spot.ply, self.spot.line)

    @property
    def last(self) -> Move | None:
        """The move that led there."""
        return self.path.moves[-1] if self.path.moves else None

    @property
    def is_end(self) -> bool:
        """True if it is the game as it stands."""
        return self.spot.ply == self.course.plies and not self.spot.line

    @property
    def is_running(self) -> bool:
        """True if its game goes on, and nobody is to be helped in it."""
        return self.game is not None and self.game.is_running and self.game.row.is_unaided


def see(spot: Spot, course: Course, game: Game | None = None) -> Seen:
    """Look at a spot.

    Raises:
        NoSuchPly: if the game has no such ply, or the rules refuse what is tried there.
        LineTooLong: if more is tried than can be kept.
    """
    if not 0 <= spot.ply <= course.plies:
        raise NoSuchPly
    if len(spot.line) > LONGEST_LINE:
        raise LineTooLong(LONGEST_LINE)
    try:
        positions = course.cut(spot.ply, spot.line).positions()
    except IllegalMoveError as error:
        raise NoSuchPly from error
    return Seen(spot, course, tuple(positions), game)
