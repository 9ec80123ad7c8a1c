"""/vacation: some days a year on which a player's clocks stand still."""

from discord import app_commands

from bot import messages
from bot.edge.answers import answering
from bot.edge.commands.common import anywhere, by_server
from bot.edge.desk import Interaction
from bot.games.vacations import ALLOWANCE
from bot.model.ids import UserId

_LONGEST_DATE = 40

vacation = app_commands.Group(
    name="vacation", description="Stop your clocks for some days, in all games but live ones"
)
anywhere(vacation)
by_server(vacation)


@vacation.command(description="Begin a vacation, or plan one")
@app_commands.describe(
    days="How many days of 24 hours",
    first_day="The date on which it begins, in your time zone, as in 2026-12-24. Left out: now",
)
@app_commands.rename(first_day="from")
async def start(
    interaction: Interaction,
    days: app_commands.Range[int, 1, ALLOWANCE.days],
    first_day: app_commands.Range[str, 1, _LONGEST_DATE] | None = None,
) -> None:
    """Begin a vacation."""
    async with answering(interaction) as answer:
        absence = await interaction.client.desk.vacations.start(
            UserId(interaction.user.id), days, first_day
        )
        await answer.privately(messages.vacation_started(answer.reader, absence))


@vacation.command(description="End your vacation, or cancel the next one that you have planned")
async def end(interaction: Interaction) -> None:
    """End a vacation."""
    async with answering(interaction) as answer:
        ended, absence = await interaction.client.desk.vacations.end(UserId(interaction.user.id))
        await answer.privately(messages.vacation_ended(answer.reader, ended, absence))


@vacation.command(description="Show your vacations, and how many days you have left")
async def show(interaction: Interaction) -> None:
    """Show vacations."""
    async with answering(interaction) as answer:
        absence = await interaction.client.desk.vacations.of(UserId(interaction.user.id))
        await answer.privately(messages.vacations(answer.reader, absence))
