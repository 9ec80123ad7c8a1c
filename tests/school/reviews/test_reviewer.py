"""Tests for the reviewer, with the real engine in a worker that is killed."""

import asyncio
import multiprocessing
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec

import pytest
from structlog.testing import capture_logs

from bot.base.ids import ChannelId, GameId
from bot.connection.tasks import end
from bot.features.machine.opponent.machine import Machine
from bot.play.model.terms import Start
from school.reviews.model import ReviewState
from school.reviews.use_cases import REVIEW
from tests.bot.conftest import Clock
from tests.bot.table import ALL, ANN, Table
from tests.school.reviews.reviewing import reviewer_of, row_of

pytestmark = [
    pytest.mark.skipif(find_spec("numba") is None, reason="the engine's packages are missing"),
    pytest.mark.usefixtures("warm_workers"),
]


@pytest.fixture
def machine() -> Iterator[Machine]:
    with closing(Machine(1)) as machine:
        yield machine


async def ended_together(table: Table, clock: Clock, count: int) -> list[GameId]:
    """Return games of one move each, resigned at the same time, the last started first."""
    games = []
    for number in range(count):
        channel = ChannelId(1 + number)
        challenge = await table.challenge(start=Start.BALANCED, channel=channel)
        game = (await table.accept(challenge)).game
        games.append((await table.move(game)).game)
    for game in games[::-1]:
        clock.advance(seconds=0.001)
        await table.resign(game, ANN)
    return [game.row.id for game in games[::-1]]


async def test_a_review_survives_its_worker_and_is_announced_once(
    table: Table, clock: Clock, machine: Machine
) -> None:
    table = Table(table.store, clock, reviews=True)
    games = await ended_together(table, clock, 3)
    running = asyncio.ensure_future(reviewer_of(table, machine).run(ALL))
    with capture_logs() as logged:
        while not (await row_of(table, games[1])).tries:  # noqa: ASYNC110 - a database tells of no event
            await asyncio.sleep(0.02)
        (worker,) = multiprocessing.active_children()
        worker.kill()
        while (await row_of(table, games[-1])).state is ReviewState.WAITING:  # noqa: ASYNC110 - a database tells of no event
            await asyncio.sleep(0.05)
        await end((running,))
    rows = [await row_of(table, game) for game in games]
    assert all(row.review is not None and len(row.review.plies) == 1 for row in rows)
    assert [line["event"] for line in logged].count("review failed") == 1
    deliveries = [
        delivery
        for delivery in await table.store.deliveries.all_unsent()
        if delivery.kind == REVIEW
    ]
    assert [delivery.game for delivery in deliveries] == games


async def test_a_closer_look_is_cut_off_by_a_game_that_ends_and_comes_after_its_review(
    table: Table, clock: Clock, machine: Machine
) -> None:
    table = Table(table.store, clock, reviews=True)
    (first,) = await ended_together(table, clock, 1)
    reviewer = reviewer_of(table, machine)
    running = asyncio.ensure_future(reviewer.run(ALL))
    while not (row := await row_of(table, first)).is_closer_review_pending or not row.tries:  # noqa: ASYNC110 - a database tells of no event
        await asyncio.sleep(0.02)
    clock.advance(seconds=1)
    challenge = await table.challenge(start=Start.BALANCED, channel=ChannelId(2))
    game = (await table.move((await table.accept(challenge)).game)).game
    update = await table.resign(game, ANN)
    reviewer.on_game(update.game)
    while (await row_of(table, game.row.id)).state is ReviewState.WAITING:  # noqa: ASYNC110 - a database tells of no event
        await asyncio.sleep(0.02)
    seen = await row_of(table, first)
    while (await row_of(table, first)).is_closer_review_pending:  # noqa: ASYNC110 - a database tells of no event
        await asyncio.sleep(0.05)
    await end((running,))
    assert seen.is_closer_review_pending
    rows = [await row_of(table, item) for item in (first, game.row.id)]
    assert all(row.review is not None and row.review.changed is not None for row in rows)
    assert all(row.review is not None and row.review.nodes > 100_000 for row in rows)
