"""Spaces and stacks as lists and pickers tell of them."""

from collections.abc import Iterable

from bot.locales import ngettext
from dvonn import ROWS, Move, Point, Position, column_row


def about(position: Position, point: Point) -> str:
    """How high a stack is, and how many red pieces are in it: "4 high, 1 red inside"."""
    height, reds = position.height(point), position.reds(point)
    words = ngettext("{height} high", "{height} high", height).format(height=height)
    if reds:
        words += ", " + ngettext("{reds} red inside", "{reds} red inside", reds).format(reds=reds)
    return words


def by_row(points: Iterable[Point]) -> dict[int, list[Point]]:
    """Points in the rows of the board, counted from 0 at the bottom; the top row comes first."""
    rows: dict[int, list[Point]] = {row: [] for row in reversed(range(ROWS))}
    for point in points:
        rows[column_row(point)[1]].append(point)
    return rows


def by_stack(position: Position) -> dict[Point, list[Move]]:
    """The stacks that can move now, each with its moves."""
    stacks: dict[Point, list[Move]] = {}
    for move in position.legal_moves():
        if move.source is not None:
            stacks.setdefault(move.source, []).append(move)
    return stacks
