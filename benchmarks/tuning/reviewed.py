"""Reviewed games of the engine with itself, as data to see how true reviews are.

    python -m benchmarks.tuning.reviewed --games 200 --levels 11 --nodes 25000 --out r.npz

Each game begins as those of `dvonn.engine.selfplay`, on a full board; each player is of one
of the levels, by chance. The file holds one row for each move, all from White's eye:

    game, ply   [rows] the game's number, and the ply's in its record
    level       [rows] of the player who moved
    stacks      [rows] on the board before the move
    choices     [rows] how many moves there were
    chance      [rows] White's chance to win before the move, as the review says
    exact       [rows] whether that is proven
    loss        [rows] the chance that the move gave away
    margin      [rows] how the game ended, in pieces
    version     that of the machine whose levels these are
    steps       [rows] how far the red pieces were apart on the full board, see `placement`
"""

import argparse
import random
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Final, TypeVar

import numpy as np

from dvonn import Color, GameRecord, Position
from dvonn.board import steps_between
from dvonn.engine import review
from dvonn.engine.player import player_at
from dvonn.engine.protocol import Player
from dvonn.engine.selfplay import SelfPlaySettings, chooser, start_line
from dvonn.machine import VERSION

COLUMNS: Final = (
    "game",
    "ply",
    "level",
    "stacks",
    "choices",
    "chance",
    "exact",
    "loss",
    "margin",
    "steps",
)

Row = tuple[float, ...]

_Kind = TypeVar("_Kind")


def play(seed: int, levels: Sequence[int]) -> tuple[GameRecord, dict[Color, int]]:
    """Return a game, and the players' levels."""
    return play_kinds(seed, levels, player_at)


def play_kinds(
    seed: int, kinds: Sequence[_Kind], player: Callable[[_Kind, int], Player]
) -> tuple[GameRecord, dict[Color, _Kind]]:
    """Return a game of two kinds of players from a full board, and which they are.

    Args:
        seed: of all that is left to chance.
        kinds: those of which each player has one, such as levels.
        player: makes one of a kind, with a seed.
    """
    rng = random.Random(seed)
    chosen = {color: rng.choice(kinds) for color in Color}
    players = {color: player(kind, rng.getrandbits(32)) for color, kind in chosen.items()}
    moves = start_line(rng, SelfPlaySettings(), chooser(SelfPlaySettings(), rng))
    position = Position.initial().after(*moves)
    while position.turn is not None:
        moves.append(players[position.turn].choose(position, None))
        position = position.play(moves[-1])
    return GameRecord(moves), chosen


def rows(seed: int, levels: Sequence[int], nodes: int) -> list[Row]:
    """Return the rows of one game's review, with the game's result."""
    record, level = play(seed, levels)
    positions = record.positions()
    margin = positions[-1].score(Color.WHITE) - positions[-1].score(Color.BLACK)
    said = review(record, nodes=nodes, placements=0)
    steps = red_steps(positions[3])
    found: list[Row] = []
    for one in said.plies:
        before = positions[one.ply - 1]
        found.append(
            (
                seed,
                one.ply,
                level[one.color],
                len(before.stacks),
                len(before.legal_moves()),
                one.before.win_probability,
                one.before.exact,
                one.loss,
                margin,
                steps,
            )
        )
    return found


def red_steps(position: Position) -> int:
    """Count the steps between the three red pieces, all pairs together."""
    return sum(steps_between(one, other) for one, other in combinations(position.stacks, 2))


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, review, and write the file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tuning.reviewed")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--levels", type=int, nargs="+", default=[11])
    parser.add_argument("--nodes", type=int, default=25_000, help="for each move's review")
    parser.add_argument("--seed", type=int, default=0, help="of the first game; they count up")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)

    found: list[Row] = []
    for seed in range(options.seed, options.seed + options.games):
        found += rows(seed, options.levels, options.nodes)
    columns = np.array(found, dtype=np.float64).T
    named = dict(zip(COLUMNS, columns, strict=True))
    np.savez_compressed(options.out, allow_pickle=False, version=VERSION, **named)
    print(f"{len(found)} moves of {options.games} games")


if __name__ == "__main__":
    main()
