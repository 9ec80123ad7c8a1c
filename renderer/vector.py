"""Rendering of positions as SVG, with the geometry and colors of the PNG."""

from html import escape

from dvonn import PIECE_COUNTS, POINTS, Color, Coordinates, Move, Position
from dvonn.svg import fragments
from dvonn.svg.arrows import CORNERS, NEXT
from dvonn.svg.fragments import VIEW_WIDTH, BoardPicture, corner_list, decimal, ink
from dvonn.svg.geometry import Layout
from dvonn.svg.stack_shapes import LAYERS, LEFT_NAME_AT, NAME_AT, StackFace, lift
from dvonn.svg.theme import Rgb, Theme
from renderer.caption import NO_CAPTION, Caption, headline
from renderer.head import CHIP, ICON, MIDDLE, Chip, HeadText, head_of
from renderer.lettering import Weight
from renderer.look import DEFAULT, Look
from renderer.scene import Scene
from renderer.strip import BASELINE, RIM, STAR, star
from renderer.text_twin import describe
from renderer.words import Words


def svg(
    position: Position,
    *,
    coordinates: Coordinates = Coordinates.STANDARD,
    last: Move | None = None,
    caption: Caption = NO_CAPTION,
    look: Look = DEFAULT,
) -> str:
    """Return a position as a self-contained SVG document.

    The title gives the player to move or the winner. The description is the text twin.

    >>> svg(Position.initial())[:4]
    '<svg'

    Args:
        position: The position, including the stacks that were just removed.
        coordinates: Coordinate system of the labels.
        last: The move that led to the position, which is marked.
        caption: The players' names and the ending.
        look: Colors, texts, and the default width.

    Raises:
        ValueError: if the width is out of bounds.
    """
    layout = Layout(look.width_px)
    scene = Scene(position, coordinates, last, None, caption, aids=False)
    description = describe(
        position,
        coordinates=coordinates,
        last=last,
        caption=caption,
        turned=look.turned,
        aids=False,
        words=look.words,
    )
    definitions, *board = board_of(scene, look).parts()
    return fragments.document(
        look.theme,
        (definitions, _head(scene, look.words, look.theme), *board),
        title=headline(position, look.words, caption),
        description=description,
        width_px=layout.width,
    )


def board_of(scene: Scene, look: Look) -> BoardPicture:
    """Return the part of a scene that is on the board."""
    return BoardPicture(
        scene.position, look.theme, scene.coordinates, scene.last, scene.loud, look.turned
    )


def disc(color: Color, look: Look) -> str:
    """Return a small drawing of a player's piece as HTML, to be put beside their name."""
    colors = look.theme.piece(color.value)
    word = look.words.white if color is Color.WHITE else look.words.black
    rim = colors.rim or look.theme.cell
    return (
        f'<svg class="disc" viewBox="0 0 20 20" role="img" aria-label="{escape(word)}">'
        f'<circle cx="10" cy="10" r="8.5" fill="{ink(colors.top)}" stroke="{ink(rim)}"'
        ' stroke-width="2"/></svg>'
    )


def kit(look: Look) -> dict[str, object]:
    """Return the SVG fragments that a script uses to draw a board.

    Every fragment is centered at the origin, and `{n}` in it is a placeholder for a number.

    A stack consists of its layers, bottom to top, and a lifted group with a cap, a number and
    marks. A single piece is `single`.
    """
    theme, layout = look.theme, Layout(VIEW_WIDTH)
    counts = range(1, LAYERS + 1)
    return {
        "layers": [
            {p: fragments.layer(p, n, theme, closed=True) for p in "RWB"} for n in range(LAYERS)
        ],
        "lifted": [fragments.lifted(up) for up in counts],
        "caps": {p: fragments.cap(p, theme, closed=True) for p in "WB"},
        "numbers": {
            p: [fragments.height_text(f"{{{n * 'n'}}}", p, theme) for n in (1, 2)] for p in "WB"
        },
        "marks": [
            fragments.stack_marks(reds, theme, stacked=True)
            for reds in range(PIECE_COUNTS["R"] + 1)
        ],
        "single": {p: fragments.stack(StackFace.from_pieces(p), theme) for p in "RWB"},
        "gone": {p: fragments.departed_stack("{n}", theme.piece(p), theme) for p in "RWB"},
        "left": layout.half * LEFT_NAME_AT,
        "names": [layout.half * (NAME_AT - lift(up)) for up in counts],
        "sizes": {
            coordinates.value: [
                fragments.name_px(coordinates, stacked=stacked) for stacked in (False, True)
            ]
            for coordinates in Coordinates
        },
        "inks": {
            p: [ink(color) for color in (theme.piece(p).ink, theme.quiet_ink(theme.piece(p)))]
            for p in "RWB"
        },
        "labels": [ink(theme.cell_label), ink(theme.quiet_label)],
        "centres": [layout.centre(point) for point in POINTS],
        "spaces": [fragments.space_path(layout, point, layout.half) for point in POINTS],
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


def _head(scene: Scene, words: Words, theme: Theme) -> str:
    """Return the header row, with the two players and the phrases between them, as SVG."""
    layout = Layout(VIEW_WIDTH)
    plan = head_of(scene, words, layout.width / layout.half)
    parts = [_chip(chip, theme, layout.half) for chip in plan.chips]
    if plan.red is not None:
        parts.append(_icon(plan.red, "R", theme, layout.half))
    if plan.phrases is not None:
        parts.append(_line(plan.phrases, theme.text, layout.half))
    return "".join(parts)


def _chip(chip: Chip, theme: Theme, half: int) -> str:
    """Return a player's chip in the header row as SVG."""
    ground, color = (theme.accent, theme.accent_edge) if chip.marked else (theme.chip, theme.text)
    x, y = decimal(half * chip.left), decimal(half * (MIDDLE - CHIP))
    width, height = decimal(half * (chip.right - chip.left)), decimal(half * 2 * CHIP)
    box = f'x="{x}" y="{y}" width="{width}" height="{height}" rx="{decimal(half * CHIP)}"'
    parts = [
        f'<rect {box} fill="{ink(ground)}"/>',
        _icon(chip.icon, chip.color.value, theme, half),
    ]
    if chip.star is not None:
        corners = corner_list(star(half * chip.star, half * MIDDLE, half * STAR))
        parts.append(f'<polygon points="{corners}" fill="{ink(theme.accent_edge)}"/>')
    parts += [
        _line(line, color, half) for line in (chip.name, chip.score, chip.lost) if line is not None
    ]
    return "".join(parts)


def _icon(at: float, piece: str, theme: Theme, half: int) -> str:
    """Return a piece as a disc with an outline."""
    colors = theme.piece(piece)
    coats = (0.0, theme.cell), (RIM, colors.rim or colors.seam), (RIM + 0.035, colors.top)
    return "".join(
        f'<circle cx="{decimal(half * at)}" cy="{decimal(half * MIDDLE)}"'
        f' r="{decimal(half * (ICON - inset))}" fill="{ink(color)}"/>'
        for inset, color in coats
    )


def _line(line: HeadText, color: Rgb, half: int) -> str:
    """Return a line of text that keeps its planned width in any font."""
    size, y = half * line.size, half * (MIDDLE + line.size * BASELINE)
    bold = {Weight.BOLD: 700, Weight.MEDIUM: 600}.get(line.weight, 400)
    return (
        f'<text x="{decimal(half * line.left)}" y="{decimal(y)}" font-size="{decimal(size)}"'
        f' font-weight="{bold}" text-anchor="start" fill="{ink(color)}"'
        f' textLength="{decimal(half * line.length)}" lengthAdjust="spacingAndGlyphs">'
        f"{escape(line.text)}</text>"
    )
