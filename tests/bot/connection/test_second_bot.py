"""Tests for the signs of a second bot with the same token."""

from datetime import timedelta

import pytest
from structlog.testing import capture_logs

from bot.base.health import ActiveFaults, Fault
from bot.connection.second_bot import SecondBot, Sign
from bot.database.other_processes import OtherProcesses
from bot.play.store.store import Store
from tests.bot.conftest import Clock

EACH = timedelta(seconds=30)
"""Each process records what it has received, and compares, every half minute."""


class Bot:
    """A process whose token another process uses, too."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.clock = clock
        self.others: OtherProcesses = store.other_processes
        self.degraded = ActiveFaults()
        self.second = SecondBot(self.degraded, self.others, clock)

    async def passes(self, times: int = 2, *, with_another: bool = False) -> None:
        """Compare a process's record with others, and check for another bot."""
        for _ in range(times):
            self.clock.time += EACH
            self.others.record_comparison(0, self.clock(), with_another=with_another)
            await self.second.check()

    @property
    def is_noticed(self) -> bool:
        return Fault.SECOND_BOT in self.degraded.faults


@pytest.fixture
def bot(store: Store, clock: Clock) -> Bot:
    return Bot(store, clock)


async def test_an_answer_that_came_first_is_a_sign_once_no_process_of_ours_gave_it(
    bot: Bot,
) -> None:
    bot.second.on_already_acknowledged()
    await bot.passes(1)
    assert not bot.is_noticed, "a process of ours may show itself yet"
    await bot.passes(1)
    assert bot.is_noticed
    await bot.passes(21)
    assert not bot.is_noticed, "it was one sign, ten minutes ago"


async def test_an_answer_by_another_process_is_not_evidence(bot: Bot) -> None:
    bot.second.on_already_acknowledged()
    await bot.passes(1, with_another=True)
    await bot.passes(3)
    assert not bot.is_noticed
    bot.others.record_takeover(bot.clock())
    bot.second.on_already_acknowledged()
    await bot.passes(3)
    assert not bot.is_noticed, "the other one was about to end"


async def test_an_answer_by_our_own_process_during_catch_up_is_not_evidence(
    bot: Bot,
) -> None:
    bot.second.on_own_session(bot.clock())
    bot.clock.advance(minutes=20)
    bot.second.on_already_acknowledged()
    await bot.passes(10)
    assert not bot.is_noticed
    bot.clock.advance(minutes=40)
    bot.second.on_already_acknowledged()
    await bot.passes(2)
    assert bot.is_noticed, "it would have shown itself by then"


async def test_an_answer_before_a_process_of_ours_began_is_a_sign(bot: Bot) -> None:
    bot.second.on_already_acknowledged()
    bot.clock.advance(seconds=1)
    bot.second.on_own_session(bot.clock())
    await bot.passes(2)
    assert bot.is_noticed


async def test_without_a_comparison_since_then_nothing_is_judged(bot: Bot) -> None:
    """As after a pause of the machine, everything arrives at once."""
    bot.others.record_comparison(0, bot.clock(), with_another=False)
    bot.second.on_already_acknowledged()
    bot.clock.advance(minutes=5)
    await bot.second.check()
    assert not bot.is_noticed
    await bot.passes(1)
    assert bot.is_noticed


@pytest.mark.parametrize("sign", [Sign.MESSAGE, Sign.SESSION])
async def test_a_sign_is_reported_once_and_expires_after_ten_minutes(bot: Bot, sign: Sign) -> None:
    with capture_logs() as logged:
        for _ in range(3):
            bot.second.note(sign)
            bot.clock.advance(minutes=10)
            await bot.second.check()
            assert bot.is_noticed
        bot.clock.advance(seconds=1)
        for _ in range(2):
            await bot.second.check()
        assert not bot.is_noticed
        bot.second.note(sign)
    assert [line["log_level"] for line in logged] == ["error", "info", "error"]
    assert logged[0]["reason"] == sign.meaning
