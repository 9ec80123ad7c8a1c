"""Games of the engine against itself, as data to fit to.

    python -m benchmarks.tuning.selfplay --games 2000 --nodes 4000 --workers 2 --out d.npz

Each game begins on a full board: the pieces lie at random, or are placed by the engine with some
chance, half of the time each. Some early moves are random too, so that games differ. The file holds
one row for each position before which a move was searched, and one for each full board:

    pieces   [rows, 49] a code for each point in the order of `dvonn.board.POINTS`, `rows`
    side     [rows] 0 White to move, 1 Black
    value    [rows] what the search said, in points of the evaluation
    margin   [rows] how the game ended, in pieces, from the eye of the mover
    game     [rows] the game's number
"""

import argparse
import multiprocessing
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.tuning.rows import LONE_RED, OTHER, OWN, PER_PIECE, RED_AT
from dvonn import Color, Move, Phase, Position
from dvonn.board import POINTS
from dvonn.engine.placement import SAMPLES, choose_placement
from dvonn.engine.searcher import Searcher
from dvonn.engine.tables import Int64s

_RANDOM_MOVES: Final = 0.08
"""The share of random moves in a random first part of the game."""

Row = tuple[list[int], int, int, int, int]


def encode(position: Position) -> list[int]:
    """Return a code for each of the 49 points, from the eye of the player to move."""
    stacks, codes = position.stacks, []
    mover = "B" if position.turn is Color.BLACK else "W"
    for point in POINTS:
        pieces = stacks.get(point, "")
        if not pieces:
            codes.append(0)
            continue
        kind = LONE_RED if pieces == "R" else OWN if pieces[-1] == mover else OTHER
        codes.append(kind + PER_PIECE * len(pieces) + (RED_AT if "R" in pieces else 0))
    return codes


def start(rng: random.Random, samples: int) -> Position:
    """Return a full board; the placements that are not random are judged by so many samples."""
    return start_line(rng, samples)[-1][1]


def start_line(rng: random.Random, samples: int) -> list[tuple[Move, Position]]:
    """Return the placements that lead to such a board, each with the position after it."""
    chance = rng.choice((1.0, 0.5, 0.2, 0.1))
    position, line = Position.initial(), []
    while position.phase is Phase.PLACEMENT:
        if rng.random() < chance:
            move = rng.choice(position.legal_moves())
        else:
            move = choose_placement(position, rng, samples=samples)
        position = position.play(move)
        line.append((move, position))
    return line


def play_game(searcher: Searcher, seed: int, nodes: int, samples: int = SAMPLES) -> list[Row]:
    """One game; a row for each searched position: codes, side, value, margin, game."""
    rng = random.Random(seed)
    position = start(rng, samples)
    early = rng.randrange(30)
    seen: list[tuple[Position, int]] = []
    while position.phase is not Phase.OVER:
        found = searcher.search(position, nodes=nodes)
        seen.append((position, found.value))
        move = found.move
        if position.plies - len(POINTS) < early and rng.random() < _RANDOM_MOVES:
            move = rng.choice(position.legal_moves())
        position = position.play(move)
    margin = position.score(Color.WHITE) - position.score(Color.BLACK)
    rows = []
    for before, value in seen:
        side = int(before.turn is Color.BLACK)
        rows.append((encode(before), side, value, -margin if side else margin, seed))
    return rows


def _play_games(work: tuple[range, int, int]) -> list[Row]:
    seeds, nodes, samples = work
    searcher, rows = Searcher(megabytes=4), []
    for seed in seeds:
        searcher.clear()
        rows += play_game(searcher, seed, nodes, samples)
    return rows


def as_arrays(rows: list[Row]) -> dict[str, Int64s]:
    """Return the columns of the file."""
    pieces, side, value, margin, game = zip(*rows, strict=True)
    return {
        "pieces": np.array(pieces, dtype=np.int16),
        "side": np.array(side, dtype=np.int8),
        "value": np.array(value, dtype=np.int16),
        "margin": np.array(margin, dtype=np.int8),
        "game": np.array(game, dtype=np.int32),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, and write the file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tuning.selfplay")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=4000, help="positions searched for each move")
    parser.add_argument("--samples", type=int, default=SAMPLES, help="full boards for a placement")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0, help="of the first game; they count up")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)

    batch = 50
    last = options.seed + options.games
    work = [
        (range(first, min(first + batch, last)), options.nodes, options.samples)
        for first in range(options.seed, last, batch)
    ]
    rows: list[Row] = []
    with multiprocessing.get_context("spawn").Pool(options.workers) as pool:
        for number, more in enumerate(pool.imap_unordered(_play_games, work)):
            rows += more
            print(f"{number + 1} of {len(work)} batches, {len(rows)} rows", flush=True)
    np.savez_compressed(options.out, allow_pickle=False, **as_arrays(rows))


if __name__ == "__main__":
    main()
