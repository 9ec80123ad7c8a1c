"""A chart of a player's puzzle rating: a line with a dot for each attempt."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image

from renderer.chart_parts import FOOT, LEFT, RIGHT, Plot, Scale, bounds
from renderer.look import DEFAULT, Look
from renderer.picture import Painter, painter_of
from renderer.words import ENGLISH, Words

_TITLE: Final = 1.0
_TOP: Final = 1.4
_BOTTOM: Final = 7.4
_LEGEND: Final = 8.7
_INSET: Final = 0.6
"""Distance of the first and last dots from the panel's sides."""
_DOT: Final = 0.24
_DOTTED: Final = 100
"""Maximum number of steps for which each has a dot. More dots would run together."""


@dataclass(frozen=True, slots=True)
class Step:
    """A rated attempt at a puzzle.

    Attributes:
        rating: The rating after the puzzle.
        solved: True if the puzzle was solved.
    """

    rating: float
    solved: bool


def progress(start: float, steps: Sequence[Step], *, look: Look = DEFAULT) -> bytes:
    """Render a chart of a puzzle rating as a PNG.

    Args:
        start: The rating before the first step.
        steps: At least one step, oldest first.
        look: Colors, width (300 to 2400 pixels), and texts.

    Raises:
        ValueError: if there is no step, or the width is out of bounds.
    """
    if not steps:
        raise ValueError("there are no steps")
    painter = painter_of(look.theme, look.width_px)
    return painter.encode(_Progress(painter, start, steps, look.words).render())


def describe_progress(start: float, steps: Sequence[Step], *, words: Words = ENGLISH) -> str:
    """Describe the picture as text.

    Raises:
        ValueError: if there is no step.
    """
    if not steps:
        raise ValueError("there are no steps")
    return words.rating_course.format(
        first=round(start),
        last=round(steps[-1].rating),
        count=len(steps),
        solved=sum(step.solved for step in steps),
    )


class _Progress(Plot):
    """A chart, as a frame of palette indices."""

    def __init__(self, painter: Painter, start: float, steps: Sequence[Step], words: Words) -> None:
        super().__init__(painter)
        self._ratings = [start, *(step.rating for step in steps)]
        self._steps = steps
        self._words = words
        self._scale = Scale(0, len(steps), _TOP, _BOTTOM, *bounds(self._ratings), inset=_INSET)

    def render(self) -> Image.Image:
        self._begin(_LEGEND + FOOT)
        scale = self._scale
        self._rectangle(scale.box, self._theme.chart_ground)
        self._outline(scale.box)
        self._dashes(scale.y((scale.least + scale.most) / 2))
        spots = [scale.spot(number, rating) for number, rating in enumerate(self._ratings)]
        self._trace(spots)
        self._dot(
            spots[0], _DOT / 2, full=True
        )  # the rating before the first step, which is neither solved nor missed
        dotted = list(zip(self._steps, spots[1:], strict=True))
        for step, spot in dotted if len(dotted) <= _DOTTED else dotted[-1:]:
            self._dot(spot, _DOT, full=step.solved)
        middle = (LEFT + RIGHT) / 2
        self._dot((LEFT + 0.3, _LEGEND - 0.27), _DOT, full=True)
        self._dot((middle, _LEGEND - 0.27), _DOT, full=False)
        self._settle()
        self._write(self._words.rating, LEFT, _TITLE)
        self._write_ratings(scale)
        self._write(self._words.solved, LEFT + 0.8, _LEGEND, room=middle - LEFT - 1.4)
        self._write(self._words.missed, middle + 0.5, _LEGEND, room=RIGHT - middle - 0.5)
        return self._frame
