"""A player in CodeCup's protocol, which sends and receives moves as lines of text.

The other end of the lines is called the table. It sends `Start` to White. The first line that Black
receives is White's first placement. From then on each side receives the other's moves and answers
with its own. After Black's last placement, White sends the 49th placement and the first movement
without reading in between. A player without a legal move sends `PASS`, and `Quit` ends the game.

If a line is not a legal move, a line `? why` is written to the error stream, and the next line is
read instead. Standard output contains only legal moves.
"""

import contextlib
import time
from collections.abc import Callable
from typing import Final, Protocol, TextIO

from dvonn._rules.errors import NotationError
from dvonn._rules.move import Move
from dvonn._rules.notation import parse_move
from dvonn._rules.pieces import Color
from dvonn._rules.position import IllegalMoveError, Phase, Position
from dvonn.engine.codecup_text import PASS, QUIT, START, move_text


class Player(Protocol):
    """Chooses moves: the engine, or the baseline."""

    def choose(self, position: Position, seconds: float | None) -> Move: ...


class Timing(Protocol):
    """Limits on the player's time."""

    def share(self, position: Position) -> float | None:
        """Return the seconds for the next move, or None if there is no limit."""

    def spend(self, seconds: float) -> None:
        """Record a move and the time that it took."""


class MoveTime:
    """A fixed time for each move, or no limit at all."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds

    def share(self, position: Position) -> float | None:  # noqa: ARG002 - all positions are alike
        """Return the seconds for each move."""
        return self._seconds

    def spend(self, seconds: float) -> None: ...


class GameTime:
    """Time management for a whole game.

    Most of it is spent on the first moves of the movement phase. After about ten moves by each
    side, the game can be solved, which takes less and less time.
    """

    PLACEMENT_SHARE: Final = 0.008
    """Share of the total time that each of the 24 or 25 placements may take."""

    DECISIVE_MOVES: Final = 12
    """Number of the player's own first moves over which the time is divided evenly."""

    FEWEST_MOVES: Final = 3
    """Minimum number of moves that are assumed to remain."""

    def __init__(self, seconds: float) -> None:
        self._whole = self._left = seconds
        self._moves = 0

    def share(self, position: Position) -> float:
        """Return the seconds for the next move."""
        seconds = max(self._left, 0.0)
        if position.phase is Phase.PLACEMENT:
            return min(self._whole * self.PLACEMENT_SHARE, seconds)
        share = seconds / max(self.DECISIVE_MOVES - self._moves, self.FEWEST_MOVES)
        self._moves += 1
        return share

    def spend(self, seconds: float) -> None:
        """Subtract the time of a move from the clock."""
        self._left -= seconds


class Table:
    """One player's side of a game, over lines of text.

    Args:
        player: Chooses our moves.
        timing: Sets the time for each move.
        lines: Lines from the table.
        out: Stream for our moves.
        errors: Stream for complaints about lines.
        position: The start position. The side to move is the one that receives `Start`.
        now: A clock in seconds.
    """

    def __init__(
        self,
        player: Player,
        timing: Timing,
        *,
        lines: TextIO,
        out: TextIO,
        errors: TextIO,
        position: Position | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._player = player
        self._timing = timing
        self._lines = lines
        self._out = out
        self._errors = errors
        self._position = Position.initial() if position is None else position
        self._now = now

    def play(self) -> None:
        """Play until `Quit` or the end of the input."""
        with contextlib.suppress(EOFError):
            self._play()

    def _play(self) -> None:
        color = self._opening()
        while True:
            for passed in self._position.passed:
                if passed is color:
                    self._send(PASS)
                else:
                    self._read_pass()
            if self._position.turn is None:
                self._refuse_all()
            elif self._position.turn is color:
                self._move()
            else:
                self._read_move()

    def _opening(self) -> Color | None:
        """Read the first line, which determines our color."""
        first = self._position.turn
        line = self._read()
        while line != START:
            if self._played(line):
                return None if first is None else first.opponent
            line = self._read()
        return first

    def _move(self) -> None:
        start = self._now()
        legal = self._position.legal_moves()
        share = self._timing.share(self._position)
        move = legal[0] if len(legal) == 1 else self._player.choose(self._position, share)
        self._position = self._position.play(move)
        self._send(move_text(move))
        self._timing.spend(self._now() - start)

    def _read_move(self) -> None:
        while not self._played(self._read()):
            pass

    def _read_pass(self) -> None:
        while (line := self._read()) != PASS:
            self._refuse(line, "you must pass")

    def _refuse_all(self) -> None:
        while True:
            self._refuse(self._read(), "the game is over")

    def _played(self, line: str) -> bool:
        """Play the move in a line. If it can't be played, report why and return False."""
        try:
            self._position = self._position.play(parse_move(line))
        except NotationError as error:
            self._refuse(line, f"not a move: {error.problem}")
        except IllegalMoveError as error:
            self._refuse(line, f"not legal: {error.reason}")
        else:
            return True
        return False

    def _read(self) -> str:
        """Return the next nonempty line.

        Raises:
            EOFError: at `Quit` or the end of the input.
        """
        for line in self._lines:
            text = line.strip()
            if text == QUIT:
                break
            if text:
                return text
        raise EOFError

    def _send(self, text: str) -> None:
        self._out.write(f"{text}\n")
        self._out.flush()

    def _refuse(self, line: str, reason: str) -> None:
        self._errors.write(f"? {reason}: {line!r}\n")
        self._errors.flush()
