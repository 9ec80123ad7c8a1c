"""Play your own engine, a function, against a program that uses the protocol."""

import sys

from dvonn import Color, Move, Position
from dvonn.engine.client import UciEngine


def greedy(position: Position) -> Move:
    return max(position.legal_moves(), key=lambda move: position.play(move).score(Color.WHITE))


position, baseline = Position.initial(), [sys.executable, "-m", "dvonn.engine", "uci", "--baseline"]
with UciEngine(sys.argv[1:] or baseline) as engine:
    while not position.is_over:
        is_greedy = position.turn is Color.WHITE
        move = greedy(position) if is_greedy else engine.go(position, "depth 1").move
        position = position.after(move or "")
    print(f"greedy {position.score(Color.WHITE)}, {engine.name} {position.score(Color.BLACK)}")
