"""Everything that `./run` starts without a token, in this process, with the bot in another one."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from demo.engine_installer import EngineInstaller
from demo.local import CHANNELS, PEOPLE, keep_bot_running, local_discord
from sandbox import Channel, Person, Sandbox


class House:
    """A local Discord in this process, and the bot in a separate one."""

    def __init__(self, world: Sandbox) -> None:
        self.world = world
        (self.guild,) = world.state.guilds.values()
        self.channel = self.channel_named(CHANNELS[0])
        self.ann, self.bob = (self.person_named(name) for name in PEOPLE)

    def channel_named(self, name: str) -> Channel:
        """Return the channel of that name."""
        (found,) = (channel for channel in self.guild.channels.values() if channel.name == name)
        return found

    def person_named(self, name: str) -> Person:
        """Return the member of that name."""
        (found,) = (
            member.user for member in self.guild.members.values() if member.user.name == name
        )
        return self.world.person(found)


@asynccontextmanager
async def house(folder: Path, engine: EngineInstaller | None = None) -> AsyncIterator[House]:
    """Run it during the block, with the bot online."""
    engine = engine or EngineInstaller()
    async with local_discord(folder, port=0, engine=engine) as world:
        running = asyncio.create_task(keep_bot_running(world, folder, engine))
        try:
            await world.wait_ready()
            yield House(world)
        finally:
            running.cancel()
            await asyncio.wait([running])
        assert running.cancelled()
        assert world.crashes == []
