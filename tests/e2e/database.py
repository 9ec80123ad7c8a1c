"""Helpers that read and change the bot's database from outside."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from datetime import datetime, timedelta

import sqlalchemy

from bot.database.opening import run_migrations
from tests.e2e.bot_process import BotClock, BotProcess


def _open(bot: BotProcess) -> "closing[sqlite3.Connection]":
    return closing(sqlite3.connect(bot.folder / "dvonn.sqlite3", isolation_level=None))


def make_challenges_older(bot: BotProcess, **by: float) -> None:
    """Let time pass for challenges only, because the clock of a running bot can't be moved."""
    milliseconds = timedelta(**by) // timedelta(milliseconds=1)
    with _open(bot) as database:
        database.execute("UPDATE challenges SET created_at = created_at - ?", (milliseconds,))


def forget_what_was_heard(bot: BotProcess) -> None:
    """Make the bot read its channels from the last moves on, as if it had been killed while
    reading."""
    with _open(bot) as database:
        database.execute("DELETE FROM listening")


def all_rows(bot: BotProcess) -> dict[str, list[object]]:
    """Return everything stored about challenges and games. Every change of a game changes this."""
    what = {
        # without the message's id, which is stored a little later
        "challenges": "id, challenger_id, opponent_id, channel_id, state, answered_at, game_id",
        "games": "*",
        "events": "*",
        "guild_settings": "*",
        "game_channels": "*",
        "channel_settings": "*",
    }
    with _open(bot) as database:
        return {
            table: database.execute(f"SELECT {columns} FROM {table}").fetchall()  # noqa: S608 - the names above
            for table, columns in what.items()
        }


def everything(bot: BotProcess) -> dict[str, list[object]]:
    """Return everything that people have done: games, plans, guesses, studies, entries."""
    also = ("calls", "entrants", "plans", "practice", "studies", "tournaments", "votes")
    with _open(bot) as database:
        return all_rows(bot) | {
            table: database.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608 - the names above
            for table in also
        }


def seed_of(bot: BotProcess, game: int) -> int:
    """Return the seed of a game's random boards."""
    with _open(bot) as database:
        (seed,) = database.execute("SELECT seed FROM games WHERE id = ?", (game,)).fetchone()
    return int(seed)


async def tried(bot: BotProcess, times: int, kind: str = "%") -> None:
    """Wait until the newest delivery, of any kind or of one, has been tried a number of times."""
    newest = "SELECT tries FROM deliveries WHERE kind LIKE ? ORDER BY id DESC LIMIT 1"
    with _open(bot) as database:
        while (row := database.execute(newest, (kind,)).fetchone()) is None or row[0] < times:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def looked_at(bot: BotProcess, kind: str) -> bool:
    """Wait until the newest delivery of a kind is sent or postponed. Return True if it was sent."""
    newest = "SELECT sent_at, due_at - created_at FROM deliveries WHERE kind = ? ORDER BY id DESC"
    lease = timedelta(seconds=30) // timedelta(milliseconds=1)
    with _open(bot) as database:
        while True:
            sent_at, waits = database.execute(newest, (kind,)).fetchone()
            if sent_at is not None or waits > lease:
                return sent_at is not None
            await asyncio.sleep(0.02)


def forget_that_all_was_sent(bot: BotProcess, *kinds: str) -> None:
    """Mark deliveries as unsent, as if the bot had been killed before it marked them as sent."""
    forget = "UPDATE deliveries SET sent_at = NULL, message_id = NULL"
    with _open(bot) as database:
        if not kinds:
            database.execute(forget)
        for kind in kinds:
            database.execute(f"{forget} WHERE kind = ?", (kind,))


def as_before_even_boards(bot: BotProcess, game: int, seed: int) -> None:
    """Change a game to what an older version left: it has a pie start and waits for its board."""
    _move_back(bot, "0001")
    with _open(bot) as database:
        database.execute("UPDATE games SET start = 'pie', seed = ? WHERE id = ?", (seed, game))


def _move_back(bot: BotProcess, revision: str) -> None:
    """Copy all rows into a database of an older schema, as far as its columns allow."""
    new, old = bot.folder / "dvonn.sqlite3", bot.folder / "older.sqlite3"
    with sqlalchemy.create_engine(f"sqlite:///{old}").begin() as connection:
        run_migrations(connection, revision)
    with closing(sqlite3.connect(old)) as database, database:
        database.execute("ATTACH ? AS new", (str(new),))
        for (table,) in database.execute(_TABLES).fetchall():
            if table == "alembic_version" or not _columns(database, "new", table):
                continue
            kept = ", ".join(_columns(database, "main", table) & _columns(database, "new", table))
            database.execute(f"REPLACE INTO {table} ({kept}) SELECT {kept} FROM new.{table}")  # noqa: S608 - names of a schema
    old.replace(new)


_TABLES = "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"


def _columns(database: sqlite3.Connection, schema: str, table: str) -> set[str]:
    return {row[1] for row in database.execute(f"PRAGMA {schema}.table_info({table})")}


def given_up(bot: BotProcess) -> list[str]:
    """Return the kinds of deliveries that were dropped as unnecessary."""
    dropped = "SELECT kind FROM deliveries WHERE dropped_at IS NOT NULL"
    with _open(bot) as database:
        return [kind for (kind,) in database.execute(dropped)]


@contextmanager
def writes_blocked(bot: BotProcess) -> Iterator[None]:
    """Block the bot's writes, as a slow disk does."""
    with _open(bot) as database:
        database.execute("BEGIN IMMEDIATE")
        yield
        database.execute("ROLLBACK")


async def let_time_pass(bot: BotProcess, clock: BotClock, **by: float) -> None:
    """Move the clock once all boards are known to be posted. Before that, no clock runs."""
    await nothing_unsent(bot)
    clock.advance(**by)


async def nothing_unsent(bot: BotProcess) -> None:
    """Wait until no delivery is queued."""
    with _open(bot) as database:
        while database.execute(  # noqa: ASYNC110 - a database tells of no event
            "SELECT 1 FROM deliveries WHERE sent_at IS NULL AND dropped_at IS NULL"
        ).fetchall():
            await asyncio.sleep(0.02)


def received_until(bot: BotProcess, moment: datetime) -> None:
    """Record that the bot has received everything up to a time.

    The bot itself records this every half minute.
    """
    with _open(bot) as database:
        database.execute("REPLACE INTO listening VALUES (0, 1, ?)", (_milliseconds(moment),))


def begun(bot: BotProcess, moment: datetime, times: int) -> None:
    """Record session starts, as if the bot had been killed after each one."""
    values = "(NULL, 0, 1, ?, FALSE, FALSE)"
    with _open(bot) as database:
        for _ in range(times):
            database.execute(f"INSERT INTO identifies VALUES {values}", (_milliseconds(moment),))  # noqa: S608 - the row above


@asynccontextmanager
async def hears_again(bot: BotProcess) -> AsyncIterator[None]:
    """Wait until the session that the block begins is recorded as listening."""
    with _open(bot) as database:
        before = database.execute("SELECT heard_at FROM listening").fetchall()
        yield
        while database.execute("SELECT heard_at FROM listening").fetchall() == before:  # noqa: ASYNC110 - a database tells of no event
            await asyncio.sleep(0.02)


def break_game(bot: BotProcess, game: int) -> None:
    """Damage a game so that the bot can no longer read it."""
    with _open(bot) as database:
        database.execute("UPDATE games SET clock = 'broken' WHERE id = ?", (game,))


def let_run_again(bot: BotProcess, game: int) -> None:
    """Damage the row of an ended game so that it seems to be running."""
    with _open(bot) as database:
        values = "outcome = NULL, winner = NULL, margin = NULL, ended_at = NULL"
        database.execute(f"UPDATE games SET {values} WHERE id = ?", (game,))  # noqa: S608 - the words above


async def nothing_due(bot: BotProcess, moment: datetime) -> None:
    """Wait until everything due at a time is done: games are checked, reminders are sent."""
    due = (
        "SELECT 1 FROM timers WHERE due_at <= ? UNION ALL SELECT 1 FROM deliveries "
        "WHERE kind = 'reminder' AND sent_at IS NULL AND dropped_at IS NULL"
    )
    with _open(bot) as database:
        while database.execute(due, (_milliseconds(moment),)).fetchone():  # noqa: ASYNC110 - a database tells of no event
            await asyncio.sleep(0.02)


def _milliseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1_000)


def rows_of_others(bot: BotProcess, person: int) -> dict[str, list[object]]:
    """Return everything stored about games, servers and people, except one person's own actions."""
    what = {
        "games": "TRUE",
        "events": "TRUE",
        "plans": "TRUE",
        "guild_settings": "TRUE",
        "game_channels": "TRUE",
        "channel_settings": "TRUE",
        "challenges": f"challenger_id != {person}",
        "blocks": f"player_id != {person}",
        "pings": f"by_id != {person}",
        "players": f"player_id != {person}",
        "vacations": f"player_id != {person}",
    }
    with _open(bot) as database:
        return {
            table: database.execute(f"SELECT * FROM {table} WHERE {which}").fetchall()  # noqa: S608 - the names above
            for table, which in what.items()
        }


def settle_ratings(bot: BotProcess) -> None:
    """Give all players small deviations, as if they had played very many games."""
    with _open(bot) as database:
        database.execute("UPDATE ratings SET settled = 1, deviation = 60, best = rating")


async def dailies_are_over(bot: BotProcess) -> None:
    """Wait until no server has puzzles of the day."""
    await _empty(bot, "daily_settings")


async def _empty(bot: BotProcess, table: str) -> None:
    with _open(bot) as database:
        while database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]:  # noqa: ASYNC110, S608 - it tells of no event; the names above
            await asyncio.sleep(0.02)
