"""A position as a PNG: a background rendered once, and on it the tiles of what stands there now."""

from functools import lru_cache
from io import BytesIO
from itertools import product
from typing import Final

from PIL import Image

from dvonn import Coordinates, Move, Phase, Piece, Point, Position
from renderer.background import Background
from renderer.facts import may_not_move
from renderer.geometry import Layout, crossed
from renderer.lessons import LESSONS
from renderer.look import DEFAULT, Look
from renderer.marks import Marks
from renderer.overlay import Overlay
from renderer.palette import Palette
from renderer.strip import Strip
from renderer.theme import Theme
from renderer.tiles import Face, TileMaker
from renderer.words import ENGLISH, Words

_PLAYERS: Final[tuple[Piece, ...]] = ("W", "B")
_PAINTERS_KEPT: Final = 4
_TILES_KEPT: Final = 512  # about 11 KiB each; there are more kinds than anyone will see
_COMMON_HEIGHTS: Final = range(1, 6)
# Measured: level 5 is a quarter faster and 5 % larger, level 7 a quarter slower and 1 % smaller.
COMPRESSION: Final = 6


def render(
    position: Position,
    *,
    coordinates: Coordinates = Coordinates.STANDARD,
    last: Move | None = None,
    marks: Marks | None = None,
    look: Look = DEFAULT,
) -> bytes:
    """Render a position as a PNG.

    Args:
        position: what to show, together with what has just left the board.
        coordinates: the system of the labels.
        last: the move that led to the position, to be marked.
        marks: what may be played now. With marks, even none, the last move is left out, and with
            it what it removed: the picture is there to choose by.
        look: the colours, the width, and the words above the board.

    Raises:
        ValueError: if the width is out of bounds.
        UnknownPointError: if a mark is at no standard name of a point.
    """
    painter = painter_of(look.theme, look.width_px)
    frame = painter.frame(position, coordinates, look.words, last=last, marks=marks)
    return painter.encode(frame)


def warm_up(look: Look = DEFAULT) -> None:
    """Render what most pictures share, so that the first of a process is as quick as the others.

    It takes about 0.2 s, and may be called more than once.

    Args:
        look: that of these pictures.

    Raises:
        ValueError: if the width is out of bounds.
    """
    painter_of(look.theme, look.width_px).warm_up(look.words)


class Painter:
    """Renders the pictures of one theme and width, and keeps the parts that they share."""

    def __init__(self, theme: Theme, width_px: int) -> None:
        self._layout = Layout(width_px)
        self._palette = Palette(theme)
        self._tiles = TileMaker(theme, self._layout.half)
        self._overlay = Overlay(theme, self._layout, self._palette)
        self._strip = Strip(theme, self._layout, self._palette)
        self._stack = lru_cache(maxsize=_TILES_KEPT)(self._make_stack)
        self._ghost = lru_cache(maxsize=_TILES_KEPT)(self._make_ghost)
        self._background = lru_cache(maxsize=4)(
            Background(theme, self._layout, self._palette, self._tiles).render
        )

    def warm_up(self, words: Words = ENGLISH) -> None:
        """Fill the caches with what stands on the board in every game, and render some of one."""
        for coordinates, name_spaces in product(Coordinates, (False, True)):
            self._background(coordinates, name_spaces=name_spaces)
        for shown in LESSONS.values():
            standard = Coordinates.STANDARD
            self.encode(
                self.frame(shown.position, standard, words, last=shown.last, marks=shown.marks)
            )
        for top, height in product(_PLAYERS, _COMMON_HEIGHTS):
            for dimmed in (False, True):
                self._stack(Face(top, height, dimmed=dimmed))
            self._ghost(top, height)

    def frame(
        self,
        position: Position,
        coordinates: Coordinates,
        words: Words,
        *,
        last: Move | None = None,
        marks: Marks | None = None,
    ) -> Image.Image:
        """A picture as palette indices (mode L)."""
        frame = self._board(position, coordinates, last=last, marks=marks)
        self._strip.render(frame, position, words)
        return frame

    def titled(self, position: Position, coordinates: Coordinates, title: str) -> Image.Image:
        """A board with a title, as palette indices (mode L): a part of a larger picture."""
        frame = self._board(position, coordinates)
        self._strip.title(frame, title)
        upper = self._layout.strip_height - self._layout.title_height
        return frame.crop((0, upper, frame.width, frame.height))

    def _board(
        self,
        position: Position,
        coordinates: Coordinates,
        *,
        last: Move | None = None,
        marks: Marks | None = None,
    ) -> Image.Image:
        """What is below the strip."""
        # While pieces are placed, players type the names of empty spaces: there they stand.
        name_spaces = position.phase is Phase.PLACEMENT
        frame = self._background(coordinates, name_spaces=name_spaces).copy()
        tiles = {
            point: self._stack(_face(position, point, pieces))
            for point, pieces in position.stacks.items()
        }
        if marks is None:
            for point, pieces in position.removed.items():
                tiles[point] = self._ghost(_top(pieces), len(pieces))
        for point, tile in tiles.items():
            self._lay(frame, point, tile, self._tiles.outline)
        if marks is not None:
            self._mark_choice(frame, marks, coordinates)
            # Marks of red pieces stay whole where a circle or a tag reaches them.
            for point, pieces in position.stacks.items():
                if "R" in pieces[:-1]:
                    mask = self._tiles.red_marks(_face(position, point, pieces))
                    self._lay(frame, point, tiles[point], mask)
        elif last is not None:
            self._mark_last(frame, last)
            # An arrow goes below the numbers that it crosses, and the marks of red pieces.
            for point in _crossed_signs(position, last):
                self._lay(frame, point, tiles[point], self._tiles.window)
        return frame

    def encode(self, frame: Image.Image) -> bytes:
        """A picture as a PNG file."""
        self._palette.finish(frame)
        file = BytesIO()
        frame.save(file, "PNG", compress_level=COMPRESSION)
        return file.getvalue()

    def _mark_choice(self, frame: Image.Image, marks: Marks, coordinates: Coordinates) -> None:
        if marks.source is not None:
            self._overlay.chosen(frame, self._layout.centre(marks.source))
        named = {coordinates.label(point): self._layout.centre(point) for point in marks.landings}
        self._overlay.landings(frame, named)

    def _mark_last(self, frame: Image.Image, last: Move) -> None:
        target = self._layout.centre(last.target)
        if last.source is None:
            self._overlay.outline(frame, target)
        else:
            self._overlay.arrow(frame, self._layout.centre(last.source), target)

    def _lay(self, frame: Image.Image, point: Point, tile: Image.Image, mask: Image.Image) -> None:
        x, y = self._layout.centre(point)
        frame.paste(tile, (x - tile.width // 2, y - tile.height // 2), mask)

    def _make_stack(self, face: Face) -> Image.Image:
        return self._palette.indices(self._tiles.stack(face))

    def _make_ghost(self, top: Piece, height: int) -> Image.Image:
        return self._palette.indices(self._tiles.ghost(top, height))


@lru_cache(maxsize=_PAINTERS_KEPT)
def painter_of(theme: Theme, width_px: int) -> Painter:
    """The painter of a theme and width, the same one again for the ones used last."""
    return Painter(theme, width_px)


def _face(position: Position, point: Point, pieces: str) -> Face:
    """What is to be seen of a stack."""
    reds = pieces.count("R")
    return Face(_top(pieces), len(pieces), reds, dimmed=may_not_move(position, point))


def _top(pieces: str) -> Piece:
    return "R" if pieces == "R" else "W" if pieces[-1] == "W" else "B"


def _crossed_signs(position: Position, last: Move) -> list[Point]:
    """The points between the ends of a move on which a number or a lone red piece is shown."""
    if last.source is None:
        return []
    shown = {**position.stacks, **position.removed}
    return [
        point
        for point in crossed(last.source, last.target)
        if len(pieces := shown.get(point, "")) > 1 or pieces == "R"
    ]
