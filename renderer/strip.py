"""The strip above the board: whose turn it is, the phase, and how the players stand."""

from functools import lru_cache
from typing import Final, NamedTuple

from PIL import Image

from dvonn import Color, Phase, Piece, Position
from renderer.facts import headline, passes, phase
from renderer.geometry import Layout, tile_size
from renderer.lettering import Weight, font, lettering
from renderer.palette import Palette
from renderer.theme import Rgb, Theme
from renderer.tiles import Face, TileMaker
from renderer.words import Words

# Measures in halves (see geometry.Layout).
_MARGIN: Final = 0.8  # to the left and right
_MIDDLE: Final = 1.2  # from the picture's upper edge to the middle of the icons
_ICON: Final = 0.72  # an icon is a tile of the board at this scale
_ICON_GAP: Final = 0.3  # from an icon to what it means
_SCORE_GAP: Final = 0.6  # to the left of each count with its icon


class _Style(NamedTuple):
    weight: Weight
    size: float  # of the font, in halves
    baseline: float  # below the middle of the icons, in halves


_HEADLINE: Final = _Style(Weight.MEDIUM, 1.0, -0.12)
_SUBLINE: Final = _Style(Weight.REGULAR, 0.68, 0.78)
_SCORE: Final = _Style(Weight.BOLD, 1.14, 0.37)
_TITLE: Final = _Style(Weight.MEDIUM, 1.0, 0.58)


class Strip:
    """Renders the strips of one theme and width on frames of palette indices."""

    def __init__(self, theme: Theme, layout: Layout, palette: Palette) -> None:
        self._theme = theme
        self._width = layout.width
        self._half = layout.half
        self._palette = palette
        icon_half = self._pixels(_ICON)
        self._icon_size = tile_size(icon_half)
        self._tiles = TileMaker(theme, icon_half)
        self._icon = lru_cache(maxsize=3)(self._make_icon)
        self._line = lru_cache(maxsize=256)(self._make_line)

    def render(self, frame: Image.Image, position: Position, words: Words) -> None:
        """Say what is to be said of a position."""
        left, right = self._pixels(_MARGIN), self._width - self._pixels(_MARGIN)
        if position.phase is not Phase.PLACEMENT:
            for color in (Color.BLACK, Color.WHITE):
                right = self._put_score(frame, color, position.score(color), right)
        if (piece := _turn(position)) is not None:
            self._put_icon(frame, piece, left)
            left += self._icon_size[0] + self._pixels(_ICON_GAP)
        for text, style, ink in (
            (headline(position, words), _HEADLINE, self._theme.text),
            (
                ", ".join([phase(position, words), *passes(position, words)]),
                _SUBLINE,
                self._theme.quiet_text,
            ),
        ):
            self._write(frame, self._line(text, style, ink, right - left), left, style)

    def title(self, frame: Image.Image, text: str) -> None:
        """Say which board it is, low in the strip, and nothing else."""
        left, room = self._pixels(_MARGIN), self._width - 2 * self._pixels(_MARGIN)
        self._write(frame, self._line(text, _TITLE, self._theme.text, room), left, _TITLE)

    def _put_score(self, frame: Image.Image, color: Color, score: int, right: int) -> int:
        """Write a count that ends at `right`; returns where its room begins."""
        line = self._line(str(score), _SCORE, self._theme.text, right)
        left = right - line.width
        self._write(frame, line, left, _SCORE)
        left -= self._icon_size[0] + self._pixels(_ICON_GAP)
        self._put_icon(frame, color.value, left)
        return left - self._pixels(_SCORE_GAP)

    def _put_icon(self, frame: Image.Image, piece: Piece, left: int) -> None:
        top = self._pixels(_MIDDLE) - self._icon_size[1] // 2
        frame.paste(self._icon(piece), (left, top), self._tiles.outline)

    def _write(self, frame: Image.Image, line: "_Line", left: int, style: _Style) -> None:
        baseline = self._pixels(_MIDDLE) + self._pixels(style.baseline)
        frame.paste(line.image, (left, baseline - line.ascent))

    def _make_icon(self, piece: Piece) -> Image.Image:
        return self._palette.indices(self._tiles.stack(Face(piece, 1)))

    def _make_line(self, text: str, style: _Style, ink: Rgb, room: int) -> "_Line":
        """A line of text, in smaller letters where the room (in pixels) would not do."""
        face = font(style.weight, self._pixels(style.size))
        if (length := face.getlength(text)) > room:
            face = font(style.weight, max(1, int(face.size * room / length)))
        inked = lettering(text, face).point(self._palette.ramp(self._theme.canvas, ink))
        return _Line(inked, face.getmetrics()[0])

    def _pixels(self, halves: float) -> int:
        return round(self._half * halves)


class _Line(NamedTuple):
    image: Image.Image  # palette indices
    ascent: int  # from its top to the baseline in pixels

    @property
    def width(self) -> int:
        return self.image.width


def _turn(position: Position) -> Piece | None:
    """The piece that stands for the side to move, or for the winner; a red one if to be placed."""
    if position.to_place == "R":
        return "R"
    color = position.turn or position.winner
    return None if color is None else color.value
