"""Declaration of the feature `LESSONS`."""

from bot.play.seams import Feature
from bot.play.words.help import HelpPart
from school.exercises.handlers import EXERCISES
from school.lessons.handlers import Lessons, learn
from school.lessons.use_cases import Learning
from school.lessons.words.lessons import how_to_learn, learn_of_help

LESSONS = Feature(
    name="lessons",
    needs=("exercises",),
    factories=(Learning,),
    extends=(EXERCISES.extended_by(Lessons),),
    commands={1: (learn,)},
    help=HelpPart(buttons=learn_of_help, paragraphs=how_to_learn),
)
