"""The whole bot in a test's own process: its client, a database, and Discord in the sandbox.

The tests in `tests/e2e` start the bot as a process, as a host does. Here it is a task of the test's
loop, so a test can ask its parts and move its clock, and starts no process.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from random import Random
from time import monotonic
from typing import Any, NoReturn

import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route
from pydantic import SecretStr
from sqlalchemy import func, select

from bot.base.config import MachineSwitch, Settings
from bot.base.health import ActiveFaults
from bot.base.rhythm import Rhythm
from bot.client.client import BotClient
from bot.connection.delivery_handlers import DeliveryHandler
from bot.connection.discord_clock import DiscordClock, HostClocks
from bot.connection.identify_limiter import IdentifyLimiter
from bot.connection.liveness import Liveness
from bot.connection.second_bot import SecondBot
from bot.connection.session_budget import SessionBudget
from bot.database.delivery_rows import deliveries
from bot.play.handlers.interactions import Services
from bot.play.opponent import Opponent
from bot.play.store.store import Store
from demo.commands import use
from dvonn import Move, Position
from sandbox import Channel, Message, Person, RateLimits, Sandbox
from sandbox.person import PATIENCE_S
from tests import commands_once
from tests.e2e.bot_process import WorldClock
from tests.e2e.conftest import PATIENCE

_HANDLING = "discord.py: on_message"
"""Name of discord.py's tasks in which the bot handles a message."""
OFTEN = timedelta(milliseconds=50)
RHYTHM = Rhythm(
    clocks=OFTEN,
    deliveries=OFTEN,
    absences=timedelta(seconds=1),
    dailies=timedelta(seconds=1),
    reception=timedelta(seconds=1),
    second_bots=timedelta(seconds=1),
)


class FirstMoves(Opponent):
    """A machine that plays the first legal move when it may. It never takes a closer look."""

    at_once = 1

    def __init__(self) -> None:
        self.may_move = asyncio.Event()
        self.may_move.set()
        self.chosen = list[tuple[int, int]]()
        """The level and the seed of each move."""

    @property
    def thinker(self) -> "FirstMoves":
        return self

    async def choose(self, position: Position, *, level: int, seed: int) -> Move:
        await self.may_move.wait()
        self.chosen.append((level, seed))
        return position.legal_moves()[0]

    async def analyse(self, *_: Any, **_about: Any) -> NoReturn:
        raise NotImplementedError

    async def review(self, *_: Any, **_about: Any) -> NoReturn:
        raise NotImplementedError

    async def puzzles(self, *_: Any) -> tuple[()]:
        return ()


class WholeBot:
    """A server with three people and a bot that is part of this process."""

    def __init__(
        self, world: Sandbox, clock: WorldClock, store: Store, machine: FirstMoves | None
    ) -> None:
        self.world, self.clock, self.store = world, clock, store
        self.guild = world.create_guild("Friends")
        self.channel = self.guild.create_channel("dvonn")
        self.ann, self.bob, self.cid = map(self.guild.add_person, ("Ann", "Bob", "Cid"))
        self._moved = asyncio.Event()
        self._machine = machine
        self._posted = dict[int, Message]()
        world.state.messages_changed.listen(self._note)

    def _note(self, message: Message) -> None:
        self._posted[message.id] = message

    def _new_client(self) -> BotClient:
        store, clock = self.store, self.clock
        clocks = HostClocks(
            wall_clock=lambda: datetime.fromtimestamp(clock.time(), UTC),
            steady=lambda: monotonic() + clock.ahead_s,
            awake=lambda: monotonic() + clock.ahead_s,
            sleep=self._sleep,
        )
        time, liveness, degraded = DiscordClock(clocks), Liveness(monotonic), ActiveFaults()
        allowance = SessionBudget(apart=timedelta(0))
        limiter = IdentifyLimiter(store.identifies, time, liveness, allowance)
        second_bot = SecondBot(degraded, store.other_processes, time.now)
        settings = Settings(discord_token=SecretStr(self.world.token), machine=MachineSwitch.OFF)
        about = (settings, store, time, liveness, degraded, second_bot, limiter, self._machine)
        return BotClient(*about, Random(1), RHYTHM, message_content=True)

    async def start(self) -> None:
        """Start the client, again if it was stopped."""
        self.client = self._new_client()
        self._running = asyncio.create_task(self.client.start(self.world.token))
        await self.world.wait_ready()
        await self.client.wait_until_ready()

    async def stop(self) -> None:
        await self.client.close()
        with suppress(asyncio.CancelledError):
            await self._running

    @property
    def services(self) -> Services:
        return self.client.services

    def advance(self, **by: float) -> None:
        """Let time pass, and wake all sleeping tasks."""
        self.clock.ahead_s += timedelta(**by).total_seconds()
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()

    async def _sleep(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._moved.wait()

    @property
    def now(self) -> datetime:
        return datetime.fromtimestamp(self.clock.time(), UTC)

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait for a condition that no event announces."""
        async with asyncio.timeout(PATIENCE_S):
            while not holds():  # noqa: ASYNC110 - a list tells of no event
                await asyncio.sleep(0.005)

    async def nothing_unsent(self) -> None:
        """Wait until no delivery is queued."""
        while await self.store.deliveries.all_unsent():  # noqa: ASYNC110 - a table tells of no event
            await asyncio.sleep(0.005)

    async def until_sent(self, *, seconds: float) -> None:
        """Let some time pass after which everything is sent."""
        self.advance(seconds=seconds)
        await self.nothing_unsent()

    async def finds_what_it_sent(self) -> None:
        """Check that the newest message of each kind is found again, as after a lost response."""
        newest = select(func.max(deliveries.c.id)).group_by(deliveries.c.kind)
        sent = select(deliveries.c.kind, deliveries.c.key, deliveries.c.message_id).where(
            deliveries.c.id.in_(newest.where(deliveries.c.message_id.is_not(None)))
        )
        async with self.store._database._engine.connect() as connection:
            rows = (await connection.execute(sent)).all()
        for kind, key, number in rows:
            row = await self.store.deliveries.sent_row(kind, key)
            handler = self.services.publisher.sender._kinds[kind]
            looks_for_texts = type(handler).find is DeliveryHandler.find
            if looks_for_texts and row is not None and not self._posted[number].deleted:
                assert await handler.find(row) == number, f"{kind} {key} isn't recognized"

    async def is_done(self) -> None:
        """Wait until no work is in progress."""
        await self.services.work.settled()

    async def begin(self, channel: Channel | None = None, **terms: object) -> None:
        """Challenge Bob as Ann, who plays White on the empty board. Bob accepts."""
        place = channel or self.channel
        terms = {"colour": "white", "start": "placement", **terms}
        answer = await use(self.ann, place, "challenge", opponent=self.bob, **terms)
        assert answer.message is not None
        await self.bob.click(answer.message, "Accept")
        await self.is_done()

    async def say(self, person: Person, text: str, channel: Channel | None = None) -> list[str]:
        """Write a message as a user.

        Return the bot's texts and reactions once it has handled it.
        """
        return await self.answers_to(lambda place: person.say(place, text), channel)

    async def answers_to(
        self, say: Callable[[Channel], Awaitable[Message]], channel: Channel | None = None
    ) -> list[str]:
        """Write a message in a given way, and return like `say`."""
        place = channel or self.channel
        own_id = self.client.own_id  # its last answer may not have come back to it yet
        heard = asyncio.create_task(
            self.client.wait_for("message", check=lambda message: message.author.id != own_id)
        )
        await asyncio.sleep(0)
        known = {message.id for message in place.messages}
        said = await say(place)
        await heard
        handling = [task for task in asyncio.all_tasks() if task.get_name() == _HANDLING]
        if handling:
            await asyncio.wait(handling)
        await self.is_done()
        new = [
            message for message in place.messages if message.id not in known and message is not said
        ]
        return [*(message.content for message in new), *(str(mark) for mark in said.reactions)]


@asynccontextmanager
async def whole_bot(
    store: Store, monkeypatch: pytest.MonkeyPatch, machine: FirstMoves | None = None
) -> AsyncIterator[WholeBot]:
    """Run a bot during the block."""
    monkeypatch.setattr("bot.client.client.freeze_objects", lambda: None)  # they are the tests'
    commands_once.put_in_place(monkeypatch.setattr)
    clock = WorldClock()
    async with Sandbox(rate_limits=RateLimits.generous(), clock=clock, patience=PATIENCE) as world:
        monkeypatch.setattr(Route, "BASE", world.api_url)
        monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(world.gateway_url))
        bot = WholeBot(world, clock, store, machine)
        await bot.start()
        try:
            yield bot
            await bot.finds_what_it_sent()
        finally:
            await bot.stop()
        assert world.unknown_routes == []
        assert world.crashes == []
