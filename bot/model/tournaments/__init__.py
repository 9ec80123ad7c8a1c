"""Tournaments, as they are: who plays whom, who stands where, and what comes next. All of it pure."""

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
