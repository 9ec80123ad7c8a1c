"""Tests for plans that change while the other player acts."""

import asyncio

import pytest
from sqlalchemy import event

from bot.base.ids import UserId
from bot.database.connection import AsyncEngine
from bot.features.plans.store import PlanTable
from bot.features.plans.use_cases import Planning
from bot.play.model.events import Moved, Resigned
from bot.play.model.offer_events import OfferMade, TakenBack
from bot.play.model.refusals import NoGameHere
from bot.play.model.typed import PlacementList
from tests.bot.conftest import Clock
from tests.bot.features.plans.clearing import clear
from tests.bot.hands import Before, Hands
from tests.bot.racing import BACK, MOVE, Act, Race, plan, plays, resigns, stands
from tests.bot.table import ANN, BOB, CHANNEL, Table


def lists(user: UserId, text: str) -> Act:
    return lambda at, _: at.of(Planning).make(user, text, channel=CHANNEL, source=at.source())


def gives_up(user: UserId) -> Act:
    return lambda at, _: clear(at, user)


PLAN, REPLY, THEN = lists(BOB, "d1 e1"), plays(ANN, "c1"), {BOB: "e1"}
MADE = (MOVE, PLAN)
"""Bob has moved and listed more."""

RACES = {
    "a plan, a free takeback": Race(
        lists(BOB, "b1 c1"), BACK, Moved, OfferMade, 2, plans={BOB: "c1"}
    ),
    "a free takeback, a plan": Race(
        BACK, lists(BOB, "b1 c1"), TakenBack, PlacementList, 0, plans={BOB: "b1 c1"}
    ),
    "a move, a plan": Race(REPLY, PLAN, Moved, Moved, 4, [MOVE], THEN),
    "a plan, a move": Race(PLAN, REPLY, PlacementList, Moved, 4, [MOVE], THEN),
    "a move, a new list": Race(
        REPLY, lists(BOB, "f1 g1"), Moved, PlacementList, 4, MADE, {BOB: "f1 g1"}
    ),
    "a move, a list given up": Race(REPLY, gives_up(BOB), Moved, bool, 4, MADE),
    "a list given up, a move": Race(gives_up(BOB), REPLY, bool, Moved, 3, MADE),
    "a resignation, a plan": Race(resigns(ANN), PLAN, Resigned, NoGameHere, before=[MOVE]),
    "a plan, a resignation": Race(PLAN, resigns(ANN), PlacementList, Resigned, before=[MOVE]),
    "a move and a plan of one": Race(
        MOVE, lists(BOB, "c1 d1"), Moved, PlacementList, 2, plans={BOB: "c1 d1"}
    ),
}


@pytest.fixture
def hands(engine: AsyncEngine, clock: Clock) -> Hands:
    return Hands(engine, clock, of_features=[PlanTable])


@pytest.mark.parametrize("race", RACES.values(), ids=RACES)
async def test_a_plan_and_something_else_at_once(hands: Hands, table: Table, race: Race) -> None:
    await race.run(hands, table)


async def test_a_plan_at_the_same_time_as_a_move(table: Table, other: Table) -> None:
    """Either may come first, and neither waits for the other."""
    game = await table.begin()
    for user, space in ((ANN, "a1"), (BOB, "b1")):
        await table.play(user, space)
    made, moved = await asyncio.gather(
        other.of(Planning).make(BOB, "d1 e1", channel=CHANNEL, source=other.source()),
        table.play(ANN, "c1"),
    )
    assert isinstance(made[1], PlacementList) == (len(moved.events) == 2)
    now, _ = await stands(table)
    assert (set(now.position.stacks), now.to_move) == ({"a1", "b1", "c1", "d1"}, ANN)
    assert await table.store.queries(PlanTable).of_game(game.row.id) == {BOB: plan("e1")}


@pytest.mark.parametrize("act", [lists(BOB, "d1"), gives_up(BOB)], ids=["made", "given up"])
async def test_nothing_is_planned_in_a_game_that_has_ended(
    engine: AsyncEngine, clock: Clock, table: Table, act: Act
) -> None:
    """A writer that has read a running game checks again before it changes anything."""
    game = await table.begin()
    await table.play(ANN, "a1")
    late, _ = await Hands(engine, clock, Before.READING).race(
        lambda at: act(at, game), lambda at: at.abort(ANN)
    )
    assert isinstance(late, NoGameHere)


async def test_a_move_reads_plans_only_in_its_transaction(
    engine: AsyncEngine, table: Table, other: Table
) -> None:
    """This holds in a game without a plan, and after another process has stored one."""
    read: list[str] = []

    def note(_connection: object, _cursor: object, sql: str, *_rest: object) -> None:
        read.extend([sql] * ("FROM plans" in sql and sql.startswith("SELECT")))

    await table.begin()
    event.listen(engine.sync_engine, "before_cursor_execute", note)
    counts = []
    for user, space in ((ANN, "a1"), (BOB, "b1"), (ANN, "c1")):
        await table.play(user, space)
        counts.append(len(read))
        read.clear()
        if user == BOB:
            await other.of(Planning).make(BOB, "d1 e1", channel=CHANNEL, source=other.source())
            read.clear()
    now, _ = await stands(table)

    assert counts == [1, 1, 2]
    assert (set(now.position.stacks), now.to_move) == ({"a1", "b1", "c1", "d1"}, ANN)
    await table.play(ANN, "f1")
    assert len(read) == 1, "it is known by now"
    now, _ = await stands(table)
    assert set(now.position.stacks) == {"a1", "b1", "c1", "d1", "f1", "e1"}
