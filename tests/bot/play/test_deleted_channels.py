"""Tests for games whose channel is deleted: who is told and where, and which games continue."""

import asyncio
from dataclasses import dataclass

import discord
import pytest

from bot.base.ids import ChannelId, GuildId, MessageId, UserId
from bot.connection.channel_requests import Channels
from bot.connection.tasks import end
from bot.play.deleted_channels import DeletedChannels
from bot.play.model.game import Game
from bot.play.model.terms import Place
from sandbox import Channel, GuildAdmin, Person
from tests.bot.conftest import Clock
from tests.bot.connection.conftest import client, guild, limits, world
from tests.bot.play.test_absent_servers import places_of
from tests.bot.table import Table, venue

__all__ = ["client", "guild", "limits", "world"]  # fixtures


@dataclass
class Home:
    """A channel and its server, two players, and the checks of the channel."""

    table: Table
    guild: GuildAdmin
    channel: Channel
    ann: Person
    bob: Person
    places: DeletedChannels

    @property
    def server(self) -> GuildId:
        return GuildId(self.guild.id)

    async def begun(self, place: Place = Place.HERE) -> Game:
        """A game of Ann and Bob. A challenge's message opens its thread."""
        where = ChannelId(self.channel.id)
        asked = await self.ann.say(self.channel, "Who plays?")
        challenge = await self.table.challenge(
            UserId(self.bob.id),
            challenger=UserId(self.ann.id),
            guild=self.server,
            channel=where,
            where=venue(where),
            place=place,
        )
        accepted = await self.table.accept(
            challenge, UserId(self.bob.id), message=MessageId(asked.id)
        )
        return accepted.game

    async def now(self, game: Game) -> Game:
        found = await self.table.game_cache.current(game.row.id)
        return game if found is None else found

    async def is_running(self, game: Game) -> bool:
        row = await self.table.store.games.get(game.row.id)
        assert row is not None
        return row.is_running

    async def looked(self, *pauses: float) -> None:
        """Run the check for absent servers, with some minutes after each run."""
        left, over = iter(pauses), asyncio.Event()

        async def pause() -> None:
            minutes = next(left, None)
            if minutes is None:
                over.set()
                await asyncio.Event().wait()
            self.table.clock.advance(minutes=minutes or 0)

        looking = asyncio.create_task(self.places.run(pause))
        await over.wait()
        await end((looking,))


@pytest.fixture
def home(table: Table, clock: Clock, client: discord.Client, guild: GuildAdmin) -> Home:
    channels = Channels(client, now=clock)
    people = guild.add_person("Ann"), guild.add_person("Bob")
    place = guild.create_channel("dvonn")
    return Home(table, guild, place, *people, places_of(table, channels, clock))


def direct_messages(person: Person) -> list[str]:
    return [message.content for message in person.dm.messages]


async def test_the_players_of_a_deleted_channel_get_direct_messages(home: Home) -> None:
    game = await home.begun()
    await home.places.check(game.row.id)
    assert await home.is_running(game), "its channel is there"
    home.guild.delete_channel(home.channel)
    await home.places.channel_deleted(home.server, game.row.channel)
    assert not await home.is_running(game)
    for person in (home.ann, home.bob):
        (words,) = direct_messages(person)
        assert words.startswith("The channel of this game is gone")
    assert await home.table.store.deliveries.unsent(game.row.id) == []


async def test_a_game_in_a_thread_goes_with_the_channel_of_its_thread(home: Home) -> None:
    game = await home.begun(Place.THREAD)
    assert game.row.own_thread
    parent = ChannelId(home.channel.id)
    assert game.row.channel != parent
    home.guild.delete_channel(home.channel)
    await home.places.channel_deleted(home.server, parent)
    assert not await home.is_running(game)
    assert len(direct_messages(home.ann)) == len(direct_messages(home.bob)) == 1


async def test_an_unopened_thread_does_not_count_as_deleted(home: Home) -> None:
    game = await home.begun(Place.THREAD)
    await home.places.check(game.row.id)
    assert await home.is_running(game)
    (asked,) = home.channel.messages
    await home.guild.owner.delete(asked)  # the message that would have started its thread
    await home.places.check(game.row.id)
    assert not await home.is_running(game)


async def test_a_server_has_an_hour_to_let_the_bot_in_again(home: Home) -> None:
    game = await home.begun()
    home.guild.remove_bot()
    assert not await home.places.is_waiting(game.row.id)
    home.places.on_guild_left(home.server)
    assert await home.places.is_waiting(game.row.id)
    await home.looked(0, 59)
    assert await home.is_running(game)
    assert home.places.is_away(home.server)
    await home.looked(1, 0)
    assert not await home.is_running(game)
    assert not home.places.is_away(home.server)


async def test_a_server_that_has_let_the_bot_in_again_keeps_its_games(home: Home) -> None:
    game = await home.begun()
    home.places.on_guild_left(home.server)
    await home.looked(61, 0)  # Discord says that it exists
    assert await home.is_running(game)
    assert not await home.places.is_waiting(game.row.id)
