"""Cost of a start and a turn with a million finished and ten thousand running games.

    python -m benchmarks.finished [--few 100] [--games 1000000] [--running 10000] [--plies 4]
        [--starts 3] [--turns 200]

Two databases are filled by SQL. Both have the running games of `tests.halls`, each in its own
channel. One has few finished games, the other very many, from a thousand servers and ten thousand
pairs of players. One in a hundred of them was played by the two current players, in their channel.
Each finished game has a start and `--plies` moves, with a board sent for each. Four moves make ten
million rows, which is enough to show a missing index, but fits on a disk of a few GiB. All of these
games have counted for ratings and records, and one in ten was played in a tournament
(`tests.finished_events`), which makes 8,334 tournaments for a million games.

The bot is started with each database in turn, beside a local Discord that has all those channels.
`ready` is the time until the bot has identified itself and registered its commands. `played` is the
time until a move that is typed at once has its board. `cpu` is the bot's processor time until it is
ready. The first start is printed but not counted. Then both bots run at the same time, and moves
are typed in each in turn. A turn is measured from the typed move to its picture, and `turn_cpu` is
the processor time of the bot's process for it. Wall times are medians. Their ratios are also valid
on a busy machine, because both sides come from the same run.
"""

import argparse
import asyncio
import os
import tempfile
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import median, quantiles

from sqlalchemy import text

from benchmarks.bots import cpu_s, running_bot
from benchmarks.result import result_line
from bot.base.database_address import database_address
from bot.database.connection import AsyncEngine
from bot.database.opening import create_engine, migrate
from dvonn import Color
from sandbox import Channel, Message, RateLimits, Sandbox
from tests.finished import finished_games
from tests.finished_events import finished_events
from tests.games import positions_of, random_game
from tests.halls import PLIES, Hall, Place, fill

_GUILDS = 1_000
_PAIRS = 10_000
_OURS_EACH = 100
"""Interval between finished games of the two current players: one in this many is theirs."""
_PAUSE_S = 0.02
"""Pause in seconds that is longer than the bot's work after a turn."""
_PATIENCE_S = 600.0
_LATER = timedelta(minutes=10)
"""Delay after which all earlier messages have been handled."""
_LOOKED = "damage scan finished"

_OURS = text("""
UPDATE games SET guild_id = :guild, channel_id = :channel, white_id = :white, black_id = :black
WHERE outcome = 'count' AND id % :each = 0
""")
_REVIEWED = text("""
INSERT INTO reviews (game_id, guild_id, state, queued_at, tells, due_at, tries, review, engine,
                     made_at)
SELECT id, guild_id, 'done', 7, TRUE, 7, 1, '{}', 'x', 7 FROM games WHERE outcome = 'count'
""")


@dataclass
class Setup:
    """A local Discord, and a database with games in its channels.

    Attributes:
        fresh: The channels whose game has no moves yet.
        channel: The channel of the next move.
        ply: The number of moves played in that channel. All games have the same moves.
    """

    hall: Hall
    url: str
    home: Path
    fresh: list[Channel] = field(default_factory=list)
    channel: Channel | None = None
    ply: int = PLIES

    @classmethod
    async def of(
        cls, world: Sandbox, url: str, home: Path, finished: int, options: "Plan"
    ) -> "Setup":
        """Create channels with running games, and a database that also has finished ones."""
        hall = Hall.of(world, options.running)
        for channel in hall.channels:
            await hall.white.say(channel, "Here we play.")
        engine = create_engine(database_address(url))
        await migrate(engine)
        began = time.perf_counter()
        await fill_all(engine, hall, finished, options.plies)
        await engine.dispose()
        print(f"{home.name}: {finished} finished games in {time.perf_counter() - began:.0f} s")
        return cls(hall, url, home, list(hall.channels))

    async def start(self) -> dict[str, float]:
        """Start the bot, and play a move in a channel without moves so far."""
        started_at = time.perf_counter()
        async with running_bot(self.hall.world, self.home, "bot", **self.settings) as pid:
            figures = {"ready_s": time.perf_counter() - started_at, "cpu_s": cpu_s(pid)}
            self.leave()
            await self.turn()
            figures["played_s"] = time.perf_counter() - started_at
        await self.hall.world.disconnect()
        return figures

    @property
    def settings(self) -> dict[str, str]:
        return {"DATABASE_URL": self.url, "MACHINE": "off"}

    def leave(self) -> None:
        """Continue with the game in the next channel."""
        self.channel, self.ply = self.fresh.pop(), PLIES

    async def turn(self) -> float:
        """Type the next move, and wait for its picture. Return the time in ms."""
        moves = random_game(1)
        if self.channel is None or self.ply == len(moves):
            self.leave()
        assert self.channel is not None
        is_white = positions_of(moves)[self.ply].turn is Color.WHITE
        move, self.ply = moves[self.ply], self.ply + 1
        mover = self.hall.white if is_white else self.hall.black
        began = time.perf_counter()
        await mover.say(self.channel, str(move))
        await self.channel.wait_for(partial(is_board_of, self.ply), timeout=_PATIENCE_S)
        return (time.perf_counter() - began) * 1_000


@dataclass(frozen=True, slots=True)
class Plan:
    """The sizes of the benchmark."""

    few: int
    many: int
    running: int
    plies: int
    starts: int
    turns: int


def is_board_of(ply: int, message: Message) -> bool:
    """Return True if a message is the board after `ply` plies."""
    return any(file.filename.endswith(f"-{ply}.png") for file in message.attachments)


async def fill_all(engine: AsyncEngine, hall: Hall, finished: int, plies: int) -> None:
    """Insert finished games in addition to the running ones, which are numbered from 1."""
    first = len(hall.channels) + 1
    await finished_games(engine, finished, plies, first=first, guilds=_GUILDS, pairs=_PAIRS)
    home = hall.channels[-1]
    assert home.guild is not None
    parameters = {"guild": home.guild.id, "channel": home.id, "each": _OURS_EACH}
    async with engine.begin() as connection:
        await connection.execute(
            _OURS, parameters | {"white": hall.white.id, "black": hall.black.id}
        )
        await connection.execute(_REVIEWED)
    await finished_events(engine, finished, first=first, guilds=_GUILDS, pairs=_PAIRS)
    places = [
        Place(channel.guild.id, channel.id, hall.white.id, hall.black.id)
        for channel in hall.channels
        if channel.guild is not None
    ]
    await fill(engine, places, datetime.now(UTC) + _LATER)


async def starts(setups: dict[str, Setup], rounds: int) -> dict[str, float]:
    """Measure a start with each database."""
    runs_of_setups: dict[str, list[dict[str, float]]] = {name: [] for name in setups}
    for number in range(rounds + 1):
        for name, setup in setups.items():
            runs_of_setups[name].append(await setup.start())
        summaries = (
            name + " " + ", ".join(f"{figure} {value:.2f}" for figure, value in runs[-1].items())
            for name, runs in runs_of_setups.items()
        )
        print(f"start {number}: " + "; ".join(summaries))
    figures: dict[str, float] = {}
    for figure in ("ready_s", "cpu_s", "played_s"):
        few, many = (
            median(row[figure] for row in runs_of_setups[name][1:]) for name in ("few", "many")
        )
        figures |= {figure: many, f"{figure.removesuffix('_s')}_ratio": many / few}
    return figures


async def turns(setups: dict[str, Setup], count: int) -> dict[str, float]:
    """Measure a turn with each database, while both bots run."""
    took: dict[str, list[float]] = {name: [] for name in setups}
    spent: dict[str, float] = {}
    async with AsyncExitStack() as stack:
        pids = {
            name: await stack.enter_async_context(
                running_bot(setup.hall.world, setup.home, "bot", **setup.settings)
            )
            for name, setup in setups.items()
        }
        for setup in setups.values():
            log = setup.home / "bot.log"  # otherwise the file check would be measured, too
            async with asyncio.timeout(_PATIENCE_S):
                while _LOOKED not in log.read_text():  # noqa: ASYNC110 - a file sends no events
                    await asyncio.sleep(0.5)
        for number in range(-20, count):
            if number == 0:  # the first turn includes one-time work
                spent = {name: cpu_s(pid) for name, pid in pids.items()}
            names = list(setups) if number % 2 else list(reversed(setups))
            for name in names:
                await asyncio.sleep(_PAUSE_S)
                duration = await setups[name].turn()
                if number >= 0:
                    took[name].append(duration)
        await asyncio.sleep(_PAUSE_S)
        used = {name: (cpu_s(pid) - spent[name]) / count * 1_000 for name, pid in pids.items()}
    for setup in setups.values():
        await setup.hall.world.disconnect()
    few, many = took["few"], took["many"]
    return {
        "turn_ms": median(many),
        "turn_ratio": median(many) / median(few),
        "turn_p90_ratio": quantiles(many, n=10)[-1] / quantiles(few, n=10)[-1],
        "turn_cpu_ms": used["many"],
        "turn_cpu_ratio": used["many"] / used["few"],
    }


async def measure(plan: Plan, folder: Path) -> dict[str, float]:
    """Return the figures of the RESULT line."""
    limits = RateLimits.generous()
    async with (
        Sandbox(rate_limits=limits, record=False) as world_with_few,
        Sandbox(rate_limits=limits, record=False) as world_with_many,
    ):
        setups = {}
        for name, world, finished in (
            ("few", world_with_few, plan.few),
            ("many", world_with_many, plan.many),
        ):
            (folder / name).mkdir()
            url = f"sqlite:///{folder / name}.sqlite3"
            setups[name] = await Setup.of(world, url, folder / name, finished, plan)
        sizes: dict[str, float] = {"few": plan.few, "games": plan.many, "running": plan.running}
        return sizes | await starts(setups, plan.starts) | await turns(setups, plan.turns)


def main() -> None:
    """Measure, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.finished")
    parser.add_argument("--few", type=int, default=100)
    parser.add_argument("--games", "--many", dest="many", type=int, default=1_000_000)
    parser.add_argument("--running", type=int, default=10_000)
    parser.add_argument("--plies", type=int, default=4)
    parser.add_argument("--starts", type=int, default=3)
    parser.add_argument("--turns", type=int, default=200)
    options = vars(parser.parse_args())
    with tempfile.TemporaryDirectory(
        prefix="dvonn-finished-", dir=os.environ.get("TMPDIR")
    ) as name:
        print(result_line("finished", asyncio.run(measure(Plan(**options), Path(name)))))


if __name__ == "__main__":
    main()
