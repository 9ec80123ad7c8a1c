"""Tests for Glicko-2: Glickman's worked example, and the equation for the volatility."""

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.base.glicko import PERIOD, UNKNOWN, Rating, placing_deviation, rate_pair

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SCALE = 173.7178


def rated(rating: float, deviation: float = UNKNOWN, volatility: float = 0.06) -> Rating:
    return Rating(rating=rating, deviation=deviation, volatility=volatility, at=NOW)


def test_the_worked_example_of_the_paper() -> None:
    results = [(1.0, rated(1400, 30)), (0.0, rated(1550, 100)), (0.0, rated(1700, 300))]
    after = rated(1500, 200).updated(results, NOW + PERIOD)
    assert after.rating == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


@given(
    rating=st.floats(400, 2800),
    deviation=st.floats(30, 350),
    volatility=st.floats(0.03, 0.12),
    other=st.floats(400, 2800),
    of_other=st.floats(30, 350),
    score=st.sampled_from([0.0, 0.5, 1.0]),
)
def test_the_volatility_solves_the_papers_equation(
    rating: float, deviation: float, volatility: float, other: float, of_other: float, score: float
) -> None:
    """Its function is decreasing: positive a little before the solution, and negative after it."""
    found = rated(rating, deviation, volatility).updated([(score, rated(other, of_other))], NOW)
    phi, weight = deviation / SCALE, 1 / math.sqrt(1 + 3 * (of_other / SCALE / math.pi) ** 2)
    expected = 1 / (1 + math.exp(-weight * (rating - other) / SCALE))
    variance = 1 / (weight**2 * expected * (1 - expected))
    delta = variance * weight * (score - expected)

    def slope(x: float) -> float:
        pull = math.exp(x) * (delta**2 - phi**2 - variance - math.exp(x))
        return pull / (2 * (phi**2 + variance + math.exp(x)) ** 2) - 4 * (
            x - 2 * math.log(volatility)
        )

    x = 2 * math.log(found.volatility)
    assert slope(x - 1e-4) > 0 > slope(x + 1e-4)


@given(one=st.floats(400, 2800), other=st.floats(400, 2800), sure=st.floats(30, 350))
def test_winners_rise_and_losers_fall(one: float, other: float, sure: float) -> None:
    winner, loser = rate_pair(rated(one, sure), 1.0, rated(other, sure), NOW)
    assert winner.rating > one
    assert loser.rating < other
    assert winner.deviation < sure
    assert winner.rating - one == pytest.approx(other - loser.rating, rel=1e-3)


def test_a_rating_is_less_sure_the_longer_ago_it_was_found() -> None:
    sure, other = rated(1500, 60), rated(1500, 60)
    at_once, a_year_later = (
        sure.updated([(1.0, other)], NOW + timedelta(days=days)) for days in (0, 365)
    )
    assert at_once.deviation < 60
    assert 95 < a_year_later.deviation < 110
    assert a_year_later.rating > at_once.rating + 10
    assert sure.updated([(1.0, other)], NOW + timedelta(days=10**6)).deviation < UNKNOWN


def test_a_rating_can_count_as_no_surer_than_something() -> None:
    one, other, at = rated(1620, 90), rated(1500, 60), NOW + PERIOD
    unsure = one.updated([(1.0, other)], at, least=400)
    phi, weight = 400 / SCALE, 1 / math.sqrt(1 + 3 * (60 / SCALE / math.pi) ** 2)
    expected = 1 / (1 + math.exp(-weight * 120 / SCALE))
    sure = 1 / (1 / phi**2 + weight**2 * expected * (1 - expected))
    assert unsure.deviation == pytest.approx(SCALE * math.sqrt(sure))
    assert unsure.rating == pytest.approx(1620 + SCALE * sure * weight * (1 - expected))
    assert unsure.volatility == one.updated([(1.0, other)], at).volatility
    assert one.updated([(1.0, other)], at, least=80) == one.updated([(1.0, other)], at)


def test_measured_games_reduce_the_deviation_like_other_games() -> None:
    """The initial 1500 counts as one game, and each game counts the same."""
    first = placing_deviation(0)
    assert first > UNKNOWN
    for games in range(1, 30):
        information = (games + 1) / first**2
        assert placing_deviation(games) == pytest.approx(1 / math.sqrt(information))


def test_an_hour_that_goes_back_changes_nothing() -> None:
    one, other = rated(1500, 60), rated(1400, 60)
    back = one.updated([(1.0, other)], NOW - timedelta(days=1))
    assert back.deviation == one.updated([(1.0, other)], NOW).deviation


def test_a_rating_grows_uncertain_with_time_and_never_more_than_unknown() -> None:
    one = rated(1620, 60)
    later = one.as_of(NOW + 73 * PERIOD)
    assert later.rating == one.rating
    assert later.deviation == pytest.approx(math.sqrt(60**2 + 73 * (0.06 * SCALE) ** 2))
    assert later.as_of(NOW + 100_000 * PERIOD).deviation == UNKNOWN
    assert one.as_of(NOW - PERIOD) == one, "an hour that went back makes nothing surer"


def test_older_knowledge_counts_less() -> None:
    one, other = rated(1500, 80), rated(1500, 60)
    fresh = one.updated([(1.0, other)], NOW + 200 * PERIOD)
    stale = one.updated([(1.0, other.as_of(NOW + 200 * PERIOD))], NOW + 200 * PERIOD)
    assert stale.rating < fresh.rating
