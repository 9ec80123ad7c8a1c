"""A position as SVG: the geometry and the colours of the picture, as text that scales."""

import math
from collections.abc import Iterable, Iterator
from html import escape
from typing import Final, NamedTuple

from dvonn import PIECE_COUNTS, POINTS, Color, Coordinates, Move, Phase, Point, Position
from renderer.caption import NO_CAPTION, Caption, details, headline
from renderer.geometry import Layout, diamond, hexagon
from renderer.lettering import LONG_SPACE, SPACE
from renderer.look import DEFAULT, Look
from renderer.text_twin import describe
from renderer.theme import PieceColours, Rgb, Theme
from renderer.tiles import (
    CIRCLE,
    CIRCLE_AT,
    DASH,
    FACE,
    FOOT,
    HATCH,
    HATCH_STEP,
    HOLE,
    LAYERS,
    MARK,
    MARK_AT,
    MARK_EDGE,
    MARK_TURN,
    NAME_AT,
    NUMBER_AT,
    ONE_DIGIT,
    OUTER,
    SEAM,
    STEP,
    TWO_DIGITS,
    Face,
    lift,
)
from renderer.words import Words

VIEW_WIDTH: Final = 1100
"""The width of the drawing in its own units. It can be shown at any width."""
_FONT: Final = "'Source Sans Pro','Source Sans 3',system-ui,sans-serif"
LETTERING: Final = f'font-family="{_FONT}" text-anchor="middle"'
"""The lettering of an svg element that holds a board."""
_TITLE: Final = 1.1  # sizes of fonts in halves (see geometry.Layout)
_DETAILS: Final = 0.76
_NAME: Final = 0.84
_HATCH: Final = "dvonn-hatch"
_MIDDLE: Final = 0.33  # half the height of a figure, as part of its font's size


class _Look(NamedTuple):
    """The visible properties of a stack."""

    face: Face
    gone: bool

    @property
    def name(self) -> str:
        if self.gone:
            return f"dvonn-{self.face.top}{self.face.height}-gone"
        return f"dvonn-{self.face.pieces}-{self.face.height}-{self.face.reds}"


def svg(
    position: Position,
    *,
    coordinates: Coordinates = Coordinates.STANDARD,
    last: Move | None = None,
    caption: Caption = NO_CAPTION,
    look: Look = DEFAULT,
) -> str:
    """Return a position as a self-contained SVG document.

    Its title says who is to move or has won, its description is the text twin.

    Args:
        position: The position, with the stacks that have just left the board.
        coordinates: System of the labels.
        last: The move that led to the position, to be marked.
        caption: Names of the players, and the ending.
        look: Colors, words, and the default width.

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
            moved(last, look),
            names(coordinates, look),
            stacks(position, coordinates, look),
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
    """Return the names of all spaces, which rings and empty spaces show."""
    layout = Layout(VIEW_WIDTH, look.turned)
    size = _name_size(coordinates)
    inside = [_text(coordinates.label(point), *layout.centre(point), size) for point in POINTS]
    return f'<g font-size="{_size(size)}" fill="{ink(look.theme.cell_label)}">{"".join(inside)}</g>'


def _name_size(coordinates: Coordinates) -> float:
    longest = max(len(coordinates.label(point)) for point in POINTS)
    return Layout(VIEW_WIDTH).half * (SPACE if longest < len("b11") else LONG_SPACE)


def defs(positions: Iterable[Position], theme: Theme) -> str:
    """Define each kind of stack that stands in any of some positions, or has just left."""
    looks = {look for position in positions for _, look in _looks(position)}
    kinds = "".join(
        f'<g id="{look.name}">{_stack(look, theme)}</g>'
        for look in sorted(looks, key=lambda look: look.name)
    )
    return f"<defs>{_hatch(theme)}{kinds}</defs>"


def stacks(position: Position, coordinates: Coordinates, look: Look) -> str:
    """Draw the stacks on the board, and those that have just left it, of the kinds of `defs`."""
    layout = Layout(VIEW_WIDTH, look.turned)
    size = _name_size(coordinates)
    shown = sorted(_looks(position), key=lambda one: layout.centre(one[0]).y)
    drawn, written = [], dict[str, list[str]]()
    for point, kind in shown:
        x, y = layout.centre(point)
        drawn.append(f'<use href="#{kind.name}" x="{x}" y="{y}"/>')
        if kind.face.height > 1 or kind.face.top == "R":
            down = _name_at(kind) * layout.half
            colour = look.theme.cell_label if kind.gone else look.theme.piece(kind.face.top).ink
            name = _text(coordinates.label(point), x, y + down, size)
            written.setdefault(ink(colour), []).append(name)
    groups = (
        f'<g font-size="{_size(size)}" fill="{colour}">{"".join(texts)}</g>'
        for colour, texts in written.items()
    )
    return "".join((*drawn, *groups))


def _name_at(kind: _Look) -> float:
    """Return how far below the middle of its space a stack's name is written, in halves."""
    down = NAME_AT if kind.face.height > 1 else 0.0
    return down if kind.gone else down - lift(len(kind.face.pieces))


def ink(colour: Rgb) -> str:
    """Return a colour as SVG and CSS have it."""
    return "#" + bytes(colour).hex()


def disc(color: Color, look: Look) -> str:
    """Return a player's piece as a small drawing beside their name, in HTML."""
    colours = look.theme.piece(color.value)
    word = look.words.white if color is Color.WHITE else look.words.black
    rim = colours.rim or look.theme.cell
    return (
        f'<svg class="disc" viewBox="0 0 20 20" role="img" aria-label="{escape(word)}">'
        f'<circle cx="10" cy="10" r="8.5" fill="{ink(colours.top)}" stroke="{ink(rim)}"'
        ' stroke-width="2"/></svg>'
    )


def _looks(position: Position) -> Iterator[tuple[Point, _Look]]:
    for gone, shown in ((False, position.stacks), (True, position.removed)):
        for point, pieces in shown.items():
            yield point, _Look(Face.of(pieces), gone)


def _stack(look: _Look, theme: Theme) -> str:
    """Return a stack around the middle of its space, without its name."""
    face = look.face
    if look.gone:
        return _gone(str(face.height), theme.piece(face.top), theme, single=face.height == 1)
    layers, closed = len(face.pieces), face.height > 1 or face.top == "R"
    parts = [
        *(_layer(piece, number, theme, closed) for number, piece in enumerate(face.pieces)),
        _cap(face.top, layers, theme, closed),
    ]
    if face.height > 1:
        parts.append(_number(str(face.height), face.top, layers, theme))
    return "".join((*parts, _marks(face.reds, theme)))


def _layer(piece: str, number: int, theme: Theme, closed: bool) -> str:
    """Return the side of a piece, the lowest being number 0."""
    half = Layout(VIEW_WIDTH).half
    below, y = theme.piece(piece), half * FOOT - half * STEP * number
    seam = f'stroke="{ink(below.seam)}" stroke-width="{_size(max(1.0, half * 0.03))}"'
    round_it = _round(y, half * OUTER) + ("" if closed else _round(0.0, half * HOLE + 1))
    return f'<path d="{round_it}" fill-rule="evenodd" fill="{ink(below.side)}" {seam}/>'


def _cap(top: str, layers: int, theme: Theme, closed: bool) -> str:
    """Return the upper face of a stack."""
    half, colours = Layout(VIEW_WIDTH).half, theme.piece(top)
    up, outer, line = half * lift(layers), half * OUTER, half * theme.outline
    hole = half * (FACE if closed else HOLE)
    parts = []
    if closed:
        parts.append(
            f'<circle cy="{_size(-up)}" r="{_size(hole + 1)}" fill="{ink(colours.well)}"/>'
        )
    parts.append(_ring(-up, (outer + hole) / 2, outer - hole, ink(colours.top)))
    if colours.hatch is not None:
        parts.append(_ring(-up, half * (OUTER + HOLE) / 2, outer - half * HOLE, f"url(#{_HATCH})"))
    elif top == "R":
        parts.append(_ring(-up, half * CIRCLE_AT, half * CIRCLE, ink(theme.mark_edge)))
    if colours.rim is not None:
        parts.append(_ring(-up, outer - line / 2, line, ink(colours.rim)))
        if not closed:
            parts.append(_ring(-up, hole + line / 2, line, ink(colours.rim)))
    return "".join(parts)


def _marks(reds: int, theme: Theme) -> str:
    """Return a mark for each red piece in a stack."""
    half, parts = Layout(VIEW_WIDTH).half, []
    for number in range(reds):
        angle = (number - (reds - 1) / 2) * MARK_TURN
        x, y = half * MARK_AT * math.sin(angle), half * (FOOT + MARK_AT * math.cos(angle))
        parts.append(_diamond(x, y, half, theme))
    return "".join(parts)


def _number(number: str, top: str, layers: int, theme: Theme) -> str:
    """Return a stack's height on its upper face."""
    half = Layout(VIEW_WIDTH).half
    return _figure(number, theme.piece(top).ink, half * (NUMBER_AT - lift(layers)), half)


def kit(look: Look) -> dict[str, object]:
    """Return the fragments from which a script draws a board. `{n}` stands for a number.

    A stack is its layers from below, a cap, a number if it is higher than one, and marks; pieces
    that stand alone are `single`. All are drawn around the middle of their space.
    """
    theme, layout = look.theme, Layout(VIEW_WIDTH)
    counts = range(1, LAYERS + 1)
    return {
        "layers": [{p: _layer(p, n, theme, closed=True) for p in "RWB"} for n in range(LAYERS)],
        "caps": [{p: _cap(p, n, theme, closed=True) for p in "WB"} for n in counts],
        "numbers": [
            {p: [_number(f"{{{n * 'n'}}}", p, up, theme) for n in (1, 2)] for p in "WB"}
            for up in counts
        ],
        "marks": [_marks(reds, theme) for reds in range(PIECE_COUNTS["R"] + 1)],
        "single": {p: _stack(_Look(Face.of(p), gone=False), theme) for p in "RWB"},
        "gone": {
            p: [_gone("{n}", theme.piece(p), theme, single=single) for single in (True, False)]
            for p in "RWB"
        },
        "names": [layout.half * (NAME_AT - lift(up)) for up in counts],
        "alone": layout.half * -lift(1),
        "sizes": {coordinates.value: _name_size(coordinates) for coordinates in Coordinates},
        "inks": {p: ink(theme.piece(p).ink) for p in "RWB"},
        "centres": [layout.centre(point) for point in POINTS],
        "spaces": [_path(layout, point, layout.half) for point in POINTS],
        "moved": ink(theme.moved),
        "discs": {color.value: disc(color, look) for color in Color},
    }


def _gone(height: str, colours: PieceColours, theme: Theme, *, single: bool) -> str:
    """Return a stack that has just left, around the middle of its space."""
    half = Layout(VIEW_WIDTH).half
    outer, line = half * OUTER, half * theme.outline if colours.rim is not None else 0.0
    figure = _dashes(outer, half * DASH + line, colours.top if colours.rim is None else colours.rim)
    if line:
        figure += _dashes(outer, half * DASH + line, colours.top, line / 2)
    if not single:  # in place of the name
        figure += f'<circle r="{_size(half * HOLE)}" fill="{ink(theme.cell)}"/>'
        figure += _figure(height, theme.cell_label, half * NUMBER_AT, half)
    return figure


def _round(y: float, radius: float) -> str:
    """Return a circle as part of a path."""
    arc = f"a{_size(radius)} {_size(radius)} 0 1 0"
    return f"M{_size(-radius)} {_size(y)}{arc} {_size(2 * radius)} 0{arc} {_size(-2 * radius)} 0"


def _ring(y: float, radius: float, breadth: float, paint: str) -> str:
    place = f'cy="{_size(y)}" r="{_size(radius)}"'
    return f'<circle {place} fill="none" stroke="{paint}" stroke-width="{_size(breadth)}"/>'


def _dashes(outer: float, breadth: float, colour: Rgb, inset: float = 0.0) -> str:
    """Return a circle of dashes inwards from a radius. `inset` makes each of them smaller."""
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


def _figure(number: str, colour: Rgb, y: float, half: float) -> str:
    digits = len(number.strip("{}"))
    size = half * (ONE_DIGIT if digits == 1 else TWO_DIGITS)
    style = f'font-size="{_size(size)}" font-weight="700" fill="{ink(colour)}"'
    return _text(number, 0, y, size, style)


def moved(last: Move | None, look: Look) -> str:
    """Return the grounds of the spaces of the last move."""
    if last is None:
        return ""
    layout = Layout(VIEW_WIDTH, look.turned)
    ends = [end for end in (last.source, last.target) if end is not None]
    path = "".join(_path(layout, end, layout.half) for end in ends)
    return f'<path d="{path}" fill="{ink(look.theme.moved)}"/>'


def _strip(position: Position, caption: Caption, words: Words, theme: Theme, layout: Layout) -> str:
    """Draw the turn and the players' figures."""
    half, left, right = layout.half, layout.half * 0.8, layout.width - layout.half * 0.8
    told = " · ".join(details(position, words, caption))
    parts = [
        _line(headline(position, words, caption), left, half * 1.28, half * _TITLE, theme.text),
        _line(told, left, half * 2.28, half * _DETAILS, theme.quiet_text),
    ]
    for color, plain, y in ((Color.WHITE, words.white, 1.05), (Color.BLACK, words.black, 2.29)):
        name = caption.name(color) or plain
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
    low = size * _MIDDLE
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
