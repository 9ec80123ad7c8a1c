"""Time to recount all ratings.

    python -m benchmarks.ratings [--games 20000] [--players 2000]

A database is filled with rated games that are not counted yet. `dvonn-bot ratings` counts and
writes them all, and then compares the result with the stored ratings. `ratio` is the processor time
of the first run, relative to Glicko-2 alone for as many changes: four a game, two players in two
pools.
"""

import argparse
import asyncio
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import text

from benchmarks.result import result_line
from bot.base.database_address import database_address
from bot.base.glicko import Rating
from bot.database.opening import create_engine, migrate
from club.profiles.store.recounting import recount

_NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
_CHANGES = 4
"""Changes per game: for two players, in their server and overall."""
_SAMPLE = 20_000
# Numbers derived from a sequence, not at random: the players meet in all servers.
_FILL = text(
    """
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :games)
    INSERT INTO games (id, guild_id, channel_id, white_id, black_id, coordinates, start, seed,
        clock, revision, outcome, winner, own_thread, rated, created_at, ended_at, rated_at)
    SELECT n, 1 + n % 20, n, 1000 + (n * 7919) % :players,
        1000 + ((n * 7919) % :players + 1 + (n * 104729) % (:players - 1)) % :players,
        'standard', 'balanced', 1, CASE WHEN n % 3 = 0 THEN '10m' ELSE 'none' END, 60,
        'resignation', CASE (n * 31) % 20 WHEN 0 THEN NULL ELSE
            CASE WHEN (n * 17) % 2 = 0 THEN 'W' ELSE 'B' END END,
        false, true, :start + n * 60000, :start + n * 60000, :start + n * 60000
    FROM numbers
    """
)


def floor_s(changes: int) -> float:
    """Return the processor time of Glicko-2 alone for a number of changes, in seconds."""
    rating, other = Rating.new(_NOON), Rating.new(_NOON)
    began = time.process_time()
    for number in range(min(changes, _SAMPLE)):
        at = _NOON + timedelta(minutes=number)
        rating = rating.updated([(number % 2, other)], at)
    return (time.process_time() - began) * changes / min(changes, _SAMPLE)


async def measure(games: int, players: int) -> None:
    """Fill a database, count twice, and print the RESULT line."""
    with tempfile.TemporaryDirectory() as folder:
        engine = create_engine(database_address(f"sqlite:///{Path(folder) / 'dvonn.sqlite3'}"))
        await migrate(engine)
        start = round(_NOON.timestamp() * 1000)
        async with engine.begin() as connection:
            parameters = {"games": games, "players": players, "start": start}
            await connection.execute(_FILL, parameters)
        await engine.dispose()
        wall, cpu = time.perf_counter(), time.process_time()
        comparison = await recount(engine, repair=True)
        counted_s, counted_cpu_s = time.perf_counter() - wall, time.process_time() - cpu
        assert comparison.games == games
        assert comparison.wrong_changes == _CHANGES * games
        await engine.dispose()
        wall = time.perf_counter()
        compared = await recount(engine, repair=False)
        compared_s = time.perf_counter() - wall
        assert compared.is_right
        await engine.dispose()
    figures = {
        "games": games,
        "counted_s": counted_s,
        "counted_cpu_s": counted_cpu_s,
        "compared_s": compared_s,
        "ratio": counted_cpu_s / floor_s(_CHANGES * games),
    }
    print(result_line("ratings", figures))


def main() -> None:
    """Measure, with the options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ratings")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--players", type=int, default=2_000)
    options = parser.parse_args()
    asyncio.run(measure(options.games, options.players))


if __name__ == "__main__":
    main()
