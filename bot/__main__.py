"""The command line `dvonn-bot`, which assembles all parts of the program."""

import gc

# Objects of imported modules are never freed. Scanning them took a fifth of the startup time.
gc.disable()

import argparse
import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import SystemRandom
from time import monotonic
from typing import Any

import structlog

from bot import __version__
from bot.base import config
from bot.base.database_address import redacted_url
from bot.base.errors import StartError, count_text
from bot.base.garbage_collection import collect_often
from bot.base.health import ActiveFaults
from bot.base.http_port import serving_host
from bot.base.logs import child_log_setup, set_up_logging
from bot.base.rhythm import EVERYDAY, Rhythm
from bot.client.client import BotClient
from bot.composition import FEATURE_SET, ROLES
from bot.connection.discord_clock import DiscordClock, HostClocks, host_time, steady
from bot.connection.identify_limiter import IdentifyLimiter
from bot.connection.liveness import Liveness
from bot.connection.second_bot import SecondBot
from bot.connection.session import stay_connected, use_api
from bot.connection.session_budget import SessionBudget
from bot.connection.tasks import end
from bot.database.aside import put_aside
from bot.database.backups import back_up, restore
from bot.database.opening import create_engine, migrate
from bot.operations.check import check
from bot.operations.health import Overview
from bot.operations.systemd import ServiceManager
from bot.people.store.privacy import repeat_deletions
from bot.play.seams import Tool
from bot.play.store.store import Store

collect_often()

_log = structlog.get_logger()

EXIT_CANNOT_START = 2
_TOOLS = {tool.name: tool for tool in FEATURE_SET.tools}

_IDLE_S = 10
"""Idle timeout of a transaction, in seconds. A move's transaction takes milliseconds."""


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        match options.command:
            case "backup" | "restore" | "put-aside":
                store = config.load_store_settings()
                set_up_logging(store.log_level, store.log_format, store.secrets)
                asyncio.run(_run_backup_tool(store, options))
                return 0
            case "check":
                settings = config.load_settings()
                use_api(settings.discord_api_url)
                return asyncio.run(check(settings, FEATURE_SET.checks))
            case name if name in _TOOLS:
                tool = _TOOLS[name]
                tool_settings = tool.load()
                set_up_logging(
                    tool_settings.log_level, tool_settings.log_format, tool_settings.secrets
                )
                return asyncio.run(_run_tool(tool, tool_settings, options))
            case _:
                settings = config.load_settings()
                use_api(settings.discord_api_url)
                set_up_logging(settings.log_level, settings.log_format, settings.secrets)
                time = DiscordClock(
                    HostClocks(wall_clock=host_time, steady=steady, awake=monotonic)
                )
                asyncio.run(run(settings, time, Liveness(monotonic), SessionBudget()))
    except StartError as error:
        if child_log_setup() is None:
            sys.stderr.writelines(f"dvonn-bot: {line}\n" for line in str(error).splitlines())
        else:  # every line must be machine-readable
            _log.critical("start failed", error=str(error))
        return EXIT_CANNOT_START
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dvonn-bot",
        description="A Discord bot for playing DVONN.",
        epilog="Settings are read from the environment and .env. .env.example lists them.",
    )
    parser.add_argument("--version", action="version", version=f"dvonn-bot {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands.add_parser("run", help="run the bot (default)")
    commands.add_parser("check", help="check the settings, the token and the database")
    backup = commands.add_parser("backup", help="write a backup while the bot runs")
    backup.add_argument("file", type=Path, metavar="FILE", help="file to create; must not exist")
    restore = commands.add_parser("restore", help="restore a backup")
    restore.add_argument("file", type=Path, metavar="FILE", help="a backup")
    restore.add_argument(
        "--replace", action="store_true", help="overwrite the games in the database"
    )
    commands.add_parser("put-aside", help="rename the database, to go back to an older version")
    for tool in _TOOLS.values():
        tool.fill(commands.add_parser(tool.name, help=tool.help))
    return parser


async def _run_backup_tool(settings: config.StoreSettings, options: argparse.Namespace) -> None:
    """Make or restore a backup and print its content, or move the database aside.

    Raises:
        StartError: if it fails. In that case, nothing has changed.
    """
    engine, place = create_engine(settings.database), redacted_url(settings.database)
    try:
        if options.command == "put-aside":
            _report_rename(place, await put_aside(engine, now=host_time()))
            return
        if options.command == "backup":
            contents = await back_up(engine, options.file, now=host_time())
            summary = f"wrote {options.file} from {place}"
        else:
            contents = await restore(
                engine,
                options.file,
                replace=options.replace,
                now=host_time(),
                keeping=repeat_deletions,
                on_put_aside=partial(_report_rename, place),
            )
            summary = f"restored {options.file} into {place}"
    finally:
        await engine.dispose()
    games, events = (count_text(contents.rows[f"{noun}s"], noun) for noun in ("game", "event"))
    made_at = contents.made_at.isoformat(sep=" ", timespec="seconds")
    sys.stdout.write(f"{summary}: {games} with {events}, as they were at {made_at}\n")


def _report_rename(place: str, name: str) -> None:
    sys.stdout.write(f"moved {place} to {name}\n")


async def run(
    settings: config.Settings,
    time: DiscordClock,
    liveness: Liveness,
    allowance: SessionBudget,
    rhythm: Rhythm = EVERYDAY,
) -> None:
    """Run the bot until it gets a signal to stop.

    Raises:
        StartError: if it cannot start.
    """
    for word in config.unknown_settings():
        _log.info("unknown setting", name=word)
    manager = ServiceManager(os.environ)
    engine = create_engine(settings.database, idle_s=_IDLE_S)
    store = Store(engine)
    rng, degraded = SystemRandom(), ActiveFaults()
    identify_limiter = IdentifyLimiter(store.identifies, time, liveness, allowance)
    parts = contextlib.AsyncExitStack()
    try:
        open_opponent = ROLES.opponent
        opponent = None if open_opponent is None else await open_opponent(settings, parts)
        await store.other_processes.check()
        await migrate(engine)
        _log.info("bot starting", version=__version__, database=redacted_url(settings.database))

        second_bot = SecondBot(degraded, store.other_processes, time.now)
        overview = Overview(
            liveness,
            store,
            degraded,
            opponent=opponent,
            measures=FEATURE_SET.measures,
            now=time.now,
        )
        async with serving_host(overview, settings.metrics_host, settings.metrics_port):
            watchdog = asyncio.create_task(manager.feed(liveness))
            damage_scan = asyncio.create_task(_scan_for_damage(store, liveness))
            work = asyncio.create_task(
                stay_connected(
                    settings.discord_token.get_secret_value(),
                    settings.message_content,
                    partial(
                        BotClient,
                        *(
                            settings,
                            store,
                            time,
                            liveness,
                            degraded,
                            second_bot,
                            identify_limiter,
                            opponent,
                            rng,
                            rhythm,
                        ),
                    ),
                    rng,
                    liveness,
                    degraded,
                    on_attempt=manager.ready,
                    proxy=settings.proxy,
                )
            )
            _stop_on_signals(work, manager)
            try:
                with contextlib.suppress(asyncio.CancelledError):
                    await work
            finally:
                await end((watchdog, damage_scan))
        _log.info("bot stopped")
    finally:
        await parts.aclose()
        await store.close()


async def _run_tool(tool: Tool, settings: config.StoreSettings, options: argparse.Namespace) -> int:
    """Run a tool and return the exit status.

    Raises:
        StartError: if the tool cannot start.
    """
    if not tool.until_stopped:
        return await tool.run(settings, options)
    running = asyncio.create_task(tool.run(settings, options))
    _stop_on_signals(running, ServiceManager({}))
    with contextlib.suppress(asyncio.CancelledError):
        return await running
    _log.info("tool stopped")
    return 0


async def _scan_for_damage(store: Store, liveness: Liveness) -> None:
    """Scan for damage once connected. It takes a while and must not delay games."""
    await liveness.connected()
    await store.damage.run()


def _stop_on_signals(work: "asyncio.Task[Any]", manager: ServiceManager) -> None:
    loop = asyncio.get_running_loop()

    def stop() -> None:
        if not work.cancelling():  # only the first signal counts: work in flight is still finished
            _log.info("bot stopping")
            manager.notify("STOPPING=1")
            work.cancel()

    for name in (signal.SIGINT, signal.SIGTERM):
        # Windows has no such handlers. There, Ctrl-C ends the run with an exception.
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(name, stop)


if __name__ == "__main__":
    sys.exit(main())
