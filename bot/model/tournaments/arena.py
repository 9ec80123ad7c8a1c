"""Arenas: for as long as one lasts, whoever is free plays whoever is free.

Near scores play each other, nobody the same player twice in a row where there is somebody else, and
colours come out evenly. A win brings 2 points, a draw 1. What still runs at the end counts if it is
over within ten minutes.
"""

from datetime import datetime, timedelta
from typing import Final

from bot.model.ids import UserId
from bot.model.tournaments.field import by_seed, ends_at, in_round, undecided
from bot.model.tournaments.matching import color_faults, colored, matched
from bot.model.tournaments.records import Record, records
from bot.model.tournaments.steps import Finished, PairUp, Step, Wait
from bot.model.tournaments.terms import Pairing, Tournament

EXTRA_TIME: Final = timedelta(minutes=10)
"""How long running games still count after the end."""
POINTS_OF_A_WIN: Final = 2
FEW: Final = 2
"""With as many other games running, those who are free wait for another opponent."""


def next_arena_step(tournament: Tournament, *, now: datetime) -> Step:
    """What comes next in an arena that runs: all is round 1, and boards are counted on."""
    ends = ends_at(tournament)
    running = undecided(tournament)
    if ends is not None and now >= ends:
        return Wait(ends + EXTRA_TIME) if running else Finished()
    pairs = free_pairs(tournament)
    board = max((pairing.board for pairing in in_round(tournament, 1)), default=0)
    pairings = tuple(
        Pairing(round=1, board=board + index, white=white.player, black=black.player)
        for index, (white, black) in enumerate(pairs, start=1)
    )
    return PairUp(1, pairings) if pairings else Wait(ends)


def free_pairs(tournament: Tournament) -> list[tuple[Record, Record]]:
    """Who of those who are free plays whom now."""
    running = undecided(tournament)
    busy = {player for pairing in running for player in pairing.players}
    book = records(tournament)
    here = [e for e in by_seed(tournament.entrants) if not e.withdrawn]
    free = [book[e.player] for e in here if e.player not in busy]
    last = {p: pairing.board for pairing in in_round(tournament, 1) for p in pairing.players}

    def cost(one: Record, other: Record | None) -> tuple[int, ...]:
        if other is None:  # whoever has played last can wait longest
            waited = max(last.values(), default=0) - last.get(one.player, 0)
            return (0, 0, 0, waited, 0)
        again = one.met[-1:] == (other.player,) or other.met[-1:] == (one.player,)
        gap = abs(round(2 * (one.points - other.points)))
        return (int(again), *color_faults(*colored(one, other)), 0, gap)

    pairs = [(one, other) for one, other in matched(free, cost) if other is not None]
    found = [colored(one, other) for one, other in pairs]
    if running:  # soon somebody else is free, with whom colours come out
        found = [(white, black) for white, black in found if not color_faults(white, black)[0]]
    if len(running) >= FEW:
        found = [(white, black) for white, black in found if not cost(white, black)[0]]
    return found


def arena_points(pairing: Pairing, player: UserId) -> float:
    """What a pairing has brought to somebody who is in it."""
    return POINTS_OF_A_WIN * pairing.points_of(player)
