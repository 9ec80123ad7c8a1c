"""Tests for the end of a game: winner, towers, counts."""

from dataclasses import replace

import pytest
from PIL import Image

from dvonn import Color, Coordinates, Position
from dvonn.svg.geometry import MAX_WIDTH_PX, MIN_WIDTH_PX, Layout
from renderer import ENGLISH, WOOD, Caption, Ending, Look, Words, render
from renderer.caption import NO_CAPTION, details, headline
from renderer.head import head_of
from renderer.picture import Painter
from renderer.scene import Scene
from tests.renderer.gallery import GALLERY, GREAT_CUT, WHITE_PASSES, Shown, after, ended
from tests.renderer.seeing import differing, picture, sizes, spots, without
from tests.renderer.test_head import LANGUAGES, words_of

LAYOUT = Layout(1100)
STRIP = (0, 0, LAYOUT.width, LAYOUT.strip_height)
END, RESIGNED = GALLERY["end"], GALLERY["resigned"]
PANELS = (0, LAYOUT.height, LAYOUT.width, 699)
HALF = LAYOUT.half


def draw(shown: Shown, caption: Caption | None = None) -> bytes:
    return render(shown.position, last=shown.last, caption=caption or shown.caption)


@pytest.mark.parametrize(
    ("ending", "winner", "told"),
    [
        (Ending.COUNT, Color.WHITE, ["Ann wins", "18 to 10 pieces", "After move 82"]),
        (Ending.RESIGNATION, Color.BLACK, ["Bob wins", "Ann resigned", "After move 82"]),
        (Ending.TIME, Color.WHITE, ["Ann wins", "Bob ran out of time", "After move 82"]),
        (Ending.AGREEMENT, None, ["A draw", "Draw agreed", "After move 82"]),
        (Ending.ABORT, None, ["No result", "The game was canceled", "After move 82"]),
    ],
)
def test_the_strip_says_who_has_won_and_how(
    ending: Ending, winner: Color | None, told: list[str]
) -> None:
    position = after(WHITE_PASSES, 82).position
    caption = Caption(white="Ann", black="Bob", ending=ending, winner=winner)

    said = [headline(position, ENGLISH, caption), *details(position, ENGLISH, caption)]

    assert said == told


def test_the_winner_is_marked_after_any_end_without_a_turn() -> None:
    position = RESIGNED.position
    assert "to move" in headline(position, ENGLISH, NO_CAPTION)
    for ending in (Ending.RESIGNATION, Ending.TIME):
        caption = replace(RESIGNED.caption, ending=ending, winner=Color.BLACK)
        assert "to move" not in headline(position, ENGLISH, caption)
        chips = head_of(Scene(position, caption=caption), ENGLISH, 22.9).chips
        assert [chip.marked for chip in chips] == [False, True]
        assert [chip.star is not None for chip in chips] == [False, True]
    running = picture(draw(RESIGNED, NO_CAPTION))
    over = picture(draw(RESIGNED, RESIGNED.caption))
    assert differing(running.crop(STRIP), over.crop(STRIP)).getbbox() is not None


def test_an_ended_game_is_completely_shown() -> None:
    width, height = picture(draw(END)).size

    assert height / width <= 350 / 550 + 0.001


def test_the_board_of_an_end_is_as_large_as_any_other() -> None:
    end = picture(draw(END))
    board = (0, LAYOUT.strip_height, LAYOUT.width, LAYOUT.height)
    running = Position.from_stacks(dict(END.position.stacks), turn=Color.WHITE)
    shown = picture(render(running, last=END.last, aids=False))

    assert differing(end.crop(board), shown.crop(board)).getbbox() is None


def test_towers_are_as_long_as_the_counts() -> None:
    image = picture(draw(END))
    white, black = (tower(image, round(HALF * at)) for at in (0.72, 1.83))

    counts = [END.position.score(color) for color in (Color.WHITE, Color.BLACK)]
    assert counts == [18, 10]
    # A tower is as many layers long, and its top ring is visible.
    layer = (white - black) / (counts[0] - counts[1])
    assert 5 < layer <= HALF * 0.5 + 1
    assert white - counts[0] * layer == pytest.approx(black - counts[1] * layer, abs=1)


def tower(image: Image.Image, down: int) -> int:
    """Return how far a tower reaches in a row of pixels of the panel."""
    left, y = round(HALF * 0.75), LAYOUT.height + down
    row = [image.getpixel((x, y)) in GROUND for x in range(left, LAYOUT.width // 2)]
    return next(x for x in range(len(row)) if all(row[x : x + 12]))


@pytest.mark.parametrize("reds", ["RW", "RBW", "WRBW", "RRRW"])
def test_the_sign_of_a_red_piece_is_complete_anywhere_in_a_tower(reds: str) -> None:
    rest = dict.fromkeys(("e1", "f1")[: 3 - reds.count("R")], "R")
    position = Position.from_stacks({"a1": reds, "b1": "B"} | rest, turn=Color.BLACK)
    caption = Caption(ending=Ending.RESIGNATION, winner=Color.WHITE)
    scene = Scene(position, caption=caption)
    painter = Painter(WOOD, LAYOUT.width)
    end = painter.finish.render(painter.board(scene), scene, ENGLISH)
    panel = picture(painter.encode(end)).crop((0, LAYOUT.height, LAYOUT.width, end.height))
    whole = sizes(panel, WOOD.mark)

    assert len(whole) == reds.count("R")
    assert all(size >= 0.8 * 2 * (0.21 * HALF) ** 2 * 0.86 for size in whole)


GROUND = {WOOD.cell, WOOD.canvas}


def test_the_chart_follows_the_scores_and_is_omitted_for_a_single_one() -> None:
    caption = END.caption
    flat = replace(caption, scores=((23, 23),) * 20)
    alone, two = (replace(caption, scores=((23, 23),) * number) for number in (1, 2))

    steep, level, none, short = (picture(draw(END, item)) for item in (caption, flat, alone, two))

    edge = LAYOUT.width - round(HALF * 9.6)
    towers = (0, 0, edge, steep.height)
    chart = (edge, LAYOUT.height, LAYOUT.width, steep.height)
    assert differing(steep.crop(towers), level.crop(towers)).getbbox() is None
    assert differing(steep.crop(chart), level.crop(chart)).getbbox() is not None
    panels = [spots(item.crop(PANELS), WOOD.cell, at_least=10_000) for item in (steep, none, short)]
    assert panels == [2, 1, 2]


@pytest.mark.parametrize("width", [400, 1100])
def test_the_chart_has_a_scale_and_the_numbers_of_its_moves(width: int) -> None:
    shown, look = END, Look(width_px=width)
    scores = END.caption.scores
    shifted = tuple((white + 3, black + 3) for white, black in scores)

    def drawn(words: Words = ENGLISH, **caption: object) -> Image.Image:
        told = replace(shown.caption, **caption)  # type: ignore[arg-type]  # a caption's own
        png = render(shown.position, caption=told, look=replace(look, words=words))
        return picture(png)

    plain, layout = drawn(), Layout(width)
    below = layout.height + round(layout.half * 1.8)
    axis = (0, layout.height, width - round(layout.half * 8.4), below)
    numbers = (width - round(layout.half * 9.4), below, width, plain.height)
    higher, later = drawn(scores=shifted), drawn(dealt=49)
    assert differing(plain.crop(axis), higher.crop(axis)).getbbox() is not None
    assert differing(plain.crop(numbers), higher.crop(numbers)).getbbox() is None
    assert differing(plain.crop(numbers), later.crop(numbers)).getbbox() is not None
    for language in LANGUAGES:
        words = words_of(language)
        said, unsaid = drawn(words), drawn(replace(words, course=""))
        box = differing(said, unsaid).getbbox()
        assert box is not None, language
        assert box[3] - box[1] >= 0.6 * 9 * width / 400, "letters of 9 pixels at 400"


def test_player_names_are_only_in_the_strip_and_space_names_on_the_board() -> None:
    other = replace(END.caption, white="Zoë", black="Жанна")

    a, b, c = (
        picture(render(END.position, last=END.last, caption=caption, coordinates=coordinates))
        for caption, coordinates in (
            (END.caption, Coordinates.STANDARD),
            (other, Coordinates.STANDARD),
            (END.caption, Coordinates.PERGIOCO),
        )
    )

    assert differing(without(a, [STRIP]), without(b, [STRIP])).getbbox() is None
    assert differing(a.crop(STRIP), b.crop(STRIP)).getbbox() is not None
    below = differing(a, c).getbbox()
    assert below is not None
    assert below[3] < LAYOUT.height


def test_a_game_that_ended_before_its_first_move_has_its_whole_board() -> None:
    caption = Caption(ending=Ending.RESIGNATION, winner=Color.WHITE)

    placing = picture(render(after(GREAT_CUT, 20).position, caption=caption))
    full = picture(render(after(GREAT_CUT, 49).position, caption=caption))

    assert placing.size == full.size == (1100, LAYOUT.height)


def test_the_widest_and_the_narrowest_end_are_drawn() -> None:
    shown = ended(WHITE_PASSES, 82, Ending.COUNT, Color.WHITE)
    for width in (MIN_WIDTH_PX, 300, MAX_WIDTH_PX):
        png = render(shown.position, caption=shown.caption, look=Look(width_px=width))
        image = picture(png)
        assert image.width == width
        assert Layout(width).height < image.height <= width * 350 / 550 + 1


def test_a_tower_of_all_pieces_and_one_of_none_are_drawn() -> None:
    alone = Position.from_stacks({"f3": "RRR" + "WB" * 22 + "WW"[:1] + "B"}, turn=Color.WHITE)
    caption = Caption(ending=Ending.COUNT, scores=((23, 23), (0, 49)))

    assert picture(render(alone, caption=caption)).width == 1100
