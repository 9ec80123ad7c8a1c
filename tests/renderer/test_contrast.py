"""Nothing is told by colour alone, and everything can be seen with eyes other than most."""

import pytest

from renderer import SLATE, render
from renderer.geometry import Layout
from renderer.theme import Rgb
from tests.renderer.gallery import GALLERY
from tests.renderer.seeing import VISIONS, contrast, marks, picture, ring_colour

LAYOUT = Layout(1200)
T = SLATE
DIM_WHITE, DIM_BLACK = T.dimmed(T.white), T.dimmed(T.black)

# What must stand out from what, and by how much (WCAG 2: 4.5 for text, 3 for large text and signs).
PAIRS: list[tuple[str, Rgb, Rgb, float]] = [
    ("white ring, black ring", T.white.top, T.black.top, 7),
    ("white ring, space", T.white.top, T.cell, 3),
    ("black ring, space", T.black.top, T.cell, 3),
    ("dimmed white ring, dimmed black ring", DIM_WHITE.top, DIM_BLACK.top, 3),
    ("white ring, dimmed white ring", T.white.top, DIM_WHITE.top, 1.5),
    ("black ring, dimmed black ring", T.black.top, DIM_BLACK.top, 1.4),
    ("number, white stack", T.white.ink, T.white.well, 7),
    ("number, black stack", T.black.ink, T.black.well, 7),
    ("number, dimmed white stack", T.white.ink, DIM_WHITE.well, 4.5),
    ("number, dimmed black stack", T.black.ink, DIM_BLACK.well, 4.5),
    ("white ghost, space", T.white.top, T.cell, 3),
    ("black ghost, space", T.black.top, T.cell, 3),
    ("red ring, white ring", T.red.top, T.white.top, 3),
    # Black and red rings are of a like darkness to some: the mark in a lone red piece, and its
    # light edge, tell them apart.
    ("edge of a mark, mark", T.mark_edge, T.mark, 3),
    ("edge of a mark, black ring", T.mark_edge, T.black.top, 7),
    ("edge of a mark, space", T.mark_edge, T.cell, 3),
    ("mark, white ring", T.mark, T.white.top, 3),
    ("label, background", T.label, T.canvas, 7),
    ("name of a space, space", T.cell_label, T.cell, 3),
    ("text, background", T.text, T.canvas, 7),
    ("quiet text, background", T.quiet_text, T.canvas, 4.5),
    ("arrow, its edge", T.accent, T.accent_edge, 7),
    ("edge of the arrow, space", T.accent_edge, T.cell, 3),
    ("edge of the arrow, white ring", T.accent_edge, T.white.top, 3),
    ("arrow, black ring", T.accent, T.black.top, 3),
    # A line around a chosen stack has the arrow's colours; circles and tags at its landings:
    ("landing, its edge", T.landing, T.accent_edge, 7),
    ("landing, black ring", T.landing, T.black.top, 7),
    ("landing, frame of the board", T.landing, T.frame, 4.5),
    ("name on a tag, tag", T.accent_edge, T.landing, 7),
]


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
        assert all(contrast(white, red, vision) > 3 for red in rings["R"])
        assert contrast(white, SLATE.cell, vision) > 3
    for black in rings["B"]:
        assert contrast(black, SLATE.cell, vision) > 3


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
