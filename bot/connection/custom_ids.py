"""Buttons and selects that are read from their ids."""

import re
from typing import Any, Self

import discord

from bot.base.ids import GameId, Revision

_NUMBER = re.compile(r"[0-9]{1,18}")
"""Number in an id: a database keeps no greater one."""


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
    def chosen(self) -> str:
        """The first choice in a list; empty if there is none."""
        values: list[str] = self.item.values
        return next(iter(values), "")

    @property
    def number(self) -> int | None:
        """The number that was chosen in a list of numbers; None for what cannot be one of them."""
        return int(self.chosen) if _NUMBER.fullmatch(self.chosen) else None

    @property
    def action(self) -> str:
        """The action in the custom id, where the template has a group of that name."""
        return self.found["action"]

    @property
    def game(self) -> GameId:
        """The game, where the template has a group of that name."""
        return GameId(int(self.found["game"]))

    @property
    def revision(self) -> Revision:
        """The revision for which it was shown, where the template has a group of that name."""
        return Revision(int(self.found["revision"]))
