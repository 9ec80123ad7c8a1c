"""Databases as released versions left them, to test migrations with data."""

import re
import tempfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    CheckConstraint,
    Column,
    Connection,
    Float,
    MetaData,
    String,
    insert,
    select,
    text,
)
from sqlalchemy import Table as SqlTable

from bot.base.database_address import database_address
from bot.base.ids import ChannelId, GameId
from bot.database.backup_files import tables
from bot.database.backups import advance_ids
from bot.database.connection import AsyncEngine
from bot.database.opening import create_engine, migrate, run_migrations
from bot.database.schema import Instant, metadata
from bot.play.store.store import Store
from bot.play.use_cases.game_cache import GameCache
from dvonn import Position
from tests.bot.conftest import Clock
from tests.bot.table import ANN, BOB, CID, GUILD, Table
from tests.games import random_game

FOLDER = Path(__file__).resolve().parents[1] / "data" / "releases"
MIGRATIONS = Path(__file__).resolve().parents[2] / "bot" / "database" / "migrations" / "versions"

Release = dict[str, Any]


# Rows of tables that no game fills, as plain values. For a new table `example` makes one.
OTHERS: dict[str, dict[str, Any]] = {
    "plans": {"game_id": 1, "player_id": ANN, "spaces": "a1 b2", "else_next": True},
    "calls": {
        "game_id": 2,
        "revision": 60,
        "player_id": CID,
        "move": "a1-b1",
        "called_at": 1_772_400_000_000,
        "told": 61,
        "told_at": 1_772_400_060_000,
        "is_right": True,
    },
    "votes": {
        "game_id": 2,
        "revision": 60,
        "channel_id": 501,
        "player_id": CID,
        "move": "a1-b1",
        "source_id": 77_001,
        "voted_at": 1_772_400_000_000,
    },
    "callers": {"guild_id": GUILD, "player_id": CID, "calls": 3, "right_calls": 1},
    "studies": {
        "id": 1,
        "player_id": ANN,
        "game_id": 1,
        "start": None,
        "revision": 1,
        "record": '[Coordinates "standard"]\n[Result "*"]\n\n1. d2 {quiet}\n*\n',
        "place": 1,
        "moves": 1,
        "turned": False,
        "kept": True,
        "changed_at": 1_772_400_000_000,
    },
    "practice": {"player_id": ANN, "game_id": 3, "ply": 57, "step": 1, "due_at": 1_772_800_000_000},
    "timers": {"game_id": 1, "guild_id": GUILD, "due_at": 1_772_400_000_000},
    "players": {
        "player_id": ANN,
        "mentions": True,
        "automatic": False,
        "zone": "Europe/Vienna",
        "quiet_from": 1_320,
        "quiet_until": 420,
        "remind_by": "dm",
        "remind_at": "1d",
    },
    "deletions": {"person": 64 * "0", "at": 1_772_400_000_000},
    "blocks": {"player_id": BOB, "blocked_id": CID},
    "identifies": {
        "shard_id": 0,
        "shard_count": 1,
        "at": 1_772_400_000_000,
        "by_host": False,
        "stopped": True,
    },
    "pings": {"by_id": ANN, "to_id": BOB, "kind": "offer", "counted_until": 1_772_400_000_000},
    "reviews": {
        "game_id": 3,
        "guild_id": GUILD,
        "state": "done",
        "queued_at": 1_772_400_000_000,
        "tells": True,
        "due_at": 1_772_400_030_000,
        "tries": 1,
        "review": {"plies": [], "placement": None, "accuracy": [None, None]},
        "engine": "0.1.0",
        "made_at": 1_772_400_002_000,
    },
    "lessons": {"player_id": ANN, "step": "pair", "solved_at": 1_772_400_000_000},
    "clock_stops": {
        "guild_id": GUILD,
        "tournament_id": 1,
        "begins_at": 1_772_400_000_000,
        "ends_at": 1_772_500_000_000,
    },
    "vacations": {"player_id": BOB, "begins_at": 1_772_400_000_000, "ends_at": 1_772_500_000_000},
    "solvers": {
        "player_id": ANN,
        "rating": 1_312.5,
        "deviation": 210.25,
        "volatility": 0.06,
        "rated_at": 1_772_400_000_000,
        "tries": 4,
        "solved": 3,
        "streak": 1,
        "best_streak": 2,
    },
    "puzzle_ratings": {
        "puzzle_id": "0123abcd",
        "rating": 1_388.75,
        "deviation": 140.5,
        "volatility": 0.06,
        "rated_at": 1_772_400_000_000,
        "tries": 1,
        "solved": 0,
    },
    "puzzle_attempts": {
        "player_id": ANN,
        "puzzle_id": "0123abcd",
        "at": 1_772_400_000_000,
        "solved": False,
        "rating_before": 1_350.25,
        "rating_after": 1_312.5,
    },
    "given_puzzles": {"player_id": ANN, "puzzle": "0123abcd-counting", "at": 1_772_400_000_000},
    "daily_settings": {
        "guild_id": GUILD,
        "channel_id": 500,
        "minute": 540,
        "zone": "Europe/Vienna",
        "due_at": 1_772_400_000_000,
    },
    "daily_puzzles": {
        "guild_id": GUILD,
        "day": "2026-03-01",
        "puzzle_id": "0123abcd",
        "posted_at": 1_772_352_000_000,
    },
    "daily_answers": {
        "guild_id": GUILD,
        "day": "2026-03-01",
        "player_id": ANN,
        "solved": False,
        "at": 1_772_400_000_000,
    },
    "server_puzzles": {
        "guild_id": GUILD,
        "puzzle_id": "0123abcd",
        "game_id": 3,
        "white_id": ANN,
        "black_id": BOB,
        "puzzle": ["0123abcd"],
        "made_at": 1_772_400_000_000,
    },
    "tournaments": {
        "guild_id": GUILD,
        "channel_id": 500,
        "by_id": BOB,
        "name": "Spring Cup",
        "format": "swiss",
        "start": "balanced",
        "clock": "1d+1d/1d",
        "coordinates": "standard",
        "rated": True,
        "state": "running",
        "version": 9,
        "round": 1,
        "round_began": 1_772_400_000_000,
        "due_at": 1_772_500_000_000,
        "created_at": 1_772_300_000_000,
        "began_at": 1_772_400_000_000,
    },
    "entrants": {
        "tournament_id": 1,
        "number": 1,
        "player_id": ANN,
        "seed": 1,
        "rating": 1_500.5,
        "joined_round": 1,
        "joined_at": 1_772_300_000_000,
        "checked_in": True,
        "withdrawn": False,
        "source_id": 77_002,
    },
    "pairings": {
        "tournament_id": 1,
        "round": 1,
        "board": 1,
        "white": 1,
        "result": "bye",
        "forfeit": False,
        "paired_at": 1_772_400_000_000,
        "by_id": BOB,
        "note": "They agreed on it",
    },
    "outages": {
        "shard_id": 0,
        "shard_count": 1,
        "began_at": 1_772_200_000_000,
        "ended_at": 1_772_200_100_000,
    },
    "guild_settings": {"guild_id": GUILD, "games_per_person": 3, "placement_boards": "edit"},
    "game_channels": {"guild_id": GUILD, "channel_id": 500},
    "channel_settings": {"guild_id": GUILD, "channel_id": 500, "language": "it"},
    "listening": {"shard_id": 0, "shard_count": 1, "heard_at": 1_772_300_000_000},
}


async def fill(engine: AsyncEngine, listed: Mapping[str, dict[str, Any]] = OTHERS) -> None:
    """Do everything that leaves something in the database."""
    await _play(Table(Store(engine), Clock()))  # it always starts on the same day
    async with engine.begin() as connection:
        for table in metadata.sorted_tables:
            is_empty = (await connection.execute(select(table).limit(1))).first() is None
            if is_empty:
                row = listed.get(table.name) or example(table)
                await connection.run_sync(_insert, table.name, [row])


def example(table: SqlTable) -> dict[str, Any]:
    """Return a row that fits a table: the first example of each kind, within its constraints."""
    allowed = dict(
        _ALLOWED.findall(
            " ".join(
                str(constraint.sqltext)
                for constraint in table.constraints
                if isinstance(constraint, CheckConstraint)
            )
        )
    )
    return {
        column.name: allowed.get(column.name) or _value(column)
        for column in table.columns
        if not column.nullable or column.foreign_keys
    }


_NUMBERS = {"guild_id": GUILD, "channel_id": 500}
_ALLOWED = re.compile(r"(\w+) IN \('([^']*)'")


def _value(column: Column[Any]) -> object:
    for key in column.foreign_keys:
        of = key.column
        return 1 if _is_numbered(of) else _value(of)
    found = (value for kind, value in _VALUES.items() if isinstance(column.type, kind))
    number = ANN if column.name.endswith("_id") else 1
    return next(found, _NUMBERS.get(column.name, number))


def _is_numbered(column: Column[Any]) -> bool:
    """Return True if the database counts the rows of the column's table by it."""
    return column.table.autoincrement_column is column


_VALUES: dict[type[Any], object] = {
    Boolean: True,
    Instant: 1_772_400_000_000,
    Float: 1.5,
    JSON: {},
    String: "a1",
}
_NUMBERS = {"guild_id": GUILD, "channel_id": 500}
_ALLOWED = re.compile(r"(\w+) IN \('([^']*)'")


async def _play(table: Table) -> None:
    """Games in placement, in movement, and one that was resigned and rated. Challenges."""
    for number, plies in enumerate((20, 60, None)):
        channel = ChannelId(500 + number)
        await table.accept(await table.challenge(channel=channel, rated=plies is None))
        players = {"W": ANN, "B": BOB}
        position = Position.initial()
        for move in random_game(number)[:plies]:
            assert position.turn is not None
            await table.play(players[position.turn.value], str(move), channel)
            position = position.play(move)
    update = await table.accept(await table.challenge(CID, channel=ChannelId(510)), CID)
    row = update.game.row
    await table.leaving.resign(row.id, row.revision, CID, source=table.source())
    await table.challenge(None, channel=ChannelId(511))


async def dump(engine: AsyncEngine, version: str) -> Release:
    """Return everything in a database."""
    async with engine.connect() as connection:
        tables = await connection.run_sync(_rows)
    ((revision,),) = tables.pop("alembic_version")["rows"]
    games = {str(game): await standing(engine, game) for game in await all_games(engine)}
    return {
        "version": version,
        "schema": revision,
        "migrations": migrations(),
        "games": games,
        "tables": tables,
    }


def migrations() -> dict[str, str]:
    """Return the migrations, each with the SHA-256 of its text."""
    return {
        file.name: sha256(file.read_bytes().replace(b"\r\n", b"\n")).hexdigest()
        for file in sorted(MIGRATIONS.glob("[0-9]*.py"))
    }


async def load(release: Release, engine: AsyncEngine) -> None:
    """Fill an empty database with a release's data."""

    async with engine.connect() as connection:
        await connection.run_sync(run_migrations, release["schema"])
        await connection.commit()
    async with engine.begin() as connection:
        for name, table in release["tables"].items():
            rows = [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
            await connection.run_sync(_insert, name, rows)
        await advance_ids(
            connection, [table for table in tables() if table.name in release["tables"]]
        )


async def all_games(engine: AsyncEngine) -> list[GameId]:
    """Return the games of a database."""
    async with engine.connect() as connection:
        found = await connection.execute(text("SELECT id FROM games ORDER BY id"))
        return [GameId(number) for (number,) in found]


async def standing(engine: AsyncEngine, game: GameId) -> list[str]:
    """Return the state of a game by today's code: its end, phase, turn, and every stack."""
    store = Store(engine)
    row = await store.games.get(game)
    assert row is not None
    loaded = await GameCache(store).current(game)
    assert loaded is not None
    position = loaded.position
    stacks = " ".join(f"{point}:{pieces}" for point, pieces in sorted(position.stacks.items()))
    turn = "nobody" if position.turn is None else position.turn.value
    outcome = row.outcome
    ended = ["running"] if outcome is None else [outcome.reason, outcome.winner, outcome.margin]
    return [" ".join(map(str, ended)), position.phase.name, turn, stacks]


def _rows(connection: Connection) -> dict[str, Any]:
    known = MetaData()
    known.reflect(connection)
    return {
        table.name: {
            "columns": [column.name for column in table.columns],
            "rows": [
                list(row)
                for row in connection.execute(select(table).order_by(*table.primary_key.columns))
            ],
        }
        for table in known.sorted_tables
    }


def _insert(connection: Connection, name: str, rows: list[dict[str, Any]]) -> None:
    """Insert plain values into the current table, without today's code."""
    known = MetaData()
    known.reflect(connection, only=[name], resolve_fks=False)
    table = known.tables[name]
    flags = {column.name for column in table.columns if isinstance(column.type, Boolean)}
    for row in rows:
        row |= {flag: bool(row[flag]) for flag in flags & row.keys() if row[flag] is not None}
    if rows:
        connection.execute(insert(table), rows)


async def make(version: str) -> Release:
    """Create a database, and write its contents to a file."""
    with tempfile.TemporaryDirectory() as folder:
        engine = create_engine(database_address(f"sqlite:///{folder}/dvonn.sqlite3"))
        await migrate(engine)
        await fill(engine)
        release = await dump(engine, version)
        await engine.dispose()
    return release
