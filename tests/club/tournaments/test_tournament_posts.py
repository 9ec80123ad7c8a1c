"""Tests for a tournament's posts in English, and of their buttons."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.base.languages import IN_ENGLISH
from bot.connection.posts import ButtonStyle, Post
from club.tournaments.model.standings import standings
from club.tournaments.model.tournament import (
    Tournament,
    TournamentFormat,
    TournamentState,
)
from club.tournaments.words.announcements import (
    tournament_announced,
    tournament_cancelled,
    tournament_check_in,
    tournament_ended,
)
from club.tournaments.words.games import tournament_games
from club.tournaments.words.standings import StandingsPage, tournament_picture, tournament_table
from tests.club.tournaments.toured import (
    FIRST,
    NOW,
    in_league,
    over,
    report,
    round_of,
    running,
    somebody,
    tournament,
)

ROBIN, SWISS, KNOCKOUT, LADDER, _ = TournamentFormat
CHECK_IN = replace(
    tournament(4, state=TournamentState.CHECK_IN, begins_at=NOW),
    entrants=tuple(
        replace(entrant, checked_in=entrant.seed == 1, withdrawn=entrant.seed == 4)
        for entrant in tournament(4).entrants
    ),
)
STARTS = f"It starts <t:{NOW.timestamp():.0f}:f> (<t:{NOW.timestamp():.0f}:R>)."


def short_lines(post: Post) -> list[str]:
    """Return its lines with shorter names: "@2" for the second player, "Cup" for all."""
    text = post.content.replace("**Ĝŕåñð \\*Çûþ\\***", "Cup").replace("\\.", ".")
    text = re.sub(r"<@(\d{19})>", lambda found: f"@{int(found[1]) - FIRST}", text)
    return re.sub(r"\(https://discord\.com/channels/\d+/(\d+)\)", r"(\1)", text).splitlines()


def buttons(post: Post) -> list[tuple[str, str, ButtonStyle]]:
    """Return the buttons' labels, their action in tournament 12, and their styles."""
    found = []
    for button in post.buttons:
        assert button.custom_id.startswith("dvonn:cup:12:")
        action = button.custom_id.removeprefix("dvonn:cup:12:")
        found.append((button.label, action, button.style))
    return found


JOIN = ("Join", "join:created-0", ButtonStyle.SUCCESS)
LEAVE = ("Leave", "leave:created-0", ButtonStyle.SECONDARY)


@pytest.mark.parametrize(
    ("found", "joins"),
    [
        (tournament(4, format=LADDER, state=TournamentState.RUNNING), True),
        (running(16, rounds=2), True),
        (running(16, rounds=3), False),
        (running(16, rounds=1, format=KNOCKOUT), False),
    ],
)
def test_running_tournaments_show_their_progress_and_who_can_join(
    found: Tournament, joins: bool
) -> None:
    post = tournament_announced(IN_ENGLISH, report(found))
    far = f"**{tournament_table(IN_ENGLISH, found, (), {}, 0).content.split(' · ')[1]}**"
    assert short_lines(post)[-2] == far
    assert "starts" not in post.content
    assert buttons(post)[:2] == [JOIN, LEAVE]
    assert post.buttons[2].label == "Standings", "even before the first game"
    assert [button.disabled for button in post.buttons[:2]] == [not joins, False]


def check_in(found: Tournament) -> Post:
    return tournament_check_in(IN_ENGLISH, report(found, "check_in-0"))


def test_the_question_who_is_there() -> None:
    post = check_in(CHECK_IN)
    assert short_lines(post) == [
        "Cup starts soon. Press *I'm here*, or you get no game.",
        STARTS,
        "Not here yet: @2 and @3",
        "Here: @1",
    ]
    assert post.pings == (somebody(2), somebody(3))
    assert buttons(post) == [
        ("I'm here", "here:check_in-0", ButtonStyle.PRIMARY),
        ("Join", "join:check_in-0", ButtonStyle.SUCCESS),
        ("Leave", "leave:check_in-0", ButtonStyle.SECONDARY),
        ("Players", "table:0:check_in-0", ButtonStyle.SECONDARY),
    ]
    begun = replace(CHECK_IN, state=TournamentState.RUNNING)
    post = check_in(begun)
    assert short_lines(post) == ["Cup: check-in is over.", "Here: @1"]
    assert (post.pings, post.buttons) == ((), ())
    everybody = tuple(replace(entrant, checked_in=True) for entrant in CHECK_IN.entrants[:2])
    post = check_in(replace(CHECK_IN, entrants=everybody))
    assert short_lines(post)[2:] == ["Here: @1 and @2"]
    nobody = tournament(1, state=TournamentState.CHECK_IN)
    assert short_lines(check_in(nobody))[1:] == ["Not here yet: @1"]


def test_a_game_without_a_message_of_its_own_is_not_linked() -> None:
    found = running(2, rounds=1, format=LADDER)
    for missing in ({"message": None}, {"game": None}):
        one = replace(found.pairings[0], **missing)  # type: ignore[arg-type]
        post = tournament_games(IN_ENGLISH, replace(found, pairings=(one,)), 1)
        assert short_lines(post)[1:] == ["1. @1 – @2"]


def test_a_finished_tournament_is_over() -> None:
    post = tournament_ended(IN_ENGLISH, report(over(5), "ended-0", IN_ENGLISH))
    assert short_lines(post)[:6] == [
        "Cup is over.",
        "1. (deleted) · 2 points",
        "2. @1 · 1½ points",
        "3. @3 · 1 point",
        "",
        "Results of round 2:",
    ]
    assert short_lines(post)[-1] == "(deleted) has a bye this round. It counts as a win."
    assert post.picture is not None
    assert buttons(post) == [("Standings", "table:0:ended-0", ButtonStyle.SECONDARY)]
    ladder = running(2, rounds=1, format=LADDER)
    ladder = replace(ladder, pairings=round_of(1, 2))
    post = tournament_ended(IN_ENGLISH, report(ladder))
    assert len(short_lines(post)) == 1 + 2, "it has no rounds"
    early = replace(running(2), pairings=(), round=0)
    assert "Results" not in tournament_ended(IN_ENGLISH, report(early)).content


SOON = timedelta(seconds=1)


def cancelled(entrants: int, *, after: timedelta) -> Tournament:
    """A planned tournament that was cancelled after some time."""
    found = tournament(entrants)
    terms = replace(found.terms, begins_at=NOW)
    return replace(found, terms=terms, ended_at=NOW + after)


@pytest.mark.parametrize(
    ("found", "told_line"),
    [
        (cancelled(1, after=SOON), "Cup is canceled: there were too few players."),
        (cancelled(2, after=SOON), "Cup is canceled: there were too few players."),
        # An organizer has, before its planned start, or if only they could begin it.
        (cancelled(1, after=-SOON), "Cup is canceled."),
        (cancelled(2, after=-SOON), "Cup is canceled."),
        (tournament(1), "Cup is canceled."),
    ],
)
def test_it_is_cancelled(found: Tournament, told_line: str) -> None:
    post = tournament_cancelled(IN_ENGLISH, report(found, "cancelled-0"))
    assert short_lines(post) == [told_line]
    assert buttons(post) == [("Players", "table:0:cancelled-0", ButtonStyle.SECONDARY)]


def test_a_ladder_has_begun_even_without_a_game() -> None:
    ladder = replace(running(2, format=LADDER), pairings=())
    post = tournament_cancelled(IN_ENGLISH, report(ladder, "cancelled-1"))
    assert short_lines(post) == ["Cup is canceled. Its running games go on."]


# The standings


def test_a_tournament_without_players_says_how_to_join() -> None:
    post = tournament_table(IN_ENGLISH, tournament(0), (), {}, 0)
    assert short_lines(post) == [
        "Cup · Open to join",
        "It starts when @1 says so.",
        "Nobody has joined yet. Everyone in this server can: press *Join*.",
    ]
    assert post.picture is None
    called_off = replace(tournament(0, state=TournamentState.CANCELLED), ended_at=NOW)
    assert short_lines(tournament_table(IN_ENGLISH, called_off, (), {}, 0)) == ["Cup · Canceled"]


GAMES = ("Games", "games:2", ButtonStyle.SECONDARY)


@pytest.mark.parametrize(
    ("page", "shown", "ways"),
    [
        (-1, 0, [("▶", 1, ButtonStyle.PRIMARY)]),
        (0, 0, [("▶", 1, ButtonStyle.PRIMARY)]),
        (1, 1, [("◀", 0, ButtonStyle.SECONDARY), ("▶", 2, ButtonStyle.PRIMARY)]),
        (3, 3, [("◀", 2, ButtonStyle.SECONDARY)]),
        (9, 3, [("◀", 2, ButtonStyle.SECONDARY)]),
    ],
)
def test_the_standings_have_pages(
    page: int, shown: int, ways: Sequence[tuple[str, int, ButtonStyle]]
) -> None:
    found = running(64)
    post = tournament_table(IN_ENGLISH, found, standings(found), {}, page)
    assert buttons(post) == [*((sign, f"table:{to}", style) for sign, to, style in ways), GAMES]
    assert short_lines(post) == ["Cup · Round 2 of 3"]
    assert isinstance(post.picture, StandingsPage)
    assert post.picture.page == shown


@pytest.mark.parametrize(
    ("number", "shown", "ways"),
    [
        (0, 1, [("▶", "games:2", ButtonStyle.PRIMARY)]),
        (1, 1, [("▶", "games:2", ButtonStyle.PRIMARY)]),
        (2, 2, [("◀", "games:1", ButtonStyle.SECONDARY), ("▶", "games:3", ButtonStyle.PRIMARY)]),
        (9, 3, [("◀", "games:2", ButtonStyle.SECONDARY)]),
    ],
)
def test_the_games_have_a_page_for_each_round(
    number: int, shown: int, ways: list[tuple[str, str, ButtonStyle]]
) -> None:
    post = tournament_games(IN_ENGLISH, running(8, rounds=3), number)
    assert short_lines(post)[:2] == ["Cup · Round 3 of 3", f"Round {shown}"]
    assert buttons(post) == [*ways, ("Standings", "table:0", ButtonStyle.SECONDARY)]


def test_the_picture_of_a_division_is_a_crosstable() -> None:
    division = in_league()[1][0]
    picture = tournament_picture(IN_ENGLISH, division, standings(division), {})
    assert picture.table.is_crosstable
    cells = [str(cell) for row in picture.table.rows for cell in row.rounds if cell.against]
    assert cells
    assert all(cell in picture.alt_text for cell in cells)
    assert not tournament_picture(IN_ENGLISH, over(7), (), {}).table.is_crosstable


def test_the_picture_of_a_round_with_each_sort_of_end() -> None:
    found = over(7)
    names = {somebody(1): "Ann"}
    table = tournament_picture(IN_ENGLISH, found, standings(found), names).table
    assert (table.title, table.when) == (found.terms.name, "After round 2 of 3")
    assert table.by_points
    row = {one.player: n for n, one in enumerate(standings(found), start=1)}
    ann = table.rows[row[somebody(1)] - 1]
    first, second = row[somebody(2)], row[somebody(2)]
    assert (ann.name, [str(cell) for cell in ann.rounds]) == ("Ann", [f"+{first}", f"={second}"])
    assert [str(cell)[0] for cell in table.rows[row[somebody(4)] - 1].rounds] == ["−", "+"]
    assert {row.name for row in table.rows} == {"Ann", "", "(deleted)"}


def test_during_a_round_the_picture_shows_its_progress() -> None:
    def when(found: Tournament) -> str:
        return tournament_picture(IN_ENGLISH, found, standings(found), {}).table.when

    assert when(replace(tournament(4), state=TournamentState.RUNNING)) == "Before round 1"
    assert when(running(8, rounds=1)) == "Before round 1"
    assert when(running(8, rounds=2)) == "After round 1 of 3"
    cancelled = replace(running(8, rounds=2), state=TournamentState.CANCELLED)
    assert when(cancelled) == "Canceled"
    assert when(replace(running(8, rounds=1), pairings=round_of(1, 8))) == "After round 1 of 3"
    assert when(replace(running(8, rounds=1, format=LADDER), pairings=round_of(1, 8))) == "Running"
