"""Who comes second, in every order: one wins, and the other is told clearly; on both databases."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.base.errors import AlreadyDone
from bot.base.ids import Shards, SourceId, UserId
from bot.features.plans.use_cases import Planning
from bot.play.model.agreements import (
    DrawAgreed,
    HintsAgreed,
    OfferDeclined,
    OfferMade,
    RestPlaced,
    TakenBack,
)
from bot.play.model.ahead.decided import Ahead, Decided
from bot.play.model.clock import TimeControl
from bot.play.model.events import Aborted, Happening, Moved, Resigned, TimedOut
from bot.play.model.game import Game, Offer, Why
from bot.play.model.refusals import (
    BadOffer,
    GameGone,
    NoGameHere,
    NotYourTurn,
    OfferProblem,
    TurnOver,
)
from bot.play.model.terms import How
from bot.play.model.typed import Plan
from bot.play.store.tables import Store
from bot.play.use_cases.update import Update
from dvonn import parse_point
from tests.bot.conftest import Clock
from tests.bot.hands import Hands
from tests.bot.table import ANN, BOB, CHANNEL, CID, Table, how, moved
from tests.games import random_game

LIVE = TimeControl(bank=timedelta(minutes=15))
ALL = Shards((0,), 1)

Act = Callable[[Table], Awaitable[object]]


@pytest.fixture
def hands(engine: AsyncEngine, clock: Clock) -> Hands:
    return Hands(engine, clock)


@pytest.fixture
async def game(table: Table) -> Game:
    """Ann has placed on a1, and Bob is to move."""
    await table.accept(await table.challenge())
    return (await table.play(ANN, "a1")).game


def plays(user: UserId, text: str) -> Callable[[Table], Awaitable[Update]]:
    return lambda table: table.play(user, text)


def asks(user: UserId, what: Offer) -> Callable[[Table], Awaitable[Update]]:
    return lambda table: table.offers.ask(CHANNEL, user, what, source=table.source())


def accepts(offered: Update, user: UserId) -> Callable[[Table], Awaitable[Update]]:
    row = offered.game.row
    return lambda table: table.offers.accept(row.id, row.revision, user, source=table.source())


def declines(offered: Update, user: UserId) -> Callable[[Table], Awaitable[Update]]:
    row = offered.game.row
    return lambda table: table.offers.decline(row.id, row.revision, user, source=table.source())


def resigns(game: Game, user: UserId) -> Callable[[Table], Awaitable[Update]]:
    row = game.row
    return lambda table: table.leaving.resign(row.id, row.revision, user, source=table.source())


def aborts(user: UserId) -> Callable[[Table], Awaitable[Update]]:
    return lambda table: table.abort(user)


def lists(user: UserId, text: str) -> Callable[[Table], Awaitable[tuple[Game, Ahead | Update]]]:
    return lambda table: table.of(Planning).make(CHANNEL, user, text, source=table.source())


def plan(text: str) -> Plan:
    return Plan(tuple(map(parse_point, text.split())))


def kind(outcome: object) -> type[Happening]:
    assert isinstance(outcome, Update), outcome
    return outcome.told[-1].event.kind


async def stands(table: Table) -> tuple[Game, list[type[Happening]]]:
    """The game as another process reads it anew, and its events without the start."""
    fresh = Table(table.store, table.clock)
    events = await table.store.games.events((await fresh.archive.running_in(CHANNEL)).row.id)
    assert [event.revision for event in events] == list(range(len(events)))
    return await fresh.archive.running_in(CHANNEL), [event.kind for event in events[1:]]


async def plans(table: Table, game: Game) -> dict[UserId, Decided]:
    return await table.store.plans.of(game.row.id)


# Taking back


async def test_a_move_comes_before_a_free_takeback(hands: Hands, table: Table, game: Game) -> None:
    late, first = await hands.race(asks(ANN, Offer.TAKEBACK), plays(BOB, "b1"))
    assert kind(first) is Moved
    # It was free no more: Bob is asked, for his reply goes with it.
    assert kind(late) is OfferMade
    assert isinstance(late, Update)
    assert [str(ply.move) for ply in late.told[-1].undone] == ["a1", "b1"]
    now, _ = await stands(table)
    assert now.position.plies == 2


async def test_a_free_takeback_comes_before_a_move(hands: Hands, table: Table, game: Game) -> None:
    late, first = await hands.race(plays(BOB, "b1"), asks(ANN, Offer.TAKEBACK))
    assert kind(first) is TakenBack
    assert isinstance(late, NotYourTurn)
    assert late.to_move == ANN
    now, _ = await stands(table)
    assert now.position.plies == 0


async def test_a_list_comes_before_a_free_takeback(hands: Hands, table: Table, game: Game) -> None:
    late, first = await hands.race(asks(ANN, Offer.TAKEBACK), plays(BOB, "b1 c1 d1"))
    assert kind(first) is Moved
    assert kind(late) is OfferMade
    assert await plans(table, game) == {BOB: plan("c1 d1")}


async def test_a_free_takeback_comes_before_a_list(hands: Hands, table: Table, game: Game) -> None:
    late, first = await hands.race(plays(BOB, "b1 c1 d1"), asks(ANN, Offer.TAKEBACK))
    assert kind(first) is TakenBack
    assert isinstance(late, NotYourTurn)
    assert await plans(table, game) == {}
    assert (await stands(table))[0].position.plies == 0


async def test_a_plan_comes_before_a_free_takeback(hands: Hands, table: Table, game: Game) -> None:
    """Bob's plan in his own turn is a move with a list."""
    late, first = await hands.race(asks(ANN, Offer.TAKEBACK), lists(BOB, "b1 c1"))
    assert isinstance(first, tuple)
    assert kind(late) is OfferMade
    assert await plans(table, game) == {BOB: plan("c1")}


async def test_a_free_takeback_comes_before_a_plan(hands: Hands, table: Table, game: Game) -> None:
    late, first = await hands.race(lists(BOB, "b1 c1"), asks(ANN, Offer.TAKEBACK))
    assert kind(first) is TakenBack
    # It is Ann's turn again, so it is kept whole.
    assert isinstance(late, tuple)
    assert late[1] == plan("b1 c1")
    assert await plans(table, game) == {BOB: plan("b1 c1")}
    update = await table.play(ANN, "a1")
    assert str(moved(update.told[-1]).move) == "b1"


@pytest.fixture
async def question(table: Table, game: Game, clock: Clock) -> Update:
    """Ann asks whether she may take a1 back; Bob is to move."""
    clock.advance(minutes=5)
    return await asks(ANN, Offer.TAKEBACK)(table)


async def test_a_move_comes_before_an_agreed_takeback(
    hands: Hands, table: Table, question: Update
) -> None:
    late, first = await hands.race(accepts(question, BOB), plays(BOB, "b1"))
    assert kind(first) is Moved
    assert isinstance(late, TurnOver)
    now, _ = await stands(table)
    assert (now.position.plies, now.offered) == (2, None)


async def test_an_agreed_takeback_comes_before_a_move(
    hands: Hands, table: Table, question: Update
) -> None:
    late, first = await hands.race(plays(BOB, "b1"), accepts(question, BOB))
    assert kind(first) is TakenBack
    assert isinstance(late, NotYourTurn)
    now, _ = await stands(table)
    assert now.position.plies == 0


async def test_an_agreed_takeback_comes_before_a_list(
    hands: Hands, table: Table, question: Update
) -> None:
    late, first = await hands.race(plays(BOB, "b1 c1"), accepts(question, BOB))
    assert kind(first) is TakenBack
    assert isinstance(late, NotYourTurn)
    assert await plans(table, question.game) == {}


@pytest.mark.parametrize(
    ("slow", "quick"),
    [
        (accepts, accepts),
        (accepts, declines),
        (declines, accepts),
        (declines, declines),
    ],
)
async def test_of_two_answers_one_counts(
    hands: Hands,
    table: Table,
    question: Update,
    slow: Callable[[Update, UserId], Act],
    quick: Callable[[Update, UserId], Act],
) -> None:
    late, first = await hands.race(slow(question, BOB), quick(question, BOB))
    answer = TakenBack if quick is accepts else OfferDeclined
    assert kind(first) is answer
    assert isinstance(late, TurnOver)
    assert (await stands(table))[1] == [Moved, OfferMade, answer]


@pytest.mark.parametrize("withdrawn_first", [False, True])
@pytest.mark.parametrize("what", list(Offer))
async def test_accepting_against_taking_the_offer_back(
    hands: Hands, table: Table, game: Game, clock: Clock, what: Offer, withdrawn_first: bool
) -> None:
    clock.advance(minutes=5)
    offered = await asks(ANN, what)(table)
    yes, no = accepts(offered, BOB), declines(offered, ANN)
    late, first = await (hands.race(yes, no) if withdrawn_first else hands.race(no, yes))
    ends = what is Offer.DRAW and not withdrawn_first
    assert isinstance(late, GameGone if ends else TurnOver)
    agreed = {
        Offer.TAKEBACK: TakenBack,
        Offer.DRAW: DrawAgreed,
        Offer.FINISH: RestPlaced,
        Offer.HINTS: HintsAgreed,
    }
    assert kind(first) is (OfferDeclined if withdrawn_first else agreed[what])


async def test_a_draw_accepted_twice_is_one_draw(hands: Hands, table: Table, game: Game) -> None:
    offered = await asks(ANN, Offer.DRAW)(table)
    late, first = await hands.race(accepts(offered, BOB), accepts(offered, BOB))
    assert kind(first) is DrawAgreed
    assert isinstance(late, GameGone)


@pytest.mark.parametrize("what", [Offer.DRAW, Offer.FINISH])
async def test_both_offer_the_same_at_once(
    hands: Hands, table: Table, game: Game, what: Offer
) -> None:
    late, first = await hands.race(asks(ANN, what), asks(BOB, what))
    assert kind(first) is OfferMade
    agreed = {Offer.DRAW: DrawAgreed, Offer.FINISH: RestPlaced}
    assert kind(late) is agreed[what]


async def test_both_ask_to_take_back_at_once(
    hands: Hands, table: Table, game: Game, clock: Clock
) -> None:
    await table.play(BOB, "b1")
    clock.advance(minutes=5)
    late, first = await hands.race(asks(ANN, Offer.TAKEBACK), asks(BOB, Offer.TAKEBACK))
    assert kind(first) is OfferMade
    assert isinstance(late, BadOffer)
    assert late.problem is OfferProblem.PENDING
    now, _ = await stands(table)
    assert now.asked == ANN


async def test_a_draw_is_offered_while_the_other_moves(
    hands: Hands, table: Table, game: Game
) -> None:
    late, first = await hands.race(asks(ANN, Offer.DRAW), plays(BOB, "b1"))
    assert kind(first) is Moved
    assert kind(late) is OfferMade
    assert (await stands(table))[0].asked == BOB


async def test_a_move_comes_after_an_offer_that_it_ends(
    hands: Hands, table: Table, game: Game
) -> None:
    late, first = await hands.race(plays(BOB, "b1"), asks(ANN, Offer.DRAW))
    assert kind(first) is OfferMade
    assert kind(late) is Moved
    assert isinstance(late, Update)
    assert late.told[-1].lapsed is not None  # and so it is told
    assert (await stands(table))[0].offered is None


async def test_a_piece_is_placed_before_the_rest_is(hands: Hands, table: Table, game: Game) -> None:
    offered = await asks(ANN, Offer.FINISH)(table)
    late, first = await hands.race(accepts(offered, BOB), plays(BOB, "b1"))
    assert kind(first) is Moved
    assert isinstance(late, TurnOver)
    assert (await stands(table))[0].is_placing


async def test_the_rest_is_placed_before_a_piece_is(hands: Hands, table: Table, game: Game) -> None:
    offered = await asks(ANN, Offer.FINISH)(table)
    late, first = await hands.race(plays(BOB, "b1"), accepts(offered, BOB))
    assert kind(first) is RestPlaced
    assert isinstance(late, NotYourTurn)
    assert not (await stands(table))[0].is_placing


# The end of a game


async def test_a_move_comes_before_a_resignation(hands: Hands, table: Table, game: Game) -> None:
    late, first = await hands.race(resigns(game, ANN), plays(BOB, "b1"))
    assert kind(first) is Moved
    assert isinstance(late, TurnOver)
    assert (await stands(table))[0].is_running


async def test_a_resignation_comes_before_a_move(hands: Hands, table: Table, game: Game) -> None:
    late, first = await hands.race(plays(BOB, "b1"), resigns(game, ANN))
    assert kind(first) is Resigned
    assert isinstance(late, NoGameHere)


async def test_both_resign(hands: Hands, table: Table, game: Game) -> None:
    late, first = await hands.race(resigns(game, ANN), resigns(game, BOB))
    assert kind(first) is Resigned
    assert isinstance(late, GameGone)


async def test_a_piece_too_many_comes_before_leaving(hands: Hands, table: Table) -> None:
    await table.accept(await table.challenge())
    await table.play_out(random_game(4)[:6])
    late, first = await hands.race(aborts(ANN), plays(ANN, str(random_game(4)[6])))
    assert kind(first) is Moved
    assert isinstance(late, TurnOver)
    assert (await stands(table))[0].is_running


async def test_leaving_comes_before_a_piece_too_many(hands: Hands, table: Table) -> None:
    await table.accept(await table.challenge())
    await table.play_out(random_game(4)[:6])
    late, first = await hands.race(plays(ANN, str(random_game(4)[6])), aborts(ANN))
    assert kind(first) is Aborted
    assert isinstance(late, NoGameHere)


async def test_leaving_by_a_board_that_is_out_of_date_is_refused(
    hands: Hands, table: Table, game: Game
) -> None:
    late, first = await hands.race(aborts(ANN), plays(BOB, "b1"))
    assert kind(first) is Moved
    assert isinstance(late, TurnOver)
    assert (await stands(table))[0].is_running


# Clocks


@pytest.fixture
async def overdue(table: Table, clock: Clock) -> Game:
    """A live game in which Ann's time has just run out."""
    await table.accept(await table.challenge(clock=LIVE))
    game = (await table.play_out(random_game(4)[:8])).game
    clock.advance(minutes=15)
    return game


def times_out(game: Game) -> Callable[[Table], Awaitable[Update | None]]:
    async def look(table: Table) -> Update | None:
        async def surely() -> datetime:
            return table.clock()

        (seen,) = (await table.timekeeper.due(ALL)).values()
        return await table.timekeeper.look(game.row.id, seen, heard=surely)

    return look


async def test_a_move_comes_before_the_end_of_the_time(
    hands: Hands, table: Table, overdue: Game
) -> None:
    late, first = await hands.race(times_out(overdue), plays(ANN, str(random_game(4)[8])))
    assert kind(first) is Moved
    assert late is None
    assert (await stands(table))[0].is_running


async def test_the_end_of_the_time_comes_before_a_move(
    hands: Hands, table: Table, overdue: Game
) -> None:
    late, first = await hands.race(plays(ANN, str(random_game(4)[8])), times_out(overdue))
    assert kind(first) is TimedOut
    assert isinstance(late, NoGameHere)
    assert how(await table.archive.existing(overdue.row.id)) is How.TIME


@pytest.mark.parametrize("time_first", [False, True])
async def test_a_draw_at_the_last_moment(
    hands: Hands, table: Table, overdue: Game, time_first: bool
) -> None:
    offered = await asks(BOB, Offer.DRAW)(table)
    draw, time = accepts(offered, ANN), times_out(overdue)
    if time_first:
        late, first = await hands.race(draw, time)
        assert kind(first) is TimedOut
        assert isinstance(late, GameGone)
    else:
        missed, agreed = await hands.race(time, draw)
        assert kind(agreed) is DrawAgreed
        assert missed is None


async def test_two_timekeepers_end_a_game_once(hands: Hands, table: Table, overdue: Game) -> None:
    late, first = await hands.race(times_out(overdue), times_out(overdue))
    assert kind(first) is TimedOut
    assert late is None


# Plans: made in the very moment when the other moves


async def then_bob_has_replied(table: Table, game: Game) -> None:
    now, _ = await stands(table)
    assert set(now.position.stacks) == {"a1", "b1", "c1", "d1"}
    assert now.to_move == ANN
    assert await plans(table, game) == {BOB: plan("e1")}


@pytest.fixture
async def anns_turn(table: Table, game: Game) -> Game:
    return (await table.play(BOB, "b1")).game


async def test_a_move_comes_before_a_plan(hands: Hands, table: Table, anns_turn: Game) -> None:
    late, first = await hands.race(lists(BOB, "d1 e1"), plays(ANN, "c1"))
    assert kind(first) is Moved
    assert isinstance(late, tuple)
    assert isinstance(late[1], Update)  # it has become Bob's turn: the list begins at once
    await then_bob_has_replied(table, anns_turn)


async def test_a_plan_comes_before_a_move(hands: Hands, table: Table, anns_turn: Game) -> None:
    late, first = await hands.race(plays(ANN, "c1"), lists(BOB, "d1 e1"))
    assert isinstance(first, tuple)
    assert first[1] == plan("d1 e1")
    assert isinstance(late, Update)
    assert [moved(one).why for one in late.told] == [None, Why.LISTED]
    await then_bob_has_replied(table, anns_turn)


async def test_a_plan_at_the_same_time_as_a_move(
    table: Table, store: Store, clock: Clock, anns_turn: Game
) -> None:
    """Whichever comes first, without anybody waiting for the other."""
    other = Table(store, clock)
    other.last_source = 500_000
    made, moved = await asyncio.gather(lists(BOB, "d1 e1")(other), plays(ANN, "c1")(table))
    assert isinstance(made[1], Plan) == (len(moved.told) == 2)
    await then_bob_has_replied(table, anns_turn)


async def test_a_new_list_comes_too_late(hands: Hands, table: Table, anns_turn: Game) -> None:
    """Bob changes his mind while Ann's move sets his older list going."""
    await lists(BOB, "d1 f1")(table)
    late, first = await hands.race(lists(BOB, "e1 g1"), plays(ANN, "c1"))
    assert isinstance(first, Update)
    assert str(moved(first.told[-1]).move) == "d1"
    assert isinstance(late, tuple)
    assert late[1] == plan("e1 g1")  # it counts from his next turn on
    assert await plans(table, anns_turn) == {BOB: plan("e1 g1")}


async def test_a_list_is_given_up_too_late(hands: Hands, table: Table, anns_turn: Game) -> None:
    await lists(BOB, "d1 e1")(table)
    late, first = await hands.race(
        lambda at: at.of(Planning).give_up(CHANNEL, BOB), plays(ANN, "c1")
    )
    assert isinstance(first, Update)
    assert str(moved(first.told[-1]).move) == "d1"
    assert late is True  # what was left of it
    assert await plans(table, anns_turn) == {}


async def test_a_list_is_given_up_in_time(hands: Hands, table: Table, anns_turn: Game) -> None:
    await lists(BOB, "d1 e1")(table)
    late, first = await hands.race(
        plays(ANN, "c1"), lambda at: at.of(Planning).give_up(CHANNEL, BOB)
    )
    assert first is True
    assert isinstance(late, Update)
    assert len(late.told) == 1


async def test_the_game_ends_before_a_plan(hands: Hands, table: Table, anns_turn: Game) -> None:
    late, first = await hands.race(lists(BOB, "d1 e1"), resigns(anns_turn, ANN))
    assert kind(first) is Resigned
    assert isinstance(late, NoGameHere)
    assert await plans(table, anns_turn) == {}


async def test_a_plan_comes_before_the_end_of_the_game(
    hands: Hands, table: Table, anns_turn: Game
) -> None:
    late, first = await hands.race(resigns(anns_turn, ANN), lists(BOB, "d1 e1"))
    assert isinstance(first, tuple)
    assert kind(late) is Resigned
    assert await plans(table, anns_turn) == {}


async def test_a_typed_move_and_a_plan_of_the_same_player(
    hands: Hands, table: Table, game: Game
) -> None:
    late, first = await hands.race(lists(BOB, "c1 d1"), plays(BOB, "b1"))
    assert kind(first) is Moved
    assert isinstance(late, tuple)
    assert late[1] == plan("c1 d1")


async def test_one_message_heard_by_two_processes_is_played_once(
    hands: Hands, table: Table, game: Game
) -> None:
    source = SourceId(900_000)

    def the_same(at: Table) -> Awaitable[Update]:
        return at.games.play(CHANNEL, BOB, "b1 c1", source=source)

    late, first = await hands.race(the_same, the_same)
    assert kind(first) is Moved
    assert isinstance(late, AlreadyDone)
    assert (await stands(table))[0].position.plies == 2


async def test_a_moderator_ends_the_game_before_a_move(
    hands: Hands, table: Table, game: Game
) -> None:
    def ends(at: Table) -> Awaitable[Update]:
        return at.leaving.abort_here(CHANNEL, CID, source=at.source())

    late, first = await hands.race(plays(BOB, "b1"), ends)
    assert kind(first) is Aborted
    assert isinstance(late, NoGameHere)
