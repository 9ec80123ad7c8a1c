"""/preferences: what players choose for themselves."""

from collections.abc import Callable
from functools import partial
from typing import Literal

import discord
from discord import app_commands

from bot import messages
from bot.edge.answers import answering
from bot.edge.challenges import take_down
from bot.edge.chosen import all_chosen
from bot.edge.commands.choices import TextChoices, zone_choices
from bot.edge.commands.common import anywhere, by_server
from bot.edge.desk import Interaction
from bot.edge.translator import FOR_READER
from bot.games import Choices
from bot.locales import IN_ENGLISH, Reader
from bot.messages import Option
from bot.model.ids import UserId
from bot.model.preferences import Ahead, RemindBy

_ON = "on"
_OFF = "off"


def _choices(
    made: Callable[[Reader], tuple[Option, ...]],
) -> list[app_commands.Choice[str]]:
    """Options of a list as choices of a command, which Discord shows in each language."""

    def label(number: int, reader: Reader) -> str:
        return made(reader)[number].label

    return [
        app_commands.Choice(
            name=app_commands.locale_str(one.label, **{FOR_READER: partial(label, number)}),
            value=one.value,
        )
        for number, one in enumerate(made(IN_ENGLISH))
    ]


preferences = app_commands.Group(
    name="preferences",
    description="For yourself: pings, reminders, quiet hours, your time zone, only moves, blocks",
)
anywhere(preferences)
by_server(preferences)


@preferences.command(description="Show what you have chosen for yourself")
async def show(interaction: Interaction) -> None:
    """Show the preferences."""
    async with answering(interaction) as answer:
        await answer.privately(await all_chosen(answer))


@preferences.command(description="Choose whether a board pings you when it is your turn")
@app_commands.describe(ping="off: it names you, and your phone stays silent")
async def mentions(interaction: Interaction, ping: Literal["on", "off"]) -> None:
    """Turn mentions on or off."""
    async with answering(interaction) as answer:
        choices, user = _of(interaction)
        chosen = await choices.set_mentions(user, on=ping == _ON)
        await answer.privately(await all_chosen(answer, chosen))


@preferences.command(description="Choose whether your only legal move is played for you")
@app_commands.describe(moves="on: when you have one legal move, I play it at once")
async def automatic(interaction: Interaction, moves: Literal["on", "off"]) -> None:
    """Let only moves be played, or not."""
    async with answering(interaction) as answer:
        choices, user = _of(interaction)
        chosen = await choices.set_automatic(user, on=moves == _ON)
        await answer.privately(await all_chosen(answer, chosen))


@preferences.command(description="Tell me your time zone, for your quiet hours")
@app_commands.describe(name="Such as Europe/Rome: type your city or region")
async def zone(interaction: Interaction, name: str) -> None:
    """Choose a time zone."""
    async with answering(interaction) as answer:
        choices, user = _of(interaction)
        chosen = await choices.set_zone(user, name)
        await answer.privately(await all_chosen(answer, chosen))


@zone.autocomplete("name")
async def _zones(_interaction: Interaction, typed: str) -> TextChoices:
    return zone_choices(typed)


@preferences.command(description="Choose hours of your day without reminders")
@app_commands.describe(
    begins="Such as 22:00 or 10 pm; off for no quiet hours",
    until="Such as 8:00; it may be on the next morning",
)
@app_commands.rename(begins="from")
async def quiet(interaction: Interaction, begins: str, until: str | None = None) -> None:
    """Choose quiet hours."""
    async with answering(interaction) as answer:
        choices, user = _of(interaction)
        if begins.strip().lower() == _OFF:
            chosen = await choices.set_loud(user)
        else:
            chosen = await choices.set_quiet(user, begins, until or "")
        await answer.privately(await all_chosen(answer, chosen))


@preferences.command(description="Choose how and when I remind you that your time runs out")
@app_commands.describe(
    by="How; as it is, if you leave it out", at="When; as it is, if you leave it out"
)
@app_commands.choices(by=_choices(messages.reminder_ways), at=_choices(messages.reminder_times))
async def reminders(interaction: Interaction, by: str | None = None, at: str | None = None) -> None:
    """Choose reminders."""
    async with answering(interaction) as answer:
        choices, user = _of(interaction)
        chosen = await choices.set_reminders(
            user,
            by=None if by is None else RemindBy(by),
            at=None if at is None else frozenset(map(Ahead, at.split())),
        )
        await answer.privately(await all_chosen(answer, chosen))


@preferences.command(description="Stop someone's challenges. They aren't told")
@app_commands.describe(player="They can't start a game with you any more; running games go on")
@app_commands.rename(player="user")
async def block(interaction: Interaction, player: discord.User) -> None:
    """Block somebody."""
    async with answering(interaction) as answer:
        desk, user, other = interaction.client.desk, UserId(interaction.user.id), UserId(player.id)
        taken_back = await desk.blocks.block(user, other, other_is_bot=player.bot)
        await answer.privately(messages.blocked(answer.reader, other))
        for row in taken_back:
            await take_down(desk, row)


@preferences.command(description="Let someone challenge you again")
@app_commands.describe(player="Who you have blocked")
@app_commands.rename(player="user")
async def unblock(interaction: Interaction, player: discord.User) -> None:
    """Block somebody no more."""
    async with answering(interaction) as answer:
        desk, user, other = interaction.client.desk, UserId(interaction.user.id), UserId(player.id)
        await desk.blocks.unblock(user, other)
        await answer.privately(messages.unblocked(answer.reader, other))


def _of(interaction: Interaction) -> tuple[Choices, UserId]:
    return interaction.client.desk.choices, UserId(interaction.user.id)
