"""Decides which boards explain the game to new players."""

from collections.abc import Sequence
from typing import Final

from bot.play.model.events import AppliedEvent, Moved, Started
from bot.play.model.game import Game
from dvonn import POINTS, Phase

_REDS: Final = 3


def explains(game: Game, events: Sequence[AppliedEvent]) -> bool:
    """Return True if a board explains the rules to new players."""
    if game.position.phase is Phase.PLACEMENT:
        return game.position.plies <= _REDS
    begins = any(applied.event.kind is Started for applied in events)  # the machine may move first
    return begins or is_full(game) or any(map(is_first_cut, events))


def is_full(game: Game) -> bool:
    """Return True if all pieces are placed and none has moved."""
    return game.position.phase is Phase.MOVEMENT and (game.last is None or game.last.source is None)


def is_first_cut(applied: AppliedEvent) -> bool:
    """Return True if a move is the first that cuts off pieces."""
    removed = applied.position.removed if isinstance(applied.event.data, Moved) else {}
    stacks = (*applied.position.stacks.values(), *removed.values())
    return bool(removed) and sum(map(len, stacks)) == len(POINTS)
