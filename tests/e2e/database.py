"""The bot's database, seen and moved from outside."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta

from sqlalchemy import text

from bot.config import database_address
from bot.store import create_engine
from bot.store.schema import metadata
from tests.e2e.bot_process import BotProcess


async def without_tables(url: str) -> str:
    """A PostgreSQL's address, once no table of ours is left there."""
    engine = create_engine(database_address(url))
    async with engine.begin() as connection:
        await connection.run_sync(metadata.drop_all)
        await connection.execute(text("DROP TABLE IF EXISTS alembic_version"))
    await engine.dispose()
    return url


def _open(bot: BotProcess) -> "closing[sqlite3.Connection]":
    return closing(sqlite3.connect(bot.folder / "dvonn.sqlite3", isolation_level=None))


def make_challenges_older(bot: BotProcess, **by: float) -> None:
    """Let time pass for the challenges; the clock of a running bot cannot be moved."""
    milliseconds = timedelta(**by) // timedelta(milliseconds=1)
    with _open(bot) as database:
        database.execute("UPDATE challenges SET created_at = created_at - ?", (milliseconds,))


def all_rows(bot: BotProcess) -> dict[str, list[object]]:
    """All that is known of challenges and games: whatever changes anything changes this."""
    what = {
        # Without the message, which is written down a little later.
        "challenges": "id, challenger_id, opponent_id, channel_id, state, answered_at, game_id",
        "games": "*",
        "events": "*",
        "guild_settings": "*",
        "game_channels": "*",
    }
    with _open(bot) as database:
        return {
            table: database.execute(f"SELECT {columns} FROM {table}").fetchall()  # noqa: S608 - the names above
            for table, columns in what.items()
        }


@contextmanager
def held(bot: BotProcess) -> Iterator[None]:
    """Keep the bot from writing, as a slow disk does."""
    with _open(bot) as database:
        database.execute("BEGIN IMMEDIATE")
        yield
        database.execute("ROLLBACK")
