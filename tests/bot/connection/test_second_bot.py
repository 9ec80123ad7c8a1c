"""When signs of a second bot are believed: never because this machine stood still."""

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.base.health import Degraded
from bot.connection.second_bot import SecondBot
from bot.connection.store import ListeningTable
from bot.database.database import Database
from bot.database.other_processes import OtherProcesses
from tests.bot.conftest import Clock

SHARD = (0, 1)


class Process:
    """A process that hears with a shard, and looks for second bots."""

    def __init__(self, engine: AsyncEngine, clock: Clock) -> None:
        self._clock = clock
        others = OtherProcesses(engine)
        self._listening = ListeningTable(Database(engine), others)
        self._degraded = Degraded()
        self.second_bot = SecondBot(self._degraded, others, clock)

    async def writes(self) -> None:
        """Write down what was heard, as it does each half minute."""
        await self._listening.set_heard_until(*SHARD, self._clock())

    async def tells(self) -> bool:
        """Whether the host is told of a second bot after a look."""
        await self.second_bot.look()
        return bool(self._degraded.faults)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.mark.parametrize("paused", ["35 s", "an hour"])
async def test_after_a_pause_nobody_is_judged_before_others_could_show_themselves(
    engine: AsyncEngine, clock: Clock, paused: str
) -> None:
    old, new = Process(engine, clock), Process(engine, clock)
    await old.writes()
    clock.advance(minutes=5)
    await old.writes()
    clock.advance(seconds=1)
    await new.writes()
    old.second_bot.was_answered()
    clock.advance(**{"35 s": {"seconds": 36}, "an hour": {"hours": 1}}[paused])
    assert not await old.tells()  # the look comes first
    await old.writes()
    assert not await old.tells()
    clock.advance(minutes=1)
    assert not await old.tells()


async def test_another_that_has_not_written_yet_is_waited_for(
    engine: AsyncEngine, clock: Clock
) -> None:
    old, new = Process(engine, clock), Process(engine, clock)
    for _ in range(2):
        await old.writes()
        clock.advance(seconds=30)
    old.second_bot.was_answered()
    clock.advance(seconds=1)
    await old.writes()
    clock.advance(seconds=1)
    await new.writes()
    clock.advance(seconds=40)  # it stands still with its next look
    assert not await old.tells()
    await old.writes()
    assert not await old.tells()


async def test_what_nobody_of_this_database_can_have_answered_is_told(
    engine: AsyncEngine, clock: Clock
) -> None:
    alone = Process(engine, clock)
    await alone.writes()
    clock.advance(seconds=20)
    alone.second_bot.was_answered()
    for seconds in (10, 25):
        assert not await alone.tells()
        clock.advance(seconds=seconds)
        await alone.writes()
    assert await alone.tells()
