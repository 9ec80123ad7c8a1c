"""Several boards in one picture, and the same in words."""

import re
from io import BytesIO
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from dvonn import POINTS, Coordinates, Point, Position
from renderer import ENGLISH, THEMES, Look, Theme, Words, describe_boards, render_boards
from renderer.geometry import MAX_WIDTH_PX, MIN_WIDTH_PX, Layout
from renderer.tiles import Face, TileMaker
from tests.games import drawn
from tests.renderer.seeing import differing, picture, pixel
from tests.renderer.test_twin import ALT_TEXT_LIMIT, read, truth
from tests.tiers import share_of

SIZE_LIMIT = 48 * 1024
_LARGEST_SEED = 2**32 - 1


def boards(seed: int) -> tuple[Position, ...]:
    return tuple(drawn(seed + number) for number in range(3))


def part(sheet: Image.Image, number: int) -> Image.Image:
    """A quarter of a sheet of three boards: number 3 is that of the words."""
    line, column = divmod(number, 2)
    width, height = sheet.width // 2, sheet.height // 2
    return sheet.crop((column * width, line * height, (column + 1) * width, (line + 1) * height))


@settings(max_examples=share_of(8))
@given(st.integers(0, _LARGEST_SEED))
def test_any_three_random_boards_make_a_small_picture_that_discord_shows_whole(seed: int) -> None:
    png = render_boards(boards(seed))

    assert len(png) <= SIZE_LIMIT
    image = Image.open(BytesIO(png))
    assert (image.format, image.mode, image.width) == ("PNG", "P", 1100)
    assert image.height / image.width <= 350 / 550


def test_each_board_shows_each_of_its_pieces() -> None:
    positions = boards(2001)
    sheet, empty = (
        picture(render_boards(shown)) for shown in (positions, (Position.initial(),) * 3)
    )
    layout = Layout(550)
    # A board is moved as a whole: a1 of the first is where its own lowest row begins.
    first = differing(part(sheet, 0), part(empty, 0)).getbbox()
    assert first is not None
    for number, position in enumerate(positions):
        shown, plain = part(sheet, number), part(empty, number)
        top = layout.centre(Point("c5")).y - first[1] - round(layout.half * 0.83)
        for point in POINTS:
            x, y = layout.centre(point)
            reach = round(layout.half * 0.66)
            at = (x - reach, y - top)
            seen, was = pixel(shown, *at), pixel(plain, *at)
            assert seen != was, (number, point)
            bright = sum(seen) > sum(was)
            assert bright == (position.stacks[point] == "W") or position.stacks[point] == "R"


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_each_kind_of_piece_is_told_on_a_phone_without_colours(theme: Theme) -> None:
    tiles = TileMaker(theme, Layout(200).half)
    greys = [tiles.stack(Face.of(piece, named=False)).convert("L") for piece in "WBR"]

    for one, other in combinations((grey.convert("RGB") for grey in greys), 2):
        seen = differing(one, other, tolerance=60).histogram()[255]
        assert seen > tiles.half**2, "a quarter of its space"


def test_the_boards_differ_by_their_titles_alone_where_the_same_is_shown() -> None:
    position = drawn(2001)

    sheet = picture(render_boards((position, position, position)))

    box = differing(part(sheet, 0), part(sheet, 1)).getbbox()
    assert box is not None
    assert box[3] < 48, "a title is above its board"
    assert box[2] <= sheet.width // 7, "a title is short"


def test_words_fill_the_last_quarter_and_are_those_handed_in() -> None:
    said = Words(choose_board="Eins", then_colour="Zwei", white_first="Drei")

    mine, plain = (
        picture(render_boards(boards(1), look=Look(words=words))) for words in (said, ENGLISH)
    )

    assert differing(part(mine, 3), part(plain, 3)).getbbox() is not None
    assert differing(part(mine, 0), part(plain, 0)).getbbox() is None


def test_a_long_title_becomes_smaller() -> None:
    words = Words(board="A title that is much too long for a picture of this width " * 2)

    image = picture(render_boards((drawn(1),), look=Look(words=words, width_px=400)))
    plain = picture(render_boards((drawn(1),), look=Look(words=Words(board=" "), width_px=400)))

    box = differing(image, plain).getbbox()
    assert box is not None
    assert box[2] < 200


@pytest.mark.parametrize("width", [300, 400, MAX_WIDTH_PX])
def test_sheets_are_as_wide_as_asked(width: int) -> None:
    assert picture(render_boards((drawn(1),), look=Look(width_px=width))).width == width


def test_impossible_sheets_are_refused() -> None:
    with pytest.raises(ValueError, match="pixels wide"):
        render_boards(boards(1), look=Look(width_px=MIN_WIDTH_PX - 1))
    with pytest.raises(ValueError, match="no board"):
        render_boards(())


@settings(max_examples=share_of(30))
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
