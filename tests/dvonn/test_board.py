import pytest

from dvonn import (
    COLUMNS,
    POINTS,
    ROWS,
    Coordinates,
    Point,
    UnknownPointError,
    column_row,
    distance,
    neighbours,
    point_at,
)
from dvonn._rules.board import SYMMETRIES, mirrored, opposite

NOWHERE = [
    Point(name) for name in ("", "a", "a4", "b5", "j1", "k2", "l3", "a0", "A1", "a11", "d2 ")
]


def test_the_points_in_row_order() -> None:
    assert " ".join(POINTS) == (
        "a1 b1 c1 d1 e1 f1 g1 h1 i1 "
        "a2 b2 c2 d2 e2 f2 g2 h2 i2 j2 "
        "a3 b3 c3 d3 e3 f3 g3 h3 i3 j3 k3 "
        "b4 c4 d4 e4 f4 g4 h4 i4 j4 k4 "
        "c5 d5 e5 f5 g5 h5 i5 j5 k5"
    )


def test_columns_and_rows_count_from_the_bottom_left() -> None:
    assert column_row(Point("a1")) == (0, 0)
    assert column_row(Point("k5")) == (10, 4)
    assert column_row(Point("d2")) == (3, 1)


def test_each_place_of_the_grid_is_its_point_or_off_the_board() -> None:
    found = [
        point_at(column, row) for row in range(-1, ROWS + 1) for column in range(-1, COLUMNS + 1)
    ]
    assert [point for point in found if point is not None] == list(POINTS)
    assert all(point_at(*column_row(point)) == point for point in POINTS)


def test_neighbours_go_round_from_the_east() -> None:
    assert neighbours(Point("d3")) == ("e3", "e4", "d4", "c3", "c2", "d2")
    assert neighbours(Point("a1")) == ("b1", "b2", "a2")
    assert neighbours(Point("a3")) == ("b3", "b4", "a2")
    assert neighbours(Point("e5")) == ("f5", "d5", "d4", "e4")


def test_neighbours_are_mutual_and_one_step_away() -> None:
    for point in POINTS:
        assert all(point in neighbours(beside) for beside in neighbours(point))
        assert {p for p in POINTS if distance(point, p) == 1} == set(neighbours(point))


def test_25_points_lie_inside_and_24_at_the_edge() -> None:
    counts = [len(neighbours(point)) for point in POINTS]
    assert {n: counts.count(n) for n in counts} == {6: 25, 4: 18, 3: 6}


@pytest.mark.parametrize(
    ("source", "target", "steps"),
    [
        ("d2", "d2", 0),
        ("a1", "i1", 8),
        ("i1", "a1", 8),
        ("e1", "e5", 4),
        ("a1", "e5", 4),
        ("k3", "i1", 2),
        ("a3", "k3", 10),
        ("d2", "e4", None),
        ("d2", "c3", None),
        ("a1", "c2", None),
    ],
)
def test_distance_along_a_line(source: str, target: str, steps: int | None) -> None:
    assert distance(Point(source), Point(target)) == steps


def test_pergioco_names_rows_by_letters_from_the_top_and_counts_columns() -> None:
    assert Coordinates.PERGIOCO.label(Point("b2")) == "d2"
    assert Coordinates.PERGIOCO.label(Point("k5")) == "a11"
    assert Coordinates.PERGIOCO.label(Point("a1")) == "e1"
    assert Coordinates.PERGIOCO.point("c7") == "g3"
    assert Coordinates.STANDARD.label(Point("b2")) == "b2"


@pytest.mark.parametrize("coordinates", Coordinates)
def test_labels_and_points_are_a_pair(coordinates: Coordinates) -> None:
    labels = [coordinates.label(point) for point in POINTS]
    assert len(set(labels)) == len(POINTS)
    assert [coordinates.point(label) for label in labels] == list(POINTS)
    for point, label in zip(POINTS, labels, strict=True):
        column, row = column_row(point)
        assert set(label) == set(coordinates.column_label(column) + coordinates.row_label(row))


@pytest.mark.parametrize("name", NOWHERE)
def test_other_names_are_not_points(name: Point) -> None:
    assert Coordinates.STANDARD.point(name) is None
    for ask in (column_row, neighbours, opposite, mirrored, Coordinates.PERGIOCO.label):
        with pytest.raises(UnknownPointError) as caught:
            ask(name)
        assert caught.value.name == name
    with pytest.raises(UnknownPointError):
        distance(Point("a1"), name)


def test_turned_and_mirrored_the_board_is_the_same() -> None:
    for form in SYMMETRIES:
        assert sorted(form.values()) == sorted(POINTS)
        for point in POINTS:
            beside = {form[neighbour] for neighbour in neighbours(point)}
            assert beside == set(neighbours(form[point]))
    a1 = Point("a1")
    assert [form[a1] for form in SYMMETRIES] == ["a1", "k5", "i1", "c5"]
    assert mirrored(Point("b4")) == "k4"
