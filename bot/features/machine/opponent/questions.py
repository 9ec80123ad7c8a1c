"""Kinds of questions to the machine, and their priorities."""

from enum import StrEnum


class QuestionKind(StrEnum):
    """Kinds of questions to the machine."""

    CHOOSE = "choose"
    ANALYSE = "analyse"
    REVIEW = "review"
    PUZZLES = "puzzles"
    CLOSER = "closer"

    @property
    def priority(self) -> int:
        """The priority, lowest number first: moves, hints, reviews, background work."""
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
    def has_waiting_user(self) -> bool:
        """True if a person is watching the screen until the answer arrives."""
        return self in (QuestionKind.CHOOSE, QuestionKind.ANALYSE)
