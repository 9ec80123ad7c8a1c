"""``python -m sandbox``: serves one guild with a channel and two people, until interrupted."""

import argparse
import asyncio
import contextlib
import signal
import sys

from sandbox.ratelimits import RateLimits
from sandbox.server import Sandbox


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m sandbox", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8470)
    parser.add_argument(
        "--no-message-content",
        action="store_true",
        help="withhold what people write, as without the portal's toggle",
    )
    return parser.parse_args()


async def serve(options: argparse.Namespace) -> None:
    """Serve until the process gets a signal to stop."""
    world = Sandbox(
        host=options.host,
        port=options.port,
        message_content=not options.no_message_content,
        rate_limits=RateLimits(),
        record=False,
    )
    guild = world.create_guild("Friends")
    channel = guild.create_channel("dvonn")
    people = [guild.add_person(name) for name in ("Ann", "Bob")]
    async with world:
        names = ", ".join(f"{person.name} ({person.id})" for person in people)
        sys.stdout.write(
            f"A local Discord at {world.api_url}\n"
            f"guild {guild.name} ({guild.id}), channel #{channel.name} ({channel.id}), {names}\n\n"
            "Point the bot at it with\n"
            f"  DISCORD_API_URL={world.api_url}\n"
            f"  DISCORD_TOKEN={world.token}\n"
        )
        sys.stdout.flush()
        stop = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            # Where the event loop supports no signal handlers, Ctrl-C ends the run with
            # KeyboardInterrupt.
            with contextlib.suppress(NotImplementedError):
                asyncio.get_running_loop().add_signal_handler(number, stop.set)
        await stop.wait()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(_arguments()))
