"""What the feature adds to the game."""

from bot.features.puzzles.doors.place_settings import PLACE_SETTINGS
from bot.features.puzzles.use_cases.dailies import Dailies
from bot.features.puzzles.use_cases.puzzles import Puzzles
from bot.features.puzzles.words.settings import PUZZLE_SWITCH
from bot.play.seams import Feature
from bot.play.use_cases.cases import UseCases


def _makes(cases: UseCases) -> tuple[object, ...]:
    return (
        Puzzles(cases.store, cases.fair_play, now=cases.now, rng=cases.rng),
        Dailies(cases.store, now=cases.now),
    )


PUZZLES = Feature(
    name="puzzles",
    needs=("exercises",),
    switches=(PUZZLE_SWITCH,),
    place_settings=PLACE_SETTINGS,
    makes=_makes,
)
