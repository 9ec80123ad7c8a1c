"""The choice and the spelling of moves by scripted people."""

from collections.abc import Callable
from random import Random

from dvonn import Move, Phase, Position

_PLACEMENT_SPELLINGS: tuple[Callable[[str], str], ...] = (
    str,
    str,
    str.upper,
    lambda text: f"{text}.",
    lambda text: f"`{text}`",
)
_MOVEMENT_SPELLINGS: tuple[Callable[[str], str], ...] = (
    str,
    str,
    str.upper,
    lambda text: text.replace("-", ""),
    lambda text: text.replace("-", " "),
    lambda text: text.replace("-", " to "),
    lambda text: text.replace("-", "–").capitalize(),  # as phones correct it
    lambda text: text.replace("-", " → "),
    lambda text: text.replace("-", "x"),
)


def choose(position: Position, chance: Random) -> Move:
    """Return a random placement, or the movement with the best immediate result."""
    moves = position.legal_moves()
    mover = position.turn
    if position.phase is Phase.PLACEMENT or mover is None:
        return chance.choice(moves)

    def lead_after(move: Move) -> int:
        after = position.play(move)
        return after.score(mover) - after.score(mover.opponent)

    return max(moves, key=lambda move: (lead_after(move), chance.random()))


def spell(move: Move, chance: Random) -> str:
    """Return a move in one of the ways that people type it."""
    text = str(move)
    spellings = _MOVEMENT_SPELLINGS if "-" in text else _PLACEMENT_SPELLINGS
    return chance.choice(spellings)(text)
