"""Tests of the wheel's pictures."""

import doctest
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

import dvonn.svg
from dvonn import Coordinates, DvonnError, GameRecord, Position
from dvonn.svg import THEMES, svg
from renderer.theme import Rgb
from renderer.themes import THEMES as RENDERED
from tests.games import positions_of, random_game

GAME = random_game(4)
MIDDLE = positions_of(GAME)[75]
SVG = "{http://www.w3.org/2000/svg}"


def parsed(picture: str) -> ET.Element:
    return ET.fromstring(picture)  # noqa: S314 - it is ours


def texts(picture: str) -> list[str]:
    return [element.text or "" for element in parsed(picture).iter(f"{SVG}text")]


def test_a_picture_shows_all_stacks_and_their_points() -> None:
    for position in (Position.initial(), MIDDLE, positions_of(GAME)[-1]):
        root = parsed(position.svg())
        assert len(root.findall(f"{SVG}g")) == len(position.stacks)
        heights = sorted(len(pieces) for pieces in position.stacks.values() if len(pieces) > 1)
        shown = [text for text in texts(position.svg()) if text.isdigit()]
        assert sorted(map(int, shown)) == heights
        assert root.findtext(f"{SVG}desc") == position.to_text()
        reds = sum(pieces.count("R") for pieces in position.stacks.values())
        assert len(list(root.iter(f"{SVG}polygon"))) == reds
    over = positions_of(GAME)[-1]
    assert over.result in (parsed(over.svg()).findtext(f"{SVG}title") or "")


def test_marks_arrows_and_the_last_move_are_drawn() -> None:
    plain, marked = MIDDLE.svg(), MIDDLE.svg(marks=["f3"])
    assert marked.count("<circle") == plain.count("<circle") + 1
    assert MIDDLE.svg(arrows=["a1-a2", GAME[74]]).count("<line") == 2
    assert MIDDLE.svg(arrows=["f3"]) == marked
    moved = THEMES["wood"].moved
    assert moved not in plain
    assert moved in MIDDLE.svg(last=GAME[74])


def test_the_board_turns_and_has_its_other_names() -> None:
    position = Position.initial().after("a1")
    assert position.svg() != position.svg(turned=True)
    assert svg(position.after("k5"), turned=True).count("<polygon") == 2
    pergioco = texts(position.svg(coordinates=Coordinates.PERGIOCO))
    assert set(pergioco) == {Coordinates.PERGIOCO.label(point) for point in dvonn.POINTS}


@pytest.mark.parametrize("name", RENDERED)
def test_the_themes_are_those_of_the_bot(name: str) -> None:
    def told(color: Rgb) -> str:
        return f"#{bytes(color).hex()}"

    here, there = THEMES[name], RENDERED[name]
    names = ("canvas", "frame", "cell", "moved", "accent", "mark", "mark_edge")
    assert [getattr(here, one) for one in names] == [told(getattr(there, one)) for one in names]
    assert here.label == told(there.cell_label)
    for kind in "WBR":
        drawn = there.piece(kind)
        colors = (drawn.top, drawn.side, drawn.rim or drawn.seam, drawn.well, drawn.ink)
        assert here.pieces[kind] == tuple(map(told, colors))
    assert set(THEMES) == set(RENDERED)
    assert here.canvas in MIDDLE.svg(theme=name)


def test_what_cannot_be_drawn_is_refused() -> None:
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


def test_a_picture_loads_the_standard_library_alone() -> None:
    program = (
        "import sys; from dvonn import Position; Position.initial().svg();"
        "print([name for name in ('PIL', 'numpy', 'renderer', 'numba') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"
    assert doctest.testmod(dvonn.svg).failed == 0
