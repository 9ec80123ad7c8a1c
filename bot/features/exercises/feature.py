"""The declaration of the feature."""

from bot.features.exercises.doors import (
    ExerciseButton,
    ExerciseSelect,
    TypedAnswers,
    read_answer,
    read_start,
)
from bot.play.seams import Feature

EXERCISES = Feature(
    name="exercises",
    buttons=(ExerciseButton, ExerciseSelect),
    forms=(read_answer, read_start),
    typed=TypedAnswers,
)
