"""Declaration of the feature `PRACTICE`."""

from bot.play.seams import Feature
from school.exercises.handlers import EXERCISES
from school.practice.handlers import MistakeExercise, PracticeButton
from school.practice.use_cases import NothingDue, Practicing
from school.practice.words import nothing_due, practise_of_overview
from school.reviews.words.reviews import OVERVIEW_BUTTONS

PRACTICE = Feature(
    name="practice",
    needs=("exercises", "explore", "reviews"),
    refusals={NothingDue: nothing_due},
    factories=(Practicing,),
    extends=(
        EXERCISES.extended_by(MistakeExercise),
        OVERVIEW_BUTTONS.extended_by(practise_of_overview),
    ),
    buttons=(PracticeButton,),
)
