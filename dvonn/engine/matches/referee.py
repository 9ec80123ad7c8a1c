"""A refereed game between two programs."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from dvonn._records.record import GameRecord
from dvonn._records.record_text import RESULT, TERMINATION, WON_BY
from dvonn._rules.errors import NotationError
from dvonn._rules.frozen import Value
from dvonn._rules.move import Move
from dvonn._rules.notation import parse_move
from dvonn._rules.pieces import Color
from dvonn._rules.position import IllegalMoveError, Position
from dvonn.engine.codecup_text import PASS, move_text
from dvonn.engine.matches.program import MatchPlayer
from dvonn.engine.process import EngineFailedError

PATIENCE_S: Final = 120.0
"""Seconds to wait for a move if there is no time limit."""
_LEAST_S: Final = 0.001
_SHOWN: Final = 60


class MatchResult(Value, kw_only=True):
    """The result of a game.

    Attributes:
        start: The position before the first move.
        moves: All moves, without passes.
        white_points: 1 if White won, 0.5 for a draw, 0 if Black won.
        white_margin: White's pieces minus Black's at the end, or None after a forfeit.
        forfeit: Why a side forfeited, or None if the game was played to its end.
        used_s: Seconds that each side used. For a CodeCup program, they include the start of its
            process.
        longest_s: The longest wait for each side, in seconds.
    """

    start: Position
    moves: tuple[Move, ...]
    white_points: float
    white_margin: int | None
    forfeit: str | None
    used_s: Mapping[Color, float] = MappingProxyType({})
    longest_s: Mapping[Color, float] = MappingProxyType({})

    def record(self, headers: Mapping[str, str]) -> GameRecord:
        """Return the game as a record with the given headers, and the reason for a forfeit."""
        tags = dict(headers)
        if self.forfeit is not None:
            winner = Color.WHITE if self.white_points else Color.BLACK
            tags |= {RESULT: WON_BY[winner], TERMINATION: self.forfeit}
        return GameRecord(self.moves, tags, start=self.start)


class ForfeitError(Exception):
    """A side forfeits the game."""

    def __init__(self, loser: Color, reason: str) -> None:
        super().__init__(f"{loser.name.lower()}: {reason}")
        self.loser = loser


class RefereedGame:
    """A game in progress.

    Args:
        programs: Each side's process, started with the same position.
        start: The start position of the game.
        gametime_s: Time per side for the whole game, or None for no limit.
        patience_s: Maximum time for a move without a limit.
    """

    def __init__(
        self,
        programs: Mapping[Color, MatchPlayer],
        *,
        start: Position,
        gametime_s: float | None = None,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._programs = programs
        self._start = self._position = start
        self._gametime_s = gametime_s
        self._patience_s = patience_s
        self._moves: list[Move] = []

    async def play(self) -> MatchResult:
        """Play the game to its end, or until a side forfeits."""
        margin: int | None = None
        forfeit: str | None = None
        try:
            await self._play_out()
        except ForfeitError as error:
            forfeit = str(error)
            points = 0.0 if error.loser is Color.WHITE else 1.0
        else:
            margin = self._position.score(Color.WHITE) - self._position.score(Color.BLACK)
            points = 0.5 + 0.5 * ((margin > 0) - (margin < 0))
        return MatchResult(
            start=self._start,
            moves=tuple(self._moves),
            white_points=points,
            white_margin=margin,
            forfeit=forfeit,
            used_s={color: program.used_s for color, program in self._programs.items()},
            longest_s={color: program.longest_s for color, program in self._programs.items()},
        )

    async def _play_out(self) -> None:
        for color, program in self._programs.items():
            await program.begin(is_first=color is self._position.turn)
        while (turn := self._position.turn) is not None:
            line = await self._line(turn, passing=False)
            try:
                move = parse_move(line)
                self._position = self._position.play(move)
            except NotationError:
                raise ForfeitError(turn, f"no move: {line[:_SHOWN]!r}") from None
            except IllegalMoveError as error:
                reason = f"illegal move: {line[:_SHOWN]!r}, {error.reason}"
                raise ForfeitError(turn, reason) from None
            self._moves.append(move)
            await self._programs[turn.opponent].receive(move_text(move))
            for passed in self._position.passed:
                line = await self._line(passed, passing=True)
                if line != PASS:
                    raise ForfeitError(passed, f"had to pass: {line[:_SHOWN]!r}")
                await self._programs[passed.opponent].receive(PASS)

    async def _line(self, color: Color, *, passing: bool) -> str:
        program, left_s = self._programs[color], None
        if self._gametime_s is not None:
            left_s = self._gametime_s - program.used_s
            if left_s <= 0:
                raise ForfeitError(color, f"its {self._gametime_s:g} s are over")
            left_s = max(left_s, _LEAST_S)
        limit = self._patience_s if left_s is None else left_s
        try:
            if passing:
                return await program.pass_(limit)
            return await program.choose(self._position, limit, left_s)
        except EngineFailedError as error:
            raise ForfeitError(color, str(error)) from None
