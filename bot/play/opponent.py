"""The interface between the game and the machine."""

from abc import ABC, abstractmethod
from typing import Protocol

from bot.base.ids import UserId
from bot.play.model.engine_thoughts import Thought
from dvonn import GameRecord, Move, Position, Review
from dvonn.machine import LEVELS
from dvonn_lessons.puzzles import Puzzle


class MachineBackend(Protocol):
    """The machine, on this host or another."""

    @property
    def at_once(self) -> int:
        """Number of requests that can usefully be made at the same time."""

    async def choose(self, position: Position, *, level: int, seed: int) -> Move:
        """Return the machine's move, as `Machine.choose` does."""

    async def analyse(self, position: Position) -> tuple[Thought, ...]:
        """Return the best continuations of an unfinished position, best first."""

    async def review(
        self, game: int, record: GameRecord, *, placements: int, closer: bool = False
    ) -> Review:
        """Return the review of a whole game. A closer review runs when there is no other work."""

    async def puzzles(self, game: int, record: GameRecord) -> tuple[Puzzle, ...]:
        """Return the puzzles of an ended game."""


class Opponent(ABC):
    """The machine as an opponent. It exists only if the machine is switched on."""

    levels: range = LEVELS
    """The levels that the machine can play. With the strongest, it also reviews games."""

    @property
    def fault(self) -> str | None:
        """The reason why the machine doesn't respond, or None if it does."""
        return None

    @property
    @abstractmethod
    def thinker(self) -> MachineBackend:
        """The machine, for requests that no user is waiting for."""

    @abstractmethod
    async def analyse(self, position: Position, *, user: UserId) -> tuple[Thought, ...]:
        """Return the best continuations of an unfinished position, best first."""

    @abstractmethod
    async def review(self, record: GameRecord, *, board: int, user: UserId) -> Review:
        """Return the review of a record. Its first placements are the players' own."""
