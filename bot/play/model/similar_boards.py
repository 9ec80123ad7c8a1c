"""Compares boards, and finds those of running games that are near another.

What plays alike is the same here: of a stack counts who owns it, how high it is, and whether it
holds red. What lies below does not, nor does whose turn it is: who asks what the other player
threatens is helped as well.

For each point it is kept, in the bits of one number, on which boards each stack stands there. So a
board is compared with all of them together, and only with those that differ by little alone.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from operator import itemgetter
from string import ascii_letters, digits
from typing import Final, NamedTuple

from bot.base.ids import GameId, Revision
from bot.play.model.game import Game
from dvonn import POINTS, Color, Phase, Point, Position, distance, neighbours
from dvonn.board import SYMMETRIES

Cells = str
"""Contents of each point, in the order of `POINTS`: one of `LETTERS` each."""

FIRST_PLACEMENTS: Final = 8
"""Number of pieces that many games have in common, so that a review says nothing of them."""
_MOST: Final = 4
"""Boards are near if so many plies and changed spaces, together, make one of the other."""
_PLIES: Final = 3
"""Number of these that may be plies."""
HOLDING: Final = 3
"""Letters of stacks whose neighbours stay on the board, if they stay themselves."""
_FREED: Final = 10
"""Two points have no more neighbours."""
_STAYS: Final = frozenset([-1])
"""Letters whose neighbours are never cut off."""
_FEW_PLACED, _FEW_LEFT = 12, 6
"""Stacks below which it is one less: such boards are easily alike by chance."""

EMPTY, RED = "0", "1"
LETTERS: Final = digits + ascii_letters
"""Empty, a single red piece, and then by height: White's, Black's, and the two that hold red."""
_TALLEST: Final = 15
"""Higher stacks count as this high: like this one, they are too high to move."""
_HEIGHTS: Final = {letter: (index + 2) // 4 for index, letter in enumerate(LETTERS)} | {RED: 1}
REDS: Final = frozenset([RED, *LETTERS[4::4], *LETTERS[5::4]])
"""Letters of stacks with a red piece."""
_PAIRS: Final = tuple(zip(LETTERS[2::2], LETTERS[3::2], strict=True))
_RECOLOURED: Final = str.maketrans(dict(_PAIRS) | {black: white for white, black in _PAIRS})


def cells(stacks: Mapping[Point, str]) -> Cells:
    """Return a board by its stacks, written bottom to top."""
    return "".join(_letter(stacks.get(point, "")) for point in POINTS)


def alike(board: Cells) -> tuple[Cells, ...]:
    """Return a board in all equivalent ways: four by symmetry, each in two colours."""
    turned = ["".join(order(board)) for order in _ORDERS]
    return tuple(dict.fromkeys([*turned, *(one.translate(_RECOLOURED) for one in turned)]))


def is_free(position: Position) -> bool:
    """Tell whether it is one of the first placements, of which anybody may ask anything."""
    return position.phase is Phase.PLACEMENT and position.plies <= FIRST_PLACEMENTS


def most_between(one: Cells, other: Cells) -> int:
    """Return the most plies and changed spaces between a board and another near one."""
    stacks = len(POINTS) - max(one.count(EMPTY), other.count(EMPTY))
    few = _FEW_PLACED if is_placing(one) or is_placing(other) else _FEW_LEFT
    return _MOST - 1 if stacks < few else _MOST


def is_near(one: Cells, other: Cells) -> bool:
    """Tell whether a few plies and changed spaces, in any order, may turn one board into the other.

    Of three of them it is never wrongly no. It is hardly ever wrongly yes: what else has left the
    board by the plies must have held no red, and touched nothing that has stayed there.
    """
    most = most_between(one, other)
    return _may_become(one, other, most) or _may_become(other, one, most)


def is_placing(board: Cells) -> bool:
    """Tell whether it looks like the placement: single pieces, in turn, and room for more."""
    red, white, black = map(board.count, _SINGLE)
    placed = red + white + black
    singles = placed + board.count(EMPTY) == len(POINTS)
    return singles and FIRST_PLACEMENTS < placed < len(POINTS) and abs(black - white) <= 1


def _may_become(before: Cells, after: Cells, most: int) -> bool:
    """Tell whether a number of plies and changed spaces may turn one board into another."""
    differ = _differences(before, after, most)
    if differ is None:
        return False
    if _is_explained(list(before), after, differ.wrong, [*differ.gone], _PLIES, most):
        return True
    for put in _put_afterwards(differ.gone, most):
        without = "".join(EMPTY if at in put else stack for at, stack in enumerate(after))
        left = most - len(put)
        differ = _differences(before, without, left)
        if differ is not None and _is_explained(
            list(before), without, differ.wrong, [*differ.gone], _PLIES, left
        ):
            return True
    return False


class _Differences(NamedTuple):
    """The differences of a board from an earlier one, but for what may have been cut off."""

    wrong: list[int]
    """Points with another stack: one has moved there, or it was changed."""
    gone: dict[int, frozenset[int]]
    """Points that have become empty and were not cut off, with the stacks that they touch: a stack
    has moved away, or was changed."""


def _differences(before: Cells, after: Cells, most: int) -> _Differences | None:
    """Compare a board with an earlier one; return None where they differ too much."""
    pairs = tuple(enumerate(zip(before, after, strict=True)))
    wrong = [at for at, (old, new) in pairs if new not in (old, EMPTY)]
    if len(wrong) > most:
        return None
    gone = {}
    nothing_leaves = is_placing(after)
    for at, (old, new) in pairs:
        if old != EMPTY == new:
            touches = frozenset(
                near for near in NEIGHBOURS[at] if before[near] != EMPTY and after[near] != EMPTY
            )
            if nothing_leaves or old in REDS:
                gone[at] = _STAYS
            elif touches:
                gone[at] = touches
            if len(gone) > most + _FREED:
                return None
    return _Differences(wrong, gone)


def _put_afterwards(gone: Mapping[int, frozenset[int]], most: int) -> set[frozenset[int]]:
    """Return one or two points where something may have been put once a stack had left them.

    What touches nothing but them may have been cut off before.
    """
    ones = {touches for touches in gone.values() if len(touches) == 1}
    twos = {touches for touches in gone.values() if len(touches) == 2}  # noqa: PLR2004
    found = ones | twos | {one | other for one in ones for other in ones}
    return {
        put
        for put in found
        if sum(not touches <= put for touches in gone.values()) <= most - len(put)
    }


def _is_explained(
    board: list[str], after: Cells, wrong: list[int], gone: list[int], plies: int, most: int
) -> bool:
    """Tell whether some plies, and changed spaces for the rest, turn one board into another.

    A ply is worth more than a changed space only where it moves away what is gone.
    """
    if len(wrong) + len(gone) <= most:
        return True
    if max(len(wrong), len(gone)) > most or len(wrong) + len(gone) > most + plies:
        return False
    for source in gone:
        for target in (*wrong, *gone):
            if _can_move(board, source, target):
                moved = board.copy()
                moved[source], moved[target] = EMPTY, _joined(board[target], board[source])
                still = [at for at in wrong if at != target or moved[at] != after[at]]
                left = [at for at in gone if at != source]
                if _is_explained(moved, after, still, left, plies - 1, most - 1):
                    return True
    return False


def _can_move(board: list[str], source: int, target: int) -> bool:
    """Tell whether a stack may move to a point, whoever's turn it is and whatever surrounds it."""
    stack = board[source]
    return _STEPS[source][target] == _HEIGHTS[stack] and stack != RED and board[target] != EMPTY


@lru_cache(maxsize=4096)
def _letter(pieces: str) -> str:
    if pieces in ("", "R"):
        return RED if pieces else EMPTY
    return _letter_of(len(pieces), has_red="R" in pieces, is_black=pieces[-1] == Color.BLACK)


def _letter_of(height: int, *, has_red: bool, is_black: bool) -> str:
    return LETTERS[4 * min(height, _TALLEST) - 2 + 2 * has_red + is_black]


def _joined(below: str, above: str) -> str:
    return _letter_of(
        _HEIGHTS[below] + _HEIGHTS[above],
        has_red=below in REDS or above in REDS,
        is_black=LETTERS.index(above) % 2 == 1,
    )


_SINGLE: Final = RED, _letter("W"), _letter("B")
NEIGHBOURS: Final = tuple(tuple(map(POINTS.index, neighbours(point))) for point in POINTS)
"""Indices of the points beside each, by its index."""
_STEPS: Final = tuple(tuple(distance(point, other) for other in POINTS) for point in POINTS)
_ORDERS: Final = tuple(
    itemgetter(*(POINTS.index(symmetry[point]) for point in POINTS)) for symmetry in SYMMETRIES
)


_COUNTED_TO: Final = 7
"""Number that fits in three bits."""


def boards_of(game: Game) -> tuple[Cells, ...]:
    return () if is_free(game.position) else (cells(game.position.stacks),)


def boards_text(game: Game) -> str | None:
    """Write these boards in a line, with the revision; None where nobody is to be helped."""
    if not game.is_running or not game.row.is_unaided:
        return None
    return " ".join([str(game.row.revision), *boards_of(game)])


def boards_in(line: str | None) -> tuple[Revision | None, tuple[Cells, ...]]:
    revision, *boards = (line or "").split(" ")
    return Revision(int(revision)) if revision else None, tuple(boards)


class PlayedBoards:
    """Finds the boards on which games go on."""

    def __init__(self) -> None:
        self._boards: list[tuple[GameId, Cells]] = []
        self._numbers: dict[GameId, tuple[int, ...]] = {}
        self._unused: list[int] = []
        # Bits: the boards that there are, and by point those with some stack, any, a red one there.
        self._all = 0
        self._with: list[dict[str, int]] = [{} for _ in POINTS]
        self._filled = [0 for _ in POINTS]
        self._red = [0 for _ in POINTS]
        self._placing = 0

    def put(self, game: GameId, boards: Iterable[Cells]) -> None:
        """Let a game go on on these boards, and on no others."""
        self.drop(game)
        self._numbers[game] = tuple(self._add(game, board) for board in boards)

    def drop(self, game: GameId) -> None:
        for number in self._numbers.pop(game, ()):
            self._flip(number, self._boards[number][1])
            self._unused.append(number)

    def near(self, board: Cells, among: Collection[GameId] | None = None) -> Iterator[GameId]:
        """Return the games that go on on a board near this one, however it is turned."""
        looked_at, most = self._bits(among), most_between(board, board)
        for form in alike(board):
            found = self._may_become(form, looked_at, most)
            found |= self._may_come_of(form, looked_at, most)
            while found:
                number = found.bit_length() - 1
                found ^= 1 << number
                game, other = self._boards[number]
                if is_near(other, form):
                    yield game

    def _bits(self, among: Collection[GameId] | None) -> int:
        if among is None:
            return self._all
        return sum(1 << number for game in among for number in self._numbers.get(game, ()))

    def _add(self, game: GameId, board: Cells) -> int:
        number = self._unused.pop() if self._unused else len(self._boards)
        self._boards[number : number + 1] = [(game, board)]
        self._flip(number, board)
        return number

    def _flip(self, number: int, board: Cells) -> None:
        """Note what stands on a board; done again, it takes that back."""
        bit = 1 << number
        self._all ^= bit
        self._placing ^= bit if is_placing(board) else 0
        for at, stack in enumerate(board):
            if stack != EMPTY:
                self._with[at][stack] = self._on(at, stack) ^ bit
                self._filled[at] ^= bit
                if stack in REDS:
                    self._red[at] ^= bit

    def _may_become(self, board: Cells, among: int, most: int) -> int:
        """Drop those boards that so few plies and changed spaces don't turn into this one."""
        wrong = (
            self._on(at, RED) if stack == EMPTY else self._all ^ self._on(at, stack)
            for at, stack in enumerate(board)
        )
        stays = self._all if is_placing(board) else 0
        gone = (
            self._filled[at] & (stays | self._red[at] | self._held(at, board))
            for at, stack in enumerate(board)
            if stack == EMPTY
        )
        return _with_few(gone, _with_few(wrong, among, most), most)

    def _may_come_of(self, board: Cells, among: int, most: int) -> int:
        """Drop those boards that so few plies and changed spaces don't make of this one."""
        wrong = (
            (self._all if stack == RED else self._filled[at]) ^ self._on(at, stack)
            for at, stack in enumerate(board)
        )
        gone = (
            (self._all ^ self._filled[at])
            & (self._all if stack in REDS else self._placing | self._held(at, board))
            for at, stack in enumerate(board)
            if stack != EMPTY
        )
        return _with_few(gone, _with_few(wrong, among, most), most)

    def _on(self, at: int, stack: str) -> int:
        """Return the boards on which a stack stands at a point."""
        return self._with[at].get(stack, 0)

    def _held(self, at: int, board: Cells) -> int:
        """Return the boards with such a stack beside a point that stays on this one, or did before.

        What stands at the point is not cut off then.
        """
        found = [self._all, *(0 for _ in range(HOLDING))]
        for near in NEIGHBOURS[at]:
            if board[near] != EMPTY:
                for count in range(HOLDING, 0, -1):
                    found[count] |= found[count - 1] & self._filled[near]
        return found[HOLDING]


def _with_few(differences: Iterable[int], among: int, most: int) -> int:
    """Return the boards that have few of some differences."""
    # Three numbers make a counter for each board, which runs over with one difference too many.
    ones, twos, fours = (among if _COUNTED_TO - most & bit else 0 for bit in (1, 2, 4))
    for differing in differences:
        if not among:
            break
        carried = differing & among
        ones, carried = ones ^ carried, ones & carried
        twos, carried = twos ^ carried, twos & carried
        fours, carried = fours ^ carried, fours & carried
        among ^= carried
    return among
