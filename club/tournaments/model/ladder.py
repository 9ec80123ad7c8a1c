"""Ladders, which run for a fixed time.

There are no pairings: each rated game between two members that starts in that time counts. A winner
takes the place of a higher-ranked loser, but climbs at most five places. Players in between move
down by one. A draw, or a win against a lower-ranked player, changes nothing.
"""

from datetime import datetime
from typing import Final

from bot.base.ids import UserId
from club.tournaments.model.tournament import BYE, Conclude, Step, Tournament, Wait
from dvonn import Color

HIGHEST_CLIMB: Final = 5
"""Maximum number of places gained in one game."""


def next_ladder_step(tournament: Tournament, *, now: datetime) -> Step:
    """Return the next step of a running ladder. There is none until it ends."""
    ends = tournament.ends_at
    return Conclude() if ends is not None and now >= ends else Wait(ends)


def ladder_order(tournament: Tournament) -> tuple[UserId, ...]:
    """Return the members from the top down: initially by seed, then by all games so far."""
    order = [entrant.player for entrant in tournament.entrants]
    for game in tournament.pairings:
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
