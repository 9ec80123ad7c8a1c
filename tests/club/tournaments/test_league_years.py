"""Tests for a league that runs for months without help."""

import pytest

from bot.play.store.store import Store
from tests.bot.conftest import Clock
from tests.bot.table import Table
from tests.club.tournaments.league_years import Year


@pytest.mark.later("two seasons of a league in two processes that are killed at times, 20 s")
@pytest.mark.both_databases
async def test_nobody_is_lost_and_each_season_is_announced_once(
    store: Store, other: Table, clock: Clock
) -> None:
    figures = await Year((store, other.store), clock, people=16, seed=3).play(months=3)
    assert figures["kills"] > 5
    assert figures["news_a_week"] < 2
