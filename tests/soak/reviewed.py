"""Reviews during the kills of `tests.soak.kills`: each game must get one.

A review that was started five times without a result is abandoned, so its last attempt is spared.
"""

import asyncio
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, func, select

from bot.base.database_address import database_address
from bot.database.delivery_rows import deliveries
from bot.database.opening import create_engine
from dvonn import Review
from sandbox import Message
from school.reviews.model import ReviewState
from school.reviews.schema import IS_WAITING, reviews
from school.reviews.store import STARTS
from school.reviews.use_cases import REVIEW
from tests.soak.lives import PATIENCE_S

_SOON = timedelta(seconds=2)
"""A review that is due within this time may have started by the time of a kill."""
_LOOK_S = 0.1


class Reviewed:
    """The state of the reviews, from the database.

    Args:
        address: Address of the database.
        now: The bots' clock.
    """

    def __init__(self, address: str, now: Callable[[], datetime]) -> None:
        self._engine = create_engine(database_address(address))
        self._now = now

    async def close(self) -> None:
        """Stop checking."""
        await self._engine.dispose()

    async def spare(self) -> None:
        """Wait while a review is in progress, or about to start, that nobody would start again."""
        async with asyncio.timeout(PATIENCE_S):
            while await self._last_tries():  # noqa: ASYNC110 - a database tells of no event
                await asyncio.sleep(_LOOK_S)

    async def all_told(self, games: int) -> None:
        """Wait until a number of games have their reviews, and no delivery is queued."""
        unsent = deliveries.c.sent_at.is_(None) & deliveries.c.dropped_at.is_(None)
        async with asyncio.timeout(games * PATIENCE_S):
            while (  # noqa: ASYNC110 - a database tells of no event
                await self._count(reviews.c.game_id, ~IS_WAITING) < games
                or await self._count(deliveries.c.id, unsent)
            ):
                await asyncio.sleep(_LOOK_S)

    async def faults(self, moved: dict[int, int], boards: dict[int, Message]) -> list[str]:
        """Return the faults of the reviews.

        Args:
            moved: Number of moves on the full board, by game id.
            boards: The last board of each game.
        """
        async with self._engine.connect() as connection:
            rows = {row.game_id: row for row in await connection.execute(select(reviews))}
            sent = select(deliveries.c.game_id).where(
                deliveries.c.kind == REVIEW, deliveries.c.sent_at.is_not(None)
            )
            told = list((await connection.execute(sent)).scalars())
        found = [f"games {set(rows) ^ set(moved)} have no review, or are none"] * (
            set(rows) != set(moved)
        )
        for game, row in rows.items():
            if row.state != ReviewState.DONE:
                found.append(f"game {game}: its review is {row.state}, begun {row.tries} times")
                continue
            review = Review.from_json(row.review)
            if len(review.plies) != moved[game]:
                found.append(f"game {game}: its review is not of all its moves")
            if told.count(game) > 1 + (review.changed is not None):
                found.append(f"game {game}: its review was told {told.count(game)} times")
            found += _on_the_board(game, boards[game], is_told=game in told)
        return found

    async def _last_tries(self) -> int:
        soon = reviews.c.due_at < self._now() + _SOON
        last = (reviews.c.tries >= STARTS) | ((reviews.c.tries == STARTS - 1) & soon)
        return await self._count(reviews.c.game_id, IS_WAITING & last)

    async def _count(self, column: ColumnElement[int], condition: ColumnElement[bool]) -> int:
        async with self._engine.connect() as connection:
            counted = await connection.execute(select(func.count(column)).where(condition))
            return int(counted.scalar_one())


_DECIDED = (
    "It turned on ",
    "The placement decided it: ",
    "Nobody gave much away.",
    "No single move decided it.",
    "The game was still open when it ended.",
)
"""How the last board's sentence about the review may begin or end."""


def _on_the_board(game: int, board: Message, *, is_told: bool) -> Iterable[str]:
    """Return the faults of a last board: the review is mentioned exactly once, or not at all."""
    buttons = [button.label for button in board.buttons].count("Review")
    sentences = sum(board.content.count(said) for said in _DECIDED)
    is_explained = "made the difference" in board.content  # instead of a sentence without a move
    if buttons != is_told or sentences not in {is_told, is_told and not is_explained}:
        yield f"game {game}: told {is_told}, {buttons} buttons, {sentences} sentences"
