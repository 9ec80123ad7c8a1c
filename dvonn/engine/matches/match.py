"""Matches between two or more programs: many games from many starts, and their results.

Each pair of programs plays each start twice, with colors swapped.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from itertools import combinations
from statistics import fmean
from typing import Final

from dvonn._rules.frozen import Value
from dvonn._rules.pieces import Color
from dvonn.engine.matches.program import Command, MatchPlayer
from dvonn.engine.matches.referee import PATIENCE_S, MatchResult, RefereedGame
from dvonn.engine.matches.starts import Starts
from dvonn.engine.matches.statistics import MatchScore, Sprt, estimate
from dvonn.engine.process import EngineFailedError

MARGIN_S: Final = 1.0


class Task(Value, kw_only=True):
    """A scheduled game of a match."""

    number: int
    start: int
    white: Command
    black: Command


class MatchGame(Value, kw_only=True):
    """A played game of a match."""

    task: Task
    result: MatchResult

    def color(self, command: Command) -> Color | None:
        """Return a program's color, or None if it did not play."""
        sides = {Color.WHITE: self.task.white, Color.BLACK: self.task.black}
        return next((color for color, side in sides.items() if side is command), None)

    def points(self, command: Command) -> float:
        """Return the points of a program that played."""
        white = self.result.white_points
        return white if self.task.white is command else 1 - white


class Limits(Value, kw_only=True):
    """The time limits of a match.

    Attributes:
        gametime_s: Time per side for a whole game, or None for no limit.
        margin_s: Number of seconds that an engine may take beyond its `movetime`.
        patience_s: Seconds to wait for a move if there is no time limit.
    """

    gametime_s: float | None = None
    margin_s: float = MARGIN_S
    patience_s: float = PATIENCE_S


class Match:
    """A match between programs, with its games so far.

    Args:
        commands: Two or more programs. Each plays all others.
        starts: Function that returns the start position with a given number.
        games: Maximum number of games for each pair of programs.
        seed: Number of the first start. The next pair of games has the next number.
        limits: Time limits.
        sprt: A sequential test of the first of two programs. The match ends as soon as it decides.
        on_game: Called with each game when it has ended.

    Attributes:
        played: The games, in the order in which they ended.
    """

    def __init__(
        self,
        commands: Sequence[Command],
        *,
        starts: Starts,
        games: int,
        seed: int = 1,
        limits: Limits = Limits(),  # noqa: B008 - it never changes
        sprt: Sprt | None = None,
        on_game: Callable[["Match", MatchGame], object] = lambda _match, _game: None,
    ) -> None:
        self.commands = tuple(commands)
        self._starts, self._games, self._seed = starts, games, seed
        self._limits, self._sprt, self._on_game = limits, sprt, on_game
        self.played: list[MatchGame] = []

    async def play(self, jobs: int = 1) -> None:
        """Play all games, or stop once the sequential test decides.

        Args:
            jobs: Number of games at the same time. In each game, one side thinks at a time, so
                choose a number below the number of cores.

        Raises:
            EngineFailedError: if a program can't be started.
            ValueError: if a CodeCup program can't play from a start position.
        """
        for command in self.commands:
            first = Task(number=0, start=self._seed, white=command, black=command)
            try:
                async with self._running(command, first):
                    pass
            except EngineFailedError as error:
                raise EngineFailedError(f"{command.name}: {error}") from error
        tasks = deque(self._tasks())

        async def work() -> None:
            while tasks and self.verdict is None:
                task = tasks.popleft()
                game = MatchGame(task=task, result=await self._game(task))
                self.played.append(game)
                self._on_game(self, game)

        await asyncio.gather(*(work() for _ in range(jobs)))

    def _tasks(self) -> Iterator[Task]:
        """Yield the games in an order that lets all pairs of programs progress evenly."""
        number = 0
        for pair in range((self._games + 1) // 2):
            for first, second in combinations(self.commands, 2):
                for white, black in ((first, second), (second, first))[: self._games - 2 * pair]:
                    yield Task(number=number, start=self._seed + pair, white=white, black=black)
                    number += 1

    def _running(self, command: Command, task: Task) -> AbstractAsyncContextManager[MatchPlayer]:
        return command.running(
            seed=2 * task.number + 1,
            start=self._starts(task.start),
            margin_s=self._limits.margin_s,
        )

    async def _game(self, task: Task) -> MatchResult:
        start = self._starts(task.start)
        async with AsyncExitStack() as stack:
            programs: dict[Color, MatchPlayer] = {}
            for color, command in zip(Color, (task.white, task.black), strict=True):
                try:
                    running = self._running(command, task)
                    programs[color] = await stack.enter_async_context(running)
                except EngineFailedError as error:
                    return MatchResult(
                        start=start,
                        moves=(),
                        white_points=float(color is Color.BLACK),
                        white_margin=None,
                        forfeit=f"{color.name.lower()}: {error}",
                    )
            game = RefereedGame(
                programs,
                start=start,
                gametime_s=self._limits.gametime_s,
                patience_s=self._limits.patience_s,
            )
            return await game.play()

    def pairs(self, command: Command) -> list[float]:
        """Return a program's scores in the pairs of games that are finished, 0 to 1 each."""
        halves: dict[object, float] = {}
        pairs = []
        for game in self.played:
            if game.color(command) is None:
                continue
            pair = game.task.start, frozenset({id(game.task.white), id(game.task.black)})
            if pair in halves:
                pairs.append((halves.pop(pair) + game.points(command)) / 2)
            else:
                halves[pair] = game.points(command)
        return pairs

    def score(self, command: Command) -> MatchScore:
        """Return a program's total score against all others, with its margin of error."""
        return estimate(self.pairs(command))

    @property
    def verdict(self) -> str | None:
        """Return the sequential test's verdict on the first program, or None if it goes on."""
        return None if self._sprt is None else self._sprt.verdict(self.pairs(self.commands[0]))

    def figures(self, command: Command) -> dict[str, float]:
        """Return a program's statistics by name."""
        games = [(game, color) for game in self.played if (color := game.color(command))]
        points = [game.points(command) for game, _ in games]
        score = self.score(command)
        lost = [game.result.forfeit for game, _ in games if game.points(command) == 0]
        figures: dict[str, float] = {
            "games": len(games),
            "won": points.count(1),
            "drawn": points.count(0.5),
            "lost": points.count(0),
            "forfeits": sum(forfeit is not None for forfeit in lost),
            "score": score.score,
            "error": score.error,
            "elo": score.elo,
            "elo_error": score.elo_error,
            "mean_s": fmean([game.result.used_s.get(color, 0.0) for game, color in games] or [0]),
            "longest_s": max(
                (game.result.longest_s.get(color, 0.0) for game, color in games), default=0.0
            ),
        }
        if self._sprt is not None and command is self.commands[0]:
            figures["log_ratio"] = self._sprt.log_ratio(self.pairs(command))
        return figures
