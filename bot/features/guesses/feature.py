"""What the feature adds to the game."""

from bot.features.guesses.hook import GuessHook
from bot.features.guesses.refusals import CannotCall
from bot.features.guesses.use_cases import Calling
from bot.features.guesses.words import cannot_call
from bot.play.seams import Feature
from bot.play.use_cases.cases import UseCases


def _makes(cases: UseCases) -> tuple[object, ...]:
    return (Calling(cases.store, cases.archive, now=cases.now), GuessHook(cases.store))


GUESSES = Feature(
    name="guesses",
    refusals={CannotCall: cannot_call},
    makes=_makes,
)
