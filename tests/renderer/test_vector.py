"""Tests for SVG pictures: well-formed, self-contained, with the PNG's geometry and colors."""

import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from dvonn import Coordinates, Point, Position
from dvonn.svg.fragments import ink, moved
from dvonn.svg.geometry import Layout
from renderer import ENGLISH, THEMES, WOOD, Caption, Look, describe, svg
from renderer.scene import Scene
from renderer.vector import board_of
from tests.renderer.gallery import GALLERY
from tests.renderer.test_head import LANGUAGES, words_of
from tests.renderer.test_look import OWN
from tests.renderer.test_twin import twin

SVG = "{http://www.w3.org/2000/svg}"
LAYOUT = Layout(1100)
BOARDS = [name for name, shown in GALLERY.items() if shown.marks is None]


def drawn(name: str) -> ET.Element:
    shown = GALLERY[name]
    return ET.fromstring(  # noqa: S314 - of our own making
        svg(shown.position, coordinates=shown.coordinates, last=shown.last, caption=shown.caption)
    )


def uses(root: ET.Element) -> dict[tuple[str, str], str]:
    """Return the kind of drawing at each place."""
    found = root.iter(f"{SVG}use")
    return {(element.attrib["x"], element.attrib["y"]): element.attrib["href"] for element in found}


@pytest.mark.parametrize("name", BOARDS)
def test_every_stack_is_where_the_picture_shows_it(name: str) -> None:
    position, root = GALLERY[name].position, drawn(name)
    places = uses(root)

    kinds = {
        f"#{element.attrib['id']}" for element in root.iter(f"{SVG}g") if "id" in element.attrib
    }
    assert set(places.values()) == kinds
    assert len(places) == len(position.stacks) + len(position.removed)
    for point, pieces in position.stacks.items():
        x, y = map(str, LAYOUT.centre(point))
        assert places[x, y] == f"#dvonn-{pieces[-6:]}-{len(pieces)}-{pieces.count('R')}"
    for point, pieces in position.removed.items():
        x, y = map(str, LAYOUT.centre(point))
        assert places[x, y] == f"#dvonn-{pieces[-1]}{len(pieces)}-gone"


def test_a_turned_look_turns_stacks_names_and_the_last_move() -> None:
    shown, turned = GALLERY["names"], Look(turned=True)
    layout, names = Layout(1100, turned=True), dict[str | None, tuple[str | None, str | None]]()
    root = ET.fromstring(  # noqa: S314 - of our own making
        svg(shown.position, last=shown.last, look=turned)
    )

    for point in shown.position.stacks:
        x, y = map(str, layout.centre(point))
        assert (x, y) in uses(root)
    for item in root.iter(f"{SVG}text"):
        names[item.text] = item.get("x"), item.get("y")
    for item in drawn("names").iter(f"{SVG}text"):
        if item.text == "k5":
            assert names["a1"] == (item.get("x"), item.get("y"))
    assert (root[1].text or "").endswith(ENGLISH.turned)
    scene = Scene(shown.position, last=shown.last)
    assert moved(board_of(scene, turned)) != moved(board_of(scene, Look()))


@pytest.mark.parametrize("name", BOARDS)
def test_the_text_reaches_users_of_screen_readers(name: str) -> None:
    root = drawn(name)

    assert root.attrib["role"] == "img"
    title, told = root[0], root[1]
    assert (title.tag, told.tag) == (f"{SVG}title", f"{SVG}desc")
    assert title.text
    assert told.text == twin(GALLERY[name], aids=False)


def kind(name: str, reference: str) -> list[ET.Element]:
    root = drawn(name)
    (found,) = (item for item in root.iter(f"{SVG}g") if item.get("id") == reference)
    return [element for element in found.iter() if element.tag != f"{SVG}g"]


def test_heights_and_red_pieces_are_seen() -> None:
    pieces = GALLERY["three-reds-over"].position.stacks[Point("f3")]
    stack = kind("three-reds-over", f"dvonn-{pieces[-6:]}-43-3")

    assert [element.text for element in stack if element.tag == f"{SVG}text"] == ["43"]
    diamonds = [element for element in stack if element.tag == f"{SVG}polygon"]
    assert [diamond.attrib["fill"] for diamond in diamonds] == [ink(WOOD.mark)] * 3
    single = kind("melee", "dvonn-W-1-0")
    assert not [element for element in single if element.tag == f"{SVG}text"]
    assert single[0].attrib["fill"] == ink(WOOD.white.side)
    assert single[1].attrib["stroke"] == ink(WOOD.white.top)


def test_names_are_those_of_the_system_and_stand_on_stacks_as_well() -> None:
    root = drawn("towers-pergioco")
    texts = [item.text for item in root.iter(f"{SVG}text")]
    assert {"c11", "e1", "a3"} <= set(texts)

    shown = GALLERY["melee"]
    text = svg(shown.position, last=shown.last)
    for point, pieces in shown.position.stacks.items():
        assert text.count(f">{point}<") == (2 if len(pieces) > 1 or pieces == "R" else 1)
        assert text.rindex(f">{point}<") > text.index("<use") or pieces in "WB"


def test_removed_stacks_have_their_name_below_their_number() -> None:
    shown = GALLERY["great-cut"]
    text = svg(shown.position, last=shown.last)
    assert shown.position.removed
    for point in shown.position.removed:
        assert text.count(f">{point}<") == 1


def test_the_spaces_of_the_last_move_are_tinted() -> None:
    shown = GALLERY["second-red"]

    assert ink(WOOD.moved) in svg(shown.position, last=shown.last)
    assert ink(WOOD.moved) not in svg(shown.position)


def test_an_svg_is_complete_in_any_theme_and_width() -> None:
    shown = GALLERY["great-cut"]
    text = svg(shown.position, last=shown.last, look=Look(theme=OWN, width_px=700))

    assert 'width="700"' in text
    assert ink(OWN.canvas) in text
    assert ink(WOOD.canvas) not in text
    assert text.count("http") == 1, "the name of SVG itself"
    assert len(text) < 20_000
    with pytest.raises(ValueError, match="not 100"):
        svg(shown.position, look=Look(width_px=100))


def test_a_theme_with_lines_has_them_here_too() -> None:
    shown = GALLERY["great-cut"]
    plain, printed = (
        svg(shown.position, last=shown.last, look=Look(theme=THEMES[key]))
        for key in ("slate", "newsletter")
    )

    assert 'id="dvonn-hatch"' in printed
    assert 'stroke="url(#dvonn-hatch)"' in printed
    assert "dvonn-hatch" not in plain
    assert set(re.findall(r"#\w{6}\b", printed)) <= {ink((grey, grey, grey)) for grey in range(256)}
    ghost = re.search(r'id="dvonn-W2-gone">(.*?)</g>', printed)
    assert ghost is not None
    rim, top = re.findall(r'stroke="(#\w+)" stroke-width="([\d.]+)"', ghost[1])
    assert (rim[0], top[0]) == ("#000000", "#ffffff")
    assert float(rim[1]) > float(top[1]) > 2
    ET.fromstring(printed)  # noqa: S314 - of our own making


def test_names_of_players_are_plain_text() -> None:
    caption = GALLERY["names"].caption
    text = svg(Position.initial(), caption=type(caption)(white="<b>&x", black='"'))

    assert "<b>" not in text
    assert "&lt;b&gt;&amp;x" in text
    ET.fromstring(text)  # noqa: S314 - of our own making


def test_each_name_has_its_color_next_to_it() -> None:
    """Names are complete, up to a maximum length, because viewers have their own fonts."""
    caption = Caption(white="Ann 王", black="محمد")
    text = svg(GALLERY["names"].position, caption=caption)
    root = ET.fromstring(text)  # noqa: S314 - of our own making

    for name, color in (("Ann 王", "white"), ("محمد", "black")):
        at = [element for element in root if element.tag in (f"{SVG}circle", f"{SVG}text")]
        before = next(number for number, one in enumerate(at) if one.text == name)
        piece = getattr(WOOD, color)
        assert at[before - 1].attrib["fill"] == ink(piece.top)
        chip = list(root.iter(f"{SVG}rect"))[1 if color == "white" else 2]
        left, width = float(chip.attrib["x"]), float(chip.attrib["width"])
        assert left < float(at[before - 1].attrib["cx"]) < float(at[before].attrib["x"])
        assert float(at[before].attrib["x"]) < left + width
        assert float(at[before].attrib["textLength"]) < width


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["second-red", "great-cut", "white-passes", "resigned"])
def test_no_text_of_its_head_overlaps_another_or_leaves_it(name: str, language: str) -> None:
    shown, wide = GALLERY[name], "W" * 18
    caption = replace(shown.caption, white=wide, black=wide)
    look = Look(words=words_of(language))
    root = ET.fromstring(svg(shown.position, caption=caption, look=look))  # noqa: S314 - our own
    lines = [
        element
        for element in root
        if element.tag == f"{SVG}text" and "textLength" in element.attrib
    ]

    spans = sorted(
        (float(line.attrib["x"]), float(line.attrib["x"]) + float(line.attrib["textLength"]))
        for line in lines
    )
    assert len(spans) >= 2
    assert spans[0][0] >= 0
    assert spans[-1][1] <= 1100
    assert all(end <= begin for (_, end), (begin, _) in pairwise(spans))


def test_each_system_names_spaces_its_own_way() -> None:
    position = Position.initial()

    for coordinates in Coordinates:
        text = svg(position, coordinates=coordinates)
        assert f">{coordinates.label(Point('k3'))}<" in text
        assert describe(position, coordinates=coordinates, aids=False) in text
