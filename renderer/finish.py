"""The end of a game: a smaller board, what each player has collected, and how the counts went.

As the rules have it, all of a player's stacks are put on one another, and the higher tower wins.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw
from PIL.ImageFont import FreeTypeFont

from dvonn import Color, Position
from renderer.caption import Caption
from renderer.geometry import Layout, diamond
from renderer.lettering import Weight, font, lettering
from renderer.palette import Palette
from renderer.theme import PieceColours, Rgb, Theme
from renderer.tiles import MARK, MARK_EDGE
from renderer.words import Words

BOARD_SHARE: Final = 0.68
"""The share of the picture's width that the board keeps."""
_HEIGHT: Final = 350 / 550
"""The height by the width: that is the room which Discord gives to a picture."""
_FINE: Final = 3
"""Factor by which towers and lines are painted larger before they are scaled down."""

# Measures in halves (see geometry.Layout).
_MARGIN: Final = 0.8
_ROUND: Final = 0.3  # radius of a panel's corners
_TOWER: Final = 2.3  # its breadth
_DEPTH: Final = 0.62  # how high the uppermost ring is seen from above
_LAYER: Final = 0.3  # the height of a piece, if there is room
_FOOT: Final = 0.5  # below a tower
_HEAD: Final = 1.7  # above the higher tower, for its count
_LINE: Final = 0.11  # the breadth of a line
_SIGNS: Final = 0.6  # from one sign of a DVONN piece to the next, so that none hides another
_COUNT: Final = 1.1  # size of a count's font
_WORDS: Final = 0.66

_Box = tuple[int, int, int, int]


class Finish:
    """Renders the ends of games of one theme and width on frames of palette indices."""

    def __init__(self, theme: Theme, layout: Layout, palette: Palette) -> None:
        self._theme = theme
        self._layout = layout
        self._palette = palette
        self._panel = lru_cache(maxsize=2)(self._make_panel)
        self._written = lru_cache(maxsize=64)(self._make_written)

    def render(
        self,
        board: Image.Image,
        position: Position,
        words: Words,
        caption: Caption,
        *,
        built: int | None = None,
    ) -> Image.Image:
        """Return a picture without the text of its strip.

        Args:
            board: The smaller board, below its own empty strip.
            position: The last position.
            words: The words of the picture.
            caption: Names of the players, and the counts since the board was full.
            built: Number of pieces shown in each tower, or None for all.
        """
        width, height = self._layout.width, round(self._layout.width * _HEIGHT)
        margin, top = self._pixels(_MARGIN), self._layout.strip_height
        frame = Image.new("L", (width, height), self._palette.index(self._theme.canvas))
        upper = Layout(board.width).strip_height
        part = board.crop((0, upper, board.width, board.height))
        charted = len(caption.scores) > 1
        below = top + part.height
        frame.paste(part, (0, top if charted else top + (height - below) // 2))
        towers = (board.width, top + margin // 2, width - margin, height - margin)
        self._towers(frame, towers, position, built)
        if charted:
            chart = (margin, below + margin // 4, board.width - margin // 2, height - margin)
            self._chart(frame, chart, caption.scores, words)
        return frame

    def _towers(
        self,
        frame: Image.Image,
        box: _Box,
        position: Position,
        built: int | None,
    ) -> None:
        left, top, right, bottom = box
        frame.paste(self._panel((right - left, bottom - top)), box[:2])
        collected = {color: _collected(position, color) for color in Color}
        most = max(1, *map(len, collected.values()))
        room = bottom - top - self._pixels(_FOOT + _HEAD + _DEPTH)
        layer = min(self._half * _LAYER, room / most)
        figures = font(Weight.BOLD, self._pixels(_COUNT))
        for color, share in zip(Color, (0.27, 0.73), strict=True):
            pieces = collected[color][:built]
            tower = self._tower(pieces, layer)
            x, high = left + round((right - left) * share), bottom - self._pixels(_FOOT)
            high -= tower.height
            frame.paste(tower, (x - tower.width // 2, high))
            self._write(frame, str(len(pieces)), figures, x, high - self._half * 0.35)

    def _tower(self, pieces: str, layer: float) -> Image.Image:
        """Draw pieces on one another, seen from the side and a little from above."""
        reach, depth = self._half * _TOWER / 2, self._half * _DEPTH / 2
        size = 2 * math.ceil(reach), math.ceil(layer * len(pieces) + 2 * depth)
        picture, brush = self._canvas(size)
        x, foot = size[0] / 2, size[1] - depth
        for number, piece in enumerate(pieces):
            colours: PieceColours = self._theme.piece(piece)
            low, high = foot - number * layer, foot - (number + 1) * layer
            side = colours.top if piece == "R" else colours.side
            for line, colour in ((0.0, colours.seam), (max(1.0, self._half * 0.035), side)):
                aside, below = reach - line, depth - line
                brush.ellipse(_fine(x - aside, low - below, x + aside, low + below), colour)
                brush.rectangle(_fine(x - aside, high, x + aside, low), colour)
        if pieces:
            colours = self._theme.piece(pieces[-1])
            high, hole = foot - len(pieces) * layer, 0.6
            for line, colour in ((0.0, colours.seam), (1.0, colours.top)):
                aside, below = reach - line, depth - line
                brush.ellipse(_fine(x - aside, high - below, x + aside, high + below), colour)
            box = (x - reach * hole, high - depth * hole, x + reach * hole, high + depth * hole)
            brush.ellipse(_fine(*box), fill=colours.seam)
        reds = [number for number, piece in enumerate(pieces) if piece == "R"]
        for sign, number in enumerate(reds):
            aside = self._half * _SIGNS * (sign - (len(reds) - 1) / 2)
            self._sign(brush, x + aside, foot - (number + 0.5) * layer + depth)
        return self._palette.indices(picture.reduce(_FINE))

    def _sign(self, brush: ImageDraw.ImageDraw, x: float, y: float) -> None:
        """Paint the sign of a DVONN piece, as the board has it."""
        for grow, colour in ((MARK_EDGE, self._theme.mark_edge), (0.0, self._theme.mark)):
            corners = diamond((x * _FINE, y * _FINE), self._half * (MARK + grow) * _FINE)
            brush.polygon(corners, fill=colour)

    def _chart(
        self, frame: Image.Image, box: _Box, scores: Sequence[tuple[int, int]], words: Words
    ) -> None:
        left, top, right, bottom = box
        frame.paste(self._panel((right - left, bottom - top)), box[:2])
        round_off = self._pixels(_ROUND)
        left, top = left + round_off, top + round_off
        size = right - left - round_off, bottom - top - round_off
        picture, brush = self._canvas(size)
        inset = self._half * 0.25
        head, foot = inset, size[1] - inset
        end = size[0] - self._half * 1.2
        most = max(1, *(max(pair) for pair in scores))
        figures = font(Weight.BOLD, self._pixels(_WORDS))
        for ahead in (0, 1):
            colours = (self._theme.white, self._theme.black)[ahead]
            line = [
                (
                    (inset + (end - inset) * number / (len(scores) - 1)) * _FINE,
                    (foot - (foot - head) * pair[ahead] / most) * _FINE,
                )
                for number, pair in enumerate(scores)
            ]
            x, y = line[-1]
            for grow, ink in _coats(colours, self._theme.outline / 2):
                width = round(self._half * (_LINE + 2 * grow) * _FINE)
                brush.line(line, fill=ink, width=width, joint="curve")
                dot = self._half * (0.17 + grow) * _FINE
                brush.ellipse((x - dot, y - dot, x + dot, y + dot), fill=ink)
        frame.paste(self._palette.indices(picture.reduce(_FINE)), (left, top))
        at = [top + foot - (foot - head) * count / most for count in scores[-1]]
        apart = self._half * 0.62  # lest one figure lies on the other
        if abs(at[0] - at[1]) < apart:
            higher = 0 if at[0] <= at[1] else 1
            middle = sum(at) / 2
            at[higher], at[1 - higher] = middle - apart / 2, middle + apart / 2
        for count, y in zip(scores[-1], at, strict=True):
            x = left + end + self._half * 0.8
            self._write(frame, str(count), figures, x, y + self._half * 0.23)
        face = font(Weight.REGULAR, self._pixels(_WORDS))
        x = left + inset + min(face.getlength(words.course), end - inset) / 2
        self._write(frame, words.course, face, x, bottom - self._half * 0.45)

    def _canvas(self, size: tuple[int, int]) -> tuple[Image.Image, ImageDraw.ImageDraw]:
        """Return a part of a panel to paint on, and a brush for it."""
        picture = Image.new("RGB", (size[0] * _FINE, size[1] * _FINE), self._theme.cell)
        return picture, ImageDraw.Draw(picture)

    def _make_panel(self, size: tuple[int, int]) -> Image.Image:
        """Draw a plain ground on which white and black are seen alike."""
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
        """Write words on a panel, their middle at `x`."""
        written = self._written(text, face)
        ascent = face.getmetrics()[0]
        frame.paste(written, (round(x - written.width / 2), round(baseline) - ascent))

    def _make_written(self, text: str, face: FreeTypeFont) -> Image.Image:
        ramp = self._palette.ramp(self._theme.cell, self._theme.cell_label)
        return lettering(text, face).point(ramp)

    @property
    def _half(self) -> int:
        return self._layout.half

    def _pixels(self, halves: float) -> int:
        return round(self._half * halves)


def _collected(position: Position, color: Color) -> str:
    """Return all pieces of a player's stacks on one another, the highest stack at the bottom."""
    own = [pieces for pieces in position.stacks.values() if pieces[-1] == color]
    return "".join(sorted(own, key=len, reverse=True))


def _coats(colours: PieceColours, rim: float) -> list[tuple[float, Rgb]]:
    """Return the coats of a line in a player's colours: how much broader each is, and its ink."""
    inner = (0.0, colours.top)
    return [inner] if colours.rim is None else [(rim, colours.rim), inner]


def _fine(
    left: float, top: float, right: float, bottom: float
) -> tuple[float, float, float, float]:
    return left * _FINE, top * _FINE, right * _FINE, bottom * _FINE
