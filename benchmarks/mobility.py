"""Measure the value of a movable stack in endgames that are solved exactly.

    python -m benchmarks.mobility --games 300 --seed 1

It takes the first position of each game with at most 20, 17, 14, 11 and 8 stacks, and finds out who
wins with best play. For each number of stacks it prints how often the player to move wins (a draw
counts half) by their lead in pieces and in stacks that can move, and what one of these stacks is
worth in pieces: the ratio of both weights in a logistic regression. `changed` is the share of games
whose actual result differs from the result of best play.
"""

import argparse
import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.result import result_line
from dvonn import Phase, Position, parse_moves
from dvonn.engine.searcher import Searcher
from dvonn_lessons.primer import movers
from dvonn_lessons.proving import Prover, TooHardError

DATA: Final = Path(__file__).parent.parent / "docs" / "data" / "selfplay.jsonl"
STACKS: Final = (20, 17, 14, 11, 8)
_NODES: Final = 4_000_000
_MANY_PIECES, _MORE_MOVERS, _STEPS = 5, 2, 50


@dataclass(frozen=True, slots=True)
class Solved:
    """A solved position, for the player to move.

    Attributes:
        pieces: Their lead in pieces.
        movers: Their lead in stacks that can move.
        score: 1 if they win with best play, 0 if they lose, 1/2 for a draw.
        result: The same for the game's actual result.
    """

    pieces: int
    movers: int
    score: float
    result: float


def solve(position: Position, end: Position, prover: Prover) -> Solved | None:
    """Return a position with its solution and its game's result, or None if that takes too long."""
    player = position.turn
    if player is None:
        return None
    try:
        wins = prover.reaches(position, player, 1)
        score = 1.0 if wins else prover.reaches(position, player, 0) / 2
    except TooHardError:
        return None
    own, other = movers(position, player)
    lead = end.score(player) - end.score(player.opponent)
    return Solved(
        pieces=position.score(player) - position.score(player.opponent),
        movers=own - other,
        score=score,
        result=((lead > 0) - (lead < 0) + 1) / 2,
    )


def solved_of(game: Sequence[Position], prover: Prover) -> dict[int, Solved]:
    """Return a game's first position with at most each of the `STACKS`, solved."""
    moving = [position for position in game if position.phase is Phase.MOVEMENT]
    solved = {}
    for stacks in STACKS:
        first = next((position for position in moving if len(position.stacks) <= stacks), None)
        solution = None if first is None else solve(first, game[-1], prover)
        if solution is not None:
            solved[stacks] = solution
    return solved


def figures_of(solved: Sequence[Solved]) -> dict[str, float]:
    """Return scores and numbers of positions by lead, and the value of a movable stack."""
    groups = {
        "behind_in_pieces": [item for item in solved if item.pieces <= -_MANY_PIECES],
        "ahead_in_pieces": [item for item in solved if item.pieces >= _MANY_PIECES],
        "fewer_movers": [item for item in solved if item.movers <= -_MORE_MOVERS],
        "more_movers": [item for item in solved if item.movers >= _MORE_MOVERS],
        "more_movers_fewer_pieces": [
            item for item in solved if item.movers >= _MORE_MOVERS and item.pieces <= -3
        ],
    }
    figures: dict[str, float] = {"positions": len(solved)}
    for name, group in groups.items():
        figures[name] = sum(item.score for item in group) / len(group) if group else float("nan")
        figures[f"{name}_n"] = len(group)
    _, piece, mover = weights(solved)
    figures["mover_in_pieces"] = mover / piece
    figures["changed"] = sum(task.score != task.result for task in solved) / len(solved)
    return figures


def weights(solved: Iterable[Solved]) -> Any:
    """Return the intercept and the weights of a piece and of a mover in a logistic regression."""
    rows = [(1, item.pieces, item.movers, item.score) for item in solved]
    data = np.array(rows, float)
    inputs, scores, fitted = data[:, :3], data[:, 3], np.zeros(3)
    for _ in range(_STEPS):  # Newton's method, with a little shrinking so that it always ends
        chances = 1 / (1 + np.exp(-inputs @ fitted))
        curve = (inputs * (chances * (1 - chances))[:, None]).T @ inputs + 1e-3 * np.eye(3)
        fitted += np.linalg.solve(curve, inputs.T @ (scores - chances) - 1e-3 * fitted)
    return fitted


def main(arguments: Sequence[str] | None = None) -> None:
    """Solve positions of a random sample of games, and print a RESULT line for each stage."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mobility")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    lines = options.data.read_text(encoding="utf-8").splitlines()
    chosen = random.Random(options.seed).sample(lines, min(options.games, len(lines)))
    prover, solved = Prover(Searcher(megabytes=64), _NODES), list[dict[int, Solved]]()
    for line in chosen:
        game = [Position.initial()]
        for move in parse_moves(json.loads(line)["moves"]):
            game.append(game[-1].play(move))
        solved.append(solved_of(game, prover))
    for stacks in STACKS:
        positions = [row[stacks] for row in solved if stacks in row]
        print(result_line("mobility", {"stacks": stacks, **figures_of(positions)}))


if __name__ == "__main__":
    main()
