"""Tests for a chosen stack and its targets."""

import math
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from dvonn import POINTS, Color, Coordinates, Move, Phase, Point, Position, UnknownPointError
from dvonn.svg.geometry import Layout
from dvonn.svg.theme import Rgb
from renderer import WOOD, Marks, describe, render
from tests.games import positions_of, random_game
from tests.renderer.gallery import GALLERY, GREAT_CUT, Shown, after
from tests.renderer.seeing import differing, mark_box, picture, space, top, without
from tests.renderer.test_twin import ALT_TEXT_LIMIT
from tests.tiers import share_of

LAYOUT = Layout(1100)
HALF = LAYOUT.half
STRIP = (0, 0, LAYOUT.width, LAYOUT.strip_height)
CHOICES = ["choice", "choice-pergioco"]
# Soft edges make a file larger, which is acceptable for a picture that is seen only briefly.
SIZE_LIMIT = 76 * 1024


def draw(
    position: Position, shown: Marks, coordinates: Coordinates = Coordinates.STANDARD
) -> Image.Image:
    return picture(render(position, marks=shown, coordinates=coordinates))


@cache
def pair(name: str) -> tuple[Image.Image, Image.Image]:
    """Return a picture of the gallery without marks, and with them."""
    shown = GALLERY[name]
    assert isinstance(shown.marks, Marks)
    plain = draw(shown.position, Marks(), shown.coordinates)
    return plain, draw(shown.position, shown.marks, shown.coordinates)


def pixels(image: Image.Image, color: Rgb) -> set[tuple[int, int]]:
    """Return where an image has exactly a color."""
    data, wanted = image.tobytes(), bytes(color)
    return {
        (at // 3 % image.width, at // 3 // image.width)
        for at in range(0, len(data), 3)
        if data[at : at + 3] == wanted
    }


def touched(shown: Shown) -> list[tuple[int, int, int, int]]:
    """Return the rectangles that contain the marks of a picture."""
    assert isinstance(shown.marks, Marks)
    assert shown.marks.source is not None
    return [mark_box(LAYOUT, point) for point in (shown.marks.source, *shown.marks.landings)]


@pytest.mark.parametrize("name", CHOICES)
def test_marks_change_only_their_own_spaces(name: str) -> None:
    plain, marked = pair(name)
    boxes = touched(GALLERY[name])
    # Without a chosen stack, the stacks that can be chosen are outlined.
    sources = {move.source for move in GALLERY[name].position.legal_moves() if move.source}

    for box in boxes:
        assert differing(plain.crop(box), marked.crop(box)).getbbox(), box
    boxes += [mark_box(LAYOUT, point) for point in sources]
    assert differing(without(plain, boxes), without(marked, boxes)).getbbox() is None


@pytest.mark.parametrize("name", CHOICES)
def test_the_chosen_stack_has_a_heavy_hexagon_and_each_landing_a_circle(name: str) -> None:
    _, marked = pair(name)
    shown = GALLERY[name].marks
    assert isinstance(shown, Marks)
    assert shown.source is not None
    x, y = LAYOUT.centre(shown.source)
    line = {(px - x, py - y) for px, py in pixels(marked, WOOD.accent)}
    assert len(line) > HALF**2 * 0.4

    # A hexagon's sides are closer to its center than its corners. A circle's points are not.
    away = sorted(math.hypot(*place) / HALF for place in line)
    assert away[0] < 0.95
    assert away[-1] > 1.15
    for point in shown.landings:
        x, y = LAYOUT.centre(point)
        below = marked.crop((x - HALF // 3, y, x + HALF // 3, y + HALF))
        ways = [math.dist(place, (HALF // 3, 0)) / HALF for place in pixels(below, WOOD.landing)]
        assert len(ways) > HALF, point
        assert 0.8 < min(ways) < max(ways) < 0.95, point


@pytest.mark.parametrize("coordinates", Coordinates)
def test_every_point_can_be_a_landing(coordinates: Coordinates) -> None:
    nothing, everywhere = (
        draw(Position.initial(), shown, coordinates) for shown in (Marks(), Marks(None, POINTS))
    )

    boxes = [mark_box(LAYOUT, point) for point in POINTS]
    assert differing(without(nothing, boxes), without(everywhere, boxes)).getbbox() is None
    assert differing(nothing.crop(STRIP), everywhere.crop(STRIP)).getbbox() is None


def assert_signs_are_whole(position: Position, plain: Image.Image, marked: Image.Image) -> None:
    """Check that marks of red pieces and numbers are in the same places as in the plain picture."""
    reach = round(HALF * 0.35)
    for point, pieces in position.stacks.items():
        x, y = top(LAYOUT, point, pieces)
        middle = (x - reach, y - reach, x + reach, y + reach // 3)
        if len(pieces) > 1 or pieces == "R":  # names are darker where a stack can land
            assert differing(plain.crop(middle), marked.crop(middle)).getbbox() is None, point
        if pieces != "R":  # a highlight on the ring may have the color of a mark
            inside_plain, inside_marked = (space(i, LAYOUT, point) for i in (plain, marked))
            here = pixels(inside_plain, WOOD.mark)
            assert pixels(inside_marked, WOOD.mark) == here, point


@pytest.mark.parametrize("name", CHOICES)
def test_no_mark_hides_a_number_or_the_mark_of_a_red_piece(name: str) -> None:
    assert_signs_are_whole(GALLERY[name].position, *pair(name))


# circles wherever possible, around stacks of every kind
@pytest.mark.parametrize(
    ("name", "coordinates"),
    [
        (name, coordinates)
        for name in ("towers-pergioco", "three-reds-over", "white-passes", "great-cut")
        for coordinates in Coordinates
    ],
)
def test_marks_everywhere_hide_no_number_and_no_red_piece(
    name: str, coordinates: Coordinates
) -> None:
    position = GALLERY[name].position
    chosen = next(point for point, pieces in position.stacks.items() if "R" in pieces)
    shown = Marks(chosen, tuple(position.stacks))

    plain, marked = (draw(position, marks, coordinates) for marks in (Marks(), shown))

    assert_signs_are_whole(position, plain, marked)


@pytest.mark.parametrize("name", ["towers-pergioco", "three-reds-over", "long-arrow"])
def test_a_chosen_tower_keeps_its_number(name: str) -> None:
    position = GALLERY[name].position
    plain = draw(position, Marks())

    for chosen in position.stacks:
        assert_signs_are_whole(position, plain, draw(position, Marks(chosen, only_outlined=True)))


def test_marks_replace_the_last_move_and_its_losses() -> None:
    shown = GALLERY["great-cut"]
    position = shown.position
    assert position.removed
    then = Position.from_stacks(dict(position.stacks), turn=Color.BLACK)
    choice = Marks.for_stack(position, Point("g3"))

    def board(position: Position, last: Move | None = None, marks: Marks | None = None) -> bytes:
        """Return the part below the header."""
        image = picture(render(position, last=last, marks=marks))
        return without(image, [STRIP]).tobytes()

    assert board(position, shown.last, choice) == board(then, marks=choice)
    assert board(position, shown.last, Marks()) == board(then)
    assert board(position, shown.last) != board(then)


def test_free_spaces_need_no_marks() -> None:
    shown = after(GREAT_CUT, 10)

    plain, marked = draw(shown.position, Marks()), picture(render(shown.position))

    assert differing(plain, marked).getbbox() is None


def test_an_ordinary_picture_is_the_same_after_one_with_marks() -> None:
    shown = GALLERY["choice"]
    before = render(shown.position, last=shown.last)

    marked = render(shown.position, last=shown.last, marks=shown.marks)

    assert marked != before
    assert render(shown.position, last=shown.last) == before


@pytest.mark.parametrize("source", ["a6", "l1", ""])
def test_marks_off_the_board_are_refused(source: str) -> None:
    position = Position.initial()

    with pytest.raises(UnknownPointError):
        Marks.for_stack(position, Point(source))
    for marks in (Marks(Point(source)), Marks(None, (Point(source),))):
        with pytest.raises(UnknownPointError):
            render(position, marks=marks)
        with pytest.raises(UnknownPointError):
            describe(position, marks=marks)


def test_immovable_stacks_have_no_landings() -> None:
    position = after(GREAT_CUT, 60).position

    assert Marks.for_stack(position, Point("b2")) == Marks(Point("b2")), "surrounded"
    assert Marks.for_stack(position, Point("g4")) == Marks(Point("g4")), "a red piece"
    assert Marks.for_stack(position, Point("a3")) == Marks(Point("a3")), "the other player's"
    assert Marks.for_stack(position, Point("b4")) == Marks(Point("b4")), "an empty space"


@settings(max_examples=share_of(10))
@given(st.integers(0, 10**6), st.integers(0, 47), st.sampled_from(Coordinates), st.data())
def test_any_choice_in_any_game_makes_a_small_picture(
    seed: int, plies: int, coordinates: Coordinates, data: st.DataObject
) -> None:
    positions = [p for p in positions_of(random_game(seed)) if p.phase is Phase.MOVEMENT]
    position = positions[min(plies, len(positions) - 1)]
    sources = sorted({move.source for move in position.legal_moves() if move.source})
    choice = Marks.for_stack(position, data.draw(st.sampled_from(sources)))

    assert choice.landings
    assert len(render(position, marks=choice, coordinates=coordinates)) <= SIZE_LIMIT
    assert len(describe(position, marks=choice, coordinates=coordinates)) <= ALT_TEXT_LIMIT
