"""Tests for arrows: they hide nothing, and can be distinguished without color."""

import math
import random
from itertools import combinations, pairwise, product

import pytest
from PIL import Image

from dvonn import POINTS, Color, Coordinates, Move, Phase, Point, Position, parse_move
from dvonn.svg.arrows import arrow_shape, difference, red_marks, spot_of
from dvonn.svg.geometry import Layout
from dvonn.svg.stack_shapes import MARK
from dvonn.svg.theme import Rgb
from renderer import WOOD, Arrows, Look, describe, render
from renderer.arrow_places import LABEL_RADIUS, ArrowPosition, arrow_positions, corners
from tests.games import positions_of, random_game
from tests.renderer.forms import pointed
from tests.renderer.gallery import GALLERY, GREAT_CUT, after
from tests.renderer.seeing import differing, marks, picture, pixel, space, spots, top
from tests.renderer.test_twin import ALT_TEXT_LIMIT

LAYOUT = Layout(1100)
HALF = LAYOUT.half
GAME = positions_of(random_game(11))


def line(position: Position, length: int, seed: int) -> tuple[Move, ...]:
    """Return a line of random moves from a position."""
    rng, played = random.Random(seed), list[Move]()
    while position.turn is not None and len(played) < length:
        played.append(rng.choice(position.legal_moves()))
        position = position.play(played[-1])
    return tuple(played)


def draw(position: Position, arrows: Arrows) -> Image.Image:
    return picture(render(position, marks=arrows))


def label_pixels(
    image: Image.Image, point: Point, position: Position, layout: Layout = LAYOUT
) -> bytes:
    """Return the ink in a space: its name, and the number of its stack."""
    pieces = position.stacks.get(point, "W")
    x, y = top(layout, point, pieces)
    piece = WOOD.piece(pieces[-1]) if len(pieces) > 1 or pieces == "R" else None
    inks = (WOOD.cell_label, WOOD.quiet_label)
    if piece is not None:
        inks = (piece.ink, WOOD.quiet_ink(piece))
    across, down = (
        round(layout.half * item) for item in ((0.45, 0.25) if piece is None else (0.5, 0.5))
    )
    part = image.crop((x - across, y - down, x + across, y + down))
    data = part.tobytes()
    pixels = (tuple(data[at : at + 3]) for at in range(0, len(data), 3))
    return bytes(any(math.dist(item, ink) < 40 for ink in inks) for item in pixels)


@pytest.mark.parametrize("ply", [49, 55, 61, 67, 72])
def test_arrows_hide_no_number_no_name_and_no_red_piece(ply: int) -> None:
    position = GAME[ply]
    told = line(position, 6, ply)
    first, *others = position.legal_moves()
    arrows = Arrows(played=first, better=others[-1] if others else None, line=told[1:])
    plain, marked = draw(position, Arrows()), draw(position, arrows)

    assert differing(plain, marked).getbbox() is not None
    for point in POINTS:
        inked, seen = (label_pixels(image, point, position) for image in (plain, marked))
        assert any(inked), point
        assert all(later for first, later in zip(inked, seen, strict=True) if first), point
    for point, pieces in position.stacks.items():
        assert marks(marked, LAYOUT, point, pieces) == pieces.count("R"), point


NEXT = ("d3", "f3", "e4", "e2", "f4", "d2")
AROUND = {
    **dict.fromkeys(("c3", "c2", "f4", "g3"), "B"),
    "d3": "RBWBW",
    "f3": "BW",
    "e4": "WWBWBW",
    "e2": "RB",
    "d2": "B" * 13,
    "e5": "R",
}


@pytest.mark.parametrize("width_px", [400, 1100])
@pytest.mark.parametrize("target", NEXT)
def test_an_arrow_to_the_next_space_hides_nothing(target: str, width_px: int) -> None:
    """It hides no name at the start, and no number or red piece at the target."""
    stacks = {**AROUND, target: AROUND[target] + "W"}
    position = Position.from_stacks(stacks, turn=Color.BLACK)
    layout, look, last = Layout(width_px), Look(width_px=width_px), parse_move(f"e3-{target}")

    plain, marked = (
        picture(render(position, marks=Arrows(played=item), look=look)) for item in (None, last)
    )

    assert differing(plain, marked).getbbox() is not None
    for point in (Point("e3"), last.target):
        inked, seen = (label_pixels(image, point, position, layout) for image in (plain, marked))
        assert all(later for first, later in zip(inked, seen, strict=True) if first), point
    for point in position.stacks:
        one, other = (space(image, layout, point).tobytes() for image in (plain, marked))
        assert count(one, WOOD.mark) == count(other, WOOD.mark), point


def count(data: bytes, color: Rgb) -> int:
    """Return the number of pixels with exactly a color in an RGB image."""
    return sum(data[at : at + 3] == bytes(color) for at in range(0, len(data), 3))


@pytest.mark.parametrize("width_px", [400, 800, 1100])
def test_an_arrow_to_the_next_space_has_a_shaft(width_px: int) -> None:
    """It looks like an arrow if the shaft is as long as the head and the whole is long enough."""
    look, half = Look(width_px=width_px), Layout(width_px).half
    position = Position.from_stacks({**AROUND, "f3": "BWW"}, turn=Color.BLACK)
    x, y = Layout(width_px).centre(Point("e3"))

    image = picture(render(position, marks=Arrows(played=parse_move("e3-f3")), look=look))

    gold = [
        sum(pixel(image, column, row) == WOOD.accent for row in range(y - half, y + half))
        for column in range(x, x + 2 * half)
    ]
    inked = [column for column, count in enumerate(gold) if count]
    length, neck = inked[-1] - inked[0] + 1, gold.index(max(gold))
    assert length >= 0.75 * half
    assert neck - inked[0] >= 0.5 * length
    assert max(gold) >= 1.8 * max(gold[: neck - half // 10]), "the head is broader"


def middles(ways: tuple[ArrowPosition, ...]) -> list[tuple[float, float]]:
    """Return the centers of labels, in half-cells."""
    spots_of = (LAYOUT.centre(way.source) for way in ways)
    return [
        (x / HALF + way.label[0], y / HALF + way.label[1])
        for (x, y), way in zip(spots_of, ways, strict=True)
    ]


@pytest.mark.parametrize("seed", range(40))
def test_signs_are_apart_and_between_stacks(seed: int) -> None:
    position = GAME[50 + seed % 24]
    told = [(move.source, move.target) for move in line(position, 5, seed) if move.source]

    ways = arrow_positions(told, red_marks(position.stacks))
    labels = middles(ways)

    for one, other in combinations(labels, 2):
        assert math.dist(one, other) > 2 * LABEL_RADIUS
    for label in labels:
        for point in POINTS:
            x, y = LAYOUT.centre(point)
            assert math.dist(label, (x / HALF, y / HALF)) - LABEL_RADIUS > 0.53, point
    for way in ways:
        (x, y), (end_x, end_y) = LAYOUT.centre(way.source), LAYOUT.centre(way.target)
        length = math.dist((x, y), (end_x, end_y))
        beside = (way.label[1] * (end_x - x) - way.label[0] * (end_y - y)) / length
        assert abs(beside - way.aside) > LABEL_RADIUS, "no label lies on its own arrow"


NEIGHBORS = ("e3", "g3", "e2", "f2", "f4", "g4")


@pytest.mark.parametrize(
    ("move", "stacks"),
    [
        *(("e3-d3", {"e3": "W", "d3": red}) for red in ("RB", "BRB", "RWBW", "WRBWBW", "RRB", "R")),
        *(("f3-d3", {"f3": "BW", "d3": red}) for red in ("RB", "BRB", "RBRW", "WRBWBW")),
        ("d3-f3", {"d3": "RW", "f3": "B"}),
        ("d3-g3", {"d3": "RBW", "g3": "RRB"}),
    ],
)
def test_an_arrow_from_or_to_a_red_piece_is_complete(move: str, stacks: dict[str, str]) -> None:
    """Its dot and its head are beside the mark of the red piece."""
    linked = dict.fromkeys(("c2", "d2", "e2", "f2", "g2"), "B")
    position = Position.from_stacks(linked | stacks, turn=Color.WHITE)

    assert pointed(position, parse_move(move)) == {parse_move(move)}


FACES = ("W", "R", "RW", "RRW", "RRRW", "RWW", "RRWW", "RRRWW", "RWWWWW", "RRWWWW", "RRRWWW")


@pytest.mark.parametrize("labeled", [True, False])
@pytest.mark.parametrize("target", ["d3", "h3", "d1", "f1", "f5", "h5", *NEIGHBORS])
def test_both_ends_of_an_arrow_are_beside_red_marks(target: str, *, labeled: bool) -> None:
    """Labels make arrows longer, so that they end at another place."""
    move = Point("f3"), Point(target)
    for ends in product(FACES, repeat=2):
        spots = red_marks(dict(zip(move, ends, strict=True)))
        (way,) = arrow_positions([move], spots, labeled={0} if labeled else ())
        start, end = map(spot_of, move)
        shape = arrow_shape(difference(start, end), 1, aside=way.aside, labeled=labeled)
        middle = (sum(x for x, _ in shape.head) / 3, sum(y for _, y in shape.head) / 3)
        # the dot, the core of the head, and its tip
        parts = (shape.dot, shape.radius), (middle, 0.14), (shape.head[1], 0.0)
        for (x, y), reach in parts:
            place = start[0] + x, start[1] + y
            assert all(math.dist(place, spot) >= MARK + reach for spot in spots)


def test_an_arrow_across_a_red_piece_leaves_its_mark_visible() -> None:
    stacks = {"c3": "B", "d3": "W", "e3": "RBRW", "f3": "W", "g3": "W", "h3": "R"}
    position = Position.from_stacks(stacks, turn=Color.BLACK)

    drawn = position.svg(arrows=["c3-h3"])

    above = drawn[drawn.rindex("<circle") :]
    assert above.count("<polygon") == 3


def test_two_arrows_on_one_line_are_side_by_side() -> None:
    a3, c3, e3, h3, k3 = map(Point, ("a3", "c3", "e3", "h3", "k3"))

    one, back, far, crossing = arrow_positions(
        [(a3, e3), (e3, a3), (h3, k3), (c3, Point("c5"))], ()
    )
    _, onwards = arrow_positions([(a3, e3), (c3, h3)], ())
    _, after_it = arrow_positions([(a3, c3), (c3, h3)], ())

    # Each arrow is shifted to its own right, so these two are on different sides.
    assert one.aside == 0
    assert back.aside != 0
    assert onwards.aside != 0
    assert far.aside == crossing.aside == after_it.aside == 0


def test_the_better_move_is_hollow_and_has_a_sign() -> None:
    position = after(GREAT_CUT, 60).position
    move, other = parse_move("d1-f3"), parse_move("h4-j4")
    plain, alone = draw(position, Arrows()), draw(position, Arrows(played=move))
    beside = draw(position, Arrows(played=move, better=other))
    number = draw(position, Arrows(line=(move,)))
    assert differing(draw(position, Arrows(better=move)), alone).getbbox() is None

    def looks(image: Image.Image) -> tuple[int, int]:
        board = image.crop((0, LAYOUT.strip_height, *image.size))
        return spots(board, WOOD.accent, 40), spots(board, WOOD.landing, 40)

    assert looks(plain) == (0, 0)
    # Two parts of a plain arrow are visible, before and after a space. A label is a third one.
    assert looks(alone) == (2, 0)
    assert looks(beside)[0] == looks(number)[0] == 3
    x, y = LAYOUT.centre(Point("i4"))
    shaft = [
        beside.getpixel((x + round(HALF * 0.72), y + down)) for down in range(-HALF // 3, HALF // 3)
    ]
    inks = [color for color in shaft if color in (WOOD.landing, WOOD.accent_edge)]
    order = [inks[0], *(b for a, b in pairwise(inks) if a != b)]
    edge, ink = WOOD.accent_edge, WOOD.landing
    assert order == [edge, ink, edge, ink, edge], "two rails with something dark between"


def test_only_the_playing_is_dimmed_and_outlined_for() -> None:
    position = after(GREAT_CUT, 60).position

    told = draw(position, Arrows())

    assert differing(told, picture(render(position, aids=False))).getbbox() is None
    assert differing(told, picture(render(position))).getbbox() is not None


def test_a_reviewed_placement_has_an_outline_around_its_space() -> None:
    shown = GALLERY["arrows-placement"]
    assert shown.position.phase is Phase.PLACEMENT
    assert isinstance(shown.marks, Arrows)
    image, plain = draw(shown.position, shown.marks), draw(shown.position, Arrows())

    for ink, point in ((WOOD.accent, Point("a2")), (WOOD.landing, Point("f3"))):
        x, y = LAYOUT.centre(point)
        around = image.crop((x - 2 * HALF, y - 2 * HALF, x + 2 * HALF, y + 2 * HALF))
        assert spots(around, ink, 40) >= 2, point
        assert label_pixels(image, point, shown.position) == label_pixels(
            plain, point, shown.position
        )


@pytest.mark.parametrize("red", ["d3", "e4", "f4", "g3", "f2", "d2", "d4"])
def test_the_sign_of_a_placement_leaves_red_pieces_free(red: str) -> None:
    position = Position.initial().play(parse_move(red))
    arrows = Arrows(played=parse_move("f3"), better=parse_move("e3"))
    plain, marked = draw(position, Arrows()), draw(position, arrows)

    assert label_pixels(plain, Point(red), position) == label_pixels(marked, Point(red), position)
    assert marks(marked, LAYOUT, Point(red), "R") == 1
    one, other = corners([Point("a1"), Point("b2")])
    assert math.dist(one, (other[0] + 1, other[1] - math.sqrt(3))) > 2 * LABEL_RADIUS


def test_the_twin_names_each_move_by_its_number() -> None:
    text = describe(
        after(GREAT_CUT, 60).position,
        coordinates=Coordinates.PERGIOCO,
        last=parse_move("f3-f4"),
        marks=Arrows(
            played=parse_move("d1-f3"),
            better=parse_move("h4-j4"),
            line=(parse_move("f3-f4"), parse_move("f2-g2")),
        ),
    )

    told = "Played: e4-c6. Better: b8-b10. Then 1. c6-b6, 2. d6-d7. Black to move."
    assert text.startswith(told)
    assert "Last move" not in text


def test_the_twin_compares_a_move_only_with_a_played_one() -> None:
    position, move = after(GREAT_CUT, 60).position, parse_move("d1-f3")
    assert describe(position, marks=Arrows(better=move)).startswith("Suggested: d1-f3. ")


def test_the_twin_fits_with_a_line_of_ten_moves() -> None:
    for ply, position in enumerate(GAME[49:], start=49):
        told = line(position, 10, ply)
        text = describe(position, marks=Arrows(played=told[0] if told else None, line=told[1:]))
        assert len(text) <= ALT_TEXT_LIMIT


def test_an_end_is_announced_on_its_board() -> None:
    over = Position.from_stacks({"f3": "RW", "h5": "RB"}, turn=Color.WHITE)

    assert render(over, marks=Arrows(played=parse_move("f3-h5")))
