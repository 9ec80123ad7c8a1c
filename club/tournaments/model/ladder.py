"""Ladders, which last for a time.

There are no pairings: each rated game between two members that begins during that time counts. The
winner takes the place of a loser above, but climbs at most five places. Players in between go down
by one. A draw, or a win against a player below, changes nothing.
"""

from datetime import datetime
from typing import Final

from bot.base.ids import UserId
from club.tournaments.model.tournament import BYE, Conclude, Step, Tournament, Wait
from dvonn import Color

HIGHEST_CLIMB: Final = 5
"""Maximum number of places gained by one game."""


def next_ladder_step(tournament: Tournament, *, now: datetime) -> Step:
    """Return the next step of a running ladder: none, until it ends."""
    ends = tournament.ends_at
    return Conclude() if ends is not None and now >= ends else Wait(ends)


def ladder_order(tournament: Tournament) -> tuple[UserId, ...]:
    """Return the members from the top down: by seeds at first, then by all games so far."""
    order = [entrant.player for entrant in tournament.seeded]
    for game in tournament.in_order:
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
