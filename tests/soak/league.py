"""A year of a league without an organizer, and its number of messages.

    python -m tests.soak.league [--people 60] [--months 12] [--seed 0]

Two processes run the league on one SQLite file. Both are killed now and then. People resign, stay
away, leave, come back, leave the server, or have their data deleted. Each season must pass the
assertions of `tests/club/tournaments/league_years.py`: nobody is lost or in two divisions, each
pair meets once, each season is announced once.

`news_a_week` counts the messages in the channel that don't start a game. `games_a_person_and_week`
counts the games that begin for a member. `letters_a_person_and_week` counts a member's direct
messages. A game pings the player to move, once a turn. Nothing else pings.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.result import result_line
from bot.base.database_address import database_address
from bot.database.opening import create_engine, migrate
from bot.play.store.store import Store
from tests.bot.conftest import Clock
from tests.club.tournaments.league_years import Year
from tests.once import memory


async def play(people: int, months: int, seed: int) -> dict[str, float]:
    """Play the year in a new database, and return its figures."""
    with tempfile.TemporaryDirectory(prefix="dvonn-league-", dir=memory()) as folder:
        address = database_address(f"sqlite:///{Path(folder) / 'dvonn.sqlite3'}")
        engines = [create_engine(address) for _ in range(2)]
        await migrate(engines[0])
        stores = Store(engines[0]), Store(engines[1])
        try:
            return await Year(stores, Clock(), people=people, seed=seed).play(months)
        finally:
            for store in stores:
                await store.close()


def main(arguments: Sequence[str] | None = None) -> None:
    """Play the year, and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=60)
    parser.add_argument("--months", type=int, default=12)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    figures = asyncio.run(play(chosen.people, chosen.months, chosen.seed))
    sys.stdout.write(result_line("league", dict(sorted(figures.items()))) + "\n")


if __name__ == "__main__":
    main()
