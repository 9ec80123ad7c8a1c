"""Tests for tiles: each stays inside its own hexagon, and all kinds are distinguishable."""

import itertools
from functools import cache

import pytest
from PIL import Image, ImageChops, ImageFilter

from dvonn.svg.geometry import Layout, hexagon
from dvonn.svg.stack_shapes import FOOT, NAME_AT, OUTER, STEP, StackFace, lift
from dvonn.svg.theme import Rgb
from renderer import THEMES, WOOD, Theme
from renderer.lettering import centred, name_of_space
from renderer.shapes import SoftMask
from renderer.tiles import Ghost, TileMaker
from tests.renderer.seeing import contrast, differing, spots

HALF = 48
TILES = TileMaker(WOOD, HALF)
MARK = WOOD.mark

PLAYERS = ("W", "B")


def face(top: str, height: int, reds: int = 0, *, dimmed: bool = False) -> StackFace:
    """Return the face of a stack that has its red pieces at the bottom."""
    return StackFace.from_pieces(("R" * reds + "WB" * 25)[: height - 1] + top, dimmed=dimmed)


FACES = [
    face(top, height, reds, dimmed=dimmed)
    for top in PLAYERS
    for height in (1, 2, 3, 6, 7, 10, 43)
    for reds in range(min(3, height - 1) + 1)
    for dimmed in (False, True)
] + [StackFace.from_pieces("R")]


@cache
def tile(face: StackFace) -> Image.Image:
    return TILES.stack(face)


EMPTY = TILES.space(WOOD.cell)


def changed(a: Image.Image, b: Image.Image) -> int:
    """Return the number of distinguishable pixels."""
    return differing(a, b, tolerance=30).histogram()[255]


@pytest.mark.parametrize("face", FACES, ids=str)
def test_a_stack_of_any_height_stays_at_its_own_space(face: StackFace) -> None:
    """A stack extends beyond its hexagon only at the top, where two spaces meet."""
    stack = TILES.outline(face._replace(reds=0))
    width, height = stack.size
    inside = SoftMask(stack.size)
    inside.polygon(hexagon((width / 2, height / 2), HALF + 0.5))

    beyond = ImageChops.subtract(stack.convert("L"), inside.image()).point(
        [255 if value > 128 else 0 for value in range(256)]
    )

    left, upper, right, lower = beyond.getbbox() or (width // 2, 0, width // 2, 0)
    assert lower < height / 2 - HALF * 0.6
    assert upper >= 0
    assert max(width / 2 - left, right - width / 2) < HALF * OUTER + 2


@pytest.mark.parametrize("face", [face for face in FACES if face.height > 1], ids=str)
def test_red_pieces_inside_can_be_counted_as_marks_on_its_face(face: StackFace) -> None:
    assert spots(tile(face), MARK) == face.reds


@pytest.mark.parametrize("face", [face for face in FACES if face.height > 1], ids=str)
def test_the_marks_of_red_pieces_can_be_cut_out(face: StackFace) -> None:
    mask = TILES.marks(face)
    marks, rest = (Image.new("RGB", mask.size) for _ in range(2))
    marks.paste(tile(face), mask=mask)
    rest.paste(tile(face))
    rest.paste((0, 0, 0), mask=mask)

    assert spots(marks, MARK) == face.reds
    assert spots(rest, MARK, at_least=1) == 0
    assert mask.histogram()[255] <= face.reds * 0.2 * HALF**2, "no more than the marks"
    box = mask.getbbox()
    assert box is None or box[3] < mask.height / 2 + HALF * (OUTER + FOOT), "on its own stack"


@pytest.mark.parametrize("top", PLAYERS)
@pytest.mark.parametrize("dimmed", [False, True])
def test_every_height_looks_different(top: str, *, dimmed: bool) -> None:
    heights = [tile(face(top, height, dimmed=dimmed)) for height in range(1, 48)]

    for one, other in itertools.pairwise(heights):
        assert changed(one, other) > 60


def test_a_single_piece_shows_the_space_through_its_hole_and_no_number() -> None:
    for top in PLAYERS:
        single = tile(StackFace.from_pieces(top))
        x, y, reach = single.width // 2, single.height // 2, HALF // 4
        hole = single.crop((x - reach, y - reach, x + reach, y + reach))

        assert hole.getcolors() == [((2 * reach) ** 2, WOOD.cell)]


def test_a_stack_has_a_number_in_its_ink() -> None:
    for top, colors in (("W", WOOD.white), ("B", WOOD.black)):
        for dimmed in (False, True):
            assert spots(tile(face(top, 8, dimmed=dimmed)), colors.ink) == 1
            assert spots(tile(face(top, 11, dimmed=dimmed)), colors.ink) == 2


def test_a_stack_is_as_tall_as_it_is_high_up_to_six() -> None:
    highest = [_highest(tile(face("W", height))) for height in range(1, 8)]

    # The bottoms of stacks of three or more pieces are at the same place. On a phone, a piece is
    # two pixels high.
    assert highest[:6] == sorted(set(highest[:6]), reverse=True)
    assert highest[6] == highest[5]
    assert STEP * Layout(400).half > 2.3


def test_the_side_of_a_stack_has_the_colors_of_its_pieces() -> None:
    white, black, red = (
        tile(StackFace.from_pieces(below + "W")) for below in ("WWWW", "BBBB", "RBBB")
    )

    def shows_color(stack: Image.Image, color: Rgb) -> bool:
        return spots(stack, color) > 0

    assert shows_color(white, WOOD.white.side)
    assert not shows_color(white, WOOD.black.side)
    assert shows_color(black, WOOD.black.side)
    assert not shows_color(black, WOOD.red.side)
    assert shows_color(red, WOOD.red.side)


@pytest.mark.parametrize("piece", ["W", "B", "R"])
def test_a_single_piece_has_a_side_below_its_top(piece: str) -> None:
    single = tile(StackFace.from_pieces(piece))
    below = single.crop((0, round(single.height / 2 + HALF * OUTER), *single.size))

    assert spots(below, WOOD.piece(piece).side, at_least=20) == 1


def _highest(stack: Image.Image) -> int:
    """Return the y coordinate of the stack's highest pixel."""
    box = differing(stack, EMPTY, tolerance=20).getbbox()
    assert box is not None
    return box[1]


@pytest.mark.parametrize("top", PLAYERS)
def test_immovable_stacks_are_closer_to_their_spaces_color(top: str) -> None:
    bright, dim = tile(StackFace.from_pieces(top)), tile(StackFace.from_pieces(top, dimmed=True))

    assert changed(bright, dim) > 1000
    difference_bright, difference_dim = (
        sum(a * b for a, b in enumerate(_grey_difference(stack))) for stack in (bright, dim)
    )
    assert difference_dim < 0.8 * difference_bright


@pytest.mark.parametrize("top", PLAYERS)
@pytest.mark.parametrize("below", ["", "B", "BWBWB"])
def test_a_stack_that_may_move_has_a_bright_line_around_all_of_it(top: str, below: str) -> None:
    plain, outlined = (
        tile(StackFace.from_pieces(below + top)),
        tile(StackFace.from_pieces(below + top, movable=True)),
    )

    mask = differing(plain, outlined)
    assert spots(outlined, WOOD.movable, at_least=HALF) == 1
    assert mask.histogram()[255] < 1.5 * HALF**2, "it is thin"
    pile = SoftMask(plain.size)
    TILES._pile(pile, len(StackFace.from_pieces(below + top).pieces), OUTER - 0.05)
    assert ImageChops.multiply(mask, pile.stencil().convert("L")).getbbox() is None


def _grey_difference(stack: Image.Image) -> list[int]:
    """Return the histogram of differences in brightness from the empty space."""
    empty = EMPTY.convert("L").tobytes()
    counts = [0] * 256
    for a, b in zip(stack.convert("L").tobytes(), empty, strict=True):
        counts[abs(a - b)] += 1
    return counts


@pytest.mark.parametrize("half", [12, 17, HALF])
@pytest.mark.parametrize("top", PLAYERS)
@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_the_dashes_of_a_ghost_are_visible_at_every_size(theme: Theme, top: str, half: int) -> None:
    tiles = TileMaker(theme, half)
    left = tiles.ghost(Ghost(top, 1))
    dashes = [
        color
        for count, color in left.getcolors(left.width * left.height) or []
        if isinstance(color, tuple) and count >= half // 4
        if contrast((color[0], color[1], color[2]), theme.cell) >= 3
    ]
    assert dashes


@pytest.mark.parametrize("top", PLAYERS)
def test_a_ghost_differs_from_pieces_and_empty_spaces_and_has_a_number(top: str) -> None:
    colors = WOOD.white if top == "W" else WOOD.black
    ghost, single = TILES.ghost(Ghost(top, 4)), TILES.ghost(Ghost(top, 1))

    assert changed(ghost, EMPTY) > 500
    assert changed(ghost, tile(face(top, 4))) > 2000
    assert spots(single, colors.top) == 14, "dashes"
    assert spots(ghost, colors.top) == 14
    for told in (ghost, single):  # a minus sign and a digit
        assert spots(told, WOOD.cell_label, at_least=40) == 2
    assert changed(ghost, single) > 100, "the figure"


@pytest.mark.parametrize("half", [Layout(400).half, Layout(1100).half])
@pytest.mark.parametrize("name", ["m", "g1", "b11"])
@pytest.mark.parametrize("stack", ["R", *range(2, 50)])
def test_no_sign_of_a_red_piece_touches_a_number_or_a_name(
    stack: str | int, name: str, half: int
) -> None:
    """Stacks of any height show all of their red marks, with at least a pixel between them."""
    maker = TileMaker(WOOD, half)
    for reds in range(1, 4):
        one = (
            face("W", stack, min(reds, stack - 1))
            if isinstance(stack, int)
            else StackFace.from_pieces(stack)
        )
        signs = maker.marks(one)
        middle, up = signs.height / 2, lift(len(one.pieces))
        letters = Image.new("L", signs.size)
        mask, drawn = name_of_space(name, half, stacked=True)
        across, down = centred(mask, drawn, (signs.width / 2, middle + half * (NAME_AT - up)))
        letters.paste(255, (across, down), mask)
        if one.height > 1:
            maker._number(letters, str(one.height), 255, up)
        near = letters.filter(ImageFilter.MaxFilter(3)).point([0] * 64 + [255] * 192)
        assert signs.getbbox() is not None
        assert ImageChops.multiply(near, signs.convert("L")).getbbox() is None, (reds, half)
