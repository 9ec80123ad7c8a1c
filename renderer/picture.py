"""Renders a position as a PNG: a cached background, with a tile pasted for each stack."""

from collections.abc import Container, Mapping
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from PIL import Image, ImageChops

from dvonn import POINTS, Coordinates, Move, Point, Position
from dvonn.svg.arrows import way_corners
from dvonn.svg.geometry import Layout, Pixel, hexagon
from dvonn.svg.stack_shapes import FACE, LEFT_NAME_AT, NAME_AT, OUTER, StackFace, lift
from dvonn.svg.theme import Rgb, Theme
from renderer.caption import NO_CAPTION, Caption, moves_made
from renderer.finish import Finish
from renderer.lettering import centred, name_of_space
from renderer.look import DEFAULT, Look
from renderer.marking import Marker
from renderer.marks import Marking, Marks
from renderer.overlay import Coat
from renderer.palette import Palette
from renderer.png import png
from renderer.rules_pictures import LESSONS
from renderer.scene import Scene
from renderer.shapes import SoftMask, hard, lay
from renderer.strip import Strip
from renderer.tiles import Ghost, Kind, Space, TileMaker, edged
from renderer.words import ENGLISH, Words

_PAINTERS_KEPT: Final = 12  # about 5 MiB each, and 0.2 s to create one
_TILES_KEPT: Final = 512  # about 11 KiB each; many more kinds are possible
_NAMES_KEPT: Final = 1024
_face = lru_cache(maxsize=_TILES_KEPT)(StackFace.from_pieces)
_SPACE: Final = Space()
_COMMON: Final = [*map("".join, (p for n in (1, 2, 3) for p in product("WB", repeat=n)))]
"""The most common stacks, bottom to top."""


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

    Aids are a thin outline around the stacks that the player to move can move, and dimming of their
    other stacks. An ended game is shown with each player's tower and, if any piece has moved, a
    chart of the counts.

    >>> render(Position.initial())[1:4]
    b'PNG'

    Args:
        position: The position, including the stacks that were just removed.
        coordinates: Coordinate system of the labels.
        last: The move that led to the position, which is marked.
        marks: A choice of moves, moves to show, or the values of free spaces. With marks, even
            empty ones, the last move and the stacks that it removed are not shown.
        caption: The players' names and the ending.
        aids: True to show which stacks can move, which is useful for players but not in a replay.
        look: Colors, texts, orientation and width.

    Raises:
        ValueError: if the width is out of bounds.
        UnknownPointError: if a mark's point is not named in standard coordinates.
    """
    painter = painter_for(look)
    scene = Scene(position, coordinates, last, marks, caption.lettered(), aids)
    return painter.encode(painter.frame(scene, look.words))


def warm_up(look: Look = DEFAULT) -> None:
    """Fill the caches of shared parts, so that the first picture of a process is fast.

    The first call takes about 0.2 s. Later calls take no time.

    Args:
        look: The look for which caches are filled.

    Raises:
        ValueError: if the width is out of bounds.
    """
    painter_of(look.theme, look.width_px).warm_up(look.words)


class Painter:
    """Renders pictures of one theme, width and orientation, and caches shared parts."""

    def __init__(self, theme: Theme, width_px: int, *, turned: bool = False) -> None:
        self.theme = theme
        self.layout = Layout(width_px, turned)
        self.palette = Palette(theme)
        self._tiles = TileMaker(theme, self.layout.half)
        self._marker = Marker(theme, self.layout, self.palette, self._tiles)
        self._strip = Strip(theme, self.layout, self.palette)
        self.finish = Finish(theme, self.layout, self.palette)
        centres = {point: self.layout.centre(point) for point in POINTS}
        self._centers = dict(sorted(centres.items(), key=lambda item: item[1].y))  # back to front
        self._background = lru_cache(maxsize=5)(self._make_background)
        self._path = lru_cache(maxsize=128)(self._make_path)
        self._empty = self.palette.indices(self._tiles.space(theme.cell))
        self._tile = lru_cache(maxsize=_TILES_KEPT)(self._make_tile)
        self._name = lru_cache(maxsize=_NAMES_KEPT)(self._make_name)
        self._letters = lru_cache(maxsize=2 * len(POINTS))(self._make_letters)
        self._warmed_up: set[Words] = set()

    def warm_up(self, words: Words = ENGLISH) -> None:
        """Fill the caches by rendering the most common tiles and some pictures of a game.

        Only backgrounds with standard coordinates are rendered. Others are rarely needed and take 5
        MiB each.
        """
        if words in self._warmed_up:
            return
        for lesson in LESSONS.values():
            scene = Scene(lesson.position, Coordinates.STANDARD, lesson.last, lesson.marks)
            self.encode(self.frame(scene, words))
        for pieces in _COMMON:
            for dimmed, movable in ((False, False), (True, False), (False, True)):
                self._tile(StackFace.from_pieces(pieces, dimmed=dimmed, movable=movable))
            self._tile(Ghost(pieces[-1], len(pieces)))
        self._strip.warm_up()
        self._warmed_up.add(words)

    def frame(self, scene: Scene, words: Words, *, towers: bool | None = None) -> Image.Image:
        """Return a picture as palette indices (mode L).

        Args:
            scene: The position and the facts to show.
            words: The texts above the board.
            towers: True to show both players' towers below the board, False to hide them. None to
                show them if the game has ended and pieces have moved.
        """
        frame = self.board(scene)
        if towers or (towers is None and scene.is_over and moves_made(scene.position)):
            frame = self.finish.render(frame, scene, words)
        self._strip.render(frame, scene, words)
        return frame

    def board(self, scene: Scene) -> Image.Image:
        """Return a board with an empty header row."""
        frame = self._background(scene.coordinates, scene.placing).copy()
        if scene.source is not None and scene.target is not None:
            self._lay_path(frame, self._centers[scene.source], self._centers[scene.target])
        kinds = _kinds(scene)
        tiles = {point: self._tile(kinds[point]) for point in self._centers if point in kinds}
        for point, tile in tiles.items():
            self._lay(frame, point, tile)
        for point, tile in tiles.items():
            self._write_name(frame, point, tile, scene)
        for point in scene.way:
            if (kind := kinds.get(point, _SPACE)).shows_ground:
                self._write_name(frame, point, self._tile(kind), scene)
        if scene.marks is not None:
            self._lay_marks(frame, scene.marks, tiles, scene)
        return frame

    def encode(self, frame: Image.Image) -> bytes:
        """Return a picture as a PNG file."""
        return png(frame, self.palette.rgb)

    def _write_name(self, frame: Image.Image, point: Point, tile: "_Tile", scene: Scene) -> None:
        """Write a space's name, if it has one, on its stack or on the empty space."""
        ground, loud = tile.ground, point in scene.loud
        if tile.kind.shows_ground:
            if point in scene.way:
                ground = self.theme.moved
            elif loud == scene.placing:
                return  # it is part of the background
        self._put_name(frame, point, tile, scene.coordinates, ground, loud=loud)

    def _put_name(
        self,
        frame: Image.Image,
        point: Point,
        tile: "_Tile",
        coordinates: Coordinates | None,
        ground: Rgb,
        *,
        loud: bool,
    ) -> None:
        if coordinates is None:
            return
        (x, y), ink = self._centers[point], tile.ink if loud else tile.quiet
        name = self._name(coordinates.label(point), ground, ink, tile.kind.stacked)
        image, mask, across, up = name
        lay(frame, image, (x + across, y + up + tile.name_at), mask)

    def _lay_path(self, frame: Image.Image, start: Pixel, end: Pixel) -> None:
        """Draw the last move's path below the stacks, unless its two spaces are adjacent."""
        path = self._path(end.x - start.x, end.y - start.y)
        if path is not None:
            half = self.layout.half
            path.lay(frame, min(start.x, end.x) - half, min(start.y, end.y) - half)

    def _lay_marks(
        self,
        frame: Image.Image,
        marks: Marking,
        tiles: "Mapping[Point, _Tile]",
        scene: Scene,
    ) -> None:
        """Draw marks over a board, and then again what they must not cover."""
        for point in self._marker.mark(frame, marks, scene.position.stacks):
            self._lay_above(frame, point, tiles.get(point) or self._tile(_SPACE), scene)
        if isinstance(marks, Marks):
            self._lay_towers(frame, {marks.source, *marks.landings}, tiles, scene)
        for point, tile in tiles.items():
            if tile.reds:
                self._lay(frame, point, tile, tile.reds)

    def _lay_towers(
        self,
        frame: Image.Image,
        marked: Container[Point | None],
        tiles: "Mapping[Point, _Tile]",
        scene: Scene,
    ) -> None:
        """Draw the tops of marked towers again, and the faces of others that marks cross."""
        for point, tile in tiles.items():
            if layers := tile.kind.layers:
                radius = OUTER if point in marked else FACE
                self._lay(frame, point, tile, hard(self._tiles.top_of(layers, radius)))
                self._write_name(frame, point, tile, scene)

    def _lay_above(self, frame: Image.Image, point: Point, tile: "_Tile", scene: Scene) -> None:
        """Draw a stack's number (or else the name) again, above an arrow that crosses it."""
        if (layers := tile.kind.layers) > 0:
            number = str(tile.kind.height)
            self._lay(frame, point, tile, self._tiles.digits(number, lift(layers)))
        loud = point in scene.loud
        self._put_name(frame, point, tile, scene.coordinates, tile.ground, loud=loud)

    def _lay(
        self, frame: Image.Image, point: Point, tile: "_Tile", part: Image.Image | None = None
    ) -> None:
        """Paste a tile, or only the part of it within a mask."""
        x, y = self._centers[point]
        mask = tile.outline if part is None else part.crop(tile.box)
        lay(frame, tile.image, (x + tile.left, y + tile.top), mask)

    def _make_background(self, coordinates: Coordinates | None, placing: bool) -> Image.Image:
        """Return the empty board with the spaces' names, which are dark in the placement phase."""
        layout, tiles = self.layout, self._tiles
        picture = Image.new("RGB", (layout.width, layout.height), self.theme.canvas)
        reach = layout.tile_size[1] // 2 + 2 * layout.frame
        border = SoftMask((2 * reach, 2 * reach))
        border.polygon(hexagon((reach, reach), layout.half + layout.frame))
        centers = [self._centers[point] for point in POINTS]
        for x, y in centers:
            picture.paste(self.theme.frame, (x - reach, y - reach), border.image())
        frame = self.palette.indices(picture)
        empty, outline = self._empty, tiles.outline()
        for x, y in centers:
            frame.paste(empty, (x - empty.width // 2, y - empty.height // 2), outline)
        tile = self._tile(_SPACE)
        for point in POINTS:
            self._put_name(frame, point, tile, coordinates, tile.ground, loud=placing)
        return frame

    def _make_path(self, across: int, down: int) -> Coat | None:
        """Return the band between two spaces, or None if they are adjacent."""
        half = self.layout.half
        start = half + max(0, -across), half + max(0, -down)
        corners = way_corners(start, (start[0] + across, start[1] + down), half)
        if not corners:
            return None
        mask = SoftMask((abs(across) + 2 * half, abs(down) + 2 * half))
        mask.polygon(corners)
        return Coat(mask.image(), self.theme.moved, self.palette)

    def _make_tile(self, kind: Kind) -> "_Tile":
        outline, reds = self._tiles.outline(), None
        match kind:
            case StackFace():
                tile, outline = self._tiles.stack(kind), self._tiles.outline(kind)
                reds = self._tiles.marks(kind) if kind.reds else None
            case Ghost():
                tile = self._tiles.ghost(kind)
            case Space():
                tile = self._tiles.space(self.theme.moved if kind.moved else self.theme.cell)
        image = self.palette.indices(tile)
        same = hard(ImageChops.difference(image, self._empty), 0, 1)
        same = ImageChops.logical_and(same, self._tiles.outline())
        if not kind.shows_ground:  # the name is below the stack's number
            same = ImageChops.logical_and(same, ImageChops.invert(self._tiles.name_place))
        if isinstance(kind, StackFace) and kind.stacked:  # a tower hides what is behind it
            same = ImageChops.logical_and(same, ImageChops.invert(self._tiles.tower(kind)))
        outline = ImageChops.logical_and(outline, ImageChops.invert(same))
        box = outline.getbbox() or (0, 0, *outline.size)
        ground, ink, quiet, down = self._name_on(kind)
        return _Tile(
            kind=kind,
            image=image.crop(box),
            outline=outline.crop(box).convert("L"),
            box=box,
            left=box[0] - outline.width // 2,
            top=box[1] - outline.height // 2,
            reds=reds,
            ground=ground,
            ink=ink,
            quiet=quiet,
            name_at=round(self.layout.half * down),
        )

    def _name_on(self, kind: Kind) -> tuple[Rgb, Rgb, Rgb, float]:
        """Return the background, both text colors, and the vertical offset of a space's name."""
        theme, down = self.theme, NAME_AT if kind.stacked else 0.0
        if isinstance(kind, StackFace) and kind.stacked:
            piece = theme.piece(kind.top)
            color = theme.dimmed(piece) if kind.dimmed else piece
            return color.well, color.ink, theme.quiet_ink(color), down - lift(len(kind.pieces))
        ground = theme.moved if kind.moved else theme.cell
        down = LEFT_NAME_AT if isinstance(kind, Ghost) else down
        return ground, theme.cell_label, theme.quiet_label, down

    def _make_name(
        self, label: str, ground: Rgb, ink: Rgb, stacked: bool
    ) -> tuple[Image.Image, Image.Image, int, int]:
        """Return a name in its color, its mask, and the offset of its corner from its middle."""
        mask, shape, across, up = self._letters(label, stacked)
        return mask.point(self.palette.ramp(ground, ink)), shape, across, up

    def _make_letters(self, label: str, stacked: bool) -> tuple[Image.Image, Image.Image, int, int]:
        """Return a name as a mask, its edged mask, and the offset of its corner from its middle."""
        mask, face = name_of_space(label, self.layout.half, stacked=stacked)
        across, up = centred(mask, face, (0, 0))
        return mask, edged(mask, self.layout.half).convert("L"), across, up


class _Tile(NamedTuple):
    """A rendered tile, cropped to its visible part, as palette indices."""

    kind: Kind
    image: Image.Image
    outline: Image.Image
    box: tuple[int, int, int, int]
    """Bounding box of the visible part within the whole tile."""
    left: int
    """Offset from the center of the space."""
    top: int
    reds: Image.Image | None
    """Mask of the marks of red pieces, or None if there are none."""
    ground: Rgb
    """Background of the space's name."""
    ink: Rgb
    quiet: Rgb
    """Color of the space's name if no player can act there."""
    name_at: int


@lru_cache(maxsize=_PAINTERS_KEPT)
def painter_of(theme: Theme, width_px: int) -> Painter:
    """Return the cached painter of a theme and width, or a new one."""
    return Painter(theme, width_px)


@lru_cache(maxsize=_PAINTERS_KEPT)
def _turned(theme: Theme, width_px: int) -> Painter:
    """Return the painter that rotates boards by 180 degrees."""
    return Painter(theme, width_px, turned=True)


def painter_for(look: Look) -> Painter:
    return (_turned if look.turned else painter_of)(look.theme, look.width_px)


def _kinds(scene: Scene) -> dict[Point, Kind]:
    """Return the kind of each tile, except for plain empty spaces."""
    tiles: dict[Point, Kind] = {
        at: Ghost(stack[-1], len(stack), moved=at == scene.target)
        for at, stack in scene.removed.items()
    }
    if scene.source is not None:
        tiles[scene.source] = Space(moved=True)
    for point, pieces in scene.position.stacks.items():
        tiles[point] = _face(
            pieces,
            dimmed=point in scene.dimmed,
            movable=point in scene.outlined,
            moved=point == scene.target,
        )
    return tiles
