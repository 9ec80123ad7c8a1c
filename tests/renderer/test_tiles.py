"""What stands on a space: inside its own hexagon, and told apart by what can be seen."""

import itertools
from functools import cache

import pytest
from PIL import Image

from dvonn import Piece
from renderer import SLATE, THEMES
from renderer.geometry import hexagon, tile_size
from renderer.shapes import SoftMask
from renderer.tiles import OUTER, Face, TileMaker
from tests.renderer.seeing import differing, pixel, spots

HALF = 49
TILES = TileMaker(SLATE, HALF)
MARK = SLATE.mark

PLAYERS: tuple[Piece, ...] = ("W", "B")
FACES = [
    Face(top, height, reds, dimmed)
    for top in PLAYERS
    for height in (1, 2, 3, 6, 7, 10, 43)
    for reds in range(min(3, height - 1) + 1)
    for dimmed in (False, True)
] + [Face("R", 1, 1)]


@cache
def tile(face: Face) -> Image.Image:
    return TILES.stack(face)


def changed(a: Image.Image, b: Image.Image) -> int:
    """How many pixels can be told apart."""
    return differing(a, b, tolerance=30).histogram()[255]


@pytest.mark.parametrize("face", FACES, ids=str)
def test_a_stack_of_any_height_stays_inside_its_own_space(face: Face) -> None:
    size = tile_size(HALF)
    inside = SoftMask(size)
    inside.polygon(hexagon((size[0] / 2, size[1] / 2), HALF - 1.0))
    stack = tile(face).copy()

    stack.paste(TILES.empty, mask=inside.stencil())

    assert differing(stack, TILES.empty).getbbox() is None


@pytest.mark.parametrize("face", [face for face in FACES if face.top != "R"], ids=str)
def test_red_pieces_inside_can_be_counted_as_marks(face: Face) -> None:
    assert spots(tile(face), MARK) == face.reds


@pytest.mark.parametrize("face", [face for face in FACES if face.top != "R"], ids=str)
def test_the_marks_of_red_pieces_can_be_cut_out(face: Face) -> None:
    mask = TILES.red_marks(face)
    marks, rest = (Image.new("RGB", mask.size) for _ in range(2))
    marks.paste(tile(face), mask=mask)
    rest.paste(tile(face))
    rest.paste((0, 0, 0), mask=mask)

    assert spots(marks, MARK) == face.reds
    assert spots(rest, MARK, at_least=1) == 0
    assert mask.histogram()[255] <= face.reds * 0.2 * HALF**2, "no more than the marks"


def test_a_lone_red_piece_has_its_mark_at_its_foot_and_an_inlay_between_light_lines() -> None:
    red, unmarked = tile(Face("R", 1, 1)), tile(Face("R", 1, 0))
    x, y = red.width // 2, red.height // 2

    box = differing(red, unmarked).getbbox()
    assert box is not None
    assert box[1] > y + HALF * 0.4, "the mark is at the foot"
    up = [red.getpixel((x, row)) for row in range(y - HALF, y)]
    light = [number for number, pixel in enumerate(up) if pixel == SLATE.mark_edge]
    bright = [number for number, pixel in enumerate(up) if pixel == MARK]
    assert light[0] < bright[0] <= bright[-1] < light[-1]


@pytest.mark.parametrize("top", PLAYERS)
@pytest.mark.parametrize("dimmed", [False, True])
def test_every_height_looks_different(top: Piece, *, dimmed: bool) -> None:
    heights = [tile(Face(top, height, 0, dimmed)) for height in range(1, 48)]

    for one, other in itertools.pairwise(heights):
        assert changed(one, other) > 60


def test_a_single_piece_shows_the_space_through_its_hole_and_no_number() -> None:
    for top in (*PLAYERS, "R"):
        single = tile(Face(top, 1))
        x, y, reach = single.width // 2, single.height // 2, HALF // 4
        hole = single.crop((x - reach, y - reach, x + reach, y + reach))

        assert hole.getcolors() == [((2 * reach) ** 2, SLATE.cell)]


def test_a_stack_has_a_number_in_its_ink() -> None:
    for top, colours in (("W", SLATE.white), ("B", SLATE.black)):
        for dimmed in (False, True):
            assert spots(tile(Face(top, 8, 0, dimmed)), colours.ink) == 1  # type: ignore[arg-type]  # "W" or "B"
            assert spots(tile(Face(top, 11, 0, dimmed)), colours.ink) == 2  # type: ignore[arg-type]  # the same


def test_up_to_six_rings_of_a_pile_are_drawn() -> None:
    feet = [_lowest(tile(Face("W", height))) for height in (1, 2, 3, 4, 5, 6)]

    assert feet == sorted(set(feet))
    assert _lowest(tile(Face("W", 7))) == feet[-1]


@pytest.mark.parametrize("key", [key for key, theme in THEMES.items() if theme.outline])
def test_the_side_of_a_pile_is_of_its_owners_colour(key: str) -> None:
    """Where lines of the other colour run between rings, they are the lesser part of the side."""
    theme = THEMES[key]
    shades = {}
    for top in PLAYERS:
        pile = TileMaker(theme, HALF).stack(Face(top, 6))
        x, middle = pile.width // 2, pile.height // 2
        first, last = (middle + round(HALF * (OUTER + way * 0.15)) for way in (-1, 1))
        side = [sum(pixel(pile, x, y)) / 3 for y in range(first + 2, last - 2)]
        shades[top] = sum(side) / len(side)

    assert shades["B"] < 255 / 2 < shades["W"]
    assert shades["W"] - shades["B"] > 255 / 4


def _lowest(stack: Image.Image) -> int:
    """The lowest line of pixels that the stack reaches."""
    box = differing(stack, TILES.empty).getbbox()
    assert box is not None
    return box[3]


@pytest.mark.parametrize("top", PLAYERS)
def test_what_may_not_move_is_nearer_to_its_space(top: Piece) -> None:
    bright, dim = tile(Face(top, 1)), tile(Face(top, 1, 0, dimmed=True))

    assert changed(bright, dim) > 1000
    difference_bright, difference_dim = (
        sum(a * b for a, b in enumerate(_grey_difference(stack))) for stack in (bright, dim)
    )
    assert difference_dim < 0.8 * difference_bright


@pytest.mark.parametrize("top", PLAYERS)
def test_a_stack_that_may_move_has_a_thin_line_around_it(top: Piece) -> None:
    plain, outlined = tile(Face(top, 2)), tile(Face(top, 2, movable=True))

    mask = differing(plain, outlined)
    x, y = plain.width // 2, plain.height // 2
    reach = round(HALF * 0.6)
    assert mask.getbbox() is not None
    assert mask.crop((x - reach, y - reach, x + reach, y + reach)).getbbox() is None
    assert mask.histogram()[255] < 0.45 * HALF**2, "it is thin"


def _grey_difference(stack: Image.Image) -> list[int]:
    """How often each difference of brightness from the empty space occurs."""
    empty = TILES.empty.convert("L").tobytes()
    counts = [0] * 256
    for a, b in zip(stack.convert("L").tobytes(), empty, strict=True):
        counts[abs(a - b)] += 1
    return counts


@pytest.mark.parametrize("top", PLAYERS)
def test_a_ghost_is_neither_a_piece_nor_nothing_and_has_its_number(top: Piece) -> None:
    colours = SLATE.white if top == "W" else SLATE.black
    ghost, single = TILES.ghost(top, 4), TILES.ghost(top, 1)

    assert changed(ghost, TILES.empty) > 500
    assert changed(ghost, tile(Face(top, 4))) > 2000
    assert spots(single, colours.top) == 14, "dashes"
    assert spots(ghost, colours.top) == 14
    assert spots(ghost, SLATE.cell_label, at_least=40) == 1
    assert spots(single, SLATE.cell_label, at_least=1) == 0
