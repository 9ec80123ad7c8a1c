"""The declaration of the feature."""

from bot.features.practice.doors import MistakeExercise, PractiseButton
from bot.features.practice.use_cases import NothingDue, Practising
from bot.features.practice.words import nothing_due, practise_of_overview
from bot.features.reviews.words.reviews import OverviewPart
from bot.play.seams import Feature

PRACTICE = Feature(
    name="practice",
    needs=("exercises", "explore", "reviews"),
    refusals={NothingDue: nothing_due},
    makes=(MistakeExercise.offered, lambda _: OverviewPart(practise_of_overview), Practising),
    buttons=(PractiseButton,),
)
