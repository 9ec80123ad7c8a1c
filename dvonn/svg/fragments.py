"""The parts of a board picture as SVG: empty board, names, stacks, last move and marks."""

import math
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final, NamedTuple

from dvonn._rules.board import POINTS, Coordinates, Point
from dvonn._rules.frozen import Value
from dvonn._rules.move import Move
from dvonn._rules.position import Position
from dvonn.svg.arrows import (
    CIRCLE,
    CIRCLE_AT,
    EDGE,
    OUTLINE,
    OUTLINE_AT,
    ArrowShape,
    Spot,
    arrow_shape,
    lanes,
    red_marks,
    way_corners,
)
from dvonn.svg.geometry import Layout, crossed, diamond, hexagon
from dvonn.svg.stack_shapes import (
    DASH,
    DASHED_AT,
    FACE,
    FOOT,
    HATCH,
    HATCH_STEP,
    HOLE,
    LEFT_NAME_AT,
    LEFT_NUMBER_AT,
    LONE_FACE,
    MARK,
    MARK_EDGE,
    NAME_AT,
    NUMBER_AT,
    OUTER,
    RED_RIM,
    SEAM,
    STEP,
    StackFace,
    lift,
    mark_places,
    name_size,
    number_size,
)
from dvonn.svg.theme import PiecePalette, Rgb, Theme

VIEW_WIDTH: Final = 1100
"""Width of the drawing in SVG user units. It can be shown at any width."""
_FONT: Final = "'Source Sans Pro','Source Sans 3',system-ui,sans-serif"
LETTERING: Final = f'font-family="{_FONT}" text-anchor="middle"'
"""Text attributes for an svg element that contains a board."""
_HATCH: Final = "dvonn-hatch"
_AROUND: Final = 0.12  # width of the edge around a name or number on top of an arrow, in half-cells
_MIDDLE: Final = 0.33  # half the height of a digit, as a fraction of the font size


class BoardPicture(Value):
    """The contents of a picture of a board.

    Attributes:
        position: The position, including the stacks that were just removed.
        theme: The colors.
        coordinates: Coordinate system of the names of spaces, or None for no names.
        last: The move that led to the position, or None.
        loud: The spaces with dark names.
        turned: True if a1 is at the top right.
        prefix: Beginning of the ids of stacks, which differs between themes in the same document.
    """

    position: Position
    theme: Theme
    coordinates: Coordinates | None = Coordinates.STANDARD
    last: Move | None = None
    loud: frozenset[Point] = frozenset()
    turned: bool = False
    prefix: str = "dvonn"

    @property
    def layout(self) -> Layout:
        return Layout(VIEW_WIDTH, self.turned)

    def parts(self) -> Iterator[str]:
        """Yield the parts of the board, back to front."""
        yield defs((self.position,), self.theme, self.prefix)
        yield spaces(self.theme)
        yield moved(self)
        yield names(self)
        yield stacks(self)


def document(
    theme: Theme, parts: Iterable[str], *, title: str, description: str, width_px: int, top: int = 0
) -> str:
    """Return a self-contained SVG document.

    Args:
        theme: The colors.
        parts: SVG elements, back to front.
        title: A short text for people who can't see the picture.
        description: A longer text for them.
        width_px: Default width in pixels.
        top: Height of the area above the board to crop, in user units.
    """
    height = Layout(VIEW_WIDTH).height - top
    ground = f' y="{top}"' if top else ""
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 {top} {VIEW_WIDTH} {height}"',
            f' width="{width_px}" height="{round(width_px * height / VIEW_WIDTH)}"',
            f' role="img" {LETTERING}>',
            f"<title>{escape(title)}</title><desc>{escape(description)}</desc>",
            f'<rect{ground} width="100%" height="100%" fill="{ink(theme.canvas)}"/>',
            *parts,
            "</svg>",
        )
    )


class _Look(NamedTuple):
    """The appearance of a stack: its face, and whether it was just removed."""

    face: StackFace
    gone: bool

    def name(self, prefix: str) -> str:
        """Return the SVG id shared by all stacks with the same appearance."""
        if self.gone:
            return f"{prefix}-{self.face.top}{self.face.height}-gone"
        return f"{prefix}-{self.face.pieces}-{self.face.height}-{self.face.reds}"


def spaces(theme: Theme) -> str:
    """Return the empty board without names."""
    layout = Layout(VIEW_WIDTH)
    frame = "".join(space_path(layout, point, layout.half + layout.frame) for point in POINTS)
    cells = "".join(space_path(layout, point, layout.half * (1 - SEAM)) for point in POINTS)
    drawn = ((frame, theme.frame), (cells, theme.cell))
    return "".join(f'<path d="{path}" fill="{ink(color)}"/>' for path, color in drawn)


def names(board: BoardPicture) -> str:
    """Return the names of all visible spaces. They are pale if no player can act there."""
    layout, coordinates, theme = board.layout, board.coordinates, board.theme
    if coordinates is None:
        return ""
    size = name_px(coordinates, stacked=False)
    texts = dict[bool, list[str]]()
    for point in POINTS:
        if point in board.position.removed:
            continue  # the name is drawn below the stack's number
        name = text(coordinates.label(point), *layout.centre(point), size)
        texts.setdefault(point in board.loud, []).append(name)
    inks = {True: theme.cell_label, False: theme.quiet_label}
    return "".join(
        f'<g font-size="{decimal(size)}" fill="{ink(inks[loud])}">{"".join(inside)}</g>'
        for loud, inside in sorted(texts.items())
    )


def name_px(coordinates: Coordinates, *, stacked: bool) -> float:
    """Return the font size of all names of a coordinate system."""
    longest = max((coordinates.label(point) for point in POINTS), key=len)
    return Layout(VIEW_WIDTH).half * name_size(longest, stacked=stacked)


def defs(positions: Iterable[Position], theme: Theme, prefix: str = "dvonn") -> str:
    """Return SVG definitions of all distinct stacks in the positions, including removed ones."""
    looks = {look.name(prefix): look for position in positions for _, look in _looks(position)}
    kinds = "".join(f'<g id="{name}">{_shown(looks[name], theme)}</g>' for name in sorted(looks))
    return f"<defs>{_hatch(theme)}{kinds}</defs>"


def stacks(board: BoardPicture) -> str:
    """Return `use` elements for the stacks on the board and those just removed. See `defs`."""
    layout, coordinates, theme = board.layout, board.coordinates, board.theme
    size = 0.0 if coordinates is None else name_px(coordinates, stacked=True)
    # Tall stacks hide stacks behind them, so draw back to front.
    looks = sorted(_looks(board.position), key=lambda look: layout.centre(look[0]).y)
    drawn, fragments = list[str](), dict[str, list[str]]()
    for point, kind in looks:
        x, y = layout.centre(point)
        drawn.append(f'<use href="#{kind.name(board.prefix)}" x="{x}" y="{y}"/>')
        if coordinates is not None and (kind.gone or kind.face.stacked):
            down, loud = _name_at(kind) * layout.half, point in board.loud
            piece = theme.piece(kind.face.top)
            color = piece.ink if loud else theme.quiet_ink(piece)
            if kind.gone:
                color = theme.cell_label if loud else theme.quiet_label
            name = text(coordinates.label(point), x, y + down, size)
            fragments.setdefault(ink(color), []).append(name)
    groups = (
        f'<g font-size="{decimal(size)}" fill="{color}">{"".join(texts)}</g>'
        for color, texts in fragments.items()
    )
    return "".join((*drawn, *groups))


def _name_at(kind: _Look) -> float:
    """Return the distance of a stack's name below the center of its space, in half-cells."""
    return LEFT_NAME_AT if kind.gone else NAME_AT - lift(len(kind.face.pieces))


def ink(color: Rgb) -> str:
    """Return a color in SVG and CSS notation."""
    return "#" + bytes(color).hex()


def _looks(position: Position) -> Iterator[tuple[Point, _Look]]:
    for is_removed, stacks in ((False, position.stacks), (True, position.removed)):
        for point, pieces in stacks.items():
            yield point, _Look(StackFace.from_pieces(pieces), is_removed)


def _shown(look: _Look, theme: Theme) -> str:
    if look.gone:
        return departed_stack(str(look.face.height), theme.piece(look.face.top), theme)
    return stack(look.face, theme)


def stack(face: StackFace, theme: Theme) -> str:
    """Return a stack centered at the origin, without its name."""
    pieces, closed = face.pieces, face.stacked
    sides = "".join(layer(piece, at, theme, closed) for at, piece in enumerate(pieces))
    top = cap(face.top, theme, closed)
    if face.height > 1:
        top += height_text(str(face.height), face.top, theme)
    return f"{sides}{lifted(len(pieces))}{top}{stack_marks(face.reds, theme, face.height > 1)}</g>"


def lifted(layers: int) -> str:
    """Return the opening tag of a group that is drawn at the height of the top piece."""
    return f'<g transform="translate(0 {decimal(-Layout(VIEW_WIDTH).half * lift(layers))})">'


def layer(piece: str, number: int, theme: Theme, closed: bool) -> str:
    """Return the side of a piece in a stack. The lowest piece is number 0."""
    half = Layout(VIEW_WIDTH).half
    below, y = theme.piece(piece), half * FOOT - half * STEP * number
    seam = f'stroke="{ink(below.seam)}" stroke-width="{decimal(max(1.0, half * 0.03))}"'
    round_it = _round(y, half * OUTER) + ("" if closed else _round(0.0, half * HOLE + 1))
    return f'<path d="{round_it}" fill-rule="evenodd" fill="{ink(below.side)}" {seam}/>'


def cap(top: str, theme: Theme, closed: bool) -> str:
    """Return the top of a stack, centered at the origin."""
    half, colors = Layout(VIEW_WIDTH).half, theme.piece(top)
    outer, line = half * OUTER, half * theme.outline
    hole = half * (LONE_FACE if top == "R" else FACE if closed else HOLE)
    parts = list[str]()
    if closed:
        parts.append(f'<circle r="{decimal(hole + 1)}" fill="{ink(colors.well)}"/>')
    parts.append(_ring((outer + hole) / 2, outer - hole, ink(colors.top)))
    if colors.hatch is not None:
        parts.append(_ring((outer + hole) / 2, outer - hole, f"url(#{_HATCH})"))
    if colors.rim is not None:
        parts.append(_ring(outer - line / 2, line, ink(colors.rim)))
        if not closed:
            parts.append(_ring(hole + line / 2, line, ink(colors.rim)))
    return "".join(parts)


def stack_marks(reds: int, theme: Theme, stacked: bool) -> str:
    """Return the red rim of a stack that contains red, and a mark for each red piece in it."""
    half, red, parts = Layout(VIEW_WIDTH).half, theme.red, list[str]()
    if stacked and reds:
        for breadth, color in ((RED_RIM, red.rim or red.seam), (RED_RIM - 0.03, red.top)):
            radius = half * (OUTER - 0.02 - breadth / 2)
            parts.append(_ring(radius, half * breadth, ink(color)))
    return "".join((*parts, _diamonds(reds, theme, stacked=stacked)))


def _diamonds(reds: int, theme: Theme, *, stacked: bool) -> str:
    """Return a mark for each red piece in a stack, relative to the center of its top."""
    half, places = Layout(VIEW_WIDTH).half, mark_places(reds, stacked=stacked)
    return "".join(_diamond(half * x, half * y, half * size, theme) for x, y, size in places)


def height_text(height: str, top: str, theme: Theme) -> str:
    """Return a stack's height as a number on its top."""
    half = Layout(VIEW_WIDTH).half
    return _figure(height, theme.piece(top).ink, half * NUMBER_AT, half)


def departed_stack(height: str, colors: PiecePalette, theme: Theme) -> str:
    """Return a stack that was just removed, centered at the origin."""
    half = Layout(VIEW_WIDTH).half
    outer, line = half * DASHED_AT, half * theme.outline if colors.rim is not None else 0.0
    figure = _dashes(outer, half * DASH + line, colors.top if colors.rim is None else colors.rim)
    if line:
        figure += _dashes(outer, half * DASH + line, colors.top, line / 2)
    return figure + _figure(f"−{height}", theme.cell_label, half * LEFT_NUMBER_AT, half)


def _round(y: float, radius: float) -> str:
    """Return a circle as a part of an SVG path."""
    arc = f"a{decimal(radius)} {decimal(radius)} 0 1 0"
    start_x, across = decimal(-radius), decimal(2 * radius)
    return f"M{start_x} {decimal(y)}{arc} {across} 0{arc} -{across} 0"


def _ring(radius: float, breadth: float, paint: str) -> str:
    line = f'stroke="{paint}" stroke-width="{decimal(breadth)}"'
    return f'<circle r="{decimal(radius)}" fill="none" {line}/>'


def _dashes(outer: float, breadth: float, color: Rgb, inset: float = 0.0) -> str:
    """Return a circle of dashes that extend inward from `outer`. `inset` shrinks each dash."""
    radius = outer - breadth / 2
    turn = 2 * math.pi * radius / 28
    dash, gap = turn * 1.2 - 2 * inset, turn * 0.8 + 2 * inset
    begin = f' stroke-dashoffset="{decimal(-inset)}"' if inset else ""
    return (
        f'<circle r="{decimal(radius)}" fill="none" stroke="{ink(color)}"'
        f' stroke-width="{decimal(breadth - 2 * inset)}"'
        f' stroke-dasharray="{decimal(dash)} {decimal(gap)}"{begin}/>'
    )


def _hatch(theme: Theme) -> str:
    """Return the slanted lines of a hatched ring, if the theme has any."""
    if theme.red.hatch is None:
        return ""
    half = Layout(VIEW_WIDTH).half
    step, broad = decimal(half * HATCH_STEP), decimal(half * HATCH)
    return (
        f'<pattern id="{_HATCH}" width="{step}" height="{step}" patternUnits="userSpaceOnUse"'
        f' patternTransform="rotate(-45)"><rect width="{broad}" height="{step}"'
        f' fill="{ink(theme.red.hatch)}"/></pattern>'
    )


def _diamond(x: float, y: float, half: float, theme: Theme) -> str:
    corners = corner_list(diamond((x, y), half * MARK))
    edge = f'stroke="{ink(theme.mark_edge)}" stroke-width="{decimal(half * MARK_EDGE)}"'
    return f'<polygon points="{corners}" fill="{ink(theme.mark)}" {edge}/>'


def _figure(number: str, color: Rgb, y: float, half: float) -> str:
    size = half * number_size(number.strip("{}"))
    style = f'font-size="{decimal(size)}" font-weight="700" fill="{ink(color)}"'
    return text(number, 0, y, size, style)


def moved(board: BoardPicture) -> str:
    """Return the highlighted spaces of the last move."""
    last, layout = board.last, board.layout
    if last is None:
        return ""
    ends = [end for end in (last.source, last.target) if end is not None]
    path = "".join(space_path(layout, end, layout.half) for end in ends)
    if last.source is not None:
        path += _polygon(
            way_corners(layout.centre(last.source), layout.centre(last.target), layout.half)
        )
    return f'<path d="{path}" fill="{ink(board.theme.moved)}"/>'


def arrows(board: BoardPicture, moves: Sequence[Move]) -> str:
    """Return arrows for movements and outlines for placements, all with dark edges."""
    layout, theme = board.layout, board.theme
    ways = [(move.source, move.target) for move in moves if move.source is not None]
    drawn = [_outline(layout.centre(move.target), theme) for move in moves if move.source is None]
    asides = lanes(ways, red_marks(board.position.stacks, turned=board.turned), turned=board.turned)
    for (source, target), aside in zip(ways, asides, strict=True):
        (x, y), end = layout.centre(source), layout.centre(target)
        way = end.x - x, end.y - y
        coats = (layout.half * EDGE, theme.accent_edge), (0.0, theme.accent)
        for grow, color in coats:
            shape = arrow_shape(way, layout.half, aside=aside, grow=grow)
            drawn.append(_arrow((x, y), shape, ink(color)))
    passed = [point for way in ways for point in (*way, *crossed(*way))]
    return "".join((*drawn, *(_read_above(board, point) for point in dict.fromkeys(passed))))


def _read_above(board: BoardPicture, point: Point) -> str:
    """Return a space's texts and marks, to draw above an arrow that crosses it."""
    theme, half, coordinates = board.theme, board.layout.half, board.coordinates
    pieces = board.position.stacks.get(point)
    face = None if pieces is None else StackFace.from_pieces(pieces)
    ground, color, down, label, signs = theme.cell, theme.cell_label, 0.0, "", ""
    if face is not None and face.stacked:
        signs = _diamonds(face.reds, theme, stacked=face.height > 1)
        signs = signs and f"{lifted(len(face.pieces))}{signs}</g>"
        piece, down = theme.piece(face.top), half * (NAME_AT - lift(len(face.pieces)))
        ground, color = piece.well, piece.ink
        if face.height > 1:
            up = half * (NUMBER_AT - lift(len(face.pieces)))
            label = _figure(str(face.height), color, up, half)
    if coordinates is not None:
        size = name_px(coordinates, stacked=bool(face and face.stacked))
        style = f'font-size="{decimal(size)}" fill="{ink(color)}"'
        label += text(coordinates.label(point), 0, down, size, style)
    x, y = board.layout.centre(point)
    edge = f'stroke="{ink(ground)}" stroke-width="{decimal(half * _AROUND)}"'
    return (
        f'<g transform="translate({x} {y})" paint-order="stroke" {edge}'
        f' stroke-linejoin="round">{label}{signs}</g>'
    )


def circles(board: BoardPicture, points: Iterable[Point]) -> str:
    """Return circles around spaces."""
    layout, theme = board.layout, board.theme
    half = layout.half
    return "".join(
        f'<circle cx="{x}" cy="{y}" r="{decimal(half * CIRCLE_AT)}" fill="none"'
        f' stroke="{ink(color)}" stroke-width="{decimal(half * breadth)}"/>'
        for x, y in map(layout.centre, points)
        for breadth, color in (
            (2 * (CIRCLE + EDGE), theme.accent_edge),
            (2 * CIRCLE, theme.landing),
        )
    )


def _arrow(at: Spot, shape: ArrowShape, color: str) -> str:
    def placed(corners: Iterable[Spot]) -> Iterator[Spot]:
        return ((at[0] + x, at[1] + y) for x, y in corners)

    (x, y), path = next(placed([shape.dot])), _polygon(placed(shape.shaft))
    path += _polygon(placed(shape.head))
    return (
        f'<g fill="{color}"><path d="{path}"/>'
        f'<circle cx="{decimal(x)}" cy="{decimal(y)}" r="{decimal(shape.radius)}"/></g>'
    )


def _outline(centre: Spot, theme: Theme) -> str:
    half = Layout(VIEW_WIDTH).half
    path = _polygon(hexagon(centre, half * OUTLINE_AT))
    coats = (2 * (OUTLINE + EDGE), theme.accent_edge), (2 * OUTLINE, theme.accent)
    return "".join(
        f'<path d="{path}" fill="none" stroke="{ink(color)}"'
        f' stroke-width="{decimal(half * breadth)}"/>'
        for breadth, color in coats
    )


def text(text: str, x: float, y: float, size: float, style: str = "") -> str:
    """Return a text element whose digits are vertically centered at y."""
    place = f'x="{decimal(x)}" y="{decimal(y + size * _MIDDLE)}"{" " * bool(style)}{style}'
    return f"<text {place}>{escape(text)}</text>"


def space_path(layout: Layout, point: Point, apothem: float) -> str:
    return _polygon(hexagon(layout.centre(point), apothem))


def _polygon(corners: Iterable[tuple[float, float]]) -> str:
    places = "L".join(f"{decimal(x)} {decimal(y)}" for x, y in corners)
    return f"M{places}Z" if places else ""


def corner_list(corners: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{decimal(x)},{decimal(y)}" for x, y in corners)


def decimal(value: float) -> str:
    """Return a length with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")
