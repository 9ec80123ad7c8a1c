"""Tests for messages: written, edited, deleted, read back, deduplicated."""

import io
from typing import Any

import discord
import pytest

from sandbox import Channel, GuildAdmin, ManualClock, Message, MessageKind, Person, Sandbox
from tests.sandbox.clients import INTENTS, Api, Bot, connected, png, running


def path(channel: Channel, rest: object = "") -> str:
    tail = f"/{rest}" if rest else ""
    return f"/channels/{channel.id}/messages{tail}"


async def say(api: Api, channel: Channel, **body: Any) -> dict[str, Any]:
    status, message = await api("POST", path(channel), body)
    assert status == 200, message
    return dict(message)


async def test_the_bot_edits_and_deletes_its_message(
    world: Sandbox, channel: Channel, ann: Person
) -> None:
    bot = Bot()

    @bot.event
    async def on_message(message: discord.Message) -> None:
        if message.author != bot.user:
            sent = await message.channel.send("one", file=discord.File(io.BytesIO(b"1"), "1.txt"))
            kept = sent.attachments[0]
            new = discord.File(io.BytesIO(b"2"), "2.txt")
            sent = await sent.edit(content="two", attachments=[kept, new])
            assert [file.filename for file in sent.attachments] == ["1.txt", "2.txt"]
            await sent.edit(attachments=[])
            await message.channel.send("next")
            await sent.delete()
            await message.channel.send("done")

    async with running(world, bot):
        typed = await ann.say(channel, "go")
        await channel.wait_for(lambda message: message.content == "next", after=typed)
        edited = await channel.wait_for(lambda message: message.content == "two", after=typed)
        assert edited.edited is not None
        assert edited.attachments == []
        await channel.wait_for(lambda message: message.content == "done", after=typed)
        assert [message.content for message in channel.messages] == ["go", "next", "done"]
        assert edited.deleted


async def test_history_pages_before_after_and_around(
    world: Sandbox, channel: Channel, ann: Person, api: Api
) -> None:
    ids = [(await ann.say(channel, str(n))).id for n in range(7)]

    async def page(**query: object) -> list[str]:
        _, body = await api("GET", path(channel), query={k: str(v) for k, v in query.items()})
        return [message["content"] for message in body]

    assert await page() == ["6", "5", "4", "3", "2", "1", "0"]
    assert await page(limit=2) == ["6", "5"]
    assert await page(before=ids[3]) == ["2", "1", "0"]
    assert await page(before=ids[3], limit=2) == ["2", "1"]
    assert await page(after=ids[3]) == ["6", "5", "4"]
    # The response has the two after it, newest first, and not the two newest of all.
    assert await page(after=ids[3], limit=2) == ["5", "4"]
    assert await page(around=ids[3], limit=3) == ["4", "3", "2"]
    assert (await api("GET", path(channel), query={"limit": "101"}))[1]["code"] == 50035


async def test_a_repeated_nonce_gives_the_old_message_for_some_minutes(
    channel: Channel, clock: ManualClock, api: Api
) -> None:
    body = {"content": "board", "nonce": "4711", "enforce_nonce": True}
    first = await say(api, channel, **body)
    assert first["nonce"] == "4711"
    clock.advance(60)
    again = await say(api, channel, **{**body, "content": "another text"})
    assert again == first
    assert (await say(api, channel, **{**body, "nonce": "4712"}))["id"] != first["id"]
    # Without enforcement a nonce is only a label.
    assert (await say(api, channel, content="x", nonce="4711"))["id"] != first["id"]
    late = {**body, "nonce": "4713"}
    first = await say(api, channel, **late)
    clock.advance(600)
    assert (await say(api, channel, **late))["id"] != first["id"]


async def test_a_nonce_is_the_authors_own(channel: Channel, ann: Person, api: Api) -> None:
    mine = await say(api, channel, content="x", nonce="1", enforce_nonce=True)
    await ann.say(channel, "y")
    await say(api, channel, content="z", nonce="2", enforce_nonce=True)
    assert (await say(api, channel, content="x", nonce=1, enforce_nonce=True))["id"] == mine["id"]


async def test_a_reply_refers_to_its_message(channel: Channel, ann: Person, api: Api) -> None:
    typed = await ann.say(channel, "d2-d4")
    reply = await say(api, channel, content="no", message_reference={"message_id": typed.id})
    assert reply["type"] == MessageKind.REPLY
    assert reply["referenced_message"]["content"] == "d2-d4"
    assert reply["message_reference"]["message_id"] == str(typed.id)
    await ann.delete(typed)
    _, body = await api("GET", path(channel, reply["id"]))
    assert body["referenced_message"] is None


async def test_a_reply_to_nothing_is_refused_unless_it_need_not_exist(
    channel: Channel, ann: Person, api: Api
) -> None:
    typed = await ann.say(channel, "d2-d4")
    await ann.delete(typed)
    reference: dict[str, Any] = {"message_id": str(typed.id)}
    status, body = await api(
        "POST", path(channel), {"content": "x", "message_reference": reference}
    )
    assert (status, body["code"]) == (400, 50035)
    assert body["errors"]["message_reference"]["_errors"][0]["code"] == "REPLIES_UNKNOWN_MESSAGE"
    reference |= {"fail_if_not_exists": False}
    message = await say(api, channel, content="x", message_reference=reference)
    assert message["type"] == MessageKind.DEFAULT


@pytest.mark.parametrize(
    ("allowed", "pinged"),
    [
        (None, {"ann", "bob", "role"}),
        ({"parse": []}, set()),
        ({"parse": ["users"]}, {"ann", "bob"}),
        ({"parse": ["roles"]}, {"role"}),
        ({"parse": [], "replied_user": True}, {"ann"}),
    ],
)
async def test_allowed_mentions_determine_who_is_notified(
    *,
    guild: GuildAdmin,
    channel: Channel,
    ann: Person,
    bob: Person,
    api: Api,
    allowed: object,
    pinged: set[str],
) -> None:
    club = guild.create_role("club", mentionable=True)
    cat = guild.add_person("Cat")
    guild.give_role(cat, club)
    typed = await ann.say(channel, "hello")
    body: dict[str, Any] = {
        "content": f"{ann.mention} {bob.mention} <@&{club.id}> @everyone",
        "message_reference": {"message_id": typed.id},
    }
    if allowed is not None:
        body["allowed_mentions"] = allowed
    answer = await say(api, channel, **body)
    ids = {"ann": ann.id, "bob": bob.id, "role": cat.id}
    message = channel.history[int(answer["id"])]
    assert message.pinged == {ids[name] for name in pinged}
    assert {user["id"] for user in answer["mentions"]} == {
        str(ids[name]) for name in pinged - {"role"}
    }
    assert not answer["mention_everyone"]  # the bot lacks the permission


async def test_a_silent_message_notifies_nobody(channel: Channel, ann: Person, api: Api) -> None:
    answer = await say(api, channel, content=ann.mention, flags=1 << 12)
    assert [user["id"] for user in answer["mentions"]] == [str(ann.id)]
    assert channel.history[int(answer["id"])].pinged == frozenset()


async def test_people_who_cannot_see_it_are_not_pinged(
    guild: GuildAdmin, channel: Channel, ann: Person, bob: Person, api: Api
) -> None:
    guild.set_permissions(channel, bob, deny=1 << 10)
    answer = await say(api, channel, content=f"{ann.mention} {bob.mention}")
    assert channel.history[int(answer["id"])].pinged == {ann.id}


async def test_an_edit_notifies_nobody(channel: Channel, ann: Person, api: Api) -> None:
    answer = await say(api, channel, content="board")
    message = channel.history[int(answer["id"])]
    _, edited = await api("PATCH", path(channel, message.id), {"content": ann.mention})
    assert [user["id"] for user in edited["mentions"]] == [str(ann.id)]
    assert message.pinged == frozenset()


async def test_users_and_parse_users_exclude_each_other(
    channel: Channel, ann: Person, api: Api
) -> None:
    allowed = {"parse": ["users"], "users": [ann.id]}
    status, body = await api("POST", path(channel), {"content": "x", "allowed_mentions": allowed})
    assert (status, body["code"]) == (400, 50035)


async def test_a_picture_in_an_embed_is_not_shown_twice(channel: Channel, api: Api) -> None:
    embed = {"title": "Board", "image": {"url": "attachment://b.png"}}
    status, message = await api(
        "POST", path(channel), {"embeds": [embed]}, files=(("b.png", png(5, 3)),)
    )
    assert status == 200
    assert message["attachments"] == []
    image = message["embeds"][0]["image"]
    assert (image["width"], image["height"]) == (5, 3)
    assert image["url"].startswith("http://127.0.0.1")


async def test_reactions(world: Sandbox, channel: Channel, ann: Person) -> None:
    bot = Bot()
    async with running(world, bot):
        seen = bot.wait_for("raw_reaction_add")
        typed = await ann.say(channel, "look")
        await ann.react(typed, "👍")
        event = await seen
        assert (event.message_id, event.user_id, str(event.emoji)) == (typed.id, ann.id, "👍")
        place = await bot.fetch_channel(channel.id)
        assert isinstance(place, discord.TextChannel)
        message = await place.fetch_message(typed.id)
        assert message.reactions[0].count == 1
        await message.add_reaction("👍")
        await message.add_reaction("🎲")
        assert typed.reactions == {"👍": [ann.id, world.bot_user.id], "🎲": [world.bot_user.id]}
        message = await place.fetch_message(typed.id)
        assert (message.reactions[0].count, message.reactions[0].me) == (2, True)
        assert bot.user is not None
        await message.remove_reaction("🎲", bot.user)
        gone = bot.wait_for("raw_reaction_remove")
        await ann.unreact(typed, "👍")
        await gone
        assert typed.reactions == {"👍": [world.bot_user.id]}


async def test_pins_are_announced_in_the_channel(
    guild: GuildAdmin, channel: Channel, ann: Person, api: Api
) -> None:
    typed = await ann.say(channel, "rules")
    assert (await api("PUT", path(channel, f"pins/{typed.id}")))[0] == 403
    guild.set_role_permissions(guild.bot_role, guild.bot_role.permissions | (1 << 51))
    assert (await api("PUT", path(channel, f"pins/{typed.id}")))[0] == 204
    assert channel.messages[-1].kind is MessageKind.CHANNEL_PINNED_MESSAGE
    assert typed.pinned
    assert (await api("DELETE", path(channel, f"pins/{typed.id}")))[0] == 204
    assert not typed.pinned


async def test_only_own_messages_are_edited(channel: Channel, ann: Person, api: Api) -> None:
    typed = await ann.say(channel, "mine")
    status, body = await api("PATCH", path(channel, typed.id), {"content": "yours"})
    assert (status, body["code"]) == (403, 50005)
    status, body = await api("DELETE", path(channel, typed.id))
    assert (status, body["code"]) == (403, 50013)


async def test_removed_names_are_unknown(channel: Channel, ann: Person, api: Api) -> None:
    typed = await ann.say(channel, "x")
    await ann.delete(typed)
    assert (await api("GET", path(channel, typed.id)))[1]["code"] == 10008
    assert (await api("GET", "/channels/123/messages"))[1]["code"] == 10003
    assert (await api("GET", "/channels/abc/messages"))[1]["code"] == 50035


async def test_an_edit_that_empties_a_message_is_refused(channel: Channel, api: Api) -> None:
    sent = await say(api, channel, content="x")
    status, body = await api("PATCH", path(channel, sent["id"]), {"content": ""})
    assert (status, body["code"]) == (400, 50006)
    assert channel.history[int(sent["id"])].content == "x"


def test_a_message_has_its_type(channel: Channel) -> None:
    author = channel.directory.bot
    message = Message(id=1, channel=channel, author=author, content="hi", created_at=0.0)
    assert repr(message) == "<Message 1 Sandbot: 'hi'>"


async def test_a_nonce_is_visible_to_its_sender_only(
    world: Sandbox, channel: Channel, api: Api
) -> None:
    sent = await say(api, channel, content="x", nonce="7", enforce_nonce=True)
    assert sent["nonce"] == "7"
    _, read = await api("GET", path(channel, sent["id"]))
    assert "nonce" not in read


async def test_a_notice_can_not_be_answered(channel: Channel, ann: Person, api: Api) -> None:
    await ann.start_thread(channel, "talk")
    (notice,) = channel.messages
    body = {"content": "x", "message_reference": {"message_id": notice.id}}
    status, answer = await api("POST", path(channel), body)
    assert (status, answer["code"]) == (400, 50035)
    elsewhere = {"message_id": notice.id, "channel_id": "1"}
    status, answer = await api("POST", path(channel), {**body, "message_reference": elsewhere})
    assert (status, answer["code"]) == (400, 50035)


async def test_moderators_hide_embeds_and_react_by_known_emoji(
    guild: GuildAdmin, channel: Channel, ann: Person, api: Api
) -> None:
    typed = await ann.say(channel, "x")
    await ann.react(typed, "3️⃣")
    reactions = path(channel, f"{typed.id}/reactions")
    assert (await api("PATCH", path(channel, typed.id), {"flags": 4}))[1]["code"] == 50013
    guild.set_role_permissions(guild.bot_role, guild.bot_role.permissions | (1 << 13))
    assert (await api("PUT", f"{reactions}/thumb/@me"))[1]["code"] == 10014
    assert (await api("PUT", f"{reactions}/dvonn:4711/@me"))[0] == 204
    assert (await api("PATCH", path(channel, typed.id), {"flags": 4}))[1]["flags"] == 4


async def test_limits_of_deleting(
    guild: GuildAdmin, channel: Channel, ann: Person, clock: ManualClock, api: Api
) -> None:
    guild.set_role_permissions(guild.bot_role, guild.bot_role.permissions | (1 << 13))
    ids = [str((await ann.say(channel, str(n))).id) for n in range(2)]
    assert (await api("DELETE", path(channel, ids[1])))[0] == 204
    clock.advance(15 * 24 * 3600)  # its age does not matter
    assert (await api("DELETE", path(channel, ids[0])))[0] == 204
    hello = await ann.say(ann.dm, "hello")
    assert (await api("DELETE", path(ann.dm, hello.id)))[1]["code"] == 50003
    thread = await ann.start_thread(await ann.say(channel, "go"), "Talk")
    starter = thread.messages[0]
    assert (await api("DELETE", path(thread, starter.id)))[1]["code"] == 50021


async def test_a_page_has_one_anchor(channel: Channel, api: Api) -> None:
    for query in ({"before": "1", "after": "2"}, {"around": "here"}, {"limit": "0"}):
        assert (await api("GET", path(channel), query=query))[1]["code"] == 50035


async def test_message_events_are_dispatched(world: Sandbox, channel: Channel, ann: Person) -> None:
    async with connected(world, intents=INTENTS.value | 1 << 11) as socket:
        await socket.event("READY")
        await ann.typing(channel)
        assert (await socket.event("TYPING_START"))["user_id"] == str(ann.id)
        typed = await ann.say(channel, "one")
        created = await socket.event("MESSAGE_CREATE")
        assert created["member"]["joined_at"]
        assert "user" not in created["member"]
        await ann.edit(typed, "two")
        updated = await socket.event("MESSAGE_UPDATE")
        assert (updated["content"], updated["edited_timestamp"] is None) == ("two", False)
        await ann.react(typed, "👍")
        await ann.react(typed, "👍")
        await ann.unreact(typed, "👍")
        await ann.unreact(typed, "👍")
        assert (await socket.receive())["t"] == "MESSAGE_REACTION_ADD"
        assert (await socket.receive())["t"] == "MESSAGE_REACTION_REMOVE"
        await ann.delete(typed)
        gone = await socket.event("MESSAGE_DELETE")
        assert gone == {
            "id": str(typed.id),
            "channel_id": str(channel.id),
            "guild_id": str(channel.home.id),
        }
