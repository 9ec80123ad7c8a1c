"""Tests of the machine's player: each game in its newest state, and each once."""

import asyncio
from types import SimpleNamespace
from typing import Any

from bot.connection.in_flight import InFlightWork
from bot.connection.tasks import Tasks
from bot.features.machine.player import MachinePlayer
from bot.play.model.terms import Start
from tests.bot.table import ANN, Table


def thoughts(game: int) -> set[asyncio.Task[Any]]:
    """What goes on about a game, but for what is being ended."""
    running = (task for task in asyncio.all_tasks() if not task.cancelling())
    return {task for task in running if task.get_name() == f"machine {game}"}


async def test_it_thinks_once_about_each_position(table: Table) -> None:
    table = Table(table.store, table.clock, reviews=True)
    services: Any = SimpleNamespace(
        opponent=None,  # so it thinks for ever
        require=table.does.require,
        publisher=SimpleNamespace(channels=None),
        work=InFlightWork(),
        tasks=(tasks := Tasks()),
        now=table.clock,
    )
    player = MachinePlayer(services)
    game = await table.begin(None, level=1, start=Start.BALANCED)
    player.consider(game)
    assert thoughts(game.row.id) == set()  # it is Ann's turn
    game = (await table.play(ANN, str(game.position.legal_moves()[0]))).game
    player.consider(game)
    (first,) = thoughts(game.row.id)
    player.consider(await table.game_cache.existing(game.row.id))  # as with a new session
    assert thoughts(game.row.id) == {first}
    await tasks.end()
    assert thoughts(game.row.id) == set()
