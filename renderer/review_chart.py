"""The chart of a review: a player's winning chance and lead, with turning points.

The player is White, or the reader if they played (`Caption.you`).
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

from PIL import Image

from dvonn import Color, Coordinates, Grade, Review
from renderer.caption import NO_CAPTION, Caption
from renderer.chart_parts import EDGE, FINE, FOOT, LEFT, LINE, RIGHT, Plot, Scale, Spot
from renderer.chart_text_twin import (
    leads_of,
    side,
    signed,
    title,
    turning_point_text,
    turning_points,
)
from renderer.lettering import Weight, centred, font, lettering
from renderer.look import DEFAULT, Look
from renderer.picture import Painter, painter_of
from renderer.words import Words

# Lengths in half-cells (see `dvonn.svg.geometry`), from the upper left corner.
_CHANCE: Final = (1.4, 6.1)  # top and bottom of a panel
_LEAD: Final = (7.5, 10.2)
_TITLES: Final = (1.0, 7.1)  # baselines
_PLIES: Final = 11.1
# the first baseline of the legend, and the distance between baselines, so that badges don't touch
_LEGEND: Final = (12.22, 1.41)
_BELOW: Final = 0.08  # space between the last badge and the bottom
_COLUMNS: Final = 2
_ENTRY: Final = 0.8
_BADGE: Final = 0.46  # half the height of a badge
_LANE: Final = 1.05  # vertical distance between two badges
_ENTRY_ROOM: Final = 9.6
_TICKS: Final = 10


@dataclass(frozen=True, slots=True)
class _Badge:
    """The numbered badge of a turning point, and its place on the curve."""

    number: int
    grade: Grade
    middle: Spot
    spot: Spot


class _Shape(NamedTuple):
    """The geometry of a grade's badge."""

    sides: int
    turn: int  # in degrees
    reach: float  # from the center to a corner, with room for a number
    edge: float  # ratio of the edge's width at a corner to its width at a side
    number: float  # font size of the number


_SHAPES: Final = {
    Grade.INACCURACY: _Shape(24, 0, 0.46, 1.0, 0.74),
    Grade.MISTAKE: _Shape(4, 45, 0.56, 1.4, 0.66),
    Grade.BLUNDER: _Shape(4, 0, 0.58, 1.4, 0.74),
}


def chart(
    review: Review,
    *,
    coordinates: Coordinates = Coordinates.STANDARD,
    caption: Caption = NO_CAPTION,
    marked: int | None = None,
    look: Look = DEFAULT,
) -> bytes:
    """Render a review as a PNG: a player's winning chance at the top, their lead in pieces below.

    The costliest plies have badges. The shape of a badge shows the grade, and its number refers to
    the legend. A bracket marks the final part, where every result is proven.

    Args:
        review: Review of a game with at least one movement.
        coordinates: Coordinate system of the moves' names.
        caption: White's name or the reader's color, and the counts since the board was full, from
            which the line of leads is drawn.
        marked: A ply to mark by a vertical line, or None.
        look: Colors, width (300 to 2400 pixels), and texts.

    Raises:
        ValueError: if the game has no movements, or the width is out of bounds.
    """
    if not review.plies:
        raise ValueError("the review has no movements")
    painter = painter_of(look.theme, look.width_px)
    return painter.encode(
        _Chart(painter, review, caption.lettered(), look.words).render(marked, coordinates)
    )


class _Chart(Plot):
    """A chart, as a frame of palette indices."""

    def __init__(self, painter: Painter, review: Review, caption: Caption, words: Words) -> None:
        super().__init__(painter)
        self._review = review
        self._caption = caption
        self._side = side(caption)
        self._words = words
        self._turns = turning_points(review)
        plies = review.plies
        self._course = [(plies[0].ply - 1, plies[0].before)]
        self._course += [(ply.ply, ply.after) for ply in plies]
        first, last = plies[0].ply - 1, plies[-1].ply
        leads = leads_of(caption)
        self._leads = list(zip(range(first, last + 1), leads, strict=False))
        far = [abs(value) for _, estimate in self._course for value in estimate.margin]
        limit = max(4, *far, *map(abs, leads))
        self._chance = Scale(first, last, *_CHANCE, 0, 1)
        self._lead = Scale(first, last, *_LEAD, -limit, limit)

    def render(self, marked: int | None, coordinates: Coordinates) -> Image.Image:
        rows = -(-len(self._turns) // _COLUMNS)
        low, step = _LEGEND
        foot = low + (rows - 1) * step + _BELOW if rows else _PLIES
        self._begin(foot + FOOT)
        badges = self._badges()
        self._paint_chance()
        self._paint_lead()
        self._paint_exact()
        if marked is not None:
            self._paint_marked(marked)
        for badge in badges:
            self._paint_badge(badge)
        entries = [self._entry(number, rows) for number in range(len(self._turns))]
        for ply, (x, baseline) in zip(self._turns, entries, strict=True):
            self._paint_shape(ply.grade, (x, baseline - 0.27))
        self._settle()
        self._write_axes()
        for badge in badges:
            self._number(badge.number, badge.grade, badge.middle)
        for number, (ply, (x, baseline)) in enumerate(
            zip(self._turns, entries, strict=True), start=1
        ):
            self._number(number, ply.grade, (x, baseline - 0.27))
            text = turning_point_text(ply, coordinates, self._words, self._caption)
            self._write(text, x + 0.75, baseline, size=_ENTRY, room=_ENTRY_ROOM)
        return self._frame

    def _paint_chance(self) -> None:
        """Paint White's share light and Black's dark. The line between them is the chance."""
        frame, inks = self._chance, (self._theme.white.top, self._theme.black.top)
        own_ink, other = inks if self._side is Color.WHITE else inks[::-1]
        line = [
            (frame.x(ply), frame.y(estimate.for_color(self._side)))
            for ply, estimate in self._course
        ]
        self._rectangle(frame.box, other)
        share = [(LEFT, frame.foot), *line, (RIGHT, frame.foot)]
        self._brush.polygon(self._fine(share), fill=own_ink)
        self._outline(frame.box)
        self._dashes(frame.y(0.5))
        self._trace(line)

    def _paint_lead(self) -> None:
        """Draw a band for the expected final lead, and a line for the lead so far."""
        frame = self._lead
        self._rectangle(frame.box, self._theme.chart_ground)
        thin = 0.5 * LINE  # exact values also get a line
        sign = 1 if self._side is Color.WHITE else -1
        margins = [
            (ply, sorted(sign * end for end in estimate.margin)) for ply, estimate in self._course
        ]
        above = [(frame.x(ply), frame.y(highest) - thin) for ply, (_, highest) in margins]
        below = [(frame.x(ply), frame.y(least) + thin) for ply, (least, _) in margins]
        self._brush.polygon(self._fine([*above, *reversed(below)]), fill=self._theme.band)
        self._outline(frame.box)
        self._dashes(frame.y(0))
        if len(self._leads) > 1:
            self._trace([(frame.x(ply), frame.y(lead)) for ply, lead in self._leads])

    def _paint_exact(self) -> None:
        if self._review.exact_from is None:
            return
        left, y = self._chance.x(self._review.exact_from - 1), _CHANCE[1] + 0.32
        line = self._fine([(left, y - 0.2), (left, y), (RIGHT, y), (RIGHT, y - 0.2)])
        self._brush.line(line, fill=self._theme.label, width=self._breadth(LINE))

    def _paint_marked(self, ply: int) -> None:
        x = self._chance.x(ply)
        for top, foot in (_CHANCE, _LEAD):
            self._trace([(x, top), (x, foot)], self._theme.landing)
        y = _CHANCE[0]
        # below the text of the panel's title
        pointer = [(x - 0.3, y - 0.18), (x + 0.3, y - 0.18), (x, y + 0.3)]
        self._brush.polygon(self._fine(pointer), fill=self._theme.landing)

    def _badges(self) -> list[_Badge]:
        """Place the badges in lanes, on the side of the curve that has more room."""
        frame, badges = self._chance, list[_Badge]()
        for number, ply in enumerate(self._turns, start=1):
            chance = ply.after.for_color(self._side)
            spot = frame.x(ply.ply), frame.y(chance)
            x = min(max(spot[0], LEFT + _BADGE), RIGHT - _BADGE)
            high = chance < 0.5  # noqa: PLR2004 - the middle
            start, way = (frame.top + 0.65, _LANE) if high else (frame.foot - 0.65, -_LANE)
            lanes = [start + way * lane for lane in range(4)]
            free = (
                y
                for y in lanes
                if all(
                    abs(x - other.middle[0]) > _LANE or abs(y - other.middle[1]) >= _LANE
                    for other in badges
                )
            )
            badges.append(_Badge(number, ply.grade, (x, next(free, lanes[-1])), spot))
        return badges

    def _paint_badge(self, badge: _Badge) -> None:
        for breadth, ink in (
            (LINE + 2 * EDGE, self._theme.accent_edge),
            (LINE, self._theme.accent),
        ):
            stem = self._fine([badge.middle, badge.spot])
            self._brush.line(stem, fill=ink, width=self._breadth(breadth))
            x, y = badge.spot
            self._disc(x, y, 0.1 + breadth / 2, ink)
        self._paint_shape(badge.grade, badge.middle)

    def _paint_shape(self, grade: Grade, middle: Spot) -> None:
        (x, y), shape = middle, _SHAPES[grade]
        for grow, ink in ((EDGE, self._theme.accent_edge), (0.0, self._theme.accent)):
            reach = (shape.reach + grow * shape.edge) * self._half * FINE
            (spot,) = self._fine([(x, y)])
            self._brush.regular_polygon((*spot, reach), shape.sides, shape.turn, fill=ink)

    def _write_axes(self) -> None:
        words, caption, frame = self._words, self._caption, self._chance
        exact_room = 0.0
        if self._review.exact_from is not None:
            exact_room = self._write(words.exact, RIGHT, _TITLES[1], side=1) + 0.6
        self._write(title(words.player_chance, words.your_chance, caption, words), LEFT, _TITLES[0])
        self._write(
            title(words.player_lead, words.your_lead, caption, words),
            LEFT,
            _TITLES[1],
            room=RIGHT - LEFT - exact_room,
        )
        for value, text in ((1, "100%"), (0.5, "50%"), (0, "0%")):
            self._write_value(text, frame.y(value), frame.top, frame.foot)
        limit = int(self._lead.most)
        for value in (limit, 0, -limit):
            self._write_value(signed(value), self._lead.y(value), self._lead.top, self._lead.foot)
        dealt = caption.dealt
        first, last = frame.first + 1 - dealt, frame.last - dealt
        every = _TICKS if last - first >= _TICKS else 1 if last - first < _TICKS // 2 else 5
        for number in range(-(-first // every) * every, last + 1, every):
            x = min(max(frame.x(number + dealt), LEFT + 0.4), RIGHT - 0.4)
            self._write(str(number), x, _PLIES, side=0, quiet=True)

    def _entry(self, number: int, rows: int) -> Spot:
        """Return the x coordinate of a legend entry's badge and the entry's baseline."""
        column, row = divmod(number, rows)
        low, step = _LEGEND
        return 1.3 + (RIGHT - 0.8) / _COLUMNS * column, low + step * row

    def _number(self, number: int, grade: Grade, middle: Spot) -> None:
        """Write a badge's number."""
        (x, y), shape = middle, _SHAPES[grade]
        face = font(Weight.BOLD, round(self._half * shape.number))
        mask = lettering(str(number), face)
        corner = centred(mask, face, (x * self._half, y * self._half))
        inks = self._theme.accent, self._theme.accent_edge
        label, mask = self._painter.palette.inked(mask, *inks)
        self._frame.paste(label, corner, mask)
