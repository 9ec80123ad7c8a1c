"""A primer of the rules and of basic strategy, as positions to solve.

>>> from dvonn import parse_move
>>> from dvonn_lessons.primer import find
>>> step = find("take")
>>> step.answer(parse_move("c5-c4")).right
True
>>> step.answer(parse_move("c4-c5")).refused.reason
<Reason.NOT_OWNER: 'not_owner'>

A step asks for a `Goal`, which is checked by the rules. The program that shows it supplies the
texts.
"""

from typing import Final

from dvonn_lessons.primer.chapters import CHAPTERS
from dvonn_lessons.primer.goals import (
    AnyMove,
    Best,
    CutOff,
    End,
    Free,
    Goal,
    KeepAll,
    LandOn,
    Overload,
    PlaceWell,
    Silence,
    movers,
)
from dvonn_lessons.primer.handbook import HANDBOOK, Example
from dvonn_lessons.primer.step import Chapter, PrimerStep, StepAnswer

__all__ = [
    "CHAPTERS",
    "HANDBOOK",
    "STEPS",
    "AnyMove",
    "Best",
    "Chapter",
    "CutOff",
    "End",
    "Example",
    "Free",
    "Goal",
    "KeepAll",
    "LandOn",
    "Overload",
    "PlaceWell",
    "PrimerStep",
    "Silence",
    "StepAnswer",
    "chapter_of",
    "find",
    "following",
    "movers",
]

STEPS: Final = tuple(step for chapter in CHAPTERS for step in chapter.steps)
"""The steps of all chapters, in order."""
_BY_NAME: Final = {step.name: step for step in STEPS}
_CHAPTER_OF: Final = {step.name: chapter for chapter in CHAPTERS for step in chapter.steps}


def find(name: str) -> PrimerStep:
    """Return the step with a name.

    Raises:
        KeyError: if there is none.
    """
    return _BY_NAME[name]


def chapter_of(step: PrimerStep) -> Chapter:
    """Return the chapter that a step belongs to."""
    return _CHAPTER_OF[step.name]


def following(step: PrimerStep) -> PrimerStep | None:
    """Return the next step (possibly in the next chapter), or None after the last."""
    number = STEPS.index(step) + 1
    return STEPS[number] if number < len(STEPS) else None
