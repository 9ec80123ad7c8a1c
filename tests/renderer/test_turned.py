"""Tests for a rotated board: Black's side is at the bottom, and every name in its place."""

import pytest
from PIL import Image, ImageChops

from dvonn import POINTS, ROWS, Coordinates, Position
from dvonn._records.diagram import to_diagram
from dvonn._rules.board import opposite
from dvonn.svg.geometry import Layout
from renderer import WOOD, Arrows, Look, Marks, describe, render
from renderer.arrow_places import arrow_positions, corners
from renderer.picture import Painter
from renderer.scene import Scene
from tests.games import positions_of, random_game

WIDTH = 600
PLAIN, TURNED = Layout(WIDTH), Layout(WIDTH, turned=True)
PLAYED = random_game(3)[:62]
POSITION = positions_of(PLAYED)[-1]


def test_each_space_and_name_is_where_the_opposite_one_was() -> None:
    assert TURNED.height == PLAIN.height
    for point in POINTS:
        assert opposite(opposite(point)) == point
        assert TURNED.centre(point) == PLAIN.centre(opposite(point))


def board(position: Position, *, turned: bool) -> Image.Image:
    """Return the rendered board without names."""
    painter = Painter(WOOD, WIDTH, turned=turned)
    return painter.board(Scene(position, None, aids=False))


def space(frame: Image.Image, layout: Layout, at: str) -> Image.Image:
    (x, y), half = layout.centre(next(point for point in POINTS if point == at)), layout.half // 2
    return frame.crop((x - half, y - half, x + half, y + half))


def test_each_stack_is_on_its_space() -> None:
    plain, turned = (board(POSITION, turned=number) for number in (False, True))
    for point in POINTS:
        difference = ImageChops.difference(space(plain, PLAIN, point), space(turned, TURNED, point))
        assert difference.getbbox() is None, point
    assert ImageChops.difference(plain, turned).getbbox() is not None


@pytest.mark.parametrize("marks", [None, Marks(), Arrows(played=PLAYED[-1])])
def test_a_turned_picture_is_as_large_and_another_one(marks: object) -> None:
    pictures = [
        render(POSITION, last=PLAYED[-1], marks=marks, look=Look(width_px=WIDTH, turned=turned))  # type: ignore[arg-type]  # of three kinds
        for turned in (False, True)
    ]
    assert pictures[0] != pictures[1]


def test_signs_go_the_way_that_is_seen() -> None:
    moves = [(move.source, move.target) for move in PLAYED if move.source is not None]
    seen = [(opposite(source), opposite(target)) for source, target in moves]
    assert arrow_positions(moves, (), turned=True) == arrow_positions(seen, ())
    placed = [move.target for move in PLAYED[:5]]
    assert corners(placed, turned=True) == corners([opposite(item) for item in placed])


def test_the_twin_says_which_side_is_at_the_bottom() -> None:
    told = describe(POSITION)
    assert describe(POSITION, turned=True) == f"{told} Black's side is at the bottom."


def test_a_turned_diagram_begins_with_the_lowest_row() -> None:
    start = Position.initial()
    *rows, columns, _ = to_diagram(start, legend=False, turned=True).splitlines()[:7]
    assert [row.split()[0] for row in rows] == ["1", "2", "3", "4", "5"]
    assert [row.split()[-1] for row in rows[3:]] == ["a", "b"]
    assert columns.split() == list("kjihgfedc")
    plain = to_diagram(POSITION, Coordinates.PERGIOCO, legend=False).splitlines()
    turned = to_diagram(POSITION, Coordinates.PERGIOCO, legend=False, turned=True).splitlines()
    for row in range(ROWS):
        count = len([item for item in plain[row].split() if item[0] in ".WBR"])
        assert turned[ROWS - 1 - row].split()[1 : 1 + count] == plain[row].split()[count:0:-1]
