"""Hypothesis strategies: whole games, and texts that look like moves."""

from hypothesis import strategies as st

from dvonn import Move, Position
from tests.games import random_game


def _game_of(choices: list[int]) -> list[Move]:
    """Return the game in which each number picks one of the legal moves."""
    position, moves = Position.initial(), []
    for choice in choices:
        if not (legal := position.legal_moves()):
            break
        moves.append(legal[choice % len(legal)])
        position = position.play(moves[-1])
    return moves


def games() -> st.SearchStrategy[list[Move]]:
    """Generate whole games: random ones, and lopsided ones that shrink well."""
    lopsided = st.lists(st.integers(0, 200), min_size=97, max_size=97)
    return st.integers(0, 2**32).map(random_game) | lopsided.map(_game_of)


def move_like_texts() -> st.SearchStrategy[str]:
    """Generate moves, near-moves, and arbitrary texts."""
    parts = st.sampled_from(
        [
            *"abcdefghijklxzABK0123456789 \t\u00a0`.-,\n",
            "10",
            "11",
            "->",
            "→",
            "to",
            "–",
            "pass",
            "K",
        ]
    )
    return st.lists(parts, max_size=8).map("".join) | st.text(max_size=12)
