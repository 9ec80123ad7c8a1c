"""Tournaments, all pure: who plays whom, who stands where, and what comes next."""

from bot.model.tournaments.deadlines import NO_SHOW, GameProgress, overdue, time_to_answer
from bot.model.tournaments.field import ends_at, length_of
from bot.model.tournaments.pairing import as_played, next_step, rounds_of
from bot.model.tournaments.results import (
    Brought,
    PairingEnd,
    PresenceQuestion,
    asked_in,
    brought,
    came,
    can_be_set,
    decided_by,
)
from bot.model.tournaments.standings import PlayerStanding, standings
from bot.model.tournaments.steps import Finished, PairUp, Step, Wait
from bot.model.tournaments.terms import (
    BYE,
    Entrant,
    Pairing,
    PairingResult,
    Tournament,
    TournamentFormat,
    TournamentState,
    TournamentTerms,
)

__all__ = [
    "BYE",
    "NO_SHOW",
    "Brought",
    "Entrant",
    "Finished",
    "GameProgress",
    "PairUp",
    "Pairing",
    "PairingEnd",
    "PairingResult",
    "PlayerStanding",
    "PresenceQuestion",
    "Step",
    "Tournament",
    "TournamentFormat",
    "TournamentState",
    "TournamentTerms",
    "Wait",
    "as_played",
    "asked_in",
    "brought",
    "came",
    "can_be_set",
    "decided_by",
    "ends_at",
    "length_of",
    "next_step",
    "overdue",
    "rounds_of",
    "standings",
    "time_to_answer",
]
