"""Tests for the values of free spaces: numbers on shades, and the same in text."""

from dvonn import Coordinates, Point, Position
from dvonn.svg.geometry import Layout
from renderer import WOOD, Heat, describe, render
from renderer.marking import shade
from tests.renderer.gallery import GALLERY, GREAT_CUT, after, worth
from tests.renderer.seeing import apart, differing, mark_box, picture, pixel, without
from tests.renderer.test_twin import ALT_TEXT_LIMIT

LAYOUT = Layout(1100)
SHOWN = GALLERY["heat"]


def test_each_space_has_its_shade_and_the_best_a_heavy_line() -> None:
    assert isinstance(SHOWN.marks, Heat)
    percent = SHOWN.marks.percent
    image = picture(render(SHOWN.position, marks=SHOWN.marks))
    best = max(percent.values())

    shades = set()
    for point, figure in percent.items():
        x, y = LAYOUT.centre(point)
        ground = pixel(image, x, y - round(LAYOUT.half * 0.7))
        number = shade(figure, percent.values())
        assert apart(ground, WOOD.heat[number]) < 3, point
        shades.add(number)
        inside = pixel(image, x - round(LAYOUT.half * 0.9), y)
        assert (inside == WOOD.accent_edge) == (figure == best), point
    assert shades == set(range(5))


def test_nothing_else_changes() -> None:
    assert isinstance(SHOWN.marks, Heat)
    plain = picture(render(SHOWN.position, marks=Heat()))
    image = picture(render(SHOWN.position, marks=SHOWN.marks))

    boxes = [mark_box(LAYOUT, point) for point in SHOWN.marks.percent]
    assert differing(without(plain, boxes), without(image, boxes)).getbbox() is None


def test_shades_go_from_the_worst_to_the_best() -> None:
    assert [shade(number, [40, 44, 50]) for number in (40, 44, 50)] == [0, 2, 4]
    assert shade(50, [50, 50]) == 4


def test_the_twin_names_the_best_first_and_fits() -> None:
    chances = {Point("a1"): 0.314, Point("c3"): 0.527, Point("k5"): 0.5}

    text = describe(
        after(GREAT_CUT, 20).position, coordinates=Coordinates.PERGIOCO, marks=Heat(chances)
    )

    assert text.startswith("Chance to win in percent: c3 53, a11 50, e1 31. White to place.")
    for placed in range(49):
        shown = after(GREAT_CUT, placed)
        for coordinates in Coordinates:
            told = describe(shown.position, coordinates=coordinates, marks=worth(shown))
            assert len(told) <= ALT_TEXT_LIMIT
    assert "percent" not in describe(Position.initial(), marks=Heat())
