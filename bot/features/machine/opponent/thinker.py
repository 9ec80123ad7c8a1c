"""Questions to the machine, wherever it runs."""

from enum import StrEnum
from typing import Protocol

from bot.play.model.engine_thoughts import Thought
from dvonn import GameRecord, Move, Position, Review
from dvonn.puzzles import Puzzle


class MachineBackend(Protocol):
    """The machine: in processes of this host, or of another one."""

    @property
    def at_once(self) -> int:
        """The number of questions that it is worth asking at the same time."""

    async def choose(self, position: Position, *, level: int, seed: int) -> Move:
        """Return the machine's move, as `Machine.choose` tells."""

    async def analyse(self, position: Position) -> tuple[Thought, ...]:
        """Return the best continuations of a position that is not over, best first."""

    async def review(
        self, game: int, record: GameRecord, *, placements: int, closer: bool = False
    ) -> Review:
        """Return the review of a whole game, or a closer one, which runs after everything else."""

    async def puzzles(self, game: int, record: GameRecord) -> tuple[Puzzle, ...]:
        """Return the puzzles of a game that is over."""


class QuestionKind(StrEnum):
    """The kinds of questions."""

    CHOOSE = "choose"
    ANALYSE = "analyse"
    REVIEW = "review"
    PUZZLES = "puzzles"
    CLOSER = "closer"

    @property
    def priority(self) -> int:
        """The lowest number goes first: moves, hints, reviews, then background work."""
        match self:
            case QuestionKind.CHOOSE:
                return 0
            case QuestionKind.ANALYSE:
                return 1
            case QuestionKind.REVIEW | QuestionKind.PUZZLES:
                return 2
            case QuestionKind.CLOSER:
                return 3

    @property
    def is_waited_for(self) -> bool:
        """True if a person watches the screen until the answer comes."""
        return self in (QuestionKind.CHOOSE, QuestionKind.ANALYSE)
