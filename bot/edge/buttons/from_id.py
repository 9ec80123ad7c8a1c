"""Buttons and selects that are read from their ids."""

import re
from typing import Any, Self

import discord

from bot.model.ids import GameId, Revision


class FromId(discord.ui.DynamicItem[Any], template=r"(?!)"):
    """A button or select whose id says what it does; `found` is what the template found in it."""

    def __init__(self, item: discord.ui.Item[Any], found: re.Match[str]) -> None:
        super().__init__(item)
        self.found = found

    @classmethod
    async def from_custom_id(
        cls,
        _interaction: discord.Interaction[Any],
        item: discord.ui.Item[Any],
        match: re.Match[str],
        /,
    ) -> Self:
        """Read the id."""
        return cls(item, match)

    @property
    def action(self) -> str:
        """What is to be done, where the template has a group of that name."""
        return self.found["action"]

    @property
    def game(self) -> GameId:
        """The game, where the template has a group of that name."""
        return GameId(int(self.found["game"]))

    @property
    def revision(self) -> Revision:
        """The revision for which it was shown, where the template has a group of that name."""
        return Revision(int(self.found["revision"]))
