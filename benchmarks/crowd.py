"""Slowdown of turns beside people who abuse the bot elsewhere.

    python -m benchmarks.crowd [--turns 200] [--seed 1] [--only texts ...]

Two play in a quiet server, and each turn is measured from the typed move to its board. In another
server others do one thing again and again: they write the longest messages there are, full of
mentions and blanks; they ask for a board of a game of twelve thousand events as text; they take
away what the bot needs to read a channel of thousands of messages, and give it back; they challenge
and take it back; they ask the machine about one position after the other. A score of turns is
played with the abuse and a score without, in turn, so that a noisy machine disturbs both alike.
Ratios are those of the medians, and of the 99th percentiles: there a noisy machine decides, for
with 200 turns that is the second worst.
"""

import argparse
import asyncio
import math
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from random import Random
from statistics import median

from sqlalchemy import insert, update

from benchmarks.bots import Club, running_bot
from benchmarks.result import result_line
from benchmarks.turn import PAUSE_S, begin_game, has_picture
from bot.base.database_address import database_address
from bot.database.opening import create_engine
from bot.play.model.events import Happening, Moved
from bot.play.model.game import Offer
from bot.play.model.offer_events import OfferMade, TakenBack
from bot.play.store.changes import encode
from bot.play.store.schema import events, games
from dvonn import Color, Move, Phase, parse_move, position_to_text
from sandbox import (
    Channel,
    GuildAdmin,
    InteractionFailed,
    Message,
    Permission,
    Person,
    RateLimits,
    Sandbox,
)
from tests.games import positions_of, random_game

EVENTS = 12_000
"""Events of the long game."""
MESSAGES = 3_000
"""Messages of the channel that is read again."""
IN_ONE_GO = 20
_PATIENCE_S = 120.0

Act = Callable[[Random], Awaitable[object]]
"""One act of one person."""


def moves(seed: int) -> Iterator[list[tuple[Color, Move]]]:
    """Whole games without end, each move with the colour that makes it."""
    for number in count(seed):
        line = random_game(number)
        turns = (position.turn for position in positions_of(line))
        yield [(turn, move) for turn, move in zip(turns, line, strict=False) if turn]


class Quiet:
    """Two who only want to play."""

    def __init__(self, ours: Club, seed: int) -> None:
        self._ours = ours
        self._games = moves(seed)
        self._left: list[tuple[Color, Move]] = []
        self._channel: Channel | None = None
        self._board: Message | None = None

    async def turn(self) -> float:
        """Play a turn; how long it took, in ms."""
        if not self._left:
            self._left = next(self._games)
            self._channel = self._ours.new_channel()
            self._board = await begin_game(self._ours, self._channel)
        color, move = self._left.pop(0)
        assert self._channel is not None
        assert self._board is not None
        await asyncio.sleep(PAUSE_S)
        shown, since = self._board.attachments[0].id, self._board.id - 1
        person = self._ours.white if color is Color.WHITE else self._ours.black
        began = time.perf_counter()
        await person.say(self._channel, str(move))
        self._board = await self._channel.wait_for(
            lambda one: has_picture(one, after=shown), after=since, timeout=_PATIENCE_S
        )
        return (time.perf_counter() - began) * 1_000


class Abuse:
    """People who repeat one thing so often a second, or as soon as they can."""

    def __init__(self, people: int, per_s: float, act: Callable[[int], Act]) -> None:
        self._people = people
        self._per_s = per_s
        self._act = act
        self.acts = 0

    @asynccontextmanager
    async def going_on(self, rng: Random) -> AsyncIterator[None]:
        """Let them do it while the block runs."""
        tasks = [
            asyncio.create_task(self._rage(self._act(number), Random(rng.random())))
            for number in range(self._people)
        ]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _rage(self, act: Act, rng: Random) -> None:
        while True:
            with suppress(InteractionFailed):
                await act(rng)
            self.acts += 1
            await asyncio.sleep(rng.expovariate(self._per_s))


def texts(world: Sandbox, guild: GuildAdmin, channel: Channel) -> Abuse:
    """Five accounts with Nitro write as much as goes into a message."""
    mention = world.bot_user.mention
    tails = (f"{mention} " * 200, " ," * 2_000, f"{mention}" + ":" * 3_900, "d2 " * 1_400)
    people = [guild.add_person(f"Writer {number}") for number in range(5)]
    for one in people:
        one.nitro = True

    def act(number: int) -> Act:
        async def write(rng: Random) -> None:
            text = f"{mention} x{rng.choice(tails)}"[:3_990] + " x"
            await people[number].say(channel, text)

        return write

    return Abuse(len(people), 1.0, act)


def long_game(guild: GuildAdmin, board: Message, game: int) -> Abuse:
    """Three people ask for boards of a game of very many events as text, each once a second."""
    people = [guild.add_person(f"Asker {number}") for number in range(3)]

    def act(number: int) -> Act:
        async def ask(rng: Random) -> None:
            revision = EVENTS - 3 * rng.randrange(EVENTS // 6)
            button = {"id": 2, "type": 2, "style": 2, "label": "Board as text"}
            button["custom_id"] = f"dvonn:board:{game}:{revision}:text"
            board.components = [{"id": 1, "type": 1, "components": [button]}]
            await people[number].click(board, "Board as text")

        return ask

    return Abuse(len(people), 1.0, act)


def history(guild: GuildAdmin, channel: Channel) -> Abuse:
    """Somebody takes Read Message History away and gives it back, three times a second."""

    def act(_: int) -> Act:
        async def toggle(_: Random) -> None:
            denied = Permission.READ_MESSAGE_HISTORY
            guild.set_permissions(channel, guild.bot_role, deny=denied)
            await asyncio.sleep(0)
            guild.set_permissions(channel, guild.bot_role)

        return toggle

    return Abuse(1, 3.0, act)


def challenges(guild: GuildAdmin, channel: Channel) -> Abuse:
    """Ten people challenge a victim and take it back, each twice a second."""
    victim = guild.add_person("Victim")
    people = [guild.add_person(f"Challenger {number}") for number in range(10)]

    def act(number: int) -> Act:
        async def challenge(_: Random) -> None:
            answer = await people[number].slash(channel, "challenge", opponent=victim)
            if answer.message is not None and answer.message.buttons:
                await people[number].click(answer.message, "Cancel")

        return challenge

    return Abuse(len(people), 2.0, act)


def askers(guild: GuildAdmin, channel: Channel) -> Abuse:
    """Ten people ask the machine about one position after the other, each once a second."""
    people = [guild.add_person(f"Curious {number}") for number in range(10)]
    line = positions_of(random_game(100_000))  # of no game that is played here
    told = [position_to_text(one) for one in line if one.phase is Phase.MOVEMENT]

    def act(number: int) -> Act:
        async def ask(rng: Random) -> None:
            answer = await people[number].slash(channel, "show", text=rng.choice(told))
            if answer.message is not None:
                explored = await people[number].click(answer.message, "Explore from here")
                assert explored.message is not None
                await people[number].click(explored.message, "Ask the engine")

        return ask

    return Abuse(len(people), 1.0, act)


async def lengthen(database: str, game: int, white: Person, black: Person) -> None:
    """Give a game as many events as moves and takebacks without end would."""
    at = datetime.now(UTC)
    rows: list[dict[str, object]] = []
    for revision in range(1, EVENTS, 3):
        common = {"game_id": game, "at": at, "used_ms": None}
        steps: tuple[tuple[Happening, Person], ...] = (
            (Moved(parse_move("a1")), white),
            (OfferMade(Offer.TAKEBACK), white),
            (TakenBack(0), black),
        )
        for number, (what, actor) in enumerate(steps):
            rows.append(
                {
                    **common,
                    "revision": revision + number,
                    "kind": what.name,
                    "data": encode(what),
                    "actor_id": actor.id,
                    "source_id": revision + number,
                }
            )
    engine = create_engine(database_address(database))
    async with engine.begin() as connection:
        await connection.execute(insert(events), rows)
        await connection.execute(update(games).where(games.c.id == game).values(revision=len(rows)))
    await engine.dispose()


async def beside(
    abuse: Abuse, quiet: Quiet, turns: int, rng: Random
) -> tuple[list[float], list[float]]:
    """Time turns without an abuse and beside it, in ms."""
    alone: list[float] = []
    loud: list[float] = []
    while len(loud) < turns:
        alone += [await quiet.turn() for _ in range(IN_ONE_GO)]
        async with abuse.going_on(rng):
            loud += [await quiet.turn() for _ in range(IN_ONE_GO)]
    return alone, loud


def percentile(figures: list[float]) -> float:
    """Return the 99th percentile."""
    return sorted(figures)[math.ceil(0.99 * len(figures)) - 1]


async def measure(turns: int, seed: int, only: list[str], folder: Path) -> dict[str, float]:
    """Play beside each abuse; the figures of the RESULT line."""
    rng = Random(seed)
    database = f"sqlite:///{folder.as_posix()}/dvonn.sqlite3"
    settings = {"DATABASE_URL": database, "LOG_LEVEL": "warning"}
    async with Sandbox(rate_limits=RateLimits.generous(), record=False) as world:
        guild = world.create_guild("Loud")
        long, talk, noise = (guild.create_channel(name) for name in ("long", "talk", "noise"))
        pairs = [
            (guild.add_person(f"White {number}"), guild.add_person(f"Black {number}"))
            for number in range(2)
        ]
        async with running_bot(world, folder, "bot", **settings):
            boards = [
                await begin_game(Club(world, *pair, 0), channel)
                for pair, channel in zip(pairs, (long, talk), strict=True)
            ]
        await world.disconnect()
        game = int(boards[0].attachments[0].filename.split("-")[1])
        await lengthen(database, game, *pairs[0])
        for number in range(MESSAGES):
            await pairs[1][0].say(talk, f"and {number}")
        async with running_bot(world, folder, "bot", **settings) as pid:
            white, black = world.create_person("Ann"), world.create_person("Bob")
            quiet = Quiet(Club(world, white, black, pid), seed)
            abuses = {
                "texts": texts(world, guild, noise),
                "long_game": long_game(guild, boards[0], game),
                "history": history(guild, talk),
                "challenges": challenges(guild, noise),
                "askers": askers(guild, noise),
            }
            figures: dict[str, float] = {}
            for _ in range(IN_ONE_GO):
                await quiet.turn()  # for the first time much happens
            for name in only or abuses:
                alone, loud = await beside(abuses[name], quiet, turns, rng)
                for told, of in (("median", median), ("p99", percentile)):
                    calm, beset = of(alone), of(loud)
                    print(f"{name}: {told} {calm:.1f} ms, {beset:.1f} ms beside the abuse")
                    figures[f"{name}_{told}_ratio"] = beset / calm
                print(f"{name}: {abuses[name].acts} acts")
    worst = {
        f"{short}ratio": max(figures[name] for name in figures if name.endswith(f"_{told}_ratio"))
        for short, told in (("", "median"), ("p99_", "p99"))
    }
    return {**worst, **figures}


def main() -> None:
    """Measure, and print the RESULT line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", default=[], metavar="ABUSE")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dvonn-crowd-") as folder:
        work = measure(options.turns, options.seed, options.only, Path(folder))
        print(result_line("crowd", asyncio.run(work)))


if __name__ == "__main__":
    main()
