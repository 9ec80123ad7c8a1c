"""Examples of texts about guesses."""

from collections.abc import Iterator
from dataclasses import replace

from bot.play.game_changes import GameUpdate
from club.guesses.hook import GuessAddition
from club.guesses.model import CannotGuess, Guesser, GuessProblem, Reveal
from club.guesses.use_cases import Ranking
from club.guesses.words import guess_form, guess_landings, guess_picker, guess_table, guessed
from tests.bot.play.example_texts import END, MOVING, ExampleTexts, whole_game
from tests.bot.replayed import ANN, BOB, CID

EXAMPLE_TEXTS: ExampleTexts = {
    "guess_form": lambda who: guess_form(who, MOVING),
    "guess_landings": lambda who: [
        guess_landings(who, MOVING, source)
        for source in sorted({move.source for move in MOVING.position.legal_moves() if move.source})
    ],
    "guess_picker": lambda who: [
        guess_picker(who, MOVING, called) for called in (None, MOVING.position.legal_moves()[0])
    ],
    "guess_table": lambda who: [
        guess_table(who, game, Ranking(some, own), CID)
        for game in (MOVING, END[-1])
        for some in ((), (Guesser(CID, 2, 3), Guesser(BOB, 1, 1)))
        for own in (None, Guesser(ANN, 0, 1))
    ],
    "guessed": lambda who: guessed(who, MOVING, MOVING.position.legal_moves()[0]),
}


def boards_of() -> Iterator[GameUpdate]:
    """Boards that tell who has guessed a move."""
    updates = whole_game()[1]
    for right, count in (((), 1), ((), 2), ((CID,), 1), ((CID,), 2), ((CID,) * 4, 5)):
        reveals = (Reveal(updates[-1].game.row.revision, right, count),)
        yield replace(updates[-1], additions=(GuessAddition(reveals),))


BOARDS = boards_of
REFUSED = [CannotGuess(problem) for problem in GuessProblem]
