"""Tests for permissions: roles, overwrites, and errors."""

import discord
import pytest

from sandbox import Channel, GuildAdmin, InvocationRefused, Permission, Person, Sandbox
from sandbox.invocations import offered
from tests.sandbox.clients import Api, Bot, running

P = Permission


@pytest.mark.parametrize(
    ("denied", "body", "files", "code"),
    [
        (P.VIEW_CHANNEL, {"content": "x"}, (), 50001),
        (P.SEND_MESSAGES, {"content": "x"}, (), 50013),
        (P.ATTACH_FILES, {"content": "x"}, (("b.png", b"x"),), 50013),
        (P.EMBED_LINKS, {"embeds": [{"title": "x"}]}, (), 50013),
        (P.READ_MESSAGE_HISTORY, {"content": "x", "message_reference": True}, (), 160002),
    ],
)
async def test_the_bot_cannot_send_without_permission(
    *,
    world: Sandbox,
    guild: GuildAdmin,
    channel: Channel,
    ann: Person,
    api: Api,
    denied: Permission,
    body: dict[str, object],
    files: tuple[tuple[str, bytes], ...],
    code: int,
) -> None:
    typed = await ann.say(channel, "x")
    if "message_reference" in body:
        body = {**body, "message_reference": {"message_id": str(typed.id)}}
    path = f"/channels/{channel.id}/messages"
    assert (await api("POST", path, body, files=files))[0] == 200
    guild.set_permissions(channel, world.bot_user, deny=denied)
    status, answer = await api("POST", path, body, files=files)
    assert (status, answer["code"]) == (403, code)
    guild.set_permissions(channel, world.bot_user)
    assert (await api("POST", path, body, files=files))[0] == 200


async def test_the_order_of_overwrites(world: Sandbox, guild: GuildAdmin, ann: Person) -> None:
    channel = guild.create_channel("c")
    role = guild.create_role("players")
    guild.give_role(ann, role)
    assert channel.may(ann.user, P.SEND_MESSAGES)
    guild.set_permissions(channel, guild.everyone, deny=P.SEND_MESSAGES)
    assert not channel.may(ann.user, P.SEND_MESSAGES)
    guild.set_permissions(channel, role, allow=P.SEND_MESSAGES)
    assert channel.may(ann.user, P.SEND_MESSAGES)
    guild.set_permissions(channel, ann, deny=P.SEND_MESSAGES)
    assert not channel.may(ann.user, P.SEND_MESSAGES)
    # A user who can't send can't attach files either, whatever else is allowed.
    assert not channel.may(ann.user, P.ATTACH_FILES)
    guild.set_permissions(channel, guild.everyone, deny=P.VIEW_CHANNEL)
    assert channel.permissions_of(ann.user) == 0
    assert channel.may(guild.owner.user, P.SEND_MESSAGES | P.MANAGE_CHANNELS)
    guild.set_role_permissions(role, P.ADMINISTRATOR)
    assert channel.may(ann.user, P.SEND_MESSAGES)
    guild.kick(ann)
    assert channel.permissions_of(ann.user) == 0


async def test_mentioning_everyone_needs_the_permission(
    world: Sandbox, guild: GuildAdmin, channel: Channel, ann: Person, api: Api
) -> None:
    path = f"/channels/{channel.id}/messages"
    assert not (await api("POST", path, {"content": "@everyone"}))[1]["mention_everyone"]
    guild.set_role_permissions(guild.bot_role, guild.bot_role.permissions | P.MENTION_EVERYONE)
    _, answer = await api("POST", path, {"content": "@everyone"})
    assert answer["mention_everyone"]
    assert channel.history[int(answer["id"])].pinged >= {ann.id, guild.owner.id}


async def test_reading_needs_the_history(
    world: Sandbox, guild: GuildAdmin, channel: Channel, ann: Person, api: Api
) -> None:
    typed = await ann.say(channel, "x")
    guild.set_permissions(channel, world.bot_user, deny=P.READ_MESSAGE_HISTORY)
    path = f"/channels/{channel.id}/messages"
    assert await api("GET", path) == (200, [])
    assert (await api("GET", f"{path}/{typed.id}"))[1]["code"] == 50013
    guild.set_permissions(channel, world.bot_user, deny=P.VIEW_CHANNEL)
    assert (await api("GET", path))[1]["code"] == 50001
    assert (await api("GET", f"/channels/{channel.id}"))[1]["code"] == 50001


async def test_threads_have_permissions_of_their_own(
    world: Sandbox, guild: GuildAdmin, channel: Channel, ann: Person, api: Api
) -> None:
    thread = await ann.start_thread(channel, "talk")
    guild.set_permissions(channel, world.bot_user, deny=P.SEND_MESSAGES)
    assert (await api("POST", f"/channels/{thread.id}/messages", {"content": "x"}))[0] == 200
    guild.set_permissions(channel, world.bot_user, deny=P.SEND_MESSAGES_IN_THREADS)
    path = f"/channels/{thread.id}/messages"
    assert (await api("POST", path, {"content": "x"}))[1]["code"] == 50013
    assert (await api("POST", f"/channels/{thread.id}/typing"))[1]["code"] == 50013
    assert (await api("POST", f"/channels/{channel.id}/typing"))[0] == 204


async def test_an_interaction_is_answered_where_the_bot_can_not_write(
    world: Sandbox, guild: GuildAdmin, channel: Channel, ann: Person
) -> None:
    guild.set_permissions(channel, world.bot_user, deny=P.VIEW_CHANNEL)
    bot = Bot()

    @bot.tree.command()
    async def board(interaction: discord.Interaction[discord.Client]) -> None:
        """Show the board."""
        assert not interaction.app_permissions.view_channel
        await interaction.response.send_message("board")

    async with running(world, bot):
        assert (await ann.slash(channel, "board")).content == "board"


async def test_people_are_held_to_theirs(
    guild: GuildAdmin, channel: Channel, ann: Person, bob: Person
) -> None:
    typed = await bob.say(channel, "x")
    guild.set_permissions(channel, ann, deny=P.USE_APPLICATION_COMMANDS | P.ADD_REACTIONS)
    with pytest.raises(InvocationRefused, match="50013"):
        await ann.slash(channel, "board")
    with pytest.raises(InvocationRefused, match="50013"):
        await ann.react(typed, "👍")
    with pytest.raises(InvocationRefused, match="50013"):
        await ann.delete(typed)
    with pytest.raises(InvocationRefused, match="someone else's"):
        await ann.edit(typed, "y")
    await guild.owner.delete(typed)
    guild.kick(ann)
    with pytest.raises(InvocationRefused, match="50001"):
        await ann.say(channel, "x")


async def test_without_permission_to_write_buttons_work_but_not_commands(
    world: Sandbox, guild: GuildAdmin, channel: Channel, ann: Person
) -> None:
    """According to Discord's documentation of user commands, and its issues 2696 and 3801."""
    bot, typed = Bot(), await ann.say(channel, "x")
    thread = await ann.start_thread(channel, "Talk")

    @bot.tree.command()
    async def board(interaction: discord.Interaction[discord.Client]) -> None:
        """Show the board."""
        view = discord.ui.View()
        view.add_item(discord.ui.Button(label="Look", custom_id="look"))
        await interaction.response.send_message("board", view=view)

    @bot.tree.context_menu()
    async def look(
        interaction: discord.Interaction[discord.Client], message: discord.Message
    ) -> None:
        await interaction.response.send_message(message.content)

    @bot.event
    async def on_interaction(interaction: discord.Interaction[discord.Client]) -> None:
        if interaction.type is discord.InteractionType.component:
            await interaction.response.send_message("looked", ephemeral=True)

    async with running(world, bot):
        shown = (await ann.slash(channel, "board")).message
        assert shown is not None
        guild.set_permissions(channel, guild.everyone, deny=P.SEND_MESSAGES)
        with pytest.raises(InvocationRefused, match="50013"):
            await ann.slash(channel, "board")
        with pytest.raises(InvocationRefused, match="50013"):
            await ann.menu(typed, "look")
        assert offered(world.state, channel, ann.user) == []
        assert (await ann.click(shown, "Look")).content == "looked"
        assert (await ann.slash(thread, "board")).content == "board"  # a separate permission
        guild.set_permissions(channel, guild.everyone, deny=P.SEND_MESSAGES_IN_THREADS)
        with pytest.raises(InvocationRefused, match="50013"):
            await ann.slash(thread, "board")
        assert (await ann.slash(channel, "board")).content == "board"


async def test_channels_are_changed_by_those_who_manage_them(
    guild: GuildAdmin, channel: Channel, api: Api
) -> None:
    path = f"/channels/{channel.id}"
    assert (await api("PATCH", path, {"name": "games"}))[1]["code"] == 50013
    guild.set_role_permissions(guild.bot_role, guild.bot_role.permissions | P.MANAGE_CHANNELS)
    status, answer = await api("PATCH", path, {"name": "games", "topic": "DVONN"})
    assert (status, answer["name"], answer["topic"]) == (200, "games", "DVONN")
    assert (await api("PATCH", path, {"name": ""}))[1]["code"] == 50035


async def test_slowmode_blocks_typing_only(
    world: Sandbox, guild: GuildAdmin, ann: Person, api: Api
) -> None:
    channel = guild.create_channel("slow", slowmode_s=600)
    await ann.say(channel, "one")
    with pytest.raises(InvocationRefused, match="20016"):
        await ann.say(channel, "two")
    for _ in range(2):
        await api("POST", f"/channels/{channel.id}/messages", {"content": "bots are free"})
    await guild.owner.say(channel, "moderators too")
    await guild.owner.say(channel, "moderators too")
