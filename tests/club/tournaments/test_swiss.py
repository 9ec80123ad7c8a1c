"""Tests for Swiss rounds: near scores, no rematches, and what happens if the library fails."""

import json
import logging
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from bot.base.ids import UserId
from club.tournaments.model.pairing import (
    Record,
    by_the_dutch_system,
    next_step,
    records,
    rounds_of,
    swiss,
)
from club.tournaments.model.standings import standings
from club.tournaments.model.tournament import (
    BYE,
    Conclude,
    Entrant,
    Pairing,
    PairingResult,
    PairUp,
    TournamentFormat,
    TournamentState,
    Wait,
)
from dvonn import Color
from tests.club.tournaments.tournament_events import (
    BEGAN,
    ROUND_TIME,
    Event,
    a_tournament,
    has_faultless_round,
    pair_rule,
    pair_up,
)
from tests.club.tournaments.tournament_texts import played

DATA = Path(__file__).parents[2] / "data"
W, B = Color.WHITE, Color.BLACK
SWISS = TournamentFormat.SWISS


@pytest.mark.parametrize(
    ("format_", "players", "asked", "rounds"),
    [
        (SWISS, 0, None, 1),
        (SWISS, 2, None, 1),
        (SWISS, 3, 3, 3),
        (SWISS, 4, 3, 3),
        (SWISS, 5, None, 3),
        (SWISS, 8, None, 3),
        (SWISS, 8, 4, 4),
        (SWISS, 8, 5, 4),
        (SWISS, 64, None, 6),
        (SWISS, 64, 12, 7),
        (TournamentFormat.KNOCKOUT, 9, None, 4),
        (TournamentFormat.ROUND_ROBIN, 9, None, 9),
        (TournamentFormat.LADDER, 9, None, 1),
    ],
)
def test_the_number_of_rounds(
    format_: TournamentFormat, players: int, asked: int | None, rounds: int
) -> None:
    terms = a_tournament(format_, players, rounds=asked).terms
    assert rounds_of(terms, players) == rounds


def test_a_tournament_is_checked_at_its_start_and_at_the_end_of_a_round() -> None:
    found = a_tournament(TournamentFormat.SWISS, 8)
    start = BEGAN + timedelta(days=1)
    planned = replace(
        found, state=TournamentState.OPEN, terms=replace(found.terms, begins_at=start)
    )
    assert next_step(planned, now=BEGAN) == Wait(start)
    event = Event(found, Random(1))
    event.step()
    assert event.step() == Wait(BEGAN + ROUND_TIME)


def test_a_bye_is_a_win_and_boards_are_numbered_from_the_top() -> None:
    step = pair_up(a_tournament(TournamentFormat.SWISS, 5), now=BEGAN)
    assert [(pairing.board, pairing.result) for pairing in step.pairings] == [
        (1, None),
        (2, None),
        (3, PairingResult.BYE),
    ]


def test_the_first_white_is_random() -> None:
    first = {swiss(a_tournament(TournamentFormat.SWISS, 8, number=n), 1)[0].white for n in range(8)}
    assert first == {101, 105}


def test_the_last_seed_has_the_first_bye_and_nobody_has_two() -> None:
    event = Event(a_tournament(TournamentFormat.SWISS, 7), Random(3))
    alone = []
    while not event.ended:
        step = event.step()
        if isinstance(step, PairUp):
            alone += [p.white for p in step.pairings if p.black is BYE]
        for game in event.running:
            event.play(game)
    assert alone[0] == 107
    assert len(set(alone)) == len(alone) == 3


def test_late_entrants_have_no_points_for_missed_rounds() -> None:
    event = Event(a_tournament(TournamentFormat.SWISS, 8), Random(2))
    event.step()
    event.join()
    assert isinstance(event.step(), Wait), "they are not in the round that runs"
    for game in event.running:
        event.play(game)
    step = event.step()
    assert isinstance(step, PairUp)
    paired = {player for p in step.pairings for player in p.players}
    assert UserId(109) in paired
    late = next(s for s in standings(event.tournament) if s.player == 109)
    assert late.points == sum(
        p.result is PairingResult.BYE for p in step.pairings if p.white == 109
    )


def test_withdrawn_players_are_not_paired_and_keep_their_points() -> None:
    event = Event(a_tournament(TournamentFormat.SWISS, 8), Random(2))
    event.step()
    for game in event.running:
        event.decide(game, PairingResult.WHITE)
    gone = event.tournament.pairings[0].white
    event.withdraw(gone)
    step = event.step()
    assert isinstance(step, PairUp)
    assert gone not in {player for p in step.pairings for player in p.players}
    row = next(s for s in standings(event.tournament) if s.player == gone)
    assert (row.points, row.withdrawn) == (1, True)


def test_a_tournament_ends_when_all_except_one_have_left() -> None:
    event = Event(a_tournament(TournamentFormat.SWISS, 4), Random(2))
    event.step()
    for game in event.running:
        event.play(game)
    for player in (101, 102, 103):
        event.withdraw(UserId(player))
    assert isinstance(event.step(), Conclude)


def record(seed: int, colors: tuple[Color, ...] = (), *, points: float = 0.0) -> Record:
    return Record(Entrant(player=UserId(100 + seed), seed=seed), points, colors)


def test_if_all_have_met_the_oldest_meetings_are_forgotten(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Three of six have met the other three: some play again, and nobody has a bye."""
    here, there = (101, 103, 105), (102, 104, 106)
    tournament = a_tournament(TournamentFormat.SWISS, 6, rounds=4)
    pairings = tuple(
        Pairing(
            round=number,
            board=board + 1,
            white=UserId(white),
            black=UserId(black),
            result=PairingResult.DRAW,
        )
        for number in (1, 2, 3)
        for board in range(3)
        for white, black in [(here[board], there[(board + number) % 3])[:: (-1) ** number]]
    )
    tournament = replace(tournament, pairings=pairings, round=3)
    again = swiss(tournament, 4)
    assert [len(pairing.players) for pairing in again] == [2, 2, 2]
    later = {frozenset(pairing.players) for pairing in pairings if pairing.round > 1}
    assert later.isdisjoint(frozenset(pairing.players) for pairing in again)
    assert not has_faultless_round(tournament, [*map(UserId, range(101, 107))])
    assert not [r for r in caplog.records if r.levelno >= logging.WARNING]


def test_a_block_that_leaves_people_alone_is_dropped_last() -> None:
    """101 has blocked all, and has met 102. They meet somebody else nevertheless."""
    tournament = played(a_tournament(TournamentFormat.SWISS, 4), "1 = 2, 3 = 4")
    blocks = {frozenset({UserId(101), UserId(other)}) for other in (102, 103, 104)}
    pairings = swiss(replace(tournament, apart=frozenset(blocks)), 2)
    assert [len(pairing.players) for pairing in pairings] == [2, 2]


def test_nobody_has_a_color_three_times_in_a_row_even_in_the_last_round() -> None:
    """FIDE allows it for a leader: 105 would have White again."""
    found = played(
        a_tournament(TournamentFormat.SWISS, 8),
        "1 1-0 5, 6 1-0 2, 3 1-0 7, 8 = 4",
        "3 = 1, 4 1-0 6, 2 1-0 8, 5 0-1 7",
        "1 = 4, 6 1-0 3, 7 0-1 2, 8 1-0 5",
        "6 = 1, 2 1-0 4, 7 1-0 8, 5 1-0 3",
    )
    games = [(pairing.white, pairing.black) for pairing in swiss(found, 5)]
    may_meet = pair_rule(found)
    assert all(may_meet(white, black) for white, black in games if black is not None)


def test_the_library_keeps_two_apart_also_in_round_one() -> None:
    """Its other halves stay the same: the upper half plays the lower half."""
    field = [record(seed) for seed in range(1, 9)]
    apart = {frozenset({field[0].player, field[4].player})}
    found = by_the_dutch_system(field, 1, W, apart)
    pairs = {frozenset(record.entrant.seed for record in pair if record) for pair in found}
    assert pairs == {frozenset(pair) for pair in ((1, 6), (2, 5), (3, 7), (4, 8))}


@pytest.mark.parametrize("had", ["byes", "forfeits_won"])
def test_players_with_points_without_a_game_get_no_bye(had: str) -> None:
    field = [record(seed) for seed in range(1, 6)]
    setattr(field[4], had, 1)
    (alone,) = (one for one, other in by_the_dutch_system(field, 2, W, ()) if other is None)
    assert alone is field[3]


def test_rounds_are_those_of_another_program() -> None:
    """Seven events as py4swiss 0.3.1 paired them, which follows bbpPairings: rounds and colors.

    Results were drawn. Its rules are FIDE's of before February 2026; fields are even, as who has a
    bye is what has changed.
    """
    for event in json.loads((DATA / "swiss.json").read_text()):
        tournament = a_tournament(TournamentFormat.SWISS, event["players"], number=event["number"])
        for number in range(1, len(event["rounds"]) + 1):
            before = played(tournament, *event["rounds"][: number - 1])
            then = played(tournament, *event["rounds"][:number])
            theirs = {(p.white, p.black) for p in then.pairings if p.round == number}
            assert {(p.white, p.black) for p in swiss(before, number)} == theirs


def test_pairing_gets_the_rounds_so_far() -> None:
    tournament = played(
        a_tournament(TournamentFormat.SWISS, 6),
        "1 1-0 3, 2 +- 4, 5 bye, 6 1-0",
        "1 1-0 2, 3 bye",
        "5 1-0 1, 2 +- 4, 3 bye",
        "1 ? 5, 3 1-0 2",
    )
    book = [records(tournament)[UserId(100 + seed)] for seed in range(1, 7)]
    assert [item.colors for item in book] == [(W, W, B, W), (B, B), (B, W), (), (W, B), ()]
    assert [(item.points, item.byes, item.forfeits_won) for item in book] == [
        (2, 0, 0),
        (2, 0, 2),
        (3, 2, 0),
        (0, 0, 0),
        (2, 1, 0),
        (1, 1, 0),  # it has played nobody
    ]
    assert [" ".join(item.floats) for item in book] == [
        "none none down none",
        "down none down none",
        "none down down none",
        "none none none none",
        "down none up none",
        "none none none none",
    ]
