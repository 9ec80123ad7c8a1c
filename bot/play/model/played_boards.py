"""The boards on which games go on, kept so that those near another board are found at once.

For each point it is kept, in the bits of one number, on which boards each stack stands there. So a
board is compared with all of them together, and only with those that differ by little alone.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from bot.base.ids import GameId, Revision
from bot.play.model.game import Choosing, Game
from bot.play.model.likeness import (
    EMPTY,
    HOLDING,
    NEIGHBOURS,
    RED,
    REDS,
    Cells,
    alike,
    cells,
    is_free,
    is_near,
    is_placing,
    most_between,
)
from bot.play.model.openings import random_boards
from dvonn import POINTS

_COUNTED_TO: Final = 7
"""Number that fits in three bits."""


def boards_of(game: Game) -> tuple[Cells, ...]:
    """Return the boards from which a game may go on, of which help could tell: mostly one."""
    picking = game.choosing is Choosing.BOARD
    positions = random_boards(game.row) if picking else (game.position,)
    return tuple(cells(position.stacks) for position in positions if not is_free(position))


def boards_text(game: Game) -> str | None:
    """Write these boards in a line, with the revision; None where nobody is to be helped."""
    if not game.is_running or not game.row.is_unaided:
        return None
    return " ".join([str(game.row.revision), *boards_of(game)])


def boards_in(line: str | None) -> tuple[Revision | None, tuple[Cells, ...]]:
    """Read what `boards_text` wrote."""
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
        """Forget a game."""
        for number in self._numbers.pop(game, ()):
            self._flip(number, self._boards[number][1])
            self._unused.append(number)

    def near(self, board: Cells, among: Collection[GameId] | None = None) -> Iterator[GameId]:
        """Return the games that go on on a board near this one, however it is turned.

        Args:
            board: What they are compared with.
            among: The games to look at; None: all.
        """
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
