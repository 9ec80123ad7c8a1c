"""Badges: the few things that are earned in tournaments and kept after their end."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from bot.base.ids import UserId, is_nobody
from bot.features.tournaments.model.standings import PlayerStanding, standings
from bot.features.tournaments.model.terms import Tournament, TournamentFormat, TournamentState

FEWEST: Final = 4
"""The fewest players for a badge; with fewer, only a season's title is earned."""
PODIUM: Final = 3
"""So many of a month's ladder earn one."""


class BadgeKind(StrEnum):
    """The kinds of badges."""

    CHAMPION = "champion"
    """They have won a season's play-off."""
    LADDER = "ladder"
    """They were among the first three of a month's ladder."""
    WINNER = "winner"
    """They have won a tournament that is no part of a season."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Badge:
    """A player's badge from a tournament: one at most in each."""

    player: UserId
    kind: BadgeKind
    place: int
    """1 is the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EarnedBadge:
    """A badge as it is shown to others."""

    kind: BadgeKind
    place: int
    season: int | None
    """The number of its month; None: its tournament is no part of a season."""
    name: str
    """The name of the tournament."""
    earned_at: datetime


def earned(tournament: Tournament) -> tuple[Badge, ...]:
    """Return the badges of a tournament that is over; none while it runs, or if it was cancelled.

    A shared first place is nobody's, and a player who has won no game at the board earns nothing:
    forfeits and byes are not enough.
    """
    if tournament.state is not TournamentState.DONE:
        return ()
    table = [
        one for one in standings(tournament) if not one.withdrawn and not is_nobody(one.player)
    ]
    players = {who for game in tournament.pairings if game.was_played for who in game.players}
    if tournament.season is not None and tournament.terms.format is TournamentFormat.KNOCKOUT:
        return _first(table, BadgeKind.CHAMPION)
    if len(players) < FEWEST:
        return ()
    if tournament.season is None:
        return _first([one for one in table if one.player in players], BadgeKind.WINNER)
    return tuple(
        Badge(player=one.player, kind=BadgeKind.LADDER, place=one.place)
        for one in table
        if one.place <= PODIUM and one.won
    )


def champion(tournament: Tournament) -> UserId | None:
    """Return the winner of a season's play-off; None: nobody, or it is none."""
    found = earned(tournament)
    is_title = bool(found) and found[0].kind is BadgeKind.CHAMPION
    return found[0].player if is_title else None


def _first(table: list[PlayerStanding], kind: BadgeKind) -> tuple[Badge, ...]:
    first = [one for one in table if one.place == 1]
    if len(first) != 1 or not first[0].won:
        return ()
    return (Badge(player=first[0].player, kind=kind, place=1),)
