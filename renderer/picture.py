"""A position as a PNG: a background that is rendered once, with the tiles of its stacks on it."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from io import BytesIO
from itertools import product
from typing import Final, NamedTuple

from PIL import Image, ImageChops

from dvonn import POINTS, Color, Coordinates, Move, Phase, Point, Position
from renderer.background import empty_board
from renderer.caption import NO_CAPTION, Caption, is_over, moves_made
from renderer.finish import BOARD_SHARE, Finish
from renderer.geometry import MIN_WIDTH_PX, Layout
from renderer.lettering import centred, name_of_space
from renderer.look import DEFAULT, Look
from renderer.marking import Marker
from renderer.marks import Arrows, Marking, Marks
from renderer.palette import Palette
from renderer.rules_pictures import LESSONS
from renderer.shapes import hard, lay
from renderer.strip import Strip
from renderer.theme import Rgb, Theme
from renderer.tiles import NAME_AT, Face, Ghost, Kind, Space, TileMaker, lift
from renderer.words import ENGLISH, Words

_PAINTERS_KEPT: Final = 12  # some 5 MiB each; a new one takes 0.2 s
_TILES_KEPT: Final = 512  # about 11 KiB each; there are more kinds than anyone will see
_NAMES_KEPT: Final = 1024
_face = lru_cache(maxsize=_TILES_KEPT)(Face.of)
_COMMON: Final = [*map("".join, (p for n in (1, 2, 3) for p in product("WB", repeat=n)))]
"""The stacks that most games have, from below."""
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

    Aids draw a thin line around the stacks that the player to move can move, and dim their other
    stacks. A game that has ended is shown with the pieces that each player has collected and, if
    any piece has moved, with the course of the counts. Below 220 pixels there is no room for these.

    Args:
        position: The position, with the stacks that have just left the board.
        coordinates: System of the labels.
        last: The move that led to the position, to be marked.
        marks: The moves that may be played now, moves to show, or the values of free spaces. With
            marks, even empty ones, the last move and the stacks it removed are left out: the
            picture is for choosing.
        caption: Names of the players, and the ending.
        aids: True to show which stacks can move. Useful for players, not for a replay.
        look: Colors, width, and the words above the board.

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
    """Render the common parts of pictures, so that the first picture of a process is fast, too.

    The first call takes about 0.2 s. Later calls take no time.

    Args:
        look: Look of these pictures.

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
        centres = {point: self.layout.centre(point) for point in POINTS}
        self._centres = dict(
            sorted(centres.items(), key=lambda one: one[1].y)
        )  # the farthest first
        self._background = lru_cache(maxsize=3)(self._make_background)
        self._empty = self.palette.indices(self._tiles.space(theme.cell))
        self._tile = lru_cache(maxsize=_TILES_KEPT)(self._make_tile)
        self._name = lru_cache(maxsize=_NAMES_KEPT)(self._make_name)
        self._warmed_up: set[Words] = set()

    def warm_up(self, words: Words = ENGLISH) -> None:
        """Fill the caches with the tiles of every game, and render some pictures of one game."""
        if words in self._warmed_up:
            return
        for shown in LESSONS.values():
            if shown.position.turn is None:
                continue  # few pictures are of an end, and it takes a smaller board
            for coordinates in Coordinates:
                frame = self.frame(
                    shown.position, coordinates, words, last=shown.last, marks=shown.marks
                )
            self.encode(frame)
        for pieces in _COMMON:
            for dimmed, movable in ((False, False), (True, False), (False, True)):
                self._tile(Face.of(pieces, dimmed=dimmed, movable=movable))
            self._tile(Ghost(pieces[-1], len(pieces)))
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
            return self.finish(position, words, last=last, caption=caption)
        looked_at = not aids or is_over(position, caption)
        turn = None if looked_at else position.turn
        frame = self.board(position, coordinates, turn, last=last, marks=marks)
        self._strip.render(frame, position, words, caption, to_choose=isinstance(marks, Marks))
        return frame

    def finish(
        self,
        position: Position,
        words: Words,
        *,
        last: Move | None,
        caption: Caption,
        built: int | None = None,
    ) -> Image.Image:
        """Return a picture of an end: a smaller board, the towers, and the course of the counts.

        Args:
            position: The last position. Names of spaces would be too small here.
            words: The words of the picture.
            last: The move that led there.
            caption: The ending of the game.
            built: Number of pieces shown in each tower, or None for all.
        """
        small = painter_for(
            Look(theme=self.theme, width_px=self._smaller(), turned=self.layout.turned)
        )
        board = small.board(position, None, None, last=last)
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
            position: The position.
            coordinates: System of the names of spaces, or None for no names.
            turn: The player whose stacks are dimmed or outlined, or None.
            last: The move that led there.
            marks: The marks, in place of the last move.
        """
        frame = self._background(coordinates).copy()
        kinds = _kinds(position, turn, last, marks, named=coordinates is not None)
        tiles = {point: self._tile(kinds[point]) for point in self._centres if point in kinds}
        for point, tile in tiles.items():
            self._lay(frame, point, tile)
        for point, tile in tiles.items():
            if not tile.kind.shows_ground:
                self._write_name(frame, point, tile, coordinates)
        reds = {point: tile for point, tile in tiles.items() if tile.reds}
        for point in self._marker.mark(frame, marks, reds):
            self._lay_above(frame, point, tiles.get(point) or self._tile(Space()), coordinates)
        if isinstance(marks, Marks):
            self._lay_tops(frame, marks.landings, tiles, coordinates)
        for point, tile in reds.items():  # whole where a name, a circle or a sign reaches them
            self._lay(frame, point, tile, tile.reds)
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

    def _write_name(
        self, frame: Image.Image, point: Point, tile: "_Tile", coordinates: Coordinates | None
    ) -> None:
        """Write the name of a space, if it has one, on the face of its stack, if there is one."""
        if coordinates is None:
            return
        x, y = self._centres[point]
        image, mask, across, up = self._name(coordinates.label(point), tile.ground, tile.ink)
        lay(frame, image, (x + across, y + up + tile.name_at), mask)

    def _lay_tops(
        self,
        frame: Image.Image,
        points: Iterable[Point],
        tiles: "Mapping[Point, _Tile]",
        coordinates: Coordinates | None,
    ) -> None:
        """Lay the uppermost pieces of stacks once more, before the circles around their feet."""
        for point in points:
            tile = tiles.get(point)
            if tile is not None and (layers := tile.kind.layers):
                self._lay(frame, point, tile, hard(self._tiles.top_of(layers)))
                self._write_name(frame, point, tile, coordinates)

    def _lay_above(
        self, frame: Image.Image, point: Point, tile: "_Tile", coordinates: Coordinates | None
    ) -> None:
        """Draw a space's number and name once more, over an arrow that crosses it."""
        self._lay(frame, point, tile, self._tiles.window(tile.kind.layers))
        self._write_name(frame, point, tile, coordinates)

    def _lay(
        self, frame: Image.Image, point: Point, tile: "_Tile", part: Image.Image | None = None
    ) -> None:
        """Lay a tile, or the part of it that a mask has."""
        x, y = self._centres[point]
        mask = tile.outline if part is None else part.crop(tile.box)
        lay(frame, tile.image, (x + tile.left, y + tile.top), mask)

    def _make_background(self, coordinates: Coordinates | None) -> Image.Image:
        """Draw the empty board and the name of each space, which single rings leave free."""
        frame = empty_board(self.theme, self.layout, self.palette, self._tiles)
        for point in POINTS:
            self._write_name(frame, point, self._tile(Space()), coordinates)
        return frame

    def _make_tile(self, kind: Kind) -> "_Tile":
        outline = self._tiles.outline()
        match kind:
            case Face():
                tile, outline = self._tiles.stack(kind), self._tiles.outline(len(kind.pieces))
            case Ghost():
                tile = self._tiles.ghost(kind)
            case Space():
                tile = self._tiles.space(self.theme.moved if kind.moved else self.theme.cell)
        image = self.palette.indices(tile)
        same = hard(ImageChops.difference(image, self._empty), 0, 1)
        same = ImageChops.logical_and(same, self._tiles.outline())
        if not kind.shows_ground:  # there is a name below
            same = ImageChops.logical_and(same, ImageChops.invert(self._tiles.window(0)))
        outline = ImageChops.logical_and(outline, ImageChops.invert(same))
        box = outline.getbbox() or (0, 0, *outline.size)
        ground, ink, down = self._name_on(kind)
        return _Tile(
            kind=kind,
            image=image.crop(box),
            outline=outline.crop(box).convert("L"),
            box=box,
            left=box[0] - outline.width // 2,
            top=box[1] - outline.height // 2,
            reds=self._tiles.red_marks(kind.reds) if isinstance(kind, Face) and kind.reds else None,
            ground=ground,
            ink=ink,
            name_at=round(self.layout.half * down),
        )

    def _name_on(self, kind: Kind) -> tuple[Rgb, Rgb, float]:
        """Return the ground and the ink of a space's name, and how far below its middle it is."""
        theme, down = self.theme, NAME_AT if kind.height > 1 else 0.0
        if isinstance(kind, Face) and (kind.height > 1 or kind.top == "R"):
            colours = theme.piece(kind.top)
            well = theme.dimmed(colours).well if kind.dimmed else colours.well
            return well, colours.ink, down - lift(len(kind.pieces))
        return theme.moved if kind.moved else theme.cell, theme.cell_label, down

    def _make_name(
        self, label: str, ground: Rgb, ink: Rgb
    ) -> tuple[Image.Image, Image.Image, int, int]:
        """Return a name in its ink, its mask, and where its corner is from its middle."""
        mask, face = name_of_space(label, self.layout.half)
        across, up = centred(mask, face, (0, 0))
        return mask.point(self.palette.ramp(ground, ink)), hard(mask, 1).convert("L"), across, up


class _Tile(NamedTuple):
    """The part of a tile that is laid, in palette indices."""

    kind: Kind
    image: Image.Image
    outline: Image.Image
    box: tuple[int, int, int, int]
    """Its place in the whole tile."""
    left: int
    """From the middle of the space."""
    top: int
    reds: Image.Image | None
    """The marks of red pieces in it."""
    ground: Rgb
    """Of the name of its space."""
    ink: Rgb
    name_at: int


@lru_cache(maxsize=_PAINTERS_KEPT)
def painter_of(theme: Theme, width_px: int) -> Painter:
    """Return the painter of a theme and width. Recently used ones are cached."""
    return Painter(theme, width_px)


@lru_cache(maxsize=_PAINTERS_KEPT)
def _turned(theme: Theme, width_px: int) -> Painter:
    """Return the painter that turns boards by half a turn."""
    return Painter(theme, width_px, turned=True)


def painter_for(look: Look) -> Painter:
    return (_turned if look.turned else painter_of)(look.theme, look.width_px)


def _kinds(
    position: Position,
    turn: Color | None,
    last: Move | None,
    marks: Marking | None,
    *,
    named: bool,
) -> dict[Point, Kind]:
    """Return the kind of each tile that isn't an empty space at rest."""
    tiles: dict[Point, Kind] = {}
    if marks is None:
        end = last.target if last is not None else None
        tiles |= {
            at: Ghost(left[-1], len(left), named, moved=at == end)
            for at, left in position.removed.items()
        }
        if last is not None and last.source is not None:
            tiles[last.source] = Space(moved=True)
    chosen = isinstance(marks, Marks) and marks.source is not None
    own = position.phase is Phase.MOVEMENT and turn is not None and not isinstance(marks, Arrows)
    movable = {move.source for move in position.legal_moves()} if own else set()
    target = last.target if last is not None and marks is None else None
    for point, pieces in position.stacks.items():
        may, mine = point in movable, own and pieces[-1] == turn
        tiles[point] = _face(
            pieces,
            dimmed=mine and not may,
            movable=may and not chosen,
            moved=point == target,
            named=named,
        )
    return tiles
