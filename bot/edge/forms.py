"""The form for typing a move, under a board."""

import re
from typing import Any

import discord

from bot import messages
from bot.edge.answers import answering
from bot.edge.desk import Interaction
from bot.locales import Reader
from bot.model.game import Game
from bot.model.ids import GameId, SourceId, UserId
from bot.model.lists import LONGEST

_FORM_ID = re.compile(r"dvonn:form:(?P<game>[0-9]{1,18})")
_FIELD_ID = "move"


def move_form(reader: Reader, game: Game) -> discord.ui.Modal:
    """A form with one line for a move."""
    words = messages.move_form(reader, game)
    form = discord.ui.Modal(title=words.title, custom_id=f"dvonn:form:{game.row.id}")
    line: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id=_FIELD_ID, placeholder=words.placeholder, max_length=LONGEST
    )
    form.add_item(discord.ui.Label(text=words.label, component=line))
    return form


async def read_form(interaction: Interaction) -> None:
    """Play what was typed into a form, if it is ours. It may have been opened before a restart."""
    data: Any = interaction.data or {}
    match = _FORM_ID.fullmatch(str(data.get("custom_id", "")))
    if match is None:
        return
    async with answering(interaction) as answer:
        desk = interaction.client.desk
        update = await desk.games.type_in(
            GameId(int(match["game"])),
            UserId(interaction.user.id),
            _typed(data),
            source=SourceId(interaction.id),
        )
        await answer.publish(update, answer.privately(messages.played(answer.reader, update)))


def _typed(data: Any) -> str:
    for row in data.get("components", ()):
        for field in (row.get("component"), *row.get("components", ())):
            if field is not None and field.get("custom_id") == _FIELD_ID:
                return str(field.get("value", ""))
    return ""
