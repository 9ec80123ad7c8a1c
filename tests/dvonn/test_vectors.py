"""Tests for our own vectors, which the plain rules generated."""

import pytest

from dvonn import Color, Phase, from_diagram, parse_move, to_diagram
from dvonn.perft import perft
from tests.dvonn.vectors import DATA, Vector, read_vectors
from tests.games import positions_of

GAMES = read_vectors(DATA / "games.txt")
PERFT = read_vectors(DATA / "perft.txt")


@pytest.mark.parametrize("vector", GAMES.values(), ids=list(GAMES))
def test_whole_games(vector: Vector) -> None:
    positions = positions_of([parse_move(text) for text in vector["moves"].split()])[49:]
    passes = [f"{n} {color}" for n, after in enumerate(positions) for color in after.passed]
    removed = [
        " ".join([str(number), *after.removed])
        for number, after in enumerate(positions[1:], start=1)
        if after.removed
    ]
    final = positions[-1]
    assert final.phase is Phase.OVER
    assert passes == vector["passes"].splitlines()
    assert removed == vector["removed"].splitlines()
    assert final == from_diagram(vector["board"])
    assert to_diagram(final) == vector["board"]
    assert [final.score(color) for color in Color] == list(map(int, vector["pieces"].split()))


@pytest.mark.parametrize("vector", PERFT.values(), ids=list(PERFT))
def test_perft(vector: Vector) -> None:
    position = from_diagram(vector["board"])
    for line in vector["lines"].splitlines():
        depth, count = map(int, line.split())
        assert perft(position, depth) == count
