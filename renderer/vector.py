"""A position as SVG: the geometry and the colours of the picture, as text that scales."""

import math
from collections.abc import Iterable, Iterator
from html import escape
from typing import Final, NamedTuple

from dvonn import (
    COLUMNS,
    POINTS,
    ROWS,
    Color,
    Coordinates,
    Move,
    Phase,
    Point,
    Position,
)
from renderer.background import LABEL
from renderer.caption import NO_CAPTION, Caption, details, headline
from renderer.geometry import Layout, diamond, hexagon
from renderer.lettering import LONG_SPACE, SPACE
from renderer.look import DEFAULT, Look
from renderer.overlay import (
    HEAD_BREADTH,
    OUTLINE,
    OUTLINE_AT,
    SHAFT,
    arrow_parts,
)
from renderer.theme import Rgb, Theme
from renderer.tiles import (
    DASH,
    HATCH,
    HATCH_STEP,
    HOLE,
    INLAY,
    INLAY_RED,
    LAYERS,
    MARK,
    MARK_AT,
    MARK_EDGE,
    MARK_TURN,
    ONE_DIGIT,
    OUTER,
    SEAM,
    STEP,
    TWO_DIGITS,
)
from renderer.twin import describe
from renderer.words import Words

VIEW_WIDTH: Final = 1200
"""The width of the drawing in its own units; it is shown as wide as wished."""
_FONT: Final = "'Source Sans Pro','Source Sans 3',system-ui,sans-serif"
LETTERING: Final = f'font-family="{_FONT}" text-anchor="middle"'
"""The lettering of an svg element that holds a board."""
_TITLE: Final = 1.1  # sizes of fonts in halves (see geometry.Layout)
_DETAILS: Final = 0.76
_NAME: Final = 0.84
_HATCH: Final = "dvonn-hatch"


class _Look(NamedTuple):
    """All that is seen of a stack."""

    top: str
    height: int
    reds: int
    gone: bool

    @property
    def name(self) -> str:
        return f"dvonn-{self.top}{self.height}-{self.reds}{'-gone' * self.gone}"


def svg(
    position: Position,
    *,
    coordinates: Coordinates = Coordinates.STANDARD,
    last: Move | None = None,
    caption: Caption = NO_CAPTION,
    look: Look = DEFAULT,
) -> str:
    """Return a position as an SVG document: a text that stands alone, and asks for nothing else.

    Its title says who is to move or has won, its description is the text twin.

    Args:
        position: what to show, together with what has just left the board.
        coordinates: the system of the labels.
        last: the move that led to the position, to be marked.
        caption: who plays, and how the game has ended.
        look: the colours, the words, and how wide it is where nobody says otherwise.

    Raises:
        ValueError: if the width is out of bounds.
    """
    layout, shown = Layout(VIEW_WIDTH), Layout(look.width_px)
    title = headline(position, look.words, caption)
    told = describe(
        position,
        coordinates=coordinates,
        last=last,
        caption=caption,
        turned=look.turned,
        aids=False,
        words=look.words,
    )
    box = f'viewBox="0 0 {VIEW_WIDTH} {layout.height}"'
    height = round(shown.width * layout.height / VIEW_WIDTH)
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" {box} width="{shown.width}"',
            f' height="{height}" role="img" {LETTERING}>',
            f"<title>{escape(title)}</title><desc>{escape(told)}</desc>",
            f'<rect width="100%" height="100%" fill="{ink(look.theme.canvas)}"/>',
            defs((position,), look.theme),
            _strip(position, caption, look.words, look.theme, layout),
            spaces(look.theme),
            arrow(last, look),
            names(coordinates, look),
            stacks(position, turned=look.turned),
            "</svg>",
        )
    )


def spaces(theme: Theme) -> str:
    """Return the empty board, without any name."""
    layout = Layout(VIEW_WIDTH)
    frame = "".join(_path(layout, point, layout.half + layout.frame) for point in POINTS)
    cells = "".join(_path(layout, point, layout.half * (1 - SEAM)) for point in POINTS)
    drawn = ((frame, theme.frame), (cells, theme.cell))
    return "".join(f'<path d="{path}" fill="{ink(colour)}"/>' for path, colour in drawn)


def names(coordinates: Coordinates, look: Look) -> str:
    """Return the names of rows, columns and spaces: over an arrow, so that they can be read."""
    layout, theme = Layout(VIEW_WIDTH, look.turned), look.theme
    half = layout.half
    labels = [(layout.row_labels(row), coordinates.row_label(row)) for row in range(ROWS)]
    labels += [
        (layout.column_labels(column), coordinates.column_label(column))
        for column in range(COLUMNS)
    ]
    around = [_text(text, x, y, half * LABEL) for ends, text in labels for x, y in ends]
    longest = max(len(coordinates.label(point)) for point in POINTS)
    size = half * (SPACE if longest < len("b11") else LONG_SPACE)
    inside = [_text(coordinates.label(point), *layout.centre(point), size) for point in POINTS]
    return (
        f'<g font-size="{_size(half * LABEL)}" font-weight="600" fill="{ink(theme.label)}">'
        f"{''.join(around)}</g>"
        f'<g font-size="{_size(size)}" fill="{ink(theme.cell_label)}" stroke="{ink(theme.cell)}"'
        f' stroke-width="{_size(half * 0.24)}" paint-order="stroke">{"".join(inside)}</g>'
    )


def defs(positions: Iterable[Position], theme: Theme) -> str:
    """Define each kind of stack that stands in any of some positions, or has just left."""
    looks = {look for position in positions for _, look in _looks(position)}
    kinds = "".join(f'<g id="{look.name}">{_stack(look, theme)}</g>' for look in sorted(looks))
    return f"<defs>{_hatch(theme)}{kinds}</defs>"


def stacks(position: Position, *, turned: bool = False) -> str:
    """Draw the stacks on the board, and those that have just left it, of the kinds of `defs`."""
    layout = Layout(VIEW_WIDTH, turned)
    places = ((look, layout.centre(point)) for point, look in _looks(position))
    return "".join(f'<use href="#{look.name}" x="{x}" y="{y}"/>' for look, (x, y) in places)


def ink(colour: Rgb) -> str:
    """Return a colour as SVG and CSS have it."""
    return "#" + bytes(colour).hex()


def _looks(position: Position) -> Iterator[tuple[Point, _Look]]:
    for gone, shown in ((False, position.stacks), (True, position.removed)):
        for point, pieces in shown.items():
            yield point, _Look(pieces[-1], len(pieces), 0 if gone else pieces.count("R"), gone)


def _stack(look: _Look, theme: Theme) -> str:
    """Return a stack around the middle of its space."""
    half = Layout(VIEW_WIDTH).half
    colours = {"W": theme.white, "B": theme.black, "R": theme.red}[look.top]
    outer, hole, line = half * OUTER, half * HOLE, half * theme.outline
    rim = colours.top if colours.rim is None else colours.rim
    if look.gone:
        figure = _dashes(outer, half * DASH + line, rim)
        if line:
            figure += _dashes(outer, half * DASH + line, colours.top, line / 2)
        if look.height > 1:  # in place of the name
            figure += f'<circle r="{_size(hole)}" fill="{ink(theme.cell)}"/>'
            figure += _number(look.height, theme.cell_label, 0, half)
        return figure
    layers = min(look.height, LAYERS)
    y = -half * STEP * (layers - 1) / 2
    seam = f'stroke="{ink(colours.seam)}" stroke-width="{_size(max(1.0, line / 2))}"'
    parts = [
        f'<circle cy="{_size(y + half * STEP * layer)}" r="{_size(outer)}"'
        f' fill="{ink(colours.side)}" {seam}/>'
        for layer in range(layers - 1, 0, -1)
    ]
    if layers > 1:
        parts.append(f'<circle cy="{_size(y)}" r="{_size(hole + 1)}" fill="{ink(colours.well)}"/>')
    middle, broad = (outer + hole) / 2, outer - hole
    if line:
        parts.append(_ring(y, middle, broad, ink(rim)))
    parts.append(_ring(y, middle, broad - 2 * line, ink(colours.top)))
    if colours.hatch is not None:
        parts.append(_ring(y, middle, broad - 2 * line, f"url(#{_HATCH})"))
    elif look.top == "R":
        parts.append(_ring(y, middle, half * INLAY, ink(theme.mark_edge)))
        parts.append(_ring(y, middle, half * INLAY_RED, ink(theme.mark)))
    if layers > 1:
        parts.append(_number(look.height, colours.ink, y, half))
    for number in range(look.reds):
        angle = (number - (look.reds - 1) / 2) * MARK_TURN
        reach = half * MARK_AT
        parts.append(_diamond(reach * math.sin(angle), y + reach * math.cos(angle), half, theme))
    return "".join(parts)


def _ring(y: float, radius: float, breadth: float, paint: str) -> str:
    place = f'cy="{_size(y)}" r="{_size(radius)}"'
    return f'<circle {place} fill="none" stroke="{paint}" stroke-width="{_size(breadth)}"/>'


def _dashes(outer: float, breadth: float, colour: Rgb, inset: float = 0.0) -> str:
    """Return a circle of dashes inwards from a radius; `inset` makes each of them smaller."""
    radius = outer - breadth / 2
    turn = 2 * math.pi * radius / 28
    dash, gap = turn * 1.2 - 2 * inset, turn * 0.8 + 2 * inset
    begin = f' stroke-dashoffset="{_size(-inset)}"' if inset else ""
    return (
        f'<circle r="{_size(radius)}" fill="none" stroke="{ink(colour)}"'
        f' stroke-width="{_size(breadth - 2 * inset)}"'
        f' stroke-dasharray="{_size(dash)} {_size(gap)}"{begin}/>'
    )


def _hatch(theme: Theme) -> str:
    """Return the slanting lines of a hatched ring, if the theme has any."""
    if theme.red.hatch is None:
        return ""
    half = Layout(VIEW_WIDTH).half
    step, broad = _size(half * HATCH_STEP), _size(half * HATCH)
    return (
        f'<pattern id="{_HATCH}" width="{step}" height="{step}" patternUnits="userSpaceOnUse"'
        f' patternTransform="rotate(-45)"><rect width="{broad}" height="{step}"'
        f' fill="{ink(theme.red.hatch)}"/></pattern>'
    )


def _diamond(x: float, y: float, half: float, theme: Theme) -> str:
    corners = _corners(diamond((x, y), half * MARK))
    edge = f'stroke="{ink(theme.mark_edge)}" stroke-width="{_size(half * MARK_EDGE)}"'
    return f'<polygon points="{corners}" fill="{ink(theme.mark)}" {edge}/>'


def _number(number: int, colour: Rgb, y: float, half: float) -> str:
    size = half * (ONE_DIGIT if number < 10 else TWO_DIGITS)  # noqa: PLR2004 - two digits
    style = f'font-size="{_size(size)}" font-weight="700" fill="{ink(colour)}"'
    return _text(str(number), 0, y, size, style)


def arrow(last: Move | None, look: Look) -> str:
    """Return the last move: an arrow, or a line around a placement."""
    if last is None:
        return ""
    layout, theme = Layout(VIEW_WIDTH, look.turned), look.theme
    half, (end_x, end_y) = layout.half, layout.centre(last.target)
    edge = f'stroke="{ink(theme.accent_edge)}" stroke-width="{_size(half * 0.1)}"'
    fill = f'fill="{ink(theme.accent)}"'
    if last.source is None:
        corners = _corners(hexagon((end_x, end_y), half * OUTLINE_AT))
        lines = (
            (theme.accent_edge, half * (2 * OUTLINE + 0.1)),
            (theme.accent, half * 2 * OUTLINE),
        )
        return "".join(
            f'<polygon points="{corners}" fill="none" stroke="{ink(colour)}"'
            f' stroke-width="{_size(breadth)}"/>'
            for colour, breadth in lines
        )
    x, y = layout.centre(last.source)
    across, down = end_x - x, end_y - y
    length = math.hypot(across, down)
    parts = arrow_parts(length / half)
    # Stacks lie over it here: it ends where theirs begin.
    start, tip = half * parts.start, length - half * max(parts.short, OUTER)
    neck, shaft, barb = tip - half * parts.head, half * SHAFT, half * HEAD_BREADTH
    outline = _corners(
        (
            x + (across * along - down * aside) / length,
            y + (down * along + across * aside) / length,
        )
        for along, aside in (
            (start, -shaft),
            (neck, -shaft),
            (neck, -barb),
            (tip, 0),
            (neck, barb),
            (neck, shaft),
            (start, shaft),
        )
    )
    tail_x, tail_y = x + across * start / length, y + down * start / length
    tail = f'cx="{_size(tail_x)}" cy="{_size(tail_y)}" r="{_size(half * parts.tail)}"'
    body = f'<circle {tail}/><polygon points="{outline}"/>'
    return f"<g {edge} {fill}>{body}</g><g {fill}>{body}</g>"


def _strip(position: Position, caption: Caption, words: Words, theme: Theme, layout: Layout) -> str:
    """Draw the turn and the players' figures."""
    half, left, right = layout.half, layout.half * 0.8, layout.width - layout.half * 0.8
    told = " · ".join(details(position, words, caption))
    parts = [
        _line(headline(position, words, caption), left, half * 1.28, half * _TITLE, theme.text),
        _line(told, left, half * 2.28, half * _DETAILS, theme.quiet_text),
    ]
    for color, plain, y in ((Color.WHITE, words.white, 1.05), (Color.BLACK, words.black, 2.29)):
        name = plain if caption.choosing else caption.name(color) or plain
        if position.phase is not Phase.PLACEMENT:
            name += f" {position.score(color)}"
        parts.append(_line(name, right, half * y, half * _NAME, theme.text, "end"))
    return "".join(parts)


def _line(  # a line of text has that many measures
    text: str, x: float, y: float, size: float, colour: Rgb, anchor: str = "start"
) -> str:
    place = f'x="{_size(x)}" y="{_size(y)}" font-size="{_size(size)}" text-anchor="{anchor}"'
    return f'<text {place} fill="{ink(colour)}">{escape(text)}</text>'


def _text(text: str, x: float, y: float, size: float, style: str = "") -> str:
    """Words whose figures have their middle at a place."""
    low = size * 0.33  # half the height of a figure
    return (
        f'<text x="{_size(x)}" y="{_size(y + low)}"{" " * bool(style)}{style}>{escape(text)}</text>'
    )


def _path(layout: Layout, point: Point, apothem: float) -> str:
    corners = hexagon(layout.centre(point), apothem)
    return "M" + "L".join(f"{_size(x)} {_size(y)}" for x, y in corners) + "Z"


def _corners(corners: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{_size(x)},{_size(y)}" for x, y in corners)


def _size(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
