"""Tests of the machine's player: it plays each game's newest state, and each state once."""

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest

from bot.connection.in_flight import InFlightWork
from bot.connection.tasks import Tasks
from bot.features.machine import player
from bot.features.machine.player import MachinePlayer
from bot.features.machine.use_cases import SILENT_AFTER
from bot.play.game_changes import LONG_THOUGHT
from bot.play.model.terms import Start
from bot.play.store.store import Store
from demo.commands import use
from tests.bot.table import ANN, Table
from tests.bot.whole import FirstMoves, WholeBot, whole_bot
from tests.e2e.conftest import is_board, is_gone


def thoughts(game: int) -> set[asyncio.Task[Any]]:
    """The running tasks for a game, except those being canceled."""
    running = (task for task in asyncio.all_tasks() if not task.cancelling())
    return {task for task in running if task.get_name() == f"machine {game}"}


async def test_the_machine_thinks_once_about_each_position(table: Table) -> None:
    table = Table(table.store, table.clock, reviews=True)
    services: Any = SimpleNamespace(
        opponent=None,  # so it thinks forever
        require=table.does.require,
        publisher=SimpleNamespace(channels=None),
        work=InFlightWork(),
        tasks=(tasks := Tasks()),
        now=table.clock,
    )
    plays = MachinePlayer(services)
    game = await table.begin(None, level=1, start=Start.BALANCED)
    plays.consider(game)
    assert thoughts(game.row.id) == set()  # it is Ann's turn
    game = (await table.play(ANN, str(game.position.legal_moves()[0]))).game
    plays.consider(game)
    (first,) = thoughts(game.row.id)
    plays.consider(await table.game_cache.existing(game.row.id))  # as with a new session
    assert thoughts(game.row.id) == {first}
    await tasks.end()
    assert thoughts(game.row.id) == set()


@pytest.fixture
async def bot(
    store: Store, monkeypatch: pytest.MonkeyPatch, machine: FirstMoves
) -> AsyncIterator[WholeBot]:
    monkeypatch.setattr(player, "_CLOCK_EVERY_S", 0.005)
    async with whole_bot(store, monkeypatch, machine) as bot:
        yield bot


@pytest.fixture
def machine() -> FirstMoves:
    return FirstMoves()


async def begun(bot: WholeBot, **terms: object) -> None:
    """Start a game of Ann, as White, against level 1 on the empty board."""
    await use(bot.ann, bot.channel, "play", level=1, colour="white", start="placement", **terms)
    await bot.is_done()


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_it_plays_by_its_level_and_a_number_of_the_position(
    bot: WholeBot, machine: FirstMoves
) -> None:
    await begun(bot)
    for number, space in enumerate(("d2", "d3"), start=1):
        await bot.ann.say(bot.channel, space)
        await bot.channel.wait_for(is_board(2 * number))
    assert machine.chosen == [(1, 1_001), (1, 1_003)]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_while_it_thinks_its_player_sees_first_that_and_then_that_it_is_silent(
    bot: WholeBot, machine: FirstMoves
) -> None:
    await begun(bot)
    machine.may_move.clear()
    await bot.ann.say(bot.channel, "d2")
    typing = bot.world.exchanges
    while not any(item.path.endswith("/typing") for item in typing):  # noqa: ASYNC110 - a list
        await asyncio.sleep(0.005)
    await bot.is_done()
    assert not any(map(is_board(1), bot.channel.messages)), "a quick answer needs no board between"
    bot.advance(seconds=LONG_THOUGHT.total_seconds() + 0.1)
    await bot.channel.wait_for(is_board(1))
    bot.advance(seconds=SILENT_AFTER.total_seconds())
    told = await bot.channel.wait_for(lambda one: "I can't think right now" in one.content)
    machine.may_move.set()
    await bot.channel.wait_for(is_board(2))
    await is_gone(told)
