"""Choices and acts of organizers. Everyone can read the acts in the tournament's log."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from bot.base.errors import BotError
from bot.base.ids import SourceId, UserId
from club.tournaments.model.tournament import Pairing, PairingResult, TournamentTerms


class OrganizerChoice(StrEnum):
    """The choices of an organizer, in the order of the menu.

    The values are stored, and are parts of custom ids.
    """

    BEGIN = "begin"
    EDIT = "edit"
    ADD = "add"
    REMOVE = "remove"
    EXTEND = "extend"
    CORRECT = "correct"
    STOP = "stop"
    RESUME = "resume"
    HELPER = "helper"
    """A second organizer was chosen or removed."""
    COPY = "copy"
    """This choice and the exports change nothing, so they are not logged."""
    CSV = "csv"
    TRF = "trf"
    CALL_OFF = "off"


@dataclass(frozen=True, slots=True)
class Begin:
    """Start now, with everyone who has joined or checked in."""

    choice: ClassVar = OrganizerChoice.BEGIN


@dataclass(frozen=True, slots=True)
class Edit:
    """Change the name, start, rounds or clock."""

    choice: ClassVar = OrganizerChoice.EDIT
    change: Callable[[TournamentTerms], TournamentTerms]


@dataclass(frozen=True, slots=True)
class AddPlayer:
    """Enter a player, or bring one back."""

    choice: ClassVar = OrganizerChoice.ADD
    player: UserId
    source: SourceId


@dataclass(frozen=True, slots=True)
class RemovePlayer:
    """Take a player out."""

    choice: ClassVar = OrganizerChoice.REMOVE
    player: UserId


@dataclass(frozen=True, slots=True)
class Extend:
    """Extend an unfinished game beyond the end of its round."""

    choice: ClassVar = OrganizerChoice.EXTEND
    place: tuple[int, int]
    """The round and board of the game."""
    days: int


@dataclass(frozen=True, slots=True)
class Correct:
    """Set a result, with a note that everyone can read."""

    choice: ClassVar = OrganizerChoice.CORRECT
    place: tuple[int, int]
    result: PairingResult
    note: str
    agreed: frozenset[tuple[int, int]] = frozenset()
    """Games that the organizer agrees to end by this act, by round and board."""


@dataclass(frozen=True, slots=True)
class StopClocks:
    """Stop all clocks for some days."""

    choice: ClassVar = OrganizerChoice.STOP
    days: int


@dataclass(frozen=True, slots=True)
class StartClocks:
    """Restart stopped clocks."""

    choice: ClassVar = OrganizerChoice.RESUME


@dataclass(frozen=True, slots=True)
class ChooseHelper:
    """Choose a second organizer with the same rights as the first one, or none."""

    choice: ClassVar = OrganizerChoice.HELPER
    player: UserId | None


@dataclass(frozen=True, slots=True)
class CallOff:
    """Cancel it."""

    choice: ClassVar = OrganizerChoice.CALL_OFF


OrganizerAct = (
    Begin
    | Edit
    | AddPlayer
    | RemovePlayer
    | Extend
    | Correct
    | StopClocks
    | StartClocks
    | ChooseHelper
    | CallOff
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedAct:
    """An entry of a tournament's log: who did what."""

    kind: OrganizerChoice
    by: UserId
    player: UserId | None = None
    """The affected player, or the second organizer."""
    place: tuple[int, int] | None = None
    """Round and board of the affected game."""
    division: int | None = None
    """The division of that game, in a league."""
    days: int | None = None
    at: datetime


def log_entry(act: OrganizerAct, by: UserId, division: int | None, at: datetime) -> LoggedAct:
    """Return an act's entry in the log."""
    entry = LoggedAct(kind=act.choice, by=by, division=division, at=at)
    match act:
        case AddPlayer(player) | RemovePlayer(player) | ChooseHelper(player):
            return replace(entry, player=player)
        case Extend(place, days):
            return replace(entry, place=place, days=days)
        case Correct(place):
            return replace(entry, place=place)
        case StopClocks(days):
            return replace(entry, days=days)
        case _:
            return entry


@dataclass(eq=False)
class EndsGames(BotError):  # noqa: N818
    """A corrected result would end games, and the organizer has not confirmed that yet."""

    games: tuple[Pairing, ...]
