"""Disk space of a finished game, on SQLite and on PostgreSQL.

    python -m benchmarks.disk [--games 4000] [--plies 84]

The given number of finished games is written into an empty database, each with its events, its sent
boards, and a review like the engine's. Then the size of the database is measured, including
indexes. `game` is the size in KiB without the review.
"""

import argparse
import asyncio
import json
import tempfile
from pathlib import Path

from sqlalchemy import text

from benchmarks.result import result_line
from bot.base.database_address import database_address
from bot.database.connection import AsyncEngine
from bot.database.opening import create_engine, migrate
from dvonn import GameRecord
from dvonn.engine import review
from tests.finished import finished_games
from tests.games import random_game
from tests.postgresql import new_database, stop_server

_REVIEWS = text("""
INSERT INTO reviews (game_id, guild_id, state, queued_at, tells, due_at, tries, review, engine,
                     made_at)
SELECT id, guild_id, 'done', 7, TRUE, 7, 1, CAST(:review AS JSON), '0.1.0', 7 FROM games
""")


async def size_kib(engine: AsyncEngine) -> float:
    """Return the size of a database, with its indexes."""
    async with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            size = text("SELECT pg_database_size(current_database())")
        else:
            size = text("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        return int((await connection.execute(size)).scalar_one()) / 1024


async def measure(url: str, games: int, plies: int, reviewed: str) -> tuple[float, float]:
    """Return the size of a game, and of its review, in KiB."""
    engine = create_engine(database_address(url))
    await migrate(engine)
    sizes = [await size_kib(engine)]
    await finished_games(engine, games, plies, guilds=100, pairs=500)
    sizes.append(await size_kib(engine))
    statement = str(_REVIEWS)
    if engine.dialect.name == "sqlite":
        statement = statement.replace("CAST(:review AS JSON)", ":review")
    async with engine.begin() as connection:
        await connection.execute(text(statement), {"review": reviewed})
    sizes.append(await size_kib(engine))
    await engine.dispose()
    return (sizes[1] - sizes[0]) / games, (sizes[2] - sizes[1]) / games


async def measure_both(games: int, plies: int, folder: Path) -> dict[str, float]:
    """Return the figures of the RESULT line."""
    computed = review(GameRecord(random_game(2)), nodes=2_000)
    reviewed = json.dumps(computed.to_json())
    data = folder / "server"
    data.mkdir()
    urls = {"sqlite": f"sqlite:///{folder / 'd.sqlite3'}", "postgresql": new_database(data, "disk")}
    figures: dict[str, float] = {"games": games, "plies": plies}
    try:
        for kind, url in urls.items():
            game, its_review = await measure(url, games, plies, reviewed)
            figures |= {f"{kind}_game_kib": game, f"{kind}_review_kib": its_review}
    finally:
        stop_server(data)
    return figures


def main() -> None:
    """Measure, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.disk")
    parser.add_argument("--games", type=int, default=4_000)
    parser.add_argument("--plies", type=int, default=84)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dvonn-disk-") as folder:
        figures = asyncio.run(measure_both(options.games, options.plies, Path(folder)))
    print(result_line("disk", figures))


if __name__ == "__main__":
    main()
