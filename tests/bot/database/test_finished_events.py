"""Test of the rows that `benchmarks.finished` writes."""

from bot.database.backup_files import count, tables
from bot.database.connection import AsyncEngine
from bot.database.opening import migrate
from tests.finished import finished_games
from tests.finished_events import EACH, finished_events


async def test_finished_games_have_results_in_each_table(empty_engine: AsyncEngine) -> None:
    """The statements fit the tables of today."""
    await migrate(empty_engine)
    await finished_games(empty_engine, 240, 4, first=1, guilds=3, pairs=5)
    await finished_events(empty_engine, 240, first=1, guilds=3, pairs=5)

    async with empty_engine.connect() as connection:
        counted = {table.name: await count(table, connection) for table in tables()}
    assert counted["games"] == 240
    assert counted["pairings"] == 240 // EACH
    assert counted["tournaments"] == 2
    assert min(counted["rating_changes"], counted["records"], counted["entrants"]) > 0
