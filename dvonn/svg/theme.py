"""Color themes of pictures."""

from dvonn._rules.frozen import Value

Rgb = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""

BLACK: Rgb = (0, 0, 0)
WHITE: Rgb = (255, 255, 255)


def mix(a: Rgb, b: Rgb, share: float) -> Rgb:
    """Return the color with `share` (0 to 1) of `b` and the rest of `a`.

    >>> mix((0, 0, 0), (255, 255, 255), 0.5)
    (128, 128, 128)
    """
    red, green, blue = (round(x + (y - x) * share) for x, y in zip(a, b, strict=True))
    return red, green, blue


class PiecePalette(Value, kw_only=True):
    """The colors of one side's pieces.

    Attributes:
        top: A ring seen from above, without light and shade.
        side: The side of a ring in a stack.
        seam: The line between two rings in a stack.
        well: The flat area on top of a stack, behind its number and the name of its space.
        ink: The number and the name on the top.
        gloss: Brightness of the highlight, from 0 (matte) to 1.
        rim: The line at both edges of a ring, as wide as the theme's `outline`, or None to use a
            shade of the ring's own color.
        hatch: The slanted lines over a ring, in place of a bright inlay, or None for no lines.
    """

    top: Rgb
    side: Rgb
    seam: Rgb
    well: Rgb
    ink: Rgb
    gloss: float
    rim: Rgb | None = None
    hatch: Rgb | None = None


class Theme(Value, kw_only=True):
    """A picture's colors and drawing style. `dvonn.svg.themes` has all themes.

    Attributes:
        canvas: The background.
        frame: The area around the board and between its spaces.
        cell: A space.
        cell_label: The name of a space, and the height of a stack that was just removed.
        moved: The source and target of the last move.
        label: Lines and brackets around charts.
        text: The turn and the counts.
        quiet_text: Secondary text.
        accent: A chosen stack, an arrow, and the player to move.
        accent_edge: The line around marks in the accent color, visible on any background, and text
            on them.
        landing: The points where a chosen stack can land.
        dashed_landing: True to dash the circles of landings, if color alone doesn't distinguish
            them from rims.
        movable: The bright outline of a stack that its player can move.
        movable_edge: The line around that outline, visible on any background.
        movable_line: Width of the bright outline, in half-cells (see `dvonn.svg.geometry`).
        mark: The mark of a DVONN piece.
        mark_edge: The line around that mark, visible on any background, and the circle on a single
            red piece.
        dimming: Share of `dims_to` (0 to 1) in the color of a stack that can't move. Such a stack
            is also smaller and flat.
        dims_to: The color that these stacks fade to, or None for the cell's.
        panel: The background of charts, or None for the frame's color.
        relief: Strength of light and shade, from 1 (shaded rings with a shadow) to 0 (flat).
        outline: Width of rims, and of the lines around panels and dashes, in half-cells. 0 means no
            such lines.
    """

    canvas: Rgb
    frame: Rgb
    cell: Rgb
    cell_label: Rgb
    moved: Rgb
    label: Rgb
    text: Rgb
    quiet_text: Rgb
    accent: Rgb
    accent_edge: Rgb
    landing: Rgb
    movable: Rgb
    movable_edge: Rgb
    white: PiecePalette
    black: PiecePalette
    red: PiecePalette
    mark: Rgb
    mark_edge: Rgb
    dimming: float
    panel: Rgb | None = None
    dims_to: Rgb | None = None
    dashed_landing: bool = False
    relief: float = 1.0
    outline: float = 0.0
    movable_line: float = 0.035

    def __hash__(self) -> int:
        # Picture caches compute it often. These colors are enough to distinguish all themes.
        return hash((self.canvas, self.frame, self.cell, self.text))

    def piece(self, kind: str) -> PiecePalette:
        """Return the colors of "W", "B" or "R"."""
        return {"W": self.white, "B": self.black, "R": self.red}[kind]

    @property
    def light(self) -> bool:
        """True if the theme has dark text on a light background."""
        return sum(self.text) < sum(self.canvas)

    @property
    def chart_ground(self) -> Rgb:
        return self.frame if self.panel is None else self.panel

    @property
    def band(self) -> Rgb:
        """Color of the uncertainty band on a chart's background."""
        return mix(self.chart_ground, self.quiet_text, 0.38)

    @property
    def heat(self) -> tuple[Rgb, ...]:
        """Shades for the values of free spaces, from the lowest value up to the accent color.

        There is a jump between the third and fourth shades, because on a shade between them no text
        would have enough contrast.
        """
        ground, shares = self.frame, (0.0, 0.14, 0.28, 0.72, 1.0)
        if self.light:
            ground, shares = self.canvas, (0.08, 0.22, 0.36, 0.84, 1.0)
        return tuple(mix(ground, self.accent, share) for share in shares)

    def heat_ink(self, shade: int) -> Rgb:
        """Return the text color on the `heat` shade with the given index."""
        return self.text if shade < len(self.heat) // 2 + 1 else self.accent_edge

    @property
    def chip(self) -> Rgb:
        """The background color of a player's name and count."""
        return mix(self.canvas, self.text, 0.1)

    @property
    def quiet_label(self) -> Rgb:
        """The color of a space's name where no player can act."""
        return mix(self.cell_label, self.cell, 0.3)

    def quiet_ink(self, piece: PiecePalette) -> Rgb:
        """Return the color of a space's name on a stack that can't move."""
        return mix(piece.ink, piece.well, 0.25)

    def lit(self, ground: Rgb) -> Rgb:
        """Return the color of the lit edge (upper left) of a space with color `ground`."""
        return mix(ground, WHITE, 0.22 * self.relief)

    def shaded(self, ground: Rgb) -> Rgb:
        """Return the color of the shaded edge (lower right) of a space with color `ground`."""
        return mix(ground, BLACK, 0.14 * self.relief)

    @property
    def shadow(self) -> Rgb:
        """The color of a space in the shadow of a piece."""
        return mix(self.cell, BLACK, 0.36 * self.relief)

    def dimmed(self, piece: PiecePalette) -> PiecePalette:
        """Return the colors of a piece that can't move.

        Lines and text keep their colors, to stay readable.
        """
        top, side, seam, well = (
            mix(color, self.dims_to or self.cell, self.dimming)
            for color in (piece.top, piece.side, piece.seam, piece.well)
        )
        return piece.replace(top=top, side=side, seam=seam, well=well, gloss=0.0)
