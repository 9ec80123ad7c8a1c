"""A review of a whole game."""

from itertools import pairwise

import pytest

pytest.importorskip("numba", reason="the extra `engine` is not installed")

import dvonn
from dvonn import Color, GameRecord, Grade, Review
from dvonn.engine import ReviewStoppedError, free_points, review
from dvonn.engine.reviewing import accuracy
from dvonn.motifs import positions, reasons
from tests.games import random_game

NODES = 4_000
RECORD = GameRecord(random_game(4))
POSITIONS = RECORD.positions()


@pytest.fixture(scope="module")
def said() -> Review:
    return review(RECORD, nodes=NODES)


def test_every_move_is_told_of_in_order(said: Review) -> None:
    assert [one.ply for one in said.plies] == list(range(50, len(RECORD.moves) + 1))
    for one in said.plies:
        assert one.played is RECORD.moves[one.ply - 1]
        assert one.color is POSITIONS[one.ply - 1].turn
    assert (said.engine, said.nodes) == (dvonn.__version__, NODES)


def test_what_a_move_leads_to_is_what_the_next_begins_with(said: Review) -> None:
    assert all(one.after == following.before for one, following in pairwise(said.plies))


def test_the_end_is_exact(said: Review) -> None:
    final = POSITIONS[-1]
    lead = final.score(Color.WHITE) - final.score(Color.BLACK)
    last = said.plies[-1].after
    assert last.exact
    assert last.margin == (lead, lead)
    assert last.win_probability == 0.5 + 0.5 * ((lead > 0) - (lead < 0))
    assert said.exact_from is not None
    for one in said.plies:
        assert one.before.exact or one.before.margin[0] <= one.before.margin[1]


def test_a_bad_move_is_told_with_lines_that_can_be_played(said: Review) -> None:
    bad = [one for one in said.plies if one.grade is not Grade.GOOD]
    assert len(bad) > 5
    for one in bad:
        before = POSITIONS[one.ply - 1]
        positions(before, one.best)
        positions(before, (one.played, *one.answer))
        assert one.best[0] is not one.played
        assert one.grade is Grade.of(one.loss)
        assert one.motifs == reasons(before, one.played, one.answer, one.best)
    assert any(one.motifs for one in bad)


def test_a_good_move_needs_no_words(said: Review) -> None:
    good = [one for one in said.plies if one.grade is Grade.GOOD]
    assert good
    assert all((one.best, one.answer, one.motifs) == ((), (), ()) for one in good)
    assert all(one.loss < 0.05 for one in good)


def test_the_same_record_gives_the_same_review(said: Review) -> None:
    assert review(RECORD, nodes=NODES) == said


def test_a_game_that_was_broken_off() -> None:
    half = review(GameRecord(RECORD.moves[:60]), nodes=NODES, placements=0)
    assert [one.ply for one in half.plies] == list(range(50, 61))
    assert not half.plies[-1].after.exact


def test_the_placement(said: Review) -> None:
    placement = said.placement
    assert placement is not None
    assert placement.outcome == said.plies[0].before
    assert {one.color for one in placement.costs} == set(Color)
    assert [one.loss for one in placement.costs] == sorted(
        (one.loss for one in placement.costs), reverse=True
    )
    for color in Color:
        assert len([one for one in placement.costs if one.color is color]) <= 3
    for one in placement.costs:
        before, worth = POSITIONS[one.ply - 1], free_points(POSITIONS[one.ply - 1])
        assert before.turn is one.color
        assert one.played == RECORD.moves[one.ply - 1].target
        assert one.loss == pytest.approx(worth[one.better] - worth[one.played], abs=0.02)
        assert one.loss > 0.02


def test_only_placements_that_the_players_chose_are_told_of() -> None:
    short = GameRecord(RECORD.moves[:52])
    assert review(short, nodes=1_000, placements=0).placement is None
    some = review(short, nodes=1_000, placements=10).placement
    assert some is not None
    assert all(one.ply <= 10 for one in some.costs)


def test_a_placement_that_was_broken_off_has_an_outlook() -> None:
    placed = review(GameRecord(RECORD.moves[:20]), nodes=NODES)
    assert (placed.plies, placed.accuracy) == ((), (None, None))
    assert placed.placement is not None
    assert 0.1 < placed.placement.outcome.win_probability < 0.9
    assert review(GameRecord(()), nodes=NODES).placement is None


def test_it_stops_when_it_is_told_to() -> None:
    asked = 0

    def stopped() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    with pytest.raises(ReviewStoppedError):
        review(RECORD, nodes=NODES, stopped=stopped)
    assert asked == 4


def test_no_nodes_are_refused() -> None:
    with pytest.raises(ValueError, match="node"):
        review(RECORD, nodes=0)


def test_accuracy_is_of_the_moves_that_mattered(said: Review) -> None:
    white = [one for one in said.plies if one.color is Color.WHITE]
    assert said.accuracy[0] == accuracy(white)
    assert accuracy([]) is None
    good, bad = (
        accuracy([one for one in white if one.grade is grade])
        for grade in (Grade.GOOD, Grade.BLUNDER)
    )
    assert good is not None
    assert bad is not None
    assert 0 < bad < 60
    assert 75 < good < 100
