"""Switches that people turn on and off for themselves: the game or a feature declares each.

A switch is a column of the table `players`, a line on a page of /settings, and a choice in a list.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.base.ids import UserId
from bot.base.locales import Reader
from bot.play.model.preferences import OwnSwitch


class SwitchList(StrEnum):
    """The list in which a switch is turned, by its name in the list's custom id."""

    ON = "on"
    """List on the page on turns, for services to somebody."""
    SEEN = "seen"
    """List on the page on language and boards, for things that somebody alone sees."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """A switch with its words."""

    of: OwnSwitch
    at: SwitchList = SwitchList.ON
    label: Callable[[Reader], str]
    """Names it in its list."""
    hint: Callable[[Reader], str]
    """Says more below the label."""
    line: Callable[[Reader, bool], str]
    """Says on the page whether it is on."""
    turned_off: Callable[[AsyncConnection, UserId], Awaitable[None]] | None = None
    """Action in the transaction in which somebody turns it off."""
