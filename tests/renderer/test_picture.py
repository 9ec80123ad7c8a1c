"""Whole pictures: what changes in them when the game does, and what never does."""

from dataclasses import replace
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from dvonn import (
    COLUMNS,
    POINTS,
    ROWS,
    Color,
    Coordinates,
    Move,
    Point,
    Position,
    parse_move,
    parse_point,
)
from renderer import ENGLISH, SLATE, Caption, Look, PerColor, Words, render
from renderer.geometry import Layout, Pixel
from renderer.picture import Painter
from tests.games import positions_of, random_game
from tests.renderer.gallery import GALLERY, GREAT_CUT, WHITE_PASSES, after
from tests.renderer.seeing import (
    cell_box,
    differing,
    mark_box,
    marks,
    picture,
    space,
    spots,
    without,
)
from tests.tiers import share_of

LAYOUT = Layout(1200)
STRIP = (0, 0, LAYOUT.width, LAYOUT.strip_height)
SIZE_LIMIT = 74 * 1024


def every_label(layout: Layout) -> list[Pixel]:
    rows = [label for row in range(ROWS) for label in layout.row_labels(row)]
    return rows + [label for column in range(COLUMNS) for label in layout.column_labels(column)]


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
    height = LAYOUT.height if position.turn is not None else round(1200 * 350 / 550)
    assert (image.format, image.mode, image.size) == ("PNG", "P", (1200, height))


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
        fresh = Painter(SLATE, 1200)
        frame = fresh.frame(shown.position, shown.coordinates, ENGLISH, last=last, marks=marks)

        drawn = render(shown.position, coordinates=shown.coordinates, last=last, marks=marks)

        assert fresh.encode(frame) == drawn


def test_a_placement_changes_its_own_space_and_the_strip_alone() -> None:
    before, now = after(GREAT_CUT, 20).position, after(GREAT_CUT, 21)
    assert now.last is not None
    spot = cell_box(LAYOUT, now.last.target)

    a, b = draw(before), draw(now.position)

    assert differing(a.crop(spot), b.crop(spot)).getbbox() is not None
    assert differing(without(a, [spot, STRIP]), without(b, [spot, STRIP])).getbbox() is None


def test_a_move_changes_its_two_spaces_what_is_freed_and_the_strip_alone() -> None:
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
    boxes = [STRIP, *(cell_box(LAYOUT, point) for point in touched)]
    assert differing(without(a, boxes), without(b, boxes)).getbbox() is None


def state(position: Position, point: Point) -> tuple[bool, bool]:
    """Whether the player to move owns a stack, and may move it."""
    return position.owner(point) is position.turn, bool(position.destinations(point))


def test_marks_of_red_pieces_are_counted_in_the_picture() -> None:
    for name in ("melee", "great-cut", "white-passes", "three-reds-over"):
        position = GALLERY[name].position
        image = draw(position)
        for point, pieces in position.stacks.items():
            seen = marks(image, LAYOUT, point, lone_red=pieces == "R")
            assert seen == pieces.count("R"), (name, point)


def test_what_has_left_is_shown_once() -> None:
    cut = GALLERY["great-cut"]
    then = Position.from_stacks(dict(cut.position.stacks), turn=Color.BLACK)
    assert not then.removed

    a, b = draw(cut.position), draw(then)

    for point in cut.position.removed:
        assert differing(space(a, LAYOUT, point), space(b, LAYOUT, point)).getbbox(), point
    boxes = [STRIP, *(cell_box(LAYOUT, point) for point in cut.position.removed)]
    assert differing(without(a, boxes), without(b, boxes)).getbbox() is None


def test_a_placement_is_outlined_and_nothing_else() -> None:
    shown = after(GREAT_CUT, 20)
    assert shown.last is not None

    plain, marked = draw(shown.position), draw(shown.position, shown.last)

    spot = mark_box(LAYOUT, shown.last.target)
    assert spots(marked.crop(spot), SLATE.accent) == 1
    assert differing(without(plain, [spot]), without(marked, [spot])).getbbox() is None
    x, y = LAYOUT.centre(shown.last.target)
    ring = (x - 28, y - 28, x + 28, y + 28)
    assert differing(plain.crop(ring), marked.crop(ring)).getbbox() is None, "the piece stays clear"


def arrow_ends(shown_last: Move, image: Image.Image) -> tuple[int, int]:
    """How much of the arrow's colour is on the move's source and target."""
    assert shown_last.source is not None
    counts = []
    for point in (shown_last.source, shown_last.target):
        data = space(image, LAYOUT, point).tobytes()
        wanted = bytes(SLATE.accent)
        counts.append(sum(data[at : at + 3] == wanted for at in range(0, len(data), 3)))
    return counts[0], counts[1]


@pytest.mark.parametrize("name", ["melee", "great-cut", "white-passes", "long-arrow"])
def test_an_arrow_leads_from_the_source_to_the_target(name: str) -> None:
    shown = GALLERY[name]
    assert shown.last is not None

    at_source, at_target = arrow_ends(shown.last, draw(shown.position, shown.last))

    assert at_source > 150, "the dot and the shaft"
    assert 20 < at_target < 700, "the head"
    assert arrow_ends(shown.last, draw(shown.position)) == (0, 0)


@pytest.mark.parametrize("name", ["melee", "great-cut", "white-passes", "long-arrow"])
def test_no_arrow_hides_a_number_or_the_mark_of_a_red_piece(name: str) -> None:
    shown = GALLERY[name]

    plain, marked = draw(shown.position), draw(shown.position, shown.last)

    numbered = {
        point: pieces
        for point, pieces in [*shown.position.stacks.items(), *shown.position.removed.items()]
        if len(pieces) > 1 or pieces == "R"
    }
    assert numbered
    for point, pieces in numbered.items():
        rise = 0 if point in shown.position.removed else min(len(pieces) - 1, 5) * 1.7
        x, y = LAYOUT.centre(point)
        box = (x - 15, round(y - rise) - 15, x + 15, round(y - rise) + 15)
        assert differing(plain.crop(box), marked.crop(box)).getbbox() is None, point


def test_a_slanted_arrow_leaves_the_number_of_a_tall_stack_whole() -> None:
    stacks = {"e5": "WW", "d4": "R" + "WB" * 6, "c3": "B", "b2": "B"}
    before = Position.from_stacks(stacks, turn=Color.WHITE)
    last = parse_move("e5-c3")
    after_it = before.play(last)
    d4 = parse_point("d4")

    plain, marked = (space(draw(after_it, move), LAYOUT, d4) for move in (None, last))

    assert differing(plain, marked).getbbox(), "the arrow crosses the stack"
    ink = bytes(SLATE.black.ink)
    hidden = [
        at
        for at in range(0, 3 * plain.width * plain.height, 3)
        if plain.tobytes()[at : at + 3] == ink != marked.tobytes()[at : at + 3]
    ]
    # The light edge of the mark of the red piece is of nearly the same colour, and far below.
    assert not [at for at in hidden if at // 3 // plain.width < plain.height // 2]


def test_all_six_directions_have_an_arrow() -> None:
    stacks = dict.fromkeys(("e3", "d3", "f3", "e4", "e2", "f4", "d2"), "W") | {"g3": "R"}
    position = Position.from_stacks(stacks, turn=Color.WHITE)
    targets = ("d3", "f3", "e4", "e2", "f4", "d2")

    drawn = {render(position, last=parse_move(f"e3-{target}")) for target in targets}

    assert len(drawn) == len(targets)


@pytest.mark.parametrize("coordinates", Coordinates)
def test_labels_stand_where_the_layout_says(coordinates: Coordinates) -> None:
    image = picture(render(after(GREAT_CUT, 60).position, coordinates=coordinates))
    for x, y in every_label(LAYOUT):
        box = (x - 22, y - 22, x + 22, y + 22)
        assert spots(image.crop(box), SLATE.label, at_least=4), (x, y)


def test_the_two_coordinate_systems_differ_in_labels_and_names_alone() -> None:
    position = after(GREAT_CUT, 60).position
    a, b = (picture(render(position, coordinates=system)) for system in Coordinates)
    boxes = [(x - 25, y - 18, x + 25, y + 20) for x, y in every_label(LAYOUT)]
    for point in POINTS:
        (x, y), one_name = LAYOUT.centre(point), str(point) == Coordinates.PERGIOCO.label(point)
        if len(position.stacks.get(point, "")) < 2 and not one_name:
            boxes.append((x - 27, y - 20, x + 27, y + 20))

    for box in boxes:
        assert differing(a.crop(box), b.crop(box)).getbbox(), box
    assert differing(without(a, boxes), without(b, boxes)).getbbox() is None


@pytest.mark.parametrize("coordinates", Coordinates)
@pytest.mark.parametrize("name", ["placement-pergioco", "full-board", "melee", "great-cut"])
def test_every_space_is_named_where_no_number_is(name: str, coordinates: Coordinates) -> None:
    shown = GALLERY[name]
    image = picture(render(shown.position, coordinates=coordinates, last=shown.last))
    empty = picture(render(Position.initial(), coordinates=coordinates))
    shown_there = {**shown.position.removed, **shown.position.stacks}

    for point in POINTS:
        if len(shown_there.get(point, "")) < 2:
            box = name_box(point)
            assert differing(image.crop(box), empty.crop(box)).getbbox() is None, point
            assert spots(image.crop(box), SLATE.cell_label, at_least=4) >= 1, point


def test_no_two_spaces_look_as_if_they_had_one_name() -> None:
    for coordinates in Coordinates:
        image = picture(render(Position.initial(), coordinates=coordinates))
        assert len({image.crop(name_box(point)).tobytes() for point in POINTS}) == len(POINTS)


def name_box(point: Point) -> tuple[int, int, int, int]:
    """Where the name of a space is, inside of a ring that stands on it."""
    x, y = LAYOUT.centre(point)
    return x - 20, y - 11, x + 20, y + 11


def test_only_stacks_of_the_player_to_move_are_dimmed_and_the_movable_ones_outlined() -> None:
    position = GALLERY["full-board"].position
    assert position.turn is not None
    movable = {move.source for move in position.legal_moves()}

    image, plain = draw(position), picture(render(position, caption=Caption(choosing=True)))

    for point in position.stacks:
        own = position.owner(point) is position.turn
        here, there = space(image, LAYOUT, point), space(plain, LAYOUT, point)
        outlined = spots(here, SLATE.movable, at_least=20) > spots(
            there, SLATE.movable, at_least=20
        )
        assert outlined == (point in movable), point
        assert (differing(here, there).getbbox() is not None) == own, point


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
    ids=["who", "colour", "number", "phase", "mover", "end"],
)
def test_the_strip_tells_what_has_changed(one: object, other: object) -> None:
    a, b = (draw(shown.position).crop(STRIP) for shown in (one, other))  # type: ignore[attr-defined]

    assert differing(a, b).getbbox() is not None


@pytest.mark.parametrize(
    "words",
    [
        replace(ENGLISH, to_move=PerColor("Muove il Bianco", "Muove il Nero")),
        replace(ENGLISH, move="Mossa {number}"),
    ],
)
def test_words_are_those_handed_in(words: Words) -> None:
    position = GALLERY["melee"].position

    a, b = picture(render(position)), picture(render(position, look=Look(words=words)))

    assert differing(a.crop(STRIP), b.crop(STRIP)).getbbox() is not None
    assert differing(without(a, [STRIP]), without(b, [STRIP])).getbbox() is None


def test_long_words_become_smaller_and_never_reach_the_counts() -> None:
    position = GALLERY["melee"].position
    sentence = "Der Spieler mit den schwarzen Ringen ist jetzt an der Reihe"
    words = replace(ENGLISH, to_move=PerColor(sentence, sentence), move=sentence)
    left = LAYOUT.width - LAYOUT.half * 6
    counts = (left, 0, LAYOUT.width, LAYOUT.strip_height)

    a, b = picture(render(position)), picture(render(position, look=Look(words=words)))

    assert differing(a.crop(STRIP), b.crop(STRIP)).getbbox() is not None
    assert differing(a.crop(counts), b.crop(counts)).getbbox() is None
