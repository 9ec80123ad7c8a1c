"""Tests of the end of a game: winner, towers, counts."""

from dataclasses import replace

import pytest
from PIL import Image

from dvonn import Color, Coordinates, Position
from renderer import ENGLISH, WOOD, Caption, Ending, Look, render
from renderer.caption import NO_CAPTION, details, headline
from renderer.finish import BOARD_SHARE
from renderer.geometry import MAX_WIDTH_PX, MIN_WIDTH_PX, Layout
from tests.renderer.gallery import GALLERY, GREAT_CUT, WHITE_PASSES, Shown, after, ended
from tests.renderer.seeing import differing, picture, spots, without

LAYOUT = Layout(1100)
STRIP = (0, 0, LAYOUT.width, LAYOUT.strip_height)
END, RESIGNED = GALLERY["end"], GALLERY["resigned"]
TOWERS = (round(LAYOUT.width * BOARD_SHARE), LAYOUT.strip_height, LAYOUT.width, 699)


def draw(shown: Shown, caption: Caption | None = None) -> bytes:
    return render(shown.position, last=shown.last, caption=caption or shown.caption)


@pytest.mark.parametrize(
    ("ending", "winner", "told"),
    [
        (Ending.COUNT, Color.WHITE, ["Ann wins", "18 to 10 pieces", "After move 82"]),
        (Ending.RESIGNATION, Color.BLACK, ["Bob wins", "Ann resigned", "After move 82"]),
        (Ending.TIME, Color.WHITE, ["Ann wins", "Bob ran out of time", "After move 82"]),
        (Ending.AGREEMENT, None, ["A draw", "Draw agreed", "After move 82"]),
        (Ending.ABORT, None, ["No result", "The game was cancelled", "After move 82"]),
    ],
)
def test_the_strip_says_who_has_won_and_how(
    ending: Ending, winner: Color | None, told: list[str]
) -> None:
    position = after(WHITE_PASSES, 82).position
    caption = Caption(white="Ann", black="Bob", ending=ending, winner=winner)

    said = [headline(position, ENGLISH, caption), *details(position, ENGLISH, caption)]

    assert said == told


def test_nobody_is_to_move_after_a_resignation_in_the_middle_of_a_game() -> None:
    running = picture(draw(RESIGNED, NO_CAPTION))
    over = picture(draw(RESIGNED, Caption(ending=Ending.RESIGNATION, winner=Color.BLACK)))

    left = (0, 0, LAYOUT.width // 2, LAYOUT.strip_height)
    assert differing(running.crop(left), over.crop(left)).getbbox() is not None
    position = RESIGNED.position
    assert "to move" in headline(position, ENGLISH, NO_CAPTION)
    assert "to move" not in headline(position, ENGLISH, RESIGNED.caption)


def test_what_discord_shows_of_an_ended_game_is_all_of_it() -> None:
    width, height = picture(draw(END)).size

    assert height / width <= 350 / 550 + 0.001


def test_towers_are_as_high_as_the_counts() -> None:
    image = picture(draw(END)).crop(TOWERS)
    middle = image.width // 2
    white, black = (
        _height(image.crop(box))
        for box in ((0, 0, middle, image.height), (middle, 0, image.width, image.height))
    )

    counts = [END.position.score(color) for color in (Color.WHITE, Color.BLACK)]
    assert counts == [18, 10]
    # A tower is as many layers high, and its uppermost ring is seen from above.
    layer = (white - black) / (counts[0] - counts[1])
    assert 5 < layer < LAYOUT.half * 0.4
    assert white - counts[0] * layer == pytest.approx(black - counts[1] * layer, abs=1)


def _height(image: Image.Image) -> int:
    """From the top of what is no ground to its foot, words left out."""
    # The panel has a line around it. Names and counts are narrower than a tower.
    edges = []
    for x in range(image.width):
        column = [y for y in range(30, 515) if image.getpixel((x, y)) not in GROUND]
        edges.append(max(column) - min(column) if column else 0)
    return sorted(edges)[len(edges) // 2]


GROUND = {WOOD.cell, WOOD.canvas}


def test_the_chart_follows_the_counts_and_is_left_out_where_there_is_one_alone() -> None:
    caption = END.caption
    flat = replace(caption, scores=((23, 23),) * 20)
    alone, two = (replace(caption, scores=((23, 23),) * number) for number in (1, 2))

    steep, level, none, short = (picture(draw(END, one)) for one in (caption, flat, alone, two))

    assert differing(steep.crop(TOWERS), level.crop(TOWERS)).getbbox() is None
    board = (0, LAYOUT.strip_height, TOWERS[0], steep.height)
    assert differing(steep.crop(board), level.crop(board)).getbbox() is not None
    assert spots(none.crop(board), WOOD.cell, at_least=50_000) == 0, "no panel"
    assert spots(steep.crop(board), WOOD.cell, at_least=50_000) >= 1
    assert spots(short.crop(board), WOOD.cell, at_least=50_000) >= 1


def test_names_of_players_stand_in_the_strip_alone_and_those_of_spaces_nowhere() -> None:
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
    assert differing(a, c).getbbox() is None


def test_a_game_that_ended_before_its_first_move_has_its_whole_board() -> None:
    caption = Caption(ending=Ending.RESIGNATION, winner=Color.WHITE)

    placing = picture(render(after(GREAT_CUT, 20).position, caption=caption))
    full = picture(render(after(GREAT_CUT, 49).position, caption=caption))

    assert placing.size == full.size == (1100, LAYOUT.height)


def test_the_widest_and_the_narrowest_end_are_drawn() -> None:
    shown = ended(WHITE_PASSES, 82, Ending.COUNT, Color.WHITE)
    for width in (MIN_WIDTH_PX, 219, 220, 300, MAX_WIDTH_PX):
        png = render(shown.position, caption=shown.caption, look=Look(width_px=width))
        whole = Layout(width).height if width < 220 else round(width * 350 / 550)
        assert picture(png).size == (width, whole)


def test_a_tower_of_all_pieces_and_one_of_none_are_drawn() -> None:
    alone = Position.from_stacks({"f3": "RRR" + "WB" * 22 + "WW"[:1] + "B"}, turn=Color.WHITE)
    caption = Caption(ending=Ending.COUNT, scores=((23, 23), (0, 49)))

    assert picture(render(alone, caption=caption)).width == 1100
