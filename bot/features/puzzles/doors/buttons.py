"""The buttons beside puzzles: how one stands, and the table of a month."""

from datetime import date

from bot.base.ids import NO_GUILD, GuildId
from bot.features.puzzles.use_cases.dailies import Dailies
from bot.features.puzzles.use_cases.puzzles import Puzzles
from bot.features.puzzles.words.dailies import daily_table
from bot.features.puzzles.words.puzzles import MINE_ID, solver_shown
from bot.play.doors.interactions import Answer, Component
from bot.play.model.refusals import NoSuchPly


class MyPuzzlesButton(Component, template=MINE_ID):
    """The button to the presser's own record with puzzles."""

    async def respond(self, answer: Answer) -> None:
        """Show it to the presser alone."""
        services, user = answer.services, answer.user
        post = solver_shown(answer.reader, *await services.of(Puzzles).history(user))
        await answer.privately(post)


class DailyTableButton(Component, template=r"dvonn:daily:(?P<day>\d{4}-\d\d-\d\d):table"):
    """The button to the table of puzzles of the day in a month."""

    async def respond(self, answer: Answer) -> None:
        """Show the table of the day's month."""
        try:
            day = date.fromisoformat(self.found["day"])
        except ValueError as error:
            raise NoSuchPly from error
        guild = GuildId(answer.interaction.guild_id or NO_GUILD)
        rows = await answer.services.of(Dailies).month(guild, day)
        await answer.privately(daily_table(answer.reader, day, rows))
