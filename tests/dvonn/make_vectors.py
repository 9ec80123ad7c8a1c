"""Makes the vectors in tests/data: `python -m tests.dvonn.make_vectors`.

The games are random, the first ones found in which something rare happens. What is written down
about them comes from the plain rules; the tests compare `dvonn` with it.
"""

import random
import textwrap
from collections.abc import Callable, Iterator

from dvonn import POINTS, Move, Position, neighbours, parse_move, to_diagram
from tests.dvonn.plain_rules import BOARD, PlainPosition, move_of, name
from tests.dvonn.vectors import DATA, Vector, write_vectors
from tests.games import positions_of, random_game

History = list[PlainPosition]
"""The positions of a game, from the initial one."""

GAMES_COMMENT = """\
Whole games that we made: random or simple play, chosen because something rare happens in them.
moves: the 49 placements, then the movements; forced passes are left out.
passes: how many movements had been played when a colour was passed over.
removed: the number of a movement, from 1, and the points that it cleared.
board: the end, "pieces" White's and Black's.
Written by `python -m tests.dvonn.make_vectors` with the plain rules of tests/dvonn."""

PERFT_COMMENT = """\
How many lines of play of a given length positions have, from random games that we made.
A forced pass is no ply; a game that is over has no lines of greater length.
Counted by `python -m tests.dvonn.make_vectors` with the plain rules of tests/dvonn."""


def history_of(moves: list[str]) -> History:
    history = [PlainPosition()]
    for move in moves:
        history.append(history[-1].play(move_of(move)))
    return history


def passed_player_moves_again(history: History) -> bool:
    return any(
        before.passed and before.passed in {later.turn for later in history[ply:]}
        for ply, before in enumerate(history)
    )


def reds_moved(moves: list[str], history: History) -> int:
    """The most red pieces that one moving stack held."""
    sources = (move_of(move)[0] for move in moves)
    stacks = (
        before.stacks[source]
        for source, before in zip(sources, history, strict=False)
        if source is not None
    )
    return max(stack.count("R") for stack in stacks)


RARE: dict[str, Callable[[list[str], History], bool]] = {
    "a passed player moves again": lambda _, history: passed_player_moves_again(history),
    "both players are passed over": lambda _, history: {p.passed for p in history} >= {"W", "B"},
    "draw": lambda _, history: history[-1].score("W") == history[-1].score("B") > 0,
    "nobody owns anything at the end": lambda _, history: set(history[-1].stacks.values()) == {"R"},
    "the stack that moves is cut off": lambda moves, history: any(
        move_of(move)[1] in after.removed for move, after in zip(moves, history[1:], strict=True)
    ),
    "a stack with two red pieces moves": lambda moves, history: reds_moved(moves, history) == 2,
    "all red pieces end in one stack": lambda _, history: any(
        stack.count("R") == 3 for stack in history[-1].stacks.values()
    ),
    "thirty points are cleared at once": lambda _, history: any(
        len(position.removed) >= 30 for position in history
    ),
    "a long game": lambda moves, _: len(moves) >= 49 + 40,
    "a short game": lambda moves, _: len(moves) <= 49 + 16,
}


def candidates() -> Iterator[list[str]]:
    """Random games, and ones in which both players hem each other in."""
    for seed in range(3000):
        yield [str(move) for move in random_game(seed)]
        yield [str(move) for move in tight_game(seed)]


def tight_game(seed: int) -> list[Move]:
    """A random placement, and then always the move that leaves the opponent the fewest."""
    rng = random.Random(seed)
    moves = random_game(seed)[:49]
    position = positions_of(moves)[-1]
    while legal := position.legal_moves():
        mover = position.turn
        after = [(move, position.play(move)) for move in rng.sample(legal, len(legal))]
        move, position = min(
            after, key=lambda pair: 0 if pair[1].turn is mover else len(pair[1].legal_moves())
        )
        moves.append(move)
    return moves


def white_inside() -> list[str]:
    """A game in which White has no stack at the edge when the movement begins."""
    edge = [point for point in POINTS if len(neighbours(point)) < 6]
    inside = [point for point in POINTS if len(neighbours(point)) == 6]
    blacks, whites = [*edge[3:], *inside[:2]], inside[2:]
    placed = [*edge[:3], *(p for pair in zip(blacks, whites, strict=True) for p in pair)]
    moves = [parse_move(point) for point in placed]
    position, rng = positions_of(moves)[-1], random.Random(1)
    while legal := position.legal_moves():
        moves.append(rng.choice(legal))
        position = position.play(moves[-1])
    return [str(move) for move in moves]


def game_vector(moves: list[str]) -> Vector:
    history = history_of(moves)
    passes = [f"{count} {after.passed}" for count, after in enumerate(history[49:]) if after.passed]
    removed = [
        f"{number} {' '.join(map(name, sorted(after.removed, key=BOARD.index)))}"
        for number, after in enumerate(history[50:], start=1)
        if after.removed
    ]
    end = history[-1]
    final = positions_of([parse_move(move) for move in moves])[-1]
    return {
        "moves": "\n".join(
            line for part in (moves[:49], moves[49:]) for line in textwrap.wrap(" ".join(part), 99)
        ),
        "passes": "\n".join(passes),
        "removed": "\n".join(removed),
        "board": to_diagram(final),
        "pieces": f"{end.score('W')} {end.score('B')}",
    }


def plain_perft(position: PlainPosition, depth: int) -> int:
    moves = position.legal_moves()
    if depth == 1:
        return len(moves)
    return sum(plain_perft(position.play(move), depth - 1) for move in moves)


def perft_vector(seed: int, ply: int) -> Vector:
    moves = random_game(seed)[:ply]
    plain = history_of([str(move) for move in moves])[-1]
    position: Position = positions_of(moves)[-1]
    counts = [f"{depth} {plain_perft(plain, depth)}" for depth in (1, 2, 3)]
    return {"board": to_diagram(position), "lines": "\n".join(counts)}


def main() -> None:
    games = {"white passes before the first move": game_vector(white_inside())}
    for title, happens in RARE.items():
        found = next(moves for moves in candidates() if happens(moves, history_of(moves)))
        games[title] = game_vector(found)
    write_vectors(DATA / "games.txt", GAMES_COMMENT, games)

    plies = (0, 3, 46, 47, 49, 52, 57, 62, 67, 72, 77, 80)
    counts = {
        f"game {seed} after {ply} plies": perft_vector(seed, ply)
        for seed, ply in enumerate(plies, start=100)
    }
    write_vectors(DATA / "perft.txt", PERFT_COMMENT, counts)


if __name__ == "__main__":
    main()
