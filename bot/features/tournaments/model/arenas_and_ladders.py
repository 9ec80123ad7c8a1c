"""Arenas and ladders, which go on for a time.

For as long as an arena lasts, free players are paired with each other. Near scores play each other,
nobody the same player twice in a row where there is somebody else, and colours come out evenly. A
win brings 2 points, a draw 1. What still runs at the end counts if it is over within ten minutes.

In a ladder nobody pairs anybody: each game between two members that is rated and begun while it
goes on counts when it ends. The winner takes the place of a loser above, and all in between go down
by one; from far below one climbs five places at most. A draw, and a win against a player below,
change nothing.
"""

from datetime import datetime, timedelta
from typing import Final

from bot.base.ids import UserId
from bot.features.tournaments.model.matching import Record, color_faults, colored, matched, records
from bot.features.tournaments.model.tournament import (
    BYE,
    Finished,
    Pairing,
    PairUp,
    Step,
    Tournament,
    Wait,
)
from dvonn import Color

HIGHEST_CLIMB: Final = 5
"""The most places that one game can bring."""
QUALIFIED: Final = 8
"""So many play for the season's title."""


def next_ladder_step(tournament: Tournament, *, now: datetime) -> Step:
    """Return the next step of a ladder that runs: none, until it ends."""
    ends = tournament.ends_at
    return Finished() if ends is not None and now >= ends else Wait(ends)


def ladder_order(tournament: Tournament) -> tuple[UserId, ...]:
    """Return the members from the top down, by all games so far, at first by seeds."""
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


def regulars(tournament: Tournament) -> tuple[UserId, ...]:
    """Return the members who have played and have not left: the best first."""
    played = {player for game in tournament.pairings for player in game.players if game.was_played}
    gone = {entrant.player for entrant in tournament.entrants if entrant.withdrawn}
    stay = played - gone
    return tuple(player for player in ladder_order(tournament) if player in stay)


def qualified(tournament: Tournament) -> tuple[UserId, ...]:
    return regulars(tournament)[:QUALIFIED]


EXTRA_TIME: Final = timedelta(minutes=10)
"""The time for which running games still count after the end."""
POINTS_OF_A_WIN: Final = 2
FEW: Final = 2
"""With as many other games running, those who have just met wait for another opponent."""
PATIENCE: Final = timedelta(minutes=3)
"""The longest wait of two after their game for a third to be free."""


def next_arena_step(tournament: Tournament, *, now: datetime) -> Step:
    """Return the next step of an arena that runs: all is round 1, and boards are counted on."""
    ends = tournament.ends_at
    running = tournament.undecided
    if ends is not None and now >= ends:
        return Wait(ends + EXTRA_TIME) if running else Finished()
    pairs, look_at = free_pairs(tournament, now)
    board = max((pairing.board for pairing in tournament.in_round(1)), default=0)
    pairings = tuple(
        Pairing(round=1, board=board + index, white=white.player, black=black.player)
        for index, (white, black) in enumerate(pairs, start=1)
    )
    if pairings:
        return PairUp(1, pairings)
    return Wait(min((moment for moment in (ends, *look_at) if moment is not None), default=None))


def free_pairs(
    tournament: Tournament, now: datetime
) -> tuple[list[tuple[Record, Record]], list[datetime]]:
    """Return the pairs of free players now; and until when others wait for a third."""
    running = tournament.undecided
    busy = {player for pairing in running for player in pairing.players}
    book = records(tournament)
    here = [e for e in tournament.seeded if not e.withdrawn]
    free = [book[e.player] for e in here if e.player not in busy]
    last = {p: pairing for pairing in tournament.in_round(1) for p in pairing.players}
    newest = max((pairing.board for pairing in last.values()), default=0)

    def cost(one: Record, other: Record | None) -> tuple[int, ...]:
        if other is None:  # whoever has played last can wait longest
            waited = newest - (last[one.player].board if one.player in last else 0)
            return (0, 0, 0, 0, waited, 0)
        again = _in_a_row(one, other, 1) or _in_a_row(other, one, 1)
        gap = abs(round(2 * (one.points - other.points)))
        return (other.player in one.apart, again, *color_faults(*colored(one, other)), 0, gap)

    def waits_until(white: Record, black: Record) -> datetime | None:
        ended = [last[one.player].ended_at for one in (white, black) if one.player in last]
        known = [moment for moment in ended if moment is not None]
        return max(known) + PATIENCE if known else None

    found, look_at = [], []
    for one, other in matched(free, cost):
        if other is None:
            continue
        white, black = colored(one, other)
        if running and black.player in white.apart:
            continue  # however long the others play
        until = waits_until(white, black)
        if _is_soon_better(white, black, len(running)) and (until is None or now < until):
            look_at += [] if until is None else [until]
        else:
            found.append((white, black))
    return found, look_at


def _is_soon_better(white: Record, black: Record, running: int) -> bool:
    """Tell whether two had better wait for a third, who may be free soon.

    A game with a colour too often and a third one of the same two in a row can wait for one other
    game; a second one in a row does, where there is more to choose from.
    """
    if not running:
        return False
    thrice = _in_a_row(white, black, 2) and _in_a_row(black, white, 2)
    twice = _in_a_row(white, black, 1) or _in_a_row(black, white, 1)
    return bool(color_faults(white, black)[0]) or thrice or (twice and running >= FEW)


def _in_a_row(one: Record, other: Record, games: int) -> bool:
    """Count the last games of a player that were all against the same other."""
    return one.met[-games:] == (other.player,) * games


def arena_points(pairing: Pairing, player: UserId) -> float:
    return POINTS_OF_A_WIN * pairing.points_of(player)
