"""Switches that users can turn on or off for themselves, including the game's own switches."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.base.ids import UserId
from bot.base.languages import Reader
from bot.database.connection import AsyncConnection
from bot.play.model.preferences import (
    AUTOMATIC,
    MENTIONS,
    PREVIEW,
    SAVED,
    SIDE,
    WORDS,
    OwnSwitch,
)


class SwitchList(StrEnum):
    """The select that contains a switch, as named in the select's custom id."""

    ON = "on"
    """The select on the page about turns, for things that the bot does for the user."""
    SEEN = "seen"
    """The select on the page about language and boards, for the user's private views."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """A switch with its texts."""

    of: OwnSwitch
    at: SwitchList = SwitchList.ON
    label: Callable[[Reader], str]
    """The switch's label in the select."""
    hint: Callable[[Reader], str]
    """The hint below the label."""
    turned_off: Callable[[AsyncConnection, UserId], Awaitable[None]] | None = None
    """Work in the transaction that turns the switch off for a user."""


OWN_SWITCHES: Final = (
    Switch(
        of=MENTIONS,
        label=lambda reader: reader.gettext("Ping me when it's my turn"),
        hint=lambda reader: reader.gettext("Off: I name you without pinging you"),
    ),
    Switch(
        of=AUTOMATIC,
        label=lambda reader: reader.gettext("Play my forced moves"),
        hint=lambda reader: reader.gettext("When I have only one move"),
    ),
    Switch(
        of=SAVED,
        label=lambda reader: reader.gettext("Take a vacation before I lose on time"),
        hint=lambda reader: reader.gettext("Up to 3 days at once, while I have some left"),
    ),
    Switch(
        of=PREVIEW,
        label=lambda reader: reader.gettext("Show my moves before they are played"),
        hint=lambda reader: reader.gettext("Doesn't apply to moves you type in the chat"),
    ),
    Switch(
        of=SIDE,
        at=SwitchList.SEEN,
        label=lambda reader: reader.gettext("My side at the bottom"),
        hint=lambda reader: reader.gettext("Turn the board when I play Black"),
    ),
    Switch(
        of=WORDS,
        at=SwitchList.SEEN,
        label=lambda reader: reader.gettext("Boards in words"),
        hint=lambda reader: reader.gettext("For listening: each turn is a new message"),
    ),
)
