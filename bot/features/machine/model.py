"""What the machine is asked where it thinks in other processes."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any


class JobKind(StrEnum):
    """What is asked."""

    CHOOSE = "choose"
    """A move."""
    JUDGE = "judge"
    """What full boards are worth."""
    ANALYSE = "analyse"
    """How play may go on."""
    REVIEW = "review"
    """What is to be said of a game that is over."""
    PUZZLES = "puzzles"
    """Puzzles of a game that is over."""

    @property
    def is_patient(self) -> bool:
        """Whether it gives way to all that somebody waits for at a board."""
        return self in {JobKind.REVIEW, JobKind.PUZZLES}


class JobState(StrEnum):
    """How far it is."""

    WAITING = "waiting"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class MachineJob:
    """A question that is leased to this process.

    Attributes:
        question: as `bot.features.machine.opponent.questions` writes it.
        due_at: until when it is leased.
    """

    id: int
    kind: JobKind
    question: dict[str, Any]
    due_at: datetime
