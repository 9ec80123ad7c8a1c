"""Tests for servers that remove the bot and add it again, and for channels that are deleted."""

import asyncio
from collections.abc import Iterator
from typing import cast

from structlog.testing import capture_logs

from bot.base.ids import ChannelId, GameId, GuildId, UserId
from bot.connection.channel_requests import Channels
from bot.connection.tasks import InFlightWork, end
from bot.play.deleted_channels import DeletedChannels
from bot.play.readers import Readers
from tests.bot.conftest import Clock
from tests.bot.table import Table

SERVER = GuildId(7)


class Seen:
    """The channels of a client that has received all servers again, before anyone was told."""

    def sees(self, _guild: GuildId) -> bool:
        return True


class Deleted(Seen):
    """Channels of which one gets deleted. Another process handles that, and ends its game."""

    own_id = UserId(1)

    def __init__(self, table: Table, game: GameId) -> None:
        self._table = table
        self._game = game
        self._answers: Iterator[bool] = iter((True, False))

    async def is_gone(self, _channel: ChannelId) -> bool:
        await self._table.leaving.close(self._game, by=self.own_id)
        return next(self._answers)


def places_of(table: Table, channels: Channels, clock: Clock) -> DeletedChannels:
    return DeletedChannels(
        channels,
        table.store.deliveries,
        table.does,
        Readers(table.store, channels),
        InFlightWork(),
        board_parts=(),
        now=clock,
    )


async def test_a_rated_game_that_another_process_ends_during_the_check_causes_no_error(
    table: Table, clock: Clock
) -> None:
    game = await table.begin(rated=True)
    places = places_of(table, cast("Channels", Deleted(table, game.row.id)), clock)
    with capture_logs() as logged:
        await places.check(game.row.id)
    assert not (await table.ended()).is_running
    assert [line for line in logged if line["log_level"] == "error"] == []


async def test_a_check_never_hides_that_a_server_is_back(table: Table, clock: Clock) -> None:
    channels = cast("Channels", Seen())
    absent = places_of(table, channels, clock)
    absent.on_guild_left(SERVER)
    looked = asyncio.Event()

    async def pause() -> None:
        looked.set()
        await asyncio.Event().wait()

    looking = asyncio.create_task(absent.run(pause))
    await looked.wait()
    assert absent.on_guild_back(SERVER)  # so messages typed in the meantime are read now
    assert not absent.on_guild_back(SERVER)
    await end((looking,))
