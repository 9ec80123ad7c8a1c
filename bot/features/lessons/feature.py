"""The declaration of the feature."""

from bot.features.exercises.doors import EXERCISES
from bot.features.lessons.doors import Lessons, learn
from bot.features.lessons.use_cases import Learning
from bot.features.lessons.words.lessons import how_to_learn, learn_of_help
from bot.features.lessons.words.lessons import learn as learn_button
from bot.play.seams import Feature
from bot.play.words.help import WAYS_TO_LEARN, HelpPart

LESSONS = Feature(
    name="lessons",
    needs=("exercises",),
    makes=(Learning,),
    extends=(EXERCISES.extended_by(Lessons), WAYS_TO_LEARN.extended_by(learn_button)),
    commands={1: (learn,)},
    help=HelpPart(buttons=learn_of_help, paragraphs=how_to_learn),
)
