"""Declaration of the feature `GUESSES`."""

from typing import Final

from bot.play.handlers.interactions import SpectatorActions
from bot.play.seams import Feature
from bot.play.words.help import HelpPart
from bot.replay.parts import GAME_PAGE, Part
from club.guesses import handlers
from club.guesses.hook import GuessHook
from club.guesses.model import CannotGuess
from club.guesses.use_cases import Guessing
from club.guesses.words import cannot_guess, guess_of_board, guess_of_page, how_to_guess

GUESSES = Feature(
    name="guesses",
    refusals={CannotGuess: cannot_guess},
    factories=(Guessing, GuessHook),
    extends=(GAME_PAGE.extended_by(Part(0, guess_of_page)),),
    buttons=(handlers.GuessButton, handlers.GuessStackButton, handlers.GuessLandingButton),
    forms=(handlers.read_guess,),
    board=(guess_of_board,),
    typed=handlers.TypedGuesses,
    help=HelpPart(of_game=how_to_guess),
)
SPECTATORS: Final = SpectatorActions(pick=handlers.show_guess_picker, type=handlers.show_guess_form)
