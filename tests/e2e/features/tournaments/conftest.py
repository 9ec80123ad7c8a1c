"""A moved clock for tests of tournaments."""

from collections.abc import AsyncIterator

import pytest

from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club
from tests.e2e.features.tournaments.cups import in_time
from tests.postgresql import without_rows

_OTHER = pytest.param("postgresql", marks=pytest.mark.thorough("the same on PostgreSQL"))


@pytest.fixture
async def clock(empty_club: Club) -> AsyncIterator[BotClock]:
    async with in_time(empty_club) as clock:
        yield clock


@pytest.fixture(params=["sqlite", _OTHER])
async def clock_of_many_lives(
    request: pytest.FixtureRequest, empty_club: Club
) -> AsyncIterator[BotClock]:
    """The clock of a bot that is killed again and again, on each database."""
    bot = empty_club.bot
    if request.param == "postgresql":
        bot.settings["DATABASE_URL"] = await without_rows(request.getfixturevalue("postgres_url"))
    bot.live_often()
    async with in_time(empty_club) as clock:
        yield clock
