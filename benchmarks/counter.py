"""Measure whether reasons that name the reply are the reason.

    python -m benchmarks.counter --games 20 --seed 1

It reviews games between low levels. For each mark whose reason names the opponent's reply, it
searches the position after the move again for the two best replies, and forbids the named one. The
reason holds if the loss is then at most half as large. `held_ratio` is the share of such reasons
that hold. `kept` counts them after the review's own check, `named` before it.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from typing import Final

from benchmarks.result import result_line
from benchmarks.tuning.judging import two_best
from dvonn import Color, GameRecord, PlyReview, Position
from dvonn.engine import review
from dvonn.engine.player import player_at
from dvonn.engine.searcher import Searcher
from dvonn.reviews.reasons import reasons, reasons_of
from dvonn.starts import balanced_start

_HALF: Final = 0.5
_LEAST_NODES: Final = 1_000


def marks(game: GameRecord) -> Iterator[tuple[Position, PlyReview]]:
    """Yield the marked moves of a game with the positions before them."""
    boards = game.positions()
    for ply in review(game, placements=0).marked:
        yield boards[ply.ply - 1], ply


def gives_back(searcher: Searcher, position: Position, one: PlyReview, nodes: int) -> float:
    """Return the part of the loss that comes back if the opponent may not play the reply."""
    after, reply = position.play(one.played), one.answer[0]
    if len(after.legal_moves()) < 2 or after.turn is position.turn:
        return 1.0
    searcher.clear()
    said = two_best(searcher, after, nodes)
    return (said.chance - said.beside) / one.loss if said.best == reply else 0.0


def main(arguments: Sequence[str] | None = None) -> None:
    """Review games, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.counter")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--levels", type=int, nargs="+", default=(2, 3, 4, 5, 6))
    parser.add_argument("--nodes", type=int, default=1_500_000)
    options = parser.parse_args(arguments)
    searcher, named, kept, marked = Searcher(megabytes=64), list[bool](), list[bool](), 0
    for seed in range(options.seed, options.seed + options.games):
        for position, one in marks(played(seed, options.levels)):
            marked += 1
            first = next(iter(reasons(position, one.played, one.answer, one.best)), None)
            told = next(iter(reasons_of(position, one)), None)
            if first is None or not first.names_reply:
                continue
            holds = gives_back(searcher, position, one, options.nodes) >= _HALF
            named.append(holds)
            if told == first:
                kept.append(holds)
    figures: dict[str, float] = {"marks": marked, "named": len(named), "kept": len(kept)}
    for name, some in (("named", named), ("held", kept)):
        figures[f"{name}_ratio"] = sum(some) / max(len(some), 1)
    print(result_line("counter", figures))


def played(seed: int, levels: Sequence[int]) -> GameRecord:
    """Return a game between two random levels on a balanced board."""
    rng = random.Random(seed)
    moves = [*balanced_start(seed)]
    position = Position.initial().after(*moves)
    players = {color: player_at(rng.choice(levels), rng.getrandbits(30)) for color in Color}
    while position.turn is not None:
        moves.append(players[position.turn].choose(position))
        position = position.play(moves[-1])
    return GameRecord(tuple(moves), {})


if __name__ == "__main__":
    main()
