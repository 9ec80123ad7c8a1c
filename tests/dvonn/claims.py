"""Check what reasons claim, by simple rules that share no code with `dvonn.reviews.reasons`."""

from collections.abc import Sequence
from dataclasses import dataclass

from dvonn import Motif, Move, Position
from dvonn.reviews.review import ProvenReason
from tests.dvonn.plain_rules import BOARD, OTHER, PlainPosition, Point, move_of, name

NEAR = 12
"""Number of moves of each line that are compared first."""
SOON = 16
"""Number of moves within which something happens soon."""


def check(position: Position, bad: Sequence[Move], good: Sequence[Move], why: ProvenReason) -> None:
    """Raise AssertionError if a claim of a reason is false.

    A claim must be true after the first moves of both lines, and up to their ends if it says so.
    As an exception, a claimed number of pieces may be the number at the end.

    Args:
        position: The position before the move.
        bad: The move and its reply.
        good: The better line.
        why: The reason.
    """
    try:
        _check(position, bad[:NEAR], good[:NEAR], why)
    except AssertionError:
        assert why.motif is Motif.PIECES or len(why.line) <= SOON, "nobody looks farther"
        _check(position, bad, good, why)
        return
    line = bad if why.sufferer is position.turn else good
    if why.motif is Motif.TAKEN:
        boards = _boards(position, line)
        _Claim(why, why.sufferer.value, boards, boards).check_for_good(_texts(line))
    elif why.motif is Motif.PIECES:
        worse, better = (_boards(position, item)[-1] for item in _equally_long(position, bad, good))
        assert _lead(worse, why.sufferer.value) < _lead(better, why.sufferer.value)


def _equally_long(
    position: Position, bad: Sequence[Move], good: Sequence[Move]
) -> list[Sequence[Move]]:
    ends = [not _boards(position, line)[-1].turn for line in (bad, good)]
    longer = max(len(bad), len(good))
    length = min(longer if ends[0] else len(bad), longer if ends[1] else len(good))
    return [bad[:length], good[:length]]


def _texts(line: Sequence[Move]) -> list[tuple[Point | None, Point]]:
    return [move_of(str(move)) for move in line]


def _lead(board: PlainPosition, color: str) -> int:
    owned = {c: sum(len(s) for s in board.stacks.values() if s[-1] == c) for c in "WB"}
    return owned[color] - owned[OTHER[color]]


def _check(
    position: Position, bad: Sequence[Move], good: Sequence[Move], why: ProvenReason
) -> None:
    lines = _equally_long(position, bad, good)
    if why.sufferer is not position.turn:
        lines.reverse()
    line, other = lines
    assert why.line == tuple(line[: len(why.line)])
    claim = _Claim(why, why.sufferer.value, _boards(position, line), _boards(position, other))
    match why.motif:
        case Motif.CUT_OFF | Motif.LAST_LINK | Motif.RED_CARRIED_OFF:
            claim.check_cut()
        case Motif.LAST_MOVER:
            claim.check_passes()
        case Motif.HANGING | Motif.ESCAPED:
            claim.check_urgent(position, bad[1], good[0])
        case Motif.LET_TAKE:
            claim.check_taken()
            assert why.line == tuple(bad[:2])
        case Motif.LET_LAND:
            assert why.line == tuple(bad[:2])
            assert claim.before.stacks[claim.target][-1] != claim.sufferer
        case Motif.PIECES:
            claim.check_pieces()
        case _:
            claim.check_taken()
            assert len(why.line) > 1 or other[0].target != why.point
            claim.check_for_good(_texts(line))


def _boards(position: Position, line: Sequence[Move]) -> list[PlainPosition]:
    """Return the position and the one after each move, by the plain rules."""
    points = {name(point): point for point in BOARD}
    stacks = {points[point]: pieces for point, pieces in position.stacks.items()}
    assert position.turn is not None
    found = [PlainPosition(stacks, position.turn.value, len(BOARD))]
    for move in line:
        found.append(found[-1].play(move_of(str(move))))
    return found


@dataclass
class _Claim:
    """A reason, and the boards of both lines."""

    why: ProvenReason
    sufferer: str
    seen: list[PlainPosition]
    others: list[PlainPosition]

    def __post_init__(self) -> None:
        source, self.target = move_of(str(self.why.line[-1]))
        first, self.onto = move_of(str(self.why.line[0]))
        assert source
        assert first
        self.source, self.first = source, first
        self.before, self.after = self.seen[len(self.why.line) - 1 : len(self.why.line) + 1]

    def check_cut(self) -> None:
        motif = self.why.motif
        gone = {p: s for p, s in self.after.removed.items() if s[-1] == self.sufferer}
        assert sum(map(len, gone.values())) == self.why.count > 0
        assert {*map(name, gone)} == {*self.why.points}
        carried = "R" in self.before.stacks[self.source]
        assert carried == (motif is Motif.RED_CARRIED_OFF)
        start = self.seen[0].stacks
        left = PlainPosition({p: s for p, s in start.items() if p != self.source})
        left.remove_unlinked()
        was_the_only_link = bool(gone.keys() & left.removed.keys())
        assert carried or was_the_only_link == (motif is Motif.CUT_OFF)

    def check_taken(self) -> None:
        stack, start = self.before.stacks[self.target], self.seen[0].stacks
        assert stack[-1] == self.sufferer != self.before.turn
        assert (len(stack), name(self.target)) == (self.why.count, self.why.point)
        match self.why.motif:
            case Motif.RETAKEN:
                assert (len(self.why.line), self.onto) == (2, self.target)
                assert start[self.onto][-1] == OTHER[self.sufferer]
            case Motif.SHARPSHOT:
                assert len(start.get(self.source, "")) < len(self.before.stacks[self.source])

    def check_for_good(self, line: list[tuple[Point | None, Point]]) -> None:
        place, since = self.target, len(self.why.line)
        for board, (source, target) in zip(self.seen[since:], line[since:], strict=False):
            assert target != place or board.turn != self.sufferer
            place = target if source == place else place
        end = self.seen[-1]
        own = [] if end.turn != self.sufferer else [to for _, to in end.moves_of(self.sufferer)]
        assert place not in own

    def check_urgent(self, position: Position, reply: Move, better: Move) -> None:
        assert (len(self.why.line), self.why.better) == (2, better)
        assert position.turn
        assert self.sufferer == position.turn.value == OTHER[self.before.turn or ""]
        places = (reply.target, better.source), (reply.source, better.target)
        place = self.why.point
        assert place
        assert {place} == {*places[self.why.motif is Motif.ESCAPED]}
        stack = position.stacks[place]
        owner = self.sufferer if self.why.motif is Motif.HANGING else self.before.turn
        assert (stack[-1], len(stack)) == (owner, self.why.count)
        assert position.play(self.why.line[0]).stacks[place] == stack

    def check_pieces(self) -> None:
        counts = [
            sum(len(stack) for stack in board.stacks.values() if stack[-1] == color)
            for board in (self.seen[-1], self.others[-1])
            for color in (self.sufferer, OTHER[self.sufferer])
        ]
        assert counts == [self.why.count, *self.why.others]
        assert counts[0] - counts[1] < counts[2] - counts[3]

    def check_passes(self) -> None:
        assert not list(self.after.moves_of(self.sufferer))
        turns = [board.turn for board in self.seen[len(self.why.line) :]]
        alone = next((n for n, turn in enumerate(turns) if turn != OTHER[self.sufferer]), None)
        assert self.why.count == (len(turns) - 1 if alone is None else alone) > 0
        assert alone is not None
        assert not turns[alone]
