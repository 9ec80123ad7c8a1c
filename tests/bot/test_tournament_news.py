"""What is told of a tournament, as rows: each once, where its people read it."""

from dataclasses import replace

from bot.games.tournaments import EVENT, NEWS, PAIRING, News
from bot.games.tournaments.telling import announced, begun, corrected, news, scheduled
from bot.model.tournaments import TournamentFormat
from bot.store.rows import NewDelivery
from tests.bot.toured import CHANNEL, GUILD, NOW, running, tournament


def test_news() -> None:
    assert news(running(), News.RESULTS, number=2) == NewDelivery(
        kind=NEWS,
        key="12-results-2",
        guild=GUILD,
        channel=CHANNEL,
        data={"tournament": 12, "what": "results", "round": 2},
    )
    assert news(running(), News.ENDED).data == {"tournament": 12, "what": "ended", "round": 0}


def test_a_correction_is_told_each_time() -> None:
    found = running()
    assert corrected(found, found.pairings[1]) == NewDelivery(
        kind=NEWS,
        key="12-corrected-1",
        guild=GUILD,
        channel=CHANNEL,
        data={"tournament": 12, "what": "corrected", "round": 1, "board": 2},
    )
    assert corrected(replace(found, version=2), found.pairings[1]).key == "12-corrected-2"


def test_a_pairing_is_announced_once() -> None:
    found = running()
    assert announced(found, found.pairings[3]) == NewDelivery(
        kind=PAIRING,
        key="12-2-2",
        guild=GUILD,
        channel=CHANNEL,
        data={"tournament": 12, "round": 2, "board": 2},
    )


def test_a_start_is_an_event() -> None:
    assert scheduled(tournament()) == NewDelivery(
        kind=EVENT,
        key="12",
        guild=GUILD,
        channel=CHANNEL,
        data={"tournament": 12, "begins": None},
    )
    planned = scheduled(tournament(begins_at=NOW))
    assert planned.data["begins"] == int(NOW.timestamp())


def test_that_it_begins_is_told_where_no_pairing_tells_it() -> None:
    for kind in TournamentFormat:
        found = running(format=kind)
        told = [] if kind.has_rounds else [news(found, News.ROUND, number=1)]
        assert begun(found) == told
