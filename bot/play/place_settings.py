"""Choices of moderators for a feature: a subcommand of /setup, and its line in the list."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from discord import app_commands

from bot.base.ids import GuildId
from bot.base.locales import Reader
from bot.play.model.terms import GuildRules
from bot.play.use_cases.cases import UseCases

Line = Callable[[UseCases, Reader, GuildId, GuildRules], Awaitable[str | None]]
"""Tells what a server has chosen; None: nothing that is worth a line."""


@dataclass(frozen=True, kw_only=True)
class PlaceSetting:
    """A feature's part of /setup."""

    command: app_commands.Command[Any, ..., Any]
    rank: int
    """Rank of the subcommand among the game's: behind those of a lower rank."""
    line: Line
