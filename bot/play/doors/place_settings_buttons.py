"""The form of what moderators choose for a channel and its server: language, theme, coordinates."""

from dataclasses import replace
from typing import Any, Final

import discord

from bot.base.locales import languages
from bot.connection.from_id import FromId
from bot.play.doors.answers import Answer, answering
from bot.play.doors.commands import guild_of
from bot.play.doors.own_settings_buttons import one_of
from bot.play.doors.rights import Scope, check
from bot.play.doors.venues import venue
from bot.play.model.preferences import Style
from bot.play.model.refusals.playing import TurnOver
from bot.play.model.terms import Defaults
from bot.play.words.settings import place_style
from bot.play.words.styles import AS_USUAL
from dvonn import Coordinates
from renderer import THEMES

HERE: Final = "here"
SERVER: Final = "server"
_SCOPES: Final = {HERE: Scope.CHANNEL, SERVER: Scope.SERVER}
"""Scope of permissions that each page requires."""
_ID: Final = rf"dvonn:style:(?P<where>{HERE}|{SERVER})"


class StylePageButton(FromId, template=rf"{_ID}:show"):
    """Leads from a channel's choices to its server's, and back."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the other page."""
        async with answering(interaction) as answer:
            check(interaction, _SCOPES[self.found["where"]])
            await show_style(answer, self.found["where"])


class StyleSelect(FromId, template=rf"{_ID}:(?P<action>language|theme|coordinates)"):
    """A list of the form: what is chosen there holds at once."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Choose, and show all that is chosen now."""
        async with answering(interaction) as answer:
            check(interaction, _SCOPES[self.found["where"]])
            try:
                await self._choose(answer, self.chosen)
            except ValueError as error:  # somebody has forged a choice
                raise TurnOver from error
            answer.reader = await interaction.client.services.readers.asker(interaction)
            await show_style(answer, self.found["where"])

    async def _choose(self, answer: Answer, value: str) -> None:
        services, guild = answer.interaction.client.services, guild_of(answer.interaction)
        home = venue(answer.interaction).home
        if self.found["where"] == HERE:
            style = _with(await services.styles.of_channel(guild, home), self.action, value)
            await services.styles.choose_for_channel(guild, home, style)
            return
        style = _with(await services.styles.of_server(guild), self.action, value)
        if self.action == "coordinates":
            usual = style.coordinates or Defaults().coordinates
            await services.servers.play_by_default(guild, coordinates=usual)
        else:
            await services.styles.choose_for_server(guild, style)


async def show_style(answer: Answer, where: str = HERE) -> None:
    """Show what is chosen for the channel that somebody is in, or for its server."""
    asked = answer.interaction
    services, guild, home = asked.client.services, guild_of(asked), venue(asked).home
    server = await services.styles.of_server(guild)
    here = await services.styles.of_channel(guild, home) if where == HERE else None
    await answer.view(place_style(answer.reader, home, server, here))


def _with(style: Style, what: str, value: str) -> Style:
    """Choose one thing anew.

    Raises:
        ValueError: if that is no choice.
    """
    match what:
        case "language":
            return replace(style, language=one_of(value, languages()))
        case "theme":
            return replace(style, theme=one_of(value, THEMES))
        case _:
            return replace(style, coordinates=None if value == AS_USUAL else Coordinates(value))
