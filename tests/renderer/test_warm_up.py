"""Tests for the warm-up: tiles are rendered once, and pictures stay the same."""

from dvonn import Coordinates
from renderer import ENGLISH, WOOD, Look, render, warm_up
from renderer.picture import Painter, painter_of
from renderer.scene import Scene
from tests.games import positions_of, random_game
from tests.renderer.gallery import GALLERY

WIDTH_PX = 400  # small pictures render faster


def test_the_common_tiles_icons_and_boards_are_there_before_the_first_picture() -> None:
    painter = Painter(WOOD, WIDTH_PX)
    painter.warm_up()
    boards = painter._background.cache_info()
    assert boards.misses == 2, "during the placement and later, and no other names of spaces"
    caches = painter._tile, painter._strip._icon
    drawn = [cache.cache_info().misses for cache in caches]

    for position in positions_of(random_game(3))[:60]:
        for coordinates in Coordinates:
            painter.frame(Scene(position, coordinates), ENGLISH)

    assert all(drawn)
    assert [cache.cache_info().misses for cache in caches] == drawn


def test_a_warm_up_fills_the_caches_of_pictures() -> None:
    painter_of.cache_clear()
    warm_up(Look(width_px=WIDTH_PX))
    painter = painter_of(WOOD, WIDTH_PX)
    drawn = painter._tile.cache_info().misses
    shown = GALLERY["full-board"]

    warm = render(shown.position, last=shown.last, look=Look(width_px=WIDTH_PX))

    assert drawn
    assert painter._tile.cache_info().misses == drawn + 1, "the one that came last is new"
    assert painter_of.cache_info().currsize == 1
    cold = Painter(WOOD, WIDTH_PX)
    frame = cold.frame(Scene(shown.position, last=shown.last), ENGLISH)
    assert cold.encode(frame) == warm
