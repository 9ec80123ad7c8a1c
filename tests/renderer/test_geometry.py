"""Tests for the geometry, from spaces to pixels, for many widths. They don't need Pillow."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dvonn import POINTS, column_row, neighbours, parse_point
from dvonn.svg.geometry import MAX_WIDTH_PX, Layout, crossed, hexagon

layouts = st.integers(300, MAX_WIDTH_PX).map(Layout)
"""Layouts of whole pictures. Narrower pictures are parts of a sheet, without labels."""


def names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


@given(layouts)
def test_points_are_placed_as_on_the_board(layout: Layout) -> None:
    a1 = layout.centre(parse_point("a1"))

    for point in POINTS:
        column, row = column_row(point)
        x, y = layout.centre(point)
        assert x - a1.x == round((column - row / 2) * 2 * layout.half)
        assert a1.y - y == row * layout.row_step


@given(layouts)
def test_neighbours_are_equally_far_in_all_directions(layout: Layout) -> None:
    for point in POINTS:
        for beside in neighbours(point):
            away = math.dist(layout.centre(point), layout.centre(beside))
            assert away == pytest.approx(2 * layout.half, abs=0.6)


@given(layouts)
def test_the_field_is_centred_and_every_tile_is_inside_below_the_strip(layout: Layout) -> None:
    width, height = layout.tile_size
    centres = [layout.centre(point) for point in POINTS]

    leftmost, rightmost = min(c.x for c in centres), max(c.x for c in centres)
    assert leftmost + rightmost == pytest.approx(layout.width, abs=1)
    assert leftmost - width // 2 - layout.frame > 0
    assert min(c.y for c in centres) - height // 2 - layout.frame > layout.strip_height
    assert max(c.y for c in centres) + height // 2 + layout.frame < layout.height


def test_a_hexagon_is_pointy_topped_with_the_given_apothem() -> None:
    corners = hexagon((10, 20), 6)

    assert corners[0] == pytest.approx((10, 20 - 6 / math.cos(math.pi / 6)))
    assert {round(math.dist((10, 20), corner), 6) for corner in corners} == {6.928203}
    middles = [
        ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        for a, b in zip(corners, (*corners[1:], corners[0]), strict=True)
    ]
    assert [math.dist((10, 20), middle) for middle in middles] == pytest.approx([6] * 6)


@pytest.mark.parametrize(
    ("source", "target", "between"),
    [
        ("a3", "e3", "b3 c3 d3"),
        ("e3", "a3", "d3 c3 b3"),
        ("c1", "c5", "c2 c3 c4"),
        ("e5", "b2", "d4 c3"),
        ("a1", "b1", ""),
    ],
)
def test_the_points_between_two_points(source: str, target: str, between: str) -> None:
    assert crossed(parse_point(source), parse_point(target)) == names(between)


@pytest.mark.parametrize(("source", "target"), [("a1", "b3"), ("c3", "c3")])
def test_points_that_no_line_joins_have_nothing_between(source: str, target: str) -> None:
    with pytest.raises(ValueError, match=f"{source} and {target}"):
        crossed(parse_point(source), parse_point(target))
