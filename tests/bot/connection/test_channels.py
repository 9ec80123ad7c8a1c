"""Tests of lookups of channels and servers without a request to Discord."""

from datetime import UTC, datetime
from typing import Any

import discord
import pytest

from bot.base.ids import NO_GUILD, ChannelId, GuildId, MessageId, UserId
from bot.connection.channel_requests import Channels
from sandbox import GuildAdmin
from tests.bot.connection import received
from tests.bot.connection.test_delivery import client, guild, world

__all__ = ["client", "guild", "world"]  # fixtures

HALL, GAME, UNKNOWN = ChannelId(received.HALL), ChannelId(received.GAME), ChannelId(79)
HOME, ELSEWHERE = GuildId(received.HOME), GuildId(received.ELSEWHERE)


@pytest.fixture
def here() -> Channels:
    return Channels(received.client(), now=lambda: datetime.now(UTC))


def test_what_the_gateway_has_told_is_known(here: Channels) -> None:
    assert [here.knows(channel) for channel in (HALL, GAME, UNKNOWN)] == [True, True, False]
    assert [here.guild_of(channel) for channel in (HALL, GAME, UNKNOWN)] == [HOME, HOME, NO_GUILD]
    assert [here.home(channel) for channel in (HALL, GAME, UNKNOWN)] == [HALL, HALL, UNKNOWN]
    assert [here.name_of(channel) for channel in (HALL, GAME, UNKNOWN)] == ["#hall", "#a game", ""]
    assert [here.language_of(guild) for guild in (HOME, ELSEWHERE)] == ["de", "en-US"]
    assert [here.is_told_of(guild) for guild in (HOME, ELSEWHERE)] == [True, True]
    assert [here.sees(guild) for guild in (HOME, ELSEWHERE, NO_GUILD)] == [True, False, True]


def test_a_channel_is_silent_if_its_newest_message_was_read(here: Channels) -> None:
    newest = received.NEWEST
    assert here.is_silent(HOME, HALL, newest)
    assert not here.is_silent(HOME, HALL, newest - 1)
    assert not here.is_silent(HOME, GAME, newest), "nothing is known of its messages"
    assert not here.is_silent(HOME, UNKNOWN, newest)
    assert not here.is_silent(ELSEWHERE, HALL, newest)


def test_a_message_is_the_newest_unless_a_newer_one_is_known(here: Channels) -> None:
    newest = MessageId(received.NEWEST)
    assert here.is_newest(HALL, newest)
    assert here.is_newest(HALL, MessageId(newest + 1)), "its own message is told later"
    assert not here.is_newest(HALL, MessageId(newest - 1))
    assert not here.is_newest(GAME, newest)
    assert not here.is_newest(UNKNOWN, newest)


def test_of_direct_messages_those_that_were_heard_are_known(here: Channels) -> None:
    said = received.message(None, channel=UNKNOWN)
    assert not here.is_newest(UNKNOWN, MessageId(said.id))
    here.hear(said)
    assert here.is_newest(UNKNOWN, MessageId(said.id))
    assert not here.is_newest(UNKNOWN, MessageId(said.id - 1))
    assert not here.is_own(said)


def test_what_the_bot_may_not_do_in_a_channel_is_known() -> None:
    for granted, lacks in ((0, True), (discord.Permissions.all().value, False)):
        client = received.client(granted)
        received.join(client)
        here = Channels(client, now=lambda: datetime.now(UTC))
        assert [bool(here.missing(place)) for place in (HALL, GAME, UNKNOWN)] == [
            *(lacks, lacks),
            False,
        ]


async def test_who_has_left_is_told_from_who_is_there(
    client: discord.Client, guild: GuildAdmin
) -> None:
    here = Channels(client, now=lambda: datetime.now(UTC))
    told: Any = {"id": str(guild.id), "name": "Friends", "roles": []}
    client._connection._add_guild_from_data(told)
    ann, bob = (guild.add_person(name) for name in ("Ann", "Bob"))
    guild.kick(bob)
    asked = [UserId(one.id) for one in (ann, bob)]
    assert await here.departed(GuildId(guild.id), asked) == {bob.id}


VIEW = discord.Permissions(view_channel=True).value


@pytest.mark.parametrize(
    ("permissions", "guild", "sees"),
    [(VIEW, HOME, True), (0, HOME, False), (VIEW, ELSEWHERE, False)],
    ids=["may see it", "may not", "of another server"],
)
async def test_who_may_view_a_channel_of_their_server_sees_it(
    permissions: int, guild: int, *, sees: bool
) -> None:
    client = received.client(permissions)
    here = Channels(client, now=lambda: datetime.now(UTC))
    ann = received.member(client, guild)
    assert await here.can_view(HALL, ann) is sees
    assert await here.can_view(GAME, ann) is sees
