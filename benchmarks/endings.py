"""How often a level gives away a proven win or draw near the end.

    python -m benchmarks.endings [--positions 80] [--seed 777000] [--level 16]

Players of few nodes play from boards that are placed well, with 4 random moves in 100. Of each game
one position with 21 to 25 stacks is taken; it counts if its mover has a win or a draw that some
move gives away. `given_away` counts the positions in which the level does so, `without_proof` those
in which it would without its proof. `seconds` are of processor time for a move.
"""

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from statistics import mean
from typing import Final

from benchmarks.result import result_line
from dvonn import Color, Move, Phase, Position
from dvonn.engine.placement import choose_placement
from dvonn.engine.player import strength_of
from dvonn.engine.proving import Prover, TooHardError
from dvonn.engine.searcher import Searcher
from dvonn.machine import LEVELS

STACKS: Final = range(21, 26)
_NODES: Final = 40_000_000
_MEGABYTES: Final = 256
_PLAYERS: Final = 9_600
_SAMPLES: Final = 200
_RANDOM_MOVES: Final = 0.04


def position_of(seed: int) -> Position | None:
    """Return one position near the end of a game, if it has one."""
    rng, searcher = random.Random(seed), Searcher(megabytes=1)
    position, found = Position.initial(), []
    while position.phase is Phase.PLACEMENT:
        position = position.play(choose_placement(position, rng, samples=_SAMPLES))
    while position.turn is not None:
        if len(position.stacks) in STACKS and len(position.legal_moves()) > 1:
            found.append(position)
        move = searcher.search(position, nodes=_PLAYERS).move
        if rng.random() < _RANDOM_MOVES:
            move = rng.choice(position.legal_moves())
        position = position.play(move)
    return rng.choice(found) if found else None


def keeping(position: Position, prover: Prover) -> frozenset[Move] | None:
    """Return the moves that keep a win or a draw; None if it is lost, or not proven."""
    color = position.turn or Color.WHITE
    try:
        goal = 1 if prover.reaches(position, color, 1) else 0
        return frozenset(
            move
            for move in position.legal_moves()
            if prover.reaches(position.play(move), color, goal)
        )
    except TooHardError:
        return None


def positions(first: int) -> Iterator[tuple[Position, frozenset[Move]]]:
    """Yield the positions that count, each with the moves that keep the result."""
    prover, seed = Prover(Searcher(megabytes=_MEGABYTES), _NODES), first
    while True:
        position = position_of(seed)
        seed += 1
        right = None if position is None else keeping(position, prover)
        if position is not None and right and len(right) < len(position.legal_moves()):
            yield position, right


def main(arguments: Sequence[str] | None = None) -> None:
    """Let the level move, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.endings")
    parser.add_argument("--positions", type=int, default=80)
    parser.add_argument("--seed", type=int, default=777_000, help="of the first game")
    parser.add_argument("--level", type=int, default=LEVELS[-1])
    options = parser.parse_args(arguments)
    strength = strength_of(options.level)
    given_away = without = 0
    took = []
    for number, (position, right) in enumerate(positions(options.seed), 1):
        start = time.process_time()
        found = Searcher().search(position, nodes=strength.nodes, proof=strength.proof)
        took.append(time.process_time() - start)
        given_away += found.move not in right
        without += Searcher().search(position, nodes=strength.nodes).move not in right
        if number == options.positions:
            break
    figures = {
        "positions": options.positions,
        "given_away": given_away,
        "without_proof": without,
        "seconds_mean": mean(took),
        "seconds_max": max(took),
    }
    print(result_line("endings", figures))


if __name__ == "__main__":
    main()
