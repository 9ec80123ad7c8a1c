"""A minimal bot that answers every message with a ready-made picture.

    python -m benchmarks.bare_bot PICTURE

It runs in a separate process, like the real bot. `benchmarks.turn` starts it and measures it as the
floor. It reads DISCORD_TOKEN and DISCORD_API_URL.
"""

import argparse
import os
from io import BytesIO
from pathlib import Path

import discord
from discord import app_commands


class BareBot(discord.AutoShardedClient):
    """A bot that uses only discord.py.

    It is a sharded client because only that asks the API for the gateway's address.

    Args:
        picture: The PNG that it answers with.
    """

    def __init__(self, picture: bytes) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True, guild_messages=True, message_content=True)
        )
        self._picture = picture

    async def setup_hook(self) -> None:
        """Register an empty list of commands, so that the sandbox knows that it is ready."""
        await app_commands.CommandTree(self).sync()

    async def on_message(self, message: discord.Message) -> None:
        if not message.author.bot:
            await message.channel.send(file=discord.File(BytesIO(self._picture), "board.png"))


def main() -> None:
    """Run until the process is terminated."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bare_bot")
    parser.add_argument("picture", type=Path)
    picture = parser.parse_args().picture.read_bytes()
    discord.http.Route.BASE = os.environ["DISCORD_API_URL"]
    BareBot(picture).run(os.environ["DISCORD_TOKEN"], log_level=30)


if __name__ == "__main__":
    main()
