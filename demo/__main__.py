"""`./run demo`: two scripted people play a whole game with the real bot in a local Discord."""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Coroutine
from pathlib import Path
from random import Random
from typing import Any

from demo.bot_process import BotStopped, bot_process, last_words
from demo.console import print_line, show_all_characters, stop_on_signals
from demo.scrapbook import Scrapbook
from demo.story import Story, StoryError
from dvonn import Color, GameRecord
from sandbox import RateLimits, Sandbox

OUTPUT = Path(__file__).resolve().parents[1] / "demo-output"


def main() -> int:
    """Play the demo, and return the exit status."""
    parser = argparse.ArgumentParser(prog="./run demo", description=__doc__)
    parser.add_argument("--seed", type=int, default=3, help="another seed plays another game")
    parser.add_argument(
        "--output", type=Path, default=OUTPUT, help="where the pictures go (default: demo-output)"
    )
    options = parser.parse_args()
    show_all_characters()
    try:
        scrapbook = Scrapbook(options.output.resolve())
    except OSError as error:
        print(f"The demo cannot write into {options.output}: {error.strerror}", file=sys.stderr)
        return 1
    started = time.monotonic()
    try:
        asyncio.run(demo(options.seed, scrapbook))
    except (KeyboardInterrupt, asyncio.CancelledError):
        return 130
    except (BotStopped, StoryError, TimeoutError) as error:
        words = last_words(scrapbook.log)
        print(f"The demo failed: {error}", *words, sep="\n", file=sys.stderr)
        return 1
    seconds = time.monotonic() - started
    print(f"{scrapbook.pictures} pictures in {seconds:.0f} s. Have a look:")
    print(f"  {scrapbook.page}   the game as a chat")
    print(f"  {scrapbook.record}   its record")
    return 0


async def demo(seed: int, scrapbook: Scrapbook) -> None:
    """Play one game and fill the scrapbook."""
    stop_on_signals()
    async with Sandbox(rate_limits=RateLimits.generous(), bot_name="dvonn-bot") as world:
        print_line(f"A local Discord listens at {world.api_url}")
        guild = world.create_guild("Friends")
        channel = guild.create_channel("dvonn")
        ann, bob = guild.add_person("Ann"), guild.add_person("Bob")
        players = {Color.WHITE: ann, Color.BLACK: bob}
        with tempfile.TemporaryDirectory(prefix="dvonn-demo-") as folder:
            settings = {
                "DISCORD_TOKEN": world.token,
                "DISCORD_API_URL": world.api_url,
                "DATABASE_URL": f"sqlite:///{Path(folder).as_posix()}/demo.sqlite3",
                "MESSAGE_CONTENT": "auto",
            }
            async with bot_process(settings, scrapbook.log) as bot:
                story = Story(channel, players, Random(seed), scrapbook, print_line)
                record = await _or_bot_stops(bot, _play_story(world, story))
        names = {person.mention: f"@{person.name}" for person in (ann, bob)}
        scrapbook.finish(f"#{channel.name}: {ann.name} and {bob.name} play DVONN", record, names)


async def _play_story(world: Sandbox, story: Story) -> GameRecord:
    await world.wait_ready()
    print_line("The bot is online, in a process of its own")
    return await story.play()


async def _or_bot_stops(
    bot: asyncio.subprocess.Process, story: Coroutine[Any, Any, GameRecord]
) -> GameRecord:
    """Wait for the story and return its game, or raise BotStopped if the bot stops first."""
    playing = asyncio.create_task(story)
    ending = asyncio.create_task(bot.wait())
    try:
        await asyncio.wait((playing, ending), return_when=asyncio.FIRST_COMPLETED)
        if playing.done():
            return playing.result()
        raise BotStopped(ending.result())
    finally:
        playing.cancel()
        ending.cancel()


if __name__ == "__main__":
    sys.exit(main())
