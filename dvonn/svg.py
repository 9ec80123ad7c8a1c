"""SVG pictures of positions, made with the standard library only.

>>> from dvonn import Position
>>> from dvonn.svg import svg
>>> svg(Position.initial().after("d2"), theme="slate")[:40]
'<svg xmlns="http://www.w3.org/2000/svg" '

Notebooks use it to show positions and records. A stack is drawn as in the bot's pictures: its
pieces from the bottom up, at most six of them, its height, and a sign for each red piece in it.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from types import MappingProxyType
from typing import Final, NamedTuple

from dvonn.board import COLUMNS, POINTS, ROWS, Coordinates, Point, column_row
from dvonn.errors import DvonnError
from dvonn.move import Move
from dvonn.notation import parse_move, parse_point
from dvonn.position import Position

WIDTH: Final = 1100
"""Width of a picture in its own units. It scales to any width."""
_HALF: Final = 48
"""Half the distance between two neighbors in a row. All other measures are in halves."""
_ROW: Final = 83
_TOP: Final = 1.76
_BOTTOM: Final = 1.28
_FRAME: Final = 0.16
_SEAM: Final = 0.035
_OUTER: Final = 0.83
_HOLE: Final = 0.55
_FACE: Final = 0.7
_STEP: Final = 0.14
_LAYERS: Final = 6
_MARK: Final = 0.21
_MARKS_AT: Final = ((0.74, 0.17), (-0.74, 0.17), (0.0, 1.03))
_LONE: Final = 1.45
_BASELINE: Final = 0.33


class PieceColors(NamedTuple):
    """The colors of a kind of piece: its ring, its side in a pile, its edge, its face, and text."""

    top: str
    side: str
    edge: str
    face: str
    ink: str


class SvgTheme(NamedTuple):
    """The colors of a picture."""

    pieces: Mapping[str, PieceColors]
    canvas: str
    frame: str
    cell: str
    label: str
    moved: str
    accent: str
    mark: str
    mark_edge: str


_KINDS_AT: Final = {8: "W", 13: "B", 18: "R"}


def _theme(text: str) -> SvgTheme:
    """Parse a line of colors as a theme."""
    colors = [f"#{word}" for word in text.split()]
    kinds = {kind: PieceColors(*colors[at : at + 5]) for at, kind in _KINDS_AT.items()}
    return SvgTheme(MappingProxyType(kinds), *colors[:8])


THEMES: Final[Mapping[str, SvgTheme]] = MappingProxyType(
    {
        # From the canvas to the edge of a mark, then the pieces of White, of Black, and red ones.
        "wood": _theme(
            "221a14 4a301e ac8a58 2c1808 f0c454 ffee50 d81228 fffaee"
            " fffaee e2d6be 3e2814 f8f0e0 221810"
            " 161211 423a34 080604 161211 fffaee"
            " f4363a d61a28 60020c 8c001e ffffff"
        ),
        "slate": _theme(
            "1d252b 303e47 738c96 11181c 5cb8d6 ffc13d d81228 fffaee"
            " fffaee d6ccb6 222a30 f8f0e0 161618"
            " 16181c 40444c 080604 16181c fffaee"
            " f4363a d61a28 60020c 8c001e ffffff"
        ),
        "light": _theme(
            "f6f8f6 324830 78986c 081608 ffe26e 9e3800 d81228 ffffff"
            " ffffff dce0dc 243424 f8f0e0 221810"
            " 161211 423a34 080604 161211 fffaee"
            " f4363a d61a28 60020c 8c001e ffffff"
        ),
        "contrast": _theme(
            "000000 000000 969696 000000 ffee78 ffdd00 ce0014 ffffff"
            " ffffff ffffff 000000 ffffff 000000"
            " 000000 000000 000000 000000 ffffff"
            " ff463e ff463e 000000 8c0000 ffffff"
        ),
        "colourblind": _theme(
            "161a2c 343e68 7c92bc 040818 f4ec78 f0e442 ffa000 180e00"
            " ffffff d6dae2 323a5a f8f0e0 221810"
            " 0e0f12 383c46 080604 0a0b0d ffffff"
            " ffa000 de8400 462c00 ffa000 180e00"
        ),
        "newsletter": _theme(
            "ffffff 808080 ffffff 585858 d0d0d0 000000 000000 ffffff"
            " ffffff ffffff 000000 ffffff 000000"
            " 000000 000000 000000 000000 ffffff"
            " b0b0b0 b0b0b0 000000 ffffff 000000"
        ),
    }
)
"""The themes of the bot's pictures, by name."""


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
        last: The move that led to the position. Its spaces are highlighted.
        marks: Points to draw a circle on.
        arrows: Movements to draw as arrows.
        theme: One of `THEMES`.
        coordinates: Coordinate system of the labels.
        turned: True to turn the board, so that a1 is at the top right.
        width: Default width in pixels.

    Raises:
        DvonnError: if there is no such theme, or if a point or a move cannot be parsed.
    """
    if theme not in THEMES:
        raise DvonnError(f"no theme: {theme!r}, only {', '.join(THEMES)}")
    board = _Board(THEMES[theme], coordinates, turned)
    height = round(_HALF * (_TOP + _BOTTOM)) + (ROWS - 1) * _ROW
    moves = [_move(last)] if last is not None else []
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"',
            f' width="{width}" height="{round(width * height / WIDTH)}" role="img"',
            ' font-family="system-ui,sans-serif" text-anchor="middle">',
            f"<title>{escape(_title(position))}</title><desc>{escape(position.to_text())}</desc>",
            f'<rect width="100%" height="100%" fill="{board.theme.canvas}"/>',
            *board.spaces(moves),
            *board.stacks(position),
            *(board.arrow(_move(arrow)) for arrow in arrows),
            *(board.circle(parse_point(mark)) for mark in marks),
            "</svg>",
        )
    )


def _move(move: Move | str) -> Move:
    return parse_move(move) if isinstance(move, str) else move


def _title(position: Position) -> str:
    white, black = position.score("W"), position.score("B")
    if position.turn is None:
        return f"{position.result}: White {white}, Black {black}"
    doing = "place" if position.to_place else "move"
    return f"{position.turn.name.capitalize()} to {doing}: White {white}, Black {black}"


class _Board:
    """The drawing of one board."""

    def __init__(self, theme: SvgTheme, coordinates: Coordinates, turned: bool) -> None:
        self.theme = theme
        self._coordinates = coordinates
        self._turned = turned

    def _center(self, point: Point) -> tuple[float, float]:
        column, row = column_row(point)
        if self._turned:
            column, row = COLUMNS - 1 - column, ROWS - 1 - row
        x = WIDTH // 2 + (2 * column - row - (ROWS - 1) * 2) * _HALF
        return x, round(_HALF * _TOP) + (ROWS - 1 - row) * _ROW

    def spaces(self, moves: Iterable[Move]) -> Iterator[str]:
        """Yield the empty board, with the spaces of some moves colored."""
        ends = {point for move in moves for point in (move.source, move.target) if point}
        yield self._hexagons(POINTS, 1 + _FRAME, self.theme.frame)
        yield self._hexagons((p for p in POINTS if p not in ends), 1 - _SEAM, self.theme.cell)
        yield self._hexagons(ends, 1.0, self.theme.moved)
        for point in POINTS:
            yield _text(self._name(point), *self._center(point), 0.52, self.theme.label)

    def _name(self, point: Point) -> str:
        return self._coordinates.label(point)

    def _hexagons(self, points: Iterable[Point], apothem: float, color: str) -> str:
        path = ""
        for point in points:
            x, y = self._center(point)
            reach = _HALF * apothem / math.cos(math.pi / 6)
            corners = (
                f"{_number(x + reach * math.sin(turn * math.pi / 3))} "
                f"{_number(y - reach * math.cos(turn * math.pi / 3))}"
                for turn in range(6)
            )
            path += f"M{'L'.join(corners)}Z"
        return f'<path d="{path}" fill="{color}"/>' if path else ""

    def stacks(self, position: Position) -> Iterator[str]:
        """Yield the stacks from back to front, so that tall ones hide what is behind them."""
        shown = sorted(position.stacks.items(), key=lambda one: self._center(one[0])[1])
        for point, pieces in shown:
            x, y = self._center(point)
            drawn = "".join(self._stack(pieces, self._name(point)))
            yield f'<g transform="translate({_number(x)} {_number(y)})">{drawn}</g>'

    def _stack(self, pieces: str, name: str) -> Iterator[str]:
        """Yield the parts of a stack, relative to the middle of its space."""
        colors = self.theme.pieces[pieces[-1]]
        visible = pieces[-_LAYERS:]
        is_closed = len(pieces) > 1 or pieces == "R"
        lift = _HALF * _STEP * (len(visible) - 1) if len(pieces) > 1 else 0.0
        for number, piece in enumerate(visible[:-1]):
            below, y = self.theme.pieces[piece], -_HALF * _STEP * number
            line = f'stroke="{below.edge}" stroke-width="1.5"'
            yield f'<circle cy="{_number(y)}" r="{_OUTER * _HALF:g}" fill="{below.side}" {line}/>'
        yield f'<g transform="translate(0 {_number(-lift)})">'
        if is_closed:
            yield f'<circle r="{_FACE * _HALF:g}" fill="{colors.face}"/>'
        inner = _FACE if is_closed else _HOLE
        for radius, breadth, color in (
            ((_OUTER + inner) / 2, _OUTER - inner, colors.top),
            (_OUTER - 0.0175, 0.035, colors.edge),
            (inner + 0.0175, 0.035, colors.edge),
        ):
            line = f'stroke="{color}" stroke-width="{_number(breadth * _HALF)}"'
            yield f'<circle r="{_number(radius * _HALF)}" fill="none" {line}/>'
        if len(pieces) > 1:
            yield _text(str(len(pieces)), 0, -0.2 * _HALF, 0.92, colors.ink, bold=True)
        if is_closed:
            yield _text(name, 0, 0.4 * _HALF, 0.44, colors.ink)
        yield from self._marks(pieces)
        yield "</g>"

    def _marks(self, pieces: str) -> Iterator[str]:
        """Yield the signs of the red pieces of a stack."""
        places = [(x, y, 1.0) for x, y in _MARKS_AT[: pieces.count("R")]]
        for x, y, size in [(0.0, -0.27, _LONE)] if pieces == "R" else places:
            reach = _MARK * size
            corners = ((x, y - reach), (x + 0.86 * reach, y), (x, y + reach), (x - 0.86 * reach, y))
            told = " ".join(f"{_number(_HALF * a)},{_number(_HALF * b)}" for a, b in corners)
            line = f'stroke="{self.theme.mark_edge}" stroke-width="2.6"'
            yield f'<polygon points="{told}" fill="{self.theme.mark}" {line}/>'

    def arrow(self, move: Move) -> str:
        """Return the arrow of a movement, or the circle of a placement."""
        if move.source is None:
            return self.circle(move.target)
        (x, y), (to_x, to_y) = self._center(move.source), self._center(move.target)
        length = math.hypot(to_x - x, to_y - y) or 1.0
        along, aside = (to_x - x) / length, (to_y - y) / length
        neck_x, neck_y = to_x - 34 * along, to_y - 34 * aside
        corners = (
            (to_x, to_y),
            (neck_x - 18 * aside, neck_y + 18 * along),
            (neck_x + 18 * aside, neck_y - 18 * along),
        )
        head = " ".join(f"{_number(a)},{_number(b)}" for a, b in corners)
        color = self.theme.accent
        return (
            f'<g opacity="0.85"><line x1="{_number(x)}" y1="{_number(y)}" x2="{_number(neck_x)}"'
            f' y2="{_number(neck_y)}" stroke="{color}" stroke-width="12"/>'
            f'<polygon points="{head}" fill="{color}"/></g>'
        )

    def circle(self, point: Point) -> str:
        """Return a circle around a space."""
        x, y = self._center(point)
        line = f'stroke="{self.theme.accent}" stroke-width="7"'
        return f'<circle cx="{_number(x)}" cy="{_number(y)}" r="45" fill="none" {line}/>'


def _text(text: str, x: float, y: float, size: float, color: str, *, bold: bool = False) -> str:
    """Return text that is centered at a point."""
    down = y + size * _HALF * _BASELINE
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{_number(x)}" y="{_number(down)}" font-size="{_number(size * _HALF)}"'
        f'{weight} fill="{color}">{escape(text)}</text>'
    )


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
