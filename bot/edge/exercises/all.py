"""Exercises: what somebody does alone, on a board of their own. `base` tells how to add one."""

from bot.edge.desk import Desk
from bot.edge.exercises.base import Exercise
from bot.edge.exercises.lessons import Lessons
from bot.edge.exercises.mistakes import MistakeExercise
from bot.edge.exercises.puzzle import PuzzleExercise
from bot.model.exercises import ExerciseSpot
from bot.model.refusals.looking import NoSuchPly

ALL: tuple[type[Exercise], ...] = (Lessons, PuzzleExercise, MistakeExercise)


def exercise_of(desk: Desk, spot: ExerciseSpot) -> Exercise:
    """The exercise that a spot is of.

    Raises:
        NoSuchPly: if this version has none of that name.
    """
    for kind in ALL:
        if kind.name == spot.exercise:
            return kind(desk)
    raise NoSuchPly
