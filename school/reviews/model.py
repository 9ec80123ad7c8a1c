"""Rules for reviews, and their states."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, StrEnum, auto
from typing import Final

from bot.base.errors import PlayError
from bot.base.ids import GameId
from bot.play.model.game import Game
from bot.play.model.preferences import OwnSwitch
from bot.play.model.terms import GuildChoice
from bot.replay.model.replays import course_of
from dvonn import Color, Phase, PlyReview, Review

REVIEWED: Final = OwnSwitch("reviews", default=True)
"""Review the player's games automatically."""
REVIEWED_HERE: Final = GuildChoice("reviews", default=True)
"""Review the server's games automatically."""


class ReviewState(StrEnum):
    """States of a game's review."""

    WAITING = "waiting"
    """It is queued or in progress."""
    DONE = "done"
    REFUSED = "refused"
    """It failed after the maximum number of attempts. A newer engine may try again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewRow:
    """A game's review in any state."""

    game: GameId
    state: ReviewState
    queued_at: datetime
    """When it was requested. Reviews are made in order of this time."""
    tells: bool
    """True if the game's last board announces it. Otherwise only the user who asked sees it."""
    due_at: datetime
    """End of the lease of the process that makes the review, if any."""
    tries: int
    review: Review | None
    """The review, once it is finished."""
    engine: str | None
    """Version of the engine that has made or abandoned the review."""
    is_looked_at_closer: bool
    """True if it is finished, and a closer look is queued or in progress."""


def is_reviewable(game: Game) -> bool:
    """Return True if a game can be reviewed: it has a result and movements."""
    outcome = game.outcome
    return (
        outcome is not None
        and outcome.has_result
        and game.position.phase is not Phase.PLACEMENT
        and bool(game.line)
    )


def worth_another_try(game: Game, color: Color | None, review: Review | None) -> int:
    """Return the ply where a player should retry an ended game.

    It is their worst mistake in the review, or else their last move.

    Args:
        game: The game.
        color: The player's color, or None for both players.
        review: The game's review, or None.
    """
    marked = [
        ply for ply in (() if review is None else review.marked) if color in (None, ply.color)
    ]
    if marked:
        return max(marked, key=lambda ply: ply.loss).ply - 1
    positions = course_of(game).positions()
    own_plies = (
        ply
        for ply in range(len(positions) - 2, -1, -1)
        if positions[ply].phase is Phase.MOVEMENT and color in (None, positions[ply].turn)
    )
    return next(own_plies, max(len(positions) - 2, 0))


_PRACTISED: Final = 0.1
"""Minimum loss in winning chance that is worth practicing."""


def worth_practising(review: Review, color: Color) -> tuple[int, ...]:
    """Return the plies of a player's mistakes that have a known better move."""
    return tuple(
        ply.ply
        for ply in review.plies
        if ply.color is color and ply.loss >= _PRACTISED and ply.best
    )


def advised(review: Review) -> frozenset[int]:
    """Return the plies before which the review shows a good move."""
    costs = () if review.placement is None else review.placement.costs
    # A comment on a move also shows the best reply.
    plies = {at for ply in review.marked for at in (ply.ply - 1, ply.ply)}
    return frozenset(plies | {cost.ply - 1 for cost in costs})


def without_help(review: Review, played: Collection[int]) -> Review:
    """Return a review without the better moves on boards after given plies."""

    def redacted(ply: PlyReview) -> PlyReview:
        if ply.ply - 1 not in played and ply.ply not in played:
            return ply
        return ply.replace(best=(), answer=(), motifs=(), missed=())

    placement = review.placement
    if placement is not None:
        costs = tuple(cost for cost in placement.costs if cost.ply - 1 not in played)
        placement = placement.replace(costs=costs)
    return review.replace(plies=tuple(map(redacted, review.plies)), placement=placement)


class ReviewProblem(Enum):
    """Reasons why a game has no readable review."""

    RUNNING = auto()
    """The game is still running."""
    EMPTY = auto()
    """It has no result, or no movements."""
    NO_MACHINE = auto()
    """There is no machine to make it."""
    WAITING = auto()
    """It is in progress or waiting for earlier reviews."""
    FAILED = auto()


class NoReview(PlayError):  # noqa: N818
    """A game has no readable review."""

    def __init__(self, problem: ReviewProblem) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem
