"""The seam between the game and the machine: the questions that it answers, wherever it runs."""

from abc import ABC, abstractmethod
from typing import Protocol

from bot.base.ids import UserId
from bot.play.model.engine_thoughts import Thought
from dvonn import GameRecord, Move, Position, Review
from dvonn.machine import LEVELS
from dvonn.puzzles import Puzzle


class MachineBackend(Protocol):
    """The machine: on this host, or on another one."""

    @property
    def at_once(self) -> int:
        """The number of questions that it is worth asking at the same time."""

    async def choose(self, position: Position, *, level: int, seed: int) -> Move:
        """Return the machine's move, as `Machine.choose` does."""

    async def analyse(self, position: Position) -> tuple[Thought, ...]:
        """Return the best continuations of a position that is not over, best first."""

    async def review(
        self, game: int, record: GameRecord, *, placements: int, closer: bool = False
    ) -> Review:
        """Return the review of a whole game. A closer review runs after everything else."""

    async def puzzles(self, game: int, record: GameRecord) -> tuple[Puzzle, ...]:
        """Return the puzzles of a game that is over."""


class Opponent(ABC):
    """An opponent of people. If one is opened, there is a machine."""

    levels: range = LEVELS
    """The levels that it plays. If the strongest is among them, it reviews games, too."""

    @property
    def fault(self) -> str | None:
        """The reason why people get no answers, or None."""
        return None

    @property
    @abstractmethod
    def thinker(self) -> MachineBackend:
        """The machine, for questions that nobody waits for in person."""

    @abstractmethod
    async def analyse(self, position: Position, *, user: UserId) -> tuple[Thought, ...]:
        """Return the best continuations of a position that is not over, best first."""

    @abstractmethod
    async def review(self, record: GameRecord, *, board: int, user: UserId) -> Review:
        """Return the review of a record, whose first placements are the players' own."""
