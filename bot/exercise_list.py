"""Exercises: what somebody does alone, on a board of their own. `base` tells how to add one."""

from bot.features.exercises.base import Exercise
from bot.features.exercises.model import ExerciseSpot
from bot.features.lessons.exercise import Lessons
from bot.features.practice.exercise import MistakeExercise
from bot.features.puzzles.exercise import PuzzleExercise
from bot.play.doors.services import Desk
from bot.play.model.refusals.looking import NoSuchPly

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
