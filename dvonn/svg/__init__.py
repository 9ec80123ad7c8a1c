"""SVG pictures of positions, made with the standard library only.

>>> from dvonn import Position
>>> from dvonn.svg import svg
>>> svg(Position.initial().after("d2"), theme="slate")[:40]
'<svg xmlns="http://www.w3.org/2000/svg" '

Notebooks use this package to show positions and records. A stack is drawn as in the bot's pictures:
its top six pieces, its height, and a mark for each red piece in it.
"""

from collections.abc import Iterable

from dvonn._rules.board import POINTS, Coordinates, Point
from dvonn._rules.errors import DvonnError
from dvonn._rules.move import Move
from dvonn._rules.notation import parse_move, parse_point
from dvonn._rules.position import Position
from dvonn.svg import fragments
from dvonn.svg.themes import THEMES

__all__ = ["THEMES", "svg"]


def svg(
    position: Position,
    *,
    last: Move | str | None = None,
    marks: Iterable[Point | str] = (),
    arrows: Iterable[Move | str] = (),
    theme: str = "wood",
    coordinates: Coordinates = Coordinates.STANDARD,
    turned: bool = False,
    width: int = 550,
) -> str:
    """Return a picture of a position as a self-contained SVG document.

    Args:
        position: The position.
        last: The move that led to the position, which is highlighted.
        marks: Points to draw a circle on.
        arrows: Movements to draw as arrows.
        theme: One of `THEMES`.
        coordinates: Coordinate system of the labels.
        turned: True to rotate the board by 180 degrees, so that a1 is at the top right.
        width: Default width in pixels.

    Raises:
        DvonnError: if there is no such theme, or if a point or a move cannot be parsed.
    """
    if theme not in THEMES:
        raise DvonnError(f"no theme: {theme!r}, only {', '.join(THEMES)}")
    moves, points = [_move(arrow) for arrow in arrows], [parse_point(mark) for mark in marks]
    led = None if last is None else _move(last)
    moves_shown = [*moves, *([] if led is None else [led])]
    loud = {*points, *(end for move in moves_shown for end in (move.source, move.target) if end)}
    if position.to_place:
        loud |= set(POINTS) - set(position.stacks)
    board = fragments.BoardPicture(
        position, THEMES[theme], coordinates, led, frozenset(loud), turned, f"dvonn-{theme}"
    )
    return fragments.document(
        board.theme,
        (*board.parts(), fragments.arrows(board, moves), fragments.circles(board, points)),
        title=_title(position),
        description=position.to_text(),
        width_px=width,
        top=board.layout.strip_height,
    )


def _move(move: Move | str) -> Move:
    return parse_move(move) if isinstance(move, str) else move


def _title(position: Position) -> str:
    white, black = position.score("W"), position.score("B")
    if position.turn is None:
        return f"{position.result}: White {white}, Black {black}"
    doing = "place" if position.to_place else "move"
    return f"{position.turn.name.capitalize()} to {doing}: White {white}, Black {black}"
