"""Boards that are equivalent to a board that people are playing, or to one a ply after it.

Boards are compared by each stack's owner and height, and by the stacks that hold red. Other pieces
below the top and the turn don't matter. The board may be turned or mirrored, and the colors
exchanged.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import cache, lru_cache
from operator import itemgetter
from string import ascii_letters, digits
from typing import Final

from bot.base.ids import GameId
from bot.play.model.game import Game
from dvonn import POINTS, Phase, Position, neighbours
from dvonn.board import SYMMETRIES

FIRST_PLACEMENTS: Final = 8
"""Number of pieces on boards that many games share, so that anybody may ask about them."""
_LETTERS: Final = digits + ascii_letters + "_!"
"""Four letters for each height from 0 to 15 and more: White's, Black's, the same with red.

"6" is one red piece.
"""
_EMPTY: Final = "0"
_EXCHANGED: Final = str.maketrans(
    {one: _LETTERS[at ^ 1] for at, one in enumerate(_LETTERS) if one not in "06"}
)
_IS_OTHER: Final = {letter: bytes(chr(n) != letter for n in range(256)) for letter in _LETTERS}
_ORDERS: Final = [
    itemgetter(*(POINTS.index(mapping[point]) for point in POINTS)) for mapping in SYMMETRIES
]
_NEIGHBORS: Final = [[POINTS.index(near) for near in neighbours(point)] for point in POINTS]


def cells(position: Position) -> str:
    """Return the stack on each point, in the order of `POINTS`: one of `_LETTERS` each."""
    stacks = position.stacks
    return "".join(_letter(stacks.get(point, "")) for point in POINTS)


@lru_cache(maxsize=4096)
def _letter(pieces: str) -> str:
    return _LETTERS[4 * min(len(pieces), 15) + 2 * ("R" in pieces) + (pieces[-1:] == "B")]


def board_text(game: Game) -> str | None:
    """Write a game's board with its revision, or return None if the game limits no help."""
    is_played = game.is_running and game.row.is_unaided
    return f"{game.row.revision}-{cells(game.position)}" if is_played else None


def equivalent_forms(position: Position) -> Collection[str]:
    """Return all equivalent forms of a board, or none for a board that anybody may ask about."""
    is_first = position.phase is Phase.PLACEMENT and position.plies <= FIRST_PLACEMENTS
    if is_first or position.phase is Phase.OVER:
        return ()
    turned = ["".join(order(cells(position))) for order in _ORDERS]
    return {*turned, *(board.translate(_EXCHANGED) for board in turned)}


def leading_to(forms: Iterable[str], boards: Mapping[GameId, str]) -> set[GameId]:
    """Return the games whose boards lead to a form in at most one ply, and hardly any others."""
    text, found = "".join(boards.values()).encode(), set[GameId]()

    @cache
    def others(at: int, stack: str) -> int:  # a byte for each game: 1 if it has another stack there
        return int.from_bytes(text[at :: len(POINTS)].translate(_IS_OTHER[stack]))

    for form in forms:
        # One stack came by that ply, and it may have cut off others.
        stacks = [at for at, stack in enumerate(form) if stack != _EMPTY]
        beside = {near for at in stacks for near in _NEIGHBORS[at]}.difference(stacks)
        came = sum(others(at, form[at]) for at in stacks).to_bytes(len(boards))
        left = sum(others(at, _EMPTY) for at in beside).to_bytes(len(boards))
        found |= {game for game, n, m in zip(boards, came, left, strict=True) if n <= 1 >= m}
    return found
