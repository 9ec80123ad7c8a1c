"""The colours of a picture."""

from dataclasses import dataclass, replace

Rgb = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""

BLACK: Rgb = (0, 0, 0)
WHITE: Rgb = (255, 255, 255)


def mix(a: Rgb, b: Rgb, share: float) -> Rgb:
    """Return the colour that has `share` (0 to 1) of b and the rest of a."""
    red, green, blue = (round(x + (y - x) * share) for x, y in zip(a, b, strict=True))
    return red, green, blue


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceColours:
    """The colours of one side's pieces.

    Attributes:
        top: a ring from above, in plain light.
        side: the side of a ring in a pile.
        seam: the line between two rings of a pile.
        well: the hole of a pile, on which the number stands.
        ink: the number.
        gloss: how bright the highlight is, from 0 (matt) to 1.
        rim: the line at both edges of a ring, as broad as the theme's `outline`; None: its own
            colour, in the shade.
        hatch: the slanting lines over a ring of one kind, in place of a bright inlay; None: none.
    """

    top: Rgb
    side: Rgb
    seam: Rgb
    well: Rgb
    ink: Rgb
    gloss: float
    rim: Rgb | None = None
    hatch: Rgb | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """All colours of a picture, and how it is drawn; renderer/themes.py has them all.

    Attributes:
        canvas: behind everything.
        frame: around the board and between its spaces.
        cell: a space; a middle grey, as far from the white pieces as from the black and red ones.
        cell_label: the name of a space, and the height of a stack that has just left.
        label: the names of rows and columns.
        text: whose turn, and the counts.
        quiet_text: what is told beside that.
        accent: the last move, and a chosen stack.
        accent_edge: the line around such a mark, against any ground, and what is written on one.
        landing: where a chosen stack may go.
        movable: the thin line around a stack that its player may move.
        mark: the sign of a DVONN piece.
        mark_edge: the line around that sign, against any ground, and on a lone DVONN piece.
        dimming: how much of the cell's colour is mixed to a stack that may not move, 0 to 1: only
            a little, since it must be seen, and is thinner and flat as well.
        panel: the ground of charts; None: the frame's.
        relief: how far pieces stand out, from 1 (rings in the light, with a shadow) to 0 (flat).
        outline: the breadth of rims, and of the lines around panels and dashes, as a part of half
            the distance between two neighbours in a row; 0: no such lines.
    """

    canvas: Rgb
    frame: Rgb
    cell: Rgb
    cell_label: Rgb
    label: Rgb
    text: Rgb
    quiet_text: Rgb
    accent: Rgb
    accent_edge: Rgb
    landing: Rgb
    movable: Rgb
    white: PieceColours
    black: PieceColours
    red: PieceColours
    mark: Rgb
    mark_edge: Rgb
    dimming: float
    panel: Rgb | None = None
    relief: float = 1.0
    outline: float = 0.0

    @property
    def light(self) -> bool:
        """True if writing is darker than its ground."""
        return sum(self.text) < sum(self.canvas)

    @property
    def chart_ground(self) -> Rgb:
        return self.frame if self.panel is None else self.panel

    @property
    def heat(self) -> tuple[Rgb, ...]:
        """Shades for what a free space is worth, the least first: the canvas's, then the marks'.

        Between the third and the fourth no writing would be clear enough.
        """
        return tuple(mix(self.canvas, self.landing, share) for share in (0.08, 0.22, 0.36, 0.7, 1))

    def heat_ink(self, shade: int) -> Rgb:
        """Return the ink for writing on one of these shades."""
        return self.text if shade < len(self.heat) // 2 + 1 else self.accent_edge

    @property
    def shadow(self) -> Rgb:
        """A space in the shade of a piece."""
        return mix(self.cell, BLACK, 0.36 * self.relief)

    def shaded_well(self, piece: PieceColours) -> Rgb:
        """Return the part of a well that lies in the shade of its rim."""
        return mix(piece.well, BLACK, 0.2 * self.relief)

    def dimmed(self, piece: PieceColours) -> PieceColours:
        """The colours of a piece that may not move; lines and ink stay, so that all stays clear."""
        top, side, seam, well = (
            mix(colour, self.cell, self.dimming)
            for colour in (piece.top, piece.side, piece.seam, piece.well)
        )
        return replace(piece, top=top, side=side, seam=seam, well=well, gloss=0.0)


SLATE = Theme(
    canvas=(29, 37, 43),
    frame=(48, 62, 71),
    cell=(115, 140, 150),
    cell_label=(17, 24, 28),
    label=(214, 222, 225),
    text=(244, 245, 242),
    quiet_text=(180, 192, 198),
    accent=(255, 193, 61),
    accent_edge=(36, 28, 10),
    landing=(124, 236, 255),
    movable=(255, 250, 238),
    white=PieceColours(
        top=(255, 250, 238),
        side=(214, 204, 182),
        seam=(122, 113, 97),
        well=(240, 231, 212),
        ink=(22, 22, 24),
        gloss=0.3,
    ),
    black=PieceColours(
        top=(30, 32, 36),
        side=(50, 54, 60),
        seam=(6, 7, 8),
        well=(16, 17, 20),
        ink=(255, 250, 238),
        gloss=0.42,
    ),
    red=PieceColours(
        top=(108, 6, 18),
        side=(94, 6, 16),
        seam=(46, 2, 6),
        well=(60, 4, 10),
        ink=(255, 250, 238),
        gloss=0.55,
    ),
    mark=(216, 30, 46),
    mark_edge=(255, 250, 238),
    dimming=0.07,
)
