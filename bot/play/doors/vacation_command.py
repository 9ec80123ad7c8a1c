"""/settings vacation: some days a year on which a player's clocks stand still."""

from discord import app_commands

from bot.base.ids import UserId
from bot.play.doors.answers import answering
from bot.play.doors.services import Interaction
from bot.play.use_cases.vacations import ALLOWANCE
from bot.play.words.vacations import vacation_ended, vacation_started, vacations

_LONGEST_DATE = 40

vacation = app_commands.Group(
    name="vacation", description="Pause your clocks for some days, except in live games"
)


@vacation.command(description="Pause your clocks, now or from a date on")
@app_commands.describe(
    days="How many days",
    first_day="First day, such as Monday, 24 December or 2026-12-24; empty: now",
)
@app_commands.rename(first_day="from")
async def start(
    interaction: Interaction,
    days: app_commands.Range[int, 1, ALLOWANCE.days],
    first_day: app_commands.Range[str, 1, _LONGEST_DATE] | None = None,
) -> None:
    """Begin a vacation."""
    async with answering(interaction) as answer:
        absence = await interaction.client.services.vacations.start(
            UserId(interaction.user.id), days, first_day, answer.reader.locale
        )
        await answer.privately(vacation_started(answer.reader, absence))


@vacation.command(description="End your vacation, or cancel the next one")
async def end(interaction: Interaction) -> None:
    """End a vacation."""
    async with answering(interaction) as answer:
        ended, absence = await interaction.client.services.vacations.end(
            UserId(interaction.user.id)
        )
        await answer.privately(vacation_ended(answer.reader, ended, absence))


@vacation.command(description="Show your vacations and the days you have left")
async def show(interaction: Interaction) -> None:
    """Show vacations."""
    async with answering(interaction) as answer:
        absence = await interaction.client.services.vacations.of(UserId(interaction.user.id))
        await answer.privately(vacations(answer.reader, absence))
