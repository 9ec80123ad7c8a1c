"""Parsers that recover the facts about a position from each form of a picture.

They read the pixels of the PNG, the elements of the page and of the SVGs (`renderer` and
`dvonn.svg`), and the words of the text twin. `.venv/bin/python -m tests.renderer.forms 2000 SEED`
checks all forms against the rules in that many random games. In one position of each, it checks the
position itself, a chosen stack, and an arrow.
"""

import base64
import json
import math
import random
import re
import sys
import zlib
from html import unescape
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

from PIL import Image, ImageFilter

from dvonn import POINTS, Color, Move, Phase, Point, Position
from dvonn.svg.arrows import CIRCLE_AT, arrow_shape, lanes, red_marks, way_corners
from dvonn.svg.fragments import ink
from dvonn.svg.geometry import Layout, hexagon
from dvonn.svg.stack_shapes import LEFT_NUMBER_AT, MARK, NUMBER_AT, number_size
from dvonn.svg.theme import Rgb
from renderer import ENGLISH, WOOD, Arrows, Caption, Marks, Reel, describe, render, replay_page, svg
from renderer.head import MIDDLE, HeadText, head_of
from renderer.lettering import Weight, centred, fitting, font, lettering
from renderer.scene import Scene
from renderer.strip import BASELINE
from tests.games import positions_of, random_game
from tests.renderer.seeing import halo, marks, picture, pixel, space, top

LAYOUT = Layout(1100)
HALF = LAYOUT.half
CAPTION = Caption(white="Ann", black="Bob")
_SVG = "{http://www.w3.org/2000/svg}"
_STACKS = re.compile(r"(Ann|Bob|Red) ((?:[a-k]\d+(?: \([^)]*\))?(?:, )?)+)\.")
_OWNERS = {"Ann": "W", "Bob": "B", "Red": "R"}
_HEIGHT = r"(?: \((\d+) tall(?:, (\d) red)?\))?"
_STACK = re.compile(rf"([a-k]\d+){_HEIGHT}")
_LAST = re.compile(rf"Last move (?:([a-k]\d+)-)?([a-k]\d+)(?:, onto (white|black|red){_HEIGHT})?\.")

Stack = tuple[str, int, int]
NO_STACK: Stack = ("", 0, 0)


class Told(NamedTuple):
    """The facts about a position. A stack has an owner, a height and red pieces.

    None stands for facts that a form doesn't show: the movable stacks, or the stack that the last
    move landed on.
    """

    stacks: dict[Point, Stack]
    removed: dict[Point, tuple[str, int]]
    ends: frozenset[Point]
    landed: Stack | None
    movable: frozenset[Point] | None
    counts: tuple[int, int] | None
    marked: Color | None
    won: Color | None


def stack(pieces: str) -> Stack:
    """Return the facts about a stack by the rules. A single red piece has no red inside."""
    return pieces[-1], len(pieces), 0 if pieces == "R" else pieces.count("R")


def truth(
    position: Position,
    last: Move | None,
    before: Position | None = None,
    caption: Caption = CAPTION,
) -> Told:
    """Return the facts by the rules. `before` is the position in which the last move was played."""
    is_over = position.turn is None or caption.ending is not None
    won = position.winner if caption.ending is None else caption.winner
    ends = () if last is None else (end for end in (last.source, last.target) if end)
    landed = before.stacks.get(last.target, "") if before and last else ""
    moving = position.phase is Phase.MOVEMENT and not is_over
    return Told(
        {at: stack(one) for at, one in position.stacks.items()},
        {at: (one[-1], len(one)) for at, one in position.removed.items()},
        frozenset(ends),
        stack(landed) if landed else NO_STACK,
        frozenset(move.source for move in position.legal_moves() if move.source and moving),
        None
        if position.phase is Phase.PLACEMENT
        else (position.score(Color.WHITE), position.score(Color.BLACK)),
        won if is_over else position.turn,
        won if is_over else None,
    )


def facts_in_picture(position: Position, last: Move | None, caption: Caption = CAPTION) -> Told:
    """Return the facts in a PNG. Marks that the rules don't expect are an error."""
    image = picture(render(position, last=last, caption=caption))
    wanted = truth(position, last, caption=caption)
    stacks, removed = {}, {}
    for point in POINTS:
        pieces, left = position.stacks.get(point, ""), position.removed.get(point, "")
        if left:
            ring = _around(image, LAYOUT.centre(point), 0.88)
            top_piece = "W" if _has(ring, WOOD.white.top) else "B"
            number = _reads(image, LAYOUT.centre(point), f"−{len(left)}", WOOD.cell_label)
            removed[point] = (top_piece, len(left) if number else 0)
        elif (owner := _owner(image, point, pieces)) is not None:
            ink = WOOD.piece(owner).ink
            tall = len(pieces) > 1 and _reads(
                image, top(LAYOUT, point, pieces), str(len(pieces)), ink
            )
            height = 1 if len(pieces) == 1 else len(pieces) if tall else 0
            signs = marks(image, LAYOUT, point, pieces)
            stacks[point] = (owner, height, signs - (pieces == "R"))
    tinted = {at for at in POINTS if _tinted(image, at) >= 15 or at == _arrow_target(image, last)}
    way = set() if last is None or last.source is None else tinted - wanted.ends
    movable = None
    if position.turn is not None and caption.ending is None:
        movable = frozenset(
            at for at, one in position.stacks.items() if halo(image, LAYOUT, at, one) > 0.5
        )
    chips = [
        _has([pixel(image, x, round(HALF * 0.7)) for x in range(*ends)], WOOD.accent)
        for ends in ((30, 300), (800, 1070))
    ]
    marked = None if chips[0] == chips[1] else Color.WHITE if chips[0] else Color.BLACK
    counts, won = _head(image, Scene(position, caption=caption.lettered()))
    return Told(stacks, removed, frozenset(tinted - way), None, movable, counts, marked, won)


def _head(image: Image.Image, scene: Scene) -> tuple[tuple[int, int] | None, Color | None]:
    """Return the counts above a board, and the player with a star."""
    counts, won = list[int](), None
    for chip in head_of(scene, ENGLISH, LAYOUT.width / HALF).chips:
        ink = WOOD.accent_edge if chip.marked else WOOD.text
        if chip.star is not None:
            spot = pixel(image, round(HALF * chip.star), round(HALF * MIDDLE))
            won = chip.color if math.dist(spot, ink) < 30 else None
        if chip.score is not None:
            counts.append(_number(image, chip.score, ink))
    return (counts[0], counts[1]) if counts else None, won


def _number(image: Image.Image, line: HeadText, ink: Rgb) -> int:
    """Return the number from 0 to 49 that the pixels of a line are most like."""
    left = round(HALF * line.left)
    face = fitting(line.weight, round(HALF * line.size), line.text, math.ceil(HALF * line.room))
    up = round(HALF * MIDDLE) + round(face.size * BASELINE) - face.getmetrics()[0]
    box = (left, up, left + round(HALF * line.size * 1.3), up + sum(face.getmetrics()))
    part = image.crop(box)
    data = part.tobytes()
    inked = [math.dist(data[at : at + 3], ink) < 60 for at in range(0, len(data), 3)]

    def fault(number: int) -> int:
        wanted = Image.new("L", part.size)
        wanted.paste(lettering(str(number), face))
        core = [tobyte > 150 for tobyte in wanted.tobytes()]
        return sum(a != b for a, b in zip(core, inked, strict=True))

    return min(range(50), key=fault)


def _owner(image: Image.Image, point: Point, pieces: str) -> str | None:
    """Return the owner of the stack on a space, by the color of its face or ring."""
    x, y = top(LAYOUT, point, pieces or "W")
    # on a ring, or between a number and the name below it
    away, rows = (0.69, (-0.1, 0.0, 0.1)) if len(pieces) < 2 else (0.45, (0.13, 0.14, 0.15))
    ring = [
        pixel(image, x + round(HALF * away * side), y + round(HALF * down))
        for side in (-1, 1)
        for down in rows
    ]
    kinds: dict[str | None, list[Rgb]] = {None: [WOOD.cell, WOOD.moved]}
    for name, piece in (("W", WOOD.white), ("B", WOOD.black), ("R", WOOD.red)):
        dimmed = WOOD.dimmed(piece)
        shown = (piece.top, dimmed.top) if len(pieces) < 2 else (piece.well, dimmed.well)
        kinds[name] = list(shown)
    nearest = [
        min(kinds, key=lambda kind: min(math.dist(item, color) for color in kinds[kind]))
        for item in ring
    ]
    return max(set(nearest), key=nearest.count)


def _around(image: Image.Image, centre: tuple[int, int], reach: float) -> list[Rgb]:
    x, y = centre
    turns = (math.tau * number / 90 for number in range(90))
    return [
        pixel(image, x + round(HALF * reach * math.cos(t)), y + round(HALF * reach * math.sin(t)))
        for t in turns
    ]


def _has(found: list[Rgb], color: Rgb) -> bool:
    return sum(math.dist(item, color) < 20 for item in found) >= 5


def _reads(image: Image.Image, middle: tuple[int, int], text: str, ink: Rgb) -> bool:
    """Return True if a stack, or the trace of a removed one, has exactly that number."""
    face = font(Weight.BOLD, round(HALF * number_size(text)))
    mask = lettering(text, face)
    x, y = middle
    number_at = LEFT_NUMBER_AT if text.startswith("−") else NUMBER_AT
    left, up = centred(mask, face, (x, y + HALF * number_at))
    wide, high = round(HALF * (0.22 if len(text) == 1 else 0.5)), round(HALF * 0.36)
    row = y + round(HALF * number_at)
    box = (x - wide, row - high, x + wide, row + high)
    part = image.crop(box).tobytes()
    found = [math.dist(part[at : at + 3], ink) < 60 for at in range(0, len(part), 3)]
    for down in (-1, 0, 1):  # tiles start at whole pixels
        wanted = Image.new("L", image.size)
        wanted.paste(mask, (left, up + down))
        inked = wanted.crop(box)
        near = inked.filter(ImageFilter.MaxFilter(5)).tobytes()
        core = [tobyte > 190 for tobyte in inked.tobytes()]
        both = sum(a and b for a, b in zip(core, found, strict=True))
        more = sum(a and not b for a, b in zip(found, near, strict=True))
        if both >= 0.9 * sum(core) and more <= 12:
            return True
    return False


def _arrow_target(image: Image.Image, last: Move | None) -> Point | None:
    """Return the target of the last move if its arrow is visible, which adjacent spaces lack."""
    if last is None or last.source is None:
        return None
    corners = way_corners(LAYOUT.centre(last.source), LAYOUT.centre(last.target), HALF)
    if not corners:
        return None
    left, tip, right = corners[2:5]
    x, y = ((4 * tip[i] + 3 * left[i] + 3 * right[i]) / 10 for i in (0, 1))
    return last.target if pixel(image, round(x), round(y)) == WOOD.moved else None


def _tinted(image: Image.Image, point: Point) -> int:
    part = space(image, LAYOUT, point)
    counts = {color: count for count, color in part.getcolors(1 << 16) or ()}
    return counts.get(WOOD.moved, 0)


def drawn(position: Position, last: Move | None, caption: Caption = CAPTION) -> Told:
    """Return the facts in an SVG."""
    root = ET.fromstring(svg(position, last=last, caption=caption))  # noqa: S314 - our own
    filled = [
        float(element.attrib["x"])
        for element in root.iter(f"{_SVG}rect")
        if element.attrib["fill"] == "#" + bytes(WOOD.accent).hex()
    ]
    marked = None if not filled else Color.WHITE if filled[0] < 500 else Color.BLACK
    stars = [
        float(element.attrib["points"].split(",")[0]) for element in root.findall(f"{_SVG}polygon")
    ]
    won = None if not stars else Color.WHITE if stars[0] < 500 else Color.BLACK
    texts = root.findall(f"{_SVG}text")
    figures = [
        int(text.text or "")
        for text in texts
        if text.get("font-weight") == "700" and "−" not in (text.text or "")
    ]
    counts = (figures[0], figures[1]) if figures else None
    return Told(*_board(root), None, None, counts, marked, won)


def own(position: Position, last: Move | None) -> Told:
    """Return the facts in an SVG of `dvonn.svg`, which shows no names and no early endings."""
    root = ET.fromstring(position.svg(last=last))  # noqa: S314 - our own
    title = root.findtext(f"{_SVG}title") or ""
    count = re.search(r"White (\d+), Black (\d+)", title)
    assert count is not None
    counts = (int(count[1]), int(count[2])) if position.phase is not Phase.PLACEMENT else None
    won = {"1-0": Color.WHITE, "0-1": Color.BLACK}.get(title.partition(":")[0])
    mover = {"White to": Color.WHITE, "Black to": Color.BLACK}.get(title[:8])
    return Told(*_board(root), None, None, counts, mover or won, won)


def chosen(position: Position, source: Point) -> tuple[set[Point], set[Point]]:
    """Return the outlined stacks and the circled landings of a PNG for choosing a move."""
    image = picture(render(position, marks=Marks.for_stack(position, source), caption=CAPTION))
    outlined, circled = set(), set()
    for point in POINTS:
        centre = LAYOUT.centre(point)
        corners = hexagon(centre, HALF * 0.965)
        sides = [
            (round(a[0] + (b[0] - a[0]) * share / 8), round(a[1] + (b[1] - a[1]) * share / 8))
            for a, b in zip(corners, (*corners[1:], corners[0]), strict=True)
            for share in range(1, 8)
        ]
        line = [pixel(image, x, y) for x, y in sides]
        if sum(math.dist(item, WOOD.accent) < 40 for item in line) > len(line) / 2:
            outlined.add(point)
        ring = _around(image, centre, CIRCLE_AT)
        if sum(math.dist(item, WOOD.landing) < 40 for item in ring) > len(ring) / 3:
            circled.add(point)
    return outlined, circled


def pointed(position: Position, move: Move) -> set[Move]:
    """Return the movements that a PNG shows as arrows, recognized by the dots and the heads."""
    image = picture(render(position, marks=Arrows(played=move), caption=CAPTION))
    found = set()
    for item in position.legal_moves():
        assert item.source is not None
        (x, y), end = LAYOUT.centre(item.source), LAYOUT.centre(item.target)
        (aside,) = lanes([(item.source, item.target)], red_marks(position.stacks))
        shape = arrow_shape((end.x - x, end.y - y), HALF, aside=aside)
        (left, top), (tip_x, tip_y), (right, low) = shape.head
        # beside the center of the dot, where the shaft of an arrow that passes by has no pixels
        dots = [
            (shape.dot[0] * (1 - share) + a * share, shape.dot[1] * (1 - share) + b * share)
            for share in [0.8 * shape.radius / math.dist(shape.dot, shape.shaft[0])]
            for a, b in (shape.shaft[0], shape.shaft[3])
        ]
        sides = [
            (left * 0.75 + tip_x * 0.25, top * 0.75 + tip_y * 0.25),
            (right * 0.75 + tip_x * 0.25, low * 0.75 + tip_y * 0.25),
        ]
        # inside the head, away from its edge
        middle = ((left + tip_x + right) / 3, (top + tip_y + low) / 3)
        inside = [((a + middle[0]) / 2, (b + middle[1]) / 2) for a, b in sides]
        inked = [
            [
                math.dist(pixel(image, round(x + a), round(y + b)), WOOD.accent) < 40
                for a, b in spots
            ]
            for spots in (dots, inside)
        ]
        if any(inked[0]) and all(inked[1]):
            found.add(item)
    return found


def _board(
    root: ET.Element,
) -> tuple[dict[Point, Stack], dict[Point, tuple[str, int]], frozenset[Point]]:
    """Return the stacks of an SVG, the removed ones, and the ends of the last move."""
    at = {tuple(map(str, LAYOUT.centre(point))): point for point in POINTS}
    stacks, removed = {}, {}
    for element in root.iter(f"{_SVG}use"):
        point, kind = at[element.attrib["x"], element.attrib["y"]], element.attrib["href"]
        if gone := re.fullmatch(r"#dvonn-(?:wood-)?([WB])(\d+)-gone", kind):
            removed[point] = (gone[1], int(gone[2]))
            continue
        pieces, height, reds = kind.split("-")[-3:]
        stacks[point] = (pieces[-1], int(height), 0 if pieces == "R" else int(reds))
    paths = [item.attrib for item in root.iter(f"{_SVG}path")]
    tint = "".join(path["d"] for path in paths if path["fill"] == "#" + bytes(WOOD.moved).hex())
    starts = {}
    for point in POINTS:
        x, y = LAYOUT.centre(point)
        high = f"{y - HALF / math.cos(math.pi / 6):.1f}".removesuffix(".0")
        starts[f"M{x} {high}L"] = point
    ends = frozenset(point for start, point in starts.items() if start in tint)
    return stacks, removed, ends


def facts_in_text(text: str) -> Told:
    """Return the facts in a text twin."""
    before, _, board = text.partition("On the board:")
    stacks = {
        Point(name): (_OWNERS[owner], int(height or 1), int(reds or 0))
        for owner, listed in _STACKS.findall(board)
        for name, height, reds in _STACK.findall(listed)
    }
    gone = {
        Point(name): (_OWNERS[owner], int(height or 1))
        for owner, listed in _STACKS.findall(before)
        for name, height, _ in _STACK.findall(listed)
    }
    move = _LAST.match(text)
    ends = frozenset(Point(end) for end in move.groups()[:2] if end) if move else frozenset()
    owner, height, reds = move.groups()[2:] if move else (None, None, None)
    landed = (owner[0].upper(), int(height or 1), int(reds or 0)) if owner else NO_STACK
    free = re.search(r"Can move: ([a-k0-9, ]+)\.", text)
    movable = frozenset(map(Point, free[1].split(", "))) if free else frozenset()
    count = re.search(r"Pieces: Ann (\d+), Bob (\d+)\.", text)
    counts = (int(count[1]), int(count[2])) if count else None
    who = re.search(r"(Ann|Bob) (?:to|wins)", text)
    marked = None if who is None else Color.WHITE if who[1] == "Ann" else Color.BLACK
    won = marked if who is not None and who[0].endswith("wins") else None
    return Told(stacks, gone, ends, landed, movable, counts, marked, won)


def paged(
    positions: list[Position], moves: list[Move], at: int, caption: Caption = CAPTION
) -> tuple[Told, tuple[int, int] | None]:
    """Return the facts about a page's last position, and the counts that it shows."""
    reel = Reel(positions=tuple(positions[: at + 1]), moves=tuple(moves[:at]), caption=caption)
    page = replay_page(reel)
    data = re.search(r'id="data">([^<]*)<', page)
    assert data is not None
    own: Any = json.loads(zlib.decompress(base64.b64decode(data[1])))["own"]
    told = facts_in_text(own["plies"][-1]["words"])
    shown = re.findall(r"<bdi>(Ann|Bob)</bdi> (\d+)", unescape(own["plies"][-1]["counts"]))
    counts = tuple(int(count) for _, count in shown)
    return told, (counts[0], counts[1]) if counts else None


def differences(
    positions: list[Position], moves: list[Move], at: int, caption: Caption = CAPTION
) -> list[str]:
    """Describe how the PNG, the SVGs and the twin of a game's position differ from the rules."""
    position, last = positions[at], moves[at - 1] if at else None
    wanted = truth(position, last, positions[at - 1] if at else None, caption)
    found = {
        "png": facts_in_picture(position, last, caption),
        "svg": drawn(position, last, caption),
        "twin": facts_in_text(describe(position, last=last, caption=caption)),
    }
    if caption.ending is None:
        found["dvonn.svg"] = own(position, last)
    wrong = []
    for form, told in found.items():
        for name, value in told._asdict().items():
            expected = getattr(wanted, name)
            if value == expected or (value is None and name in ("movable", "landed")):
                continue
            wrong.append(f"{form} {name}: {value} for {expected}")
    return wrong


def page_differences(positions: list[Position], moves: list[Move], at: int) -> list[str]:
    """Describe how the page of a game up to some position differs from the rules."""
    wanted = truth(positions[at], moves[at - 1], positions[at - 1])
    told, counts = paged(positions, moves, at)
    wrong = [f"page counts: {counts} for {wanted.counts}"] if counts != wanted.counts else []
    if told._replace(movable=None) != wanted._replace(movable=None):
        wrong.append(f"page: {told} for {wanted}")
    return wrong


def choice_differences(position: Position, source: Point) -> list[str]:
    """Describe how the PNG and the twin for a chosen stack differ from the rules."""
    landings = position.destinations(source)
    twin = describe(position, marks=Marks.for_stack(position, source))
    told = re.match(r"From (\S+) you can go to (.*?)\. (?=White|Black)", twin)
    said_of = told and (told[1], re.findall(r"[a-k]\d", told[2]))
    wrong = []
    if (found := chosen(position, source)) != ({source}, set(landings)):
        wrong.append(f"png of {source}: {found}")
    if said_of != (source, [*landings]):
        wrong.append(f"twin of {source}: {said_of}")
    return wrong


def arrow_differences(position: Position, move: Move) -> list[str]:
    """Describe how the PNG, the SVG and the twin with an arrow differ from the move."""
    wrong = list[str]()
    if (found := pointed(position, move)) != {move}:
        wrong.append(f"png: {found} for {move}")
    if not describe(position, marks=Arrows(played=move)).startswith(f"Played: {move}. "):
        wrong.append(f"twin of {move}")
    (path,) = re.findall(
        f'<g fill="{ink(WOOD.accent)}"><path d="([^"]*)"', position.svg(arrows=[move])
    )
    places = [tuple(map(float, spot.split())) for spot in re.findall(r"[\d.]+ [\d.]+", path)]
    tip = places[5]  # after the shaft's four corners, the head's middle corner
    start = ((places[0][0] + places[3][0]) / 2, (places[0][1] + places[3][1]) / 2)
    ends = (min(POINTS, key=lambda at: math.dist(LAYOUT.centre(at), end)) for end in (start, tip))
    if tuple(ends) != (move.source, move.target):
        wrong.append(f"svg of {move}")
    a1 = LAYOUT.centre(Point("a1"))
    for x, y in red_marks(position.stacks):
        if math.dist(tip, (a1.x + HALF * x, a1.y + HALF * y)) <= HALF * MARK:
            wrong.append(f"svg of {move}: its tip is below a red mark")
    return wrong


def main(games: int, seed: int) -> int:
    """Check a position of each game against the rules, and print the differences."""
    rng, wrong = random.Random(seed), 0
    for _ in range(games):
        number = rng.randrange(10**9)
        moves = random_game(number)
        positions = positions_of(moves)
        at = rng.randrange(len(positions))
        faults = differences(positions, moves, at)
        if at:
            faults += page_differences(positions, moves, at)
        movements = [move for move in positions[at].legal_moves() if move.source]
        if movements:
            move = rng.choice(movements)
            assert move.source is not None
            faults += choice_differences(positions[at], move.source)
            faults += arrow_differences(positions[at], move)
        for fault in faults:
            print(f"game {number}, ply {at}: {fault}")  # noqa: T201 - what a script tells
        wrong += len(faults)
    print(f"{games} games from seed {seed}, {wrong} differences")  # noqa: T201
    return wrong


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]), int(sys.argv[2]))))
