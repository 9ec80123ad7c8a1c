"""Tests of servers that remove the bot and add it again."""

import asyncio
from typing import cast

from bot.base.ids import GuildId
from bot.connection.channel_requests import Channels
from bot.connection.unfinished_work import InFlightWork, end
from bot.play.deleted_channels import DeletedChannels
from bot.play.readers import Readers
from tests.bot.conftest import Clock
from tests.bot.table import Table

SERVER = GuildId(7)


class Seen:
    """Channels of a client that knows all servers again, before anybody was told."""

    def sees(self, _guild: GuildId) -> bool:
        return True


async def test_a_look_never_hides_that_a_server_is_back(table: Table, clock: Clock) -> None:
    channels = cast("Channels", Seen())
    absent = DeletedChannels(
        channels,
        table.store.deliveries,
        table.does,
        Readers(table.store, channels),
        InFlightWork(),
        board_parts=(),
        now=clock,
    )
    absent.on_guild_left(SERVER)
    looked = asyncio.Event()

    async def pause() -> None:
        looked.set()
        await asyncio.Event().wait()

    looking = asyncio.create_task(absent.run(pause))
    await looked.wait()
    assert absent.on_guild_back(SERVER)  # so what was typed meanwhile is read now
    assert not absent.on_guild_back(SERVER)
    await end((looking,))
