"""The declaration of the feature."""

from bot.guide.words.help import WAYS_TO_LEARN
from bot.play.seams import Feature
from bot.play.words.help import HelpPart
from school.exercises.handlers import EXERCISES
from school.lessons.handlers import Lessons, learn
from school.lessons.use_cases import Learning
from school.lessons.words.lessons import how_to_learn, learn_of_help
from school.lessons.words.lessons import learn as learn_button

LESSONS = Feature(
    name="lessons",
    needs=("exercises",),
    factories=(Learning,),
    extends=(EXERCISES.extended_by(Lessons), WAYS_TO_LEARN.extended_by(learn_button)),
    commands={1: (learn,)},
    help=HelpPart(buttons=learn_of_help, paragraphs=how_to_learn),
)
