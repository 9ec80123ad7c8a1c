"""Tests for slash commands, buttons, selects and modals."""

import asyncio
import io
from typing import Any

import discord
import pytest
from discord import app_commands

from sandbox import (
    Answer,
    Channel,
    GuildAdmin,
    InvocationRefused,
    Message,
    MessageKind,
    Patience,
    Person,
    Sandbox,
)
from sandbox.interactions import Interaction, InteractionKind
from tests.sandbox.clients import Api, Bot, png, running

Press = discord.Interaction[discord.Client]


async def test_a_slash_command_with_typed_options(
    world: Sandbox, channel: Channel, ann: Person, bob: Person
) -> None:
    bot = Bot()

    @bot.tree.command()
    async def challenge(
        interaction: Press,
        opponent: discord.Member,
        games: app_commands.Range[int, 1, 5],
        ranked: bool = True,
        where: discord.TextChannel | None = None,
    ) -> None:
        """Challenge somebody."""
        assert interaction.user.id == ann.id
        assert isinstance(interaction.user, discord.Member)
        assert interaction.app_permissions.attach_files
        assert not interaction.app_permissions.manage_messages
        await interaction.response.send_message(
            f"{opponent.mention} {games} {ranked} {where and where.id}"
        )

    async with running(world, bot):
        answer = await ann.slash(
            channel, "challenge", opponent=bob, games=3, ranked=False, where=channel
        )
        assert answer.message is not None
        assert answer.content == f"{bob.mention} 3 False {channel.id}"
        assert answer.message.pinged == {bob.id}
        assert answer.message.kind is MessageKind.CHAT_INPUT_COMMAND
        assert answer.message.author is world.bot_user
        assert not answer.ephemeral
        assert channel.messages == [answer.message]
        with pytest.raises(InvocationRefused, match="needs 'games'"):
            await ann.slash(channel, "challenge", opponent=bob)
        with pytest.raises(InvocationRefused, match="from 1 to 5"):
            await ann.slash(channel, "challenge", opponent=bob, games=6)
        with pytest.raises(InvocationRefused, match="no option 'oponent'"):
            await ann.slash(channel, "challenge", oponent=bob, games=1)
        with pytest.raises(InvocationRefused, match="no command /chalenge; there are: challenge"):
            await ann.slash(channel, "chalenge")


async def test_subcommands_and_choices(world: Sandbox, channel: Channel, ann: Person) -> None:
    bot = Bot()
    ratings = app_commands.Group(name="ratings", description="Ratings")
    bot.tree.add_command(ratings)

    @ratings.command()
    @app_commands.choices(kind=[app_commands.Choice(name="Fast games", value="fast")])
    async def top(interaction: Press, kind: app_commands.Choice[str]) -> None:
        """Show the best."""
        await interaction.response.send_message(f"{kind.name}: {kind.value}")

    async with running(world, bot):
        assert (await ann.slash(channel, "ratings top", kind="Fast games")).content == (
            "Fast games: fast"
        )
        assert (await ann.slash(channel, "ratings top", kind="fast")).content == "Fast games: fast"
        with pytest.raises(InvocationRefused, match="is one of"):
            await ann.slash(channel, "ratings top", kind="slow")
        with pytest.raises(InvocationRefused, match="needs one of"):
            await ann.slash(channel, "ratings")


async def test_a_command_on_a_message(
    world: Sandbox, channel: Channel, ann: Person, bob: Person
) -> None:
    bot = Bot()

    @bot.tree.context_menu(name="Read aloud")
    async def read_message(interaction: Press, message: discord.Message) -> None:
        assert message.channel.id == channel.id
        await interaction.response.send_message(
            f"{interaction.user.id} {message.author.id} {message.content}", ephemeral=True
        )

    async with running(world, bot):
        said = await bob.say(channel, "Good evening")
        answer = await ann.menu(said, "Read aloud")
        assert answer.ephemeral
        assert answer.content == f"{ann.id} {bob.id} Good evening"
        assert answer.message is not None
        assert answer.message.kind is MessageKind.CONTEXT_MENU_COMMAND
        with pytest.raises(InvocationRefused, match="no command 'Read'; there are: Read aloud"):
            await ann.menu(said, "Read")
        await bob.delete(said)
        with pytest.raises(InvocationRefused, match="gone"):
            await ann.menu(said, "Read aloud")


async def test_a_command_on_a_person(
    world: Sandbox, channel: Channel, ann: Person, bob: Person
) -> None:
    bot = Bot()

    @bot.tree.context_menu(name="Wave")
    async def wave(interaction: Press, whom: discord.Member) -> None:
        await interaction.response.send_message(f"{interaction.user.id} {whom.id} {whom.bot}")

    @bot.tree.context_menu(name="Wave")
    async def wave_at(interaction: Press, message: discord.Message) -> None:
        await interaction.response.send_message(f"at {message.id}")

    async with running(world, bot):
        assert (await ann.menu_of(channel, bob, "Wave")).content == f"{ann.id} {bob.id} False"
        at_bot = await ann.menu_of(channel, world.bot_user, "Wave")
        assert at_bot.content == f"{ann.id} {world.bot_user.id} True"
        with pytest.raises(InvocationRefused, match="no command 'Nod'; there are: Wave"):
            await ann.menu_of(channel, bob, "Nod")


async def test_autocomplete(world: Sandbox, channel: Channel, ann: Person) -> None:
    bot = Bot()

    @bot.tree.command()
    async def move(interaction: Press, move: str) -> None:
        """Move."""
        await interaction.response.send_message(move)

    @move.autocomplete("move")
    async def suggest(interaction: Press, current: str) -> list[app_commands.Choice[str]]:
        names = [f"{current}-{end}" for end in ("b2", "c3")]
        return [app_commands.Choice(name=f"move {name}", value=name) for name in names]

    async with running(world, bot):
        suggestions = await ann.autocomplete(channel, "move", move="a1")
        assert suggestions == [("move a1-b2", "a1-b2"), ("move a1-c3", "a1-c3")]
        assert (await ann.slash(channel, "move", move=str(suggestions[0][1]))).content == "a1-b2"


async def test_buttons_and_selects(
    world: Sandbox, channel: Channel, ann: Person, bob: Person
) -> None:
    class Board(discord.ui.View):
        @discord.ui.button(label="Accept", custom_id="accept")
        async def accept(self, interaction: Press, button: discord.ui.Button[Any]) -> None:
            button.disabled = True
            await interaction.response.edit_message(content="accepted", view=self)

        @discord.ui.select(
            options=[discord.SelectOption(label=point) for point in ("a1", "b2")], max_values=2
        )
        async def point(self, interaction: Press, select: discord.ui.Select[Any]) -> None:
            await interaction.response.send_message(" ".join(select.values))

        @discord.ui.select(cls=discord.ui.UserSelect)
        async def who(self, interaction: Press, select: discord.ui.UserSelect[Any]) -> None:
            assert isinstance(select.values[0], discord.Member)
            await interaction.response.send_message(select.values[0].mention)

    bot = Bot()

    @bot.event
    async def on_message(message: discord.Message) -> None:
        if message.content == "go":
            await message.channel.send("board", view=Board())

    async with running(world, bot):
        typed = await ann.say(channel, "go")
        board = await channel.wait_for(lambda message: message.buttons, after=typed)
        answer = await ann.select(board, ["a1", "b2"], custom_id=board.selects[0].custom_id)
        assert answer.message is not None
        assert answer.message.content == "a1 b2"
        assert answer.message.reference is not None
        assert answer.message.reference.message_id == board.id
        answer = await ann.select(board, [bob], custom_id=board.selects[1].custom_id)
        assert answer.content == bob.mention
        with pytest.raises(InvocationRefused, match="does not offer 'c3'"):
            await ann.select(board, ["c3"], custom_id=board.selects[0].custom_id)
        with pytest.raises(InvocationRefused, match="choose 1 to 1"):
            await ann.select(board, [ann, bob], custom_id=board.selects[1].custom_id)
        with pytest.raises(InvocationRefused, match="0 components fit 'Resign'"):
            await ann.click(board, "Resign")
        answer = await bob.click(board, "Accept")
        assert answer.message is board
        assert (board.content, board.buttons[0].disabled) == ("accepted", True)
        with pytest.raises(InvocationRefused, match="'Accept' is disabled"):
            await bob.click(board, custom_id="accept")


async def test_a_modal_opens_and_is_sent_off(world: Sandbox, channel: Channel, ann: Person) -> None:
    class Form(discord.ui.Modal, title="Your move"):
        move: discord.ui.TextInput[Any] = discord.ui.TextInput(
            label="Move", custom_id="move", max_length=5
        )
        why: discord.ui.Label[Any] = discord.ui.Label(
            text="Why", component=discord.ui.TextInput(custom_id="why", required=False)
        )

        async def on_submit(self, interaction: discord.Interaction) -> None:
            assert isinstance(self.why.component, discord.ui.TextInput)
            await interaction.response.send_message(f"{self.move.value} {self.why.component.value}")

    bot = Bot()

    @bot.tree.command()
    async def move(interaction: Press) -> None:
        """Move."""
        await interaction.response.send_modal(Form())

    async with running(world, bot):
        answer = await ann.slash(channel, "move")
        assert answer.modal is not None
        assert (answer.modal.title, answer.modal.fields) == ("Your move", ["Move", "Why"])
        with pytest.raises(InvocationRefused, match="'Move' must be filled in"):
            await ann.submit(answer.modal, {"why": "so"})
        with pytest.raises(InvocationRefused, match="takes 0 to 5 characters"):
            await ann.submit(answer.modal, {"move": "d2-d44"})
        with pytest.raises(InvocationRefused, match="has no input 'mov'"):
            await ann.submit(answer.modal, {"mov": "d2-d4"})
        done = await ann.submit(answer.modal, {"move": "d2-d4", "Why": "so"})
        assert done.content == "d2-d4 so"


async def test_thinking_first_and_a_picture_later(
    world: Sandbox, channel: Channel, ann: Person
) -> None:
    bot = Bot()
    go_on = asyncio.Event()

    @bot.tree.command()
    async def board(interaction: Press) -> None:
        """Show the board."""
        await interaction.response.defer(thinking=True)
        await go_on.wait()
        picture = discord.File(io.BytesIO(png()), "board.png")
        sent = await interaction.edit_original_response(content="here", attachments=[picture])
        assert sent.flags.value & (1 << 7) == 0
        more = await interaction.followup.send("and more", wait=True)
        assert more.id != sent.id

    async with running(world, bot):
        answer = await ann.slash(channel, "board")
        assert answer.deferred
        assert answer.message is not None
        assert (answer.message.loading, answer.message.content) == (True, "")
        go_on.set()
        message = await answer.settled()
        assert message is answer.message
        assert (message.content, message.attachments[0].filename) == ("here", "board.png")
        assert message.edited is None
        more = await channel.wait_for(after=message)
        assert (more.content, more.kind) == ("and more", MessageKind.REPLY)


async def test_the_first_follow_up_after_thinking_takes_its_place(
    world: Sandbox, channel: Channel, ann: Person
) -> None:
    bot = Bot()

    @bot.tree.command()
    async def board(interaction: Press) -> None:
        """Show the board."""
        await interaction.response.defer(thinking=True, ephemeral=True)
        await interaction.followup.send("here")

    async with running(world, bot):
        answer = await ann.slash(channel, "board")
        message = await answer.settled()
        assert message is answer.message
        assert (message.content, message.ephemeral, channel.messages) == ("here", True, [])


async def test_an_ephemeral_message_is_for_one_pair_of_eyes(
    world: Sandbox, channel: Channel, ann: Person, bob: Person, api: Api
) -> None:
    class Confirm(discord.ui.View):
        @discord.ui.button(label="Yes")
        async def yes(self, interaction: Press, _: discord.ui.Button[Any]) -> None:
            await interaction.response.edit_message(content="resigned", view=None)
            await interaction.delete_original_response()
            await interaction.followup.send("You resigned", ephemeral=True)

    bot = Bot()

    @bot.tree.command()
    async def resign(interaction: Press) -> None:
        """Resign."""
        await interaction.response.send_message("Sure?", view=Confirm(), ephemeral=True)
        sent = await interaction.original_response()
        assert sent.content == "Sure?"

    async with running(world, bot):
        answer = await ann.slash(channel, "resign")
        assert answer.message is not None
        assert answer.ephemeral
        assert (ann.inbox, bob.inbox, channel.messages) == ([answer.message], [], [])
        path = f"/channels/{channel.id}/messages/{answer.message.id}"
        assert (await api("GET", path))[1]["code"] == 10008
        with pytest.raises(InvocationRefused, match="someone else's"):
            await bob.click(answer.message, "Yes")
        clicked = await ann.click(answer.message, "Yes")
        assert clicked.content == "resigned"
        told = await ann.ephemeral(lambda message: message.content == "You resigned")
        assert ann.inbox == [told]


async def test_a_deferred_update_and_the_original_afterwards(
    world: Sandbox, channel: Channel, ann: Person
) -> None:
    class Board(discord.ui.View):
        @discord.ui.button(label="Turn")
        async def turn(self, interaction: Press, _: discord.ui.Button[Any]) -> None:
            await interaction.response.defer()
            await interaction.edit_original_response(content="turned")

    bot = Bot()

    @bot.tree.command()
    async def board(interaction: Press) -> None:
        """Show the board."""
        await interaction.response.send_message("board", view=Board())

    async with running(world, bot):
        shown = (await ann.slash(channel, "board")).message
        assert shown is not None
        answer = await ann.click(shown, "Turn")
        assert (answer.message, answer.deferred) == (shown, True)
        await channel.wait_for(lambda message: message.content == "turned")
        assert shown.content == "turned"


def is_not_a_stopgap(used: Interaction, said: Message) -> bool:
    return used.kind is not InteractionKind.COMMAND or said.content != "soon"


async def test_a_patient_person_gets_the_answer_after_thinking(
    world: Sandbox, channel: Channel, ann: Person
) -> None:
    class Board(discord.ui.View):
        @discord.ui.button(label="Turn")
        async def turn(self, interaction: Press, _: discord.ui.Button[Any]) -> None:
            await interaction.response.defer()
            await interaction.edit_original_response(content="turned")

        @discord.ui.button(label="Ask")
        async def ask(self, interaction: Press, _: discord.ui.Button[Any]) -> None:
            await interaction.response.defer()
            await interaction.followup.send("for you", ephemeral=True)

    bot = Bot()

    @bot.tree.command()
    async def board(interaction: Press) -> None:
        """Show the board."""
        await interaction.response.defer(thinking=True, ephemeral=True)
        await interaction.edit_original_response(content="soon")
        await interaction.followup.send("board", view=Board())

    ann.patience = Patience(is_not_a_stopgap)
    async with running(world, bot):
        shown = await ann.slash(channel, "board")
        assert (shown.content, shown.ephemeral, shown.deferred) == ("board", False, False)
        assert shown.message is not None
        turned = await ann.click(shown.message, "Turn")
        assert (turned.message, turned.content) == (shown.message, "turned")
        answer = await ann.click(shown.message, "Ask")
        assert (answer.content, answer.ephemeral) == ("for you", True)
        first = Answer.first(answer.used)
        assert first.deferred
        assert await first.awaited(ann.patience, timeout=0) == answer
        assert await first.awaited(Patience(lambda *_: False), timeout=0) is first
        ann.patience = Patience(is_not_a_stopgap, from_s=60)
        acknowledged = await ann.click(shown.message, "Ask")
        assert acknowledged.deferred


async def test_interactions_in_direct_messages(world: Sandbox, ann: Person) -> None:
    bot = Bot()

    @bot.tree.command()
    async def help(interaction: Press) -> None:  # noqa: A001 - the command's name
        """Help."""
        assert interaction.guild is None
        assert interaction.user.id == ann.id
        assert interaction.context.dm_channel
        await interaction.response.send_message("help")

    async with running(world, bot):
        answer = await ann.slash(ann.dm, "help")
        assert ann.dm.messages == [answer.message]


async def test_commands_for_moderators_and_guilds_only(
    world: Sandbox, guild: GuildAdmin, channel: Channel, ann: Person
) -> None:
    bot = Bot()

    @bot.tree.command()
    @app_commands.default_permissions(manage_messages=True)
    @app_commands.guild_only()
    async def abort(interaction: Press) -> None:
        """Abort."""
        await interaction.response.send_message("aborted")

    moderator = guild.add_person("Mod", permissions=1 << 13)
    async with running(world, bot):
        with pytest.raises(InvocationRefused, match="not offered to Ann"):
            await ann.slash(channel, "abort")
        with pytest.raises(InvocationRefused, match="not offered here"):
            await moderator.slash(moderator.dm, "abort")
        assert (await moderator.slash(channel, "abort")).content == "aborted"
