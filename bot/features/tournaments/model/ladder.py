"""Ladders: a player who beats another above them takes that place.

Nobody pairs anybody: each game between two members that is rated and begun while the ladder goes
on counts when it ends. The winner takes the place of a loser above, and all in between go down by
one; from far below one climbs five places at most. A draw, and a win against a player below,
change nothing.
"""

from datetime import datetime
from typing import Final

from bot.base.ids import UserId
from bot.features.tournaments.model.field import by_seed, ends_at, in_order
from bot.features.tournaments.model.steps import Finished, Step, Wait
from bot.features.tournaments.model.terms import BYE, Tournament
from dvonn import Color

HIGHEST_CLIMB: Final = 5
"""The most places that one game can bring."""
QUALIFIED: Final = 8
"""So many play for the season's title."""


def next_ladder_step(tournament: Tournament, *, now: datetime) -> Step:
    """Return the next step of a ladder that runs: none, until it ends."""
    ends = ends_at(tournament)
    return Finished() if ends is not None and now >= ends else Wait(ends)


def ladder_order(tournament: Tournament) -> tuple[UserId, ...]:
    """Return the members from the top down, by all games so far, at first by seeds."""
    order = [entrant.player for entrant in by_seed(tournament.entrants)]
    for game in in_order(tournament):
        won = game.result.winner if game.result is not None else None
        if won is None or game.black is BYE:
            continue
        winner, loser = game.white, game.black
        if won is Color.BLACK:
            winner, loser = loser, winner
        above, below = order.index(loser), order.index(winner)
        if above < below:
            order.insert(max(above, below - HIGHEST_CLIMB), order.pop(below))
    return tuple(order)


def qualified(tournament: Tournament) -> tuple[UserId, ...]:
    """Return the first eight of those who have played and have not left: the best first."""
    played = {player for game in tournament.pairings for player in game.players if game.was_played}
    gone = {entrant.player for entrant in tournament.entrants if entrant.withdrawn}
    order = (p for p in ladder_order(tournament) if p in played and p not in gone)
    return tuple(order)[:QUALIFIED]
