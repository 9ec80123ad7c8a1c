"""The declaration of the feature."""

from datetime import timedelta
from typing import Final

from bot.features.exercises.base import Exercises
from bot.features.puzzles.delivery import DailyKind
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
from bot.features.reviews.reviewer import AfterReview
from bot.play.client_parts import Recurring, ShardContext
from bot.play.seams import Feature
from bot.play.use_cases.cases import UseCases

_DAILY_EVERY: Final = timedelta(seconds=5)


def _recurring(work: ShardContext) -> tuple[Recurring, ...]:
    """Return the look for servers whose puzzle of the day is due."""
    dailies = work.services.of(Dailies)
    return (Recurring(name="daily", every=_DAILY_EVERY, due=dailies.due, do=dailies.post),)


def _makes(cases: UseCases) -> tuple[object, ...]:
    cases.of(Exercises).add(PuzzleExercise)
    puzzles = Puzzles(cases.store, cases.fair_play, now=cases.now, rng=cases.rng)
    cases.add(GamePuzzles(puzzles), AfterReview)
    return puzzles, Dailies(cases.store, now=cases.now)


PUZZLES = Feature(
    name="puzzles",
    needs=("exercises", "machine", "practice", "ratings", "reviews"),
    refusals=dict.fromkeys((NoPuzzleLeft, NoDailyPuzzle, NoServerPuzzle), no_puzzle),
    switches=(PUZZLE_SWITCH,),
    place_settings=PLACE_SETTINGS,
    makes=_makes,
    deliveries=lambda made: (DailyKind(made),),
    recurring=_recurring,
    commands={3: (puzzle,)},
    buttons=(MyPuzzlesButton, DailyTableButton),
)
