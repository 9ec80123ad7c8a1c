"""Tests for puzzles from reviewed games, with the real engine."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from importlib.util import find_spec

import pytest

from bot.connection.tasks import end
from bot.features.machine.opponent.machine import Machine
from bot.play.model.game import Game
from bot.play.model.terms import Start
from bot.play.store import games as game_table
from bot.replay.model.replays import all_moves
from dvonn import Color
from school.puzzles.store import ServerPuzzleTable
from school.reviews.use_cases import Reviews
from tests.bot.conftest import Clock
from tests.bot.table import ALL, ANN, BOB, GUILD, Table
from tests.games import played_out, positions_of
from tests.school.reviews.reviewing import reviewer_of

pytestmark = [
    pytest.mark.skipif(find_spec("numba") is None, reason="the engine's packages are missing"),
    pytest.mark.usefixtures("warm_workers"),
]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    """Yield a machine that, if workers are forked, searches few nodes for a review."""
    defaults = import_module("dvonn.engine").review.__kwdefaults__
    monkeypatch.setitem(defaults, "nodes", defaults["nodes"] // 10)
    with closing(Machine(1)) as machine:
        yield machine


async def played(table: Table) -> Game:
    """Return a game between Ann and Bob, played to the end, from which both can learn."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(game_table, "opening_seeds", lambda *_: (1,))
        game = (await table.accept(await table.challenge(start=Start.BALANCED))).game
    for move in played_out(game.position, seed=0):
        assert game.to_move is not None
        game = (await table.play(game.to_move, str(move))).game
    assert not game.is_running
    return game


async def test_a_reviewed_game_becomes_a_puzzle_for_each_player(
    table: Table, clock: Clock, machine: Machine
) -> None:
    table = Table(table.store, clock, reviews=True)
    for player in (ANN, BOB):
        await table.choices.switch(player, puzzles=True)
    game = await played(table)
    running = asyncio.ensure_future(reviewer_of(table, machine).run(ALL))
    while not (found := await table.store.queries(ServerPuzzleTable).newest(GUILD, 9)):  # noqa: ASYNC110 - a database tells of no event
        await asyncio.sleep(0.02)
    await end((running,))
    assert await table.of(Reviews).done(game.row.id) is not None
    assert {item.solver for item in found} == set(Color)
    course = positions_of(list(all_moves(game)))
    shown = [course[49 + ply.ply] for ply in found]
    assert [item.position for item in found] == shown
    for puzzle in found:
        assert puzzle.answer((), puzzle.solution[0]).right
        assert not any(
            puzzle.answer((), move).right
            for move in puzzle.position.legal_moves()[:3]
            if move != puzzle.solution[0]
        )
