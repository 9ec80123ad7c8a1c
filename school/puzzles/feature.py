"""The declaration of the feature."""

from bot.guide.topics import TOPICS
from bot.play.seams import Feature
from school.exercises.doors import EXERCISES
from school.puzzles import doors
from school.puzzles.dailies import Dailies
from school.puzzles.delivery import DailyKind, recurring
from school.puzzles.model import NoDailyPuzzle, NoPuzzleLeft, NoServerPuzzle
from school.puzzles.use_cases import Puzzles, make_puzzles
from school.puzzles.words.dailies import PUZZLE_SWITCH
from school.puzzles.words.puzzles import PUZZLE_TOPIC, no_puzzle
from school.reviews.reviewer import AFTER_REVIEW

PUZZLES = Feature(
    name="puzzles",
    needs=("exercises", "machine", "practice", "reviews"),
    refusals=dict.fromkeys((NoPuzzleLeft, NoDailyPuzzle, NoServerPuzzle), no_puzzle),
    switches=(PUZZLE_SWITCH,),
    place_settings=doors.PLACE_SETTINGS,
    makes=(Puzzles, Dailies),
    extends=(
        EXERCISES.extended_by(doors.PuzzleExercise),
        AFTER_REVIEW.extended_by(make_puzzles),
        TOPICS.extended_by(PUZZLE_TOPIC),
    ),
    deliveries=(DailyKind,),
    recurring=recurring,
    commands={3: (doors.puzzle,)},
    buttons=(doors.MyPuzzlesButton, doors.DailyTableButton),
)
