"""How well a board is known again that people disguise, and how seldom another is taken for it.

    python -m tests.fuzz.likeness [--count 20000] [--seed 1] [--machine]

So many boards of random games are disguised in each way: pieces that lie below others are changed,
and it is turned, mirrored, and the colours are changed; before or after that it is played on from,
or spaces are changed. None may pass. And of so many pairs of games that have nothing to do with
each other, boards of the same phase are compared: at most one in a thousand may be taken for near.
The first placements are shown as well, but of these anybody may ask. With `--machine` the games are
those of the machine with itself, whose placements are like those of people who know the game.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Final

from bot.play.model.similar_boards import FIRST_PLACEMENTS, alike, cells, is_near
from dvonn import POINTS, Color, Phase, Point, Position, PositionError
from dvonn.board import SYMMETRIES
from tests.games import positions_of, random_game

GAMES: Final = 400
FREE: Final = {f"{placed} placed": range(placed, placed + 1) for placed in range(4, 9)}
PHASES: Final = {
    "9 to 16 placed": range(FIRST_PLACEMENTS + 1, 17),
    "17 to 32 placed": range(17, 33),
    "33 to 48 placed": range(33, 49),
    "moves 49 to 59": range(49, 60),
    "moves 60 to 69": range(60, 70),
    "moves 70 to 79": range(70, 80),
    "moves from 80 on": range(80, 200),
}
AT_MOST: Final = 1 / 1_000
"""So many pairs of boards may be wrongly taken for near, in each phase."""

Stacks = Mapping[Point, str]
_SWAPPED: Final = str.maketrans("WB", "BW")
_TRIES: Final = 200


class NotHereError(Exception):
    """A board cannot be disguised so."""


def plies(position: Position, count: int, rng: Random, *, cutting: bool = False) -> Position:
    """Some plies on: any, or such as cut off most."""
    for _ in range(count):
        legal = position.legal_moves()
        if not legal:
            raise NotHereError
        after = [position.play(move) for move in (legal if cutting else (rng.choice(legal),))]
        position = max(after, key=lambda one: len(one.removed))
    return position


def spaces(position: Position, count: int, rng: Random) -> Position:
    """What stands on some spaces changed, to what the rules allow; while placing, pieces moved.

    Raises:
        NotHereError: where that is hardly possible.
    """
    if position.phase is Phase.PLACEMENT:
        return _replaced(position, count, rng)
    for _ in range(_TRIES):
        stacks = dict(position.stacks)
        for point in rng.sample(POINTS, count):
            _change(stacks, point, rng)
        try:
            return Position.from_stacks(stacks, turn=rng.choice(list(Color)))
        except PositionError:
            continue
    raise NotHereError


def _change(stacks: dict[Point, str], point: Point, rng: Random) -> None:
    """Another owner, height or red piece; a piece more, or none any more."""
    here = stacks.pop(point, "")
    match rng.randrange(4):
        case 0 if here and here != "R":
            stacks[point] = here[:-1] + here[-1].translate(_SWAPPED)
        case 1:
            stacks[point] = rng.choice("WB") + here if here else rng.choice("WBR")
        case 2 if len(here) > 1:
            stacks[point] = here[1:]
        case 3 if here:
            stacks[point] = here.replace("R", "W") if "R" in here else "R" + here


def _replaced(position: Position, count: int, rng: Random) -> Position:
    """The placement with some spaces changed: one piece more or less, one or two pieces moved."""
    placed = {piece: [] for piece in "RWB"}  # type: dict[str, list[Point]]
    for point, piece in position.stacks.items():
        placed[piece].append(point)
    order = [next_of(placed, n) for n in range(position.plies)]
    free = [point for point in POINTS if point not in position.stacks]
    if len(free) < 2:
        raise NotHereError
    rng.shuffle(free)
    if count == 1:
        order = order[:-1] if rng.random() < 0.5 else [*order, free[0]]
    elif count == 2:
        order[rng.randrange(len(order))] = free[0]
    else:
        order[rng.randrange(len(order))] = free[0]
        order = order[:-1] if rng.random() < 0.5 and order[-1] != free[0] else [*order, free[1]]
    after = Position.initial()
    for point in order:
        after = after.play(next(one for one in after.legal_moves() if one.target == point))
    return after


def next_of(placed: dict[str, list[Point]], ply: int) -> Point:
    """Where one of the pieces stands that is placed at a ply."""
    return placed["R" if ply < 3 else "BW"[(ply - 3) % 2]].pop()


def disguised(position: Position, rng: Random) -> Stacks:
    """Turned or mirrored, with the colours changed or not, and with other pieces below."""
    symmetry, swap = rng.choice(SYMMETRIES), rng.choice([{}, _SWAPPED])
    buried = [piece for stack in position.stacks.values() for piece in stack[:-1] if piece != "R"]
    rng.shuffle(buried)
    found = {}
    for point, stack in position.stacks.items():
        below = [piece if piece == "R" else buried.pop() for piece in stack[:-1]]
        rng.shuffle(below)
        found[symmetry[point]] = ("".join(below) + stack[-1]).translate(swap)
    return found


def _mixed(position: Position, on: int, changed: int, rng: Random) -> Position:
    """Some plies on, and some spaces changed before, after or in between."""
    acts = ["ply"] * on + ["space"] * changed
    rng.shuffle(acts)
    for act in acts:
        position = plies(position, 1, rng) if act == "ply" else spaces(position, 1, rng)
    return position


def _put_back(here: Position, rng: Random) -> tuple[Position, Position]:
    """A ply that cuts most off, and then a piece where it came from, beside what was cut off."""
    after = {move: here.play(move) for move in here.legal_moves() if move.source is not None}
    if not after:
        raise NotHereError
    move = max(after, key=lambda one: len(after[one].removed))
    assert move.source is not None
    stacks = {**after[move].stacks, move.source: rng.choice("WB")}
    try:
        return here, Position.from_stacks(stacks, turn=rng.choice(list(Color)))
    except PositionError as error:
        raise NotHereError from error


Disguise = Callable[[Position, Random], tuple[Position, Position]]
"""A board that is played on, or one near it, and what somebody asks about: how they come about."""


def _forth(count: int, *, cutting: bool = False) -> Disguise:
    return lambda here, rng: (here, plies(here, count, rng, cutting=cutting))


def _back(count: int, changed: int = 0) -> Disguise:
    def disguise(here: Position, rng: Random) -> tuple[Position, Position]:
        return plies(here, count, rng), spaces(here, changed, rng) if changed else here

    return disguise


DISGUISES: Final[dict[str, Disguise]] = {
    "what lies below": lambda here, _: (here, here),
    "1 space": lambda here, rng: (here, spaces(here, 1, rng)),
    "2 spaces": lambda here, rng: (here, spaces(here, 2, rng)),
    "3 spaces": lambda here, rng: (here, spaces(here, 3, rng)),
    "1 ply on": _forth(1),
    "2 plies on": _forth(2),
    "3 plies on": _forth(3),
    "3 plies on that cut off most": _forth(3, cutting=True),
    "1 ply on, and 1 piece put back": _put_back,
    "1 ply back": _back(1),
    "2 plies back": _back(2),
    "3 plies back": _back(3),
    "1 ply on and 2 spaces": lambda here, rng: (here, _mixed(here, 1, 2, rng)),
    "2 plies on and 1 space": lambda here, rng: (here, _mixed(here, 2, 1, rng)),
    "1 ply back and 2 spaces": _back(1, 2),
    "2 plies back and 1 space": _back(2, 1),
}


def random_courses(rng: Random) -> list[list[Position]]:
    """Random games, each with all its positions."""
    return [positions_of(random_game(rng.getrandbits(32))) for _ in range(GAMES)]


def machine_courses(rng: Random) -> list[list[Position]]:
    """Games of the machine with itself, at any two levels but the slowest."""
    from dvonn.engine.player import player_at  # noqa: PLC0415 - not everybody has its packages

    courses = []
    for _ in range(GAMES):
        white, black = (player_at(rng.randint(1, 11), rng.getrandbits(32)) for _ in Color)
        course = [Position.initial()]
        while (turn := course[-1].turn) is not None:
            player = white if turn is Color.WHITE else black
            course.append(course[-1].play(player.choose(course[-1])))
        courses.append(course)
    return courses


def passing(
    name: str, count: int, courses: list[list[Position]], rng: Random
) -> Iterator[tuple[Position, Stacks] | None]:
    """So many boards of games disguised: None where one is known again, else both."""
    tried = 0
    while tried < count:
        course = rng.choice(courses)
        here = course[rng.randrange(FIRST_PLACEMENTS + 4, len(course) - 1)]
        try:
            played, asked_about = DISGUISES[name](here, rng)
        except NotHereError:
            continue
        tried += 1
        shown = disguised(asked_about, rng)
        yield None if near(played.stacks, shown) else (played, shown)


def wrongly_near(phase: range, count: int, courses: list[list[Position]], rng: Random) -> int:
    """Of so many pairs of games, how many have boards of a phase that are taken for near."""
    found = tried = 0
    while tried < count:
        boards = [_in_phase(course, phase, rng) for course in rng.sample(courses, 2)]
        if None not in boards:
            tried += 1
            found += near(*(board.stacks for board in boards if board is not None))
    return found


def near(one: Stacks, other: Stacks) -> bool:
    """Whether two boards are near, however they are turned."""
    return any(is_near(cells(one), form) for form in alike(cells(other)))


def _in_phase(course: list[Position], phase: range, rng: Random) -> Position | None:
    """A board of a game in a phase; the end of the game is none."""
    found = range(phase.start, min(phase.stop, len(course) - 1))
    return course[rng.choice(found)] if found else None


def main() -> int:
    """Run, and tell what came of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--machine", action="store_true")
    options = parser.parse_args()
    began, write, rng = time.monotonic(), sys.stdout.write, Random(options.seed)
    passed = often = 0
    courses = (machine_courses if options.machine else random_courses)(rng)
    for name in DISGUISES:
        tried = passing(name, options.count, courses, rng)
        through = [one for one in tried if one is not None]
        passed += len(through)
        write(f"{name:<30} {options.count} tried, {len(through)} passed\n")
        for played, shown in through[:2]:
            write(f"{dict(played.stacks)}\n{dict(shown)}\n")
    for name, phase in (FREE | PHASES).items():
        taken = wrongly_near(phase, options.count, courses, rng)
        often += name in PHASES and taken > AT_MOST * options.count
        write(f"{name:<30} {options.count} pairs, {taken} taken for near\n")
    write(f"seed {options.seed}: {passed} passed, {time.monotonic() - began:.0f} s\n")
    return 1 if passed or often else 0


if __name__ == "__main__":
    sys.exit(main())
