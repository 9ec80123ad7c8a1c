r"""Kill the bot repeatedly during many games: nothing may be lost or posted twice.

    python -m tests.soak.kills [--games 50] [--kills 300] [--seed 1] [--thinking 12] \
        [--processes 1] [--database postgresql://...] [--reviews] [--workers 0] [--upgrades]

Each player types every move exactly once, when the board that asks for it appears, whether or not
the bot is running at that moment. A lost move would leave its game waiting forever, and the run
would end with a timeout. At the end the channels and the database are compared with the games.

Some kills are followed by a day of outage on the clocks of the bot and Discord, so that nonces have
expired. Players type during that time. In some lives the connection breaks, and RESUME repeats
events. In some lives Discord loses answers or requests, or answers late or never. In some it
applies a global rate limit and requires a new session. Such a life lasts until boards appear again.

Each of several processes has one shard, and the games are spread over all. A kill hits one of them,
and sometimes all. In a rolling restart the old and the new process receive the same events for a
while. Some processes are frozen past their leases, and some of those wake up next to their
successors. With upgrades, each rolling restart starts a later release, which changes the schema
while older processes keep running. A killed process comes back as the newest release. SQLite has
one process, and two during such a restart.

With reviews the machine reviews every ended game while the others continue. However often it is
killed, each game has one review at the end, and its last board mentions the review once. A day
later it mentions none. With workers these make the reviews, and are killed, too.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from sqlalchemy import func, select

from bot.base.database_address import database_address
from bot.database.delivery_rows import deliveries
from bot.database.opening import create_engine
from bot.play.model.events import Moved
from bot.play.store.schema import events
from demo.commands import use
from dvonn import Color, Move, Phase, Position
from sandbox import Channel, InteractionFailed, Message, Person, RateLimits, Sandbox
from tests.e2e.bot_process import DATABASE, WorldClock
from tests.e2e.conftest import PATIENCE, is_board
from tests.e2e.launch import MANY_LIVES
from tests.e2e.processes import Processes, guild_of_shard
from tests.games import random_game
from tests.soak.lives import HEARD_AGAIN, PATIENCE_S, Course, Lives
from tests.soak.reviewed import Reviewed
from tests.soak.workers import Workers

THINKING_S = 12.0
"""A player's average thinking time while the bot is being killed."""
CLOCK = "10 days + 2 days"
"""The clock of each game. Nobody may run out of time, however many days pass."""
_TAIL = 20_000
"""Length of the bot's log that is shown if a move is not played."""


@dataclass
class Table:
    """One game: its channel, its players, and their future moves."""

    channel: Channel
    shard: int
    players: dict[Color, Person]
    moves: list[Move]
    position: Position
    game: int = 0
    pace: float = 1.0
    """Thinking time of its players, relative to the others."""
    posted: dict[int, Message] = field(default_factory=dict)
    """All messages ever sent to the channel. In the placement phase only the newest board stays."""

    def note(self, message: Message) -> None:
        """Store a message."""
        if message.channel is self.channel:
            self.posted[message.id] = message

    async def play(self, rng: Random, course: Course) -> None:
        """Type every move once, when it is due or a moment later."""
        for move in self.moves:
            turn = self.position.turn
            assert turn is not None
            await self.players[turn].say(self.channel, str(move))
            course.typed_while_down += self.shard in course.down
            self.position = self.position.play(move)
            await self.channel.wait_for(is_board(self.position.plies), timeout=PATIENCE_S)
            course.posted += 1
            await asyncio.sleep(rng.expovariate(1 / (self.pace * course.thinking_s)))

    @property
    def last_board(self) -> Message:
        """The newest board."""
        return max(filter(is_board(None), self.posted.values()), key=lambda one: one.id)

    def faults(self, bot: object, played: list[str]) -> list[str]:
        """Return the faults of the game in the channel, and of its moves in the database."""
        found = []
        boards = [
            message.attachments[0].filename
            for _, message in sorted(self.posted.items())
            if is_board(None)(message)
        ]
        found += [f"posted twice: {name}" for name, n in Counter(boards).items() if n > 1]
        answers = Counter(
            (message.reference.message_id, message.content)
            for message in self.channel.messages
            if message.author is bot and message.reference is not None
        )
        found += [f"answered twice: {words}" for (_, words), n in answers.items() if n > 1]
        last = f"dvonn-{self.game}-{len(self.moves)}.png"
        if boards[-1:] != [last]:
            found.append(f"the newest board is {boards[-1:]}, not {last}")
        if played != [str(move) for move in self.moves]:
            found.append(f"{len(played)} moves in the database, {len(self.moves)} were typed")
        return found


async def sit_down(world: Sandbox, number: int, processes: int = 1) -> Table:
    """A game between two new players in its own channel."""
    shard = number % processes
    guild = await guild_of_shard(world, f"Club {number}", shard, processes)
    channel = guild.create_channel("dvonn")
    white, black = guild.add_person(f"Ann {number}"), guild.add_person(f"Bob {number}")
    terms = {"colour": "white", "start": "placement", "clock": CLOCK}
    white.patience = black.patience = PATIENCE
    while not (boards := list(filter(is_board(0), channel.messages))):
        offers = [message for message in channel.messages if message.buttons]
        with suppress(InteractionFailed, TimeoutError):  # a busy machine may be too slow to answer
            if offers:
                await black.click(offers[0], "Accept")
                await channel.wait_for(is_board(0))
            else:
                await use(white, channel, "challenge", opponent=black, **terms)
    board = boards[0]
    game = int(board.attachments[0].filename.split("-")[1])
    players = {Color.WHITE: white, Color.BLACK: black}
    table = Table(channel, shard, players, random_game(number), Position.initial(), game)
    table.note(board)
    channel.directory.messages_changed.listen(table.note)
    return table


async def stored_games(address: str) -> tuple[dict[int, list[str]], int]:
    """Return the moves of each game in a database, and the number of unsent deliveries."""
    engine = create_engine(database_address(address))
    move = events.c.data["move"].as_string()
    moves = select(events.c.game_id, move).where(events.c.kind == Moved.name)
    played: dict[int, list[str]] = {}
    async with engine.connect() as connection:
        for game, move in await connection.execute(moves.order_by(events.c.revision)):
            played.setdefault(game, []).append(move)
        left = (
            select(func.count())
            .select_from(deliveries)
            .where(deliveries.c.sent_at.is_(None), deliveries.c.dropped_at.is_(None))
        )
        unsent = (await connection.execute(left)).scalar_one()
    await engine.dispose()
    return played, unsent


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Duration and difficulty of the run."""

    games: int
    kills: int
    seed: int
    thinking: float
    processes: int = 1
    database: str | None = None
    reviews: bool = False
    workers: int = 0
    upgrades: bool = False


async def run(plan: Plan, folder: Path) -> list[str]:
    """Play and kill. Return all faults."""
    course, clock = Course(plan.thinking), WorldClock()
    began = time.monotonic()
    async with Sandbox(rate_limits=RateLimits.generous(), record=False, clock=clock) as world:
        world.state.gateway.total = 100_000  # more sessions than Discord allows a bot
        settings = {"LOG_LEVEL": "warning", MANY_LIVES: "1"}
        if plan.reviews:
            settings["MACHINE"] = "queue" if plan.workers else "auto"
        address = plan.database or f"sqlite:///{folder / DATABASE}"
        processes = Processes(world, clock, folder, address, **settings)
        rng = Random(plan.seed)
        lives = Lives(processes, plan.processes, rng, course, upgrades=plan.upgrades)
        await lives.begin()
        tables = [await sit_down(world, n, plan.processes) for n in range(plan.games)]
        beside = Beside(plan, address, processes, folder)
        if plan.reviews:
            lives.spare = beside.reviewed.spare
            for number, table in enumerate(tables, start=1):
                table.pace = number / plan.games
        try:
            beside.begin()
            async with asyncio.TaskGroup() as group:
                killer = group.create_task(lives.end_again_and_again(plan.kills))
                playing = (table.play(Random(n), course) for n, table in enumerate(tables))
                await asyncio.gather(*playing)
                killer.cancel()
            await beside.end()
        except (TimeoutError, ExceptionGroup):
            sys.stdout.write(f"{course}\n{lives.log[-_TAIL:]}\n")
            raise
        await lives.end()
        played, unsent = await stored_games(address)
        faults = [
            f"game {table.game}: {fault}"
            for table in tables
            for fault in table.faults(world.bot_user, played.get(table.game, []))
        ]
        faults += await beside.faults(tables)
        if unsent:
            faults.append(f"{unsent} things were never sent")
        assert all(table.position.phase is Phase.OVER for table in tables)
        plies = sum(len(table.moves) for table in tables)
        sys.stdout.write(
            f"{plan.games} games, {plies} plies, {plan.processes} processes, {course.kills} kills, "
            f"{course.days} days of outage, {course.resumes} sessions heard {HEARD_AGAIN} events "
            f"again, {course.failures} requests failed, {course.limits} global limits, "
            f"{course.overlaps} rolling restarts, {course.releases} of them to a new schema, "
            f"{course.frozen} frozen, "
            f"{course.zombies} of them replaced meanwhile, "
            f"{course.typed_while_down} moves typed while away: {len(faults)} faults, "
            f"{time.monotonic() - began:.0f} s\n"
        )
    return faults


class Beside:
    """Requested actions besides the games."""

    def __init__(self, plan: Plan, address: str, processes: Processes, folder: Path) -> None:
        self._plan = plan
        self._workers = Workers(address, folder, plan.workers, Random(plan.seed))
        self.reviewed = Reviewed(address, lambda: processes.now)

    def begin(self) -> None:
        """Start it."""
        self._workers.begin()

    async def end(self) -> None:
        """Wait until everything has ended, without further kills."""
        if self._plan.reviews:
            await self.reviewed.all_told(self._plan.games)

    async def faults(self, tables: list[Table]) -> list[str]:
        """Return its faults, once nothing is left to do."""
        found = []
        if self._plan.reviews:
            moved = {
                table.game: sum(move.source is not None for move in table.moves) for table in tables
            }
            boards = {table.game: table.last_board for table in tables}
            found += await self.reviewed.faults(moved, boards)
            sys.stdout.write(f"{self._plan.games} reviews, {self._workers.kills} workers killed\n")
        await self._workers.end()
        await self.reviewed.close()
        return found


def main() -> int:
    """Run, and print all faults."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--thinking", type=float, default=THINKING_S, metavar="SECONDS")
    parser.add_argument("--processes", type=int, default=1, help="more need a PostgreSQL")
    parser.add_argument("--database", help="an empty PostgreSQL; a file of SQLite's if left out")
    parser.add_argument("--reviews", action="store_true", help="each game that ends is reviewed")
    parser.add_argument("--workers", type=int, default=0, help="they make the reviews")
    parser.add_argument("--upgrades", action="store_true", help="restarts change the schema")
    options = parser.parse_args()
    options.reviews |= options.workers > 0
    if (options.processes > 1 or options.workers) and options.database is None:
        parser.error("several processes and workers need a --database")
    with tempfile.TemporaryDirectory() as folder:
        faults = asyncio.run(run(Plan(**vars(options)), Path(folder)))
    sys.stdout.writelines(f"{fault}\n" for fault in faults)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
