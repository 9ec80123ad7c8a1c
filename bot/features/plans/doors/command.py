"""/plan: what one decides for later turns, which nobody else sees."""

from discord import app_commands

from bot.base.ids import SourceId, UserId
from bot.features.plans.doors.buttons import say_planned
from bot.features.plans.use_cases import Planning
from bot.features.plans.words import TryingBoard, plan_given_up, plan_shown
from bot.play.doors.interactions import Interaction, answering, anywhere, channel_of
from bot.play.model.ahead.reading import LONGEST_LINES

plan = app_commands.Group(name="plan", description="Decide your next moves ahead, secretly")
anywhere(plan)


@plan.command(name="set", description="Set your plan; it replaces the one before")
@app_commands.describe(
    moves="Such as: if d2-d4 then e3-e5; else ask. While placing: b2 c3, else next free"
)
async def make(interaction: Interaction, moves: app_commands.Range[str, 1, LONGEST_LINES]) -> None:
    async with answering(interaction) as answer:
        game, made = await interaction.client.services.of(Planning).make(
            channel_of(interaction),
            UserId(interaction.user.id),
            moves,
            source=SourceId(interaction.id),
            named=answer.reader.coordinates,
        )
        await say_planned(answer, game, made)


@plan.command(description="Show your plan, and change it; only you see it")
async def show(interaction: Interaction) -> None:
    async with answering(interaction) as answer:
        game, found = await interaction.client.services.of(Planning).show(
            channel_of(interaction), UserId(interaction.user.id)
        )
        board = answer.services.get(TryingBoard)
        await answer.privately(plan_shown(answer.reader, game, found, board))


@plan.command(description="Clear your plan")
async def cancel(interaction: Interaction) -> None:
    async with answering(interaction) as answer:
        was_there = await interaction.client.services.of(Planning).give_up(
            channel_of(interaction), UserId(interaction.user.id)
        )
        await answer.privately(plan_given_up(answer.reader, was_there=was_there))
