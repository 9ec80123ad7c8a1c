"""Badges of tournaments. They are permanent."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.base.ids import UserId, is_deleted_user
from club.tournaments.model.standings import standings
from club.tournaments.model.tournament import Tournament, TournamentState

FEWEST: Final = 4
"""Minimum number of players in a tournament that awards a badge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EarnedBadge:
    """A badge as shown to others."""

    name: str
    """The name of the tournament."""
    earned_at: datetime


def winner(tournament: Tournament) -> UserId | None:
    """Return the user who wins the badge of an ended tournament, or None.

    No badge is awarded for a shared first place, in a lower division of a league, or to a player
    who won only by forfeits and byes.
    """
    players = {player for game in tournament.pairings if game.was_played for player in game.players}
    is_over = tournament.state is TournamentState.DONE
    if not is_over or len(players) < FEWEST or tournament.terms.division not in (None, 1):
        return None
    first = [
        standing
        for standing in standings(tournament)
        if standing.place == 1
        and standing.player in players
        and not (standing.withdrawn or is_deleted_user(standing.player))
    ]
    return first[0].player if len(first) == 1 and first[0].won else None
