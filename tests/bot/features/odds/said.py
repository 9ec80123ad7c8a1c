"""What odds say, as functions of whoever reads it."""

from collections.abc import Iterator
from dataclasses import replace

from bot.base.ids import ChallengeId
from bot.features.odds.hook import Climbed
from bot.features.odds.use_cases import Gap, Rung
from bot.features.odds.words import even_button, gap_line
from bot.play.game_changes import Update
from bot.play.model.events import Resigned
from bot.play.model.game import Game
from bot.play.model.offer_events import DrawAgreed
from bot.play.model.terms import Start
from dvonn.odds import odds_seed
from tests.bot.play.said import Table
from tests.bot.replayed import ANN, BOB, started, step


def _with_odds(steps: int) -> Game:
    row = replace(started().row, machine=BOB, level=3, start=Start.ODDS, seed=odds_seed(steps, 1))
    return replace(started(), row=row)


def boards() -> Iterator[Update]:
    """Games of the ladder at their end, lost, won and drawn."""
    for what, by in ((Resigned(), ANN), (Resigned(), BOB), (DrawAgreed(), ANN)):
        update = step(_with_odds(-5), what, by)[1]
        for rung in (Rung(3, 4), Rung(16, -4), Rung(5, 0)):
            yield replace(update, aftermath=(Climbed(rung),))


SAID: Table = {
    "gap_line": lambda who: gap_line(who, Gap(240, BOB)),
    "even_button": lambda who: even_button(who, ChallengeId(1)),
}

BOARDS = boards
