"""Of the moves that lose much, the share that reviews mark; and the hindsight of the full board.

    python -m benchmarks.recall --games 10 [--nodes 4000000] [--levels 2 3 4 5 6] [--seed 7700002]

Games of the engine with itself are reviewed as the bot reviews them. Each move in an open position
is searched anew, before and after it, with a quarter of the nodes. Where it seems to lose 0.15 or
more, it counts if it does so with all of them, too. The full board is searched likewise: `towards`
and `away` count reviews that are off by more than 0.05, towards the game's result and away from it.
"""

import argparse

from benchmarks.result import result_line
from benchmarks.tuning.reviewed import play
from dvonn import Color, Grade, Phase, Position
from dvonn.engine import review
from dvonn.engine.estimates import finished, win_probability
from dvonn.engine.searcher import Searcher

_LOSS = 0.15
_OFF = 0.05
_OPEN = 0.04


def chance(position: Position, color: Color, nodes: int) -> float:
    """Return a player's chance to win by a search with an empty table."""
    if position.phase is Phase.OVER:
        return win_probability(finished(position, color), 1)
    found = Searcher(megabytes=64).search(position, nodes=nodes)
    value = found.value if position.turn is color else -found.value
    return 0.5 if found.exact and not value else win_probability(value, len(position.stacks))


def looked_at(seed: int, levels: list[int], nodes: int) -> tuple[int, int, float]:
    """Return a game's moves that lose much, those of them that are marked, and the hindsight.

    That is above 0 where the full board is told as too good for who won.
    """
    record, _ = play(seed, levels)
    positions, lost, marked = record.positions(), 0, 0
    plies = review(record, placements=0).plies
    for one in plies:
        before, after = positions[one.ply - 1 : one.ply + 1]
        known = one.before.win_probability
        if one.before.exact or not _OPEN < known < 1 - _OPEN or len(before.legal_moves()) < 2:
            continue
        if all(
            chance(before, one.color, each) - chance(after, one.color, each) >= _LOSS
            for each in (nodes // 4, nodes)
        ):
            lost += 1
            marked += one.grade is not Grade.GOOD
    lead = positions[-1].score(Color.WHITE) - positions[-1].score(Color.BLACK)
    full = chance(positions[plies[0].ply - 1], Color.WHITE, nodes)
    off = plies[0].before.win_probability - full
    return lost, marked, off * ((lead > 0) - (lead < 0))


def main() -> None:
    """Play, review, search, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--nodes", type=int, default=4_000_000)
    parser.add_argument("--levels", type=int, nargs="+", default=[2, 3, 4, 5, 6])
    parser.add_argument("--seed", type=int, default=7_700_002, help="of the first game")
    options = parser.parse_args()
    lost, marked, off = zip(
        *(
            looked_at(options.seed + number, options.levels, options.nodes)
            for number in range(options.games)
        ),
        strict=True,
    )
    figures = {
        "lost": sum(lost),
        "marked": sum(marked),
        "towards": sum(one > _OFF for one in off),
        "away": sum(one < -_OFF for one in off),
    }
    print(result_line("recall", figures | {"recall": sum(marked) / max(sum(lost), 1)}))


if __name__ == "__main__":
    main()
