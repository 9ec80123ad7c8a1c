"""What the feature adds to the game."""

from bot.features.guesses.doors import CallButton, CallLandingButton, CallStackSelect, read_called
from bot.features.guesses.hook import GuessHook
from bot.features.guesses.use_cases import Calling
from bot.play.seams import Feature
from bot.play.use_cases.cases import UseCases


def _makes(cases: UseCases) -> tuple[object, ...]:
    return (Calling(cases.store, cases.archive, now=cases.now), GuessHook(cases.store))


GUESSES = Feature(
    name="guesses",
    makes=_makes,
    buttons=(CallButton, CallStackSelect, CallLandingButton),
    forms=(read_called,),
)
