"""What is drawn beforehand is not drawn again, and changes no picture."""

from dvonn import Color, Coordinates, Point, Position
from renderer import ENGLISH, SLATE, Look, render, warm_up
from renderer.picture import Painter, painter_of
from tests.games import positions_of, random_game
from tests.renderer.gallery import GALLERY

WIDTH_PX = 400  # small pictures are drawn sooner


def test_the_common_tiles_icons_and_all_boards_are_there_before_the_first_picture() -> None:
    painter = Painter(SLATE, WIDTH_PX)
    painter.warm_up()
    caches = painter._stack, painter._background, painter._strip._icon
    drawn = [cache.cache_info().misses for cache in caches]

    for position in positions_of(random_game(3))[:60]:
        for coordinates in Coordinates:
            painter.frame(position, coordinates, ENGLISH)

    assert all(drawn)
    assert [cache.cache_info().misses for cache in caches] == drawn


def test_stacks_of_up_to_five_are_there() -> None:
    painter = Painter(SLATE, WIDTH_PX)
    painter.warm_up()
    drawn = painter._stack.cache_info().misses
    row = {"a1": "RW", "b1": "B" * 5, "c1": "W" * 5, "d1": "BW", "e1": "WWB"}
    above = {"b2": "W", "c2": "WB" * 2, "d2": "W", "c3": "B", "d3": "B"}
    position = Position.from_stacks(row | above, turn=Color.WHITE)
    assert position.is_surrounded(Point("c2"))

    painter.frame(position, Coordinates.STANDARD, ENGLISH)

    assert painter._stack.cache_info().misses == drawn + 1, "the one with a red piece alone is new"


def test_it_fills_what_pictures_are_drawn_from() -> None:
    painter_of.cache_clear()
    warm_up(Look(width_px=WIDTH_PX))
    painter = painter_of(SLATE, WIDTH_PX)
    drawn = painter._stack.cache_info().misses
    shown = GALLERY["full-board"]

    warm = render(shown.position, last=shown.last, look=Look(width_px=WIDTH_PX))

    assert drawn
    assert painter._stack.cache_info().misses == drawn
    assert painter_of.cache_info().currsize == 1
    cold = Painter(SLATE, WIDTH_PX)
    frame = cold.frame(shown.position, Coordinates.STANDARD, ENGLISH, last=shown.last)
    assert cold.encode(frame) == warm
