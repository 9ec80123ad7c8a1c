"""Tests for threads: from messages, alone, private, in forums, archived, locked, reopened."""

from typing import Any

import discord
import pytest

from sandbox import (
    Channel,
    GuildAdmin,
    ManualClock,
    MessageKind,
    Person,
    Sandbox,
    Thread,
    channels,
    threads,
)
from sandbox.threads import ThreadPlan
from tests.sandbox.clients import Api, Bot, connected, running


async def test_a_thread_starts_from_a_message_and_has_its_id(
    world: Sandbox, channel: Channel, ann: Person, api: Api
) -> None:
    bot = Bot()

    @bot.event
    async def on_message(message: discord.Message) -> None:
        if message.content == "go":
            thread = await message.create_thread(name="Ann's game", auto_archive_duration=60)
            await thread.send("first board")
            assert thread.id == message.id

    async with running(world, bot):
        started = bot.wait_for("thread_create")
        typed = await ann.say(channel, "go")
        await started
        thread = typed.thread
        assert thread is not None
        board = await thread.wait_for(lambda message: message.content == "first board")
        assert channel.threads == [thread]
        assert (thread.id, thread.name, thread.archive_after_minutes) == (
            typed.id,
            "Ann's game",
            60,
        )
        starter, second = thread.messages
        assert starter.kind is MessageKind.THREAD_STARTER_MESSAGE
        assert starter.reference is not None
        assert starter.reference.message_id == typed.id
        assert second is board
        assert thread.message_count == 1  # the starter does not count
        # The channel itself gets no notice of a thread from a message.
        assert channel.messages == [typed]
        assert typed.flags & (1 << 5)

    status, body = await api(
        "POST", f"/channels/{channel.id}/messages/{typed.id}/threads", {"name": "again"}
    )
    assert (status, body["code"]) == (400, 160004)
    _, read = await api("GET", f"/channels/{channel.id}/messages/{typed.id}")
    assert read["thread"]["id"] == str(typed.id)


async def test_a_games_thread_is_announced_in_the_channel(
    world: Sandbox, channel: Channel, api: Api
) -> None:
    async with connected(world) as socket:
        await socket.event("READY")
        body = {"name": "Games", "type": 11}
        status, answer = await api("POST", f"/channels/{channel.id}/threads", body)
        assert status == 201
        created = await socket.event("THREAD_CREATE")
        assert (created["id"], created["newly_created"]) == (answer["id"], True)
        notice = await socket.event("MESSAGE_CREATE")
        assert (notice["type"], notice["content"]) == (MessageKind.THREAD_CREATED, "Games")
        assert notice["message_reference"]["channel_id"] == answer["id"]
    (thread,) = channel.threads
    assert thread.messages == []


async def test_a_private_thread_is_for_those_inside(
    *, world: Sandbox, guild: GuildAdmin, channel: Channel, ann: Person, bob: Person, api: Api
) -> None:
    body = {"name": "Secret"}  # without a type, Discord creates a private thread
    assert (await api("POST", f"/channels/{channel.id}/threads", body))[0] == 201
    guild.set_permissions(channel, guild.everyone, deny=1 << 36)
    status, answer = await api("POST", f"/channels/{channel.id}/threads", body)
    assert (status, answer["code"]) == (403, 50013)
    (thread,) = channel.threads
    assert channel.messages == []
    channels.join(world.state, thread, ann.user)
    await ann.say(thread, "here I am")
    with pytest.raises(Exception, match="50001"):
        await bob.say(thread, "me too?")
    assert set(thread.members) == {world.bot_user.id, ann.id}


async def start(api: Api, channel: Channel, **body: Any) -> Thread:
    body = {"name": "Game", "type": 11, **body}
    status, answer = await api("POST", f"/channels/{channel.id}/threads", body)
    assert status == 201, answer
    thread = channel.directory.channels[int(answer["id"])]
    assert isinstance(thread, Thread)
    return thread


async def test_an_idle_thread_archives_itself_and_a_message_reopens_it(
    world: Sandbox, clock: ManualClock, channel: Channel, ann: Person, api: Api
) -> None:
    thread = await start(api, channel, auto_archive_duration=1440)
    async with connected(world) as socket:
        await socket.event("READY")
        clock.advance(23 * 3600)
        await ann.say(thread, "still here")
        clock.advance(23 * 3600)
        assert not thread.archived
        clock.advance(3600)
        assert thread.archived
        data = await socket.event("THREAD_UPDATE")
        assert data["thread_metadata"]["archived"] is True
        await ann.say(thread, "back")
        assert not thread.archived
        data = await socket.event("THREAD_UPDATE")
        assert data["thread_metadata"]["archived"] is False


async def test_archived_means_hands_off(channel: Channel, ann: Person, api: Api) -> None:
    thread = await start(api, channel)
    path = f"/channels/{thread.id}"
    _, sent = await api("POST", f"{path}/messages", {"content": "board"})
    status, answer = await api("PATCH", path, {"archived": True})
    assert (status, answer["thread_metadata"]["archived"]) == (200, True)
    for method, tail, body in (
        ("PATCH", f"/messages/{sent['id']}", {"content": "x"}),
        ("DELETE", f"/messages/{sent['id']}", None),
        ("PUT", f"/messages/{sent['id']}/reactions/%F0%9F%91%8D/@me", None),
        ("PATCH", "", {"name": "x"}),
    ):
        assert (await api(method, path + tail, body))[1]["code"] == 50083, (method, tail)
    assert (await api("PATCH", path, {"archived": False, "name": "Open"}))[0] == 200
    assert thread.name == "Open"
    assert thread.messages[-1].kind is MessageKind.CHANNEL_NAME_CHANGE


async def test_a_locked_thread_is_for_moderators(
    guild: GuildAdmin, channel: Channel, ann: Person, api: Api
) -> None:
    moderator = guild.add_person("Mod", permissions=1 << 34)
    thread = await start(api, channel)
    path = f"/channels/{thread.id}/messages"
    guild.set_archived(thread, archived=False, locked=True)
    assert (await api("POST", path, {"content": "x"}))[1]["code"] == 160005
    with pytest.raises(Exception, match="160005"):
        await ann.say(thread, "x")
    guild.set_archived(thread)
    assert (await api("POST", path, {"content": "x"}))[1]["code"] == 50083
    assert (await api("PATCH", f"/channels/{thread.id}", {"archived": False}))[1]["code"] == 50013
    await moderator.say(thread, "open again")
    assert not thread.archived


async def test_places_without_threads(
    guild: GuildAdmin, channel: Channel, ann: Person, api: Api
) -> None:
    thread = await start(api, channel)
    voice = guild.create_channel("talk", "voice")
    for place in (thread, voice, ann.dm):
        message = await ann.say(place, "go")
        path = f"/channels/{place.id}/messages/{message.id}/threads"
        assert (await api("POST", path, {"name": "x"}))[1]["code"] == 50024
    notice = channel.messages[-1]
    path = f"/channels/{channel.id}/messages/{notice.id}/threads"
    assert (await api("POST", path, {"name": "x"}))[1]["code"] == 50024
    message = await ann.say(channel, "go")
    path = f"/channels/{channel.id}/messages/{message.id}/threads"
    assert (await api("POST", path, {"name": "x" * 101}))[1]["code"] == 50035
    assert (await api("POST", path, {"name": "x", "auto_archive_duration": 61}))[1]["code"] == 50035
    guild.set_permissions(channel, guild.everyone, deny=1 << 35)
    guild.set_role_permissions(guild.bot_role, 0)
    assert (await api("POST", path, {"name": "x"}))[1]["code"] == 50013


async def test_a_forums_post_is_a_thread_with_a_message(
    world: Sandbox, guild: GuildAdmin, ann: Person, api: Api
) -> None:
    forum = guild.create_channel("games", "forum")
    async with running(world, Bot()) as bot:
        place = await bot.fetch_channel(forum.id)
        assert isinstance(place, discord.ForumChannel)
        post = await place.create_thread(name="Ann against Bob", content="board")
        assert post.thread.id == post.message.id
    (thread,) = forum.threads
    assert [message.content for message in thread.messages] == ["board"]
    await ann.say(thread, "d2-d4")
    status, body = await api("POST", f"/channels/{forum.id}/messages", {"content": "x"})
    assert (status, body["code"]) == (400, 50024)


async def test_people_start_threads_too(
    world: Sandbox, channel: Channel, ann: Person, bob: Person
) -> None:
    typed = await ann.say(channel, "let us talk")
    thread = await ann.start_thread(typed, "Talk")
    assert typed.thread is thread
    await bob.say(thread, f"hello {ann.mention}")
    assert set(thread.members) == {ann.id, bob.id}
    await ann.archive(thread)
    assert thread.archived
    with pytest.raises(Exception, match="50013"):
        await bob.archive(await ann.start_thread(channel, "More"), locked=True)


async def test_threads_and_channels_are_deleted(
    world: Sandbox, guild: GuildAdmin, channel: Channel, api: Api
) -> None:
    thread = await start(api, channel)
    async with connected(world) as socket:
        await socket.event("READY")
        guild.delete_channel(thread)
        gone = await socket.event("THREAD_DELETE")
        assert (gone["id"], gone["parent_id"]) == (str(thread.id), str(channel.id))
        assert (await api("GET", f"/channels/{thread.id}"))[1]["code"] == 10003
        other = await start(api, channel)
        guild.delete_channel(channel)
        assert (await socket.event("CHANNEL_DELETE"))["id"] == str(channel.id)
        assert (await api("GET", f"/channels/{other.id}"))[1]["code"] == 10003


async def test_the_rights_to_change_a_thread(
    guild: GuildAdmin, channel: Channel, ann: Person, api: Api
) -> None:
    own = await start(api, channel, rate_limit_per_user=5)
    assert own.slowmode_s == 5
    path = f"/channels/{own.id}"
    body = {"name": "Mine", "auto_archive_duration": 60}
    status, answer = await api("PATCH", path, body)
    assert (status, answer["name"], own.archive_after_minutes) == (200, "Mine", 60)
    assert (await api("PATCH", path, {"locked": True}))[1]["code"] == 50013
    assert (await api("PATCH", path, {"rate_limit_per_user": 9}))[1]["code"] == 50013
    theirs = await ann.start_thread(channel, "Hers")
    path = f"/channels/{theirs.id}"
    assert (await api("PATCH", path, {"name": "Mine"}))[1]["code"] == 50013
    await ann.archive(theirs)
    # a user who may write reopens it
    assert (await api("PATCH", path, {"archived": False}))[0] == 200
    guild.set_role_permissions(guild.bot_role, guild.bot_role.permissions | (1 << 34))
    body = {"locked": True, "rate_limit_per_user": 9, "invitable": False}
    assert (await api("PATCH", path, body))[0] == 200
    assert (theirs.locked, theirs.slowmode_s) == (True, 9)


async def test_a_mention_takes_the_bot_into_a_private_thread(
    world: Sandbox, guild: GuildAdmin, channel: Channel, ann: Person
) -> None:
    thread = threads.start(world.state, channel, ann.user, ThreadPlan("Secret", private=True))
    async with connected(world) as socket:
        await socket.event("READY")
        await ann.say(thread, "among us")
        await ann.say(thread, f"{world.bot_user.mention} come in")
        assert (await socket.event("THREAD_CREATE"))["id"] == str(thread.id)
        heard = await socket.event("MESSAGE_CREATE")
        assert heard["content"].endswith("come in")


async def test_a_thread_is_archived_after_its_channels_default_duration(
    guild: GuildAdmin, channel: Channel, api: Api
) -> None:
    guild.set_role_permissions(guild.bot_role, guild.bot_role.permissions | (1 << 4))
    body = {"default_auto_archive_duration": 10080}
    status, answer = await api("PATCH", f"/channels/{channel.id}", body)
    assert (status, answer["default_auto_archive_duration"]) == (200, 10080)
    assert (await start(api, channel)).archive_after_minutes == 10080


async def test_active_threads_are_capped(world: Sandbox, channel: Channel, api: Api) -> None:
    for n in range(threads.MAX_ACTIVE):
        plan = ThreadPlan(str(n))
        threads.start(world.state, channel, world.bot_user, plan)
    status, answer = await api(
        "POST", f"/channels/{channel.id}/threads", {"name": "one more", "type": 11}
    )
    assert (status, answer["code"]) == (400, 160006)
