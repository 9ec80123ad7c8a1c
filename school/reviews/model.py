"""Rules for reviews of games, and the states of a review."""

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
from bot.replay.model.replays import sequence_of
from dvonn import Color, Phase, PlyReview, Review

REVIEWED: Final = OwnSwitch("reviews", default=True)
"""Setting: review the player's games automatically."""
REVIEWED_HERE: Final = GuildChoice("reviews", default=True)
"""Setting: review the server's games automatically."""


class ReviewState(StrEnum):
    """States of a game's review."""

    WAITING = "waiting"
    """The review is queued or in progress."""
    DONE = "done"
    REFUSED = "refused"
    """The review failed after the maximum number of attempts. A newer engine may try again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewRow:
    """The review of a game, in any state."""

    game: GameId
    state: ReviewState
    queued_at: datetime
    """When the review was requested. Reviews are made in order of this time."""
    tells: bool
    """True if the review is added to the game's last board. Otherwise only the user who asked sees
    it.
    """
    due_at: datetime
    """Time at which the current process's claim ends. Until then, no other may start it."""
    tries: int
    review: Review | None
    """The review, once it is finished."""
    engine: str | None
    """Version of the engine that made or abandoned the review."""
    is_closer_review_pending: bool
    """True if the review is finished, and a closer look is queued or in progress."""


def is_reviewable(game: Game) -> bool:
    """Return True if a game can be reviewed, which requires a result and movements."""
    outcome = game.outcome
    return (
        outcome is not None
        and outcome.has_result
        and game.position.phase is not Phase.PLACEMENT
        and bool(game.line)
    )


def worth_another_try(game: Game, color: Color | None, review: Review | None) -> int:
    """Return the number of plies before the board where a player could try again.

    That board is the one before their worst mistake in the review, or else before their last move.

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
    positions = sequence_of(game).positions()
    own_plies = (
        ply
        for ply in range(len(positions) - 2, -1, -1)
        if positions[ply].phase is Phase.MOVEMENT and color in (None, positions[ply].turn)
    )
    return next(own_plies, max(len(positions) - 2, 0))


_PRACTISED: Final = 0.1
"""Minimum loss of winning chance (0 to 1) that is worth practicing."""


def worth_practising(review: Review, color: Color) -> tuple[int, ...]:
    """Return the plies of a player's mistakes for which a better move is known."""
    return tuple(
        ply.ply
        for ply in review.plies
        if ply.color is color and ply.loss >= _PRACTISED and ply.best
    )


def advised(review: Review) -> frozenset[int]:
    """Return the numbers of plies after which the review shows a good move."""
    costs = () if review.placement is None else review.placement.costs
    # A comment on a move shows a better move before it and the best reply after it.
    plies = {at for ply in review.marked for at in (ply.ply - 1, ply.ply)}
    return frozenset(plies | {cost.ply - 1 for cost in costs})


def without_help(review: Review, played: Collection[int]) -> Review:
    """Return a review without its advice on the boards after these numbers of plies."""

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
    """The game has no result, or no movements."""
    NO_MACHINE = auto()
    """There is no machine to make the review."""
    WAITING = auto()
    """The review is in progress or waiting for earlier ones."""
    FAILED = auto()


class NoReview(PlayError):  # noqa: N818
    """A game has no readable review."""

    def __init__(self, problem: ReviewProblem) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem
