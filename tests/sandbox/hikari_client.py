"""A bot on hikari, run by hikari's own interpreter: tells what it meets in lines of JSON.

It is started with the REST API's URL and a file to answer with; the token is in the environment.
Each line on its standard output has the ``event`` and what belongs to it. It ends when its standard
input does.
"""

import asyncio
import json
import os
import sys
import traceback
from typing import Any

import hikari


def tell(event: str, **more: object) -> None:
    sys.stdout.write(json.dumps({"event": event, **more}) + "\n")
    sys.stdout.flush()


class Client:
    """Answers "go" with a file, a button and a thread; "/greet"; and presses of the button."""

    def __init__(self, api_url: str, token: str, picture: str) -> None:
        self.picture = picture
        self.bot = hikari.GatewayBot(
            token,
            rest_url=api_url,
            intents=hikari.Intents.ALL_UNPRIVILEGED | hikari.Intents.MESSAGE_CONTENT,
            banner=None,
            logs="ERROR",
            suppress_optimization_warning=True,
        )
        self.bot.subscribe(hikari.GuildMessageCreateEvent, self.on_message)
        self.bot.subscribe(hikari.InteractionCreateEvent, self.on_interaction)
        self.bot.subscribe(hikari.ShardReadyEvent, self.on_ready)
        self.bot.subscribe(hikari.ShardDisconnectedEvent, self.on_disconnected)
        self.bot.subscribe(hikari.ShardResumedEvent, self.on_resumed)
        self.bot.subscribe(hikari.ExceptionEvent, self.on_error)

    async def run(self) -> None:
        await self.bot.start(check_for_updates=False)
        try:
            await self.register()
            tell("started")
            await asyncio.to_thread(sys.stdin.read)
        finally:
            await self.bot.close()
        tell("closed")

    async def register(self) -> None:
        command = self.bot.rest.slash_command_builder("greet", "Greet somebody")
        command.add_option(
            hikari.CommandOption(
                type=hikari.OptionType.USER, name="who", description="Whom", is_required=True
            )
        )
        application = await self.bot.rest.fetch_application()
        await self.bot.rest.set_application_commands(application, [command])

    async def on_message(self, event: hikari.GuildMessageCreateEvent) -> None:
        if not event.is_human:
            return
        tell("heard", content=event.content)
        if event.content == "go":
            row = self.bot.rest.build_message_action_row()
            row.add_interactive_button(hikari.ButtonStyle.PRIMARY, "accept", label="Accept")
            await event.message.respond(
                "board", attachment=hikari.File(self.picture), component=row, reply=True
            )
            thread = await self.bot.rest.create_message_thread(
                event.channel_id, event.message_id, "Game"
            )
            await self.bot.rest.create_message(thread, "in the thread")
            history = await self.bot.rest.fetch_messages(event.channel_id)
            tell("read", history=[message.content for message in history])

    async def on_interaction(self, event: hikari.InteractionCreateEvent) -> None:
        interaction: Any = event.interaction
        if isinstance(interaction, hikari.CommandInteraction):
            assert interaction.options
            (option,) = interaction.options
            await interaction.create_initial_response(
                hikari.ResponseType.MESSAGE_CREATE, f"hello <@{option.value}>"
            )
        else:
            await interaction.create_initial_response(
                hikari.ResponseType.MESSAGE_UPDATE, "accepted", components=[]
            )

    async def on_ready(self, event: hikari.ShardReadyEvent) -> None:
        tell("ready", session=event.session_id, user=event.my_user.username)

    async def on_disconnected(self, _: hikari.ShardDisconnectedEvent) -> None:
        tell("disconnected")

    async def on_resumed(self, _: hikari.ShardResumedEvent) -> None:
        tell("resumed")

    async def on_error(self, event: hikari.ExceptionEvent[Any]) -> None:
        tell("error", trace="".join(traceback.format_exception(event.exception)))


if __name__ == "__main__":
    asyncio.run(Client(sys.argv[1], os.environ["TOKEN"], sys.argv[2]).run())
