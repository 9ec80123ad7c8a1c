"""Tournaments, all pure: who plays whom, who stands where, and what comes next."""

from bot.model.tournaments.deadlines import Progress, overdue
from bot.model.tournaments.pairing import as_played, next_step, rounds_of
from bot.model.tournaments.results import PairingEnd, decided_by
from bot.model.tournaments.standings import Standing, standings
from bot.model.tournaments.steps import Finish, Pair, Step, Wait
from bot.model.tournaments.terms import (
    BYE,
    Entrant,
    Format,
    Pairing,
    PairingResult,
    Tournament,
    TournamentState,
    TournamentTerms,
)

__all__ = [
    "BYE",
    "Entrant",
    "Finish",
    "Format",
    "Pair",
    "Pairing",
    "PairingEnd",
    "PairingResult",
    "Progress",
    "Standing",
    "Step",
    "Tournament",
    "TournamentState",
    "TournamentTerms",
    "Wait",
    "as_played",
    "decided_by",
    "next_step",
    "overdue",
    "rounds_of",
    "standings",
]
