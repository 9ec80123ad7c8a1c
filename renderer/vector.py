"""A position as SVG, with the same geometry and colors as the picture."""

import math
from collections.abc import Iterable, Iterator
from html import escape
from typing import Final, NamedTuple

from dvonn import PIECE_COUNTS, POINTS, Color, Coordinates, Move, Point, Position
from renderer.caption import NO_CAPTION, Caption, headline
from renderer.geometry import Layout, diamond, hexagon
from renderer.head import CHIP, ICON, MIDDLE, Chip, HeadText, head_of
from renderer.lettering import Weight, name_size
from renderer.look import DEFAULT, Look
from renderer.move_band import CORNERS, NEXT, way_corners
from renderer.scene import Scene
from renderer.strip import BASELINE, RIM, STAR, star
from renderer.text_twin import describe
from renderer.theme import PiecePalette, Rgb, Theme
from renderer.tiles import (
    DASH,
    DASHED_AT,
    FACE,
    FOOT,
    HATCH,
    HATCH_STEP,
    HOLE,
    LAYERS,
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
    Face,
    lift,
    mark_places,
    number_size,
)
from renderer.words import Words

VIEW_WIDTH: Final = 1100
"""Width of the drawing in its own units. It can be shown at any width."""
_FONT: Final = "'Source Sans Pro','Source Sans 3',system-ui,sans-serif"
LETTERING: Final = f'font-family="{_FONT}" text-anchor="middle"'
"""Text attributes for an svg element that contains a board."""
_HATCH: Final = "dvonn-hatch"
_MIDDLE: Final = 0.33  # half the height of a digit, as a fraction of the font size


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

    Its title says who is to move or has won. Its description is the text twin.

    >>> svg(Position.initial())[:4]
    '<svg'

    Args:
        position: The position, with the stacks that were just removed.
        coordinates: Coordinate system of the labels.
        last: The move that led to the position, which is marked.
        caption: The players' names and the ending.
        look: Colors, texts, and the default width.

    Raises:
        ValueError: if the width is out of bounds.
    """
    layout, shown = Layout(VIEW_WIDTH), Layout(look.width_px)
    scene = Scene(position, coordinates, last, None, caption, aids=False)
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
            _head(scene, look.words, look.theme),
            spaces(look.theme),
            moved(last, look),
            names(scene, look),
            stacks(scene, look),
            "</svg>",
        )
    )


def spaces(theme: Theme) -> str:
    """Return the empty board without names."""
    layout = Layout(VIEW_WIDTH)
    frame = "".join(_path(layout, point, layout.half + layout.frame) for point in POINTS)
    cells = "".join(_path(layout, point, layout.half * (1 - SEAM)) for point in POINTS)
    drawn = ((frame, theme.frame), (cells, theme.cell))
    return "".join(f'<path d="{path}" fill="{ink(colour)}"/>' for path, colour in drawn)


def names(scene: Scene, look: Look) -> str:
    """Return the names of all spaces that nothing covers, pale where nobody can act."""
    layout, coordinates = Layout(VIEW_WIDTH, look.turned), scene.coordinates
    if coordinates is None:
        return ""
    size = _name_size(coordinates, stacked=False)
    written = dict[bool, list[str]]()
    for point in POINTS:
        if point in scene.removed:
            continue  # below its number
        name = _text(coordinates.label(point), *layout.centre(point), size)
        written.setdefault(point in scene.loud, []).append(name)
    inks = {True: look.theme.cell_label, False: look.theme.quiet_label}
    return "".join(
        f'<g font-size="{_size(size)}" fill="{ink(inks[loud])}">{"".join(inside)}</g>'
        for loud, inside in sorted(written.items())
    )


def _name_size(coordinates: Coordinates, *, stacked: bool) -> float:
    longest = max((coordinates.label(point) for point in POINTS), key=len)
    return Layout(VIEW_WIDTH).half * name_size(longest, stacked=stacked)


def defs(positions: Iterable[Position], theme: Theme) -> str:
    """Define each kind of stack that occurs in the positions or was just removed."""
    looks = {look for position in positions for _, look in _looks(position)}
    kinds = "".join(
        f'<g id="{look.name}">{_stack(look, theme)}</g>'
        for look in sorted(looks, key=lambda look: look.name)
    )
    return f"<defs>{_hatch(theme)}{kinds}</defs>"


def stacks(scene: Scene, look: Look) -> str:
    """Draw the stacks on the board, and those just removed, using the kinds in `defs`."""
    layout, coordinates, theme = Layout(VIEW_WIDTH, look.turned), scene.coordinates, look.theme
    size = 0.0 if coordinates is None else _name_size(coordinates, stacked=True)
    shown = sorted(_looks(scene.position), key=lambda one: layout.centre(one[0]).y)
    drawn, written = [], dict[str, list[str]]()
    for point, kind in shown:
        x, y = layout.centre(point)
        drawn.append(f'<use href="#{kind.name}" x="{x}" y="{y}"/>')
        if coordinates is not None and (kind.gone or kind.face.stacked):
            down, loud = _name_at(kind) * layout.half, point in scene.loud
            piece = theme.piece(kind.face.top)
            colour = piece.ink if loud else theme.quiet_ink(piece)
            if kind.gone:
                colour = theme.cell_label if loud else theme.quiet_label
            name = _text(coordinates.label(point), x, y + down, size)
            written.setdefault(ink(colour), []).append(name)
    groups = (
        f'<g font-size="{_size(size)}" fill="{colour}">{"".join(texts)}</g>'
        for colour, texts in written.items()
    )
    return "".join((*drawn, *groups))


def _name_at(kind: _Look) -> float:
    """Return how far a stack's name is below the center of its space, in halves."""
    return LEFT_NAME_AT if kind.gone else NAME_AT - lift(len(kind.face.pieces))


def ink(colour: Rgb) -> str:
    """Return a color in SVG and CSS notation."""
    return "#" + bytes(colour).hex()


def disc(color: Color, look: Look) -> str:
    """Return a player's piece as a small drawing for use beside their name, as HTML."""
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
    """Return a stack around the center of its space, without its name."""
    face = look.face
    if look.gone:
        return _departed_stack(str(face.height), theme.piece(face.top), theme)
    pieces, closed = face.pieces, face.stacked
    sides = "".join(_layer(piece, at, theme, closed) for at, piece in enumerate(pieces))
    top = _cap(face.top, theme, closed)
    if face.height > 1:
        top += _number(str(face.height), face.top, theme)
    return f"{sides}{_lifted(len(pieces))}{top}{_marks(face.reds, theme, face.height > 1)}</g>"


def _lifted(layers: int) -> str:
    """Start the group of parts on the top piece."""
    return f'<g transform="translate(0 {_size(-Layout(VIEW_WIDTH).half * lift(layers))})">'


def _layer(piece: str, number: int, theme: Theme, closed: bool) -> str:
    """Return the side of a piece. The lowest is number 0."""
    half = Layout(VIEW_WIDTH).half
    below, y = theme.piece(piece), half * FOOT - half * STEP * number
    seam = f'stroke="{ink(below.seam)}" stroke-width="{_size(max(1.0, half * 0.03))}"'
    round_it = _round(y, half * OUTER) + ("" if closed else _round(0.0, half * HOLE + 1))
    return f'<path d="{round_it}" fill-rule="evenodd" fill="{ink(below.side)}" {seam}/>'


def _cap(top: str, theme: Theme, closed: bool) -> str:
    """Return the top of a stack, around its center."""
    half, colours = Layout(VIEW_WIDTH).half, theme.piece(top)
    outer, line = half * OUTER, half * theme.outline
    hole = half * (LONE_FACE if top == "R" else FACE if closed else HOLE)
    parts = []
    if closed:
        parts.append(f'<circle r="{_size(hole + 1)}" fill="{ink(colours.well)}"/>')
    parts.append(_ring((outer + hole) / 2, outer - hole, ink(colours.top)))
    if colours.hatch is not None:
        parts.append(_ring((outer + hole) / 2, outer - hole, f"url(#{_HATCH})"))
    if colours.rim is not None:
        parts.append(_ring(outer - line / 2, line, ink(colours.rim)))
        if not closed:
            parts.append(_ring(hole + line / 2, line, ink(colours.rim)))
    return "".join(parts)


def _marks(reds: int, theme: Theme, stacked: bool) -> str:
    """Return the red rim of a stack that contains red, and a mark for each red piece in it."""
    half, red, parts = Layout(VIEW_WIDTH).half, theme.red, []
    if stacked and reds:
        for breadth, colour in ((RED_RIM, red.rim or red.seam), (RED_RIM - 0.03, red.top)):
            radius = half * (OUTER - 0.02 - breadth / 2)
            parts.append(_ring(radius, half * breadth, ink(colour)))
    places = mark_places(reds, stacked=stacked)
    parts += [_diamond(half * x, half * y, half * size, theme) for x, y, size in places]
    return "".join(parts)


def _number(number: str, top: str, theme: Theme) -> str:
    """Return a stack's height as a number on its top."""
    half = Layout(VIEW_WIDTH).half
    return _figure(number, theme.piece(top).ink, half * NUMBER_AT, half)


def kit(look: Look) -> dict[str, object]:
    """Return the fragments that a script draws a board from.

    `{n}` stands for a number.

    A stack consists of its layers, bottom to top, and a lifted group with a cap, a number and
    marks. A lone piece is `single`. All are drawn around the center of their space.
    """
    theme, layout = look.theme, Layout(VIEW_WIDTH)
    counts = range(1, LAYERS + 1)
    return {
        "layers": [{p: _layer(p, n, theme, closed=True) for p in "RWB"} for n in range(LAYERS)],
        "lifted": [_lifted(up) for up in counts],
        "caps": {p: _cap(p, theme, closed=True) for p in "WB"},
        "numbers": {p: [_number(f"{{{n * 'n'}}}", p, theme) for n in (1, 2)] for p in "WB"},
        "marks": [_marks(reds, theme, stacked=True) for reds in range(PIECE_COUNTS["R"] + 1)],
        "single": {p: _stack(_Look(Face.of(p), gone=False), theme) for p in "RWB"},
        "gone": {p: _departed_stack("{n}", theme.piece(p), theme) for p in "RWB"},
        "left": layout.half * LEFT_NAME_AT,
        "names": [layout.half * (NAME_AT - lift(up)) for up in counts],
        "sizes": {
            coordinates.value: [
                _name_size(coordinates, stacked=stacked) for stacked in (False, True)
            ]
            for coordinates in Coordinates
        },
        "inks": {
            p: [ink(color) for color in (theme.piece(p).ink, theme.quiet_ink(theme.piece(p)))]
            for p in "RWB"
        },
        "labels": [ink(theme.cell_label), ink(theme.quiet_label)],
        "centres": [layout.centre(point) for point in POINTS],
        "spaces": [_path(layout, point, layout.half) for point in POINTS],
        "moved": ink(theme.moved),
        "way": {
            "next": layout.half * NEXT,
            "corners": [
                (layout.half * corner.along, layout.half * corner.beside, corner.far)
                for corner in CORNERS
            ],
        },
        "discs": {color.value: disc(color, look) for color in Color},
    }


def _departed_stack(height: str, colours: PiecePalette, theme: Theme) -> str:
    """Return a stack that was just removed, around the center of its space."""
    half = Layout(VIEW_WIDTH).half
    outer, line = half * DASHED_AT, half * theme.outline if colours.rim is not None else 0.0
    figure = _dashes(outer, half * DASH + line, colours.top if colours.rim is None else colours.rim)
    if line:
        figure += _dashes(outer, half * DASH + line, colours.top, line / 2)
    return figure + _figure(f"−{height}", theme.cell_label, half * LEFT_NUMBER_AT, half)


def _round(y: float, radius: float) -> str:
    """Return a circle as part of a path."""
    arc = f"a{_size(radius)} {_size(radius)} 0 1 0"
    return f"M{_size(-radius)} {_size(y)}{arc} {_size(2 * radius)} 0{arc} {_size(-2 * radius)} 0"


def _ring(radius: float, breadth: float, paint: str) -> str:
    line = f'stroke="{paint}" stroke-width="{_size(breadth)}"'
    return f'<circle r="{_size(radius)}" fill="none" {line}/>'


def _dashes(outer: float, breadth: float, colour: Rgb, inset: float = 0.0) -> str:
    """Return a circle of dashes that extend inward from a radius. `inset` shrinks each dash."""
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
    """Return the slanted lines of a hatched ring, if the theme has any."""
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
    size = half * number_size(number.strip("{}"))
    style = f'font-size="{_size(size)}" font-weight="700" fill="{ink(colour)}"'
    return _text(number, 0, y, size, style)


def moved(last: Move | None, look: Look) -> str:
    """Return the highlighted spaces of the last move."""
    if last is None:
        return ""
    layout = Layout(VIEW_WIDTH, look.turned)
    ends = [end for end in (last.source, last.target) if end is not None]
    path = "".join(_path(layout, end, layout.half) for end in ends)
    if last.source is not None:
        path += _polygon(
            way_corners(layout.centre(last.source), layout.centre(last.target), layout.half)
        )
    return f'<path d="{path}" fill="{ink(look.theme.moved)}"/>'


def _head(scene: Scene, words: Words, theme: Theme) -> str:
    """Draw the two players and the phrases between them."""
    layout = Layout(VIEW_WIDTH)
    plan = head_of(scene, words, layout.width / layout.half)
    parts = [_chip(chip, theme, layout.half) for chip in plan.chips]
    if plan.red is not None:
        parts.append(_icon(plan.red, "R", theme, layout.half))
    if plan.told is not None:
        parts.append(_line(plan.told, theme.text, layout.half))
    return "".join(parts)


def _chip(chip: Chip, theme: Theme, half: int) -> str:
    """Draw a player's chip."""
    ground, colour = (theme.accent, theme.accent_edge) if chip.marked else (theme.chip, theme.text)
    x, y = _size(half * chip.left), _size(half * (MIDDLE - CHIP))
    width, height = _size(half * (chip.right - chip.left)), _size(half * 2 * CHIP)
    box = f'x="{x}" y="{y}" width="{width}" height="{height}" rx="{_size(half * CHIP)}"'
    parts = [
        f'<rect {box} fill="{ink(ground)}"/>',
        _icon(chip.icon, chip.color.value, theme, half),
    ]
    if chip.star is not None:
        corners = _corners(star(half * chip.star, half * MIDDLE, half * STAR))
        parts.append(f'<polygon points="{corners}" fill="{ink(theme.accent_edge)}"/>')
    parts += [
        _line(line, colour, half) for line in (chip.name, chip.score, chip.lost) if line is not None
    ]
    return "".join(parts)


def _icon(at: float, piece: str, theme: Theme, half: int) -> str:
    """Draw a piece as a disc with an outline."""
    colours = theme.piece(piece)
    coats = (0.0, theme.cell), (RIM, colours.rim or colours.seam), (RIM + 0.035, colours.top)
    return "".join(
        f'<circle cx="{_size(half * at)}" cy="{_size(half * MIDDLE)}"'
        f' r="{_size(half * (ICON - inset))}" fill="{ink(colour)}"/>'
        for inset, colour in coats
    )


def _line(line: HeadText, colour: Rgb, half: int) -> str:
    """Write a line at its planned width, whatever the viewer's font."""
    size, y = half * line.size, half * (MIDDLE + line.size * BASELINE)
    bold = {Weight.BOLD: 700, Weight.MEDIUM: 600}.get(line.weight, 400)
    return (
        f'<text x="{_size(half * line.left)}" y="{_size(y)}" font-size="{_size(size)}"'
        f' font-weight="{bold}" text-anchor="start" fill="{ink(colour)}"'
        f' textLength="{_size(half * line.length)}" lengthAdjust="spacingAndGlyphs">'
        f"{escape(line.text)}</text>"
    )


def _text(text: str, x: float, y: float, size: float, style: str = "") -> str:
    """Return text whose digits are vertically centered at a place."""
    low = size * _MIDDLE
    return (
        f'<text x="{_size(x)}" y="{_size(y + low)}"{" " * bool(style)}{style}>{escape(text)}</text>'
    )


def _path(layout: Layout, point: Point, apothem: float) -> str:
    return _polygon(hexagon(layout.centre(point), apothem))


def _polygon(corners: Iterable[tuple[float, float]]) -> str:
    places = "L".join(f"{_size(x)} {_size(y)}" for x, y in corners)
    return f"M{places}Z" if places else ""


def _corners(corners: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{_size(x)},{_size(y)}" for x, y in corners)


def _size(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
