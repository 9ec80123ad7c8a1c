"""The declaration of the feature."""

from bot.features.guesses.doors import (
    CallButton,
    CallLandingButton,
    CallStackSelect,
    read_called,
    show_call_form,
    show_call_picker,
)
from bot.features.guesses.hook import GuessHook
from bot.features.guesses.refusals import CannotCall
from bot.features.guesses.use_cases import Calling
from bot.features.guesses.words import call_of_page, cannot_call, how_to_call
from bot.play.doors.watching import Watching
from bot.play.seams import Feature
from bot.play.use_cases.cases import UseCases
from bot.play.words.help import HelpPart


def _makes(cases: UseCases) -> tuple[object, ...]:
    return (
        Calling(cases.store, cases.archive, now=cases.now),
        GuessHook(cases.store),
        Watching(pick=show_call_picker, type=show_call_form),
    )


GUESSES = Feature(
    name="guesses",
    refusals={CannotCall: cannot_call},
    makes=_makes,
    buttons=(CallButton, CallStackSelect, CallLandingButton),
    forms=(read_called,),
    page={0: (call_of_page,)},
    help=HelpPart(of_game=how_to_call),
)
