"""Tournaments, all pure: who plays whom, who stands where, and what comes next."""

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
    "Format",
    "Pairing",
    "PairingResult",
    "Tournament",
    "TournamentState",
    "TournamentTerms",
]
