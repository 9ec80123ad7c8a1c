"""Tests for how often a move goes to SQLite's thread, which costs more than its statements."""

import pytest

from bot.play.store.store import Store
from tests.bot.conftest import Clock
from tests.bot.database.test_driver import trips
from tests.bot.table import ANN, Table

__all__ = ["trips"]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_moves_transaction_uses_the_thread_once(
    store: Store, clock: Clock, trips: list[str]
) -> None:
    table = Table(store, clock)
    await table.accept(await table.challenge())
    trips.clear()
    await table.play(ANN, "a1")
    assert trips == ["commit"]
