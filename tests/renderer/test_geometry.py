"""From points to pixels, for every point and many widths; no Pillow here."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dvonn import COLUMNS, POINTS, ROWS, column_row, neighbours, parse_point
from renderer.geometry import MAX_WIDTH_PX, MIN_WIDTH_PX, Layout, Pixel, crossed, hexagon

layouts = st.integers(300, MAX_WIDTH_PX).map(Layout)
"""Of whole pictures; narrower ones are parts of a sheet, without labels."""


ENDS = (("a1", "i1"), ("a2", "j2"), ("a3", "k3"), ("b4", "k4"), ("c5", "k5"))
"""The first and last space of each row."""


def every_label(layout: Layout) -> list[Pixel]:
    rows = [label for row in range(ROWS) for label in layout.row_labels(row)]
    return rows + [label for column in range(COLUMNS) for label in layout.column_labels(column)]


def names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


@given(layouts)
def test_points_stand_as_on_the_board(layout: Layout) -> None:
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


@given(layouts)
def test_labels_are_inside_the_picture_and_outside_the_board(layout: Layout) -> None:
    labels = every_label(layout)
    room = layout.half * 0.35  # half the height of a label's letters, and a little more

    for label in labels:
        assert room < label.x < layout.width - room
        assert layout.strip_height + room < label.y < layout.height - room
        for point in POINTS:
            x, y = layout.centre(point)
            corners = hexagon((0, 0), layout.half + layout.frame)
            sides = zip(corners, (*corners[1:], corners[0]), strict=True)
            beyond = max(_outside(side, label.x - x, label.y - y) for side in sides)
            assert beyond > room * 0.5, (label, point)


def _outside(side: tuple[tuple[float, float], tuple[float, float]], x: float, y: float) -> float:
    """How far a place is outside of one side of a hexagon around (0, 0)."""
    (ax, ay), (bx, by) = side
    nx, ny = (ax + bx) / 2, (ay + by) / 2
    apothem = math.hypot(nx, ny)
    return (nx * x + ny * y) / apothem - apothem


@given(layouts)
def test_each_label_is_nearest_to_a_space_of_its_own_row_or_column(layout: Layout) -> None:
    def nearest(label: Pixel) -> tuple[int, int]:
        return column_row(min(POINTS, key=lambda p: math.dist(layout.centre(p), label)))

    for row in range(ROWS):
        assert [nearest(label)[1] for label in layout.row_labels(row)] == [row, row]
    for column in range(COLUMNS):
        assert [nearest(label)[0] for label in layout.column_labels(column)] == [column, column]


@given(layouts)
def test_no_label_is_near_another(layout: Layout) -> None:
    for one, other in itertools.combinations(every_label(layout), 2):
        assert math.dist(one, other) > 0.7 * layout.half


def test_row_labels_stand_at_the_height_of_their_row_at_both_ends() -> None:
    layout = Layout(1200)

    for row, (first, last) in enumerate(ENDS):
        left, right = layout.row_labels(row)
        start, end = layout.centre(parse_point(first)), layout.centre(parse_point(last))
        assert left.y == right.y == start.y
        assert left.x < start.x - layout.half
        assert right.x > end.x + layout.half


def test_column_labels_lean_as_columns_do() -> None:
    layout = Layout(1200)

    for column in range(COLUMNS):
        below, above = layout.column_labels(column)
        own = [layout.centre(point) for point in POINTS if column_row(point)[0] == column]
        assert below.y > max(space.y for space in own)
        assert below.x > max(space.x for space in own)
        assert above.y < min(space.y for space in own)
        assert above.x < min(space.x for space in own)


@pytest.mark.parametrize("width", [MIN_WIDTH_PX - 1, MAX_WIDTH_PX + 1, 0, -1200])
def test_widths_out_of_bounds_are_refused(width: int) -> None:
    with pytest.raises(ValueError, match=f"not {width}"):
        Layout(width)


def test_a_hexagon_stands_on_a_corner_and_its_sides_are_an_apothem_away() -> None:
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
