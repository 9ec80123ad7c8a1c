"""Time of a profile and a leaderboard when very many have played.

    python -m benchmarks.profiles [--players 100000] [--games 1000000] [--rounds 9] [--postgresql]

All players and games are of one server, which is the worst case; one person has played every
fiftieth game. What is measured is all between a command and its answer's way to Discord: what is
asked of the database, the words, and the picture, for that person: their own profile, somebody
else's against them, the first page of a leaderboard, the last one, and the one with their own
place. The floor is the same in a database of a hundredth of the players and games: `ratio` is what
grows, taken of the dearest of the five. A figure is the median of the rounds, of which the two
databases take turns; the first round is left out.

The databases are filled by SQL, from the remainders of numbers: SQLite files, or with --postgresql
databases of the server that the tests start.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from statistics import median

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from benchmarks.result import result_line
from bot.base.database_address import database_address
from bot.base.ids import GuildId, UserId
from bot.base.languages import IN_ENGLISH
from bot.composition import use_cases
from bot.connection.posts import Post
from bot.database.opening import create_engine, migrate
from bot.features.profiles.use_cases import Profiles
from bot.features.profiles.words.leaderboards import leaderboard_shown
from bot.features.profiles.words.profiles import Curves, profile_shown
from bot.play.model.clock import Pace
from bot.play.store.store import Store
from renderer import rating_curves
from tests.postgresql import new_database, stop_server
from tests.renderer.gallery import CHARTED
from tests.renderer.reviews import reviewed

GUILD = GuildId(1 << 22)
FIRST = 1_000
"""The number of the person who has played most; the others' follow."""
MOST, OTHER = UserId(FIRST), UserId(FIRST + 1)
_NOW = datetime(2026, 11, 23, tzinfo=UTC)
_SMALLER = 100

_NUMBERS = """
WITH RECURSIVE numbers(n) AS (
    SELECT CAST(1 AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < {count}
)
"""
_PAIRS = """
SELECT n, CASE WHEN n % 50 = 0 THEN {first}
        ELSE {first} + 1 + 2 * ((n * 7919) % ({players} / 2 - 1)) END AS white,
    {first} + 2 + 2 * ((n * 104729 + n / 3) % ({players} / 2 - 1)) AS black
FROM numbers
"""
_GAMES = """
INSERT INTO games (id, guild_id, channel_id, white_id, black_id, coordinates, start, seed, clock,
    revision, outcome, winner, own_thread, created_at, ended_at, rated, rated_at)
{numbers}
SELECT n, {guild}, 500, white, black, 'standard',
    CASE n % 4 WHEN 0 THEN 'placement' ELSE 'balanced' END,
    0, 'none', 40, 'resignation', CASE n % 9 WHEN 0 THEN NULL WHEN 1 THEN 'W' WHEN 2 THEN 'B'
        WHEN 3 THEN 'W' WHEN 4 THEN 'W' ELSE 'B' END,
    {false}, 1000000 * n, 1000000 * n + 1000, {true}, 1000000 * n + 1000
FROM ({pairs}) AS pairs
"""
_CHANGES = """
INSERT INTO rating_changes (game_id, guild_id, player_id, pace, at, number, score, opponent_id,
    opponent_rating, opponent_deviation, since, rating_before, deviation_before, volatility_before,
    rating_after, deviation_after, volatility_after)
SELECT id, {pool}, {seat}_id, CASE id % 3 WHEN 0 THEN 'live' ELSE 'slow' END, rated_at, 10,
    CASE WHEN winner IS NULL THEN 0.5 WHEN winner = '{colour}' THEN 1 ELSE 0 END, {other}_id,
    1500, 80, 0, 1500 + id % 211, 80, 0.06, 1500 + (id + 17) % 211, 79, 0.06
FROM games
"""
_RATINGS = """
INSERT INTO ratings (guild_id, pace, player_id, rating, deviation, volatility, rated_at, settled,
    games, won, drawn, lost, best)
{numbers}
SELECT pools.pool, paces.pace, {first} + n - 1, 1000 + (n * 7919) % 1000 + n / {players}.0, 70,
    0.06, 0, n % 10 <> 3, 20, 10, 2, 8, 1800
FROM numbers, (SELECT 0 AS pool UNION ALL SELECT {guild}) AS pools,
    (SELECT 'live' AS pace UNION ALL SELECT 'slow') AS paces
"""
_RECORDS = """
INSERT INTO records (guild_id, player_id, machine, colour, start, won, drawn, lost, last_at)
SELECT {pool}, {seat}_id, {false}, '{colour}', start,
    SUM(CASE WHEN winner = '{colour}' THEN 1 ELSE 0 END),
    SUM(CASE WHEN winner IS NULL THEN 1 ELSE 0 END),
    SUM(CASE WHEN winner <> '{colour}' THEN 1 ELSE 0 END), MAX(ended_at)
FROM games GROUP BY {seat}_id, start
"""
_HIDDEN = """
INSERT INTO players (player_id, mentions, automatic, profile)
{numbers}
SELECT {first} + n * 20, {true}, {false}, {false} FROM numbers
"""
_REVIEWS = """
INSERT INTO reviews (game_id, guild_id, state, queued_at, tells, due_at, tries, review, engine,
    made_at)
SELECT id, guild_id, 'done', 0, {false}, 0, 1, :review, '1', 0
FROM games WHERE white_id = {first}
"""
_SEATS = (("white", "black", "W"), ("black", "white", "B"))


async def fill(engine: AsyncEngine, players: int, games: int) -> None:
    """Write so many players and games, and what follows from these."""
    await migrate(engine)
    patient = create_async_engine(engine.url)  # the bot's gives up a statement after half a minute
    try:
        await _fill(patient, players, games)
    finally:
        await patient.dispose()


async def _fill(engine: AsyncEngine, players: int, games: int) -> None:
    is_server = engine.dialect.name == "postgresql"
    names = {
        "players": players,
        "first": FIRST,
        "guild": GUILD,
        "true": "true" if is_server else "1",
        "false": "false" if is_server else "0",
    }
    numbers = _NUMBERS.format(count=games)
    statements = [_GAMES.format(numbers=numbers, pairs=_PAIRS.format(**names), **names)]
    for pool in (GUILD, 0):
        for seat, other, colour in _SEATS:
            what = {"pool": pool, "seat": seat, "other": other, "colour": colour}
            statements += [_CHANGES.format(**what), _RECORDS.format(**what, **names)]
    statements += [
        _RATINGS.format(numbers=_NUMBERS.format(count=players), **names),
        _HIDDEN.format(numbers=_NUMBERS.format(count=players // 100), **names),
    ]
    async with engine.begin() as connection:
        for statement in statements:
            await connection.execute(text(statement))
        review = json.dumps(reviewed(CHARTED, 9).to_json())
        reviews = _REVIEWS.format(**names)
        if is_server:
            reviews = reviews.replace(":review", "CAST(:review AS JSON)")
        await connection.execute(text(reviews), {"review": review})
    async with engine.connect() as connection:
        analysed = await connection.execution_options(isolation_level="AUTOCOMMIT")
        await analysed.execute(text("VACUUM ANALYZE" if is_server else "ANALYZE"))


@dataclass(frozen=True, slots=True)
class Place:
    """One database, and what is asked there."""

    engine: AsyncEngine

    def asked(self) -> dict[str, Callable[[], Awaitable[Post]]]:
        """Return the measured requests, by the names of the figures."""
        store = Store(self.engine)
        cases = use_cases(store, now=lambda: _NOW, rng=Random(0))
        profiles = cases.of(Profiles)

        async def own() -> Post:
            found = await profiles.of(MOST, asker=MOST, guild=GUILD)
            return profile_shown(IN_ENGLISH, found, MOST, may_share=True)

        async def other() -> Post:
            found = await profiles.of(OTHER, asker=MOST, guild=GUILD)
            return profile_shown(IN_ENGLISH, found, MOST, may_share=True)

        def board(page: int | None, *, everywhere: bool) -> Callable[[], Awaitable[Post]]:
            async def shown() -> Post:
                found = await profiles.leaderboard(
                    Pace.SLOW, asker=MOST, guild=GUILD, everywhere=everywhere, page=page
                )
                return leaderboard_shown(IN_ENGLISH, found, MOST)

            return shown

        return {
            "own_profile_ms": own,
            "profile_ms": other,
            "first_page_ms": board(0, everywhere=False),
            "last_page_ms": board(1_000_000, everywhere=True),
            "own_place_ms": board(None, everywhere=True),
        }


async def answer(ask: Callable[[], Awaitable[Post]]) -> None:
    """Make an answer whole, with its picture."""
    post = await ask()
    if isinstance(post.picture, Curves):
        rating_curves(post.picture.curves, look=post.picture.look)


async def measure(urls: list[str], players: int, games: int, rounds: int) -> dict[str, float]:
    """Fill both databases, ask in turns; the figures of the RESULT line."""
    places = []
    for url, part in zip(urls, (1, _SMALLER), strict=True):
        engine = create_engine(database_address(url))
        start = time.perf_counter()
        await fill(engine, players // part, games // part)
        print(f"filled {games // part} games in {time.perf_counter() - start:.0f} s", flush=True)
        places.append(Place(engine))
    taken: list[dict[str, list[float]]] = [{} for _ in places]
    for number in range(rounds + 1):
        for place, times in zip(places, taken, strict=True):
            for name, ask in place.asked().items():
                start = time.perf_counter()
                await answer(ask)
                if number:
                    times.setdefault(name, []).append(1_000 * (time.perf_counter() - start))
    for place in places:
        await place.engine.dispose()
    large, small = ({name: median(times) for name, times in one.items()} for one in taken)
    for name in large:
        print(f"{name} {large[name]:.1f}, in the smaller database {small[name]:.1f}")
    dearest = max(large.values())
    floor = max(small.values())
    return {"answer_ms": dearest, "floor_ms": floor, "ratio": dearest / floor, **large}


def addresses(folder: Path, *, postgresql: bool) -> list[str]:
    """Return the addresses of two empty databases."""
    names = ("many", "few")
    if not postgresql:
        return [f"sqlite:///{(folder / name).as_posix()}.sqlite3" for name in names]
    return [new_database(folder, name) for name in names]


def main() -> None:
    """Measure, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.profiles")
    parser.add_argument("--players", type=int, default=100_000)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--postgresql", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dvonn-profiles-") as name:
        folder = Path(name)
        try:
            urls = addresses(folder, postgresql=options.postgresql)
            figures = asyncio.run(measure(urls, options.players, options.games, options.rounds))
        finally:
            stop_server(folder)
    print(result_line("profiles", figures))


if __name__ == "__main__":
    main()
