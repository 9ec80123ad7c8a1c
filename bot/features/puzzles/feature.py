"""The declaration of the feature."""

from bot.features.puzzles.delivery import DailyKind, recurring
from bot.features.puzzles.doors.buttons import DailyTableButton, MyPuzzlesButton
from bot.features.puzzles.doors.command import puzzle
from bot.features.puzzles.doors.place_settings import PLACE_SETTINGS
from bot.features.puzzles.exercise import PuzzleExercise
from bot.features.puzzles.game_puzzles import GamePuzzles
from bot.features.puzzles.refusals import NoDailyPuzzle, NoPuzzleLeft, NoServerPuzzle
from bot.features.puzzles.use_cases.dailies import Dailies
from bot.features.puzzles.use_cases.puzzles import Puzzles
from bot.features.puzzles.words.puzzles import no_puzzle
from bot.features.puzzles.words.settings import PUZZLE_SWITCH
from bot.play.seams import Feature

PUZZLES = Feature(
    name="puzzles",
    needs=("exercises", "machine", "practice", "ratings", "reviews"),
    refusals=dict.fromkeys((NoPuzzleLeft, NoDailyPuzzle, NoServerPuzzle), no_puzzle),
    switches=(PUZZLE_SWITCH,),
    place_settings=PLACE_SETTINGS,
    makes=(PuzzleExercise.offered, Puzzles, GamePuzzles, Dailies),
    deliveries=(DailyKind,),
    recurring=recurring,
    commands={3: (puzzle,)},
    buttons=(MyPuzzlesButton, DailyTableButton),
)
