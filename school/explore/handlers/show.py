"""The command /show, which shows a pasted or uploaded position or game."""

import re
from typing import Any

import discord
from discord import app_commands

from bot.connection.forms import paragraph, typed_text
from bot.connection.request_errors import DISCORD_ERRORS
from bot.play.handlers import interactions
from bot.replay.handlers.views import show_replay
from bot.replay.model.pasted import LONGEST, LONGEST_FILE
from bot.replay.model.refusals import BadPaste, PasteProblem
from bot.replay.model.replays import ReplayCursor, view_at
from bot.replay.use_cases.pasted_texts import PastedTexts
from dvonn import Coordinates
from school.explore.words.boards import show_form

_LONGEST_OPTION = 6_000
_LONGEST_FORM = 4_000
"""Maximum number of characters (Discord's limit)."""
_PASTED = "pasted"
_LAST_PLY = 200
"""Maximum number of moves in a game."""


@interactions.in_help()
@app_commands.command(description="Show a position or game that you paste or upload")
@app_commands.describe(
    text="A game record, a list of moves, or a position; empty: a form to paste into",
    file="The same as a text file",
    move="After which move; empty: a game from its start, else the end",
)
@interactions.anywhere
async def show(
    interaction: interactions.Interaction,
    text: app_commands.Range[str, 1, _LONGEST_OPTION] | None = None,
    file: discord.Attachment | None = None,
    move: app_commands.Range[int, 0, _LAST_PLY] | None = None,
) -> None:
    async with interactions.answering(interaction) as answer:
        if file is not None:
            await _show(answer, await _read(file), move)
        elif text is not None:
            await _show(answer, text, move)
        else:
            form_id = "dvonn:show:" + ("" if move is None else str(move))
            words = show_form(answer.reader)
            await answer.form(paragraph(words, form_id, _PASTED, _LONGEST_FORM))


@interactions.form(r"dvonn:show:(?P<move>[0-9]{1,3})?")
async def read_shown(answer: interactions.Answer, match: re.Match[str], data: Any) -> None:
    ply = None if match["move"] is None else int(match["move"])
    await _show(answer, typed_text(data, _PASTED), ply)


async def _read(file: discord.Attachment) -> bytes:
    """Download an attachment, after checking its size.

    Raises:
        BadPaste: if the file is too long, or can't be downloaded.
    """
    if file.size > LONGEST_FILE:
        raise BadPaste(PasteProblem.TOO_LONG, limit=LONGEST)
    try:
        return await file.read()
    except DISCORD_ERRORS as error:
        raise BadPaste(PasteProblem.EMPTY) from error


async def _show(answer: interactions.Answer, text: str | bytes, ply: int | None) -> None:
    named = answer.reader.coordinates_or(Coordinates.STANDARD)
    course = await answer.services.require(PastedTexts).read(text, answer.user, named)
    if ply is None:
        ply = 0 if course.headers else course.plies
    await show_replay(answer, view_at(ReplayCursor(None, min(ply, course.plies)), course))
