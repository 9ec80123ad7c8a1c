"""The commands /puzzle and /setup puzzle, and the buttons of puzzles."""

from datetime import date
from typing import Literal

from discord import app_commands

from bot.base.ids import GuildId
from bot.base.languages import Reader
from bot.people.handlers.moderation import log_action
from bot.people.handlers.setup_options import RoomOption, moderated_server
from bot.play.handlers import interactions
from bot.play.handlers.option_choices import choice, zones
from bot.play.model.refused_starts import MissingPermissions
from bot.play.model.terms import GuildRules
from bot.play.use_cases.use_cases import UseCases
from bot.replay.model.refusals import NoSuchPly
from dvonn import IllegalMoveError, Move
from dvonn_lessons.puzzles import PuzzleTheme
from school.exercises.handlers import Exercise, ExerciseRequest, begin
from school.exercises.words import ExerciseView
from school.practice.use_cases import Practicing
from school.practice.words import with_practice
from school.puzzles.dailies import Dailies, DailyTable
from school.puzzles.use_cases import Puzzles
from school.puzzles.words.dailies import daily_chosen, daily_table
from school.puzzles.words.puzzles import (
    MINE_ID,
    PUZZLE,
    puzzle_answered,
    puzzle_asked,
    puzzle_solution,
    server_games_label,
    solver_shown,
    theme_name,
)

_HERE = "here"
"""Value of the command's option for puzzles from the server's own games."""

_THEMES = [
    choice(_HERE, server_games_label),
    *(choice(theme.value, theme_name, theme) for theme in PuzzleTheme),
]


@interactions.in_help()
@app_commands.command(description="Solve a puzzle: find the one right move; only you see it")
@app_commands.describe(theme="Topic (empty: any)")
@app_commands.choices(theme=_THEMES)
@interactions.anywhere
async def puzzle(interaction: interactions.Interaction, theme: str | None = None) -> None:
    async with interactions.answering(interaction) as answer:
        is_here = theme == _HERE
        chosen = None if theme is None or is_here else PuzzleTheme(theme)
        puzzles = answer.services.require(Puzzles)
        key = await puzzles.give(answer.user, answer.guild, chosen, is_here=is_here)
        view = puzzle_asked(answer.reader, key.key, (), is_again=key.is_again)
        due = await answer.services.require(Practicing).due(answer.user)
        await begin(answer, with_practice(answer.reader, view, due))


class MyPuzzlesButton(interactions.Component, template=MINE_ID):
    """Button that shows the puzzle record of the user who presses it."""

    async def respond(self, answer: interactions.Answer) -> None:
        history = await answer.services.require(Puzzles).history(answer.user)
        await answer.send_private(solver_shown(answer.reader, *history))


class DailyTableButton(
    interactions.Component, template=r"dvonn:daily:(?P<day>\d{4}-\d\d-\d\d):table"
):
    """Button that shows a month's results in the puzzles of the day."""

    async def respond(self, answer: interactions.Answer) -> None:
        try:
            day = date.fromisoformat(self.match["day"])
        except ValueError as error:
            raise NoSuchPly from error
        rows = await answer.services.require(Dailies).month(answer.guild, day)
        await answer.send_private(daily_table(answer.reader, day, rows))


@app_commands.command(
    name="puzzle", description="Post a puzzle of the day; without options, show what is chosen"
)
@app_commands.describe(
    post="off: no more puzzles of the day",
    room="The channel",
    time="Such as 9:00 or 6 pm, by this server's clocks",
    name="Type your city or region, as in Europe/Rome",
)
@app_commands.rename(room="channel", name="zone")
async def set_up_puzzle(
    interaction: interactions.Interaction,
    post: Literal["on", "off"] | None = None,
    room: RoomOption | None = None,
    time: str | None = None,
    name: str | None = None,
) -> None:
    async with interactions.answering(interaction) as answer:
        _, guild = moderated_server(interaction)
        table = answer.services.store.queries(DailyTable)
        if post == "off":
            await table.stop(guild)
        elif post or room or time or name:
            named = None if room is None else room.checked_id()
            if named is not None and (missing := answer.services.publisher.channels.missing(named)):
                raise MissingPermissions(missing)
            await answer.services.require(Dailies).choose(guild, named, time, name)
        if post or room or time or name:
            await log_action(answer)
        setting = await table.setting(guild)
        await answer.send_private(daily_chosen(answer.reader, setting, tells_how=post != "off"))


set_up_puzzle.autocomplete("name")(zones)


async def _line(cases: UseCases, reader: Reader, guild: GuildId, _rules: GuildRules) -> str | None:
    return daily_chosen(reader, await cases.store.queries(DailyTable).setting(guild)).content


PLACE_SETTINGS = (interactions.PlaceSetting(command=set_up_puzzle, rank=3, line=_line),)


class PuzzleExercise(Exercise):
    """Puzzles as exercises. A key consists of a puzzle's id and source."""

    name = PUZZLE

    async def show(self, request: ExerciseRequest) -> ExerciseView:
        key = await self.services.require(Puzzles).find(request.guild, request.state.key)
        is_new = await self.services.require(Puzzles).is_new(request.user, key)
        try:
            return puzzle_asked(request.reader, key, request.state.line, is_new=is_new)
        except IllegalMoveError as error:
            raise NoSuchPly from error

    async def answer(self, request: ExerciseRequest, move: Move) -> ExerciseView:
        puzzles = self.services.require(Puzzles)
        key = await puzzles.find(request.guild, request.state.key)
        result = await puzzles.answer(request.user, request.guild, key, request.state.line, move)
        is_new = await puzzles.is_new(request.user, key)
        return puzzle_answered(request.reader, result, is_new=is_new)

    async def press(self, request: ExerciseRequest, action: str) -> ExerciseView:
        key = await self.services.require(Puzzles).find(request.guild, request.state.key)
        match action:
            case "solve" if key.day is None:
                solution = await self.services.require(Puzzles).give_up(
                    request.user, request.guild, key, request.state.line
                )
                return puzzle_solution(request.reader, solution)
            case "next":
                next_key = await self.services.require(Puzzles).give(
                    request.user, request.guild, key.theme, is_here=key.here
                )
                return puzzle_asked(request.reader, next_key.key, (), is_again=next_key.is_again)
            case _:
                raise NoSuchPly
