"""Tests for whole pictures: what changes with the game, and what doesn't."""

from dataclasses import replace
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from dvonn import POINTS, Color, Coordinates, Move, Point, Position
from dvonn.svg.geometry import Layout, crossed
from dvonn.svg.stack_shapes import LONG_SPACE, NAME_AT, OUTER, SPACE
from renderer import ENGLISH, THEMES, WOOD, Look, Words, render
from renderer.caption import Caption
from renderer.picture import Painter
from renderer.scene import Scene
from tests.games import positions_of, random_game
from tests.renderer.gallery import GALLERY, GREAT_CUT, WHITE_PASSES, after
from tests.renderer.seeing import (
    differing,
    halo,
    marks,
    picture,
    space,
    spots,
    stack_box,
    top,
    without,
)
from tests.tiers import share_of

LAYOUT = Layout(1100)
STRIP = (0, 0, LAYOUT.width, LAYOUT.strip_height)
SIZE_LIMIT = 76 * 1024


def draw(position: Position, last: Move | None = None) -> Image.Image:
    return picture(render(position, last=last))


@settings(max_examples=share_of(12))
@given(st.integers(0, 10**6), st.integers(0, 97), st.sampled_from(Coordinates))
def test_any_position_of_any_game_makes_a_small_picture(
    seed: int, plies: int, coordinates: Coordinates
) -> None:
    moves = random_game(seed)[:plies]
    position = positions_of(moves)[-1]

    png = render(position, coordinates=coordinates, last=moves[-1] if moves else None)

    assert len(png) <= SIZE_LIMIT
    image = Image.open(BytesIO(png))
    assert (image.format, image.mode, image.width) == ("PNG", "P", 1100)
    if position.turn is not None:
        assert image.height == LAYOUT.height
    else:
        assert LAYOUT.height < image.height <= 1100 * 350 / 550, "what Discord shows whole"


@pytest.mark.parametrize("width", [300, 400, 801, 2400])
def test_pictures_are_as_wide_as_asked(width: int) -> None:
    shown = GALLERY["great-cut"]

    image = picture(render(shown.position, last=shown.last, look=Look(width_px=width)))

    assert image.size == (width, Layout(width).height)


def test_widths_out_of_bounds_are_refused() -> None:
    with pytest.raises(ValueError, match="not 149"):
        render(Position.initial(), look=Look(width_px=149))


def test_the_same_bytes_come_from_a_fresh_painter_and_a_used_one() -> None:
    for name in ("great-cut", "placement-pergioco", "choice"):
        shown = GALLERY[name]
        marks, last = shown.marks, shown.last
        fresh = Painter(WOOD, 1100)
        scene = Scene(shown.position, shown.coordinates, last, marks)
        frame = fresh.frame(scene, ENGLISH)

        drawn = render(shown.position, coordinates=shown.coordinates, last=last, marks=marks)

        assert fresh.encode(frame) == drawn


def test_a_picture_is_the_same_bytes_after_one_with_a_face() -> None:
    painter = Painter(WOOD, 1100)
    scene = Scene(GALLERY["choice"].position, Coordinates.STANDARD)
    before = painter.encode(painter.frame(scene, ENGLISH))

    with_face = replace(scene, caption=Caption(white="Mimi", face=1, machine=Color.WHITE))
    painter.encode(painter.frame(with_face, ENGLISH))

    assert painter.encode(painter.frame(scene, ENGLISH)) == before


def test_only_the_last_moves_spaces_and_way_are_tinted() -> None:
    for plies in (21, 60, 72):
        shown = after(GREAT_CUT, plies)
        assert shown.last is not None
        spaces = [end for end in (shown.last.source, shown.last.target) if end is not None]

        plain, marked = draw(shown.position), draw(shown.position, shown.last)

        for point in spaces:
            tinted = space(marked, LAYOUT, point)
            assert spots(tinted, WOOD.moved, at_least=40) >= 1, point
        way = [] if shown.last.source is None else crossed(shown.last.source, shown.last.target)
        for point in way:
            assert spots(space(marked, LAYOUT, point), WOOD.moved, at_least=40) >= 1, point
        boxes = [stack_box(LAYOUT, point) for point in (*spaces, *way)]
        assert differing(without(plain, boxes), without(marked, boxes)).getbbox() is None


@pytest.mark.parametrize("key", THEMES)
def test_stacks_hide_the_names_below_them(key: str) -> None:
    """This holds even if a piece has the color of its space."""
    for stack in ("W", "B", "WB", "BW", "WBWBWW"):
        spaces = [Point("c3"), Point("h3")]
        stacks = dict.fromkeys(("c3", "h3"), stack) | dict.fromkeys(("b3", "g3"), "R")
        position = Position.from_stacks(stacks, turn=Color.WHITE)
        painter = Painter(THEMES[key], 1100)
        image = picture(painter.encode(painter.board(Scene(position, aids=False))))
        one, other = (space(image, LAYOUT, point) for point in spaces)
        box = differing(one, other).getbbox()
        assert box is not None
        assert box[3] - box[1] < LAYOUT.half * 0.55, "one line of letters"


def test_the_chips_of_the_player_to_move_and_of_the_winner_are_filled() -> None:
    def filled(name: str) -> tuple[bool, bool]:
        """Return True if White's and Black's chips are shown."""
        image = draw(GALLERY[name].position)
        left, middle = (0, 0, LAYOUT.width // 2, LAYOUT.strip_height), LAYOUT.width // 2
        right = (middle, 0, LAYOUT.width, LAYOUT.strip_height)
        white, black = (spots(image.crop(box), WOOD.accent, at_least=200) for box in (left, right))
        return white > 0, black > 0

    assert filled("full-board") == (True, False)
    assert filled("melee") == filled("three-reds-over") == (False, True)


@pytest.mark.parametrize("width", [300, 400, 1100, 2400])
def test_the_head_takes_an_eighth_of_the_height_at_most(width: int) -> None:
    layout = Layout(width)

    assert layout.strip_height / layout.height <= 0.12


def test_a_placement_changes_its_own_space_and_the_strip_alone() -> None:
    before, now = after(GREAT_CUT, 20).position, after(GREAT_CUT, 21)
    assert now.last is not None
    spot = stack_box(LAYOUT, now.last.target)

    a, b = draw(before), draw(now.position)

    assert differing(a.crop(spot), b.crop(spot)).getbbox() is not None
    assert differing(without(a, [spot, STRIP]), without(b, [spot, STRIP])).getbbox() is None


def test_a_move_changes_only_its_spaces_and_the_freed_ones_and_the_header() -> None:
    before, now = after(GREAT_CUT, 50).position, after(GREAT_CUT, 51)
    assert now.last is not None
    assert now.last.source is not None
    assert not now.position.removed
    freed = {
        point for point in now.position.stacks if state(before, point) != state(now.position, point)
    }
    touched = {now.last.source, now.last.target, *freed}

    a, b = draw(before), draw(now.position)

    for point in touched:
        assert differing(space(a, LAYOUT, point), space(b, LAYOUT, point)).getbbox(), point
    boxes = [STRIP, *(stack_box(LAYOUT, point) for point in touched)]
    assert differing(without(a, boxes), without(b, boxes)).getbbox() is None


def state(position: Position, point: Point) -> tuple[bool, bool]:
    """Return True if the player to move owns a stack and can move it."""
    return position.owner(point) is position.turn, bool(position.destinations(point))


def test_marks_of_red_pieces_are_counted_in_the_picture() -> None:
    """Marks are on the face of a stack, and on a single red piece."""
    for name in ("melee", "great-cut", "white-passes", "three-reds-over"):
        position = GALLERY[name].position
        image = draw(position)
        for point, pieces in position.stacks.items():
            assert marks(image, LAYOUT, point, pieces) == pieces.count("R"), (name, point)


@pytest.mark.parametrize("height", [4, 6, 9])
@pytest.mark.parametrize("beside", [1, 2, 4, 6])
def test_signs_of_red_pieces_lie_on_their_own_stack_alone(height: int, beside: int) -> None:
    """Marks are visible among any neighbors, and cover no number and no name there."""
    around = dict.fromkeys(("e3", "g3", "f4", "g4", "e2", "f2"), ("BW" * 3)[:beside])
    tops = "BWBWBW"[9 - height :]
    reds, plain = (
        Position.from_stacks(around | {"f3": below + tops, "h4": link}, turn=Color.WHITE)
        for below, link in (("RRR", "W"), ("BWB", "R"))
    )
    image, without_reds = (picture(render(item, aids=False)) for item in (reds, plain))

    assert marks(image, LAYOUT, Point("f3"), reds.stacks[Point("f3")]) == 3
    for name in (*around, "f3"):
        box = text_box(reds, Point(name))
        assert differing(image.crop(box), without_reds.crop(box)).getbbox() is None, name


@pytest.mark.parametrize("key", THEMES)
@pytest.mark.parametrize("front", ["WBWBWB", "BWBWBWB"])
def test_nothing_behind_a_tower_is_visible_through_it(key: str, front: str) -> None:
    x, y = top(LAYOUT, Point("f3"), front)
    inside = Image.new("1", (LAYOUT.width, LAYOUT.height))
    reach = round(LAYOUT.half * (OUTER - 0.1))
    ImageDraw.Draw(inside).ellipse((x - reach, y - reach, x + reach, y + reach), fill=1)
    look = Look(theme=THEMES[key])

    def tower(behind: dict[str, str]) -> Image.Image:
        position = Position.from_stacks({"f3": front, "g3": "R"} | behind, turn=Color.WHITE)
        black = Image.new("RGB", inside.size)
        black.paste(picture(render(position, look=look)), mask=inside)
        return black

    alone, crowded = tower({"g2": "W"}), tower({"f4": "W", "g4": "W", "g2": "W"})

    assert differing(alone, crowded).getbbox() is None


def text_box(position: Position, point: Point) -> tuple[int, int, int, int]:
    """Return where the number and the name of a stack are."""
    (x, y), half = top(LAYOUT, point, position.stacks[point]), LAYOUT.half
    high, low = (0.53, 0.57) if len(position.stacks[point]) > 1 else (0.3, 0.3)
    return x - half // 3, y - round(half * high), x + half // 3, y + round(half * low)


def test_removed_stacks_are_shown_once() -> None:
    cut = GALLERY["great-cut"]
    then = Position.from_stacks(dict(cut.position.stacks), turn=Color.BLACK)
    assert not then.removed

    a, b = draw(cut.position), draw(then)

    for point in cut.position.removed:
        assert differing(space(a, LAYOUT, point), space(b, LAYOUT, point)).getbbox(), point
    boxes = [STRIP, *(stack_box(LAYOUT, point) for point in cut.position.removed)]
    assert differing(without(a, boxes), without(b, boxes)).getbbox() is None


def test_the_two_coordinate_systems_differ_only_in_names() -> None:
    position = after(GREAT_CUT, 60).position
    a, b = (picture(render(position, coordinates=system)) for system in Coordinates)
    named = [point for point in POINTS if str(point) != Coordinates.PERGIOCO.label(point)]
    boxes = [name_box(position, point) for point in named]

    for box in boxes:
        assert differing(a.crop(box), b.crop(box)).getbbox(), box
    assert differing(without(a, boxes), without(b, boxes)).getbbox() is None


@pytest.mark.parametrize("coordinates", Coordinates)
@pytest.mark.parametrize("name", ["placement-pergioco", "full-board", "melee", "great-cut"])
def test_every_space_is_named_whether_occupied_or_not(name: str, coordinates: Coordinates) -> None:
    shown = GALLERY[name]
    image = picture(render(shown.position, coordinates=coordinates, last=shown.last))
    bare = picture(
        Painter(WOOD, 1100).encode(
            Painter(WOOD, 1100).board(Scene(shown.position, None, shown.last))
        )
    )

    for point in POINTS:
        box = name_box(shown.position, point)
        assert differing(image.crop(box), bare.crop(box)).getbbox(), point


def test_a_name_is_large_and_clear_on_a_phone() -> None:
    half = Layout(400).half

    assert half * SPACE >= 11
    assert half * LONG_SPACE >= 11


@pytest.mark.parametrize("width", [400, 1100])
def test_a_number_does_not_touch_the_name_below_it(width: int) -> None:
    shown, layout = GALLERY["great-cut"], Layout(width)
    image = picture(render(shown.position, look=Look(width_px=width))).convert("L")
    tall = {at: one for at, one in shown.position.stacks.items() if len(one) > 1}
    left = {at: one for at, one in shown.position.removed.items() if len(one) > 1}

    for point, pieces in (tall | dict.fromkeys(left, "")).items():
        x, y = top(layout, point, pieces) if pieces else layout.centre(point)
        across, half = round(layout.half * 0.45), layout.half
        rows = (
            image.crop((x - across, row, x + across, row + 1)).tobytes()
            for row in range(y, y + round(half * 0.25))
        )
        clear = sum(max(row) - min(row) < 60 for row in rows)
        assert clear >= max(1, int(half * 0.05)), point


def test_no_two_spaces_look_as_if_they_had_one_name() -> None:
    empty = Position.initial()
    for coordinates in Coordinates:
        image = picture(render(empty, coordinates=coordinates))
        names = {image.crop(name_box(empty, point)).tobytes() for point in POINTS}
        assert len(names) == len(POINTS)


def name_box(position: Position, point: Point) -> tuple[int, int, int, int]:
    """Return where the name of a space is: on a stack, below its number."""
    pieces, left = position.stacks.get(point, ""), position.removed.get(point, "")
    x, y = top(LAYOUT, point, pieces or "W") if not left else LAYOUT.centre(point)
    if len(pieces) > 1 or pieces == "R" or left:
        y += round(LAYOUT.half * NAME_AT)
    return x - 27, y - 15, x + 27, y + 17


def test_only_stacks_of_the_player_to_move_are_dimmed_and_the_movable_ones_outlined() -> None:
    position = GALLERY["full-board"].position
    assert position.turn is not None
    movable = {move.source for move in position.legal_moves()}

    image, plain = draw(position), picture(render(position, aids=False))

    for point, pieces in position.stacks.items():
        if pieces == "R":
            continue
        own = position.owner(point) is position.turn
        here, there = space(image, LAYOUT, point), space(plain, LAYOUT, point)
        assert (halo(image, LAYOUT, point, pieces) > 0.7) == (point in movable), point
        if own:
            assert differing(here, there).getbbox() is not None, point


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (after(GREAT_CUT, 1), after(GREAT_CUT, 2)),
        (after(GREAT_CUT, 2), after(GREAT_CUT, 3)),
        (after(GREAT_CUT, 10), after(GREAT_CUT, 12)),
        (after(GREAT_CUT, 48), after(GREAT_CUT, 49)),
        (after(GREAT_CUT, 60), after(GREAT_CUT, 61)),
        (after(WHITE_PASSES, 81), after(WHITE_PASSES, 82)),
    ],
    ids=["who", "color", "number", "phase", "mover", "end"],
)
def test_the_header_shows_changes(one: object, other: object) -> None:
    a, b = (draw(shown.position).crop(STRIP) for shown in (one, other))  # type: ignore[attr-defined]

    assert differing(a, b).getbbox() is not None


@pytest.mark.parametrize(
    "words",
    [
        replace(ENGLISH, black="Nero"),
        replace(ENGLISH, move="Mossa {number}"),
    ],
)
def test_words_are_those_handed_in(words: Words) -> None:
    position = GALLERY["melee"].position

    a, b = picture(render(position)), picture(render(position, look=Look(words=words)))

    assert differing(a.crop(STRIP), b.crop(STRIP)).getbbox() is not None
    assert differing(without(a, [STRIP]), without(b, [STRIP])).getbbox() is None


def test_a_last_move_has_its_end_though_the_moved_stack_is_cut_off() -> None:
    shown = GALLERY["great-cut"]
    assert shown.last is not None
    assert shown.last.target in shown.position.removed
    image = draw(shown.position, shown.last)
    for end in (shown.last.source, shown.last.target):
        assert end is not None
        assert spots(space(image, LAYOUT, end), WOOD.moved, at_least=40) >= 1, end
