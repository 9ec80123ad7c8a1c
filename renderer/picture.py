"""A position as a PNG: a background rendered once, and on it the tiles of what stands there now."""

from functools import lru_cache
from io import BytesIO
from itertools import product
from typing import Final

from PIL import Image

from dvonn import Color, Coordinates, Move, Phase, Piece, Point, Position
from renderer.background import Background
from renderer.caption import NO_CAPTION, Caption, is_over, moves_made
from renderer.finish import BOARD_SHARE, Finish
from renderer.geometry import MIN_WIDTH_PX, Layout
from renderer.lessons import LESSONS
from renderer.look import DEFAULT, Look
from renderer.marker import Marker
from renderer.marks import Arrows, Marking, Marks
from renderer.palette import Palette
from renderer.strip import Strip
from renderer.theme import Theme
from renderer.tiles import Face, TileMaker
from renderer.words import ENGLISH, Words

_PLAYERS: Final[tuple[Piece, ...]] = ("W", "B")
_PAINTERS_KEPT: Final = 12  # some 5 MiB each; a new one takes 0.2 s
_TILES_KEPT: Final = 512  # about 11 KiB each; there are more kinds than anyone will see
_COMMON_HEIGHTS: Final = range(1, 6)
# Measured: level 6 takes 1.7 times as long and is 7% smaller; at level 4 a bot at Discord's ceiling
# sends its boards a fifth sooner.
COMPRESSION: Final = 4


def render(
    position: Position,
    *,
    coordinates: Coordinates = Coordinates.STANDARD,
    last: Move | None = None,
    marks: Marking | None = None,
    caption: Caption = NO_CAPTION,
    aids: bool = True,
    look: Look = DEFAULT,
) -> bytes:
    """Render a position as a PNG.

    By the aids, the stacks that the player to move may move have a thin line around them, and those
    of them that may not move are dimmed. A game that has ended is shown with what each player has
    collected, and with how the counts went, once something has moved; below 220 pixels there is no
    room for these.

    Args:
        position: what to show, together with what has just left the board.
        coordinates: the system of the labels.
        last: the move that led to the position, to be marked.
        marks: what may be played now, moves that are told of, or what free spaces are worth. With
            marks, even none, the last move is left out, and with it what it removed: the picture is
            there to choose by.
        caption: who plays, and how the game has ended.
        aids: whether it is seen who may move: of use to whoever plays, and not in a replay.
        look: the colours, the width, and the words above the board.

    Raises:
        ValueError: if the width is out of bounds.
        UnknownPointError: if a mark is at no standard name of a point.
    """
    painter = painter_for(look)
    frame = painter.frame(
        position, coordinates, look.words, last=last, marks=marks, caption=caption, aids=aids
    )
    return painter.encode(frame)


def warm_up(look: Look = DEFAULT) -> None:
    """Render what most pictures share, so that the first of a process is as quick as the others.

    It takes about 0.2 s, and a second time nothing.

    Args:
        look: that of these pictures.

    Raises:
        ValueError: if the width is out of bounds.
    """
    painter_of(look.theme, look.width_px).warm_up(look.words)


class Painter:
    """Renders the pictures of one theme, width and side, and keeps the parts that they share."""

    def __init__(self, theme: Theme, width_px: int, *, turned: bool = False) -> None:
        self.theme = theme
        self.layout = Layout(width_px, turned)
        self.palette = Palette(theme)
        self._tiles = TileMaker(theme, self.layout.half)
        self._marker = Marker(theme, self.layout, self.palette, self._tiles)
        self._strip = Strip(theme, self.layout, self.palette)
        self._finish = Finish(theme, self.layout, self.palette)
        self._stack = lru_cache(maxsize=_TILES_KEPT)(self._make_stack)
        self._ghost = lru_cache(maxsize=_TILES_KEPT)(self._make_ghost)
        self._background = lru_cache(maxsize=3)(
            Background(theme, self.layout, self.palette, self._tiles).render
        )
        self._warmed_up: set[Words] = set()

    def warm_up(self, words: Words = ENGLISH) -> None:
        """Fill the caches with what stands on the board in every game, and render some of one."""
        if words in self._warmed_up:
            return
        for coordinates in Coordinates:
            self._background(coordinates)
        for shown in LESSONS.values():
            if shown.position.turn is None:
                continue  # few pictures are of an end, and it takes a smaller board
            standard = Coordinates.STANDARD
            self.encode(
                self.frame(shown.position, standard, words, last=shown.last, marks=shown.marks)
            )
        for top, height in product(_PLAYERS, _COMMON_HEIGHTS):
            for dimmed, movable in ((False, False), (True, False), (False, True)):
                self._stack(Face(top, height, dimmed=dimmed, movable=movable))
            self._ghost(top, height)
        self._strip.warm_up()
        self._warmed_up.add(words)

    def frame(
        self,
        position: Position,
        coordinates: Coordinates,
        words: Words,
        *,
        last: Move | None = None,
        marks: Marking | None = None,
        caption: Caption = NO_CAPTION,
        aids: bool = True,
        towers: bool = True,
    ) -> Image.Image:
        """Return a picture as palette indices (mode L), of an end with towers if there is room."""
        has_room = towers and self._smaller() >= MIN_WIDTH_PX
        if has_room and is_over(position, caption) and moves_made(position):
            return self.finish(position, coordinates, words, last=last, caption=caption)
        looked_at = not aids or caption.choosing or is_over(position, caption)
        turn = None if looked_at else position.turn
        frame = self.board(position, coordinates, turn, last=last, marks=marks)
        self._strip.render(frame, position, words, caption, to_choose=isinstance(marks, Marks))
        return frame

    def finish(
        self,
        position: Position,
        coordinates: Coordinates,
        words: Words,
        *,
        last: Move | None,
        caption: Caption,
        built: int | None = None,
    ) -> Image.Image:
        """Return a picture of an end: a smaller board, the towers, and how the counts went.

        Args:
            position: the last one.
            coordinates: the system of the labels.
            words: what is written.
            last: the move that led there.
            caption: how the game has ended.
            built: how many pieces of each tower stand already; None for all.
        """
        small = painter_for(
            Look(theme=self.theme, width_px=self._smaller(), turned=self.layout.turned)
        )
        board = small.board(position, coordinates, None, last=last)
        frame = self._finish.render(board, position, words, caption, built=built)
        self._strip.render(frame, position, words, caption)
        return frame

    def board(
        self,
        position: Position,
        coordinates: Coordinates | None,
        turn: Color | None,
        *,
        last: Move | None = None,
        marks: Marking | None = None,
    ) -> Image.Image:
        """Return a board below an empty strip.

        Args:
            position: what stands there.
            coordinates: how its spaces are named; None leaves them without names.
            turn: whose stacks are dimmed or outlined, if somebody's are.
            last: the move that led there.
            marks: what is marked, in place of that.
        """
        frame = self._background(coordinates).copy()
        if isinstance(marks, Arrows):
            turn = None  # it is not there to play by
        chosen = isinstance(marks, Marks) and marks.source is not None
        faces = _faces(position, turn, outlined=not chosen)
        for point, face in faces.items():
            outline = self._tiles.around_name if face.shows_name else self._tiles.outline
            self._lay(frame, point, self._stack(face), outline)
        ghosts = position.removed if marks is None else {}
        for point, pieces in ghosts.items():
            outline = self._tiles.around_name if len(pieces) == 1 else self._tiles.outline
            self._lay(frame, point, self._ghost(_top(pieces), len(pieces)), outline)
        reds = [point for point, face in faces.items() if face.reds]
        told = last if marks is None else marks
        for point in self._marker.mark(frame, told, coordinates, reds):
            self._lay_above(frame, point, position, coordinates, faces.get(point))
        if marks is not None:
            # Marks of red pieces stay whole where a circle, a tag or a sign reaches them.
            for point in reds:
                self._lay_red_marks(frame, point, faces[point])
        return frame

    def encode(self, frame: Image.Image) -> bytes:
        """Return a picture as a PNG file."""
        self.palette.finish(frame)
        file = BytesIO()
        frame.save(file, "PNG", compress_level=COMPRESSION)
        return file.getvalue()

    def _smaller(self) -> int:
        """Return the width in pixels of the board of a game that has ended."""
        return round(self.layout.width * BOARD_SHARE)

    def _lay_above(
        self,
        frame: Image.Image,
        point: Point,
        position: Position,
        coordinates: Coordinates | None,
        face: Face | None,
    ) -> None:
        """Lay what is to be read on a space once more, over an arrow that crosses it."""
        left = position.removed.get(point, "")
        if face is not None and face.height > 1:
            self._lay(frame, point, self._stack(face), self._tiles.window)
        elif len(left) > 1:
            self._lay(frame, point, self._ghost(_top(left), len(left)), self._tiles.window)
        else:
            (x, y), mask = self.layout.centre(point), self._tiles.window
            x, y = x - mask.width // 2, y - mask.height // 2
            named = self._background(coordinates).crop((x, y, x + mask.width, y + mask.height))
            frame.paste(named, (x, y), mask)
        if face is not None and face.reds:
            self._lay_red_marks(frame, point, face)

    def _lay_red_marks(self, frame: Image.Image, point: Point, face: Face) -> None:
        self._lay(frame, point, self._stack(face), self._tiles.red_marks(face))

    def _lay(self, frame: Image.Image, point: Point, tile: Image.Image, mask: Image.Image) -> None:
        x, y = self.layout.centre(point)
        frame.paste(tile, (x - tile.width // 2, y - tile.height // 2), mask)

    def _make_stack(self, face: Face) -> Image.Image:
        return self.palette.indices(self._tiles.stack(face))

    def _make_ghost(self, top: Piece, height: int) -> Image.Image:
        return self.palette.indices(self._tiles.ghost(top, height))


@lru_cache(maxsize=_PAINTERS_KEPT)
def painter_of(theme: Theme, width_px: int) -> Painter:
    """Return the painter of a theme and width; the ones used last are kept."""
    return Painter(theme, width_px)


@lru_cache(maxsize=_PAINTERS_KEPT)
def _turned(theme: Theme, width_px: int) -> Painter:
    """Return the painter that turns boards by half a turn."""
    return Painter(theme, width_px, turned=True)


def painter_for(look: Look) -> Painter:
    return (_turned if look.turned else painter_of)(look.theme, look.width_px)


def _faces(position: Position, turn: Color | None, *, outlined: bool) -> dict[Point, Face]:
    """Return the face of each stack, with a mark if it may move."""
    own = position.phase is Phase.MOVEMENT and turn is not None
    movable = {move.source for move in position.legal_moves()} if own else set()
    faces = {}
    for point, pieces in position.stacks.items():
        may, mine = point in movable, own and pieces[-1] == turn
        faces[point] = Face(
            _top(pieces),
            len(pieces),
            pieces.count("R"),
            dimmed=mine and not may,
            movable=may and outlined,
        )
    return faces


def _top(pieces: str) -> Piece:
    return "R" if pieces == "R" else "W" if pieces[-1] == "W" else "B"
