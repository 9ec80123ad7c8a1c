"""The panels below the board of an ended game: each player's tower, and a chart of the counts.

As in the official rules, each player piles up their stacks, and the higher tower wins. The towers
are drawn lying on their sides, so that the board keeps its size.
"""

import math
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw
from PIL.ImageFont import FreeTypeFont

from dvonn import Color, Phase, Position
from dvonn.svg.geometry import Layout, diamond
from dvonn.svg.stack_shapes import MARK, MARK_EDGE
from dvonn.svg.theme import PiecePalette, Rgb, Theme
from renderer.head import LEAST
from renderer.lettering import Weight, fitting, font, lettering
from renderer.palette import Palette
from renderer.scene import Scene
from renderer.words import Words

_FINE: Final = 3
"""Supersampling factor of towers and lines."""

# Lengths in half-cells (see `dvonn.svg.geometry`).
_MARGIN: Final = 0.45
_GAP: Final = 0.3  # distance between the two panels
PANEL: Final = 2.55  # height of a panel
_BELOW: Final = 0.2  # distance of a panel from the lower edge of the picture
_ROUND: Final = 0.3  # radius of a panel's corners
_CHART: Final = 9.0  # width of the panel with the chart of the counts
_PAD: Final = 0.3  # distance of a panel's content from its left end
_TOWER: Final = 1.02  # width of a tower
_AT: Final = (0.72, 1.83)  # distances of the towers' centers from a panel's upper edge
_DEPTH: Final = 0.36  # visible height of the top ring
_LAYER: Final = 0.5  # height of a piece, if there is room
_LINE: Final = 0.11  # width of a line
_SIGNS: Final = (
    0.46  # minimum distance between the marks of DVONN pieces, so that none hides another
)
_COUNT: Final = 0.86  # font size of a count
_COUNT_ROOM: Final = 1.35
_LEAST_RANGE: Final = 4  # minimum range of the curves in pieces, so that small changes look small
_WORDS: Final = 0.6
_AXIS: Final = (
    0.98  # distance of the curves from a panel's left end, with room for the numbers of pieces
)
_FOOT: Final = 0.84  # distance of the curves from a panel's lower edge, above move numbers

_Box = tuple[int, int, int, int]


class Finish:
    """Renders the final pictures of games for one theme and width, as frames of palette indices."""

    def __init__(self, theme: Theme, layout: Layout, palette: Palette) -> None:
        self._theme = theme
        self._layout = layout
        self._palette = palette
        self._panel = lru_cache(maxsize=3)(self._make_panel)
        self._written = lru_cache(maxsize=64)(self._make_written)

    @property
    def height(self) -> int:
        """Height in pixels of a picture with the final panels."""
        return self._layout.height + self._pixels(PANEL + _BELOW)

    def render(self, board: Image.Image, scene: Scene, words: Words) -> Image.Image:
        """Return a board's picture with the final panels added below."""
        frame = Image.new("L", (board.width, self.height), self._palette.index(self._theme.canvas))
        frame.paste(board, (0, 0))
        left, top = self._pixels(_MARGIN), self._layout.height
        right, bottom = board.width - left, top + self._pixels(PANEL)
        scores = scene.caption.scores
        if len(scores) > 1:
            edge = right - self._pixels(_CHART)
            self._chart(frame, (edge, top, right, bottom), scene, words)
            right = edge - self._pixels(_GAP)
        frame.paste(self._panel((right - left, bottom - top)), (left, top))
        if scene.position.phase is not Phase.PLACEMENT:
            self._towers(frame, (left, top, right, bottom), scene.position)
        return frame

    def _towers(self, frame: Image.Image, box: _Box, position: Position) -> None:
        left, top, right, _ = box
        collected = [_collected(position, color) for color in Color]
        highest = max(1, *map(len, collected))
        room = right - left - self._pixels(2 * _PAD + _DEPTH + _COUNT_ROOM)
        layer = min(self._half * _LAYER, room / highest)
        figures = font(Weight.BOLD, self._pixels(_COUNT))
        for pieces, at in zip(collected, _AT, strict=True):
            tower = self._tower(pieces, layer)
            middle = top + self._pixels(at)
            begin = left + self._pixels(_PAD)
            frame.paste(tower, (begin, middle - tower.height // 2))
            x = begin + tower.width + self._half * _COUNT_ROOM / 2
            self._write(frame, str(len(pieces)), figures, x, middle + self._half * 0.29)

    def _tower(self, pieces: str, layer: float) -> Image.Image:
        """Return a tower of pieces lying on its side, with the lowest piece on the left."""
        reach, depth = self._half * _TOWER / 2, self._half * _DEPTH / 2
        size = max(1, math.ceil(layer * len(pieces) + 2 * depth)), 2 * math.ceil(reach)
        picture, brush = self._canvas(size)
        y, foot = size[1] / 2, depth
        for number, piece in enumerate(pieces):
            colors: PiecePalette = self._theme.piece(piece)
            low, high = foot + number * layer, foot + (number + 1) * layer
            side = colors.top if piece == "R" else colors.side
            for line, color in ((0.0, colors.seam), (max(1.0, self._half * 0.035), side)):
                aside, beyond = reach - line, depth - line
                brush.ellipse(_fine(low - beyond, y - aside, low + beyond, y + aside), color)
                brush.rectangle(_fine(low, y - aside, high, y + aside), color)
        if pieces:
            colors = self._theme.piece(pieces[-1])
            high, hole = foot + len(pieces) * layer, 0.6
            for line, color in ((0.0, colors.seam), (1.0, colors.top)):
                aside, beyond = reach - line, depth - line
                brush.ellipse(_fine(high - beyond, y - aside, high + beyond, y + aside), color)
            box = (high - depth * hole, y - reach * hole, high + depth * hole, y + reach * hole)
            brush.ellipse(_fine(*box), fill=colors.seam)
        signs = [foot + (at + 0.5) * layer for at, piece in enumerate(pieces) if piece == "R"]
        for x in _spread(signs, self._half * _SIGNS):
            self._sign(brush, x, y)
        return self._palette.indices(picture.reduce(_FINE))

    def _sign(self, brush: ImageDraw.ImageDraw, x: float, y: float) -> None:
        """Draw the mark of a DVONN piece, as on the board."""
        for grow, color in ((MARK_EDGE, self._theme.mark_edge), (0.0, self._theme.mark)):
            corners = diamond((x * _FINE, y * _FINE), self._half * (MARK + grow) * _FINE)
            brush.polygon(corners, fill=color)

    def _chart(self, frame: Image.Image, box: _Box, scene: Scene, words: Words) -> None:
        """Draw curves of both players' counts, with the lowest and highest count."""
        scores, inset = scene.caption.scores, self._pixels(_PAD)
        frame.paste(self._panel((box[2] - box[0], box[3] - box[1])), box[:2])
        left, top = box[0] + self._pixels(_AXIS), box[1] + self._pixels(0.2)
        right, bottom = box[2] - inset, box[3] - self._pixels(_FOOT)
        picture, brush = self._canvas((right - left, bottom - top))
        high, wide = self._half * 0.16, self._half * 0.2
        foot, end = bottom - top - high, right - left - wide
        counts = [count for pair in scores for count in pair]
        highest = max(counts)
        least = min(*counts, highest - _LEAST_RANGE)
        for y in (high, foot):
            line = [(0, y * _FINE), (picture.width, y * _FINE)]
            brush.line(line, fill=self._theme.quiet_label, width=_FINE)
        figures = font(Weight.REGULAR, self._pixels(_WORDS))
        for text, y in ((str(highest), high), (str(least), foot)):
            x = left - self._half * 0.14 - figures.getlength(text) / 2
            self._write(frame, text, figures, x, top + y + self._half * _WORDS * 0.33)
        self._write_moves(frame, (left, right), box[3] - inset, scene, words)
        for is_black, colors in enumerate((self._theme.white, self._theme.black)):
            course = [
                (
                    (wide + (end - wide) * number / (len(scores) - 1)) * _FINE,
                    (foot - (foot - high) * (pair[is_black] - least) / (highest - least)) * _FINE,
                )
                for number, pair in enumerate(scores)
            ]
            x, y = course[-1]
            for grow, ink in _coats(colors, self._theme.outline / 2):
                width = round(self._half * (_LINE + 2 * grow) * _FINE)
                brush.line(course, fill=ink, width=width, joint="curve")
                dot = self._half * (0.15 + grow) * _FINE
                brush.ellipse((x - dot, y - dot, x + dot, y + dot), fill=ink)
        frame.paste(self._palette.indices(picture.reduce(_FINE)), (left, top))

    def _write_moves(
        self, frame: Image.Image, ends: tuple[int, int], baseline: int, scene: Scene, words: Words
    ) -> None:
        """Write the numbers of the first and last move below the curves, with the title between."""
        left, right = map(float, ends)
        size, gap = self._pixels(_WORDS), self._half * 0.3
        figures = font(Weight.REGULAR, size)
        if scene.caption.counted:
            last = scene.position.plies - scene.caption.dealt
            first = str(last - len(scene.caption.scores) + 1)
            self._write(frame, first, figures, left + figures.getlength(first) / 2, baseline)
            length = figures.getlength(str(last))
            self._write(frame, str(last), figures, right - length / 2, baseline)
            left, right = left + figures.getlength(first) + gap, right - length - gap
        line = fitting(Weight.REGULAR, size, words.course, right - left)
        if line.size >= self._pixels(LEAST):
            self._write(frame, words.course, line, (left + right) / 2, baseline)

    def _canvas(self, size: tuple[int, int]) -> tuple[Image.Image, ImageDraw.ImageDraw]:
        """Return an image of part of a panel to paint on, and a brush for it."""
        picture = Image.new("RGB", (size[0] * _FINE, size[1] * _FINE), self._theme.cell)
        return picture, ImageDraw.Draw(picture)

    def _make_panel(self, size: tuple[int, int]) -> Image.Image:
        """Return a plain panel on which white and black are equally visible."""
        panel, brush = self._canvas(size)
        panel.paste(self._theme.canvas, (0, 0, *panel.size))
        radius = self._half * _ROUND * _FINE
        line = round(self._half * self._theme.outline * _FINE)
        brush.rounded_rectangle(
            (0, 0, panel.width - 1, panel.height - 1),
            radius,
            fill=self._theme.cell,
            outline=self._theme.label,
            width=line,
        )
        return self._palette.indices(panel.reduce(_FINE))

    def _write(
        self, frame: Image.Image, text: str, face: FreeTypeFont, x: float, baseline: float
    ) -> None:
        """Write text on a panel, centered at `x`."""
        label, mask = self._written(text, face)
        ascent = face.getmetrics()[0]
        frame.paste(label, (round(x - label.width / 2), round(baseline) - ascent), mask)

    def _make_written(self, text: str, face: FreeTypeFont) -> tuple[Image.Image, Image.Image]:
        inks = self._theme.cell, self._theme.cell_label
        return self._palette.inked(lettering(text, face), *inks)

    @property
    def _half(self) -> int:
        return self._layout.half

    def _pixels(self, halves: float) -> int:
        return round(self._half * halves)


def _collected(position: Position, color: Color) -> str:
    """Return all pieces of a player's stacks as one tower, the tallest stack at the bottom."""
    stacks = [pieces for pieces in position.stacks.values() if pieces[-1] == color]
    return "".join(sorted(stacks, key=len, reverse=True))


def _spread(places: list[float], apart: float) -> list[float]:
    """Shift places so that no two are closer than `apart`."""
    spread: list[float] = []
    for place in places:
        spread.append(max(place, spread[-1] + apart) if spread else place)
    return spread


def _coats(colors: PiecePalette, rim: float) -> list[tuple[float, Rgb]]:
    """Return the layers of a line in a player's colors: the extra width and color of each."""
    inner = (0.0, colors.top)
    return [inner] if colors.rim is None else [(rim, colors.rim), inner]


def _fine(
    left: float, top: float, right: float, bottom: float
) -> tuple[float, float, float, float]:
    return left * _FINE, top * _FINE, right * _FINE, bottom * _FINE
