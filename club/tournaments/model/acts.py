"""The choices and actions of organizers. Everyone can read the actions in the tournament's log."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.base.errors import BotError
from bot.base.ids import SourceId, UserId
from club.tournaments.model.tournament import Pairing, PairingResult, TournamentTerms


class OrganizerChoice(StrEnum):
    """The choices of an organizer, in the order of the menu.

    The values are stored, and are parts of custom ids.
    """

    BEGIN = "begin"
    """Start now, with everyone who has joined or checked in."""
    EDIT = "edit"
    """Change the name, start, rounds or clock."""
    ADD = "add"
    """Enter a player, or bring one back."""
    REMOVE = "remove"
    EXTEND = "extend"
    """Extend an unfinished game beyond the end of its round."""
    CORRECT = "correct"
    """Set a result, with a note that everyone can read."""
    STOP = "stop"
    """Stop all clocks for some days."""
    RESUME = "resume"
    HELPER = "helper"
    """Choose a second organizer with the same rights as the first one, or none."""
    COPY = "copy"
    """This choice and the exports change nothing, so they are not logged."""
    CSV = "csv"
    TRF = "trf"
    CALL_OFF = "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganizerAct:
    """Something that an organizer does. Its fields depend on its kind."""

    kind: OrganizerChoice
    player: UserId | None = None
    """The player to add or remove, or the second organizer."""
    place: tuple[int, int] | None = None
    """The round and board of the game to extend or correct."""
    days: int | None = None
    """The number of days to extend a game, or to stop the clocks."""
    source: SourceId | None = None
    """The interaction that adds a player."""
    change: Callable[[TournamentTerms], TournamentTerms] | None = None
    """The change to the terms."""
    result: PairingResult = PairingResult.NEITHER
    """The right result."""
    note: str = ""
    """The reason for a correction."""
    agreed: frozenset[tuple[int, int]] = frozenset()
    """Games that the organizer agrees to end by a correction, by round and board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedAct:
    """An entry of a tournament's log: who did what."""

    act: OrganizerAct
    """The act with its player, place and days."""
    by: UserId
    division: int | None = None
    """The division of the affected game, in a league."""
    at: datetime


@dataclass(eq=False)
class EndsGames(BotError):  # noqa: N818
    """A corrected result would end games, and the organizer has not confirmed that yet."""

    games: tuple[Pairing, ...]
