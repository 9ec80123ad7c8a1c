"""Tests for a review of a whole game."""

import json
from itertools import pairwise

import pytest

pytest.importorskip("numba", reason="the extra `engine` is not installed")

import dvonn
from dvonn import (
    Color,
    Estimate,
    GameRecord,
    Grade,
    Motif,
    PlyReview,
    Position,
    Review,
    parse_move,
)
from dvonn.engine import ReviewStoppedError, free_points, review
from dvonn.engine.accuracy import accuracies, accuracy
from dvonn.engine.confirming import Confirmation
from dvonn.engine.estimates import SearchedValue, win_probability
from dvonn.engine.player import player_at
from dvonn.engine.reviewing import Walk
from dvonn.engine.searcher import Searcher
from dvonn.reviews.lines import positions
from dvonn.reviews.reasons import double_threat, reasons, reasons_of
from tests.dvonn.claims import check
from tests.engine.test_selfplay import SAMPLE
from tests.games import random_game

NODES = 4_000
RECORD = GameRecord(random_game(4))
POSITIONS = RECORD.positions()


@pytest.fixture(scope="module")
def made_review() -> Review:
    return review(RECORD, nodes=NODES)


def test_every_move_is_announced_in_order(made_review: Review) -> None:
    assert [entry.ply for entry in made_review.plies] == list(range(50, len(RECORD.moves) + 1))
    for item in made_review.plies:
        assert item.played is RECORD.moves[item.ply - 1]
        assert item.color is POSITIONS[item.ply - 1].turn
    assert (made_review.engine, made_review.nodes) == (dvonn.__version__, NODES)


@pytest.mark.parametrize(
    "begun", [pytest.param(10, marks=pytest.mark.later("a review of nearly a whole game")), 49, 60]
)
def test_a_record_may_begin_in_the_middle_of_a_game(begun: int) -> None:
    record = GameRecord(RECORD.moves[begun:], start=POSITIONS[begun])
    found = review(record, nodes=1_000)
    first = max(begun, 49)
    assert [item.ply for item in found.plies] == list(range(first + 1, len(RECORD.moves) + 1))
    assert [item.played for item in found.plies] == list(RECORD.moves[first:])
    costs = () if found.placement is None else found.placement.costs
    assert (found.placement is None) == (begun >= 49)
    assert [cost.played for cost in costs] == [RECORD.moves[cost.ply - 1].target for cost in costs]


@pytest.mark.parametrize("seed", [14, 158])
def test_a_reply_in_the_better_play_is_no_reply_to_the_played_move(seed: int) -> None:
    """These games have a reason that is a reply to the better move, which the review can't try."""
    record = GameRecord(random_game(seed))
    assert len(review(record, nodes=60, placements=0).plies) == len(record.moves) - 49


@pytest.mark.thorough("100 reviews, 2 minutes")
def test_any_game_can_be_reviewed() -> None:
    for seed in range(1_000, 1_100):
        record = GameRecord(random_game(seed))
        assert len(review(record, nodes=60, placements=0).plies) == len(record.moves) - 49, seed


def test_each_position_is_the_start_of_the_next(made_review: Review) -> None:
    assert all(one.after == following.before for one, following in pairwise(made_review.plies))


def test_the_end_is_exact(made_review: Review) -> None:
    final = POSITIONS[-1]
    lead = final.score(Color.WHITE) - final.score(Color.BLACK)
    last = made_review.plies[-1].after
    assert last.exact
    assert last.margin == (lead, lead)
    assert last.win_probability == 0.5 + 0.5 * ((lead > 0) - (lead < 0))
    assert made_review.exact_from is not None
    for item in made_review.plies:
        assert item.before.exact or item.before.margin[0] <= item.before.margin[1]


NOTHING_KNOWN = dict.fromkeys(Color)
"""The accuracy of players without any known moves."""


def test_a_bad_move_is_explained_with_legal_lines(made_review: Review) -> None:
    bad = [entry for entry in made_review.plies if entry.grade is not Grade.GOOD]
    assert len(bad) > 5
    for item in bad:
        before = POSITIONS[item.ply - 1]
        positions(before, item.best)
        positions(before, (item.played, *item.answer))
        assert item.best[0] is not item.played
        assert item.grade is Grade.from_loss(
            item.loss, made_review.accuracy[item.color is Color.BLACK]
        )
        confirmed = {*item.motifs, *item.missed}
        assert len(confirmed) <= 1
        assert confirmed <= {why.motif for why in reasons_of(before, item)} | {Motif.PIECES}
        own = [why.sufferer is item.color for why in reasons_of(before, item)]
        assert all(own) == (not item.missed)
        for why in reasons(before, item.played, item.answer, item.best):
            check(before, (item.played, *item.answer), item.best, why)
    assert {24} < {len(line) for item in bad for line in (item.best, (item.played, *item.answer))}
    assert any(item.motifs for item in bad)


def test_a_reason_belongs_to_the_player_who_loses_something(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    walk = Walk(POSITIONS, RECORD.moves, nodes=1_000, stopped=lambda: False)
    walk.value_positions()
    number = max(range(50, 65), key=lambda place: walk.judged(place).loss)
    color, replies = walk.judged(number).color, POSITIONS[number + 1].legal_moves()[:2]
    found = double_threat(POSITIONS[number], RECORD.moves[number], *replies)
    for sufferer in Color:
        reason = found.replace(sufferer=sufferer)
        monkeypatch.setattr(Confirmation, "first_reason", lambda *_, **__: reason)  # noqa: B023
        told = walk.ply_review(number, NOTHING_KNOWN)
        motifs = (told.motifs, told.missed)[:: 1 if sufferer is color else -1]
        assert motifs == ((Motif.DOUBLE_THREAT,), ())
        assert told.both == replies
    monkeypatch.setattr(Confirmation, "first_reason", lambda *_, **__: None)
    told = walk.ply_review(number, NOTHING_KNOWN)
    assert (told.motifs, told.missed, told.both) == ((), (), ())


@pytest.mark.later("a whole review more, 0.8 s")
def test_late_mistakes_are_followed_to_the_end_of_the_game() -> None:
    """With few stacks left, a search with more nodes sees the rest of the game."""
    late = {item.ply: item for item in review(GameRecord(random_game(5)), nodes=6_000).plies}
    for ply in (75, 80):
        assert late[ply].grade is not Grade.GOOD
        assert late[ply].before.exact


@pytest.mark.later("a whole review more, 2 s")
def test_near_the_end_a_first_look_knows_who_wins() -> None:
    """A close self-play game.

    A search of its nodes alone mistakes a draw for a loss.
    """
    line = SAMPLE.read_text(encoding="utf-8").splitlines()[196]
    record = GameRecord(tuple(map(parse_move, json.loads(line)["moves"].split())))
    told = {item.ply: item.before.win_probability for item in review(record).plies}
    assert len(record.positions()[65].stacks) == 25
    # A search of 30 million positions proved these.
    assert [told[ply] for ply in range(66, 73)] == [0.5, 0.0, 0.5, 0.0, 0.5, 0.5, 0.5]


def looked_at(position: Position, nodes: int) -> float:
    """White's chance by a search without earlier results: the mean of its last two depths."""
    depths: list[int] = []
    Searcher().search(position, nodes=nodes, on_depth=lambda found: depths.append(found.value))
    value = sum(depths[-2:]) / 2
    points = round(value if position.turn is Color.WHITE else -value)
    return win_probability(points, len(position.stacks))


def test_a_second_search_knows_nothing_of_the_game() -> None:
    """The table left by the backward pass knows the played moves much better than any others."""
    walk = Walk(POSITIONS, RECORD.moves, nodes=3_000, stopped=lambda: False)
    walk.value_positions()
    for number in (54, 56, 58, 62):
        walk.search_again(number, 6_000)
        found = walk.looks[number].chance(Color.WHITE)
        assert found == pytest.approx(looked_at(POSITIONS[number], 6_000), abs=0.005)


def played_by_level_5() -> GameRecord:
    moves = list(random_game(5)[:49])
    position = Position.initial().after(*moves)
    player = player_at(5, 5)
    while position.turn is not None:
        moves.append(player.choose(position))
        position = position.play(moves[-1])
    return GameRecord(moves)


def test_a_moves_loss_is_the_drop_from_one_search_to_the_next() -> None:
    record = played_by_level_5()
    before = record.positions()
    walk = Walk(before, record.moves, nodes=2_000, stopped=lambda: False)
    walk.value_positions()
    walk.search_open_positions()
    marked = [
        number
        for number in walk.looks
        if walk.ply_review(number, NOTHING_KNOWN).grade is not Grade.GOOD
    ]
    assert len(marked) > 5
    for number in marked:
        one = walk.ply_review(number, NOTHING_KNOWN)
        assert one.before.win_probability == pytest.approx(
            walk.looks[number].chance(Color.WHITE), abs=0.005
        )
        assert one.best[0] is not one.played
    both = [item for item in marked if item + 1 in marked]
    assert both, "two mistakes in a row"
    for number in both:
        color = before[number].turn
        assert color is not None
        fall = walk.looks[number].chance(color) - walk.looks[number + 1].chance(color)
        assert walk.ply_review(number, NOTHING_KNOWN).loss == pytest.approx(fall, abs=0.01)


@pytest.mark.later("ten times as many nodes, 0.5 s")
def test_a_review_stays_within_its_budget_and_a_closer_one_within_ten_budgets() -> None:
    """A bad game, in which most moves seem to be mistakes, takes little longer than others."""
    spent = []
    for times in (1, 10):
        walk = Walk(POSITIONS, RECORD.moves, nodes=1_000, stopped=lambda: False, times=times)
        walk.value_positions()
        walk.search_open_positions()
        spent.append(walk.spent)
    assert 60_000 < spent[0] < 250_000
    assert 600_000 < spent[1] < 2_500_000


@pytest.mark.parametrize(("spent", "times"), [(0, 2), (1_000_000, 1)])
def test_a_move_refuted_by_a_closer_search_is_not_called_better(spent: int, times: int) -> None:
    """A search that prefers a move may misjudge it. The position after it is searched, too."""
    walk = Walk(POSITIONS, RECORD.moves, nodes=3_000, stopped=lambda: False)
    walk.value_positions()
    walk.search_open_positions()
    number = max((look for look in walk.looks if look < 65), key=lambda one: walk.judged(one).loss)
    seen: list[Position] = []

    def value(position: Position, nodes: int) -> SearchedValue:
        seen.append(position)
        white = POSITIONS[number].turn is Color.WHITE
        return SearchedValue(-900 if white else 900, len(position.stacks), exact=False)

    walk._value = value  # type: ignore[method-assign]  # what it leads to is bad
    walk.spent = spent
    walk.search_again(number, 6_000)
    assert walk.ply_review(number, NOTHING_KNOWN).grade is Grade.GOOD
    assert [item.plies for item in seen] == [number + 1] * times, "again while nodes are left"


def test_the_full_boards_value_equals_a_separate_search() -> None:
    """The later course of the game does not count for this value."""
    walk = Walk(POSITIONS, RECORD.moves, nodes=3_000, stopped=lambda: False)
    walk.value_positions()
    before = [walk.ply_review(number, NOTHING_KNOWN) for number in range(49, 65)]
    walk.search_full_board()
    after = [walk.ply_review(number, NOTHING_KNOWN) for number in range(49, 65)]
    chances = [item.before.win_probability for item in after]
    assert chances[0] == pytest.approx(looked_at(POSITIONS[49], 30_000), abs=0.005)
    assert abs(chances[0] - before[0].before.win_probability) > 0.02
    assert chances[12:] == [item.before.win_probability for item in before[12:]]
    assert chances[6] != before[6].before.win_probability


def test_a_good_move_needs_no_words(made_review: Review) -> None:
    good = [item for item in made_review.plies if item.grade is Grade.GOOD]
    assert good
    assert all(
        (item.best, item.answer, item.motifs, item.missed) == ((), (), (), ()) for item in good
    )
    assert all(item.loss < 0.1 for item in good)


@pytest.mark.later("a whole review more, 0.5 s")
def test_the_same_record_gives_the_same_review(made_review: Review) -> None:
    assert review(RECORD, nodes=NODES) == made_review


def test_a_game_that_was_broken_off() -> None:
    half = review(GameRecord(RECORD.moves[:60]), nodes=NODES, placements=0)
    assert [item.ply for item in half.plies] == list(range(50, 61))
    assert not half.plies[-1].after.exact


def test_the_placement(made_review: Review) -> None:
    placement = made_review.placement
    assert placement is not None
    assert placement.outcome == made_review.plies[0].before
    assert {cost.color for cost in placement.costs} == set(Color)
    assert [cost.loss for cost in placement.costs] == sorted(
        (cost.loss for cost in placement.costs), reverse=True
    )
    for color in Color:
        assert len([cost for cost in placement.costs if cost.color is color]) <= 3
    for cost in placement.costs:
        before, worth = POSITIONS[cost.ply - 1], free_points(POSITIONS[cost.ply - 1])
        assert before.turn is cost.color
        assert cost.played == RECORD.moves[cost.ply - 1].target
        assert cost.loss == pytest.approx(worth[cost.better] - worth[cost.played], abs=0.02)
        assert cost.loss > 0.02


def test_only_placements_by_players_are_reviewed() -> None:
    short = GameRecord(RECORD.moves[:52])
    assert review(short, nodes=1_000, placements=0).placement is None
    some = review(short, nodes=1_000, placements=10).placement
    assert some is not None
    assert all(cost.ply <= 10 for cost in some.costs)


def test_a_placement_that_was_broken_off_has_an_outlook() -> None:
    placed = review(GameRecord(RECORD.moves[:20]), nodes=NODES)
    assert (placed.plies, placed.accuracy) == ((), (None, None))
    assert placed.placement is not None
    assert 0.1 < placed.placement.outcome.win_probability < 0.9
    assert review(GameRecord(()), nodes=NODES).placement is None


def test_the_engine_stops_on_request() -> None:
    asked = 0

    def stopped() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    with pytest.raises(ReviewStoppedError):
        review(RECORD, nodes=NODES, stopped=stopped)
    assert asked == 4


def test_a_long_search_asks_after_each_depth_whether_to_continue() -> None:
    asked = 0

    def stopped() -> bool:
        nonlocal asked
        asked += 1
        return False

    walk = Walk(POSITIONS, RECORD.moves, nodes=2_000, stopped=stopped)
    walk.value_positions()
    before = asked
    walk.search_full_board()  # one search
    assert asked > before + 4


def test_no_nodes_are_refused() -> None:
    with pytest.raises(ValueError, match="node"):
        review(RECORD, nodes=0)


def test_accuracy_counts_the_moves_that_there_were_to_choose(made_review: Review) -> None:
    moved_from = POSITIONS[made_review.plies[0].ply - 1 :]
    counted = accuracies(made_review.plies, moved_from)
    for color, number in zip(Color, counted, strict=True):
        own = [
            item
            for item in made_review.plies
            if item.color is color and len(POSITIONS[item.ply - 1].legal_moves()) > 1
        ]
        assert number == accuracy(own)
    assert made_review.accuracy == pytest.approx(counted, abs=5), (
        "but for what fades from the full board"
    )


@pytest.mark.parametrize(
    ("losses", "number"),
    [
        ([], None),
        ([0.0, 0.0, 0.0], 100),
        ([0.1, 0.1, 0.1], 60.7),
        ([0.0, 0.1, 0.0, 0.1], 80.3),
        ([0.5, 0.5, 0.5], 8.2),
        ([0.0, 0.5], None),
    ],
)
def test_accuracy_falls_with_losses(losses: list[float], number: float | None) -> None:
    assert accuracy([ply(0.6, 0.6 - loss) for loss in losses]) == number


def test_decided_games_do_not_affect_accuracy() -> None:
    counted = [ply(0.6, 0.5)] * 3
    assert accuracy([ply(0.99, 0.99), ply(0.01, 0.005)] * 2) is None
    assert accuracy([ply(0.99, 0.99), *counted]) == accuracy(counted)
    assert accuracy([ply(1.0, 0.0)] * 3) == 0.7, "who gives a won game away has not played well"


def ply(before: float, after: float) -> PlyReview:
    """A move of White's with these chances."""
    first, then = (
        Estimate(win_probability=chance, margin=(-3, 3), exact=False) for chance in (before, after)
    )
    return PlyReview(
        ply=50, color=Color.WHITE, played=parse_move("a1-a2"), before=first, after=then
    )
