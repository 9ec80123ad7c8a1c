"""The declaration of the feature."""

from bot.play.doors.board_buttons import WATCHING, Watching
from bot.play.seams import Feature
from bot.play.words.help import HelpPart
from club.guesses import doors
from club.guesses.hook import GuessHook
from club.guesses.model import CannotGuess
from club.guesses.use_cases import Guessing
from club.guesses.words import cannot_guess, guess_of_board, guess_of_page, how_to_guess

GUESSES = Feature(
    name="guesses",
    refusals={CannotGuess: cannot_guess},
    makes=(Guessing, GuessHook),
    extends=(
        WATCHING.extended_by(Watching(pick=doors.show_guess_picker, type=doors.show_guess_form)),
    ),
    buttons=(doors.GuessButton, doors.GuessStackButton, doors.GuessLandingButton),
    forms=(doors.read_guess,),
    page={0: (guess_of_page,)},
    board=(guess_of_board,),
    typed=doors.TypedGuesses,
    help=HelpPart(of_game=how_to_guess),
)
