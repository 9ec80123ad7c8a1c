"""Nothing is told by colour alone, and everything can be seen with eyes other than most."""

import math

import pytest
from PIL import Image

from dvonn import Point
from renderer import SLATE, render
from renderer.geometry import Layout
from renderer.theme import Rgb
from tests.renderer.gallery import GALLERY
from tests.renderer.seeing import VISIONS, contrast, marks, picture, pixel, ring_colour

LAYOUT = Layout(1200)
T = SLATE
DIM_WHITE, DIM_BLACK = T.dimmed(T.white), T.dimmed(T.black)

TEXT, SIGN = 4.5, 3.0
"""The least contrasts of text and of all else that means something (WCAG 2)."""

TEXTS: list[tuple[str, Rgb, Rgb]] = [
    ("whose turn, canvas", T.text, T.canvas),
    ("details, canvas", T.quiet_text, T.canvas),
    ("letters and numbers around the board, canvas", T.label, T.canvas),
    ("name of a space, space", T.cell_label, T.cell),
    ("number, white stack", T.white.ink, T.white.well),
    ("number, black stack", T.black.ink, T.black.well),
    ("number, dimmed white stack", T.white.ink, DIM_WHITE.well),
    ("number, dimmed black stack", T.black.ink, DIM_BLACK.well),
    ("name on a tag, tag", T.accent_edge, T.landing),
    ("number of an arrow, its sign", T.accent_edge, T.accent),
    *(
        (f"figure of a free space, shade {number}", T.heat_ink(number), shade)
        for number, shade in enumerate(T.heat)
    ),
]
SIGNS: list[tuple[str, Rgb, Rgb]] = [
    ("white ring, space", T.white.top, T.cell),
    ("black ring, space", T.black.top, T.cell),
    ("red ring, space", T.red.top, T.cell),
    ("dimmed white ring, space", DIM_WHITE.top, T.cell),
    ("dimmed black ring, space", DIM_BLACK.top, T.cell),
    # The dashes of what was cut off have the colours of its rings.
    ("white ring, black ring", T.white.top, T.black.top),
    ("dimmed white ring, dimmed black ring", DIM_WHITE.top, DIM_BLACK.top),
    ("red ring, white ring", T.red.top, T.white.top),
    # Black and red rings are of a like darkness: the light lines in a red one and the light edge of
    # its mark tell them apart, in whatever colours.
    ("light line, red ring", T.mark_edge, T.red.top),
    ("light line, red inlay", T.mark_edge, T.mark),
    ("edge of a mark, mark", T.mark_edge, T.mark),
    ("edge of a mark, black ring", T.mark_edge, T.black.top),
    ("edge of a mark, space", T.mark_edge, T.cell),
    ("mark, white ring", T.mark, T.white.top),
    ("line around what may move, space", T.movable, T.cell),
    ("line around what may move, frame", T.movable, T.frame),
    ("arrow, its edge", T.accent, T.accent_edge),
    ("edge of the arrow, space", T.accent_edge, T.cell),
    ("edge of the arrow, white ring", T.accent_edge, T.white.top),
    ("arrow, black ring", T.accent, T.black.top),
    # A line around a chosen stack has the arrow's colours; circles and tags at its landings:
    ("landing, its edge", T.landing, T.accent_edge),
    ("landing, black ring", T.landing, T.black.top),
    ("landing, frame of the board", T.landing, T.frame),
    ("band of a chart, its ground", T.quiet_text, T.frame),
    ("bracket of a chart, canvas", T.label, T.canvas),
]
PAIRS = [(*pair, TEXT) for pair in TEXTS] + [(*pair, SIGN) for pair in SIGNS]


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize(("what", "a", "b", "least"), PAIRS, ids=[pair[0] for pair in PAIRS])
def test_the_theme_has_contrast(vision: str, what: str, a: Rgb, b: Rgb, least: float) -> None:
    assert contrast(a, b, vision) >= least, what


@pytest.mark.parametrize("vision", VISIONS)
def test_the_rings_of_a_finished_picture_have_contrast(vision: str) -> None:
    shown = GALLERY["placement-pergioco"]
    image = picture(render(shown.position, last=shown.last))
    rings: dict[str, list[Rgb]] = {"W": [], "B": [], "R": []}
    for point, piece in shown.position.stacks.items():
        rings[piece].append(ring_colour(image, LAYOUT, point))

    assert {kind: len(colours) for kind, colours in rings.items()} == {"W": 13, "B": 14, "R": 3}
    for white in rings["W"]:
        assert all(contrast(white, black, vision) > 7 for black in rings["B"])
        assert contrast(white, SLATE.cell, vision) > SIGN
    for black in rings["B"]:
        assert contrast(black, SLATE.cell, vision) > SIGN


@pytest.mark.parametrize("vision", VISIONS)
def test_all_pieces_of_a_finished_picture_stand_out_from_their_spaces(vision: str) -> None:
    """At the outer edges of rings and dashes, as rendered: what a player sees of a piece first."""
    whole, cut = GALLERY["full-board"], GALLERY["great-cut"]
    for shown, points in ((whole, whole.position.stacks), (cut, cut.position.removed)):
        image = picture(render(shown.position, last=shown.last))
        for point in points:
            seen = max(contrast(one, SLATE.cell, vision) for one in around(image, point, 0.72))
            assert seen >= SIGN, point


def around(image: Image.Image, point: Point, reach: float) -> list[Rgb]:
    """The pixels on a circle of so many halves around the middle of a space, on its left."""
    x, y = LAYOUT.centre(point)
    turns = (math.pi * (0.5 + number / 64) for number in range(64))
    return [
        pixel(
            image,
            x + round(LAYOUT.half * reach * math.cos(turn)),
            y - round(LAYOUT.half * reach * math.sin(turn)),
        )
        for turn in turns
    ]


def test_a_lone_red_piece_is_told_by_its_mark_where_a_black_one_has_none() -> None:
    shown = GALLERY["placement-pergioco"]
    image = picture(render(shown.position, last=shown.last))

    for point, piece in shown.position.stacks.items():
        seen = marks(image, LAYOUT, point, lone_red=piece == "R")
        assert seen == (1 if piece == "R" else 0), point


def test_simulated_eyes_are_those_of_the_papers() -> None:
    # Red is dark without its cones, bright blue and yellow are unmoved; greys stay for everyone.
    red, grey = (255, 0, 0), (119, 119, 119)
    assert contrast(red, (0, 0, 0), "protanopia") < 0.7 * contrast(red, (0, 0, 0))
    for vision in VISIONS:
        assert contrast(grey, (255, 255, 255), vision) == pytest.approx(4.48, abs=0.02)
