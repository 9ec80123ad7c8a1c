"""The strip of words above the board: whose turn, which phase, how they stand."""

from functools import lru_cache

from PIL import Image, ImageDraw

from dvonn import Color, Phase, Position
from renderer.fonts import Weight, font
from renderer.geometry import Layout
from renderer.headline import headline, subline
from renderer.palette import Palette
from renderer.theme import Rgb, Theme
from renderer.tiles import Face, Kind, TileMaker
from renderer.words import Words

_MARGIN = 0.8
_ICON = 0.72  # of a tile of the board
_HEADLINE = 0.92
_SUBLINE = 0.62
_NUMBER = 1.05


class Strip:
    """Draws strips of one theme and layout."""

    def __init__(self, theme: Theme, layout: Layout, palette: Palette) -> None:
        self.theme = theme
        self.layout = layout
        self.palette = palette
        self._maker = TileMaker(theme, round(layout.half * _ICON))
        self._text = lru_cache(maxsize=256)(self._make_text)
        self._icon = lru_cache(maxsize=8)(self._make_icon)

    def draw(self, frame: Image.Image, position: Position, words: Words) -> None:
        """Write what is to be said of a position."""
        half = self.layout.half
        x = round(half * _MARGIN)
        middle = round(half * 1.2)
        kind = _turn_icon(position)
        if kind is not None:
            x += self._paste_icon(frame, kind, x, middle) + round(half * 0.35)
        self._write(frame, headline(position, words), x, middle - round(half * 0.12), Weight.MEDIUM, _HEADLINE, self.theme.text)
        self._write(frame, subline(position, words), x, middle + round(half * 0.78), Weight.REGULAR, _SUBLINE, self.theme.quiet_text)
        if position.phase is not Phase.PLACEMENT:
            right = self.layout.width - x + 0
            right = self.layout.width - round(half * _MARGIN)
            for color, icon in ((Color.BLACK, Kind.BLACK), (Color.WHITE, Kind.WHITE)):
                text = self._text(str(position.score(color)), Weight.BOLD, _NUMBER, self.theme.text)
                right -= text.width
                self._write(frame, str(position.score(color)), right, middle + round(half * 0.36), Weight.BOLD, _NUMBER, self.theme.text)
                right -= round(half * 0.25) + self._maker.size[0]
                self._paste_icon(frame, icon, right, middle)
                right -= round(half * 0.6)

    def _paste_icon(self, frame: Image.Image, kind: Kind, x: int, middle: int) -> int:
        icon = self._icon(kind)
        frame.paste(icon, (x, middle - icon.height // 2), self._maker.outline)
        return icon.width

    def _write(self, frame, text, x, baseline, weight, size, ink) -> None:
        image = self._text(text, weight, size, ink)
        face = font(weight, round(self.layout.half * size))
        frame.paste(image, (x, baseline - face.getmetrics()[0]))

    def _make_text(self, text: str, weight: Weight, size: float, ink: Rgb) -> Image.Image:
        face = font(weight, round(self.layout.half * size))
        mask = Image.new("L", (round(face.getlength(text)), sum(face.getmetrics())))
        ImageDraw.Draw(mask).text((0, face.getmetrics()[0]), text, font=face, fill=255, anchor="ls")
        return mask.point(self.palette.ramp(self.theme.canvas, ink))

    def _make_icon(self, kind: Kind) -> Image.Image:
        return self.palette.indices(self._maker.stack(Face(kind)))


def _turn_icon(position: Position) -> Kind | None:
    color = position.turn or position.winner
    return None if color is None else Kind(color.value)
