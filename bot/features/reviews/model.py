"""Which games are reviewed, from which moves, and how it stands with a review."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from bot.base.ids import GameId
from bot.play.model.game import Game
from bot.play.model.openings import placed_by_lot
from bot.play.model.preferences import OwnSwitch
from bot.play.model.terms import Start
from dvonn import Move, Phase, Position, Review, finish_placement

REVIEWED: Final = OwnSwitch("reviews", default=True)
"""The player's games are reviewed unasked."""


class ReviewState(StrEnum):
    """What became of a game's review."""

    WAITING = "waiting"
    """It is to be made, or is being made."""
    DONE = "done"
    REFUSED = "refused"
    """It was tried as often as it may be, and failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewRow:
    """One game's review, made or not."""

    game: GameId
    state: ReviewState
    queued_at: datetime
    """When it was asked for: they are made in this order."""
    tells: bool
    """The game's last board is to tell of it; else only whoever asks is told."""
    due_at: datetime
    """Until then it belongs to the process that makes it, if one does."""
    tries: int
    review: Review | None
    """There where it is done."""


def is_reviewable(game: Game) -> bool:
    """Whether there is something to say of a game: it has a result, and its players have moved."""
    outcome = game.outcome
    return (
        outcome is not None
        and outcome.has_result
        and game.position.phase is not Phase.PLACEMENT
        and bool(game.line)
    )


def all_moves(game: Game) -> tuple[Move, ...]:
    """All that was placed and moved since the empty board, also at random: a record's moves."""
    placed = [ply.move for ply in game.line[: game.settled]]
    start, seed = game.row.start, game.made_from
    if seed is not None and start is Start.PLACEMENT:  # the players agreed to leave the rest
        placed += finish_placement(_after(placed), seed)
    elif seed is not None:
        placed += placed_by_lot(Start.BALANCED if start is Start.PIE else start, seed)
    return (*placed, *(ply.move for ply in game.line[game.settled :]))


def _after(moves: Iterable[Move]) -> Position:
    position = Position.initial()
    for move in moves:
        position = position.play(move)
    return position


def placed_by_players(game: Game) -> int:
    """How many of a game's placements, the first ones, its players have made; 0 to 49."""
    return sum(ply.move.source is None for ply in game.line)
