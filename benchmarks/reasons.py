"""Count marked moves with a reason in reviews of games with human-like mistakes.

    python -m benchmarks.reasons --games 30 --seed 1

The players are of levels 2 to 8, on balanced boards. One move in ten takes the tallest stack, and
one in sixteen is random. `placed` is the share of marks whose reason names a space or a stack.
`vague` is the share whose reason is the number of pieces at the end. The others have none.
"""

import argparse
import random
from collections import Counter
from typing import Final

from benchmarks.matches.simple import Child, Tapper
from benchmarks.result import result_line
from dvonn import GameRecord, Motif, Move, Position
from dvonn.engine import review
from dvonn.engine.player import player_at
from dvonn.even_boards import even_start

_LEVELS: Final = range(2, 9)
_TALLEST, _RANDOM = 0.1, 0.16


def game_like_people(seed: int) -> tuple[Move, ...]:
    """Return a game by players who make human mistakes. The same seed gives the same game."""
    rng = random.Random(seed)
    levels = [rng.choice(_LEVELS) for _ in "WB"]
    players = [player_at(level, seed * 2 + number) for number, level in enumerate(levels)]
    child, tapper = Child(seed), Tapper(seed)
    moves = [*even_start(seed)]
    position = Position.initial().after(*moves)
    while position.turn is not None:
        chance = rng.random()
        player = players[position.turn.value == "B"]
        chosen = child if chance < _TALLEST else tapper if chance < _RANDOM else player
        moves.append(chosen.choose(position))
        position = position.play(moves[-1])
    return tuple(moves)


def main() -> None:
    """Measure, and print the RESULT line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    kinds = Counter[Motif | None]()
    for seed in range(options.seed, options.seed + options.games):
        marked = review(GameRecord(game_like_people(seed)), placements=0).marked
        kinds.update(next(iter((*ply.motifs, *ply.missed)), None) for ply in marked)
    for motif, count in kinds.most_common():
        print(f"{count:4} {motif or 'no reason'}")
    marks = max(kinds.total(), 1)
    vague = kinds[Motif.PIECES] / marks
    placed = 1 - vague - kinds[None] / marks
    print(result_line("reasons", {"marks": kinds.total(), "placed": placed, "vague": vague}))


if __name__ == "__main__":
    main()
