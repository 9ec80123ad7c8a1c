"""/plan: lists of spaces for later turns, which nobody else sees."""

from discord import app_commands

from bot import messages
from bot.edge.answers import answering
from bot.edge.commands.common import anywhere, channel_of
from bot.edge.desk import Interaction
from bot.games.update import Update
from bot.model.courtesies import LONGEST
from bot.model.ids import SourceId, UserId

plan = app_commands.Group(name="plan", description="Queue placements secretly")
anywhere(plan)


@plan.command(name="set", description="Set your list; it replaces the one before")
@app_commands.describe(spaces="Such as b2 c3 d4, or b2, c3, else next free")
async def make(interaction: Interaction, spaces: app_commands.Range[str, 1, LONGEST]) -> None:
    """Make a list."""
    async with answering(interaction) as answer:
        game, made = await interaction.client.desk.planning.make(
            channel_of(interaction),
            UserId(interaction.user.id),
            spaces,
            source=SourceId(interaction.id),
        )
        if isinstance(made, Update):
            await answer.publish(made, answer.privately(messages.played(answer.reader, made)))
        else:
            await answer.privately(messages.plan_made(answer.reader, game, made))


@plan.command(description="Show your list; only you see it")
async def show(interaction: Interaction) -> None:
    """Show the list."""
    async with answering(interaction) as answer:
        game, found = await interaction.client.desk.planning.show(
            channel_of(interaction), UserId(interaction.user.id)
        )
        await answer.privately(messages.plan_shown(answer.reader, game, found))


@plan.command(description="Clear your list")
async def cancel(interaction: Interaction) -> None:
    """Forget the list."""
    async with answering(interaction) as answer:
        was_there = await interaction.client.desk.planning.give_up(
            channel_of(interaction), UserId(interaction.user.id)
        )
        await answer.privately(messages.plan_given_up(answer.reader, was_there=was_there))
