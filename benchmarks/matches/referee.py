"""One game between two programs, by the rules of `dvonn`."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from benchmarks.matches.program import Player, SilentError
from dvonn import Color, IllegalMoveError, NotationError, Phase, Position, parse_move
from dvonn.engine.codecup_text import PASS, state_text

PATIENCE_S = 120.0
"""Seconds to wait for one line if no clock runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult:
    """The result of a game.

    Attributes:
        white_points: 1 if White won, 0.5 for a draw, 0 if Black won.
        white_margin: White's pieces less Black's at the end, or None if a side forfeited.
        forfeit: Reason for a loss before the end of the game, or None if it was played out.
        moves: All lines of both sides, passes included.
        used_s: Each side's time. White's time starts with its process.
        longest_s: Each side's longest wait.
    """

    white_points: float
    white_margin: int | None
    forfeit: str | None
    moves: tuple[str, ...]
    used_s: dict[Color, float] = field(default_factory=dict)
    longest_s: dict[Color, float] = field(default_factory=dict)


class ForfeitError(Exception):
    """A side loses by something else than the rules' count."""

    def __init__(self, loser: Color, why: str) -> None:
        super().__init__(f"{loser.name.lower()}: {why}")
        self.loser = loser


class RefereedGame:
    """A game that is being played.

    Args:
        programs: Each side's process, started with the same position.
        start: The initial position, or one of the movement phase.
        gametime_s: Time of each side for the whole game, or None without a limit.
    """

    def __init__(
        self,
        programs: Mapping[Color, Player],
        *,
        start: Position,
        gametime_s: float | None = None,
    ) -> None:
        self._programs = programs
        self._position = start
        self._gametime_s = gametime_s
        self._moves: list[str] = []

    async def play(self) -> MatchResult:
        """Play it to its end, or until a side forfeits."""
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
            white_points=points,
            white_margin=margin,
            forfeit=forfeit,
            moves=tuple(self._moves),
            used_s={color: program.used_s for color, program in self._programs.items()},
            longest_s={color: program.longest_s for color, program in self._programs.items()},
        )

    async def _play_out(self) -> None:
        for color, program in self._programs.items():
            await program.begin(is_first=color is self._position.turn)
        while (turn := self._position.turn) is not None:
            line = await self._line(turn, passing=False)
            try:
                self._position = self._position.play(parse_move(line))
            except NotationError:
                raise ForfeitError(turn, f"no move: {line!r}") from None
            except IllegalMoveError as error:
                raise ForfeitError(turn, f"illegal: {line!r}, {error.reason}") from None
            await self._tell(turn, line)
            for passed in self._position.passed:
                line = await self._line(passed, passing=True)
                if line != PASS:
                    raise ForfeitError(passed, f"had to pass: {line!r}")
                await self._tell(passed, PASS)

    async def _line(self, color: Color, *, passing: bool) -> str:
        program, left = self._programs[color], None
        if self._gametime_s is not None:
            left = max(self._gametime_s - program.used_s, 0.001)
        limit = PATIENCE_S if left is None else left
        try:
            if passing:
                line = await program.pass_(limit)
            else:
                line = await program.choose(self._position, limit, left)
        except SilentError as error:
            raise ForfeitError(color, f"{error}; {program.last_words()}") from None
        self._moves.append(line)
        return line

    async def _tell(self, color: Color, line: str) -> None:
        await self._programs[color.opponent].hear(line)


def state_of(start: Position) -> str | None:
    """Return the state with which programs are started, or None for the empty board."""
    return None if start.phase is Phase.PLACEMENT else state_text(start)
