"""The best pairing of a few players by costs: a perfect matching of least weight, exact."""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Final, TypeVar

from bot.features.tournaments.model.records import Record
from dvonn import Color

Pair_ = tuple[Record, Record | None]
_One = TypeVar("_One")

_BITS: Final = 24
"""A cost is below 2 ** 24, summed over all boards."""


def matched(
    players: Sequence[_One], cost: Callable[[_One, _One | None], tuple[int, ...]]
) -> list[tuple[_One, _One | None]]:
    """Everybody with an opponent, or, if they are odd, one with none: the least cost in all.

    What comes first in a cost outweighs whatever comes after it, on all boards together.
    """
    from networkx import Graph, min_weight_matching  # noqa: PLC0415 - 23 MiB, and seldom needed

    seats: list[_One | None] = [*players, *([None] if len(players) % 2 else [])]
    graph = Graph()
    graph.add_weighted_edges_from(
        (i, j, _number(cost(players[i], seats[j]))) for i, j in combinations(range(len(seats)), 2)
    )
    edges = sorted(tuple(sorted(edge)) for edge in min_weight_matching(graph))
    return [(players[i], seats[j]) for i, j in edges]


def _number(cost: tuple[int, ...]) -> int:
    number = 0
    for part in cost:
        number = (number << _BITS) + part
    return number


def color_faults(white: Record, black: Record) -> tuple[int, int]:
    """Count those who get a colour too often, and those who get it three times in a row."""
    return (
        white.unbalances(Color.WHITE) + black.unbalances(Color.BLACK),
        white.is_third(Color.WHITE) + black.is_third(Color.BLACK),
    )


def colored(one: Record, other: Record) -> tuple[Record, Record]:
    """Return the two, White first, so that their colours come out most evenly.

    Where nothing else decides the one named first has White.
    """

    def unevenness(white: Record, black: Record) -> tuple[int, ...]:
        repeated = (white.colors[-1:] == (Color.WHITE,)) + (black.colors[-1:] == (Color.BLACK,))
        return (*color_faults(white, black), white.difference - black.difference, repeated)

    return min(((one, other), (other, one)), key=lambda pair: unevenness(*pair))
