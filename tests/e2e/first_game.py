"""Play a game in the process that bots are forked from, so that its code is already loaded.

SQLAlchemy compiles each statement at its first use. That is a third of a short-lived bot's work.
"""

import asyncio
import os
import signal
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import structlog
from prometheus_client.metrics import MetricWrapperBase
from sqlalchemy.engine import URL

from bot.base import metrics
from bot.base.config import load_settings
from bot.connection.discord_clock import DiscordClock, HostClocks, host_time, steady
from bot.connection.liveness import Liveness
from bot.connection.session import use_api
from bot.connection.session_budget import SessionBudget
from bot.database import opening
from bot.database.connection import AsyncEngine
from demo.commands import use
from sandbox import Channel, Message, Person, RateLimits, Sandbox


def play() -> None:
    """Play a game. All forked bots with SQLite then reuse the statements compiled here."""
    _share_statements()
    # Otherwise the loggers would write to this process's output.
    structlog.configure(processors=[_say_nothing])
    with TemporaryDirectory() as folder:
        asyncio.run(_play(Path(folder)))
    structlog.reset_defaults()
    _count_from_nothing()
    del sys.modules["bot.__main__"]  # each bot runs its own


def _say_nothing(*_: object) -> Any:
    raise structlog.DropEvent


def _count_from_nothing() -> None:
    """Reset the metrics of this process to those of a new bot."""
    for number in vars(metrics).values():
        if isinstance(number, MetricWrapperBase):
            for item in number._metrics.values() if number._labelnames else (number,):
                item._metric_init()  # type: ignore[no-untyped-call]


def _share_statements() -> None:
    make, shared = opening.create_engine, list[AsyncEngine]()

    def create_engine(url: URL, *, idle_s: int = 0) -> AsyncEngine:
        engine = make(url, idle_s=idle_s)
        if engine.dialect.name == "sqlite":
            shared.append(engine)
            first = shared[0].sync_engine
            engine.sync_engine.dialect = first.dialect
            engine.sync_engine._compiled_cache = first._compiled_cache
        return engine

    opening.create_engine = create_engine


async def _play(folder: Path) -> None:
    async with Sandbox(rate_limits=RateLimits.generous()) as world:
        guild = world.create_guild("Friends")
        channel = guild.create_channel("dvonn")
        ann, bob = guild.add_person("Ann"), guild.add_person("Bob")
        os.environ |= {
            "DISCORD_TOKEN": world.token,
            "DISCORD_API_URL": world.api_url,
            "MACHINE": "off",
            "DATABASE_URL": f"sqlite:///{folder / 'dvonn.sqlite3'}",
        }
        bot = asyncio.create_task(_run())
        await world.wait_session(0)
        await world.wait_ready()
        for start in ("placement", "balanced"):
            await _play_a_game(ann, bob, channel, start)
        for command in ("games", "settings", "help"):
            await ann.slash(channel, command)
        os.kill(os.getpid(), signal.SIGTERM)
        await bot


async def _run() -> None:
    from bot.__main__ import run  # noqa: PLC0415 - it takes the engine as it is by now

    settings = load_settings()
    use_api(settings.discord_api_url)
    clock = DiscordClock(HostClocks(wall_clock=host_time, steady=steady, awake=monotonic))
    await run(settings, clock, Liveness(monotonic), SessionBudget())


async def _play_a_game(ann: Person, bob: Person, channel: Channel, start: str) -> None:
    asked = await use(ann, channel, "challenge", opponent=bob, colour="white", start=start)
    assert asked.message is not None
    await bob.click(asked.message, "Accept")
    board = await _next_board(channel, asked.message)
    for person in (ann, bob, ann, bob):
        choices = await person.autocomplete(channel, "move", move="")
        await person.say(channel, str(choices[0][1]))
        board = await _next_board(channel, board)
    for label in ("More", "Resign", "Yes, resign"):
        answer = await ann.click(board, label)
        board = answer.message or board
    await _next_board(channel, board)


async def _next_board(channel: Channel, before: Message) -> Message:
    return await channel.wait_for(lambda one: one.id > before.id and bool(one.attachments))
