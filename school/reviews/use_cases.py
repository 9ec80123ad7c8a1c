"""Use cases for reviews: making and reading them."""

from collections import defaultdict
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import compress
from typing import Any, Final

import dvonn
from bot.base.ids import GameId, Shards, UserId
from bot.database.database import Conflict
from bot.database.delivery_rows import DeliveryKind, NewDelivery
from bot.play.model.game import Game
from bot.play.use_cases.use_cases import UseCases
from bot.replay.model.replays import placed_by_players, record_of, sequence_of
from dvonn import GameRecord, Position, Review
from school.reviews import model
from school.reviews.store import ReviewTable

REVIEW: Final = DeliveryKind("review")
"""Kind of delivery: an edit that adds a review to its game's last board."""
ShowReview = Callable[[], Coroutine[Any, Any, None]]
"""A callback that shows a finished review to a user who asked for it earlier."""
CLAIMED_FOR: Final = timedelta(seconds=30)
"""Duration of a claim on a review, unless it is extended."""
FRESH: Final = timedelta(hours=1)
"""Maximum time between a request and an edit of the last board. Discord limits later edits."""


@dataclass(frozen=True, slots=True)
class Job:
    """A claimed review, and the game to review."""

    row: model.ReviewRow
    game: Game

    @property
    def record(self) -> GameRecord:
        """The record of all placements and movements since the game's start position."""
        return record_of(self.game)

    @property
    def placements(self) -> int:
        """Number of first plies that are placements by the players."""
        return placed_by_players(self.game)


class Reviews:
    """Use cases for queueing, making and reading reviews."""

    def __init__(self, cases: UseCases) -> None:
        self._store = cases.store
        self._game_cache = cases.game_cache
        self._fair_play = cases.fair_play
        self._now = cases.now
        self._makes = cases.has_reviews
        self._waiting = defaultdict[GameId, list[ShowReview]](list)

    # Making

    async def take(self, shards: Shards, *, closer: bool = False) -> Job | None:
        """Claim the review that has been queued longest for some shards, or return None.

        If `closer`, claim the newest one that is queued for a closer look instead.
        """
        now, table = self._now(), self._store.queries(ReviewTable)
        row = await table.take(shards, now=now, until=now + CLAIMED_FOR, closer=closer)
        return None if row is None else Job(row, await self._game_cache.existing(row.game))

    async def is_waiting(self, shards: Shards) -> bool:
        """Return True if a game of some shards is queued for review."""
        return await self._store.queries(ReviewTable).is_waiting(shards, now=self._now())

    async def extend_claim(self, job: Job) -> Job | None:
        """Extend the claim on a job. Return None if another process has it now."""
        row = await self._store.queries(ReviewTable).renew(job.row, until=self._now() + CLAIMED_FOR)
        return None if row is None else replace(job, row=row)

    async def finish(self, job: Job, review: Review) -> bool:
        """Store a job's review. Return True if the game's last board must now be edited."""
        now, row, first = self._now(), job.game.row, job.row.review
        if first is not None:
            review = review.compared_with(first)
        telling = None
        if job.row.tells and now - job.row.queued_at < FRESH:
            telling = NewDelivery(
                kind=REVIEW,
                key=f"{row.id}" if first is None else f"{row.id}:closer",
                guild=row.guild,
                channel=row.channel,
                game=row.id,
                revision=row.revision,
            )
        is_stored = await self._store.queries(ReviewTable).finish(
            job.row, review, telling=telling, at=now
        )
        return is_stored and telling is not None

    async def failed(self, job: Job) -> None:
        """Release a failed job for another attempt, if any attempts are left."""
        await self._store.queries(ReviewTable).put_back(job.row, now=self._now())

    async def give_back(self, job: Job) -> None:
        """Release a job for other processes, or for the next start."""
        await self._store.queries(ReviewTable).give_back(job.row, now=self._now())

    def show_when_made(self, game: GameId, show: ShowReview) -> None:
        """Register `show` to be called after this process's next attempt to review a game."""
        self._waiting[game].append(show)

    def take_waiting(self, game: GameId) -> list[ShowReview]:
        """Remove and return the callbacks that wait for a game's review."""
        return self._waiting.pop(game, [])

    # Reading

    async def open(self, game: GameId, *, user: UserId) -> tuple[Game, Review]:
        """Return a game and its review, without moves that would help in running games.

        Raises:
            GameNotRunning, NoReview: as in `whole`.
        """
        ended_game, review = await self.whole(game)
        return ended_game, await self.for_reader(review, sequence_of(ended_game).positions(), user)

    async def for_reader(self, review: Review, boards: Sequence[Position], user: UserId) -> Review:
        """Return a review without moves that would help in running games.

        `boards` are the game's positions.
        """
        plies = sorted(model.advised(review))
        played = await self._fair_play.are_played([boards[ply] for ply in plies], user=user)
        return model.without_help(review, [*compress(plies, played)])

    async def whole(self, game: GameId) -> tuple[Game, Review]:
        """Return a game and its review.

        If there is no review yet, this requests it.

        Raises:
            GameNotRunning: if there is no such game.
            NoReview: if the game has no review that can be read, with the reason.
        """
        ended_game = await self._game_cache.existing(game)
        if ended_game.is_running:
            raise model.NoReview(model.ReviewProblem.RUNNING)
        if not model.is_reviewable(ended_game):
            raise model.NoReview(model.ReviewProblem.EMPTY)
        row = await self._store.queries(ReviewTable).get(game)
        if row is not None and row.review is not None:
            return ended_game, row.review
        if not self._makes:
            raise model.NoReview(model.ReviewProblem.NO_MACHINE)
        if row is None:
            await self._ask(ended_game)
        elif row.state is model.ReviewState.REFUSED:
            if row.engine == dvonn.__version__:
                raise model.NoReview(model.ReviewProblem.FAILED)
            await self._store.queries(ReviewTable).retry(game, now=self._now())
        raise model.NoReview(model.ReviewProblem.WAITING)

    async def readable_by(self, game: GameId, *, user: UserId) -> Review | None:
        """Return a game's review as `open` does, or None if there is none yet.

        Raises:
            GameNotRunning: if there is no such game.
        """
        if await self.done(game) is None:
            return None
        return (await self.open(game, user=user))[1]

    async def is_pending(self, game: GameId) -> bool:
        """Return True if a game's first review is not finished."""
        row = await self._store.queries(ReviewTable).get(game)
        return row is not None and row.review is None and row.state is model.ReviewState.WAITING

    async def done(self, game: GameId) -> Review | None:
        """Return a game's finished review, or None if there is none yet."""
        row = await self._store.queries(ReviewTable).get(game)
        return None if row is None else row.review

    async def _ask(self, game: Game) -> None:
        try:
            await self._store.queries(ReviewTable).ask(game.row.id, game.row.guild, at=self._now())
        except Conflict:
            return  # another process has requested it
