"""Tests for a review: its content and its stored form."""

import json
from dataclasses import replace

import pytest

from dvonn import (
    Color,
    Estimate,
    Grade,
    Motif,
    PlacementCost,
    PlacementReview,
    PlyReview,
    Point,
    Review,
    parse_move,
)


def estimate(chance: float, *, exact: bool = False) -> Estimate:
    margin = (3.0, 3.0) if exact else (-2.5, 8.0)
    return Estimate(win_probability=chance, margin=margin, exact=exact)


def ply(
    number: int, color: Color, before: float, after: float, *, exact: bool = False
) -> PlyReview:
    lost = before - after if color is Color.WHITE else after - before
    return PlyReview(
        ply=number,
        color=color,
        played=parse_move("c4-c2"),
        before=estimate(before, exact=exact),
        after=estimate(after, exact=exact),
        grade=Grade.from_loss(lost),
        best=(parse_move("a1-a2"), parse_move("b2-b3")),
        answer=(parse_move("b2-b3"),),
        motifs=(Motif.CUT_OFF, Motif.TAKEN),
        missed=(Motif.LAST_MOVER,),
        gap=0.25,
    )


PLACEMENT = PlacementReview(
    outcome=estimate(0.4),
    costs=(
        PlacementCost(
            ply=7, color=Color.WHITE, played=Point("d2"), better=Point("e3"), loss=0.0625
        ),
    ),
)


def review(*plies: PlyReview, placement: PlacementReview | None = PLACEMENT) -> Review:
    return Review(plies=plies, placement=placement, accuracy=(91.5, None), engine="1", nodes=1000)


@pytest.mark.parametrize(
    ("loss", "accuracy", "grade"),
    [
        (0.0, None, Grade.GOOD),
        (0.0499, None, Grade.GOOD),
        (0.05, None, Grade.INACCURACY),
        (0.1499, None, Grade.INACCURACY),
        (0.15, None, Grade.MISTAKE),
        (0.2499, 100.0, Grade.MISTAKE),
        (0.25, 65.0, Grade.BLUNDER),
        (0.25, 64.9, Grade.MISTAKE),
        (0.25, 44.9, Grade.INACCURACY),
        (0.69, 40.0, Grade.MISTAKE),
        (0.70, 40.0, Grade.BLUNDER),
        (0.70, 0.0, Grade.MISTAKE),
        (1.0, 0.0, Grade.BLUNDER),
    ],
)
def test_a_grade_goes_by_the_chance_given_away_among_players_as_good(
    loss: float, accuracy: float | None, grade: Grade
) -> None:
    assert Grade.from_loss(loss, accuracy) is grade


@pytest.mark.parametrize(
    ("chance", "exact", "white", "black"),
    [(0.714, False, 71, 29), (0.998, False, 99, 1), (0.0, False, 1, 99), (1.0, True, 100, 0)],
)
def test_unproven_results_are_never_certain(
    chance: float, exact: bool, white: int, black: int
) -> None:
    one = estimate(chance, exact=exact)
    assert (one.percent_for(Color.WHITE), one.percent_for(Color.BLACK)) == (white, black)


def test_a_loss_is_the_players_own_and_never_below_zero() -> None:
    assert ply(50, Color.WHITE, 0.7, 0.4).loss == pytest.approx(0.3)
    assert ply(50, Color.BLACK, 0.4, 0.7).loss == pytest.approx(0.3)
    assert ply(50, Color.BLACK, 0.7, 0.4).loss == 0


@pytest.mark.parametrize("placement", [PLACEMENT, None])
def test_stored_json_can_be_read(placement: PlacementReview | None) -> None:
    said = review(
        ply(50, Color.WHITE, 0.7, 0.4), ply(51, Color.BLACK, 0.4, 0.4), placement=placement
    )
    assert Review.from_json(json.loads(json.dumps(said.to_json()))) == said


def test_the_turning_point_gave_away_most() -> None:
    small, great = ply(50, Color.BLACK, 0.5, 0.6), ply(51, Color.BLACK, 0.6, 0.9)
    assert review(small, great, ply(52, Color.WHITE, 0.9, 0.6)).turning_point(None) is great
    assert review(ply(50, Color.WHITE, 0.5, 0.48)).turning_point(None) is None


def test_winners_have_no_losing_move() -> None:
    fall = review(ply(50, Color.WHITE, 0.9, 0.3))
    assert fall.turning_point(Color.BLACK) is fall.plies[0]
    assert fall.turning_point(Color.WHITE) is None, "Black resigned"


def test_after_the_turning_point_its_player_is_never_ahead_again() -> None:
    great, back = ply(50, Color.WHITE, 1.0, 0.0), ply(51, Color.BLACK, 0.0, 0.9)
    small = ply(52, Color.WHITE, 0.6, 0.3)
    assert review(great, back, small).turning_point(None) is small
    assert review(great, back, ply(52, Color.WHITE, 0.9, 0.9)).turning_point(None) is back
    assert review(great).turning_point(None) is great
    back = replace(back, after=estimate(0.6))
    assert review(back, great, back).turning_point(None) is back
    assert review(ply(50, Color.WHITE, 0.9, 0.6)).turning_point(None) is None, "White stayed ahead"
    before = review(ply(50, Color.WHITE, 0.39, 0.1))
    assert before.turning_point(None) is None, "it had turned before"


@pytest.mark.parametrize(
    ("accuracy", "is_clean"),
    [((85.0, None), True), ((84.9, 100.0), False), ((100.0, 60.0), False), ((None, None), True)],
)
def test_many_small_losses_are_not_a_clean_game(
    accuracy: tuple[float | None, float | None], *, is_clean: bool
) -> None:
    good = replace(review(ply(50, Color.WHITE, 0.5, 0.48)), accuracy=accuracy)
    assert good.is_clean is is_clean
    assert not replace(good, plies=(ply(50, Color.WHITE, 0.5, 0.4),)).is_clean


def test_exact_from_is_where_all_that_follows_is_proven() -> None:
    plies = [ply(n, Color.WHITE, 1.0, 1.0, exact=n in (51, 53, 54)) for n in range(50, 55)]
    assert review(*plies).exact_from == 53
    assert review(*plies[:1]).exact_from is None
    assert review().exact_from is None


def test_marks_whose_better_moves_use_the_same_point_soon_are_one_moment() -> None:
    def marked(number: int, color: Color, best: str) -> PlyReview:
        lost = (
            ply(number, color, 0.7, 0.3) if color is Color.WHITE else ply(number, color, 0.3, 0.7)
        )
        return replace(lost, best=(parse_move(best),))

    plies = (
        marked(50, Color.WHITE, "c1-c2"),
        ply(51, Color.BLACK, 0.3, 0.3),
        marked(53, Color.BLACK, "c2-d2"),
        marked(54, Color.WHITE, "d2-e2"),  # it shares no point with the first
        marked(59, Color.BLACK, "c3-c2"),
        marked(66, Color.BLACK, "c2-c3"),  # too late
    )
    found = [[item.ply for item in moment.plies] for moment in review(*plies).moments]
    assert found == [[50, 53, 59], [54], [66]]
    first, alone, _ = review(*plies).moments
    assert (first.points, first.is_of_both) == (frozenset({Point("c2")}), True)
    assert (alone.points, alone.is_of_both) == (frozenset({Point("d2"), Point("e2")}), False)
