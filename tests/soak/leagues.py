"""A year of a league with nobody's hand in it.

    python -m tests.soak.leagues [--people 60] [--months 12] [--seed 0] [--postgresql URL]

Two processes share a database (SQLite, or an empty PostgreSQL database), and are killed at times.
Meanwhile people resign, stay away, leave, come back, and have their data deleted. Each season must
pass the assertions of `tests/club/tournaments/league_years.py`. `news_a_week` counts the posts
about the league in its channel. `games_begun_a_person_and_week` counts games, each of which begins
with a post and one ping. `letters_a_person_and_week` counts direct messages.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence

from benchmarks.result import result_line
from bot.base.database_address import database_address
from bot.database.opening import create_engine, migrate
from bot.play.store.store import Store
from tests.bot.conftest import Clock
from tests.club.tournaments.league_years import Year


async def year(address: str, people: int, months: int, seed: int) -> dict[str, float]:
    """Play a year on a database, and return its figures."""
    await migrate(create_engine(database_address(address)))
    one, other = (Store(create_engine(database_address(address))) for _ in range(2))
    try:
        return await Year((one, other), Clock(), people, seed).play(months)
    finally:
        await one.close()
        await other.close()


def main(arguments: Sequence[str] | None = None) -> None:
    """Play the year, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=60)
    parser.add_argument("--months", type=int, default=12)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--postgresql")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        address = chosen.postgresql or f"sqlite:///{folder}/league.db"
        figures = asyncio.run(year(address, chosen.people, chosen.months, chosen.seed))
    sys.stdout.write(result_line("leagues", dict(sorted(figures.items()))) + "\n")


if __name__ == "__main__":
    main()
