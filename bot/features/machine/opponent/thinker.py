"""The questions that the rest of the bot asks the machine, wherever that thinks."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from bot.play.model.thoughts import Thought
from dvonn import Move, Position, Review
from dvonn.puzzles import Puzzle


class Thinker(Protocol):
    """The machine: in processes of this host, or of another one."""

    @property
    def at_once(self) -> int:
        """The number of questions that it is worth asking at the same time."""

    async def choose(self, position: Position, *, level: int, seed: int) -> Move:
        """Return the machine's move, as `Machine.choose` tells."""

    async def judge(self, boards: Iterable[Position], *, level: int, seed: int) -> list[int]:
        """Return the worth of full boards to White, in points."""

    async def analyse(self, position: Position) -> tuple[Thought, ...]:
        """Return the best ways to go on from a position that is not over, the best first."""

    async def review(self, game: int, moves: Sequence[Move], *, placements: int) -> Review:
        """Return the review of a whole game."""

    async def puzzles(self, game: int, moves: Sequence[Move]) -> tuple[Puzzle, ...]:
        """Return the puzzles of a game that is over."""
