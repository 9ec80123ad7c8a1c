"""/settings: what players choose for themselves."""

from collections.abc import Callable
from functools import partial
from typing import Literal

import discord
from discord import app_commands

from bot import messages
from bot.edge.answers import answering
from bot.edge.buttons.challenges import take_down
from bot.edge.buttons.own_settings import show_turns
from bot.edge.commands.common import TextChoices, anywhere, in_help, zone_choices
from bot.edge.commands.vacation import vacation
from bot.edge.desk import Interaction
from bot.edge.translator import FOR_READER
from bot.games import Choices
from bot.locales import IN_ENGLISH, Reader
from bot.messages import Option, Surroundings
from bot.model.ids import UserId
from bot.model.preferences import Ahead, RemindBy
from bot.model.time_words import NONE, plain

_ON = "on"


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
        await answer.view(messages.privacy(answer.reader))


@settings.command(description="Set whether I ping you when it is your turn")
@app_commands.describe(ping="off: boards name you without pinging")
async def mentions(interaction: Interaction, ping: Literal["on", "off"]) -> None:
    """Turn mentions on or off."""
    async with answering(interaction) as answer:
        choices, user = _of(interaction)
        chosen = await choices.set_mentions(user, on=ping == _ON)
        await show_turns(answer, chosen)


@settings.command(description="Set whether I play a move for you when it is your only one")
@app_commands.describe(moves="on: I play it at once")
async def automatic(interaction: Interaction, moves: Literal["on", "off"]) -> None:
    """Let only moves be played, or not."""
    async with answering(interaction) as answer:
        choices, user = _of(interaction)
        chosen = await choices.set_automatic(user, on=moves == _ON)
        await show_turns(answer, chosen)


@settings.command(description="Set whether I review your games when they are over")
@app_commands.describe(games="off: the last board of your games tells of no review")
async def reviews(interaction: Interaction, games: Literal["on", "off"]) -> None:
    """Have games reviewed unasked, or not."""
    async with answering(interaction) as answer:
        choices, user = _of(interaction)
        chosen = await choices.set_reviews(user, on=games == _ON)
        await show_turns(answer, chosen)


@settings.command(description="Set whether your games may become puzzles for their server")
@app_commands.describe(games="on: if the other player allows it, too; no names are shown")
async def puzzles(interaction: Interaction, games: Literal["on", "off"]) -> None:
    """Let games become puzzles, or not."""
    async with answering(interaction) as answer:
        choices, user = _of(interaction)
        chosen = await choices.set_puzzles(user, on=games == _ON)
        await show_turns(answer, chosen)


@settings.command(description="Set your time zone, for quiet hours and vacations")
@app_commands.describe(name="Type your city or region, as in Europe/Rome")
async def zone(interaction: Interaction, name: str) -> None:
    """Choose a time zone."""
    async with answering(interaction) as answer:
        choices, user = _of(interaction)
        chosen = await choices.set_zone(user, name)
        await show_turns(answer, chosen)


@zone.autocomplete("name")
async def _zones(_interaction: Interaction, typed: str) -> TextChoices:
    return zone_choices(typed)


@settings.command(description="No reminders between these times")
@app_commands.describe(
    begins="Such as 22:00 or 10 pm; off ends quiet hours",
    until="Such as 8:00, also of the next morning",
)
@app_commands.rename(begins="from")
async def quiet(interaction: Interaction, begins: str, until: str | None = None) -> None:
    """Choose quiet hours."""
    async with answering(interaction) as answer:
        choices, user = _of(interaction)
        if plain(begins) in NONE:
            chosen = await choices.set_loud(user)
        else:
            chosen = await choices.set_quiet(user, begins, until or "")
        await show_turns(answer, chosen)


@settings.command(description="Set how and when I remind you before your time runs out")
@app_commands.describe(by="How; empty: unchanged", at="When; empty: unchanged")
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
        await show_turns(answer, chosen)


@settings.command(description="Stop someone's challenges; they aren't told")
@app_commands.describe(player="They can't start games with you; running games go on")
@app_commands.rename(player="user")
async def block(interaction: Interaction, player: discord.User) -> None:
    """Block somebody."""
    async with answering(interaction) as answer:
        desk, user, other = interaction.client.desk, UserId(interaction.user.id), UserId(player.id)
        taken_back = await desk.blocks.block(user, other, other_is_bot=player.bot)
        await answer.privately(messages.blocked(answer.reader, other))
        for row in taken_back:
            await take_down(desk, row)


@settings.command(description="Let someone challenge you again")
@app_commands.describe(player="Who you've blocked")
@app_commands.rename(player="user")
async def unblock(interaction: Interaction, player: discord.User) -> None:
    """Block somebody no more."""
    async with answering(interaction) as answer:
        desk, user, other = interaction.client.desk, UserId(interaction.user.id), UserId(player.id)
        await desk.blocks.unblock(user, other)
        await answer.privately(messages.unblocked(answer.reader, other))


def _of(interaction: Interaction) -> tuple[Choices, UserId]:
    return interaction.client.desk.choices, UserId(interaction.user.id)
