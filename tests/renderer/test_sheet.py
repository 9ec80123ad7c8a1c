"""Several boards in one picture, and the same in words."""

import re
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from dvonn import POINTS, Coordinates, Position
from renderer import Look, Words, describe_boards, render, render_boards
from renderer.geometry import MAX_WIDTH_PX, MIN_WIDTH_PX, Layout
from tests.renderer.gallery import drawn
from tests.renderer.seeing import differing, picture
from tests.renderer.test_twin import ALT_TEXT_LIMIT, read, truth

LAYOUT = Layout(1200)
SIZE_LIMIT = 180 * 1024
_LARGEST_SEED = 2**32 - 1


def boards(seed: int) -> tuple[Position, ...]:
    return tuple(drawn(seed + number) for number in range(3))


def parts(sheet: Image.Image, count: int) -> list[Image.Image]:
    """The boards of a sheet, each with its title above it."""
    height = sheet.height // count
    return [
        sheet.crop((0, number * height, sheet.width, (number + 1) * height))
        for number in range(count)
    ]


@settings(max_examples=8)
@given(st.integers(0, _LARGEST_SEED), st.sampled_from(Coordinates))
def test_any_three_random_boards_make_a_small_picture(seed: int, coordinates: Coordinates) -> None:
    png = render_boards(boards(seed), coordinates=coordinates)

    assert len(png) <= SIZE_LIMIT
    image = Image.open(BytesIO(png))
    assert (image.format, image.mode, image.width) == ("PNG", "P", 1200)
    assert image.height == 3 * (LAYOUT.height - LAYOUT.strip_height + LAYOUT.title_height)


@pytest.mark.parametrize("coordinates", Coordinates)
def test_each_board_looks_as_it_does_alone(coordinates: Coordinates) -> None:
    positions = boards(2001)

    sheet = picture(render_boards(positions, coordinates=coordinates))

    for position, part in zip(positions, parts(sheet, 3), strict=True):
        alone = picture(render(position, coordinates=coordinates))
        below_words = (0, LAYOUT.strip_height, alone.width, alone.height)
        below_title = (0, LAYOUT.title_height, part.width, part.height)
        assert differing(alone.crop(below_words), part.crop(below_title)).getbbox() is None, (
            "a board on a sheet is another than alone"
        )


def test_the_boards_differ_by_their_titles_alone_where_the_same_is_shown() -> None:
    position = drawn(2001)

    first, second = parts(picture(render_boards((position, position))), 2)

    box = differing(first, second).getbbox()
    assert box is not None
    assert box[3] <= LAYOUT.title_height
    assert box[2] <= LAYOUT.width // 4, "a title is short"


def test_the_whole_title_is_in_its_room() -> None:
    words = Words(board="Ágjpqy {number}")

    (image,) = parts(picture(render_boards((drawn(1),), look=Look(words=words))), 1)
    (without,) = parts(picture(render_boards((drawn(1),), look=Look(words=Words(board=" ")))), 1)

    box = differing(image, without).getbbox()
    assert box is not None
    assert box[1] > 0
    assert box[3] < LAYOUT.title_height


def test_a_long_title_becomes_smaller() -> None:
    words = Words(board="A title that is much too long for a picture of this width " * 2)

    image = picture(render_boards((drawn(1),), look=Look(words=words, width_px=400)))
    plain = picture(render_boards((drawn(1),), look=Look(words=Words(board=" "), width_px=400)))

    box = differing(image, plain).getbbox()
    assert box is not None
    assert box[2] < 400


@pytest.mark.parametrize("width", [MIN_WIDTH_PX, 400, MAX_WIDTH_PX])
def test_sheets_are_as_wide_as_asked(width: int) -> None:
    assert picture(render_boards((drawn(1),), look=Look(width_px=width))).width == width


def test_impossible_sheets_are_refused() -> None:
    with pytest.raises(ValueError, match="pixels wide"):
        render_boards(boards(1), look=Look(width_px=MIN_WIDTH_PX - 1))
    with pytest.raises(ValueError, match="no board"):
        render_boards(())


@settings(max_examples=30)
@given(st.integers(0, _LARGEST_SEED), st.sampled_from(Coordinates))
def test_three_random_boards_fit_an_alternative_text_and_can_be_read_back(
    seed: int, coordinates: Coordinates
) -> None:
    positions = boards(seed)

    text = describe_boards(positions, coordinates=coordinates)

    assert len(text) <= ALT_TEXT_LIMIT
    start, *told = re.split(r"Board [123]: ", text)
    assert start == "Boards to choose from: 3. "
    assert [read(one) for one in told] == [truth(one.stacks, coordinates) for one in positions]
    assert all(len(read(one)) == len(POINTS) for one in told)


def test_an_empty_board_is_told_too() -> None:
    told = describe_boards((Position.initial(),))

    assert told == "Boards to choose from: 1. Board 1: The board is empty."


def test_no_word_is_said_of_boards_that_was_not_handed_in() -> None:
    words = Words(boards="«{count}»", board="«b{number}»", white="«w»", black="«s»", red="«r»")

    text = describe_boards((drawn(1), drawn(2)), words=words)

    assert text.startswith("«2» «b1»: «w» ")
    assert re.fullmatch(r"(?:«\w+»|[a-k]\d|[:,. ])*", text), text
