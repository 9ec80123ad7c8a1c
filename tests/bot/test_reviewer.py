"""What makes the reviews that wait: by the real engine, in a worker that is killed."""

import asyncio
import multiprocessing
from contextlib import closing
from importlib.util import find_spec

import pytest

from bot.edge.delivery.sender import Sender
from bot.edge.reviewer import Reviewer
from bot.edge.work import Work, end
from bot.games.reviews import REVIEW
from bot.model.ids import GameId
from bot.model.reviewing import ReviewRow
from bot.opponent import Machine
from tests.bot.conftest import Clock
from tests.bot.table import ALL, Table
from tests.games import random_game

pytestmark = [
    pytest.mark.skipif(find_spec("numba") is None, reason="the engine's packages are missing"),
    pytest.mark.timeout(300),  # the engine may have to be compiled first
]


async def begun(table: Table, game: GameId, tries: int) -> ReviewRow:
    """A game's review, once it has been begun so often."""
    while (row := await table.store.reviews.get(game)) is None or row.tries < tries:  # noqa: ASYNC110 - a database tells of no event
        await asyncio.sleep(0.02)
    return row


async def test_a_review_whose_worker_is_killed_is_made_by_the_next_and_told_once(
    table: Table, clock: Clock
) -> None:
    table = Table(table.store, clock, reviews=True)
    await table.accept(await table.challenge())
    game = (await table.play_out(random_game(2))).game.row.id
    work = Work()
    sender = Sender(table.store.deliveries, [], work, now=clock)
    with closing(Machine(1)) as machine:
        reviewer = Reviewer(machine, table.reviews, sender, work)
        running = asyncio.ensure_future(reviewer.run(ALL))
        await begun(table, game, 1)
        (worker,) = multiprocessing.active_children()
        worker.kill()
        await begun(table, game, 2)
        while (review := await table.reviews.done(game)) is None:  # noqa: ASYNC110 - a database tells of no event
            await asyncio.sleep(0.05)
        await end((running,))
    assert len(review.plies) == len(random_game(2)) - 49
    assert review.placement is not None
    told = [one for one in await table.store.deliveries.all_unsent() if one.kind == REVIEW]
    assert len(told) == 1
