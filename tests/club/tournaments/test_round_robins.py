"""Tests for round robins: Berger tables, withdrawals, the final table."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from bot.base.ids import UserId
from club.tournaments.model.pairing import (
    annulled,
    berger_round,
    next_step,
    pairing_numbers,
)
from club.tournaments.model.standings import direct_encounter, standings
from club.tournaments.model.tournament import (
    Conclude,
    Pairing,
    PairingResult,
    Tournament,
    TournamentFormat,
)
from tests.club.tournaments.tournament_events import BEGAN, Event, a_tournament, pair_up

# FIDE Handbook C.05, annex 1: details of the Berger table.
PRINTED = {
    4: "1-4 2-3 | 4-3 1-2 | 2-4 3-1",
    6: "1-6 2-5 3-4 | 6-4 5-3 1-2 | 2-6 3-1 4-5 | 6-5 1-4 2-3 | 3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5 | 8-5 6-4 7-3 1-2 | 2-8 3-1 4-7 5-6 | 8-6 7-5 1-4 2-3"
    " | 3-8 4-2 5-1 6-7 | 8-7 1-6 2-5 3-4 | 4-8 5-3 6-2 7-1",
}
# The final of the 8th world championship by correspondence, 1975-80, results in half points.
CORRESPONDENCE_FINAL = [
    ("Sloth", "x11211221212222", 11.0, 69.5),
    ("Zagorovsky", "1x0121222122222", 11.0, 66.75),
    ("Kosenkov", "12x111112212222", 10.5, 67.5),
    ("Khasin", "011x12102212121", 8.5, 54.75),
    ("Kletsel", "1011x1111022122", 8.0, 47.75),
    ("De Carbonnel", "11101x110211022", 7.0, 45.25),
    ("Arnlind", "001111x12011221", 7.0, 42.5),
    ("Dunhaupt", "0012111x0120212", 7.0, 41.5),
    ("Maedler", "10001202x211112", 7.0, 41.5),
    ("Estrin", "010020210x22202", 7.0, 40.5),
    ("Walther", "1011011010x0212", 5.5, 33.25),
    ("Boey", "00000112102x112", 5.5, 28.5),
    ("Abramov", "000112001001x12", 4.5, 24.75),
    ("Siklos", "0000000112111x2", 4.5, 22.75),
    ("Nun", "00010010000000x", 1.0, 7.75),
]
HALVES = {"0": PairingResult.BLACK, "1": PairingResult.DRAW, "2": PairingResult.WHITE}


def in_numbers(text: str) -> list[tuple[int, int]]:
    return [(int(one), int(other)) for one, _, other in (p.partition("-") for p in text.split())]


@pytest.mark.parametrize("players", PRINTED)
def test_the_tables_equal_the_handbooks(players: int) -> None:
    rounds = [in_numbers(text) for text in PRINTED[players].split("|")]
    assert [list(berger_round(players, n)) for n in range(1, players)] == rounds


@pytest.mark.parametrize("players", [3, 4, 7, 10])
def test_everyone_plays_everyone_once_and_sits_out_at_most_once(players: int) -> None:
    event = Event(a_tournament(TournamentFormat.ROUND_ROBIN, players), Random(1)).play_to_the_end()
    met = Counter(frozenset(p.players) for p in event.tournament.pairings)
    assert set(met.values()) == {1}
    assert sum(len(two) == 2 for two in met) == players * (players - 1) // 2
    assert sum(len(item) == 1 for item in met) == players % 2 * players
    alone = [pairing.board for pairing in event.tournament.pairings if pairing.black is None]
    assert all(board == players // 2 + 1 for board in alone)  # games have the first boards
    assert all(s.points <= players - 1 for s in standings(event.tournament))


def test_random_numbers_are_reproducible_and_independent() -> None:
    first = [
        next_step(a_tournament(TournamentFormat.ROUND_ROBIN, 8, number=n), now=BEGAN)
        for n in (5, 5, 6)
    ]
    assert first[0] == first[1] != first[2]


def played(tournament: Tournament, rounds: int) -> Tournament:
    """Return all games of some rounds, won by the better seed."""
    for _ in range(rounds):
        step = pair_up(tournament, now=BEGAN)
        won = [
            replace(p, result=PairingResult.WHITE if p.white < (p.black or 0) else HALVES["0"])
            if p.result is None
            else p
            for p in step.pairings
        ]
        tournament = replace(tournament, pairings=(*tournament.pairings, *won), round=step.round)
    return tournament


def leave(tournament: Tournament, player: int) -> Tournament:
    entrants = (
        replace(e, withdrawn=e.withdrawn or e.player == player) for e in tournament.entrants
    )
    return replace(tournament, entrants=tuple(entrants))


def test_the_numbers_that_were_drawn_stay() -> None:
    """A running round robin uses them in each round, in later versions too."""
    drawn = pairing_numbers(a_tournament(TournamentFormat.ROUND_ROBIN, 6))
    assert drawn == (103, 104, 106, 105, 101, 102)


def test_players_with_half_of_their_games_count() -> None:
    tournament = a_tournament(TournamentFormat.ROUND_ROBIN, 5)
    for player in range(101, 106):
        later = played(tournament, 3)
        games = sum(pairing.was_played and player in pairing.players for pairing in later.pairings)
        assert annulled(leave(later, player)) == (set() if games >= 2 else {player})
    assert annulled(leave(played(tournament, 1), 101)) == {101}


def test_players_who_leave_before_half_of_their_games_do_not_count() -> None:
    tournament = leave(played(a_tournament(TournamentFormat.ROUND_ROBIN, 6), 2), 101)
    assert annulled(tournament) == {101}
    tournament = played(tournament, 3)
    assert next_step(tournament, now=BEGAN) == Conclude()
    table = standings(tournament)
    assert [(s.player, s.points) for s in table] == [
        (102, 4.0),
        (103, 3.0),
        (104, 2.0),
        (105, 1.0),
        (106, 0.0),
        (101, 2.0),  # their score stays in the table, below everyone else
    ]
    assert table[-1].withdrawn
    beaten = [p.opponent_of(UserId(101)) for p in tournament.pairings[:6] if 101 in p.players]
    points = {s.player: s.points for s in table}
    assert table[-1].sonneborn_berger == sum(points[who] for who in beaten if who is not None)


def test_a_late_leaver_keeps_their_points_and_forfeits_the_rest() -> None:
    tournament = leave(played(a_tournament(TournamentFormat.ROUND_ROBIN, 6), 3), 101)
    assert not annulled(tournament)
    tournament = played(tournament, 2)
    forfeits = [p for p in tournament.pairings if p.forfeit]
    assert len(forfeits) == 2
    assert all(p.points_of(UserId(101)) == 0 and 101 in p.players for p in forfeits)
    table = {s.player: s for s in standings(tournament)}
    assert table[UserId(101)].points == 3
    assert sum(s.points for s in table.values()) == 15
    gained = [p.opponent_of(UserId(101)) for p in forfeits]
    assert all(table[player].played == 4 for player in gained if player is not None)


def test_two_players_who_both_left_get_nothing() -> None:
    tournament = leave(leave(a_tournament(TournamentFormat.ROUND_ROBIN, 4), 101), 102)
    begun = replace(a_tournament(TournamentFormat.ROUND_ROBIN, 4), entrants=tournament.entrants)
    assert len(played(begun, 1).pairings) == 1, "they have left before it began"
    tournament = leave(leave(played(a_tournament(TournamentFormat.ROUND_ROBIN, 4), 1), 101), 102)
    for number in (2, 3):
        step = pair_up(tournament, now=BEGAN)
        for pairing in step.pairings:
            if set(pairing.players) == {101, 102}:
                assert pairing.result is PairingResult.NEITHER
        tournament = played(tournament, 1)
        assert tournament.round == number


def crosstable(rows: list[tuple[str, str, float, float]]) -> Tournament:
    tournament = a_tournament(TournamentFormat.ROUND_ROBIN, len(rows))
    pairings = tuple(
        Pairing(
            round=1,
            board=i * len(rows) + j,
            white=UserId(101 + i),
            black=UserId(101 + j),
            result=HALVES[row[1][j]],
        )
        for i, row in enumerate(rows)
        for j in range(i + 1, len(rows))
    )
    return replace(tournament, pairings=pairings, round=1)


def test_the_table_of_a_correspondence_final() -> None:
    """Sloth became world champion ahead of Zagorovsky by his Sonneborn-Berger score."""
    found = {s.player: s for s in standings(crosstable(CORRESPONDENCE_FINAL))}
    for index, (_, _, points, score) in enumerate(CORRESPONDENCE_FINAL):
        row = found[UserId(101 + index)]
        assert (row.points, row.sonneborn_berger) == (points, score)
    assert (found[UserId(101)].place, found[UserId(102)].place) == (1, 2)


def test_direct_encounter_counts_among_those_who_are_level_if_all_have_met() -> None:
    rows = [("A", "x02", 1.0, 0.0), ("B", "2x0", 1.0, 0.0), ("C", "02x", 1.0, 0.0)]
    pairings = crosstable(rows).pairings
    two = [UserId(101), UserId(102)]
    found = direct_encounter(two, pairings, unplayed_counts=True)
    assert found == {UserId(101): 0, UserId(102): 1}
    unplayed = [replace(pairing, forfeit=True) for pairing in pairings]
    assert set(direct_encounter(two, unplayed, unplayed_counts=False).values()) == {0}
    assert direct_encounter(two, unplayed, unplayed_counts=True) == found
    three = [*two, UserId(103)]
    assert set(direct_encounter(three, pairings[:2], unplayed_counts=True).values()) == {0}


def test_equal_in_all_is_the_same_place() -> None:
    rows = [("A", "x11", 1.0, 1.0), ("B", "1x1", 1.0, 1.0), ("C", "11x", 1.0, 1.0)]
    assert [s.place for s in standings(crosstable(rows))] == [1, 1, 1]
