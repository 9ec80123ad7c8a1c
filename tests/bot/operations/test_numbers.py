"""Tests that metrics match the played games, with the whole bot in this process."""

from collections.abc import AsyncIterator

import pytest

from bot.base.metrics import REGISTRY
from bot.play.store.store import Store
from dvonn import format_move
from tests.bot.whole import WholeBot, whole_bot
from tests.games import random_game

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
async def bot(store: Store, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WholeBot]:
    async with whole_bot(store, monkeypatch) as bot:
        yield bot


class Counted:
    """Counts how much this process's metrics increase."""

    def __init__(self) -> None:
        self._before = {name: self._of(name) for name in self.NAMES}

    NAMES = (
        *(("dvonn_turns_total", "typed"), ("dvonn_turns_total", "command")),
        *(("dvonn_turns_total", "button"), ("dvonn_turn_seconds_count", "typed")),
        *(("dvonn_refusals_total", "NotYourTurn"), ("dvonn_rendering_seconds_count", "")),
    )

    @staticmethod
    def _of(name: tuple[str, str]) -> float:
        sample, label = name
        kind = "kind" if "refusals" in sample else "door"
        return REGISTRY.get_sample_value(sample, {kind: label} if label else {}) or 0

    def gains(self) -> list[float]:
        return [self._of(name) - before for name, before in self._before.items()]


async def test_each_turn_is_counted_by_its_kind_of_input(bot: WholeBot) -> None:
    counted = Counted()
    await bot.begin()
    assert counted.gains()[:4] == [0, 0, 1, 0], "the challenge was accepted by a button"
    one, two, three = map(format_move, random_game(2)[:3])
    await bot.say(bot.ann, one)
    await bot.say(bot.bob, two)
    await bot.bob.slash(bot.channel, "move", move=three)  # it isn't his turn
    await bot.is_done()
    await bot.ann.slash(bot.channel, "move", move=three)
    await bot.is_done()
    *turns, refused, rendered = counted.gains()
    assert (turns, refused) == ([2, 1, 1, 2], 1)
    assert rendered >= 2
