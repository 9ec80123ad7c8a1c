"""Our own vectors, by the package and once more by the plain rules."""

import pytest

from dvonn import Color, Phase, from_diagram, parse_move, to_diagram
from dvonn.perft import perft
from tests.dvonn.make_vectors import game_vector, plain_perft
from tests.dvonn.plain_rules import PlainPosition, move_of
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


@pytest.mark.parametrize("vector", GAMES.values(), ids=list(GAMES))
def test_the_plain_rules_agree_with_the_games(vector: Vector) -> None:
    again = game_vector(vector["moves"].split())
    assert {word: text.split() for word, text in again.items()} == {
        word: text.split() for word, text in vector.items()
    }


@pytest.mark.parametrize("vector", PERFT.values(), ids=list(PERFT))
def test_perft(vector: Vector) -> None:
    position = from_diagram(vector["board"])
    for line in vector["lines"].splitlines():
        depth, count = map(int, line.split())
        assert perft(position, depth) == count


@pytest.mark.parametrize("vector", PERFT.values(), ids=list(PERFT))
def test_the_plain_rules_agree_with_the_counts(vector: Vector) -> None:
    position = from_diagram(vector["board"])
    stacks = {move_of(point)[1]: pieces for point, pieces in position.stacks.items()}
    placed = len(stacks) if position.phase is Phase.PLACEMENT else 49
    plain = PlainPosition(stacks, position.turn or "", placed)
    for line in vector["lines"].splitlines()[:2]:
        depth, count = map(int, line.split())
        assert plain_perft(plain, depth) == count
