"""The declaration of the feature."""

from bot.features.exercises.doors import EXERCISES
from bot.features.practice.doors import MistakeExercise, PractiseButton
from bot.features.practice.use_cases import NothingDue, Practising
from bot.features.practice.words import nothing_due, practise_of_overview
from bot.features.reviews.words.reviews import OVERVIEW_BUTTONS
from bot.play.seams import Feature

PRACTICE = Feature(
    name="practice",
    needs=("exercises", "explore", "reviews"),
    refusals={NothingDue: nothing_due},
    makes=(Practising,),
    extends=(
        EXERCISES.extended_by(MistakeExercise),
        OVERVIEW_BUTTONS.extended_by(practise_of_overview),
    ),
    buttons=(PractiseButton,),
)
