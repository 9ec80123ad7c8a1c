"""What guesses say, as functions of whoever reads it."""

from collections.abc import Iterator
from dataclasses import replace

from bot.features.guesses.hook import Revealed
from bot.features.guesses.model import Caller, Reveal
from bot.features.guesses.refusals import CallProblem, CannotCall
from bot.features.guesses.use_cases import Standings
from bot.features.guesses.words import call_form, call_landings, call_picker, call_table
from bot.features.guesses.words import called as called_post
from bot.play.use_cases.update import Update
from tests.bot.play.said import END, MOVING, Table, whole_game
from tests.bot.replayed import ANN, BOB, CID

SAID: Table = {
    "call_form": lambda who: call_form(who, MOVING),
    "call_landings": lambda who: [
        call_landings(who, MOVING, source)
        for source in {move.source for move in MOVING.position.legal_moves() if move.source}
    ],
    "call_picker": lambda who: [
        call_picker(who, MOVING, called) for called in (None, MOVING.position.legal_moves()[0])
    ],
    "call_table": lambda who: [
        call_table(who, game, Standings(some, own), CID)
        for game in (MOVING, END[-1])
        for some in ((), (Caller(CID, 2, 3), Caller(BOB, 1, 1)))
        for own in (None, Caller(ANN, 0, 1))
    ],
    "called": lambda who: called_post(who, MOVING, MOVING.position.legal_moves()[0]),
}


def boards_of() -> Iterator[Update]:
    """Boards that tell who has guessed a move."""
    updates = whole_game()[1]
    for right, count in (((), 1), ((), 2), ((CID,), 1), ((CID,), 2), ((CID,) * 4, 5)):
        reveals = (Reveal(updates[-1].game.row.revision, right, count),)
        yield replace(updates[-1], aftermath=(Revealed(reveals),))


BOARDS = boards_of
REFUSED = [CannotCall(problem) for problem in CallProblem]
