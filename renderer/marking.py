"""Draws marks on a board: outlines, arrows, labels and values."""

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Final

from PIL import Image

from dvonn import Move, Point
from dvonn.svg.arrows import red_marks
from dvonn.svg.geometry import Layout, crossed
from dvonn.svg.theme import Theme
from renderer.arrow_places import arrow_positions, corners
from renderer.lettering import Weight, centred, font, lettering
from renderer.marks import Arrows, Heat, Marking, Marks
from renderer.overlay import Overlay, Stroke
from renderer.palette import Palette
from renderer.tiles import TileMaker

_PLAYED: Final = "?"
_BETTER: Final = "!"
_FIGURE: Final = 0.92  # font size of a value, in half-cells (see `dvonn.svg.geometry`)


class Marker:
    """Draws marks on frames of boards, for one theme and width."""

    def __init__(self, theme: Theme, layout: Layout, palette: Palette, tiles: TileMaker) -> None:
        self._theme = theme
        self._layout = layout
        self._tiles = tiles
        self._overlay = Overlay(theme, layout, palette)
        self._heat = HeatTiles(theme, tiles, palette)

    def mark(
        self,
        frame: Image.Image,
        marks: Marking,
        stacks: Mapping[Point, str],
    ) -> tuple[Point, ...]:
        """Draw marks over a board.

        Args:
            frame: The picture of the board.
            marks: The marks.
            stacks: The stacks on the board. The marks of their red pieces must stay visible.

        Returns:
            The spaces whose number or name may be covered by an arrow.
        """
        match marks:
            case Marks():
                self._choice(frame, marks)
            case Arrows():
                return self._arrows(frame, marks, stacks)
            case Heat():
                self._worth(frame, marks)
        return ()

    def _choice(self, frame: Image.Image, marks: Marks) -> None:
        if marks.source is not None:
            self._overlay.chosen(frame, self._layout.centre(marks.source))
        for point in marks.landings:
            self._overlay.landing(frame, self._layout.centre(point))

    def _arrows(
        self, frame: Image.Image, arrows: Arrows, stacks: Mapping[Point, str]
    ) -> tuple[Point, ...]:
        labeled_moves = list(self._labeled_moves(arrows))
        movements = [
            (move.source, move.target, label) for move, label, _ in labeled_moves if move.source
        ]
        moves = [(source, target) for source, target, _ in movements]
        labeled = {number for number, (_, _, label) in enumerate(movements) if label}
        placements = [move.target for move, _, _ in labeled_moves if move.source is None]
        turned = self._layout.turned
        marks = red_marks(stacks, turned=turned)
        ways = iter(arrow_positions(moves, marks, turned=turned, labeled=labeled))
        placed = iter(corners(placements, turned=turned))
        labels = []
        for move, label, stroke in labeled_moves:
            target = self._layout.centre(move.target)
            if move.source is None:
                self._overlay.outline(frame, target, stroke)
                labels.append((label, target, next(placed), stroke))
            else:
                way, source = next(ways), self._layout.centre(move.source)
                self._overlay.arrow(frame, source, target, stroke, way.aside)
                labels.append((label, source, way.label, stroke))
        for label, centre, at, stroke in labels:
            if label:
                self._overlay.label(frame, label, centre, at, stroke)
        covered = [point for move in moves for point in (*move, *crossed(*move))]
        return tuple(dict.fromkeys(covered))

    def _labeled_moves(self, arrows: Arrows) -> Iterator[tuple[Move, str, Stroke]]:
        """Yield each move with its label and style.

        The most important move is last, so that it is drawn on top.
        """
        for number, move in reversed(list(enumerate(arrows.line, start=1))):
            yield move, str(number), Stroke(self._theme.accent, labeled=True)
        if arrows.played is not None:
            label = "" if arrows.better is None else _PLAYED
            yield arrows.played, label, Stroke(self._theme.accent, labeled=bool(label))
        if arrows.better is not None and arrows.played is None:
            yield arrows.better, "", Stroke(self._theme.accent)
        elif arrows.better is not None:
            yield arrows.better, _BETTER, Stroke(self._theme.landing, hollow=True, labeled=True)

    def _worth(self, frame: Image.Image, heat: Heat) -> None:
        percent = heat.percent
        for point, figure in percent.items():
            tile = self._heat.tile(figure, shade(figure, percent.values()))
            x, y = self._layout.centre(point)
            corner = (x - tile.width // 2, y - tile.height // 2)
            frame.paste(tile, corner, self._tiles.outline())
        best = max(percent.values(), default=0)
        for point, figure in percent.items():
            if figure == best:
                self._overlay.chosen(frame, self._layout.centre(point))


class HeatTiles:
    """Renders free spaces with values, for one theme and size, as palette indices."""

    def __init__(self, theme: Theme, tiles: TileMaker, palette: Palette) -> None:
        self._theme = theme
        self._tiles = tiles
        self._palette = palette
        self.tile = lru_cache(maxsize=256)(self._make_tile)

    def _make_tile(self, percent: int, shade: int) -> Image.Image:
        """Return a space with a value in percent, in one of the theme's shades."""
        half, ground = self._tiles.half, self._theme.heat[shade]
        tile = self._tiles.space(ground)
        face = font(Weight.BOLD, round(half * _FIGURE))
        letters = lettering(str(percent), face)
        middle = (tile.width / 2, tile.height / 2)
        tile.paste(self._theme.heat_ink(shade), centred(letters, face, middle), letters)
        return self._palette.indices(tile)


def shade(percent: int, all_percents: Collection[int]) -> int:
    """Choose a space's shade: the first for the worst value, the last for the best."""
    lowest, highest = min(all_percents), max(all_percents)
    if lowest == highest:
        return 4
    return round(4 * (percent - lowest) / (highest - lowest))
