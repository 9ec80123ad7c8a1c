"""Tests for placement lists in games, on both databases."""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from random import Random

import pytest

import dvonn
from bot.base.errors import AlreadyHandled, PlayError
from bot.base.ids import UserId
from bot.base.languages import IN_ENGLISH
from bot.database.connection import AsyncEngine
from bot.features.plans.foresight import KeptPlanNote
from bot.features.plans.model.refusals import BadLines, LineProblem
from bot.features.plans.model.tree import OwnNode, Plan, PlanState, ReplyNode
from bot.features.plans.store import PlanTable
from bot.features.plans.use_cases import Planning, PlanOutdated, PlanQuestion
from bot.features.plans.words.views import plan_made, plan_shown
from bot.play.game_changes import GameUpdate
from bot.play.model import refusals
from bot.play.model.clock import TimeControl
from bot.play.model.game import AutoMoveReason, Game, Offer
from bot.play.model.offer_events import OfferMade
from bot.play.model.terms import EndReason, Start
from bot.play.model.typed import PlacementList
from bot.play.store.store import Store
from tests.bot.conftest import Clock
from tests.bot.features.plans.clearing import clear
from tests.bot.play.test_offers import DRAW, FINISH, TAKEBACK, kind, undone
from tests.bot.replayed import started
from tests.bot.rows import all_rows
from tests.bot.table import ANN, BOB, CHANNEL, CID, Table, how, moved, raises
from tests.games import positions_of, random_game


def plan(text: str, *, else_next: bool = False) -> PlacementList:
    return PlacementList(tuple(map(dvonn.parse_point, text.split())), else_next)


async def make(table: Table, user: UserId, text: str) -> Plan | GameUpdate:
    _, made = await table.of(Planning).make(user, text, channel=CHANNEL, source=table.source())
    return made


async def plans(table: Table) -> dict[UserId, PlanState]:
    return await table.store.queries(PlanTable).of_game(
        (await table.game_cache.running_in(CHANNEL)).row.id
    )


async def begin(table: Table) -> Game:
    return await table.begin()


async def takeback(table: Table, user: UserId) -> GameUpdate:
    return await table.ask(user, Offer.TAKEBACK)


def played(update: GameUpdate) -> list[tuple[UserId, str, AutoMoveReason | None]]:
    return [
        (event.event.actor, str(moved(event).move), moved(event).why) for event in update.events
    ]


async def test_lists_continue_as_far_as_they_reach(
    table: Table, store: Store, clock: Clock
) -> None:
    await begin(table)
    update = await table.play(ANN, "a1 b1 c1")
    assert played(update) == [(ANN, "a1", None)]
    assert update.plan_note == KeptPlanNote(plan("b1 c1"))
    update = await table.play(BOB, "d1 b1, else next free")
    # Ann's b1 is earlier, so Bob takes the next one, c1, and Ann's list is empty.
    assert played(update) == [
        (BOB, "d1", None),
        (ANN, "b1", AutoMoveReason.LISTED),
        (BOB, "c1", AutoMoveReason.LISTED),
    ]
    assert update.plan_note is None
    assert update.game.to_move == ANN
    assert await plans(table) == {}
    assert await Table(store, clock).game_cache.running_in(CHANNEL) == update.game
    sources = [event.source for event in await store.games.events(update.game.row.id)]
    assert [source is None for source in sources] == [False, False, False, True, True]
    assert len(update.deliveries) == 1


def expected(white: Sequence[str], black: Sequence[str], *, else_next: bool) -> list[str]:
    """Return the result of two whole lists, by an independent version of the rules."""
    wanted, order = {dvonn.Color.WHITE: list(white), dvonn.Color.BLACK: list(black)}, []
    position = dvonn.Position.initial()
    points = [str(move) for move in position.legal_moves()]
    while position.phase is dvonn.Phase.PLACEMENT and position.turn is not None:
        mine = wanted[position.turn]
        free = [str(move) for move in position.legal_moves()]
        if else_next and mine and mine[0] not in free:
            around = points[points.index(mine[0]) :] + points[: points.index(mine[0])]
            candidates = [point for point in around if point in free]
            mine[0] = next(
                (candidate for candidate in candidates if candidate not in mine[1:]), candidates[0]
            )
        while mine and mine[0] not in free:
            mine.pop(0)
        if not mine:
            break
        order.append(mine.pop(0))
        position = position.play(dvonn.Move(target=dvonn.parse_point(order[-1])))
    return order


@pytest.mark.parametrize("seed", range(6))
async def test_two_lists_against_the_rules_one_by_one(table: Table, seed: int) -> None:
    await begin(table)
    points = [str(move) for move in dvonn.Position.initial().legal_moves()]
    rng = Random(seed)
    white, black = rng.sample(points, 25), rng.sample(points, 24)
    else_next = seed % 2 == 0
    end = ", else next free" if else_next else ""
    if not else_next:  # spaces that are taken already can't be listed
        black = [point for point in black if point != white[0]]
    first = await table.play(ANN, " ".join(white) + end)
    update = await table.play(BOB, " ".join(black) + end)
    told = [*first.events, *update.events]
    assert [str(moved(event).move) for event in told] == expected(white, black, else_next=else_next)
    assert (update.game.position.phase is dvonn.Phase.MOVEMENT) == else_next
    assert [event.event.revision for event in told] == list(range(1, len(told) + 1))


@pytest.mark.parametrize(
    "text", ["b1 c1 c1", "b1 a1", "b1 c1-d1", "b1 z9", "a1 b1", "b1 " * 99, "b1 c1 &", "pass", ""]
)
async def test_a_refused_text_changes_nothing(table: Table, engine: AsyncEngine, text: str) -> None:
    await begin(table)
    await table.play(ANN, "a1")
    before = await all_rows(engine)
    await raises(PlayError, table.play(BOB, text))
    await raises(PlayError, make(table, BOB, text))
    assert before["plans"] == []
    await raises(PlayError, make(table, ANN, text))
    assert await all_rows(engine) == before


async def test_a_plan_waits_for_its_turn_in_secret(table: Table) -> None:
    await begin(table)
    assert await make(table, BOB, "b1 c1") == plan("b1 c1")
    assert (await table.of(Planning).show(CHANNEL, BOB))[1] == plan("b1 c1")
    assert (await table.of(Planning).show(CHANNEL, ANN))[1] is None
    await raises(refusals.NotAPlayer, table.of(Planning).show(CHANNEL, CID))
    update = await table.play(ANN, "a1")
    assert played(update) == [(ANN, "a1", None), (BOB, "b1", AutoMoveReason.LISTED)]
    assert update.plan_note is None  # Ann is not told about Bob's list
    assert await plans(table) == {BOB: plan("c1")}


async def test_a_plan_made_on_the_players_own_turn_starts_at_once(table: Table) -> None:
    await begin(table)
    update = await make(table, ANN, "a1 b1 c1")
    assert isinstance(update, GameUpdate)
    assert played(update) == [(ANN, "a1", None)]
    assert update.plan_note == KeptPlanNote(plan("b1 c1"))
    assert await make(table, ANN, "d1") == plan("d1")  # replacing the previous one
    assert await plans(table) == {ANN: plan("d1")}


async def test_a_proposal_on_the_players_own_turn_only_asks(table: Table) -> None:
    await table.begin(start=Start.BALANCED)
    planning, before = table.of(Planning), await table.game_cache.running_in(CHANNEL)
    first, *_ = before.position.legal_moves()
    after = before.position.play(first)
    second, *_ = after.legal_moves()
    reply, *_ = after.play(second).legal_moves()
    text = f"{first}, {second}: {reply}"
    propose = partial(planning.propose, channel=CHANNEL)
    game, asked = await propose(ANN, text, source=table.source())
    assert isinstance(asked, PlanQuestion)
    assert (asked.text, asked.turn.moves) == (text, (first,))
    assert asked.turn.plan == ReplyNode(((second, OwnNode(reply)),))
    assert await plans(table) == {}
    assert (await table.game_cache.running_in(CHANNEL)).row.revision == before.row.revision
    made = partial(planning.make, ANN, asked.text, channel=CHANNEL, board=game.row.revision)
    _, update = await made(source=table.source())
    assert isinstance(update, GameUpdate)
    assert played(update) == [(ANN, str(first), None)]
    assert update.plan_note == KeptPlanNote(ReplyNode(((second, OwnNode(reply)),)))
    await raises(PlanOutdated, made(source=table.source()))
    _, ahead = await propose(ANN, f"{second}: {reply}", source=table.source())
    assert ahead == ReplyNode(((second, OwnNode(reply)),))  # it is Bob's turn, so he need not ask


async def test_invalid_lists_are_refused_like_invalid_moves(table: Table) -> None:
    await table.begin(coordinates=dvonn.Coordinates.PERGIOCO)
    game = (await table.play(ANN, "d2")).game
    with pytest.raises(refusals.UnreadableMove) as caught:
        await make(table, ANN, "d3 z9")  # it is Bob's turn
    assert caught.value.error.problem is dvonn.NotationProblem.OFF_BOARD
    assert caught.value.position == game.position
    assert caught.value.coordinates is dvonn.Coordinates.PERGIOCO


async def test_a_plan_can_be_given_up(table: Table) -> None:
    await begin(table)
    assert not await clear(table, BOB)
    await make(table, BOB, "b1")
    assert await clear(table, BOB)
    assert not await clear(table, BOB)
    assert played(await table.play(ANN, "a1")) == [(ANN, "a1", None)]


async def test_the_rights_and_times_to_plan(table: Table) -> None:
    for do in (make(table, ANN, "a1"), clear(table, ANN)):
        await raises(refusals.NoGameHere, do)
    await table.begin(start=Start.BALANCED)
    await raises(refusals.NotAPlayer, make(table, CID, "a1"))
    assert (
        await raises(refusals.BadList, make(table, BOB, "a1"))
    ).problem is refusals.ListProblem.NOT_PLACING


async def test_plans_end_with_the_placement(table: Table) -> None:
    game = await begin(table)
    moves = random_game(3)
    await table.play_out(moves[:47])
    # Black places the 48th piece and lists another one, for which there is no turn.
    await table.play(BOB, f"{moves[47]} {moves[48]}")
    assert set(await plans(table)) == {BOB}
    await table.play(ANN, str(moves[48]))
    assert await table.store.queries(PlanTable).of_game(game.row.id) == {}


@pytest.mark.parametrize("how", ["resign", "abort", "fill"])
async def test_plans_end_with_the_game_or_when_the_rest_is_drawn(table: Table, how: str) -> None:
    game = await begin(table)
    await make(table, BOB, "a1 b1 e1 f1")
    await make(table, ANN, "c1 d1")
    assert await plans(table) == {BOB: plan("e1 f1")}
    match how:
        case "resign":
            await table.resign(await table.game_cache.running_in(CHANNEL), BOB)
        case "abort":
            await table.abort(BOB)
        case _:
            await table.ask(ANN, Offer.FINISH)
            await table.ask(BOB, Offer.FINISH)
            assert (
                await table.game_cache.running_in(CHANNEL)
            ).position.phase is dvonn.Phase.MOVEMENT
    assert await table.store.queries(PlanTable).of_game(game.row.id) == {}


async def test_an_offer_changes_no_plans(table: Table) -> None:
    await begin(table)
    await make(table, BOB, "b1 c1")
    update = await table.ask(ANN, Offer.FINISH)
    await table.decline(update.game, BOB)
    assert await plans(table) == {BOB: plan("b1 c1")}


async def test_a_takeback_restarts_thinking(table: Table) -> None:
    await begin(table)
    await table.play(ANN, "a1 b1 c1")
    assert await plans(table) == {ANN: plan("b1 c1")}
    await takeback(table, ANN)
    assert await plans(table) == {}


async def test_agreeing_keeps_the_players_list(table: Table) -> None:
    await begin(table)
    await make(table, BOB, "d1 e1")
    await table.play(ANN, "a1 b1")
    # Both lists have played: Ann a1, Bob d1, Ann b1, Bob e1.
    await table.play(ANN, "c1 f1")
    await make(table, BOB, "g1 h1 a2")
    # Bob g1, Ann f1, Bob h1. Ann's last placement is f1.
    assert await plans(table) == {BOB: plan("a2")}
    offered = await takeback(table, ANN)
    assert [str(ply.move) for ply in offered.events[-1].undone_plies] == ["f1", "h1"]
    update = await table.agree(offered.game, BOB)
    assert update.game.to_move == ANN
    assert await plans(table) == {BOB: plan("a2")}


async def test_a_forced_move_is_not_played_for_players_who_did_not_ask(table: Table) -> None:
    moves = random_game(3)
    await begin(table)
    await table.choices.switch(BOB, automatic=True)
    await table.play_out(moves[:47])
    update = await table.play(BOB, str(moves[47]))
    assert len(update.events) == 1


async def test_forced_moves_continue_to_the_end_of_a_game(table: Table) -> None:
    """Every only move of a game is played automatically, and no other move."""
    moves = random_game(8)
    at = positions_of(moves)
    await begin(table)
    for user in (ANN, BOB):
        await table.choices.switch(user, automatic=True)
    for ply, move in enumerate(moves):
        game = None if ply == len(moves) else await _running(table)
        if game is None or game.position.plies > ply:
            assert len(at[ply].legal_moves()) == 1
            continue
        update = await table.play_out([move])
        assert moved(update.events[0]).why is None
        assert all(moved(event).why == AutoMoveReason.ONLY for event in update.events[1:])
        assert len(update.game.position.legal_moves()) != 1
    assert how(update.game) is EndReason.COUNT
    assert update.game.position == at[-1]


async def _running(table: Table) -> Game | None:
    try:
        return await table.game_cache.running_in(CHANNEL)
    except refusals.NoGameHere:
        return None


async def test_a_repeated_list_starts_once(table: Table) -> None:
    await begin(table)
    source, text = table.source(), "a1 b1 c1, else next free"
    await table.of(Planning).make(ANN, text, channel=CHANNEL, source=source)
    await raises(AlreadyHandled, table.of(Planning).make(ANN, text, channel=CHANNEL, source=source))
    assert await plans(table) == {ANN: plan("b1 c1", else_next=True)}


async def test_a_listed_reply_costs_no_time_and_gains_the_increment(
    table: Table, clock: Clock
) -> None:
    day, hour = timedelta(days=1), timedelta(hours=1)
    control = TimeControl(bank=day, increment=hour, cap=2 * day)
    await table.begin(clock=control)
    await table.of(Planning).make(BOB, "b1", channel=CHANNEL, source=table.source())
    clock.advance(hours=3)
    update = await table.play(ANN, "a1")
    assert [applied.event.used for applied in update.events] == [3 * hour, timedelta()]
    assert update.game.clock is not None
    assert update.game.clock.time_left(dvonn.Color.WHITE) == day - 2 * hour
    assert update.game.clock.time_left(dvonn.Color.BLACK) == day + hour


async def test_a_listed_reply_makes_it_a_question(table: Table) -> None:
    await begin(table)
    await table.of(Planning).make(BOB, "b1", channel=CHANNEL, source=table.source())
    assert len((await table.play(ANN, "a1")).events) == 2
    update = await table.ask(ANN, TAKEBACK)
    assert kind(update) is OfferMade
    assert undone(update) == ["a1", "b1"]


@pytest.mark.parametrize("what", [DRAW, FINISH])
async def test_a_list_answers_no_offer(table: Table, what: Offer) -> None:
    await begin(table)
    await table.of(Planning).make(BOB, "b1", channel=CHANNEL, source=table.source())
    await table.ask(ANN, what)
    update = await table.play(ANN, "a1")
    assert moved(update.events[-1]).why is AutoMoveReason.LISTED
    assert update.game.asked == BOB
    await table.agree(update.game, BOB)


def test_a_plan_is_shown_in_the_games_coordinates() -> None:
    game = started(dvonn.Coordinates.PERGIOCO)
    assert plan_made(IN_ENGLISH, game, plan("b2 a1"), BOB).content == (
        "Got it. On your next turns I'll place d2, e1. (/plan)"
    )
    assert plan_shown(IN_ENGLISH, game, plan("b2", else_next=True), BOB).content == (
        "**Your plan** (only you see it):\nd2, else the next free"
    )


async def test_a_plan_is_read_as_it_is_named(table: Table) -> None:
    game = await table.begin(start=Start.BALANCED)
    first, *_ = game.position.legal_moves()
    second, *_ = game.position.play(first).legal_moves()
    text = ": ".join(
        dvonn.format_move(move, dvonn.Coordinates.PERGIOCO) for move in (first, second)
    )
    make = partial(table.of(Planning).make, notation=dvonn.Coordinates.PERGIOCO)
    for way in (partial(make, channel=CHANNEL), partial(make, game=game.row.id)):
        _, made = await way(BOB, text, source=table.source())
        assert made == ReplyNode(((first, OwnNode(second)),))
    with pytest.raises(BadLines) as refused:
        await make(BOB, "k5-k4", channel=CHANNEL, source=table.source())
    assert (refused.value.problem, refused.value.wrong_part) == (LineProblem.OFF_BOARD, "k5-k4")
    said = dvonn.format_move(first, dvonn.Coordinates.PERGIOCO)
    _, update = await make(ANN, said, channel=CHANNEL, source=table.source())
    assert isinstance(update, GameUpdate)
    assert [moved(event).move for event in update.events] == [first, second]
