"""Tests for the wheel's pictures."""

import doctest
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

import dvonn.svg
import renderer
from dvonn import Coordinates, DvonnError, GameRecord, Point, Position
from dvonn.svg import THEMES, svg
from dvonn.svg.fragments import ink
from dvonn.svg.geometry import Layout, crossed
from tests.games import positions_of, random_game

GAME = random_game(4)
MIDDLE = positions_of(GAME)[75]
LAYOUT = Layout(1100)
SVG = "{http://www.w3.org/2000/svg}"


def parsed(picture: str) -> ET.Element:
    return ET.fromstring(picture)  # noqa: S314 - it is ours


def texts(picture: str) -> list[str]:
    return [element.text or "" for element in parsed(picture).iter(f"{SVG}text")]


def place(use: ET.Element) -> tuple[int, int]:
    return int(use.get("x", "")), int(use.get("y", ""))


@pytest.mark.parametrize("ply", [0, 20, 75, len(GAME)])
def test_a_picture_shows_all_stacks_and_their_points(ply: int) -> None:
    position = positions_of(GAME)[ply]
    root = parsed(position.svg())
    at = set(map(place, root.iter(f"{SVG}use")))
    shown = {**position.stacks, **position.removed}
    assert at == {LAYOUT.centre(point) for point in shown}
    assert set(texts(position.svg())) >= set(dvonn.POINTS)
    kinds = {entry.get("id"): entry for entry in root.iter(f"{SVG}g") if entry.get("id")}
    for item in root.iter(f"{SVG}use"):
        kind = kinds[item.get("href", "")[1:]]
        point = next(
            p
            for p in shown
            if tuple(LAYOUT.centre(p)) == (int(item.get("x", "")), int(item.get("y", "")))
        )
        told = [text.text for text in kind.iter(f"{SVG}text")]
        if point in position.stacks:
            pieces = position.stacks[point]
            assert told == [str(len(pieces))] * (len(pieces) > 1)
            assert len(list(kind.iter(f"{SVG}polygon"))) == pieces.count("R")
        else:
            assert told == [f"−{len(position.removed[point])}"]
    assert root.findtext(f"{SVG}desc") == position.to_text()
    if position.is_over:
        assert position.result in (root.findtext(f"{SVG}title") or "")


def test_marks_arrows_and_the_last_move_are_drawn() -> None:
    wood, last = THEMES["wood"], GAME[74]
    plain = MIDDLE.svg()
    marked, outlined = MIDDLE.svg(marks=["f3"]), MIDDLE.svg(arrows=["f3"])
    assert marked.count("<circle") == plain.count("<circle") + 2  # including its dark edge
    assert ink(wood.landing) in marked
    assert outlined.count('fill="none"') == plain.count('fill="none"') + 2
    arrows = MIDDLE.svg(arrows=["a1-a3", last])
    assert arrows.count(f'<g fill="{ink(wood.accent)}">') == 2
    assert arrows.count(f'<g fill="{ink(wood.accent_edge)}">') == 2
    assert ink(wood.moved) not in plain
    assert ink(wood.moved) in MIDDLE.svg(last=last)


def test_an_arrow_hides_no_name_and_no_number() -> None:
    """They are drawn again on top of it, in the same order as in the picture."""
    move = next(
        move for move in MIDDLE.legal_moves() if move.source and len(MIDDLE.stacks[move.source]) > 2
    )
    assert move.source is not None
    picture = MIDDLE.svg(arrows=[move], turned=True)
    above = [
        item for item in parsed(picture).iter(f"{SVG}g") if item.get("paint-order") == "stroke"
    ]
    points = (move.source, move.target, *crossed(move.source, move.target))
    layout = Layout(1100, turned=True)
    assert [item.get("transform") for item in above] == [
        f"translate({x} {y})" for x, y in map(layout.centre, points)
    ]
    for point, one in zip(points, above, strict=True):
        height = len(MIDDLE.stacks.get(point, ""))
        told = [text.text for text in one.iter(f"{SVG}text")]
        assert told == [*([str(height)] if height > 1 else []), point]
    assert picture.rindex("paint-order") > picture.rindex(
        f'<g fill="{ink(THEMES["wood"].accent)}">'
    )
    assert "paint-order" not in MIDDLE.svg(last=GAME[74])


def test_arrows_on_one_line_are_drawn_side_by_side() -> None:
    def heads(*arrows: str, turned: bool = False) -> set[str]:
        picture = MIDDLE.svg(arrows=arrows, turned=turned)
        return set(re.findall(f'<g fill="{ink(THEMES["wood"].accent)}"><path d="([^"]*)"', picture))

    for turned in (False, True):
        apart = heads("a1-a3", turned=turned) | heads("a3-a1", turned=turned)
        together = heads("a1-a3", "a3-a1", turned=turned)
        assert len(together) == 2
        assert len(together & apart) == 1  # only one of the two arrows is shifted
        assert apart != heads("a1-a3", "a3-a1", turned=not turned)


def test_the_board_turns_and_has_its_other_names() -> None:
    position = Position.initial().after("a1")
    assert position.svg() != position.svg(turned=True)
    (use,) = parsed(position.svg(turned=True)).iter(f"{SVG}use")
    assert (int(use.get("x", "")), int(use.get("y", ""))) == Layout(1100, turned=True).centre(
        Point("a1")
    )
    pergioco = texts(position.svg(coordinates=Coordinates.PERGIOCO))
    assert set(pergioco) == {Coordinates.PERGIOCO.label(point) for point in dvonn.POINTS}


@pytest.mark.parametrize("name", THEMES)
def test_the_board_looks_like_the_bots_in_each_theme(name: str) -> None:
    last = GAME[74]
    own = MIDDLE.svg(theme=name, last=last).replace(f"dvonn-{name}-", "dvonn-")
    theirs = renderer.svg(MIDDLE, last=last, look=renderer.Look(theme=renderer.THEMES[name]))
    for part in ("<defs>.*</defs>", "<use .*</g>(?=</svg>)"):
        drawn = re.search(part, own, re.DOTALL)
        assert drawn is not None
        assert drawn[0] in theirs


def test_pictures_of_two_themes_may_be_in_one_document() -> None:
    ids = [set(re.findall(r'id="([^"]*)"', MIDDLE.svg(theme=name))) for name in ("wood", "light")]
    assert not ids[0] & ids[1]


def test_impossible_pictures_are_refused() -> None:
    for options in ({"theme": "pink"}, {"marks": ["z9"]}, {"arrows": ["z9-a1"]}):
        with pytest.raises(DvonnError):
            MIDDLE.svg(**options)


def test_notebooks_show_positions_and_records() -> None:
    assert MIDDLE._repr_svg_() == svg(MIDDLE)
    record = GameRecord(GAME, {"White": "<Ann>", "Black": "Bob"})
    html = record._repr_html_()
    assert "&lt;Ann&gt; – Bob" in html
    assert "<Ann>" not in html
    assert record.positions()[-1].svg(last=GAME[-1]) in html
    assert "<svg" in GameRecord(())._repr_html_()


def test_a_picture_imports_only_the_standard_library() -> None:
    program = (
        "import sys; from dvonn import Position; Position.initial().svg();"
        "print([name for name in ('PIL', 'numpy', 'renderer', 'numba') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"
    assert doctest.testmod(dvonn.svg).failed == 0
