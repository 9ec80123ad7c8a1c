"""Swiss rounds: players with equal scores meet, and nobody twice.

FIDE's Dutch system (Handbook C.04.3) by the library caissify-pairings. What it answers is looked
at: where two are to play again, or a player is to sit out twice or get a colour too often, the best
pairing of all is searched for, and the better of the two is taken.
"""

import logging
from collections.abc import Sequence

from caissify_pairings import generate_pairings

from bot.features.tournaments.model.field import active, lots
from bot.features.tournaments.model.matching import Pair_, color_faults, colored, matched
from bot.features.tournaments.model.records import LEVEL, Record, records
from bot.features.tournaments.model.terms import BYE, Pairing, PairingResult, Tournament
from dvonn import Color

logging.getLogger("caissify_pairings").setLevel(logging.ERROR)
"""It warns where it has found no good pairing; we see that ourselves, and look further."""


def swiss(tournament: Tournament, number: int) -> tuple[Pairing, ...]:
    """Return the pairings of a round. It takes up to seconds: not for an event loop."""
    book = records(tournament)
    players = [book[entrant.player] for entrant in active(tournament, number)]
    first = Color.WHITE if lots(tournament, "swiss").random() < 0.5 else Color.BLACK  # noqa: PLR2004
    pairs = by_the_dutch_system(players, number, first)
    if any(faults(pairs, players)):
        pairs = min(pairs, best_pairs(players), key=lambda found: faults(found, players))
    machine = tournament.terms.level is not None
    return tuple(
        Pairing(round=number, board=board, white=white.player, black=BYE)
        if black is None and machine
        else Pairing(
            round=number,
            board=board,
            white=white.player,
            black=black.player if black is not None else BYE,
            result=PairingResult.BYE if black is None else None,
        )
        for board, (white, black) in enumerate(pairs, start=1)
    )


def by_the_dutch_system(players: Sequence[Record], number: int, first: Color) -> list[Pair_]:
    """Return the library's answer, best boards first; it may leave several without an opponent.

    It is never told that a round is the last: FIDE then lets a leader have a colour three times in
    a row; we don't. And it is told ranks by points as pairing numbers: of two with the same wish
    for a colour it prefers the lower number, where FIDE prefers who has more points (5.2.4). In
    round one it takes nobody for met; so where two are to be kept apart that is called the second.
    """
    by_seed = {record.entrant.seed: record for record in players}
    seeds = {record.player: record.entrant.seed for record in players}
    met = {
        (record.entrant.seed, seeds[opponent])
        for record in players
        for opponent in (*record.met, *record.apart)
        if opponent in seeds
    }
    number = max(number, 1 + bool(met))
    ranks = sorted(players, key=lambda record: (-record.points, record.entrant.seed))
    found = generate_pairings(
        system="dutch",
        players=[_for_the_library(record, rank) for rank, record in enumerate(ranks, start=1)],
        previous_pairings=met,
        round_number=number,
        total_rounds=number + 1,
        initial_color=_name(first),
    )
    return [
        (by_seed[pair["white_id"]], by_seed[black] if (black := pair["black_id"]) else None)
        for pair in sorted(found, key=lambda pair: pair["table"])
    ]


def faults(pairs: Sequence[Pair_], players: Sequence[Record]) -> tuple[int, ...]:
    """Return the faults of a round, worst first: all 0 is as it should be.

    Players forgotten or sitting out without need, those who are to be kept apart, who have met, who
    sit out once more than others, who get a colour too often, and who get it three times in a row.
    """
    seen = [record.player for pair in pairs for record in pair if record is not None]
    alone = [one for one, other in pairs if other is None]
    games = [(white, black) for white, black in pairs if black is not None]
    colors = [color_faults(white, black) for white, black in games]
    return (
        len(players) - len(set(seen)) + len(seen) - len(set(seen)),
        max(0, len(alone) - len(players) % 2),
        sum(black.player in white.apart for white, black in games),
        sum(white.met.count(black.player) for white, black in games),
        sum(record.byes for record in alone),
        sum(unbalanced for unbalanced, _ in colors),
        sum(third for _, third in colors),
    )


def best_pairs(players: Sequence[Record]) -> list[Pair_]:
    """Return the round with the fewest faults; of those, the one with the nearest scores."""
    found = [
        colored(one, other) if other is not None else (one, None)
        for one, other in matched(players, _cost)
    ]
    return sorted(found, key=_rank)


def _cost(one: Record, other: Record | None) -> tuple[int, ...]:
    if other is None:
        return (0, 0, one.byes, 0, 0, one.forfeits_won, round(2 * one.points) ** 2)
    gap = round(2 * (one.points - other.points)) ** 2
    met = one.met.count(other.player)
    return (other.player in one.apart, met, 0, *color_faults(*colored(one, other)), 0, gap)


def _rank(pair: Pair_) -> tuple[bool, float, float, int]:
    one, other = pair
    if other is None:
        return (True, 0, 0, 0)
    points = sorted((-one.points, -other.points))
    return (False, points[0], sum(points), min(one.entrant.seed, other.entrant.seed))


def _for_the_library(record: Record, rank: int) -> dict[str, object]:
    return {
        "id": record.entrant.seed,
        "name": str(record.entrant.seed),
        "score": record.points,
        "rating": -record.entrant.seed,
        "starting_number": record.entrant.seed,
        "pairing_number": rank,
        "color_hist": [_name(color) for color in record.colors],
        "float_history": list(record.floats) or [LEVEL],
        "bye_count": record.byes,
        "forfeit_win_count": record.forfeits_won,
    }


def _name(color: Color) -> str:
    return "white" if color is Color.WHITE else "black"
