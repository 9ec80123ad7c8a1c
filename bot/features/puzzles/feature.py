"""The declaration of the feature."""

from bot.features.puzzles import doors
from bot.features.puzzles.dailies import Dailies
from bot.features.puzzles.delivery import DailyKind, recurring
from bot.features.puzzles.model import NoDailyPuzzle, NoPuzzleLeft, NoServerPuzzle
from bot.features.puzzles.use_cases import GamePuzzles, Puzzles
from bot.features.puzzles.words.dailies import PUZZLE_SWITCH
from bot.features.puzzles.words.puzzles import no_puzzle
from bot.play.seams import Feature

PUZZLES = Feature(
    name="puzzles",
    needs=("exercises", "machine", "practice", "ratings", "reviews"),
    refusals=dict.fromkeys((NoPuzzleLeft, NoDailyPuzzle, NoServerPuzzle), no_puzzle),
    switches=(PUZZLE_SWITCH,),
    place_settings=doors.PLACE_SETTINGS,
    makes=(doors.PuzzleExercise.offered, Puzzles, GamePuzzles, Dailies),
    deliveries=(DailyKind,),
    recurring=recurring,
    commands={3: (doors.puzzle,)},
    buttons=(doors.MyPuzzlesButton, doors.DailyTableButton),
)
