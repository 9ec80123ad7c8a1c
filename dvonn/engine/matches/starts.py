"""Reproducible start positions of matches, each with a number."""

import random
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from dvonn import Move, Position, balanced_start
from dvonn._records.position_text import position_from_text
from dvonn._rules.errors import PositionTextError
from dvonn.even_boards import even_seeds, even_start
from dvonn.formats import read_games

Starts = Callable[[int], Position]


def _played(moves: Iterable[Move]) -> Position:
    return Position.initial().after(*moves)


def _random_board(seed: int) -> Position:
    rng = random.Random(seed)  # noqa: S311 - no secrets
    position = Position.initial()
    while position.to_place is not None:
        position = position.play(rng.choice(position.legal_moves()))
    return position


STARTS: Final[Mapping[str, Starts]] = MappingProxyType(
    {
        "empty": lambda _: Position.initial(),
        "random": _random_board,
        "balanced": lambda seed: _played(balanced_start(seed)),
        "even": lambda number: _played(even_start(even_seeds()[number % len(even_seeds())])),
    }
)
"""Kinds of starts by name: the empty board, which the programs fill, and three kinds of full
boards.
"""


def starts_of(text: str) -> Starts:
    """Return the starts for a name in `STARTS` or for the path of a file.

    A file contains one position per line (`dvonn.position_to_text`), or games. Of each game, the
    last position is used.

    Raises:
        OSError: if the file cannot be read.
        ValueError: if it has no starts, or a game in it is over.
    """
    if text in STARTS:
        return STARTS[text]
    path = Path(text)
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    try:
        positions = [position_from_text(line) for line in lines]
    except PositionTextError:
        with path.open(encoding="utf-8") as file:
            positions = [record.positions()[-1] for record in read_games(file)]
    over = [number for number, position in enumerate(positions, start=1) if not position.turn]
    if over or not positions:
        raise ValueError(f"{text}: " + (f"start {over[0]} is over" if over else "no start"))
    return lambda number: positions[number % len(positions)]
