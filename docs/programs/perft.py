"""Counts lines of play, and where two programs would differ."""

from dvonn import Position
from dvonn.perft import divide, perft
from dvonn.symmetries import canonical

for depth in range(1, 4):
    print(depth, perft(Position.initial(), depth))

position = Position.initial().after("a1", "k5", "c3")
counts = {str(move): count for move, count in divide(position, 2).items()}
print(len(counts), "moves,", sum(counts.values()), "lines of two plies")
mirrored = Position.initial().after("i1", "c5", "i3")
print("as good as the same:", canonical(position) == canonical(mirrored))
