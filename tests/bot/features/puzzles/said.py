"""What puzzles say, as functions of whoever reads it."""

from bot.features.puzzles.model import NoDailyPuzzle, NoPuzzleLeft, NoServerPuzzle
from tests.bot.features.puzzles import exercised
from tests.bot.play.said import Table

SAID: Table = {
    **exercised.SAID,
}

REFUSED = [NoPuzzleLeft(), NoServerPuzzle(), NoDailyPuzzle()]
