"""`dvonn-bot`: the only place where the parts are joined."""

import argparse
import asyncio
import contextlib
import signal
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from random import SystemRandom

from bot import __version__
from bot.check import check
from bot.config import Settings, load_settings
from bot.edge.client import DvonnClient
from bot.edge.session import stay_connected, use_api
from bot.errors import StartError
from bot.logs import set_up_logging
from bot.store import Store, create_engine, migrate

EXIT_CANNOT_START = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the bot, or look whether it could run. Returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="dvonn-bot",
        description="A Discord bot with which people play DVONN in their channels.",
        epilog="Settings come from the environment and from .env; .env.example lists them.",
    )
    parser.add_argument("--version", action="version", version=f"dvonn-bot {__version__}")
    parser.add_argument(
        "command",
        nargs="?",
        choices=("run", "check"),
        default="run",
        help="run the bot (the default), or check its settings, token and database",
    )
    command = parser.parse_args(arguments).command
    try:
        settings = load_settings()
        use_api(settings.discord_api_url)
        if command == "check":
            return asyncio.run(check(settings))
        set_up_logging(settings.log_level, settings.log_format)
        asyncio.run(run(settings))
    except StartError as error:
        sys.stderr.write(f"dvonn-bot: {error}\n")
        return EXIT_CANNOT_START
    return 0


async def run(settings: Settings) -> None:
    """Run the bot until it is told to stop.

    Raises:
        StartError: if it cannot start.
    """
    engine = create_engine(settings.database)
    store = Store(engine)
    rng = SystemRandom()
    try:
        await migrate(engine)

        def make_client(reads_messages: bool) -> DvonnClient:
            return DvonnClient(store, now=_now, rng=rng, message_content=reads_messages)

        work = asyncio.create_task(
            stay_connected(
                settings.discord_token.get_secret_value(),
                settings.message_content,
                make_client,
                rng,
            )
        )
        _stop_on_signals(work)
        with contextlib.suppress(asyncio.CancelledError):
            await work
    finally:
        await store.close()


def _stop_on_signals(work: "asyncio.Task[None]") -> None:
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        # Windows has no such handlers; there Ctrl-C ends the run as an exception does.
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(name, work.cancel)


def _now() -> datetime:
    return datetime.now(UTC)


if __name__ == "__main__":
    sys.exit(main())
