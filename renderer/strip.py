"""The strip above the board: whose turn it is, who plays, and how the players stand."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from dvonn import Color, Phase, Position
from renderer.caption import Caption, details, headline, is_over, legibly, winner
from renderer.faces import face
from renderer.geometry import Layout
from renderer.lettering import Weight, fitting, is_legible, lettering
from renderer.palette import Palette
from renderer.shapes import hard, lay
from renderer.theme import Rgb, Theme
from renderer.tiles import Face, TileMaker
from renderer.words import Words

# Measures in halves (see geometry.Layout).
_MARGIN: Final = 0.8  # to the left and right
_ICON: Final = 0.48  # an icon is a round part of a tile of the board at this scale
_ICON_GAP: Final = 0.3  # from an icon to the name
_ROWS: Final = (0.8, 2.06)  # from the upper edge to the middles of the two players' chips
_CHIP: Final = 0.56  # half the height of a chip, and the radius of its ends
_LINE: Final = 0.09  # the line around the chip of the player to move, or of the winner
_PAD: Final = 0.4  # from a chip's ends to its content
_GAP: Final = 0.6  # between a name and its count, and between the two sides of the strip
_COUNT_ROOM: Final = 1.2  # for two figures
_FACE: Final = 2.6  # breadth of the machine's face, left of the chips
_FACE_TOP: Final = 0.13
_NAME_ROOM: Final = 0.28  # for a name, as a part of the width


class _Style(NamedTuple):
    weight: Weight
    size: float  # of the font, in halves
    baseline: float  # below the upper edge, or the middle of its row, in halves


_HEADLINE: Final = _Style(Weight.MEDIUM, 1.1, 1.28)
_DETAILS: Final = _Style(Weight.REGULAR, 0.76, 2.28)
_NAME: Final = _Style(Weight.REGULAR, 0.8, 0.27)
_COUNT: Final = _Style(Weight.BOLD, 0.96, 0.32)


class Strip:
    """Renders the strips of one theme and width on frames of palette indices."""

    def __init__(self, theme: Theme, layout: Layout, palette: Palette) -> None:
        self._theme = theme
        self._width = layout.width
        self._half = layout.half
        self._palette = palette
        self._ground = theme.chip
        self._icons = TileMaker(theme, self._pixels(_ICON))
        self._icon = lru_cache(maxsize=2)(self._make_icon)
        self._face = lru_cache(maxsize=4)(self._make_face)
        self._chips = lru_cache(maxsize=16)(self._make_chips)
        self._line = lru_cache(maxsize=256)(self._make_line)

    def warm_up(self) -> None:
        """Fill the cache with the icons."""
        for color in Color:
            self._icon(color.value)

    def render(
        self,
        frame: Image.Image,
        position: Position,
        words: Words,
        caption: Caption,
        *,
        to_choose: bool = False,
    ) -> None:
        """Draw the text of the strip for a position, or for a choice in it."""
        caption = caption.lettered()
        left, right = self._pixels(_MARGIN), self._width - self._pixels(_MARGIN)
        right = self._put_players(frame, position, words, caption, right) - self._pixels(_GAP)
        if caption.face is not None:
            badge = self._face(caption.face)
            right -= badge.width
            frame.paste(badge, (right, self._pixels(_FACE_TOP)))
            right -= self._pixels(_GAP)

        def told(caption: Caption) -> str:
            return " · ".join(details(position, words, caption, to_choose=to_choose))

        for phrase, style, ink in (
            (partial(headline, position, words), _HEADLINE, self._theme.text),
            (told, _DETAILS, self._theme.quiet_text),
        ):
            text = self._legibly(phrase, caption, style, right - left)
            line = self._line(text, style, ink, right - left)
            # Its ground is the same as the strip's: without a mask it is quicker.
            lay(frame, line.image, (left, self._pixels(style.baseline) - line.ascent))

    def _put_players(
        self, frame: Image.Image, position: Position, words: Words, caption: Caption, right: int
    ) -> int:
        """Draw a chip for each player, ending at `right`. Return the left end of their room."""
        white, black = (
            caption.name(color) or plain
            for color, plain in ((Color.WHITE, words.white), (Color.BLACK, words.black))
        )
        counted = position.phase is not Phase.PLACEMENT
        chips = self._chips(white, black, _turn(position, caption), counted)
        lay(frame, chips, (right - chips.width, 0))
        for color, at in zip(Color, _ROWS, strict=True) if counted else ():
            figures = self._line(
                str(position.score(color)), _COUNT, self._theme.text, right, self._ground
            )
            left = right - self._pixels(_PAD) - figures.width
            self._write(frame, figures, left, self._pixels(at) + self._pixels(_COUNT.baseline))
        return right - chips.width

    def _make_chips(self, white: str, black: str, told: Color | None, counted: bool) -> Image.Image:
        """Draw both players' chips with their names, and room for their counts if they have any."""
        room = round(self._width * _NAME_ROOM)
        lines = [
            self._line(name, _NAME, self._theme.text, room, self._ground) for name in (white, black)
        ]
        begin = self._pixels(_PAD) + 2 * self._pixels(_ICON) + self._pixels(_ICON_GAP)
        end = self._pixels(_PAD + ((_COUNT_ROOM + _GAP) if counted else 0))
        width, height = begin + max(line.width for line in lines) + end, 2 * self._pixels(_CHIP)
        rows = [self._pixels(at) for at in _ROWS]
        size = (width, rows[-1] + height // 2)
        chips = Image.new("L", size, self._palette.index(self._theme.canvas))
        for color, line, middle in zip(Color, lines, rows, strict=True):
            chip = self._make_chip(width, height, color is told)
            chips.paste(chip, (0, middle - height // 2))
            self._put_icon(chips, color.value, self._pixels(_PAD + _ICON), middle)
            self._write(chips, line, begin, middle + self._pixels(_NAME.baseline))
        return chips

    def _make_chip(self, width: int, height: int, told: bool) -> Image.Image:
        """Return the ground of a player's name and count, outlined if the player is marked."""
        fine = 3
        size = (width * fine, height * fine)
        chip = Image.new("RGB", size, self._theme.canvas)
        ImageDraw.Draw(chip).rounded_rectangle(
            (0, 0, size[0] - 1, size[1] - 1),
            size[1] / 2,
            fill=self._ground,
            outline=self._theme.accent if told else self._ground,
            width=max(2, self._pixels(_LINE)) * fine,
        )
        return self._palette.indices(chip.reduce(fine))

    def _make_face(self, number: int) -> Image.Image:
        drawn = face(number, self._pixels(_FACE), self._theme.canvas)
        return self._palette.indices_of_face(drawn)

    def _legibly(
        self, phrase: Callable[[Caption], str], caption: Caption, style: _Style, room: int
    ) -> str:
        size = self._pixels(style.size)
        return legibly(phrase, caption, lambda said: is_legible(style.weight, size, said, room))

    def _put_icon(self, frame: Image.Image, piece: str, x: int, y: int) -> None:
        icon, mask = self._icon(piece)
        frame.paste(icon, (x - icon.width // 2, y - icon.height // 2), mask)

    def _write(self, frame: Image.Image, line: "_Line", left: int, baseline: int) -> None:
        lay(frame, line.image, (left, baseline - line.ascent), line.mask)

    def _make_icon(self, piece: str) -> tuple[Image.Image, Image.Image]:
        """Return a player's piece on a round space, and its outline."""
        mask = self._icons.icon
        icon = Image.new("RGB", mask.size, self._ground)
        icon.paste(self._icons.stack(Face.of(piece)), mask=mask)
        return self._palette.indices(icon), hard(mask, 1)

    def _make_line(
        self, text: str, style: _Style, ink: Rgb, room: int, ground: Rgb | None = None
    ) -> "_Line":
        """Return a line of text, in smaller letters where the room (in pixels) would not do."""
        face = fitting(style.weight, self._pixels(style.size), text, room)
        ramp = self._palette.ramp(ground or self._theme.canvas, ink)
        letters = lettering(text, face)
        return _Line(letters.point(ramp), hard(letters, 1).convert("L"), face.getmetrics()[0])

    def _pixels(self, halves: float) -> int:
        return round(self._half * halves)


class _Line(NamedTuple):
    image: Image.Image  # palette indices
    mask: Image.Image
    ascent: int  # from its top to the baseline in pixels

    @property
    def width(self) -> int:
        return self.image.width


def _turn(position: Position, caption: Caption) -> Color | None:
    """Return the side to move, or the winner."""
    return winner(position, caption) if is_over(position, caption) else position.turn
