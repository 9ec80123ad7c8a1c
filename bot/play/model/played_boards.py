"""Finds boards that are equivalent to one that people are playing, or to one a ply later.

Boards are compared by each stack's owner and height, and by which stacks contain red. The other
pieces below the top, and the player to move, don't matter. Boards may be rotated or mirrored, and
the colors swapped.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import cache, lru_cache
from operator import itemgetter
from string import ascii_letters, digits
from typing import Final

from bot.base.ids import GameId
from bot.play.model.game import Game
from dvonn import POINTS, Phase, Position, neighbours
from dvonn._rules.board import SYMMETRIES

FIRST_PLACEMENTS: Final = 8
"""Maximum number of pieces on a board that occurs in many games, so that help isn't restricted."""
_LETTERS: Final = digits + ascii_letters + "_!"
"""Four letters for each height from 0 to 15 and more: White, Black, White with red, Black with red.

"6" is a single red piece.
"""
_EMPTY: Final = "0"
_EXCHANGED: Final = str.maketrans(
    {letter: _LETTERS[index ^ 1] for index, letter in enumerate(_LETTERS) if letter not in "06"}
)
_IS_OTHER: Final = {letter: bytes(chr(n) != letter for n in range(256)) for letter in _LETTERS}
_ORDERS: Final = [
    itemgetter(*(POINTS.index(mapping[point]) for point in POINTS)) for mapping in SYMMETRIES
]
_NEIGHBORS: Final = [[POINTS.index(near) for near in neighbours(point)] for point in POINTS]


def cells(position: Position) -> str:
    """Return the stack on each point as one of `_LETTERS`, in the order of `POINTS`.

    >>> from dvonn import parse_move
    >>> cells(Position.initial().play(parse_move("a1")))[:4]
    '6000'
    """
    stacks = position.stacks
    return "".join(_letter(stacks.get(point, "")) for point in POINTS)


@lru_cache(maxsize=4096)
def _letter(pieces: str) -> str:
    return _LETTERS[4 * min(len(pieces), 15) + 2 * ("R" in pieces) + (pieces[-1:] == "B")]


def board_text(game: Game) -> str | None:
    """Return a game's board and revision as text, or None if the game doesn't restrict help."""
    is_played = game.is_running and game.row.is_unaided
    return f"{game.row.revision}-{cells(game.position)}" if is_played else None


def equivalent_forms(position: Position) -> Collection[str]:
    """Return all equivalent forms of a board, or none if help with it isn't restricted."""
    is_first = position.phase is Phase.PLACEMENT and position.plies <= FIRST_PLACEMENTS
    if is_first or position.phase is Phase.OVER:
        return ()
    turned = ["".join(order(cells(position))) for order in _ORDERS]
    return {*turned, *(board.translate(_EXCHANGED) for board in turned)}


def leading_to(forms: Iterable[str], boards: Mapping[GameId, str]) -> set[GameId]:
    """Return the games whose boards lead to a form in at most one ply.

    There are few false positives.
    """
    text, games = "".join(boards.values()).encode(), set[GameId]()

    @cache
    def mismatches(at: int, stack: str) -> int:  # a byte per game: 1 if its stack there differs
        return int.from_bytes(text[at :: len(POINTS)].translate(_IS_OTHER[stack]))

    for form in forms:
        # One stack arrived with that ply, which may have cut off others.
        stacks = [at for at, stack in enumerate(form) if stack != _EMPTY]
        neighbors = {neighbor for at in stacks for neighbor in _NEIGHBORS[at]}.difference(stacks)
        arrivals = sum(mismatches(at, form[at]) for at in stacks).to_bytes(len(boards))
        departures = sum(mismatches(at, _EMPTY) for at in neighbors).to_bytes(len(boards))
        games |= {
            game for game, n, m in zip(boards, arrivals, departures, strict=True) if n <= 1 >= m
        }
    return games
