r"""Kill the bot again and again while many games are played: nothing may be lost or said twice.

    python -m tests.soak.kills [--games 50] [--kills 300] [--seed 1] [--thinking 12] \
        [--database postgresql://...]

Each player types every move exactly once, when the board that asks for it is there, whether the bot
is alive at that moment or not. A move that got lost would leave its game waiting for ever, which
ends the run after a while. At the end the channels and the database are compared with the games.

Some of the kills are followed by a day of outage, by the clocks of the bot and of Discord, so that
no nonce protects any more; players type before it is over. Some lives see their connection broken,
and hear again with RESUME what they have heard already. In some Discord fails: it loses answers or
requests, answers late, or not at all.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random

from sqlalchemy import func, select

from bot.config import database_address
from bot.store import create_engine, leases
from bot.store.rows import EventKind
from bot.store.schema import events, outbox
from dvonn import Color, Move, Phase, Position
from sandbox import Channel, Person, RateLimits, Sandbox
from sandbox.clock import SystemClock
from sandbox.faults import Fault, Faults
from tests.e2e.bot_process import BotClock, BotProcess
from tests.e2e.conftest import is_board
from tests.games import random_game

THINKING_S = 12.0
"""How long a player thinks, on average, while the bot is being killed."""
IN_A_HURRY_S = 1.0
"""How long afterwards, to come to an end: fifty games are about what one core can draw."""
PATIENCE_S = 600.0
"""How long a player waits for a board before the run has failed."""
LONGEST_LIFE_S = 3.0
"""The bot lives at most this long after it is ready."""
_LOOK_S = 0.1
_TAIL = 20_000
"""How much of the bot's log is shown when a move is not played."""
DAYS_OF_OUTAGE = 0.2
"""Which part of the kills is followed by a day of outage."""
TYPED_MEANWHILE = 3
"""How many moves are waited for while such an outage lasts."""
BROKEN_CONNECTIONS = 0.3
"""In which part of its lives the bot's connection breaks."""
HEARD_AGAIN = 30
"""How many payloads it is then told again."""
BAD_LIVES = 0.3
"""In which part of its lives some of its requests fail."""
_SEND, _READ = "POST /channels/{id}/messages", "GET /channels/{id}/messages"


class WorldClock(SystemClock):
    """Discord's clock, which can be put forward."""

    def __init__(self) -> None:
        self.ahead_s = 0.0

    def time(self) -> float:
        """Seconds since the Unix epoch."""
        return super().time() + self.ahead_s


@dataclass
class Course:
    """What has happened so far.

    Attributes:
        thinking_s: how long players think, on average.
        down: whether the bot is dead at the moment.
    """

    thinking_s: float
    down: bool = False
    kills: int = 0
    days: int = 0
    resumes: int = 0
    failures: int = 0
    typed_while_down: int = 0


@dataclass
class Table:
    """One game: where, who, and what they will play."""

    channel: Channel
    players: dict[Color, Person]
    moves: list[Move]
    position: Position
    game: int = 0

    async def play(self, rng: Random, course: Course) -> None:
        """Type every move once, as soon as it is asked for, or a moment later."""
        for move in self.moves:
            turn = self.position.turn
            assert turn is not None
            await self.players[turn].say(self.channel, str(move))
            course.typed_while_down += course.down
            self.position = self.position.play(move)
            await self.channel.wait_for(is_board(self.position.plies), timeout=PATIENCE_S)
            await asyncio.sleep(rng.expovariate(1 / course.thinking_s))

    def faults(self, played: list[str]) -> list[str]:
        """What is wrong with the game in the channel, and with the moves in the database."""
        found = []
        boards = [
            message.attachments[0].filename
            for message in self.channel.messages
            if is_board(None)(message)
        ]
        found += [f"posted twice: {name}" for name, n in Counter(boards).items() if n > 1]
        last = f"dvonn-{self.game}-{len(self.moves)}.png"
        if boards[-1:] != [last]:
            found.append(f"the newest board is {boards[-1:]}, not {last}")
        if played != [str(move) for move in self.moves]:
            found.append(f"{len(played)} moves in the database, {len(self.moves)} were typed")
        return found


async def sit_down(world: Sandbox, number: int) -> Table:
    """A game between two newcomers in a channel of its own."""
    guild = world.create_guild(f"Club {number}")
    channel = guild.create_channel("dvonn")
    white, black = guild.add_person(f"Ann {number}"), guild.add_person(f"Bob {number}")
    answer = await white.slash(channel, "challenge", opponent=black, colour="white")
    assert answer.message is not None
    await black.click(answer.message, "Accept")
    board = await channel.wait_for(is_board(0), timeout=PATIENCE_S)
    game = int(board.attachments[0].filename.split("-")[1])
    players = {Color.WHITE: white, Color.BLACK: black}
    return Table(channel, players, random_game(number), Position.initial(), game)


async def kill_again_and_again(
    bot: BotProcess, world_clock: WorldClock, kills: int, rng: Random, course: Course
) -> None:
    """Kill the bot so many times, each after a short life; ends early when cancelled."""
    bot_clock = bot.take_clock()
    failing: list[Fault] = []
    try:
        while course.kills < kills:
            failing = _fail(bot.world.faults, rng) if rng.random() < BAD_LIVES else []
            if rng.random() < BROKEN_CONNECTIONS:
                await asyncio.sleep(rng.uniform(0, LONGEST_LIFE_S))
                again = bot.world.faults.repeat(HEARD_AGAIN)
                await bot.world.disconnect()
                await asyncio.sleep(rng.uniform(0, LONGEST_LIFE_S))
                course.resumes += again.over
                again.end()
            await asyncio.sleep(rng.uniform(0, LONGEST_LIFE_S))
            await bot.kill()
            course.kills += 1
            course.failures += _end(failing)
            course.down = True
            if rng.random() < DAYS_OF_OUTAGE:
                await _a_day_passes(bot_clock, world_clock, course)
            await _start(bot)
            course.down = False
            if course.kills % 25 == 0:
                sys.stdout.write(f"{course}\n")
                sys.stdout.flush()
    except asyncio.CancelledError:
        # The games are over: the last life must be a whole one, to post what is left.
        course.failures += _end(failing)
        await bot.stop()
        await _start(bot)
        raise
    finally:
        course.thinking_s = IN_A_HURRY_S


def _fail(faults: Faults, rng: Random) -> list[Fault]:
    """Let some of what the bot wants of Discord go wrong."""
    times = rng.randint(1, 5)
    return [
        rng.choice(
            (
                lambda: faults.lose_answer(_SEND, times=times),
                lambda: faults.lose_request(_SEND, times=times),
                lambda: faults.answer(_SEND, status=503, times=times),
                lambda: faults.slow(_SEND, seconds=LONGEST_LIFE_S, times=times),
            )
        )(),
        rng.choice(
            (
                lambda: faults.lose_request(_READ, times=times),
                lambda: faults.answer(_READ, status=503, times=times),
                lambda: faults.slow(_READ, seconds=LONGEST_LIFE_S, times=times),
            )
        )(),
    ]


def _end(faults: list[Fault]) -> int:
    """Let all be well again; how often it was not."""
    for fault in faults:
        fault.end()
    return sum(fault.hits for fault in faults)


async def _start(bot: BotProcess) -> None:
    """Start the bot, however slow the machine is."""
    try:
        await bot.start()
    except TimeoutError:
        await bot.world.wait_ready(timeout=PATIENCE_S)


async def _a_day_passes(bot_clock: BotClock, world_clock: WorldClock, course: Course) -> None:
    """Somebody types, a day passes, somebody types again."""
    course.days += 1
    enough = course.typed_while_down + TYPED_MEANWHILE
    for _ in range(int(LONGEST_LIFE_S / _LOOK_S)):
        if course.typed_while_down < enough:
            await asyncio.sleep(_LOOK_S)
    bot_clock.advance(days=1)
    world_clock.ahead_s += timedelta(days=1).total_seconds()
    await asyncio.sleep(1.0)


async def kept(address: str) -> tuple[dict[int, list[str]], int]:
    """The moves of each game in a database, and how much is unsent."""
    engine = create_engine(database_address(address))
    moves = select(events.c.game_id, events.c.move).where(events.c.kind == EventKind.MOVE)
    played: dict[int, list[str]] = {}
    async with engine.connect() as connection:
        for game, move in await connection.execute(moves.order_by(events.c.revision)):
            played.setdefault(game, []).append(move)
        left = select(func.count()).select_from(outbox).where(leases.unsent(outbox))
        unsent = (await connection.execute(left)).scalar_one()
    await engine.dispose()
    return played, unsent


async def run(
    games: int, kills: int, seed: int, thinking_s: float, folder: Path, database: str | None = None
) -> list[str]:
    """Play and kill; what went wrong."""
    rng, course, clock = Random(seed), Course(thinking_s), WorldClock()
    began = time.monotonic()
    async with Sandbox(rate_limits=RateLimits.generous(), record=False, clock=clock) as world:
        bot = BotProcess(world, folder, LOG_LEVEL="warning")
        address = bot.settings["DATABASE_URL"] = database or bot.settings["DATABASE_URL"]
        await bot.start()
        tables = [await sit_down(world, number) for number in range(games)]
        async with asyncio.TaskGroup() as group:
            killing = kill_again_and_again(bot, clock, kills, rng, course)
            killer = group.create_task(killing)
            playing = (table.play(Random(number), course) for number, table in enumerate(tables))
            try:
                await asyncio.gather(*playing)
            except TimeoutError:
                sys.stdout.write(f"{course}\n{bot.log[-_TAIL:]}\n")
                raise
            killer.cancel()
        await bot.stop()
        played, unsent = await kept(address)
        faults = [
            f"game {table.game}: {fault}"
            for table in tables
            for fault in table.faults(played.get(table.game, []))
        ]
        if unsent:
            faults.append(f"{unsent} things were never sent")
        assert all(table.position.phase is Phase.OVER for table in tables)
        plies = sum(len(table.moves) for table in tables)
        sys.stdout.write(
            f"{games} games, {plies} plies, {course.kills} kills, {course.days} of them before a "
            f"day of outage, {course.resumes} sessions heard {HEARD_AGAIN} events again, "
            f"{course.failures} requests failed, "
            f"{course.typed_while_down} moves typed while away: {len(faults)} faults, "
            f"{time.monotonic() - began:.0f} s\n"
        )
    return faults


def main() -> int:
    """Run, and tell what went wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--thinking", type=float, default=THINKING_S, metavar="SECONDS")
    parser.add_argument("--database", help="an empty PostgreSQL; a file of SQLite's if left out")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        running = run(
            options.games,
            options.kills,
            options.seed,
            options.thinking,
            Path(folder),
            options.database,
        )
        faults = asyncio.run(running)
    sys.stdout.writelines(f"{fault}\n" for fault in faults)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
