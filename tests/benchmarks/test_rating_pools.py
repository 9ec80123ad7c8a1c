"""Hosts whose players never meet measure alike, by their games against the machine."""

from dataclasses import replace
from statistics import median

import pytest

from benchmarks.rating_pools import AGREE, Plan, apart, mean_errors


@pytest.mark.thorough("hundreds of games at each of three hosts, many times")
def test_hosts_agree_after_fifteen_games_each() -> None:
    assert median(apart(mean_errors(Plan(), times=100))) <= AGREE
    uneven = Plan(middles=(1400, 1500, 1600))
    assert median(apart(mean_errors(uneven, times=100))) <= AGREE


@pytest.mark.thorough("hundreds of games at each of three hosts, many times")
def test_the_machine_ties_hosts_of_unequal_strength_together() -> None:
    plan = Plan(middles=(1250, 1500, 1750))
    tied = median(apart(mean_errors(plan, times=20)))
    assert tied < 0.2 * median(apart(mean_errors(replace(plan, machine=0), times=20)))
