"""The worth of thinking on the opponent's time: the engine with it against itself without.

    python -m benchmarks.matches.ahead [--games 120] [--nodes 60000] [--ahead 600000]

One side searches `--ahead` positions, too, after each of its moves, in the same table. Each even
board is played twice, with both colours.
"""

import argparse

from benchmarks.matches.statistics import estimate
from benchmarks.result import result_line
from dvonn import Color, Position
from dvonn.engine.searcher import Searcher
from dvonn.even_boards import even_seeds, even_start

_FIRST_BOARD = 5_100
_MEGABYTES = 64


def play(start: Position, side: Color, nodes: int, ahead: int) -> float:
    """Play a game; the points of the side that thinks ahead: 1, 0.5 or 0."""
    players, position = {color: Searcher(_MEGABYTES) for color in Color}, start
    while position.turn is not None:
        mover = position.turn
        position = position.play(players[mover].search(position, nodes=nodes).move)
        if mover is side and position.turn is side.opponent:
            players[side].search(position, nodes=ahead)
    margin = position.score(side) - position.score(side.opponent)
    return 0.5 + 0.5 * ((margin > 0) - (margin < 0))


def main() -> None:
    """Play, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.matches.ahead")
    parser.add_argument("--games", type=int, default=120, help="an even number")
    parser.add_argument("--nodes", type=int, default=60_000, help="for a move")
    parser.add_argument("--ahead", type=int, default=600_000, help="on the opponent's time")
    options = parser.parse_args()
    scores = []
    for seed in even_seeds()[_FIRST_BOARD : _FIRST_BOARD + options.games // 2]:
        start = Position.initial().after(*even_start(seed))
        both = [play(start, side, options.nodes, options.ahead) for side in Color]
        scores.append(sum(both) / 2)
        found = estimate(scores)
        print(f"{2 * len(scores)} games: {100 * found.score:.1f} ± {100 * found.error:.1f}%")
    print(result_line("ahead", {"ratio": found.score, "error_ratio": found.error}))


if __name__ == "__main__":
    main()
