"""Which games are reviewed, from which moves, and how it stands with a review."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.base.ids import GameId
from bot.play.model.game import Game
from dvonn import Phase, Review


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
