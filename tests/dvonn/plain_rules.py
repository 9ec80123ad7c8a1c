"""The rules of DVONN in their simplest form: no tables, no cache, no bits.

Tests compare `Position` with it ply by ply, and `benchmarks.rules` compares their speed. A
point is (column, row) counted from 0, and the board is a dict from points to pieces.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

Point = tuple[int, int]
Move = tuple[Point | None, Point]
"""Source and target. A placement has no source."""

STEPS = ((1, 0), (0, 1), (1, 1), (-1, 0), (0, -1), (-1, -1))
BOARD = [(column, row) for row in range(5) for column in range(11) if -2 <= column - row <= 8]
OTHER = {"W": "B", "B": "W"}


def name(point: Point) -> str:
    return "abcdefghijk"[point[0]] + str(point[1] + 1)


def move_of(text: str) -> Move:
    points = [(ord(part[0]) - ord("a"), int(part[1]) - 1) for part in text.split("-")]
    return (None if len(points) == 1 else points[0]), points[-1]


def text_of(move: Move) -> str:
    source, target = move
    return name(target) if source is None else f"{name(source)}-{name(target)}"


@dataclass
class PlainPosition:
    """A position. `turn` is "W", "B", or "" if the game is over."""

    stacks: dict[Point, str] = field(default_factory=dict)
    turn: str = "W"
    plies: int = 0
    removed: dict[Point, str] = field(default_factory=dict)
    passed: str = ""

    def placing(self) -> bool:
        return self.plies < len(BOARD)

    def legal_moves(self) -> list[Move]:
        if self.placing():
            return [(None, point) for point in BOARD if point not in self.stacks]
        return list(self.moves_of(self.turn))

    def moves_of(self, color: str) -> Iterator[Move]:
        for (column, row), pieces in self.stacks.items():
            if pieces[-1] == color and not self.surrounded((column, row)):
                for across, up in STEPS:
                    target = column + across * len(pieces), row + up * len(pieces)
                    if target in self.stacks:
                        yield (column, row), target

    def surrounded(self, point: Point) -> bool:
        column, row = point
        return all((column + across, row + up) in self.stacks for across, up in STEPS)

    def play(self, move: Move) -> "PlainPosition":
        """Return the position after a move. Raise ValueError with the reason if it is illegal."""
        if reason := self.refusal(move):
            raise ValueError(reason)
        source, target = move
        after = PlainPosition(dict(self.stacks), OTHER[self.turn], self.plies + 1)
        if source is None:
            after.stacks[target] = self.to_place()
            if after.placing():
                return after
            after.turn = "W"
        else:
            after.stacks[target] += after.stacks.pop(source)
            after.remove_unlinked()
        after.pass_over()
        return after

    def to_place(self) -> str:
        return "R" if self.plies < 3 else self.turn

    def remove_unlinked(self) -> None:
        linked = {point for point, pieces in self.stacks.items() if "R" in pieces}
        waiting = list(linked)
        while waiting:
            column, row = waiting.pop()
            for across, up in STEPS:
                beside = column + across, row + up
                if beside in self.stacks and beside not in linked:
                    linked.add(beside)
                    waiting.append(beside)
        self.removed = {p: pieces for p, pieces in self.stacks.items() if p not in linked}
        for point in self.removed:
            del self.stacks[point]

    def pass_over(self) -> None:
        can_move = [color for color in "WB" if any(True for _ in self.moves_of(color))]
        if not can_move:
            self.turn = ""
        elif self.turn not in can_move:
            self.passed, self.turn = self.turn, OTHER[self.turn]

    def score(self, color: str) -> int:
        return sum(len(pieces) for pieces in self.stacks.values() if pieces[-1] == color)

    def refusal(self, move: Move) -> str:
        """Return the reason why a move is illegal, or "" if it is legal."""
        source, target = move
        if not self.turn:
            return "game_over"
        if self.placing() != (source is None):
            return "wrong_phase"
        if source is None:
            return "occupied" if target in self.stacks else ""
        if source == target:
            return "same_point"
        return self.source_refusal(source) or self.target_refusal(source, target)

    def source_refusal(self, source: Point) -> str:
        pieces = self.stacks.get(source)
        if pieces is None:
            return "empty_source"
        if pieces == "R":
            return "lone_dvonn"
        if pieces[-1] != self.turn:
            return "not_owner"
        return "surrounded" if self.surrounded(source) else ""

    def target_refusal(self, source: Point, target: Point) -> str:
        across, up = target[0] - source[0], target[1] - source[1]
        length = max(abs(across), abs(up))
        if (across // length, up // length) not in STEPS or across % length or up % length:
            return "not_straight"
        if length != len(self.stacks[source]):
            return "wrong_distance"
        return "" if target in self.stacks else "empty_target"
