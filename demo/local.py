"""`./run` without a token: a small Discord in the browser, where the real bot answers."""

import argparse
import asyncio
import os
import secrets
import socket
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

from demo.bot_process import BotStopped, bot_process, last_words
from demo.console import print_line, show_all_characters, stop_on_signals
from demo.engine_installer import EngineInstaller
from demo.exhibition import Exhibition
from demo.start import Stage, start_page
from dvonn import Color
from sandbox import Channel, GuildAdmin, Permission, Person, RateLimits, Sandbox, StorageError
from sandbox.web.guard import is_loopback

FOLDER = Path(__file__).resolve().parents[1] / "sandbox-data"
HOST = "127.0.0.1"
PORT = 8470
PORTS_TRIED = 20
SERVER, CHANNELS, PEOPLE = "Friends", ("dvonn", "watch", "lounge"), ("Ann", "Bob")
MODERATOR = "Mod"
MAY_MODERATE = (
    Permission.MANAGE_CHANNELS
    | Permission.MANAGE_MESSAGES
    | Permission.MANAGE_THREADS
    | Permission.MANAGE_EVENTS
)
LEVELS = {Color.WHITE: 4, Color.BLACK: 7}
"""Levels of the machine player in the game to watch. Both answer in a moment."""

START_S = 300.0
"""Maximum time for the bot to come online, in seconds, on a slow, busy machine."""

PAUSE_S = 1.0
"""Seconds from the bot's unexpected end to its next start."""


class LocalError(Exception):
    """The local Discord cannot start. The text contains the reason."""


def main() -> int:
    """Serve until Ctrl-C, and return the exit status."""
    options = _options()
    show_all_characters()
    folder: Path = options.folder.resolve()
    try:
        asyncio.run(_serve(options.host, options.port, folder))
    except (KeyboardInterrupt, asyncio.CancelledError):
        print_line(f"Stopped. Everything is saved in {folder}")
        return 0
    except (LocalError, StorageError) as error:
        print(f"The local Discord cannot start: {error}", file=sys.stderr)
    except (BotStopped, TimeoutError) as error:
        words = last_words(folder / "bot.log")
        print(f"The bot did not come online: {error}", *words, sep="\n", file=sys.stderr)
    return 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./run sandbox", description=__doc__)
    parser.add_argument(
        "--host", default=HOST, help="the address to listen at (default: only this computer)"
    )
    parser.add_argument(
        "--port", type=int, help=f"the port (default: {PORT}, or the next that is free)"
    )
    parser.add_argument(
        "--folder", type=Path, default=FOLDER, help="the folder of all data (default: sandbox-data)"
    )
    return parser.parse_args()


async def _serve(host: str, port: int | None, folder: Path) -> None:
    stop_on_signals()
    if not is_loopback(host):
        print_line(
            f"WARNING: with {host}, everybody who can reach this computer can act as anybody."
        )
    engine = EngineInstaller()
    async with local_discord(folder, host, port, engine) as world:
        print_line("This is a local sandbox of dvonn-bot, not Discord. Open it in your browser:")
        print_line(f"\n    {world.api_url.removesuffix('/api/v10')}/\n")
        print_line(f"Everything is saved in {folder} for the next start. Ctrl-C stops it.")
        await keep_bot_running(world, folder, engine)


@asynccontextmanager
async def local_discord(
    folder: Path, host: str = HOST, port: int | None = None, engine: EngineInstaller | None = None
) -> AsyncIterator[Sandbox]:
    """Run the local Discord during a block, with a server and people in it but without the bot.

    Args:
        folder: Folder of its data, created with its content at the first start.
        host: Host to listen on.
        port: Port to listen on, or None for the default port or the next free one.
        engine: Installs the compiled engine, or None for the default installer.

    Raises:
        LocalError: if the port cannot be used.
        StorageError: if the content of the folder cannot be used.
    """
    if port is None:
        port = next(
            (number for number in range(PORT, PORT + PORTS_TRIED) if _is_free(host, number)), PORT
        )
    # The token is new at each start, so that neither a bot that outlived a crash nor anyone else
    # can log in.
    world = Sandbox(
        host=host,
        port=port,
        token=secrets.token_urlsafe(32),
        bot_name="dvonn-bot",
        rate_limits=RateLimits.generous(),
        record=False,
        folder=folder / "discord",
    )
    try:
        await world.start()
    except (OSError, OverflowError) as error:  # OverflowError if it is not a valid port
        await world.stop()
        reason = getattr(error, "strerror", None) or error
        raise LocalError(f"it cannot listen on {host}, port {port}: {reason}") from error
    try:
        stage = _furnish(world, engine or EngineInstaller())
        world.page.start = start_page(world, stage)
        try:
            yield world
        finally:
            await stage.exhibition.close()
            await stage.engine.close()
    finally:
        await world.stop()


def _furnish(world: Sandbox, engine: EngineInstaller) -> Stage:
    """Add everything that the page needs and a world saved by an older version lacks."""
    older = next((guild for guild in world.state.guilds.values() if guild.name == SERVER), None)
    guild = world.create_guild(SERVER) if older is None else world.guild(older)
    games, watching, _ = (_channel(guild, name) for name in CHANNELS)
    players = [_person(world, guild, name) for name in PEOPLE]
    moderator = _person(world, guild, MODERATOR, MAY_MODERATE)
    cast = {color: _person(world, guild, f"Level {LEVELS[color]}") for color in LEVELS}
    return Stage(
        games=games,
        watching=watching,
        players=players,
        moderator=moderator,
        engine=engine,
        exhibition=Exhibition(watching, cast, LEVELS, Random()),
        cast=list(cast.values()),
    )


def _channel(guild: GuildAdmin, name: str) -> Channel:
    channel = next((channel for channel in guild.channels if channel.name == name), None)
    return channel or guild.create_channel(name)


def _person(world: Sandbox, guild: GuildAdmin, name: str, permissions: int = 0) -> Person:
    members = (member.user for member in guild.guild.members.values())
    user = next((member for member in members if member.name == name), None)
    return world.person(user) if user else guild.add_person(name, permissions=permissions)


async def keep_bot_running(world: Sandbox, folder: Path, engine: EngineInstaller) -> None:
    """Run the bot until canceled, and restart it when it exits or the engine is installed.

    Raises:
        BotStopped: if it exited before it was online.
        TimeoutError: if it did not come online.
    """
    log = folder / "bot.log"
    log.unlink(missing_ok=True)
    settings = {
        "DISCORD_TOKEN": world.token,
        "DISCORD_API_URL": world.api_url,
        "DATABASE_URL": f"sqlite:///{folder.as_posix()}/dvonn.sqlite3",
        "MESSAGE_CONTENT": "auto",
    }
    while True:
        async with bot_process(settings, log) as bot:
            await _online(world, bot)
            print_line("The bot is online.")
            world.page.release_actions()
            await _first(bot.wait(), engine.restart_needed.wait())
            code = bot.returncode
            world.page.hold_actions()
        if code is None:
            engine.restart_needed.clear()
            print_line("The engine is installed. The bot is started again with it.")
            continue
        print_line(f"The bot stopped with exit code {code} ({log} says why). It is started again.")
        await asyncio.sleep(PAUSE_S)


async def _online(world: Sandbox, bot: asyncio.subprocess.Process) -> None:
    await _first(world.wait_ready(timeout=START_S), bot.wait())
    if bot.returncode is not None:
        raise BotStopped(bot.returncode)


async def _first(*awaited: Coroutine[Any, Any, object]) -> None:
    """Wait until one coroutine is done, and cancel the others. Raise its exception, if any."""
    tasks = [asyncio.ensure_future(coroutine) for coroutine in awaited]
    try:
        completed, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in completed:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _is_free(host: str, port: int) -> bool:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        if os.name != "nt":  # on Windows, this would let two programs listen at once
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


if __name__ == "__main__":
    sys.exit(main())
