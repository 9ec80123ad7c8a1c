"""Tests for every theme: all viewers can distinguish what matters, in every kind of picture."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from functools import cache
from itertools import combinations, pairwise
from typing import NamedTuple

import pytest
from PIL import Image, ImageChops

import renderer
from dvonn import Color, Point, Position
from dvonn.svg.arrows import CIRCLE_AT
from dvonn.svg.geometry import Layout
from dvonn.svg.stack_shapes import LEFT_NAME_AT, StackFace
from dvonn.svg.theme import Rgb
from renderer.lettering import centred, name_of_space
from renderer.palette import Palette
from renderer.picture import Painter
from renderer.scene import Scene
from renderer.tiles import Ghost, TileMaker
from tests.renderer.gallery import GALLERY
from tests.renderer.seeing import VISIONS, apart, contrast, differing, picture, pixel
from tests.renderer.test_animation import GAME, frames_of, shows
from tests.renderer.test_picture import SIZE_LIMIT

WIDTH_PX = 400
LAYOUT = Layout(1100)
EYES = [vision for vision in VISIONS if vision != "greyscale"]


class Needs(NamedTuple):
    """The minimum values of a theme: contrasts of WCAG 2, and CIEDE2000 distances."""

    text: float = 4.5
    piece: float = 3.0
    mark: float = 3.0
    hues: float = 11.0
    kinds: float = 12.0


NEEDS = {key: Needs() for key in renderer.THEMES} | {
    "contrast": Needs(text=7.0, piece=4.5),
    "colourblind": Needs(hues=15.0, kinds=30.0),
    # It has no hues and needs none, as the tests of grays below show.
    "newsletter": Needs(hues=0.0),
}


def inked(t: renderer.Theme) -> Iterator[tuple[str, Rgb, Rgb]]:
    """Return text colors, each with its background."""
    yield "whose turn, canvas", t.text, t.canvas
    yield "details, canvas", t.quiet_text, t.canvas
    yield "name of a space, space", t.cell_label, t.cell
    yield "name of a space, space of the last move", t.cell_label, t.moved
    yield "name of a space, red piece", t.red.ink, t.red.well
    for name, piece in (("white", t.white), ("black", t.black)):
        yield f"number and name, {name} stack", piece.ink, piece.well
        yield f"number and name, dimmed {name} stack", piece.ink, t.dimmed(piece).well
    yield "number of an arrow, its sign; marked player", t.accent_edge, t.accent
    yield "name and count of a player", t.text, t.chip
    for number, shade in enumerate(t.heat):
        yield f"figure of a free space, shade {number}", t.heat_ink(number), shade


Seen = tuple[str, Sequence[Rgb | None], Rgb]
"""Some adjacent colors, and a background from which at least one of them is distinct."""


def pieces(t: renderer.Theme) -> Iterator[Seen]:
    for name, piece in (("white", t.white), ("black", t.black), ("red", t.red)):
        yield f"{name} ring, space", (piece.top, piece.rim), t.cell
    for name, piece in (("white", t.white), ("black", t.black)):
        dim = t.dimmed(piece)
        yield f"dimmed {name} ring, space", (dim.top, dim.rim), t.cell
    yield "white ring, black ring", (t.white.top,), t.black.top
    yield "dimmed white ring, dimmed black ring", (t.dimmed(t.white).top,), t.dimmed(t.black).top
    yield "hatching or edge of the sign, red face", (t.red.hatch or t.mark_edge,), t.red.well


def marks(t: renderer.Theme) -> Iterator[Seen]:
    sign, arrow = (t.mark, t.mark_edge, t.red.seam), (t.accent, t.accent_edge)
    landing = (t.landing, t.accent_edge)
    for name, colors in (("sign", sign), ("arrow", arrow), ("landing", landing)):
        yield f"{name}, its edge", (colors[0],), colors[1]
        for ground in ("cell", "frame", "white", "black", "red"):
            color = getattr(t, ground)
            color = color if isinstance(color, tuple) else color.top
            yield f"{name} or its edge, {ground}", colors, color
    for ground in ("cell", "frame", "white", "black"):
        color = getattr(t, ground)
        color = color if isinstance(color, tuple) else color.top
        yield f"line around what may move, {ground}", (t.movable, t.movable_edge), color
    yield "line around what may move, its edge", (t.movable,), t.movable_edge
    yield "band of a chart, its ground", (t.quiet_text,), t.chart_ground
    yield "line of a chart or its edge, ground", arrow, t.chart_ground
    yield "bracket of a chart, canvas", (t.label,), t.canvas
    yield "bar of an animation, its track", (t.label,), t.chip


def kinds(t: renderer.Theme) -> Iterator[tuple[str, Rgb, Rgb]]:
    """Return pieces and spaces whose areas could be confused without lines and signs."""
    yield "white, black", t.white.top, t.black.top
    yield "red, black", t.red.top, t.black.top
    yield "red, white", t.red.hatch or t.red.top, t.white.top
    for name, piece in (("white", t.white), ("black", t.black), ("red", t.red)):
        told = piece.top if piece.top != t.cell else piece.rim
        if name == "red":
            told = piece.well
        assert told is not None
        yield f"{name}, space", told if piece.hatch is None else piece.hatch, t.cell


def hues(t: renderer.Theme) -> Iterator[tuple[str, Rgb, Rgb]]:
    """Yield pairs of marks that also differ in shape."""
    yield "arrow, landing", t.accent, t.landing
    yield "arrow, line around what may move", t.accent, t.movable
    yield "landing, line around what may move", t.landing, t.movable
    yield "landing, sign of a red piece", t.landing, t.mark
    yield "arrow, space", t.accent, t.cell
    yield "landing, space", t.landing, t.cell
    yield "line around what may move, space", t.movable, t.cell
    yield "frame, space", t.frame, t.cell
    yield "last move, space", t.moved, t.cell


def too_near(needed: float, found: dict[str, float]) -> dict[str, float]:
    return {what: round(value, 2) for what, value in found.items() if value < needed}


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("key", renderer.THEMES)
def test_every_theme_has_contrast(key: str, vision: str) -> None:
    theme, needs = renderer.THEMES[key], NEEDS[key]

    written = {what: contrast(ink, ground, vision) for what, ink, ground in inked(theme)}
    assert not too_near(needs.text, written)
    for needed, pairs in ((needs.piece, pieces(theme)), (needs.mark, marks(theme))):
        found = {
            what: max(contrast(color, ground, vision) for color in colors if color is not None)
            for what, colors, ground in pairs
        }
        assert not too_near(needed, found)


@pytest.mark.parametrize("vision", EYES)
@pytest.mark.parametrize("key", renderer.THEMES)
def test_distinct_colors_stay_distinct_for_everyone(key: str, vision: str) -> None:
    theme, needs = renderer.THEMES[key], NEEDS[key]

    for needed, pairs in ((needs.kinds, kinds(theme)), (needs.hues, hues(theme))):
        assert not too_near(needed, {what: apart(a, b, vision) for what, a, b in pairs})
    assert not too_near(
        5.0, {f"shade {at}": apart(a, b, vision) for at, (a, b) in enumerate(pairwise(theme.heat))}
    )


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("key", renderer.THEMES)
def test_names_of_inactive_spaces_are_quiet_but_readable(key: str, vision: str) -> None:
    theme = renderer.THEMES[key]
    loud, quiet = theme.cell_label, theme.quiet_label

    for ground in (theme.cell, theme.moved):
        assert 2.5 <= contrast(quiet, ground, vision) < contrast(loud, ground, vision)
    for piece in (theme.white, theme.black, theme.red):
        assert contrast(theme.quiet_ink(piece), piece.well, vision) >= 2.9


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("key", renderer.THEMES)
def test_red_contrasts_with_black(key: str, vision: str) -> None:
    """People with protanopia see plain red as black, so rings and rims are brighter."""
    theme = renderer.THEMES[key]

    assert contrast(theme.red.top, theme.black.top, vision) >= 3


@pytest.mark.parametrize("key", [key for key in renderer.THEMES if key != "newsletter"])
def test_white_and_black_are_both_distinct_from_a_space(key: str) -> None:
    """Pieces are distinct by their own colors. On paper, only the rim distinguishes white."""
    theme = renderer.THEMES[key]

    assert contrast(theme.white.top, theme.cell) >= 2.6
    assert contrast(theme.black.top, theme.cell) >= 3


@pytest.mark.parametrize("key", renderer.THEMES)
def test_immovable_stacks_are_visible(key: str) -> None:
    theme = renderer.THEMES[key]

    for piece in (theme.white, theme.black):
        dimmed = theme.dimmed(piece)
        assert apart(piece.top, dimmed.top) >= 8
        assert apart(piece.well, dimmed.well) >= 8


@pytest.mark.parametrize("key", renderer.THEMES)
def test_a_palette_has_all_colors_of_its_theme(key: str) -> None:
    theme = renderer.THEMES[key]
    palette = Palette(theme)

    wanted = {color for _, one, other in inked(theme) for color in (one, other)}
    for found in (*pieces(theme), *marks(theme)):
        wanted |= {color for color in (*found[1], found[2]) if color is not None}
    assert len(palette.colors) < 256
    # A color too close to another one in the palette is drawn as that one.
    off = {item: apart(palette.colors[palette.index(item)], item) for item in wanted}
    assert max(off.values()) < 3


HALF = 33
FACES = [
    *map(
        StackFace.from_pieces,
        ("W", "B", "R", "WBWW", "WBWB", "WRBW", "WRBB", "RRBW", "WRRB", "RBRWB"),
    ),
    StackFace.from_pieces("W", dimmed=True),
    StackFace.from_pieces("B", dimmed=True),
    StackFace.from_pieces("W", movable=True),
    StackFace.from_pieces("W", moved=True),
]


@pytest.mark.parametrize("key", renderer.THEMES)
def test_nothing_on_a_space_depends_on_color_alone(key: str) -> None:
    """Without colors, all kinds of stacks and removed stacks still look different."""
    maker = TileMaker(renderer.THEMES[key], HALF)
    tiles = {str(face): maker.stack(face) for face in FACES}
    tiles |= {f"{top} left": maker.ghost(Ghost(top, 4)) for top in ("W", "B")}
    tiles["nothing"] = maker.space(renderer.THEMES[key].cell)
    tiles["left"] = maker.space(renderer.THEMES[key].moved)
    greys = {name: tile.convert("L").convert("RGB") for name, tile in tiles.items()}

    for one, other in combinations(greys, 2):
        seen = differing(greys[one], greys[other], tolerance=40).histogram()[255]
        assert seen > 0.03 * HALF**2, (one, other)


def test_printed_text_has_no_colors() -> None:
    shown = GALLERY["choice"]
    look = renderer.Look(theme=renderer.THEMES["newsletter"], width_px=WIDTH_PX)
    image = picture(renderer.render(shown.position, marks=shown.marks, look=look))

    assert all(red == green == blue for _, (red, green, blue) in image.getcolors(256) or [])  # type: ignore[misc]  # RGB
    assert {(0, 0, 0), (255, 255, 255)} <= {one for _, one in image.getcolors(256) or ()}


@cache
def board(key: str, name: str) -> Image.Image:
    shown = GALLERY[name]
    png = renderer.render(
        shown.position, last=shown.last, look=renderer.Look(theme=renderer.THEMES[key])
    )
    assert len(png) <= SIZE_LIMIT
    return picture(png)


def around(image: Image.Image, point: Point, reach: float) -> list[Rgb]:
    """Yield the pixels on a circle around the center of a space, on its left side."""
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


@pytest.mark.parametrize("key", renderer.THEMES)
def test_pictures_are_small_and_their_pieces_stand_out_from_the_spaces(key: str) -> None:
    cell = renderer.THEMES[key].cell
    whole, cut = GALLERY["full-board"], GALLERY["great-cut"]
    for name, points in (
        ("full-board", whole.position.stacks),
        ("great-cut", cut.position.removed),
    ):
        image = board(key, name)
        for point in points:
            rim = {
                item
                for reach in (0.72, 0.75, 0.8, 0.82, 0.88)
                for item in around(image, point, reach)
            }
            for vision in ("full", "greyscale"):
                assert max(contrast(item, cell, vision) for item in rim) >= NEEDS[key].piece, point


@pytest.mark.parametrize("key", renderer.THEMES)
def test_an_animation_is_exact_in_every_theme(key: str) -> None:
    part = replace(GAME, positions=GAME.positions[-3:], moves=GAME.moves[-2:])
    look = renderer.Look(theme=renderer.THEMES[key], width_px=WIDTH_PX)

    frames = frames_of(renderer.animate(part, look=look, width_px=WIDTH_PX))

    running = replace(GAME.caption, ending=None, winner=None, counted=False)
    for frame, (position, last) in zip(frames, list(part.steps())[:-1], strict=False):
        png = renderer.render(position, last=last, caption=running, aids=False, look=look)
        assert shows(frame, png)
    caption = replace(part.caption, scores=part.scores)
    png = renderer.render(part.positions[-1], last=part.moves[-1], caption=caption, look=look)
    assert shows(frames[-1], png)


@pytest.mark.parametrize(("stack", "has_signs"), [("WRRWB", True), ("WBBWB", False)])
def test_red_pieces_of_a_tower_have_their_signs(stack: str, *, has_signs: bool) -> None:
    position = Position.from_stacks({"a1": stack, "a2": "R"}, turn=Color.WHITE)
    towers: list[Image.Image] = []
    scene = Scene(position, caption=renderer.Caption(ending=renderer.Ending.AGREEMENT))
    for theme in (renderer.WOOD, replace(renderer.WOOD, mark=renderer.WOOD.canvas)):
        painter = Painter(theme, WIDTH_PX)
        end = painter.finish.render(painter.board(scene), scene, renderer.ENGLISH)
        image = picture(painter.encode(end))
        towers.append(image.crop((0, painter.layout.height, *image.size)))

    changed = differing(towers[0], towers[1], tolerance=30).getbbox()
    assert (changed is not None) == has_signs


@pytest.mark.parametrize("key", [key for key in renderer.THEMES if key != "newsletter"])
def test_red_is_the_strongest_color(key: str) -> None:
    theme = renderer.THEMES[key]

    strong = 33 if key == "colourblind" else 40  # gold is closer to white
    for ground in (theme.cell, theme.white.top, theme.black.top):
        assert max(apart(item, ground) for item in (theme.red.top, theme.red.well)) >= strong


def test_themes_are_stored_by_key_and_the_first_is_the_default() -> None:
    kept = ["wood", "slate", "light", "contrast", "colourblind", "newsletter"]
    assert list(renderer.THEMES)[: len(kept)] == kept
    assert renderer.THEMES["wood"] is renderer.WOOD is renderer.DEFAULT.theme
    assert len(set(renderer.THEMES.values())) == len(renderer.THEMES)


def test_every_theme_has_a_name() -> None:
    names = [renderer.ENGLISH.theme(key) for key in renderer.THEMES]

    assert len(set(names)) == len(renderer.THEMES)
    named = {field.name for field in fields(renderer.Words) if field.name.startswith("theme_")}
    assert named == {f"theme_{key}" for key in renderer.THEMES}
    assert renderer.describe_themes() == f"Themes to choose from: {', '.join(names)}."
    assert "Holz" in renderer.describe_themes(words=replace(renderer.ENGLISH, theme_wood="Holz"))


def parts(sheet: Image.Image) -> list[Image.Image]:
    width, height = sheet.width // 3, sheet.height // 2
    return [
        sheet.crop((column * width, row * height, (column + 1) * width, (row + 1) * height))
        for row in range(2)
        for column in range(3)
    ]


@pytest.mark.parametrize("width", [300, 400, 800])
def test_a_sheet_shows_each_theme_in_its_order(width: int) -> None:
    sheet = picture(renderer.theme_sheet(width_px=width))

    assert sheet.width == width
    assert sheet.height / width <= 0.636, "Discord shows it as broad as it is"
    for part, theme in zip(parts(sheet), renderer.THEMES.values(), strict=True):
        colors = [one for _, one in sorted(part.getcolors(1 << 16) or (), reverse=True)[:3]]
        for wanted in (theme.canvas, theme.cell):
            assert any(apart(color, wanted) < 3 for color in colors), theme  # type: ignore[arg-type]  # RGB


def test_a_sheet_names_themes_by_the_words_handed_in_and_stays_small() -> None:
    words = replace(renderer.ENGLISH, theme_contrast="Starker Kontrast")
    sheets = [renderer.theme_sheet(words=item, width_px=400) for item in (renderer.ENGLISH, words)]

    assert max(map(len, sheets)) <= SIZE_LIMIT
    plain, named = map(picture, sheets)
    changed = differing(plain, named).getbbox()
    assert changed is not None
    assert 0 < changed[0] < changed[2] <= 400 / 3
    assert plain.height / 2 < changed[1] < changed[3] <= plain.height * 0.62, "only the title"


@pytest.mark.parametrize("key", renderer.THEMES)
def test_a_landing_is_seen_on_a_phone(key: str) -> None:
    """Most of the circle changes color, on and beside pieces of all kinds."""
    shown, layout = GALLERY["choice"], Layout(WIDTH_PX)
    look = renderer.Look(theme=renderer.THEMES[key], width_px=WIDTH_PX)
    assert isinstance(shown.marks, renderer.Marks)
    chosen = replace(shown.marks, landings=())
    plain, marked = (
        picture(renderer.render(shown.position, marks=item, look=look))
        for item in (chosen, shown.marks)
    )
    seen = differing(plain, marked, tolerance=60)
    for point in shown.marks.landings:
        x, y = layout.centre(point)
        turns = (math.tau * number / 72 for number in range(72))
        ring = [
            any(
                seen.getpixel(
                    (
                        x + round(layout.half * reach * math.cos(turn)),
                        y + round(layout.half * reach * math.sin(turn)),
                    )
                )
                for reach in (0.83, 0.89, 0.95, 1.0)
            )
            for turn in turns
        ]
        assert sum(ring) >= 0.6 * len(ring), point


def test_a_printed_landing_is_dashed() -> None:
    """A plain circle would look like a wider rim of the piece."""
    shown, look = GALLERY["choice"], renderer.Look(theme=renderer.THEMES["newsletter"])
    assert isinstance(shown.marks, renderer.Marks)
    image = picture(shown.png(look))
    for point in shown.marks.landings:
        ring = [sum(color) > 3 * 128 for color in around(image, point, CIRCLE_AT)]
        assert sum(one != other for one, other in pairwise(ring)) >= 8, point


@pytest.mark.parametrize("half", [Layout(400).half, Layout(1100).half])
@pytest.mark.parametrize("top", ["W", "B"])
@pytest.mark.parametrize("key", renderer.THEMES)
def test_a_removed_stacks_name_is_clear_of_its_dashes(key: str, top: str, half: int) -> None:
    maker = TileMaker(renderer.THEMES[key], half)
    left, empty = maker.ghost(Ghost(top, 4)), maker.space(renderer.THEMES[key].cell)
    dashes = differing(left, empty, tolerance=30)
    dashes.paste(0, (round(dashes.width * 0.3), 0, round(dashes.width * 0.7), dashes.height // 2))
    for name in ("g5", "b11"):
        written = Image.new("L", left.size)
        mask, face = name_of_space(name, half, stacked=True)
        middle = (left.width / 2, left.height / 2 + half * LEFT_NAME_AT)
        written.paste(255, centred(mask, face, middle), mask)
        inked = written.point([0] * 96 + [255] * 160)
        assert ImageChops.multiply(dashes, inked).getbbox() is None, name
