"""Declaration of the feature `EXERCISES`."""

from bot.play.seams import Feature
from school.exercises.handlers import (
    ExerciseButton,
    ExerciseSelect,
    TypedAnswers,
    read_answer,
    read_start,
)

EXERCISES = Feature(
    name="exercises",
    buttons=(ExerciseButton, ExerciseSelect),
    forms=(read_answer, read_start),
    typed=TypedAnswers,
)
