"""hikari, a client that shares no code with discord.py, finds the same Discord here."""

from typing import Any

import pytest

from sandbox import Channel, Person, Sandbox
from tests.sandbox.clients import png

# No lock has it: hikari 2.7 wants multidict below 7, and discord.py's aiohttp is locked with 7.
hikari = pytest.importorskip(
    "hikari", reason="hikari is not installed: it wants an older multidict than the locks hold"
)


async def test_hikari_logs_in_hears_and_answers(
    world: Sandbox, channel: Channel, ann: Person, bob: Person
) -> None:
    bot = hikari.GatewayBot(
        world.token,
        rest_url=world.api_url,
        intents=hikari.Intents.ALL_UNPRIVILEGED | hikari.Intents.MESSAGE_CONTENT,
        banner=None,
        logs=None,
        suppress_optimization_warning=True,
    )

    async def on_message(event: Any) -> None:
        if event.is_human:
            row = bot.rest.build_message_action_row()
            row.add_interactive_button(hikari.ButtonStyle.PRIMARY, "accept", label="Accept")
            picture = hikari.Bytes(png(), "board.png")
            await event.message.respond("board", attachment=picture, component=row, reply=True)
            thread = await bot.rest.create_message_thread(
                event.channel_id, event.message_id, "Game"
            )
            await bot.rest.create_message(thread, "in the thread")

    async def on_interaction(event: Any) -> None:
        interaction = event.interaction
        if isinstance(interaction, hikari.CommandInteraction):
            (option,) = interaction.options
            await interaction.create_initial_response(
                hikari.ResponseType.MESSAGE_CREATE, f"hello <@{option.value}>"
            )
        else:
            await interaction.create_initial_response(
                hikari.ResponseType.MESSAGE_UPDATE, "accepted", components=[]
            )

    bot.subscribe(hikari.GuildMessageCreateEvent, on_message)
    bot.subscribe(hikari.InteractionCreateEvent, on_interaction)
    await bot.start(check_for_updates=False)
    try:
        command = bot.rest.slash_command_builder("greet", "Greet somebody")
        command.add_option(
            hikari.CommandOption(
                type=hikari.OptionType.USER, name="who", description="Whom", is_required=True
            )
        )
        await bot.rest.set_application_commands(world.application.id, [command])
        await world.wait_ready()
        typed = await ann.say(channel, "go")
        board = await channel.wait_for(lambda message: message.attachments, after=typed)
        assert await ann.fetch(board.attachments[0]) == png()
        answer = await ann.slash(channel, "greet", who=bob)
        assert answer.content == f"hello {bob.mention}"
        await ann.click(board, "Accept")
        assert (board.content, board.buttons) == ("accepted", [])
        await channel.wait_for(lambda message: message.thread)
        assert typed.thread is not None
        await typed.thread.wait_for(lambda message: message.content == "in the thread")
        assert [message.content for message in await bot.rest.fetch_messages(channel.id)] == [
            answer.content,
            "accepted",
            "go",
        ]
    finally:
        await bot.close()
