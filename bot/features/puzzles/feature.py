"""What the feature adds to the game."""

from bot.features.exercises.base import Exercises
from bot.features.puzzles.doors.buttons import DailyTableButton, MyPuzzlesButton
from bot.features.puzzles.doors.command import puzzle
from bot.features.puzzles.exercise import PuzzleExercise
from bot.features.puzzles.use_cases.dailies import Dailies
from bot.features.puzzles.use_cases.puzzles import Puzzles
from bot.play.seams import Feature
from bot.play.use_cases.cases import UseCases


def _makes(cases: UseCases) -> tuple[object, ...]:
    cases.of(Exercises).add(PuzzleExercise)
    return (
        Puzzles(cases.store, cases.fair_play, now=cases.now, rng=cases.rng),
        Dailies(cases.store, now=cases.now),
    )


PUZZLES = Feature(
    name="puzzles",
    needs=("exercises", "practice", "ratings", "reviews"),
    makes=_makes,
    commands={3: (puzzle,)},
    buttons=(MyPuzzlesButton, DailyTableButton),
)
