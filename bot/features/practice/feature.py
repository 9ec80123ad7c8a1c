"""The declaration of the feature."""

from bot.features.exercises.base import Exercises
from bot.features.practice.doors import PractiseButton
from bot.features.practice.exercise import MistakeExercise
from bot.features.practice.model import NothingDue
from bot.features.practice.use_cases import Practising
from bot.features.practice.words import nothing_due
from bot.features.reviews.use_cases import Reviews
from bot.play.seams import Feature
from bot.play.use_cases.cases import UseCases


def _makes(cases: UseCases) -> tuple[object, ...]:
    cases.of(Exercises).add(MistakeExercise)
    return (
        Practising(cases.store, cases.archive, cases.of(Reviews), cases.fair_play, now=cases.now),
    )


PRACTICE = Feature(
    name="practice",
    needs=("exercises", "explore", "reviews"),
    refusals={NothingDue: nothing_due},
    makes=_makes,
    buttons=(PractiseButton,),
)
