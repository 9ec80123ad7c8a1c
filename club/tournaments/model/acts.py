"""Choices and acts of organizers. Everyone can read the acts in the tournament's log."""

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
    EDIT = "edit"
    ADD = "add"
    REMOVE = "remove"
    EXTEND = "extend"
    CORRECT = "correct"
    STOP = "stop"
    RESUME = "resume"
    HELPER = "helper"
    """There is a second organizer, or no longer one."""
    COPY = "copy"
    """This and the exports change nothing, so they are not in the log."""
    CSV = "csv"
    TRF = "trf"
    CALL_OFF = "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentAct:
    """An act of an organizer."""

    kind: OrganizerChoice
    by: UserId
    player: UserId | None = None
    """The affected player, or the second organizer."""
    place: tuple[int, int] | None = None
    """Round and board of the affected game."""
    division: int | None = None
    """The division of that game, in a league."""
    days: int | None = None
    at: datetime | None = None
    """None until it is stored. What follows is not stored with the act."""
    source: SourceId | None = None
    """The interaction that adds a player."""
    edit: Callable[[TournamentTerms], TournamentTerms] | None = None
    result: PairingResult | None = None
    note: str = ""
    agreed: frozenset[tuple[int, int]] = frozenset()
    """Games that the organizer agrees to end with a corrected result, by round and board."""


@dataclass(eq=False)
class EndsGames(BotError):  # noqa: N818
    """A corrected result would end games, and the organizer has not agreed to that yet."""

    games: tuple[Pairing, ...]
