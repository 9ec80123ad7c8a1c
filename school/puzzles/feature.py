"""Declaration of the feature `PUZZLES`."""

from bot.guide.topics import TOPICS
from bot.play.seams import Feature
from school.exercises.handlers import EXERCISES
from school.puzzles import handlers
from school.puzzles.dailies import Dailies
from school.puzzles.delivery import DailyHandler, recurring
from school.puzzles.model import NoDailyPuzzle, NoPuzzleLeft, NoServerPuzzle
from school.puzzles.use_cases import Puzzles, make_puzzles
from school.puzzles.words.dailies import PUZZLE_SWITCH
from school.puzzles.words.puzzles import PUZZLE_TOPIC, no_puzzle, puzzle_of_overview
from school.reviews.reviewer import AFTER_REVIEW
from school.reviews.words.reviews import OVERVIEW_BUTTONS

PUZZLES = Feature(
    name="puzzles",
    needs=("exercises", "practice", "reviews"),
    refusals=dict.fromkeys((NoPuzzleLeft, NoDailyPuzzle, NoServerPuzzle), no_puzzle),
    switches=(PUZZLE_SWITCH,),
    place_settings=handlers.PLACE_SETTINGS,
    factories=(Puzzles, Dailies),
    extends=(
        EXERCISES.extended_by(handlers.PuzzleExercise),
        AFTER_REVIEW.extended_by(make_puzzles),
        OVERVIEW_BUTTONS.extended_by(puzzle_of_overview),
        TOPICS.extended_by(PUZZLE_TOPIC),
    ),
    deliveries=(DailyHandler,),
    recurring=recurring,
    commands={3: (handlers.puzzle,)},
    buttons=(handlers.MyPuzzlesButton, handlers.DailyTableButton),
)
