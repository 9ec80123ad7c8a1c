"""Charts of a player's ratings over time: a panel for each rating, with a point for each game.

While a rating is unreliable, its line is dashed and rings replace the dots. A band shows the
uncertainty. Nothing is shown by color alone.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import dist
from typing import Final

from PIL import Image

from renderer.chart_parts import FOOT, LEFT, RIGHT, Plot, Scale, Spot, bounds
from renderer.collection import rows_of_faces
from renderer.look import DEFAULT, Look
from renderer.picture import Painter, painter_of
from renderer.words import ENGLISH, Words

# Lengths in half-cells (see `dvonn.svg.geometry`), from the upper left corner of a panel.
_TITLE: Final = 1.0
_TOP: Final = 1.4
_BOTTOM: Final = 6.6
_DATES: Final = 7.6
_NEXT: Final = 8.0
"""Distance from one panel to the next."""
_LEGEND: Final = 1.0
"""Distance of the legend's baseline from the bottom of the last panel."""
_INSET: Final = 0.6
_DOT: Final = 0.2
_DOTTED: Final = 40
"""Maximum number of points for which each has a dot. A longer line has a dot only at its end."""
_BAND: Final = 0.3
"""Half the width of the band around a single point."""
_BUCKETS: Final = 80
"""Number of sections into which a long line is divided. Only the lowest and highest point of each
section are drawn.
"""
_DASH: Final = (0.42, 0.3)
"""Length of a dash, and of the gap after it."""
_GAP: Final = 0.4
"""Gap between a symbol of the legend and its text. The gap between two entries is twice that."""
_SAMPLE: Final = 1.86
"""Width of a symbol in the legend: three dashes."""


@dataclass(frozen=True, slots=True)
class RatedPoint:
    """A player's rating after a game.

    Attributes:
        rating: The rating, on the Elo scale.
        deviation: Uncertainty of the rating, in rating points.
        is_settled: True if the rating is reliable.
    """

    rating: float
    deviation: float
    is_settled: bool


@dataclass(frozen=True, slots=True)
class Curve:
    """The development of one rating.

    Attributes:
        title: Name of the rating, shown above the chart.
        points: At least one point, oldest first. There is one per game, evenly spaced.
        begins: Date of the first point, formatted for the reader.
        ends: Date of the last point, formatted in the same way.
    """

    title: str
    points: tuple[RatedPoint, ...]
    begins: str
    ends: str


def rating_curves(
    curves: Sequence[Curve], *, beaten: Collection[int] = (), look: Look = DEFAULT
) -> bytes:
    """Render charts of ratings as a PNG, one below the other.

    Args:
        curves: At least one curve.
        beaten: Machine characters whose faces are shown at the bottom, or none to show no faces.
        look: Colors, width (300 to 2400 pixels), and texts.

    Raises:
        ValueError: if there are no curves, a curve has no points, or the width is out of bounds.
    """
    _check(curves)
    painter = painter_of(look.theme, look.width_px)
    frame = _Curves(painter, curves, look.words).render()
    if beaten:
        faces = rows_of_faces(painter, beaten)
        canvas = painter.palette.index(look.theme.canvas)
        whole = Image.new("L", (frame.width, frame.height + faces.height), canvas)
        whole.paste(frame)
        whole.paste(faces, (0, frame.height))
        frame = whole
    return painter.encode(frame)


def describe_curves(curves: Sequence[Curve], *, words: Words = ENGLISH) -> str:
    """Describe the picture as text.

    Raises:
        ValueError: if there are no curves, or a curve has no points.
    """
    _check(curves)
    return " ".join(_curve_text(curve, words) for curve in curves)


def _check(curves: Sequence[Curve]) -> None:
    if not curves or not all(curve.points for curve in curves):
        raise ValueError("there are no rated points")


def _curve_text(curve: Curve, words: Words) -> str:
    ratings = [round(point.rating) for point in curve.points]
    last = curve.points[-1]
    text = words.curve.format(
        title=curve.title,
        begins=curve.begins,
        ends=curve.ends,
        first=ratings[0],
        last=ratings[-1],
        least=min(ratings),
        most=max(ratings),
    )
    settled = words.settled if last.is_settled else words.unsettled
    settled = f"{settled[0].upper()}{settled[1:]}"
    return f"{text} {settled}, {words.give_or_take} {round(last.deviation)}."


class _Curves(Plot):
    """A chart, as a frame of palette indices."""

    def __init__(self, painter: Painter, curves: Sequence[Curve], words: Words) -> None:
        super().__init__(painter)
        self._curves = curves
        self._words = words

    def render(self) -> Image.Image:
        foot = len(self._curves) * _NEXT
        self._begin(foot + _LEGEND + FOOT)
        panels = [
            Scale(
                *(0, len(curve.points) - 1),
                *(number * _NEXT + _TOP, number * _NEXT + _BOTTOM),
                *bounds([point.rating for point in curve.points]),
                inset=_INSET,
            )
            for number, curve in enumerate(self._curves)
        ]
        for panel, curve in zip(panels, self._curves, strict=True):
            self._paint(panel, curve.points)
        legend = self._legend(foot + _LEGEND)
        for _, kind, x, baseline, _ in legend:
            self._paint_sign(kind, x, baseline - 0.27)
        self._settle()
        for number, (panel, curve) in enumerate(zip(panels, self._curves, strict=True)):
            self._write_axes(number * _NEXT, panel, curve)
        for text, _, x, baseline, size in legend:
            self._write(text, x + _SAMPLE + _GAP, baseline, size=size)
        return self._frame

    def _paint(self, panel: Scale, points: Sequence[RatedPoint]) -> None:
        self._rectangle(panel.box, self._theme.chart_ground)
        numbers, count = _painted_points(points), len(points)
        shown_points = [points[number] for number in numbers]
        spots, above, below = (
            [
                panel.spot(number, point.rating + sign * point.deviation)
                for number, point in zip(numbers, shown_points, strict=True)
            ]
            for sign in (0, 1, -1)
        )
        if count == 1:  # a band as wide as its dot
            above, below = (
                [(x + way, y) for x, y in line for way in (-_BAND, _BAND)]
                for line in (above, below)
            )
        self._brush.polygon(self._fine([*above, *reversed(below)]), fill=self._theme.band)
        self._outline(panel.box)
        self._dashes(panel.y((panel.least + panel.most) / 2))
        settled = [point.is_settled for point in shown_points]
        for is_settled, part in groupby(range(1, len(shown_points)), key=lambda at: settled[at]):
            ends = list(part)
            self._line([spots[at] for at in (ends[0] - 1, *ends)], is_settled=is_settled)
        for at in range(len(shown_points)) if count <= _DOTTED else (-1,):
            self._dot(spots[at], _DOT, full=settled[at])

    def _line(self, line: Sequence[Spot], *, is_settled: bool) -> None:
        for part in [line] if is_settled else _broken(line):
            self._trace(part)

    def _write_axes(self, start: float, panel: Scale, curve: Curve) -> None:
        middle = (LEFT + RIGHT) / 2
        self._write(curve.title, LEFT, start + _TITLE, room=RIGHT - LEFT)
        self._write_ratings(panel)
        room = middle - LEFT - _GAP
        self._write(curve.begins, LEFT, start + _DATES, quiet=True, room=room)
        if curve.ends != curve.begins:
            self._write(curve.ends, RIGHT, start + _DATES, side=1, quiet=True, room=room)

    def _legend(self, baseline: float) -> list[tuple[str, str, float, float, float]]:
        """Return the entries of the legend: text, symbol, x coordinates and font size."""
        settled = {point.is_settled for curve in self._curves for point in curve.points}
        entries = [
            (self._words.settled, "line", True in settled),
            (self._words.unsettled, "broken", False in settled),
            (self._words.give_or_take, "band", True),
        ]
        samples = [(text, kind) for text, kind, is_there in entries if is_there]
        size = self._size_for(
            [text for text, _ in samples], RIGHT - LEFT - len(samples) * (_SAMPLE + 3 * _GAP)
        )
        places, x = list[tuple[str, str, float, float, float]](), LEFT
        for text, kind in samples:
            places.append((text, kind, x, baseline, size))
            x += _SAMPLE + 3 * _GAP + self._breadth_of(text, size)
        return places

    def _paint_sign(self, kind: str, x: float, y: float) -> None:
        line = [(x, y), (x + _SAMPLE, y)]
        match kind:
            case "band":
                self._rectangle((x, y - 0.25, x + _SAMPLE, y + 0.25), self._theme.band)
                self._outline((x, y - 0.25, x + _SAMPLE, y + 0.25))
            case _:
                self._line(line, is_settled=kind == "line")
                self._dot((x + _SAMPLE / 2, y), _DOT, full=kind == "line")


def _painted_points(points: Sequence[RatedPoint]) -> list[int]:
    """Return the indices of the points to draw: the lowest and highest of each section.

    There is no room for more, and drawing them all would take time.
    """
    count = len(points)
    if count <= 2 * _BUCKETS:
        return list(range(count))
    numbers = {0, count - 1}
    for bucket in range(_BUCKETS):
        part = range(bucket * count // _BUCKETS, (bucket + 1) * count // _BUCKETS)
        numbers |= {choose(part, key=lambda at: points[at].rating) for choose in (min, max)}
    return sorted(numbers)


def _broken(line: Sequence[Spot]) -> Iterator[list[Spot]]:
    """Split a line into dashes."""
    part, drawn, is_gap = [line[0]], 0.0, False
    for start, end in pairwise(line):
        length, at = dist(start, end), 0.0
        while (rest := _DASH[is_gap] - drawn) < length - at:
            at += rest
            share = at / length
            point = (
                start[0] + (end[0] - start[0]) * share,
                start[1] + (end[1] - start[1]) * share,
            )
            if not is_gap:
                yield [*part, point]
            part, drawn, is_gap = [point], 0.0, not is_gap
        drawn += length - at
        part.append(end)
    if not is_gap and len(part) > 1:
        yield part
