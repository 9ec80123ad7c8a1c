"""/settings: what players choose for themselves, in one form, and what a form cannot ask for."""

import discord
from discord import app_commands

from bot.base.ids import UserId
from bot.base.locales import Reader
from bot.play.doors.answers import answering
from bot.play.doors.challenge_buttons import take_down
from bot.play.doors.commands import anywhere, in_help
from bot.play.doors.own_settings_buttons import show_turns
from bot.play.doors.services import Interaction
from bot.play.doors.vacation_command import vacation
from bot.play.words.help import Surroundings
from bot.play.words.own_settings import blocked, unblocked
from bot.play.words.privacy import privacy as privacy_post


def _help(reader: Reader, around: Surroundings) -> str:
    return reader.gettext(
        "{command} shows when I ping and remind you; {vacation} pauses your clocks; {block} stops "
        "someone's challenges."
    ).format(
        command=around.command("settings show"),
        vacation=around.command("settings vacation start"),
        block=around.command("settings block"),
    )


settings = app_commands.Group(
    name="settings", description="Your pings, reminders, time zone, vacations and blocks"
)
anywhere(settings)
in_help(_help)(settings)
settings.add_command(vacation)


@settings.command(description="Show your settings")
async def show(interaction: Interaction) -> None:
    """Show the preferences."""
    async with answering(interaction) as answer:
        await show_turns(answer)


@settings.command(description="Export what I keep about you, or delete it")
async def privacy(interaction: Interaction) -> None:
    """Show the page on privacy."""
    async with answering(interaction) as answer:
        await answer.view(privacy_post(answer.reader))


@settings.command(description="Stop someone's challenges; they aren't told")
@app_commands.describe(player="They can't start games with you; running games go on")
@app_commands.rename(player="user")
async def block(interaction: Interaction, player: discord.User) -> None:
    """Block somebody."""
    async with answering(interaction) as answer:
        services, user, other = (
            interaction.client.services,
            UserId(interaction.user.id),
            UserId(player.id),
        )
        taken_back = await services.blocks.block(user, other, other_is_bot=player.bot)
        await answer.privately(blocked(answer.reader, other))
        for row in taken_back:
            await take_down(services, row)


@settings.command(description="Let someone challenge you again")
@app_commands.describe(player="Who you've blocked")
@app_commands.rename(player="user")
async def unblock(interaction: Interaction, player: discord.User) -> None:
    """Block somebody no more."""
    async with answering(interaction) as answer:
        services, user, other = (
            interaction.client.services,
            UserId(interaction.user.id),
            UserId(player.id),
        )
        await services.blocks.unblock(user, other)
        await answer.privately(unblocked(answer.reader, other))
