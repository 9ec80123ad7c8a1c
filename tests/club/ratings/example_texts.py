"""Examples of texts about ratings."""

from collections.abc import Iterator
from dataclasses import replace

from bot.base.ids import NO_GUILD, GuildId
from bot.play.game_changes import GameUpdate
from bot.play.model.clock import Pace
from bot.play.model.events import Resigned
from club.ratings.hook import RatingAddition
from club.ratings.model import CannotRate, RatedResult, RateProblem, UnratedReason
from club.ratings.store import changes_in
from tests.bot.play.example_texts import NOW, RATED, ExampleTexts
from tests.bot.replayed import ANN, BOB, step


def judged() -> Iterator[GameUpdate]:
    """A rated game that counted, and others that did not."""
    update = step(RATED, Resigned(), ANN)[1]
    result = RatedResult(pace=Pace.SLOW, white=ANN, black=BOB, score=0.0)
    changes = tuple(
        item for guild in (GuildId(1), NO_GUILD) for item in changes_in(guild, result, {}, NOW)
    )
    for verdict in (changes, *UnratedReason):
        yield replace(update, additions=(RatingAddition(verdict),))


EXAMPLE_TEXTS: ExampleTexts = {}

REFUSED = [CannotRate(problem) for problem in RateProblem]

BOARDS = judged

REFUSED = [CannotRate(problem) for problem in RateProblem]
