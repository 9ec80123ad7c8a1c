"""The declaration of the feature."""

from bot.features.exercises.doors import EXERCISES
from bot.features.puzzles import doors
from bot.features.puzzles.dailies import Dailies
from bot.features.puzzles.delivery import DailyKind, recurring
from bot.features.puzzles.model import NoDailyPuzzle, NoPuzzleLeft, NoServerPuzzle
from bot.features.puzzles.use_cases import Puzzles, make_puzzles
from bot.features.puzzles.words.dailies import PUZZLE_SWITCH
from bot.features.puzzles.words.puzzles import PUZZLE_TOPIC, no_puzzle
from bot.features.reviews.reviewer import AFTER_REVIEW
from bot.play.seams import Feature
from bot.play.words.help import TOPICS

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
