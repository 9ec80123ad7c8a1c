"""The interface between the game and the machine: the questions that it answers."""

from abc import ABC, abstractmethod
from typing import Protocol

from bot.base.ids import UserId
from bot.play.model.engine_thoughts import Thought
from dvonn import GameRecord, Move, Position, Review
from dvonn.machine import LEVELS
from dvonn_lessons.puzzles import Puzzle


class MachineBackend(Protocol):
    """The machine, on this host or on another one."""

    @property
    def at_once(self) -> int:
        """Number of questions that can usefully be asked at the same time."""

    async def choose(self, position: Position, *, level: int, seed: int) -> Move:
        """Return the machine's move, like `Machine.choose`."""

    async def analyse(self, position: Position) -> tuple[Thought, ...]:
        """Return the best continuations of an unfinished position, best first."""

    async def review(
        self, game: int, record: GameRecord, *, placements: int, closer: bool = False
    ) -> Review:
        """Return the review of a whole game. A closer review runs when nothing else does."""

    async def puzzles(self, game: int, record: GameRecord) -> tuple[Puzzle, ...]:
        """Return the puzzles of an ended game."""


class Opponent(ABC):
    """The machine as people's opponent. It exists if the machine is switched on."""

    levels: range = LEVELS
    """The levels that it can play. If they include the strongest, it also reviews games."""

    @property
    def fault(self) -> str | None:
        """The reason why people get no answers, or None."""
        return None

    @property
    @abstractmethod
    def thinker(self) -> MachineBackend:
        """The machine, for questions that no user is waiting for."""

    @abstractmethod
    async def analyse(self, position: Position, *, user: UserId) -> tuple[Thought, ...]:
        """Return the best continuations of an unfinished position, best first."""

    @abstractmethod
    async def review(self, record: GameRecord, *, board: int, user: UserId) -> Review:
        """Return the review of a record. Its first placements are the players' own."""
