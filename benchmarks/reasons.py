"""Count marked moves with a reason in reviews of games with human-like mistakes.

    python -m benchmarks.reasons --games 30 --seed 1

The players are of levels 2 to 8, on balanced boards. One move in ten takes the tallest stack, and
one in sixteen is random. `placed` is the share of marks whose reason names a space or a stack.
`vague` is the share whose reason is the number of pieces at the end. The others have none.

`holds` is the share of confirmed reasons that are also confirmed by searches with four times the
nodes, which don't know the rest of the game.
"""

import argparse
import random
from collections import Counter
from typing import Final

from benchmarks.matches.simple import Child, Tapper
from benchmarks.result import result_line
from dvonn import GameRecord, Motif, Move, PlyReview, Position
from dvonn.engine import review
from dvonn.engine.confirming import Confirmation
from dvonn.engine.player import player_at
from dvonn.engine.reviewing import Walk
from dvonn.even_boards import even_start
from dvonn.reviews.reasons import reasons_of

NODES: Final = 100_000
"""Number of nodes of a review."""
_LONGER: Final = 4
"""Factor of the nodes of longer searches."""
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


def holds(record: GameRecord, ply: PlyReview) -> bool:
    """Return True if longer searches confirm the reason of a marked move as well."""
    position = record.positions()[ply.ply - 1]
    reason = next(iter(reasons_of(position, ply)), None)
    walk = Walk([position], (), _LONGER * NODES, lambda: False)
    confirmation = Confirmation(
        position,
        ply.played,
        ply.best,
        loss=ply.loss,
        after=ply.after.for_color(ply.color),
        chances=walk.chances,
    )
    reasons = confirmation.reasons(ply.answer, is_proven=ply.before.exact)
    return any(confirmed == reason for confirmed in reasons)


def main() -> None:
    """Measure, and print the RESULT line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    kinds, confirmed = Counter[Motif | None](), Counter[Motif]()
    for seed in range(options.seed, options.seed + options.games):
        record = GameRecord(game_like_people(seed))
        for ply in review(record, nodes=NODES, placements=0).marked:
            motif = next(iter((*ply.motifs, *ply.missed)), None)
            kinds[motif] += 1
            if motif is not None:
                confirmed[motif] += holds(record, ply)
        print(f"seed {seed}: {kinds.total()} marks", flush=True)
    for motif, count in kinds.most_common():
        print(f"{count:4} {motif or 'no reason'}" + (f", {confirmed[motif]} hold" if motif else ""))
    explained, marks = kinds.total() - kinds[None], max(kinds.total(), 1)
    vague = kinds[Motif.PIECES] / marks
    figures = {
        "marks": kinds.total(),
        "placed": explained / marks - vague,
        "vague": vague,
        "holds": confirmed.total() / max(explained, 1),
    }
    print(result_line("reasons", figures))


if __name__ == "__main__":
    main()
