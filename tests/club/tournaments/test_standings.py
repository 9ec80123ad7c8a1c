"""Tests for FIDE's tie-breaks, places of ladders, and results by deadline."""

import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from types import FrameType

import pytest

from bot.base.ids import GameId, UserId
from bot.base.languages import IN_ENGLISH
from club.tournaments.model.ladder import ladder_order
from club.tournaments.model.pairing import next_step
from club.tournaments.model.results import GameProgress, at_deadline
from club.tournaments.model.standings import direct_encounter, standings
from club.tournaments.model.tournament import (
    Conclude,
    Pairing,
    PairingResult,
    Tournament,
    TournamentFormat,
    Wait,
)
from club.tournaments.words.standings import table
from dvonn import Color
from tests.club.tournaments.tournament_events import BEGAN, ROUND_TIME, a_tournament
from tests.club.tournaments.tournament_texts import played


def swiss(players: int, *rounds: str) -> dict[int, tuple[float, float, float]]:
    table = standings(played(a_tournament(TournamentFormat.SWISS, players), *rounds))
    return {s.player - 100: (s.points, s.buchholz, s.sonneborn_berger) for s in table}


def test_buchholz_and_sonneborn_berger_where_all_was_played() -> None:
    found = swiss(
        6, "1 1-0 4, 5 0-1 2, 3 = 6", "2 0-1 1, 6 1-0 5, 4 = 3", "3 0-1 1, 2 1-0 6, 5 = 4"
    )
    # points: 1: 3, 2: 2, 6: 1.5, 3: 1, 4: 1, 5: 0.5
    assert found[1] == (3.0, 1.0 + 2.0 + 1.0, 4.0)
    assert found[2] == (2.0, 0.5 + 3.0 + 1.5, 0.5 + 1.5)
    assert found[6] == (1.5, 1.0 + 0.5 + 2.0, 0.5 * 1.0 + 0.5)
    assert found[3] == (1.0, 1.5 + 1.0 + 3.0, 0.5 * 1.5 + 0.5 * 1.0)
    assert found[4] == (1.0, 3.0 + 1.0 + 0.5, 0.5 * 1.0 + 0.5 * 0.5)
    assert found[5] == (0.5, 2.0 + 1.5 + 1.0, 0.5 * 1.0)


def test_a_bye_counts_as_a_game_with_equal_points_up_to_half_the_rounds() -> None:
    """Article 16.4.2: 3 had a bye and 2 points in 3 rounds, so the dummy has one and a half."""
    found = swiss(
        5, "1 1-0 4, 2 1-0 5, 3 bye", "1 1-0 2, 4 0-1 3, 5 bye", "3 0-1 1, 2 1-0 5, 4 bye"
    )
    assert found[3][0] == 2.0
    assert found[3][1] == 1.5 + 1.0 + 3.0
    assert found[3][2] == 1.5 + 1.0
    assert found[5] == (1.0, 2.0 + 1.0 + 2.0, 1.0)


def test_withdrawn_players_count_as_drawing_in_tie_breaks() -> None:
    """Article 16.3.2: 4 leaves after round 1, and counts a point for 1 after two more rounds."""
    found = swiss(4, "1 1-0 4, 2 1-0 3", "1 1-0 2, 3 bye", "3 0-1 1, 2 bye")
    assert found[1] == (3.0, 1.0 + 2.0 + 1.0, 1.0 + 2.0 + 1.0)
    assert found[4] == (0.0, 3.0, 0.0), "their own rounds without a game have a dummy of 0 points"


def test_late_entrants_have_no_points_for_missed_rounds_even_in_tie_breaks() -> None:
    found = swiss(4, "1 1-0 2, 3 bye", "1 1-0 3, 4 1-0 2")
    assert found[1][1] == 0.0 + 1.0
    assert found[2][1] == 2.0 + 1.0
    assert found[4] == (1.0, 1.0 + 0.0, 0.0), "what they missed is no win against anybody"


@pytest.mark.parametrize(("last", "points"), [("4 +- 2", 1.0 + 0.0 + 1.0), ("2 +- 4", 2.0 + 0.5)])
def test_a_forfeit_shows_who_was_there(last: str, points: float) -> None:
    """Article 16.2: 4's missed round 2 is a draw for 1 only if 4 missed the later rounds, too."""
    found = swiss(4, "1 1-0 4, 2 1-0 3", "1 1-0 2, 3 bye", f"{last}, 1 bye")
    assert found[1][1] == points + 1.5


def test_a_bye_does_not_count_as_an_encounter() -> None:
    robin = played(
        a_tournament(TournamentFormat.ROUND_ROBIN, 3), "1 1-0 2, 3 bye", "2 1-0 3, 1 bye"
    )
    level = [entrant.player for entrant in robin.entrants]
    found = direct_encounter(level, robin.pairings, unplayed_counts=True)
    assert found == dict.fromkeys(level, 0.0), "1 and 3 have not met"


def test_a_forfeit_counts_at_most_the_opponents_points() -> None:
    """Article 16.4.1: 1 has 2 points, but the absent player has 0, and half a point since then."""
    found = swiss(4, "1 +- 4, 2 1-0 3", "2 0-1 1, 3 bye")
    assert found[1] == (2.0, 0.5 + 1.0, 0.5 + 1.0)


def test_a_running_game_does_not_count_yet() -> None:
    found = swiss(4, "1 1-0 4, 2 1-0 3", "1 ? 2, 3 1-0 4")
    assert found[1] == (1.0, 0.0, 0.0)


@pytest.mark.parametrize("kind", list(TournamentFormat)[:3])
def test_a_round_counts_once_it_is_over(kind: TournamentFormat) -> None:
    """A bye gives a point before anyone has moved, so a beaten player would be first."""
    first, second = "1 1-0 4, 2 1-0 5, 6 1-0 3", "1 bye, 4 bye, 2 ? 6, 3 1-0 5"
    before = standings(played(a_tournament(kind, 6), first))
    tournament = played(a_tournament(kind, 6), first, second)
    assert standings(tournament) == before
    done = replace(tournament.pairings[-2], result=PairingResult.WHITE)
    over = replace(tournament, pairings=(*tournament.pairings[:-2], done, tournament.pairings[-1]))
    assert {s.player: s.points for s in standings(over)} != {s.player: s.points for s in before}
    none = standings(played(a_tournament(kind, 6), first.replace("6 1-0 3", "6 ? 3")))
    assert {(s.place, s.points, s.played) for s in none} == {(1, 0, 0)}, "nor does round one"


def test_the_margin_of_pieces_is_last() -> None:
    """2 and 3 are equal in everything else. 2 has lost by more pieces."""
    tournament = played(a_tournament(TournamentFormat.SWISS, 4), "1 1-0 3, 4 1-0 2")
    table = standings(tournament)
    assert [(s.player - 100, s.margin) for s in table] == [(4, 2), (1, 1), (3, -1), (2, -2)]


def test_pieces_count_for_the_winner_only_where_they_were_counted() -> None:
    tournament = played(a_tournament(TournamentFormat.SWISS, 4), "1 1-0 3, 4 1-0 2")
    resigned = tuple(replace(p, margin=None) for p in tournament.pairings)
    table = standings(replace(tournament, pairings=resigned))
    assert [(s.place, s.margin) for s in table] == [(1, 0), (1, 0), (3, 0), (3, 0)]


def test_a_row_has_the_wins_draws_and_losses_at_the_board() -> None:
    table = standings(
        played(
            a_tournament(TournamentFormat.SWISS, 8),
            "1 1-0 2, 3 = 4, 5 +- 6, 7 bye",
            "1 1-0 3, 4 = 2, 6 0-1 7, 5 ? 8",
            "4 0-1 1, 2 -- 3, 7 -- 6, 5 0-1 8",
        )
    )
    assert {s.player - 100: (s.played, s.won, s.drawn, s.lost) for s in table} == {
        1: (3, 3, 0, 0),
        2: (2, 0, 1, 1),
        3: (2, 0, 1, 1),
        4: (3, 0, 2, 1),
        5: (1, 0, 0, 1),
        6: (1, 0, 0, 1),
        7: (1, 1, 0, 0),
        8: (1, 1, 0, 0),
    }


def test_in_a_swiss_buchholz_decides_before_sonneborn_berger() -> None:
    """3 and 2 have a point each."""
    found = swiss(6, "6 = 5, 4 = 2, 3 1-0 1", "2 = 1, 3 0-1 6, 5 = 4")
    assert list(found) == [6, 5, 4, 3, 2, 1]
    assert (found[3], found[2]) == ((1.0, 2.0, 0.5), (1.0, 1.5, 0.75))


def test_in_a_swiss_a_forfeit_does_not_count_as_an_encounter() -> None:
    """2 and 5 are equal except for the forfeit, and then the margin of pieces."""
    found = played(
        a_tournament(TournamentFormat.SWISS, 5, rounds=2),
        *("3 = 1, 5 +- 2, 4 bye", "5 -+ 1, 4 +- 3, 2 bye"),
    )
    assert [s.player - 100 for s in standings(found)] == [4, 1, 2, 5, 3]


def test_in_a_round_robin_a_forfeit_is_an_encounter() -> None:
    """1 and 2 have equal points. 2 has more wins, but missed the game against 1."""
    found = played(
        a_tournament(TournamentFormat.ROUND_ROBIN, 4),
        *("1 +- 2, 3 1-0 4", "3 1-0 1, 2 = 4", "1 = 4, 2 1-0 3"),
    )
    table = standings(found)
    assert [s.player - 100 for s in table] == [3, 1, 2, 4]
    assert table[2].sonneborn_berger > table[1].sonneborn_berger


def test_a_player_who_left_a_knockout_before_the_start_is_last() -> None:
    """With four seeds 4 would have met 1. Without them 1 has no opponent in round one."""
    found = played(a_tournament(TournamentFormat.KNOCKOUT, 4), "1 bye, 2 1-0 3")
    gone = (replace(entrant, withdrawn=entrant.seed == 4) for entrant in found.entrants)
    table = standings(replace(found, entrants=tuple(gone)))
    assert [(s.place, s.player - 100) for s in table] == [(1, 1), (1, 2), (3, 3), (4, 4)]


def ladder(players: int, text: str) -> Tournament:
    return played(a_tournament(TournamentFormat.LADDER, players, lasts=timedelta(days=28)), text)


def order(tournament: Tournament) -> list[int]:
    return [player - 100 for player in ladder_order(tournament)]


@pytest.mark.parametrize(
    ("games", "after"),
    [
        ("4 1-0 2", [1, 4, 2, 3, 5, 6, 7, 8]),
        ("2 0-1 4", [1, 4, 2, 3, 5, 6, 7, 8]),
        ("2 1-0 4", [1, 2, 3, 4, 5, 6, 7, 8]),
        ("4 = 2", [1, 2, 3, 4, 5, 6, 7, 8]),
        ("8 1-0 1", [1, 2, 8, 3, 4, 5, 6, 7]),
        ("8 1-0 1, 8 1-0 1", [8, 1, 2, 3, 4, 5, 6, 7]),
        ("6 +- 1", [6, 1, 2, 3, 4, 5, 7, 8]),
        ("4 ? 2, 4 = 3, 5 1-0 3", [1, 2, 5, 3, 4, 6, 7, 8]),
    ],
)
def test_a_win_against_a_higher_player_takes_their_place_up_to_five_places(
    games: str, after: list[int]
) -> None:
    assert order(ladder(8, games)) == after


def test_places_in_a_ladder_are_those_that_were_won() -> None:
    few = ladder(4, "3 1-0 4")
    assert [s.player - 100 for s in standings(few)] == [3, 4, 1, 2], "who hasn't played is last"
    tournament = ladder(4, "1 = 2, 4 1-0 2, 3 = 4")
    assert [s.player - 100 for s in standings(tournament)] == order(tournament) == [1, 4, 2, 3]


@pytest.mark.parametrize(("asked", "days"), [(None, 28), (40, 40)])
def test_a_ladder_ends_with_its_time(asked: int | None, days: int) -> None:
    lasts = None if asked is None else timedelta(days=asked)
    tournament = a_tournament(TournamentFormat.LADDER, 4, lasts=lasts)
    ends = BEGAN + timedelta(days=days)
    assert next_step(tournament, now=ends - timedelta(seconds=1)) == Wait(ends)
    assert next_step(tournament, now=ends) == Conclude()


WHITE, BLACK = Color.WHITE, Color.BLACK
HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("progress", "result", "forfeit"),
    [
        (GameProgress(), None, False),
        (GameProgress(came=frozenset({WHITE})), PairingResult.WHITE, True),
        (GameProgress(came=frozenset({BLACK})), PairingResult.BLACK, True),
        (None, PairingResult.NEITHER, True),
        (GameProgress(came=frozenset(Color)), PairingResult.DRAW, False),
        (
            GameProgress(came=frozenset(Color), used={WHITE: HOUR, BLACK: 2 * HOUR}),
            PairingResult.WHITE,
            False,
        ),
        (
            GameProgress(came=frozenset(Color), used={WHITE: 2 * HOUR, BLACK: HOUR}),
            PairingResult.BLACK,
            False,
        ),
        (GameProgress(came=frozenset(Color), used={WHITE: HOUR}), PairingResult.BLACK, False),
    ],
)
def test_the_fate_of_a_game_that_is_not_over_in_time(
    progress: GameProgress | None, result: PairingResult | None, forfeit: bool
) -> None:
    tournament = played(a_tournament(TournamentFormat.KNOCKOUT, 2), "1 ? 2")
    (game,) = (
        replace(p, game=GameId(7), paired_at=BEGAN, margin=None) for p in tournament.pairings
    )
    tournament = replace(tournament, pairings=(game,))
    ends = BEGAN + ROUND_TIME
    end = at_deadline(game, progress)
    assert end.apply_to(game) == replace(game, result=result, forfeit=forfeit)
    assert bool(end.absent) is bool(progress and len(progress.came) == 1)
    assert tournament.late(ends - timedelta(seconds=1)) == {}
    assert tournament.late(ends) == {game: ends}
    assert next_step(tournament, now=BEGAN) == Wait(ends)
    asks = replace(tournament, pairings=(replace(game, ended_at=BEGAN),))
    assert asks.late(ends) == {}, "whoever is asked has a time of their own"


def test_a_replay_has_a_rounds_time_of_its_own() -> None:
    tournament = played(a_tournament(TournamentFormat.KNOCKOUT, 2), "1 = 2")
    began = tuple(replace(p, paired_at=BEGAN) for p in tournament.pairings)
    later = BEGAN + ROUND_TIME - HOUR
    step = next_step(replace(tournament, pairings=began), now=later)
    assert not isinstance(step, (Wait, Conclude))
    (again,) = step.pairings
    both = replace(tournament, pairings=(*began, again))
    assert next_step(both, now=later) == Wait(later + ROUND_TIME)


def test_without_a_rounds_time_the_clocks_decide() -> None:
    tournament = played(a_tournament(TournamentFormat.KNOCKOUT, 2, round_time=None), "1 ? 2")
    assert tournament.late(BEGAN + timedelta(days=999)) == {}
    assert next_step(tournament, now=BEGAN) == Wait(None)


def calls_of(work: Callable[[], object]) -> int:
    """Return the number of calls in a function, which is the same on every machine."""
    count = 0

    def count_call(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(count_call)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("kind", sorted(set(TournamentFormat) - {TournamentFormat.KNOCKOUT}))
def test_standings_take_as_long_as_there_are_games(kind: TournamentFormat) -> None:
    """A Swiss has thousands of games, and its standings are computed on the event loop."""

    def many(players: int) -> Tournament:
        rounds = 20
        pairings = tuple(
            Pairing(
                round=number,
                board=board,
                white=UserId(one),
                black=UserId(other),
                result=PairingResult.WHITE,
            )
            for number in range(1, rounds + 1)
            for board, (one, other) in enumerate(
                zip(range(101, 101 + players, 2), range(102, 102 + players, 2), strict=True), 1
            )
        )
        return replace(a_tournament(kind, players), pairings=pairings, round=rounds)

    few, twice = (many(players) for players in (40, 80))
    shown = {entrant.player: "Ann" for entrant in twice.entrants}
    for make in (standings, lambda one: table(IN_ENGLISH, one, standings(one), shown)):
        assert calls_of(partial(make, twice)) < 2.5 * calls_of(partial(make, few))
