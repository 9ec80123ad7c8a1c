"""Tests for the gateway: identify, compression, intents, withheld content, resumed sessions."""

from typing import Any

import aiohttp
import discord
import pytest

from sandbox import Channel, GuildAdmin, ManualClock, Person, RateLimits, Sandbox
from tests.sandbox.clients import INTENTS, Api, Bot, ClosedError, connected, running

GUILDS, MEMBERS, MESSAGES, DIRECT = 1 << 0, 1 << 1, 1 << 9, 1 << 12
CONTENT = 1 << 15


@pytest.mark.parametrize("compression", ["", "zlib-stream", "zstd-stream"])
@pytest.mark.parametrize("binary", [False, True])
async def test_every_way_of_speaking(
    *,
    world: Sandbox,
    guild: GuildAdmin,
    channel: Channel,
    ann: Person,
    compression: str,
    binary: bool,
) -> None:
    if compression == "zstd-stream":
        pytest.importorskip("zstandard")
    async with connected(world, compression=compression, identify=False) as socket:
        identify = {"token": world.token, "intents": INTENTS.value, "properties": {}}
        await socket.send(2, identify, binary=binary)
        ready = await socket.event("READY")
        assert ready["user"]["id"] == str(world.bot_user.id)
        assert ready["guilds"] == [{"id": str(guild.id), "unavailable": True}]
        assert ready["resume_gateway_url"] == world.gateway_url
        created = await socket.event("GUILD_CREATE")
        assert [place["id"] for place in created["channels"]] == [str(channel.id)]
        await socket.send(1, None, binary=binary)
        assert (await socket.receive())["op"] == 11
        for n in range(3):
            await ann.say(channel, f"{n} è" * 100)
            assert (await socket.event("MESSAGE_CREATE"))["content"] == f"{n} è" * 100


@pytest.mark.parametrize(
    ("op", "data", "code"),
    [
        (2, {"token": "wrong", "intents": 1, "properties": {}}, 4004),
        (2, {"intents": 1 << 40, "properties": {}}, 4013),
        (2, {"intents": MEMBERS, "properties": {}}, 4014),
        (2, {"intents": 1, "properties": {}, "shard": [1, 1]}, 4010),
        (2, {"intents": 1, "properties": {}, "x": "x" * 4096}, 4002),
        (3, {}, 4003),
        (99, {}, 4001),
    ],
)
async def test_payloads_that_the_gateway_rejects(
    world: Sandbox, op: int, data: dict[str, object], code: int
) -> None:
    async with connected(world, identify=False) as socket:
        await socket.send(op, {"token": world.token, **data})
        with pytest.raises(ClosedError) as closed:
            await socket.receive()
        assert closed.value.code == code


async def test_the_content_intent_is_the_portals_to_give() -> None:
    async with Sandbox(message_content=False) as world:
        async with connected(world, intents=CONTENT) as socket:
            with pytest.raises(ClosedError) as closed:
                await socket.event("READY")
            assert closed.value.code == 4014
        assert world.application.flags & (1 << 19) == 0


async def test_identifying_twice_is_once_too_often(world: Sandbox) -> None:
    async with connected(world) as socket:
        await socket.event("READY")
        await socket.send(2, {"token": world.token, "intents": 1, "properties": {}})
        with pytest.raises(ClosedError) as closed:
            await socket.event("nothing")
        assert closed.value.code == 4005


async def test_too_many_sends_close_the_socket(world: Sandbox, clock: ManualClock) -> None:
    async with connected(world) as socket:
        for _ in range(119):
            await socket.send(1, None)
        clock.advance(0)
        await socket.send(1, None)
        with pytest.raises(ClosedError) as closed:
            await socket.event("nothing")
        assert closed.value.code == 4008


async def test_intents_decide_which_events_arrive(
    world: Sandbox, guild: GuildAdmin, channel: Channel, ann: Person
) -> None:
    async with connected(world, intents=GUILDS) as deaf, connected(world, intents=MESSAGES) as ear:
        await deaf.event("READY")
        assert (await ear.event("READY"))["guilds"] == []
        await ann.say(channel, "hello")
        await ann.typing(channel)
        guild.create_channel("news")
        await ann.say(channel, "bye")
        # The next event that each receives.
        payload = await deaf.receive()
        while payload["t"] == "GUILD_CREATE":
            payload = await deaf.receive()
        assert (payload["t"], payload["d"]["name"]) == ("CHANNEL_CREATE", "news")
        assert [(await ear.receive())["t"] for _ in range(2)] == ["MESSAGE_CREATE"] * 2


async def test_content_is_withheld_without_the_intent(
    world: Sandbox, channel: Channel, ann: Person, bob: Person, api: Api
) -> None:
    async with connected(world, intents=GUILDS | MESSAGES | DIRECT) as socket:
        await socket.event("READY")

        async def received_content() -> tuple[str, int]:
            data = await socket.event("MESSAGE_CREATE")
            return data["content"], len(data["attachments"])

        files = [("a.txt", b"a")]
        plain = await ann.say(channel, "d2-d4", files=files)
        assert await received_content() == ("", 0)
        await ann.say(channel, f"{world.bot_user.mention} d2-d4", files=files)
        assert await received_content() == (f"{world.bot_user.mention} d2-d4", 1)
        await ann.say(channel, f"{bob.mention} d2-d4")
        assert await received_content() == ("", 0)
        _, sent = await api("POST", f"/channels/{channel.id}/messages", {"content": "board"})
        assert await received_content() == ("board", 0)
        board = channel.history[int(sent["id"])]
        await ann.reply(board, "d2-d4", ping=True)
        assert await received_content() == ("d2-d4", 0)
        await ann.reply(board, "d2-d4", ping=False)
        data = await socket.event("MESSAGE_CREATE")
        assert data["content"] == ""
        # The message replied to is the bot's own, and it can read it.
        assert data["referenced_message"]["content"] == "board"
        await bob.reply(plain, f"{world.bot_user.mention}, what did she write?")
        assert (await socket.event("MESSAGE_CREATE"))["referenced_message"]["content"] == ""
        await ann.say(ann.dm, "d2-d4")
        assert await received_content() == ("d2-d4", 0)


async def test_a_reply_to_an_interaction_response_pings_nobody(
    world: Sandbox, channel: Channel, ann: Person
) -> None:
    bot = Bot()

    @bot.tree.command()
    async def board(interaction: discord.Interaction[Any]) -> None:
        """Show the board."""
        await interaction.response.send_message("board")

    async with running(world, bot):
        shown = (await ann.slash(channel, "board")).message
        assert shown is not None
        reply = await ann.reply(shown, "d2-d4", ping=True)
        assert reply.pinged == frozenset()


async def test_reading_back_is_withheld_by_the_portals_toggle() -> None:
    async with Sandbox(message_content=False, rate_limits=RateLimits.generous()) as world:
        guild = world.create_guild("Friends")
        channel = guild.create_channel("dvonn")
        ann = guild.add_person("Ann")
        await ann.say(channel, "d2-d4")
        intents = discord.Intents(guilds=True, messages=True)
        async with running(world, Bot(intents=intents)) as bot:
            place = await bot.fetch_channel(channel.id)
            assert isinstance(place, discord.TextChannel)
            assert [message.content async for message in place.history()] == [""]


async def test_a_lost_connection_is_resumed_and_nothing_missed(
    world: Sandbox, channel: Channel, ann: Person
) -> None:
    async with connected(world) as socket:
        await socket.event("READY")
        await ann.say(channel, "before")
        await socket.event("MESSAGE_CREATE")
        session, sequence = socket.session_id, socket.sequence
        await socket.close(4000)
    await ann.say(channel, "while away")
    async with connected(world, identify=False) as socket:
        resume = {"token": world.token, "session_id": session, "seq": sequence}
        await socket.send(6, resume)
        missed = await socket.receive()
        assert (missed["t"], missed["d"]["content"]) == ("MESSAGE_CREATE", "while away")
        assert missed["s"] == sequence + 1
        resumed = await socket.receive()
        assert (resumed["t"], resumed["s"]) == ("RESUMED", sequence + 2)
        await ann.say(channel, "after")
        assert (await socket.event("MESSAGE_CREATE"))["content"] == "after"


@pytest.mark.parametrize("why", ["unknown", "closed for good", "too late"])
async def test_sessions_that_cannot_be_resumed(
    world: Sandbox, clock: ManualClock, why: str
) -> None:
    async with connected(world) as socket:
        await socket.event("READY")
        session, sequence = socket.session_id, socket.sequence
        await socket.close(1000 if why == "closed for good" else 4000)
    if why == "too late":
        clock.advance(3600)
    async with connected(world, identify=False) as socket:
        known = "0" * 32 if why == "unknown" else session
        await socket.send(6, {"token": world.token, "session_id": known, "seq": sequence})
        payload = await socket.receive()
        assert (payload["op"], payload["d"]) == (9, False)
        # The same socket may identify now.
        await socket.send(2, {"token": world.token, "intents": 1, "properties": {}})
        await socket.event("READY")


class Listener(Bot):
    """Records the messages that it receives, and how."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []
        self.resumes = 0
        self.identifies = 0

    async def before_identify_hook(self, _: int | None, *, initial: bool = False) -> None:
        self.identifies += 1
        assert initial == (self.identifies == 1)

    async def on_message(self, message: discord.Message) -> None:
        self.heard.append(message.content)
        if message.author != self.user:
            await message.channel.send(f"re: {message.content}")

    async def on_shard_resumed(self, _: int) -> None:
        self.resumes += 1


@pytest.mark.parametrize("how", ["closed", "op 7", "op 9, resumable"])
async def test_discord_py_resumes(world: Sandbox, channel: Channel, ann: Person, how: str) -> None:
    async with running(world, Listener()) as bot:
        assert isinstance(bot, Listener)
        first = await ann.say(channel, "one")
        await channel.wait_for(lambda message: message.content == "re: one", after=first)
        resumed = bot.wait_for("shard_resumed")
        if how == "closed":
            await world.disconnect(4000)
            # The bot can't reach the gateway, but the events in the meantime are kept for it.
        elif how == "op 7":
            world.ask_to_reconnect()
        else:
            world.invalidate_sessions(resumable=True)
        second = await ann.say(channel, "two")
        await channel.wait_for(lambda message: message.content == "re: two", after=second)
        await resumed
        assert [text for text in bot.heard if not text.startswith("re:")] == ["one", "two"]
        assert (bot.identifies, len(world.sessions)) == (1, 1)


async def test_discord_py_identifies_again_after_op_9(
    world: Sandbox, channel: Channel, ann: Person
) -> None:
    async with running(world, Listener()) as bot:
        assert isinstance(bot, Listener)
        world.invalidate_sessions()
        await world.wait_ready()
        typed = await ann.say(channel, "one")
        await channel.wait_for(lambda message: message.content == "re: one", after=typed)
        assert (bot.identifies, bot.resumes) == (2, 0)


async def test_after_op_9_the_same_socket_may_identify(world: Sandbox) -> None:
    async with connected(world) as socket:
        await socket.event("READY")
        old = socket.session_id
        world.invalidate_sessions()
        while (payload := await socket.receive())["op"] != 9:
            pass
        assert payload["d"] is False
        await socket.send(2, {"token": world.token, "intents": 1, "properties": {}})
        await socket.event("READY")
        assert socket.session_id != old


async def test_guilds_belong_to_shards_and_direct_messages_to_the_first(
    world: Sandbox, clock: ManualClock, ann: Person
) -> None:
    guilds: dict[int, GuildAdmin] = {}
    for _ in range(2):
        made = world.create_guild("Another")
        guilds[(made.id >> 22) % 2] = made
        clock.advance(0.001)  # the next millisecond's ids belong to the other shard
    channels = {shard: made.create_channel("c") for shard, made in guilds.items()}
    for made in guilds.values():
        made.join(ann)
    async with connected(world, shard=[0, 2]) as zero, connected(world, shard=[1, 2]) as one:
        for shard, socket in enumerate((zero, one)):
            ready = await socket.event("READY")
            ids = [int(entry["id"]) for entry in ready["guilds"]]
            assert guilds[shard].id in ids
            assert all((number >> 22) % 2 == shard for number in ids)
        await ann.say(channels[1], "to one")
        await ann.say(ann.dm, "to zero")
        await ann.say(channels[0], "to zero as well")
        assert (await zero.event("MESSAGE_CREATE"))["content"] == "to zero"
        assert (await zero.event("MESSAGE_CREATE"))["content"] == "to zero as well"
        assert (await one.event("MESSAGE_CREATE"))["content"] == "to one"


async def test_members_are_asked_for(
    world: Sandbox, guild: GuildAdmin, ann: Person, bob: Person
) -> None:
    async with connected(world, intents=GUILDS) as socket:
        await socket.event("READY")
        wanted = {"guild_id": str(guild.id), "user_ids": [str(ann.id), "5"], "nonce": "n"}
        await socket.send(8, wanted)
        chunk = await socket.event("GUILD_MEMBERS_CHUNK")
        assert [member["user"]["id"] for member in chunk["members"]] == [str(ann.id)]
        assert (chunk["not_found"], chunk["nonce"], chunk["chunk_count"]) == (["5"], "n", 1)
        await socket.send(8, {"guild_id": guild.id, "query": "b", "limit": 5})
        chunk = await socket.event("GUILD_MEMBERS_CHUNK")
        assert [member["user"]["username"] for member in chunk["members"]] == ["bob"]
        await socket.send(8, {"guild_id": guild.id, "query": "", "limit": 0})
        with pytest.raises(ClosedError) as closed:
            await socket.event("GUILD_MEMBERS_CHUNK")
        assert closed.value.code == 4014


async def test_people_come_and_go_where_the_intent_is_given() -> None:
    async with Sandbox(guild_members=True) as world:
        guild = world.create_guild("Friends")
        async with connected(world, intents=GUILDS | MEMBERS) as socket:
            await socket.event("READY")
            ann = guild.add_person("Ann")
            assert (await socket.event("GUILD_MEMBER_ADD"))["user"]["id"] == str(ann.id)
            guild.give_role(ann, guild.create_role("club"))
            assert len((await socket.event("GUILD_MEMBER_UPDATE"))["roles"]) == 1
            guild.kick(ann)
            assert (await socket.event("GUILD_MEMBER_REMOVE"))["user"]["id"] == str(ann.id)


async def test_the_bot_comes_and_goes(world: Sandbox, ann: Person, api: Api) -> None:
    guild = world.create_guild("Elsewhere", permissions=None)
    channel = guild.create_channel("here")
    guild.join(ann)
    async with connected(world) as socket:
        ready = await socket.event("READY")
        assert str(guild.id) not in {entry["id"] for entry in ready["guilds"]}
        path = f"/channels/{channel.id}/messages"
        assert (await api("POST", path, {"content": "x"}))[1]["code"] == 50001
        assert (await api("GET", f"/guilds/{guild.id}"))[1]["code"] == 10004
        await ann.say(channel, "unheard")
        guild.invite_bot()
        while (created := await socket.event("GUILD_CREATE"))["id"] != str(guild.id):
            pass
        assert created["channels"][0]["id"] == str(channel.id)
        assert (await api("POST", path, {"content": "x"}))[0] == 200
        await socket.event("MESSAGE_CREATE")
        guild.remove_bot()
        assert await socket.event("GUILD_DELETE") == {"id": str(guild.id)}
        guild.invite_bot()
        await socket.event("GUILD_CREATE")
        guild.delete()
        assert await socket.event("GUILD_DELETE") == {"id": str(guild.id)}


async def test_a_hidden_channel_is_silent(
    world: Sandbox, guild: GuildAdmin, channel: Channel, ann: Person
) -> None:
    guild.set_permissions(channel, world.bot_user, deny=1 << 10)
    async with connected(world) as socket:
        await socket.event("READY")
        await ann.say(channel, "hidden")
        guild.set_permissions(channel, world.bot_user)
        await ann.say(channel, "seen")
        assert (await socket.event("MESSAGE_CREATE"))["content"] == "seen"


async def test_a_new_socket_takes_a_session_over(
    world: Sandbox, channel: Channel, ann: Person
) -> None:
    async with connected(world) as old:
        await old.event("READY")
        resume = {"token": world.token, "session_id": old.session_id, "seq": old.sequence}
        async with connected(world, identify=False) as new:
            await new.send(6, resume)
            await new.event("RESUMED")
            with pytest.raises(ClosedError):
                await old.event("nothing")
            await ann.say(channel, "hello")
            assert (await new.event("MESSAGE_CREATE"))["content"] == "hello"
            assert len(world.sessions) == 1


@pytest.mark.parametrize(
    ("query", "code"),
    [({"v": "9"}, 4012), ({"encoding": "etf"}, 4002), ({"compress": "lzma-stream"}, 4002)],
)
async def test_unknown_ways_of_speaking(world: Sandbox, query: dict[str, str], code: int) -> None:
    with pytest.raises(ClosedError) as closed:
        async with connected(world, query=query):
            pass
    assert closed.value.code == code


@pytest.mark.parametrize(
    ("op", "data", "code"),
    [
        (2, {"token": "right", "intents": 1}, 4002),
        (2, {"token": "right", "intents": "1", "properties": {}}, 4013),
        (2, {"token": "right", "intents": 1, "properties": {}, "shard": "x"}, 4010),
        (2, [], 4002),
        (6, {"token": "right", "session_id": "mine", "seq": 99}, 4007),
        (8, {}, 4003),
        ("x", {}, 4001),
    ],
)
async def test_garbage_closes_the_socket(world: Sandbox, op: object, data: Any, code: int) -> None:
    async with connected(world) as first:
        await first.event("READY")
        if isinstance(data, dict) and "token" in data:
            data = {**data, "token": world.token}
        if isinstance(data, dict) and "session_id" in data:
            data["session_id"] = first.session_id
        async with connected(world, identify=False) as socket:
            await socket.send(op, data)
            with pytest.raises(ClosedError) as closed:
                await socket.receive()
            assert closed.value.code == code


async def test_a_lost_sessions_events_are_limited(
    world: Sandbox, channel: Channel, ann: Person
) -> None:
    async with connected(world) as socket:
        await socket.event("READY")
        session, sequence = socket.session_id, socket.sequence
        await socket.close(4000)
    for n in range(1001):
        await ann.typing(channel)
        await ann.say(channel, str(n))
    async with connected(world, identify=False) as socket:
        await socket.send(6, {"token": world.token, "session_id": session, "seq": sequence})
        payload = await socket.receive()
        assert (payload["op"], payload["d"]) == (9, False)


async def test_a_fault_of_the_sandbox_itself_is_not_hidden(channel: Channel) -> None:
    world = Sandbox()
    async with world:
        world.state.application = None  # type: ignore[assignment] # breaks what comes next
        with pytest.raises(ClosedError) as closed:
            async with connected(world) as socket:
                await socket.event("READY")
        assert closed.value.code == 4000
        async with aiohttp.ClientSession() as session:
            assert (await Api(world, session)("GET", "/applications/@me"))[0] == 500
        assert [type(error) for error in world.crashes] == [AttributeError] * 2
