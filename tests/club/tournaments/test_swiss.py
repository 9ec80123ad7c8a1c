"""Tests of Swiss rounds: near scores, no rematches, and what happens if the library fails."""

import json
import logging
from dataclasses import replace
from datetime import timedelta
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from bot.base.ids import UserId
from club.tournaments.model.matching import Record, colored, records
from club.tournaments.model.pairing import (
    best_pairs,
    by_the_dutch_system,
    faults,
    next_step,
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
    as_records,
    least_faults,
    pair_up,
)
from tests.club.tournaments.tournament_texts import played

DATA = Path(__file__).parents[2] / "data"
W, B = Color.WHITE, Color.BLACK


@pytest.mark.parametrize(
    ("players", "asked", "rounds"),
    [
        (0, None, 1),
        (2, None, 1),
        (3, 3, 3),
        (4, 3, 3),
        (5, None, 3),
        (8, None, 3),
        (8, 4, 4),
        (8, 5, 4),
        (64, None, 6),
        (64, 12, 7),
    ],
)
def test_the_number_of_rounds(players: int, asked: int | None, rounds: int) -> None:
    terms = a_tournament(TournamentFormat.SWISS, players, rounds=asked).terms
    assert rounds_of(terms, players) == rounds


@pytest.mark.parametrize(
    ("kind", "rounds"),
    [
        (TournamentFormat.KNOCKOUT, 4),
        (TournamentFormat.ROUND_ROBIN, 9),
        (TournamentFormat.LADDER, 1),
    ],
)
def test_how_long_other_formats_are(kind: TournamentFormat, rounds: int) -> None:
    assert rounds_of(a_tournament(kind, 9).terms, 9) == rounds


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


def test_the_upper_half_plays_the_lower_half_first() -> None:
    step = pair_up(a_tournament(TournamentFormat.SWISS, 8), now=BEGAN)
    assert [sorted(p.players) for p in step.pairings] == [
        [101, 105],
        [102, 106],
        [103, 107],
        [104, 108],
    ]


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


def test_winners_play_winners() -> None:
    event = Event(a_tournament(TournamentFormat.SWISS, 8), Random(1))
    event.step()
    for game in event.running:
        white = game.white < (game.black or 0)
        event.decide(game, PairingResult.WHITE if white else PairingResult.BLACK)
    step = event.step()
    assert isinstance(step, PairUp)
    winners = {101, 102, 103, 104}
    assert [len(winners.intersection(p.players)) for p in step.pairings] == [2, 2, 0, 0]


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


def test_a_better_pairing_is_taken_where_the_library_finds_none(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Three of six have met the other three: one pair plays again, and nobody has a bye."""
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
    book = records(tournament)
    theirs = by_the_dutch_system(list(book.values()), 4, W)
    assert faults(theirs, list(book.values())) == (0, 2, 0, 0, 0, 0, 0)
    ours = as_records(swiss(tournament, 4), book)
    assert faults(ours, list(book.values())) == (0, 0, 0, 1, 0, 0, 0)
    assert least_faults(list(book.values())) == (0, 1, 0, 0, 0)
    assert not [r for r in caplog.records if r.levelno >= logging.WARNING]


def test_nobody_has_a_color_three_times_in_a_row_even_in_the_last_round() -> None:
    """FIDE allows it for a leader: 105 would have White again."""
    found = played(
        a_tournament(TournamentFormat.SWISS, 8),
        "1 1-0 5, 6 1-0 2, 3 1-0 7, 8 = 4",
        "3 = 1, 4 1-0 6, 2 1-0 8, 5 0-1 7",
        "1 = 4, 6 1-0 3, 7 0-1 2, 8 1-0 5",
        "6 = 1, 2 1-0 4, 7 1-0 8, 5 1-0 3",
    )
    field = list(records(found).values())
    assert not any(faults(by_the_dutch_system(field, 5, W), field))


def test_the_library_keeps_two_apart_also_in_round_one() -> None:
    """Its other halves stay the same: the upper half plays the lower half."""
    field = [record(seed) for seed in range(1, 9)]
    one, other = field[0], field[4]
    one.apart, other.apart = frozenset({other.player}), frozenset({one.player})
    found = by_the_dutch_system(field, 1, W)
    assert not any(faults(found, field))
    pairs = {frozenset(record.entrant.seed for record in pair if record) for pair in found}
    assert pairs == {frozenset(pair) for pair in ((1, 6), (2, 5), (3, 7), (4, 8))}


@pytest.mark.parametrize("had", ["byes", "forfeits_won"])
def test_players_with_points_without_a_game_get_no_bye(had: str) -> None:
    field = [record(seed) for seed in range(1, 6)]
    setattr(field[4], had, 1)
    (alone,) = (one for one, other in by_the_dutch_system(field, 2, W) if other is None)
    assert alone is field[3]


def test_the_fewest_faults_are_those_of_all_pairings() -> None:
    """Small fields with any past.

    A block is worse than a rematch, then a second bye, then a color.
    """
    random = Random(20)
    for _ in range(150):
        field = [record(seed) for seed in range(1, random.randint(2, 8) + 1)]
        for one in field:
            one.colors = tuple(random.choices((W, B), k=random.randint(0, 4)))
            one.byes = random.randint(0, 1)
            one.points = random.randint(0, 8) / 2
            for other in field:
                if one.player < other.player and random.random() < 0.5:
                    one.met += (other.player,)
                    other.met += (one.player,)
                if one.player < other.player and random.random() < 0.1:
                    one.apart |= {other.player}
                    other.apart |= {one.player}
        assert faults(best_pairs(field), field) == (0, 0, *least_faults(field))


def test_of_equal_pairings_the_one_with_the_nearest_scores() -> None:
    field = [record(seed, points=points) for seed, points in enumerate((3.0, 2.5, 1.0, 0.5), 1)]
    assert [{r.player for r in pair if r} for pair in best_pairs(field)] == [{101, 102}, {103, 104}]


def test_two_middling_gaps_are_nearer_than_a_large_and_a_small_one() -> None:
    """The first two have met. Both ways have the same total distance, but not the same squares."""
    for seeds in permutations(range(1, 5)):
        points = (2.0, 1.5, 1.0, 0.0)
        field = [record(seed, points=score) for seed, score in zip(seeds, points, strict=True)]
        field[0].met, field[1].met = (field[1].player,), (field[0].player,)
        gaps = [one.points - other.points for one, other in best_pairs(field) if other]
        assert sorted(map(abs, gaps)) == [1.0, 1.5]


def test_the_bye_goes_to_the_fewest_points_without_an_earlier_free_win() -> None:
    for seeds in permutations(range(1, 4)):
        field = [
            record(seed, points=score) for seed, score in zip(seeds, (2.0, 1.5, 1.0), strict=True)
        ]
        *_, (alone, nobody) = best_pairs(field)
        assert (alone, nobody) == (field[2], None), "and their board is the last"
        assert best_pairs([record(seed) for seed in seeds])[-1][1] is None
        field[2].forfeits_won = 1
        *_, (alone, _) = best_pairs(field)
        assert alone is field[1]


def test_boards_go_by_the_points_of_the_better_then_of_both_then_by_seed() -> None:
    """Each on the left has met all on the right except one, so the pairing is clear."""
    pairs = [(3.0, 1.0), (2.0, 2.0), (2.0, 1.5), (2.0, 1.5), (1.5, 1.5)]
    for order in list(permutations(range(5)))[::17]:
        field: list[Record] = []
        expected: dict[int, set[UserId]] = {}
        for board, (higher, lower) in enumerate(pairs):
            seed = 2 * order[board] + 1
            both = record(seed, points=higher), record(seed + 1, points=lower)
            field += both[:: 1 if order[0] % 2 else -1]
            expected[board] = {both[0].player, both[1].player}
        for one in field:
            one.met = tuple(
                other.player
                for other in field
                if not any(couple >= {one.player, other.player} for couple in expected.values())
            )
        found = [{one.player, other.player} for one, other in best_pairs(field) if other]
        level = sorted((expected[2], expected[3]), key=min)
        assert found == [expected[0], expected[1], *level, expected[4]]


@pytest.mark.parametrize(
    ("white", "black", "found"),
    [
        (record(1), record(2), (0, 0)),
        (record(1, (W, W)), record(2), (1, 1)),
        (record(1, (W, B, W, W)), record(2), (1, 1)),
        (record(1, (B, W, W)), record(2, (W, B, B)), (0, 2)),
        (record(1, (W, B, W, B, W, W)), record(2, (B, W, W, B, B)), (1, 2)),
    ],
)
def test_faults_of_colors(white: Record, black: Record, found: tuple[int, int]) -> None:
    assert faults([(white, black)], [white, black])[5:] == found


@pytest.mark.parametrize(
    ("one", "other", "first_is_white"),
    [
        ("", "", True),
        ("W", "", False),
        ("B", "", True),
        ("", "W", True),
        ("", "B", False),
        ("WB", "BW", True),
        ("BW", "WB", False),
        ("BW", "BW", True),
        ("WB", "WB", True),
        ("BWWB", "", True),
        ("WBBW", "", False),
        ("", "WBBW", True),
        ("", "BWWB", False),
        ("WWB", "B", False),  # the one who has had it less often, even if they had it last
        ("WBBWW", "WBWBWBW", False),  # never three times in a row
        ("WBWW", "WBWBWBWBWBWWW", True),  # never more than two games more
    ],
)
def test_colors_are_equal_then_alternate(one: str, other: str, first_is_white: bool) -> None:
    pair = [record(seed, tuple(map(Color, text))) for seed, text in enumerate((one, other), 1)]
    white, black = colored(*pair)
    assert [white, black] == pair[:: 1 if first_is_white else -1]


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
    assert [one.colors for one in book] == [(W, W, B, W), (B, B), (B, W), (), (W, B), ()]
    met = [[player - 100 for player in one.met] for one in book]
    assert met == [[3, 2, 5, 5], [4, 1, 4, 3], [1, 2], [2, 2], [1, 1], []]
    assert [(one.points, one.byes, one.forfeits_won) for one in book] == [
        (2, 0, 0),
        (2, 0, 2),
        (3, 2, 0),
        (0, 0, 0),
        (2, 1, 0),
        (1, 1, 0),  # it has played nobody
    ]
    assert [" ".join(one.floats) for one in book] == [
        "none none down none",
        "down none down none",
        "none down down none",
        "none none none none",
        "down none up none",
        "none none none none",
    ]


def test_two_more_games_of_a_color_are_the_maximum() -> None:
    white, black = (Record(Entrant(player=UserId(1), seed=1), colors=(c, c)) for c in (W, B))
    assert [white.unbalances(color) for color in (W, B)] == [True, False]
    assert [black.unbalances(color) for color in (W, B)] == [False, True]
