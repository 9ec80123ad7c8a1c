"""Tests that tournaments' texts are short, within Discord's limits, and without needless pings."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.base.ids import TournamentId
from bot.base.languages import IN_ENGLISH, Reader, languages, reader_for
from bot.connection.posts import CONTENT_LIMIT, Post, timestamp
from bot.play.model.events import Resigned, TimedOut
from bot.play.words.boards import board as board_post
from club.tournaments.model.results import PairingEnd
from club.tournaments.model.standings import standings
from club.tournaments.model.tournament import (
    PairingResult,
    Tournament,
    TournamentFormat,
    TournamentState,
)
from club.tournaments.words.announcements import (
    tournament_announced,
    tournament_check_in,
    tournament_ended,
    tournament_results,
    tournament_round,
)
from club.tournaments.words.answers import (
    making_form,
    tournament_joined,
)
from club.tournaments.words.games import tournament_games
from club.tournaments.words.standings import points_text, tournament_picture
from tests.bot.composition.test_help import DIRECT, first
from tests.bot.replayed import ANN, BOB, started, step
from tests.club.tournaments.example_texts import ended
from tests.club.tournaments.toured import (
    NOW,
    cup_of,
    mended,
    report,
    round_of,
    running,
    somebody,
    tournament,
)

_MOST = 60
"""Maximum number of players in a tournament."""


def labels(post: Post) -> list[str]:
    return [button.label for button in post.buttons]


def check_in(speaks: Reader, found: Tournament) -> Post:
    return tournament_check_in(speaks, report(found))


def can_press(post: Post) -> list[str]:
    return [button.label for button in post.buttons if not button.disabled]


def test_an_announcement_offers_possible_actions_in_fixed_places() -> None:
    posts = {
        state: tournament_announced(IN_ENGLISH, report(tournament(state=state)))
        for state in TournamentState
    }
    assert {state: can_press(post) for state, post in posts.items()} == {
        TournamentState.OPEN: ["Join", "Leave", "Players"],
        TournamentState.CHECK_IN: ["Join", "Leave", "Players"],
        TournamentState.RUNNING: ["Join", "Leave", "Standings"],
        TournamentState.DONE: ["Players"],
        TournamentState.CANCELLED: ["Players"],
    }
    assert {tuple(labels(post)[:2]) for post in posts.values()} == {("Join", "Leave")}


@pytest.mark.parametrize(
    "speaks", [reader_for(language) for language in languages()], ids=lambda one: one.locale
)
def test_players_pinged_for_check_in_are_named(speaks: Reader) -> None:
    """A mention pings only in the content. And sixty of them leave little room."""
    for here in (0, 1, 40):
        found = tournament(60, state=TournamentState.CHECK_IN, begins_at=NOW, name="*" * 80)
        entrants = (replace(e, checked_in=e.seed <= here) for e in found.entrants)
        found = replace(found, entrants=tuple(entrants))
        asked = check_in(speaks, found)
        assert len(asked.pings) == 60 - here
        assert all(f"<@{ping}>" in asked.content for ping in asked.pings)
        lines = asked.content.splitlines()
        assert len(lines) == (4 if here else 3)
        assert "<@" in lines[-1], "nothing is left out"


def test_the_largest_tournament_fits_into_each_message() -> None:
    whole = running(_MOST, rounds=7)
    told = report(replace(whole, pairings=(*whole.pairings[:-30], *round_of(7, _MOST))))
    waiting = tournament(_MOST, state=TournamentState.CHECK_IN)
    for post in (
        tournament_announced(IN_ENGLISH, told),
        check_in(IN_ENGLISH, waiting),
        tournament_results(IN_ENGLISH, told, 7),
        tournament_ended(IN_ENGLISH, told),
        tournament_games(IN_ENGLISH, told.tournament, 7),
    ):
        assert len(post.content) <= CONTENT_LIMIT


def test_called_off_games_are_announced_and_never_count() -> None:
    found = mended()
    lines = tournament_games(IN_ENGLISH, found, 2).content.splitlines()[2:]
    assert [line.split(" · ")[0] for line in lines] == [
        f"1\\. <@{somebody(1)}> – <@{somebody(3)}> **0–0** (called off)",
        f"3\\. <@{somebody(2)}> – <@{somebody(3)}>",
    ]
    table = tournament_picture(IN_ENGLISH, found, standings(found), {}).table
    rounds = {one.player: row for one, row in zip(standings(found), table.rows, strict=True)}
    assert [str(cell)[0] for cell in rounds[somebody(1)].rounds] == ["+"]
    assert [str(cell)[0] for cell in rounds[somebody(4)].rounds] == ["−"]


def ladder(count: int) -> Tournament:
    """A ladder of two people with a number of games, the last of which is running."""
    found = running(2, rounds=1, format=TournamentFormat.LADDER)
    first = replace(found.pairings[0], result=PairingResult.WHITE)
    games = [replace(first, board=board) for board in range(1, count)]
    return replace(found, pairings=(*games, replace(found.pairings[0], board=count)))


def test_every_game_of_a_ladder_is_on_a_page_the_newest_first() -> None:
    found = ladder(30)
    boards: list[int] = []
    for page in (1, 2, 3):
        post = tournament_games(IN_ENGLISH, found, page)
        lines = post.content.splitlines()[1:]
        boards += [int(line.split("\\.")[0]) for line in lines]
        ways = {button.label: button.custom_id for button in post.buttons}
        assert ways.get("◀", "").endswith(f":games:{page + 1}") == (page < 3)
        assert ways.get("▶", "").endswith(f":games:{page - 1}") == (page > 1)
    assert boards == list(range(30, 0, -1))


def test_a_ladder_says_when_it_ends_and_how_one_plays_in_it() -> None:
    found = replace(ladder(2), began_at=NOW)
    begun = tournament_round(IN_ENGLISH, report(found), 1).content.splitlines()
    assert begun[0].endswith("** begins.")
    ends = f"It ends {timestamp(NOW + timedelta(days=28))}"
    assert begun[-1].startswith(ends), "four weeks, where the organizer has not said how long"
    announced = tournament_announced(IN_ENGLISH, report(found)).content.splitlines()
    assert announced[1].endswith(" · 28 days")
    assert announced[-2].startswith(ends)
    joined = tournament_joined(IN_ENGLISH, found).content
    assert "Challenge each other with /challenge." in joined


def test_a_ladder_ends_with_those_who_have_played() -> None:
    found = running(6, rounds=1, format=TournamentFormat.LADDER)
    played = replace(found.pairings[0], result=PairingResult.WHITE)
    ended = replace(found, state=TournamentState.DONE, pairings=(played,))
    lines = tournament_ended(IN_ENGLISH, report(ended)).content.splitlines()
    assert len(lines) == 1 + 2


def test_at_the_end_all_participants_are_named() -> None:
    found = running(4)
    left = replace(found.entrants[0], withdrawn=True)
    found = replace(found, entrants=(left, *found.entrants[1:]))
    done = replace(found, state=TournamentState.DONE)
    for one, count in ((found, 3), (done, 4)):
        post = tournament_announced(IN_ENGLISH, report(one))
        assert f"{count} players: " in post.content


def test_the_form_asks_only_for_the_formats_terms() -> None:
    asked = {
        item: [field.key for field in making_form(IN_ENGLISH, item)[1]] for item in TournamentFormat
    }
    assert asked == {
        TournamentFormat.ROUND_ROBIN: ["name", "round_time", "also"],
        TournamentFormat.SWISS: ["name", "rounds", "round_time", "also"],
        TournamentFormat.KNOCKOUT: ["name", "round_time", "also"],
        TournamentFormat.LADDER: ["name", "lasts", "also"],
        TournamentFormat.LEAGUE: ["name", "lasts", "division_size", "also"],
    }


def test_in_a_ladder_columns_are_games() -> None:
    found = running(2, rounds=1, format=TournamentFormat.LADDER)
    first = replace(found.pairings[0], result=PairingResult.DRAW)
    again = replace(found, pairings=(first, replace(found.pairings[0], board=2)))
    table = tournament_picture(IN_ENGLISH, again, standings(again), {}).table
    assert not table.by_points
    assert [str(cell)[0] for cell in table.rows[0].rounds] == ["=", "*"]


def test_a_tournament_runs_before_its_first_round() -> None:
    begun = tournament(state=TournamentState.RUNNING)
    assert "**Running**" in tournament_announced(IN_ENGLISH, report(begun)).content


@pytest.mark.parametrize(
    ("points", "words"), [(0, "0 points"), (0.5, "½ point"), (1, "1 point"), (1.5, "1½ points")]
)
def test_half_a_point_is_a_point(points: float, words: str) -> None:
    assert points_text(IN_ENGLISH, points) == words


def test_the_last_board_explains_a_game_without_a_result() -> None:
    game = replace(started(), row=replace(started().row, tournament=TournamentId(1)))
    late = step(game, TimedOut(), ANN)[1]

    def board_lines(
        result: PairingResult | None = None, end: PairingEnd | None = None, **about: Any
    ) -> list[str]:
        cup = cup_of(game, result, **about)
        post = board_post(IN_ENGLISH, ended(late, cup, end or PairingEnd(result)))
        return [line for line in post.content.splitlines()[1:] if " " in line]  # not just names

    won = f"In the tournament it counts as a win for <@{BOB}>."
    points = f"**\\*Çûþ\\***: <@{ANN}> 0, <@{BOB}> 1 points"
    assert board_lines(PairingResult.BLACK) == [won, points]
    assert board_post(IN_ENGLISH, late).content.startswith(f"<@{ANN}> ran out of time. No result.")
    elsewhere = replace(late.game, row=replace(late.game.row, tournament=None))
    assert "hardly begun" in board_post(IN_ENGLISH, replace(late, game=elsewhere)).content
    missed = (
        f"<@{ANN}>, you missed this game, so **\\*Çûþ\\*** goes on without you. Back again? "
        "Join in /tournament show."
    )
    away = PairingEnd(PairingResult.BLACK, absent=frozenset({ANN}))
    assert board_lines(PairingResult.BLACK, away, gone={ANN}) == [won, missed, points]
    nobodys, *_ = board_lines(PairingResult.NEITHER)
    assert nobodys == (
        "In the tournament it counts for nobody. Organizers can set a result in /tournament show."
    )
    neither = PairingEnd(PairingResult.NEITHER, absent=frozenset({ANN, BOB}))
    both, *_ = board_lines(PairingResult.NEITHER, neither, gone={ANN, BOB})
    assert "you both missed this game" in both, "that says it itself"
    for state in (TournamentState.DONE, TournamentState.CANCELLED):
        over = "**\\*Çûþ\\*** is over, so this game doesn't count for it."
        assert board_lines(state=state) == [over]
    assert board_lines() == [], "a player has deleted their data"
    assert "tournament" not in board_post(IN_ENGLISH, late).content
    resigned = step(game, Resigned(), ANN)[1]
    resigned = ended(resigned, cup_of(game, PairingResult.BLACK), PairingEnd(PairingResult.BLACK))
    assert "counts" not in board_post(IN_ENGLISH, resigned).content, "that says it itself"
    climbs = board_lines(PairingResult.BLACK, format=TournamentFormat.LADDER)
    assert climbs == [won, f"**\\*Çûþ\\***: <@{BOB}> 4 → 2"]


def test_in_direct_messages_help_says_nothing_of_tournaments() -> None:
    page, elsewhere = first(venue=DIRECT), first(venue=replace(DIRECT, is_direct=False))
    assert "/tournament create" in elsewhere
    assert "/tournament" not in page
