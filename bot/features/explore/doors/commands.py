"""/show, for any pasted or uploaded game, and the entry under Apps of a board's message."""

import re
from typing import Any

import discord
from discord import app_commands

from bot.base.locales import Reader
from bot.connection.forms import paragraph, typed
from bot.connection.requests import TROUBLE
from bot.features.explore.doors.looking import show_explore
from bot.play.doors.interactions import Answer, Interaction, answering, anywhere, in_help
from bot.play.doors.looking import show_replay, shown_board
from bot.play.model.courses import Spot, course_of, see
from bot.play.model.pasted import LONGEST, read
from bot.play.model.refusals import BadPaste, PasteProblem
from bot.play.words.help import Surroundings
from bot.play.words.replay import show_form
from dvonn import Coordinates

_LONGEST_OPTION = 6_000
_LONGEST_FORM = 4_000
"""The most characters that Discord takes there."""
_FORM = re.compile(r"dvonn:show:(?P<move>[0-9]{1,3})?")
_FIELD = "pasted"
_LAST_PLY = 200
"""No game is longer."""


def _show_help(reader: Reader, around: Surroundings) -> str:
    return reader.gettext("{command} shows a position or a game that you paste or upload.").format(
        command=around.command("show")
    )


@in_help(_show_help)
@app_commands.command(description="Show a position or game that you paste or upload")
@app_commands.describe(
    text="A game record, a list of moves, or a position; empty: a form to paste into",
    file="The same as a text file",
    move="After which move; empty: the last one",
)
@anywhere
async def show(
    interaction: Interaction,
    text: app_commands.Range[str, 1, _LONGEST_OPTION] | None = None,
    file: discord.Attachment | None = None,
    move: app_commands.Range[int, 0, _LAST_PLY] | None = None,
) -> None:
    async with answering(interaction) as answer:
        if file is not None:
            await _show(answer, await _read(file), move)
        elif text is not None:
            await _show(answer, text, move)
        else:
            where = "dvonn:show:" + ("" if move is None else str(move))
            words = show_form(answer.reader)
            await answer.form(paragraph(words, where, _FIELD, _LONGEST_FORM))


async def read_shown(interaction: Interaction) -> None:
    """Show what was pasted into a form, if it is ours."""
    data: Any = interaction.data or {}
    match = _FORM.fullmatch(str(data.get("custom_id", "")))
    if match is None:
        return
    async with answering(interaction) as answer:
        ply = None if match["move"] is None else int(match["move"])
        await _show(answer, typed(data, _FIELD), ply)


async def _read(file: discord.Attachment) -> str:
    """Return the text of a file, which is measured before it is fetched.

    Raises:
        BadPaste: if it is too long, or no text.
    """
    if file.size > LONGEST:
        raise BadPaste(PasteProblem.TOO_LONG, limit=LONGEST)
    try:
        return (await file.read()).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadPaste(PasteProblem.NOT_TEXT) from error
    except TROUBLE as error:
        raise BadPaste(PasteProblem.EMPTY) from error


async def _show(answer: Answer, text: str, ply: int | None) -> None:
    """Show a ply of what a text tells, the last one where it goes no further."""
    course = read(text, answer.reader.naming(Coordinates.STANDARD))
    last = course.plies
    await show_replay(answer, see(Spot(None, last if ply is None else min(ply, last)), course))


@app_commands.context_menu(name="Explore from here")
@anywhere
async def explore_from_here(interaction: Interaction, message: discord.Message) -> None:
    """Try moves on a board of one's own, from that board on."""
    async with answering(interaction) as answer:
        number, revision = shown_board(interaction, message)
        game, ply, line = await interaction.client.services.history.at_board(number, revision)
        await show_explore(answer, see(Spot(number, ply, line), course_of(game), game))
