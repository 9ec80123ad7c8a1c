"""A match of two programs: many games from many starts, and the figures of its result.

Each start is played twice, with both colours. The referee is `dvonn.Position`; the side that sends
an illegal move, or none, loses, and that is reported. Programs of CodeCup get full boards as
`--state=TEXT`.

As many games run at once as `jobs` says: in each of them one side thinks at a time, so keep it
below the number of cores. A limit for each move is the programs' own matter, and the longest wait
is reported.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, field
from statistics import fmean

from benchmarks.matches.program import Command
from benchmarks.matches.referee import MatchResult, RefereedGame, state_of
from benchmarks.matches.starts import STARTS
from benchmarks.matches.statistics import Sprt, estimate
from dvonn import Color


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A game to play, with the color of `one`."""

    number: int
    start_seed: int
    one: Color


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchGame:
    """A game of a match."""

    task: Task
    outcome: MatchResult

    @property
    def points(self) -> float:
        """The points of the first program."""
        white = self.outcome.white_points
        return white if self.task.one is Color.WHITE else 1 - white

    def of_one(self, figures: dict[Color, float]) -> float:
        """Return the figure of the first program."""
        return figures[self.task.one]

    def of_other(self, figures: dict[Color, float]) -> float:
        """Return the figure of the second program."""
        return figures[self.task.one.opponent]


@dataclass(slots=True, kw_only=True)
class Match:
    """A match, and its games so far.

    Attributes:
        one: The program whose score is counted.
        other: Its opponent.
        starts: Name of the starts in STARTS. Each start is played with both colors.
        games: Maximum number of games.
        seed: Seed of the first start. The next pair has the next number.
        gametime_s: Time of each side for a whole game, or None for no limit.
        sprt: A test that ends the match as soon as it decides, or None to play all games.
        write: Called with each game, for the file of results.
        tell: Called with a line of text after each game.
    """

    one: Command
    other: Command
    starts: str
    games: int
    seed: int
    gametime_s: float | None = None
    sprt: Sprt | None = None
    write: Callable[[dict[str, object]], object] = field(default=lambda _: None)
    tell: Callable[[str], object] = field(default=lambda _: None)
    played: list[MatchGame] = field(default_factory=list)
    """The games in the order of their ends."""

    async def play(self, jobs: int) -> None:
        """Play all games, or until the sequential test decides."""
        tasks = deque(self._tasks())

        async def work() -> None:
            while tasks and self.verdict is None:
                task = tasks.popleft()
                self._add(MatchGame(task=task, outcome=await self._game(task)))

        async with asyncio.TaskGroup() as group:
            for _ in range(jobs):
                group.create_task(work())

    def _tasks(self) -> Iterator[Task]:
        for number in range(self.games):
            color = Color.BLACK if number % 2 else Color.WHITE
            yield Task(number=number, start_seed=self.seed + number // 2, one=color)

    async def _game(self, task: Task) -> MatchResult:
        start = STARTS[self.starts](task.start_seed)
        state = state_of(start)
        async with AsyncExitStack() as stack:
            programs = {}
            for color in Color:
                command = self.one if color is task.one else self.other
                running = command.running(seed=2 * task.number + 1, state=state)
                programs[color] = await stack.enter_async_context(running)
            return await RefereedGame(programs, start=start, gametime_s=self.gametime_s).play()

    def _add(self, game: MatchGame) -> None:
        self.played.append(game)
        task, outcome = game.task, asdict(game.outcome)
        outcome["moves"] = " ".join(game.outcome.moves)
        self.write({"game": task.number, "start_seed": task.start_seed, "one": task.one} | outcome)
        if game.outcome.forfeit:
            self.tell(f"game {task.number}: {game.outcome.forfeit}\n")
        so_far = estimate(self.pairs)
        self.tell(
            f"{len(self.played)} games: {self.one.name} {100 * so_far.score:.1f}"
            f" ± {100 * so_far.error:.1f}%\n"
        )

    @property
    def pairs(self) -> list[float]:
        """The scores of the pairs whose games have both ended."""
        halves: dict[int, float] = {}
        found = []
        for game in self.played:
            pair = game.task.number // 2
            if pair in halves:
                found.append((halves.pop(pair) + game.points) / 2)
            else:
                halves[pair] = game.points
        return found

    @property
    def verdict(self) -> str | None:
        """The verdict of the sequential test."""
        return None if self.sprt is None else self.sprt.verdict(self.pairs)

    def figures(self) -> dict[str, float]:
        """Return the result as numbers."""
        score, played = estimate(self.pairs), self.played
        white = estimate([game.outcome.white_points for game in played])
        points = [game.points for game in played]
        used = [game.outcome.used_s for game in played]
        longest = [game.outcome.longest_s for game in played]
        figures = {
            "games": len(played),
            "score_ratio": score.score,
            "error_ratio": score.error,
            "won": points.count(1),
            "drawn": points.count(0.5),
            "lost": points.count(0),
            "forfeits_one": sum(g.outcome.forfeit is not None and g.points == 0 for g in played),
            "forfeits_other": sum(g.outcome.forfeit is not None and g.points == 1 for g in played),
            "white_ratio": white.score,
            "one_s": fmean(g.of_one(used[n]) for n, g in enumerate(played)),
            "other_s": fmean(g.of_other(used[n]) for n, g in enumerate(played)),
            "one_longest_s": max(g.of_one(longest[n]) for n, g in enumerate(played)),
            "other_longest_s": max(g.of_other(longest[n]) for n, g in enumerate(played)),
        }
        if self.sprt is not None:
            figures["log_ratio"] = self.sprt.log_ratio(self.pairs)
        return figures
