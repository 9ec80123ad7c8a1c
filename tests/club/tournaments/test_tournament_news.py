"""Tests of a tournament's announcements, as rows: each once, in the right place."""

from collections.abc import Iterable
from dataclasses import replace

from bot.database.delivery_rows import NewDelivery
from club.tournaments.model.results import Correction
from club.tournaments.model.tournament import TournamentFormat
from club.tournaments.use_cases.news import (
    EVENT,
    NEWS,
    PAIRING,
    News,
    announced,
    asked,
    begun,
    called,
    corrected,
    news,
    scheduled,
)
from tests.club.tournaments.toured import CHANNEL, GUILD, NOW, running, tournament


def test_news() -> None:
    assert news(running(), News.RESULTS, number=2) == NewDelivery(
        kind=NEWS,
        key="12-results-2",
        guild=GUILD,
        channel=CHANNEL,
        data={"tournament": 12, "what": "results", "round": 2},
    )
    assert news(running(), News.ENDED).data == {"tournament": 12, "what": "ended", "round": 0}


def seats(rows: Iterable[NewDelivery]) -> list[tuple[str, object]]:
    return [(row.key, row.data.get("seeds")) for row in rows]


def test_presence_questions_take_as_many_messages_as_names_need() -> None:
    for players in (2, 60):
        assert seats(asked(tournament(players))) == [("12-check_in-0", None)]
    found = tournament(128)
    rows = asked(found)
    assert seats(rows) == [
        ("12-check_in-0", [1, 60]),
        ("12-called-1", [61, 120]),
        ("12-called-2", [121, 128]),
    ]
    whom = [who for row in rows for who in called(found, row.data)]
    assert whom == [entrant.player for entrant in found.entrants], "everybody once"


def test_each_message_keeps_its_pings_when_players_join_or_leave() -> None:
    found = tournament(70)
    first, second = asked(found)
    later = replace(found, entrants=(replace(found.entrants[60], checked_in=True),))
    assert called(later, second.data) == ()
    left = replace(found, entrants=found.entrants[10:])
    assert called(left, first.data) == tuple(entrant.player for entrant in found.entrants[10:60])
    assert called(left, second.data) == tuple(entrant.player for entrant in found.entrants[60:])


def test_each_correction_is_announced() -> None:
    found = running()
    right = Correction(found, found.pairings[1], found.pairings[2:])
    assert corrected(found, right) == NewDelivery(
        kind=NEWS,
        key="12-corrected-1",
        guild=GUILD,
        channel=CHANNEL,
        data={
            "tournament": 12,
            "what": "corrected",
            "round": 1,
            "board": 2,
            "called_off": [[2, 1], [2, 2]],
        },
    )
    assert corrected(replace(found, version=2), right).key == "12-corrected-2"


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
        kind=EVENT, key="12", guild=GUILD, channel=CHANNEL, data={"tournament": 12, "begins": None}
    )
    planned = scheduled(tournament(begins_at=NOW))
    assert planned.data["begins"] == int(NOW.timestamp())


def test_the_start_is_announced_if_no_pairing_does_it() -> None:
    for kind in TournamentFormat:
        found = running(format=kind)
        is_ladder = kind is TournamentFormat.LADDER
        assert begun(found) == ([news(found, News.ROUND, number=1)] if is_ladder else [])
