"""Examples of the pages of /help."""

from dataclasses import replace
from typing import Final

import dvonn
from bot.base import ids
from bot.base.languages import Reader
from bot.guide.words.help import PAGES, status_page
from bot.play.model import refused_starts as starts
from tests.bot.composition.test_help import around, help_page, venue
from tests.bot.play import test_messages as known
from tests.bot.play.example_texts import GAME, LONG_ID, ExampleTexts
from tests.bot.play.test_clocks import FISCHER
from tests.bot.replayed import CID, play, started


def helped(who: Reader) -> list[object]:
    game, full = (
        play(started(), *GAME[:60])[0],
        starts.WrongChannel(frozenset({ids.ChannelId(LONG_ID)})),
    )
    slow = {"reads_messages": False, "slowmode": True, "venue": venue(1, 2, threads=False)}
    visited = replace(game, row=replace(game.row, clock=FISCHER, visiting=True))
    visiting = replace(venue(1, 1, threads=False), visiting=True)
    places = [
        around(),
        around(visited, venue=visiting),
        around(venue=visiting, obstacle=starts.OnlyPrivately()),
        around(game, **slow),
        around(venue=venue(1, 1, threads=False), obstacle=full),
        around(game, asker=CID),
        around(started(dvonn.Coordinates.PERGIOCO)),
        around(venue=venue(1, 1, threads=False)),
    ]
    own = replace(who, coordinates=dvonn.Coordinates.PERGIOCO)
    return [
        *(help_page(who, page, place) for page in PAGES for place in places),
        help_page(own, PAGES[-1], around()),
    ]


EXAMPLE_TEXTS: Final[ExampleTexts] = {
    "help_page": helped,
    "status_page": lambda who: [status_page(who, now) for now in (known.WELL, known.ILL)],
}
