"""A moved clock for tests of tournaments."""

from collections.abc import AsyncIterator

import pytest

from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club
from tests.e2e.features.tournaments.cups import in_time


@pytest.fixture
async def clock(empty_club: Club) -> AsyncIterator[BotClock]:
    async with in_time(empty_club) as clock:
        yield clock
