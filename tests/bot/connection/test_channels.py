"""Tests for lookups of channels and servers without a request to Discord."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import discord
import pytest

from bot.base.ids import NO_GUILD, ChannelId, GuildId, MessageId, UserId
from bot.connection.channel_requests import Channels, send_post
from bot.connection.posts import Button, File, Post
from bot.database.delivery_rows import THREAD as THREAD_OPENS
from bot.database.delivery_rows import NewDelivery
from bot.play.store.store import Store
from sandbox import Channel, GuildAdmin, Message, Sandbox
from sandbox.permissions import Permission
from tests.bot.conftest import Clock
from tests.bot.connection import received

HALL, GAME, UNKNOWN = ChannelId(received.HALL), ChannelId(received.GAME), ChannelId(79)
HOME, ELSEWHERE = GuildId(received.HOME), GuildId(received.ELSEWHERE)


@pytest.fixture
def here() -> Channels:
    return Channels(received.client(), now=lambda: datetime.now(UTC))


def test_data_from_the_gateway_is_known(here: Channels) -> None:
    assert [here.knows(channel) for channel in (HALL, GAME, UNKNOWN)] == [True, True, False]
    assert [here.guild_of(channel) for channel in (HALL, GAME, UNKNOWN)] == [HOME, HOME, NO_GUILD]
    assert [here.home(channel) for channel in (HALL, GAME, UNKNOWN)] == [HALL, HALL, UNKNOWN]
    assert [here.name_of(channel) for channel in (HALL, GAME, UNKNOWN)] == ["#hall", "#a game", ""]
    assert [here.language_of(guild) for guild in (HOME, ELSEWHERE)] == ["de", "en-US"]
    assert [here.is_announced(guild) for guild in (HOME, ELSEWHERE)] == [True, True]
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


def test_received_direct_messages_are_known(here: Channels) -> None:
    said = received.message(None, channel=UNKNOWN)
    assert not here.is_newest(UNKNOWN, MessageId(said.id))
    here.record(said)
    assert here.is_newest(UNKNOWN, MessageId(said.id))
    assert not here.is_newest(UNKNOWN, MessageId(said.id - 1))
    assert not here.is_own(said)


def test_missing_permissions_in_a_channel_are_known() -> None:
    for granted, lacks in ((0, True), (discord.Permissions.all().value, False)):
        client = received.client(granted)
        received.join(client)
        here = Channels(client, now=lambda: datetime.now(UTC))
        assert [bool(here.missing(place)) for place in (HALL, GAME, UNKNOWN)] == [
            *(lacks, lacks),
            False,
        ]


async def test_missing_and_present_members_are_distinguished(
    client: discord.Client, guild: GuildAdmin
) -> None:
    here = Channels(client, now=lambda: datetime.now(UTC))
    told: Any = {"id": str(guild.id), "name": "Friends", "roles": []}
    client._connection._add_guild_from_data(told)
    ann, bob = (guild.add_person(name) for name in ("Ann", "Bob"))
    guild.kick(bob)
    asked = [UserId(item.id) for item in (ann, bob)]
    assert await here.departed(GuildId(guild.id), asked) == {bob.id}


VIEW = discord.Permissions(view_channel=True).value


@pytest.mark.parametrize(
    ("permissions", "guild", "sees"),
    [(VIEW, HOME, True), (0, HOME, False), (VIEW, ELSEWHERE, False)],
    ids=["may see it", "may not", "of another server"],
)
async def test_members_who_may_view_a_channel_see_it(
    permissions: int, guild: int, *, sees: bool
) -> None:
    client = received.client(permissions)
    here = Channels(client, now=lambda: datetime.now(UTC))
    ann = received.member(client, guild)
    assert await here.can_view(HALL, ann) is sees
    assert await here.can_view(GAME, ann) is sees


@pytest.fixture
async def over_there(client: discord.Client, guild: GuildAdmin) -> Channels:
    """The channels of a client that is logged in and has its server in the cache."""
    told: Any = {"id": str(guild.id), "name": "Friends", "roles": []}
    client._connection._add_guild_from_data(told)
    return Channels(client, now=lambda: datetime.now(UTC))


BOARD = Post(
    content="A board", file=File("board.png", b"\x89PNG\r\n\x1a\n"), buttons=(Button("Go", "go"),)
)


async def posted(here: Channels, channel: Channel, post: Post = BOARD, nonce: str = "1") -> Message:
    """A message by the bot itself."""
    number = await send_post(here(ChannelId(channel.id)), post, nonce)
    return next(message for message in channel.messages if message.id == number)


async def test_deleted_and_hidden_channels_are_distinguished(
    over_there: Channels, guild: GuildAdmin, channel: Channel, world: Sandbox
) -> None:
    gone, hidden = guild.create_channel("gone"), guild.create_channel("hidden")
    message = (await posted(over_there, channel)).id
    guild.delete_channel(gone)
    guild.set_permissions(hidden, guild.everyone, deny=Permission.VIEW_CHANNEL)
    guild.set_permissions(hidden, guild.bot_role, deny=Permission.VIEW_CHANNEL)
    places = [ChannelId(item.id) for item in (channel, gone, hidden)]
    assert [await over_there.is_gone(place) for place in places] == [False, True, False]
    deleted = [await over_there.is_deleted(place, MessageId(message)) for place in places]
    assert deleted == [False, True, False]
    await over_there.delete(places[0], MessageId(message))
    assert await over_there.is_deleted(places[0], MessageId(message))
    route = "GET /channels/{id}/messages/{id}"
    with world.faults.answer(route, status=404, body={"code": 10_013, "message": "Unknown User"}):
        assert not await over_there.is_deleted(places[0], MessageId(message)), "of something else"
    route = "GET /channels/{id}"
    with world.faults.answer(route, status=404, body={"code": 10_013, "message": "Unknown User"}):
        assert not await over_there.is_gone(places[1])


async def test_which_servers_have_removed_the_bot(over_there: Channels, guild: GuildAdmin) -> None:
    server = GuildId(guild.id)
    assert not await over_there.is_out(server)
    guild.remove_bot()
    assert await over_there.is_out(server)
    assert await over_there.is_out(GuildId(77)), "or there is no such server"


async def test_a_new_board_replaces_all_of_the_last_one(
    over_there: Channels, channel: Channel
) -> None:
    place, board = ChannelId(channel.id), await posted(over_there, channel)
    number = MessageId(board.id)
    newer = Post(content="A newer one", file=File("newer.png", b"\x89PNG\r\n\x1a\n"))
    assert await over_there.replace(place, number, newer, None) == number
    assert (board.content, board.buttons) == ("A newer one", [])
    assert [file.filename for file in board.attachments] == ["newer.png"]
    await over_there.replace(place, number, Post(content="Words"), None)
    assert (board.content, board.attachments) == ("Words", [])


async def test_an_edit_of_one_part_leaves_the_others(
    over_there: Channels, channel: Channel, guild: GuildAdmin
) -> None:
    place, board = ChannelId(channel.id), await posted(over_there, channel)
    number, ann = MessageId(board.id), guild.add_person("Ann")

    def visible_parts() -> tuple[str, list[str], list[str | None]]:
        files = [file.filename for file in board.attachments]
        return board.content, files, [button.label for button in board.buttons]

    await over_there.reword(place, number, f"Other words, {ann.mention}")
    assert visible_parts() == (f"Other words, {ann.mention}", ["board.png"], ["Go"])
    assert board.pinged == set()
    await over_there.change_buttons(place, number, Post(content="-", buttons=(Button("On", "on"),)))
    assert visible_parts() == (f"Other words, {ann.mention}", ["board.png"], ["On"])
    await over_there.replace_text_and_buttons(
        place, number, Post(content="More", buttons=(Button("Go", "go"),))
    )
    assert visible_parts() == ("More", ["board.png"], ["Go"])
    await over_there.remove_buttons(place, number)
    assert visible_parts() == ("More", ["board.png"], [])
    await over_there.replace_text_and_buttons(
        place, number, Post(content="More", buttons=(Button("Go", "go"),))
    )
    await over_there.replace_text(place, number, Post(content="Over"))
    assert visible_parts() == ("Over", ["board.png"], [])


async def test_missing_members_are_question_marks(over_there: Channels, guild: GuildAdmin) -> None:
    ann, bob = (guild.add_person(name) for name in ("Ann", "Bob"))
    guild.kick(bob)
    both, server = [UserId(item.id) for item in (ann, bob)], GuildId(guild.id)
    assert await over_there.member_names(server, both) == ["Ann", "?"]
    assert [member.id for member in await over_there.members(server, both)] == [ann.id]
    assert await over_there.members(GuildId(77), both) == []
    assert await over_there.departed(GuildId(77), both) == frozenset()
    with pytest.raises(LookupError):
        await over_there.member_names(GuildId(77), both)


async def test_members_are_looked_up_in_batches(over_there: Channels, guild: GuildAdmin) -> None:
    people = [UserId(guild.add_person(f"Person {number}").id) for number in range(33)]
    found = await over_there.members(GuildId(guild.id), people)
    assert [item.id for item in found] == people[:32]


async def test_a_reply_without_the_past_is_a_plain_message(
    over_there: Channels, channel: Channel, world: Sandbox
) -> None:
    first = await posted(over_there, channel)
    where, route = over_there(ChannelId(channel.id)), "POST /channels/{id}/messages"
    to = discord.MessageReference(message_id=first.id, channel_id=channel.id)
    refused = {"code": 160_002, "message": "Cannot reply without permission to read history"}
    with world.faults.answer(route, status=403, body=refused):
        await send_post(where, Post(content="Here"), "2", reply_to=to)
    await send_post(where, Post(content="There"), "3", reply_to=to)
    said = [(message.content, message.reference is not None) for message in channel.messages[1:]]
    assert said == [("Here", False), ("There", True)]
    with (
        world.faults.answer(route, status=403, body={"code": 50_013, "message": "Missing"}),
        pytest.raises(discord.Forbidden),
    ):
        await send_post(where, Post(content="No"), "4", reply_to=to)


async def test_interrupted_requests_are_repeated_and_posted_once(
    over_there: Channels, channel: Channel, world: Sandbox
) -> None:
    with world.faults.lose_answer("POST /channels/{id}/messages"):
        board = await posted(over_there, channel)
    assert channel.messages == [board]


async def test_a_thread_opens_once_for_a_week_and_closes_soon_when_its_game_is_over(
    over_there: Channels, guild: GuildAdmin, channel: Channel, store: Store, clock: Clock
) -> None:
    board = await posted(over_there, channel)
    new = NewDelivery(
        kind=THREAD_OPENS,
        key="1",
        guild=GuildId(guild.id),
        channel=ChannelId(channel.id),
        message=MessageId(board.id),
    )
    row = await store.deliveries.add(new, at=clock())
    for _ in range(2):
        assert await over_there.open_thread(row, "Ann and Bob") == board.id
    (thread,) = channel.threads
    assert (thread.name, thread.archive_after_minutes) == ("Ann and Bob", 10_080)
    await over_there.archive_soon(ChannelId(thread.id))
    assert thread.archive_after_minutes == 60
    with pytest.raises(LookupError):
        await over_there.open_thread(replace(row, message=None), "No place")
