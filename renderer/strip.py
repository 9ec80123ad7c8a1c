"""The strip above the board: whose turn it is, who plays, and how the players stand."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Final, NamedTuple

from PIL import Image

from dvonn import Color, Phase, Piece, Position
from renderer.caption import Caption, details, headline, is_over, legibly, winner
from renderer.geometry import Layout
from renderer.lettering import Weight, fitting, is_legible, lettering
from renderer.palette import Palette
from renderer.theme import Rgb, Theme
from renderer.tiles import Face, TileMaker
from renderer.words import Words

# Measures in halves (see geometry.Layout).
_MARGIN: Final = 0.8  # to the left and right
_ICON: Final = 0.8  # an icon is a tile of the board at this scale
_ICON_AT: Final = 1.3  # from the picture's upper edge to the middle of whose turn it is
_ICON_GAP: Final = 0.35  # from an icon to what it means
_SMALL_ICON: Final = 0.52
_ICONS: Final[tuple[tuple[Piece, float], ...]] = (
    *(("W", _ICON), ("B", _ICON), ("R", _ICON)),
    *(("W", _SMALL_ICON), ("B", _SMALL_ICON)),
)
"""The icons of the turn and of the players."""
_ROWS: Final = (0.76, 2.0)  # from the upper edge to the middles of the two players' rows
_GAP: Final = 0.6  # between a name and its count, and between the two sides of the strip
_COUNT_ROOM: Final = 1.3  # for two figures


class _Style(NamedTuple):
    weight: Weight
    size: float  # of the font, in halves
    baseline: float  # below the upper edge, or the middle of its row, in halves


_HEADLINE: Final = _Style(Weight.MEDIUM, 1.1, 1.28)
_DETAILS: Final = _Style(Weight.REGULAR, 0.76, 2.28)
_NAME: Final = _Style(Weight.REGULAR, 0.84, 0.29)
_COUNT: Final = _Style(Weight.BOLD, 1.1, 0.37)


class Strip:
    """Renders the strips of one theme and width on frames of palette indices."""

    def __init__(self, theme: Theme, layout: Layout, palette: Palette) -> None:
        self._theme = theme
        self._width = layout.width
        self._half = layout.half
        self._palette = palette
        self._makers = {size: TileMaker(theme, self._pixels(size)) for size in (_ICON, _SMALL_ICON)}
        self._icon = lru_cache(maxsize=len(_ICONS))(self._make_icon)
        self._line = lru_cache(maxsize=256)(self._make_line)

    def warm_up(self) -> None:
        """Fill the cache with all icons."""
        for piece, size in _ICONS:
            self._icon(piece, size)

    def render(
        self,
        frame: Image.Image,
        position: Position,
        words: Words,
        caption: Caption,
        *,
        to_choose: bool = False,
    ) -> None:
        """Say what is to be said of a position, or of a choice in it."""
        left, right = self._pixels(_MARGIN), self._width - self._pixels(_MARGIN)
        right = self._put_players(frame, position, words, caption, right) - self._pixels(_GAP)
        if (piece := _turn(position, caption)) is not None:
            middle = left + self._pixels(_ICON)
            self._put_icon(frame, piece, _ICON, middle, self._pixels(_ICON_AT))
            left = middle + self._pixels(_ICON + _ICON_GAP)

        def told(caption: Caption) -> str:
            return " · ".join(details(position, words, caption, to_choose=to_choose))

        for phrase, style, ink in (
            (partial(headline, position, words), _HEADLINE, self._theme.text),
            (told, _DETAILS, self._theme.quiet_text),
        ):
            text = self._legibly(phrase, caption, style, right - left)
            line = self._line(text, style, ink, right - left)
            self._write(frame, line, left, self._pixels(style.baseline))

    def _put_players(
        self, frame: Image.Image, position: Position, words: Words, caption: Caption, right: int
    ) -> int:
        """Write a row for each player, ending at `right`; returns where their room begins."""
        names = {}
        for color, plain in ((Color.WHITE, words.white), (Color.BLACK, words.black)):
            name = plain if caption.choosing else caption.name(color) or plain
            names[color] = self._line(name, _NAME, self._theme.text, self._width // 3)
        counted = position.phase is not Phase.PLACEMENT
        names_end = right - (self._pixels(_COUNT_ROOM + _GAP) if counted else 0)
        left = names_end - max(line.width for line in names.values())
        icon = left - self._pixels(_SMALL_ICON + _ICON_GAP)
        for (color, line), at in zip(names.items(), _ROWS, strict=True):
            middle = self._pixels(at)
            self._put_icon(frame, color.value, _SMALL_ICON, icon, middle)
            self._write(frame, line, left, middle + self._pixels(_NAME.baseline))
            if counted:
                score = str(position.score(color))
                figures = self._line(score, _COUNT, self._theme.text, right)
                baseline = middle + self._pixels(_COUNT.baseline)
                self._write(frame, figures, right - figures.width, baseline)
        return icon - self._pixels(_SMALL_ICON)

    def _legibly(
        self, phrase: Callable[[Caption], str], caption: Caption, style: _Style, room: int
    ) -> str:
        size = self._pixels(style.size)
        return legibly(phrase, caption, lambda said: is_legible(style.weight, size, said, room))

    def _put_icon(self, frame: Image.Image, piece: Piece, size: float, x: int, y: int) -> None:
        icon, outline = self._icon(piece, size), self._makers[size].outline
        frame.paste(icon, (x - icon.width // 2, y - icon.height // 2), outline)

    def _write(self, frame: Image.Image, line: "_Line", left: int, baseline: int) -> None:
        frame.paste(line.image, (left, baseline - line.ascent))

    def _make_icon(self, piece: Piece, size: float) -> Image.Image:
        face = Face(piece, 1, reds=int(piece == "R"))
        return self._palette.indices(self._makers[size].stack(face))

    def _make_line(self, text: str, style: _Style, ink: Rgb, room: int) -> "_Line":
        """Return a line of text, in smaller letters where the room (in pixels) would not do."""
        face = fitting(style.weight, self._pixels(style.size), text, room)
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


def _turn(position: Position, caption: Caption) -> Piece | None:
    """The piece that stands for the side to move, or for the winner; a red one if to be placed."""
    if caption.choosing:
        return None
    if is_over(position, caption):
        color = winner(position, caption)
    elif position.to_place == "R":
        return "R"
    else:
        color = position.turn
    return None if color is None else color.value
