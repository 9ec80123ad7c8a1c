"""Tests for takebacks, draws, random placement and early endings, on both databases."""

from collections.abc import Awaitable
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.base.errors import AlreadyHandled
from bot.base.ids import GameId, Revision, UserId
from bot.database.delivery_rows import BOARD, NOTE
from bot.play.game_changes import GameUpdate
from bot.play.model.clock import TimeControl
from bot.play.model.events import AnyEventData
from bot.play.model.game import AutoMoveReason, Game, Offer, PendingOffer
from bot.play.model.offer_events import (
    DrawAgreed,
    HintsAgreed,
    OfferDeclined,
    OfferMade,
    RestPlaced,
    TakenBack,
)
from bot.play.model.refusals import (
    BadOffer,
    GameNotRunning,
    NoGameHere,
    NotAPlayer,
    OfferProblem,
    StaleBoard,
    TooLateToAbort,
)
from bot.play.model.terms import EndReason, Start
from bot.play.model.time_events import PauseAgreed
from bot.play.store.store import Store
from dvonn import Color, Phase, Position, balanced_start, finish_placement, format_move
from tests.bot.conftest import Clock
from tests.bot.table import ANN, BOB, CHANNEL, CID, Table, how, moved, raises
from tests.games import positions_of, random_game

TAKEBACK, DRAW, FINISH, HINTS, PAUSE = Offer
DAYS = TimeControl(bank=timedelta(days=3), increment=timedelta(days=1), cap=timedelta(days=3))
LIVE = TimeControl(bank=timedelta(minutes=15))


async def refused(table: Table, user: UserId, what: Offer) -> OfferProblem:
    caught = await raises(BadOffer, table.ask(user, what))
    return caught.problem


def newest(update: GameUpdate) -> tuple[AnyEventData, UserId]:
    event = update.events[-1].event
    return event.data, event.actor


def kind(update: GameUpdate) -> type[AnyEventData]:
    return update.events[-1].event.kind


def undone(update: GameUpdate) -> list[str]:
    return [str(ply.move) for ply in update.events[-1].undone_plies]


# Takebacks


async def test_within_a_minute_a_move_is_taken_back_at_once(table: Table, clock: Clock) -> None:
    await table.begin()
    before = (await table.play(ANN, "a1")).game
    await table.play(BOB, "b1")
    clock.advance(minutes=1)
    update = await table.ask(BOB, TAKEBACK)
    assert newest(update) == (TakenBack(1), BOB)
    assert update.game.went_back == BOB
    assert undone(update) == ["b1"]
    assert update.game.position == before.position
    assert update.game.last == before.last
    assert update.game.to_move == BOB
    assert update.game.row.revision == 3
    await table.play(BOB, "c1")


async def test_later_the_other_is_asked(table: Table, clock: Clock) -> None:
    await table.begin()
    await table.play(ANN, "a1")
    clock.advance(seconds=60, milliseconds=1)
    update = await table.ask(ANN, TAKEBACK)
    assert newest(update) == (OfferMade(TAKEBACK), ANN)
    assert undone(update) == ["a1"]
    assert (update.game.asked, update.game.to_move) == (BOB, BOB)
    update = await table.agree(update.game, BOB)
    assert newest(update) == (TakenBack(0), BOB)
    assert update.game.went_back is None  # neither player has used a takeback without asking
    assert update.game.position == Position.initial()
    assert (update.game.asked, update.game.to_move, update.game.last) == (None, ANN, None)


async def test_a_game_with_takebacks_is_the_same_when_it_is_read_again(
    table: Table, store: Store, clock: Clock
) -> None:
    await table.begin(clock=DAYS)
    await table.play_out(random_game(4)[:52])
    clock.advance(hours=1)
    for user in (ANN, BOB):
        await table.agree((await table.ask(user, TAKEBACK)).game, ANN if user == BOB else BOB)
    update = await table.play_out(random_game(4)[50:51])
    fresh = await Table(store, clock).game_cache.running_in(CHANNEL)
    assert fresh == update.game
    assert fresh.position == positions_of(random_game(4))[51]


@pytest.mark.parametrize("act", ["play", "offer", "decline"])
async def test_an_opponents_action_makes_a_takeback_a_question(table: Table, act: str) -> None:
    await table.begin()
    await table.play(ANN, "a1")
    match act:
        case "play":
            await table.play(BOB, "b1")
        case "offer":
            await table.decline((await table.ask(BOB, DRAW)).game, ANN)
        case _:
            await table.decline((await table.ask(ANN, DRAW)).game, BOB)
    update = await table.ask(ANN, TAKEBACK)
    assert kind(update) is OfferMade
    assert undone(update) == (["a1", "b1"] if act == "play" else ["a1"])


async def test_an_automatic_reply_makes_it_a_question(table: Table) -> None:
    moves = random_game(3)
    await table.begin()
    await table.choices.switch(ANN, automatic=True)
    await table.play_out(moves[:47])
    assert moved((await table.play(BOB, str(moves[47]))).events[-1]).why is AutoMoveReason.ONLY
    update = await table.ask(BOB, TAKEBACK)
    assert kind(update) is OfferMade
    assert undone(update) == [str(moves[47]), str(moves[48])]


async def test_taking_back_a_listed_placement_requires_asking(table: Table) -> None:
    await table.begin()
    await table.play(ANN, "a1 b1")
    await table.play(BOB, "c1")
    update = await table.ask(ANN, TAKEBACK)
    assert kind(update) is OfferMade
    assert undone(update) == ["b1"]


async def test_an_only_move_is_taken_back_with_the_move_before_it(table: Table) -> None:
    moves = random_game(3)
    await table.begin()
    await table.choices.switch(ANN, automatic=True)
    await table.play_out(moves[:48])
    update = await table.ask(ANN, TAKEBACK)
    assert undone(update) == [str(moves[46]), str(moves[47]), str(moves[48])]
    # It is not played again automatically.
    assert (await table.agree(update.game, BOB)).game.position.plies == 46


async def test_one_text_goes_back_as_one(table: Table) -> None:
    moves = list(balanced_start(5))
    await table.begin()
    game = (await table.play_out(moves[:48])).game
    first = game.position.play(moves[48]).legal_moves()[0]
    await table.play(ANN, f"{moves[48]} {first}")
    update = await table.ask(ANN, TAKEBACK)
    assert newest(update) == (TakenBack(48), ANN)
    assert undone(update) == [str(moves[48]), str(first)]
    assert update.game.position == game.position


async def test_two_texts_are_two(table: Table) -> None:
    moves = list(balanced_start(5))
    await table.begin()
    game = (await table.play_out(moves)).game
    first = game.position.legal_moves()[0]
    await table.play(ANN, str(first))
    assert undone(await table.ask(ANN, TAKEBACK)) == [str(first)]
    assert undone(await table.ask(ANN, TAKEBACK)) == [str(moves[48])]


async def test_there_must_be_something_to_take_back(table: Table) -> None:
    await table.begin()
    assert await refused(table, ANN, TAKEBACK) is OfferProblem.NOTHING
    await table.play(ANN, "a1")
    assert await refused(table, BOB, TAKEBACK) is OfferProblem.NOTHING
    await table.ask(ANN, TAKEBACK)
    assert await refused(table, ANN, TAKEBACK) is OfferProblem.NOTHING


async def test_random_placements_stay(table: Table) -> None:
    await table.begin(start=Start.BALANCED)
    assert await refused(table, ANN, TAKEBACK) is OfferProblem.NOTHING
    await table.abort(ANN)
    await table.begin()
    await table.play(ANN, "a1")
    await table.agree((await table.ask(ANN, FINISH)).game, BOB)
    assert await refused(table, ANN, TAKEBACK) is OfferProblem.NOTHING
    game = await table.game_cache.running_in(CHANNEL)
    move = game.position.legal_moves()[0]
    await table.play(ANN, str(move))
    update = await table.ask(ANN, TAKEBACK)
    assert undone(update) == [str(move)]
    assert update.game.position == game.position


async def test_going_back_on_a_drawn_board_leads_to_that_board(table: Table) -> None:
    game = await table.begin(start=Start.BALANCED)
    await table.play(ANN, str(game.position.legal_moves()[0]))
    assert (await table.ask(ANN, TAKEBACK)).game.position == game.position


async def test_never_in_a_live_game(table: Table) -> None:
    await table.begin(clock=LIVE)
    await table.play(ANN, "a1")
    assert await refused(table, ANN, TAKEBACK) is OfferProblem.LIVE
    assert (await table.ask(ANN, DRAW)).game.offered is not None


async def test_takebacks_restore_clocks_except_used_time(table: Table, clock: Clock) -> None:
    await table.begin(clock=DAYS)
    await table.play_out(random_game(4)[:6])
    clock.advance(days=2, hours=12)
    await table.play_out(random_game(4)[6:7])  # Ann: 12 hours, plus a day
    clock.advance(days=1)
    await table.play_out(random_game(4)[7:8])  # Bob: 2 days, plus one
    clock.advance(hours=5)
    update = await table.agree((await table.ask(ANN, TAKEBACK)).game, BOB)
    assert update.game.clock is not None
    assert update.game.clock.time_left(Color.WHITE) == timedelta(days=1, hours=7)  # plus 5 hours
    assert update.game.clock.time_left(Color.BLACK) == timedelta(days=3)
    assert update.deadline == clock() + timedelta(days=1, hours=7)


async def test_going_back_without_asking_is_for_once_in_a_turn(table: Table) -> None:
    await table.begin()
    await table.play(ANN, "a1")
    assert kind(await table.ask(ANN, TAKEBACK)) is TakenBack
    await table.play(ANN, "b1")
    assert kind(await table.ask(ANN, TAKEBACK)) is OfferMade
    await table.play(BOB, "c1")
    assert kind(await table.ask(BOB, TAKEBACK)) is TakenBack
    await table.play(BOB, "d1")
    await table.play(ANN, "e1")
    assert kind(await table.ask(ANN, TAKEBACK)) is TakenBack
    await table.play(ANN, "f1")
    await table.play(BOB, "g1")
    await table.play(ANN, "h1")  # another turn
    assert kind(await table.ask(ANN, TAKEBACK)) is TakenBack


async def test_nobody_gains_time_by_moving_and_going_back(table: Table, clock: Clock) -> None:
    await table.begin(clock=DAYS)
    clock.advance(hours=20)
    await table.play(ANN, "a1")
    update = await table.ask(ANN, TAKEBACK)
    assert update.game.clock is not None
    assert update.game.clock.time_left(Color.WHITE) == timedelta(days=2, hours=4)
    clock.advance(hours=5)
    update = await table.play(ANN, "a1")
    assert update.game.clock is not None
    assert update.game.clock.time_left(Color.WHITE) == timedelta(
        days=2, hours=23
    )  # 4 - 5 hours, plus a day


# The lifetime of offers


async def test_a_draw_is_agreed(table: Table, store: Store, clock: Clock) -> None:
    await table.begin()
    await table.play(ANN, "a1")
    offered = await table.ask(ANN, DRAW)
    assert offered.game.offered == PendingOffer(DRAW, ANN)
    assert undone(offered) == []  # that board allows no takeback
    update = await table.agree(offered.game, BOB)
    assert how(update.game) is EndReason.AGREEMENT
    assert update.game.to_move is None
    assert update.game.offered is None
    await raises(NoGameHere, table.game_cache.running_in(CHANNEL))
    assert (await Table(store, clock).game_cache.existing(update.game.row.id)) == update.game


async def test_the_rest_is_placed_at_random_by_the_seed(
    table: Table, store: Store, clock: Clock
) -> None:
    await table.begin()
    before = (await table.play_out(random_game(4)[:20])).game
    update = await table.agree((await table.ask(ANN, FINISH)).game, BOB)
    lot, actor = newest(update)
    assert isinstance(lot, RestPlaced)
    assert actor == BOB
    position = before.position
    for move in finish_placement(position, lot.seed):
        position = position.play(move)
    assert update.game.position == position
    assert position.phase is Phase.MOVEMENT
    assert (update.game.offered, update.game.last) == (None, None)
    assert await Table(store, clock).game_cache.running_in(CHANNEL) == update.game
    assert await refused(table, ANN, FINISH) is OfferProblem.NOT_PLACING


async def test_the_boards_button_offers_and_agrees_for_the_shown_turn_only(table: Table) -> None:
    await table.begin()
    old = (await table.play_out(random_game(4)[:19])).game.row
    now = (await table.play_out(random_game(4)[19:20])).game.row

    def fill(user: UserId, revision: Revision) -> Awaitable[GameUpdate]:
        source = table.source()
        return table.offers.suggest(now.id, user, FINISH, source=source, revision=revision)

    await raises(StaleBoard, fill(ANN, old.revision))
    offered = await fill(ANN, now.revision)
    assert newest(offered) == (OfferMade(FINISH), ANN)
    assert kind(await fill(BOB, now.revision)) is RestPlaced, "the board is still the same"


async def test_the_lot_ends_a_turn_and_no_move_is_paid_for(table: Table, clock: Clock) -> None:
    await table.begin(clock=replace(DAYS, cap=timedelta(days=9)))
    await table.play_out(random_game(4)[:20])
    before = (await table.game_cache.running_in(CHANNEL)).clock
    assert before is not None
    clock.advance(hours=3)
    await table.ask(BOB, FINISH)  # Ann is to move
    clock.advance(hours=2)
    update = await table.ask(ANN, FINISH)
    after = update.game.clock
    assert after is not None
    assert after.time_left(Color.WHITE) == before.time_left(Color.WHITE) - timedelta(hours=5)
    assert after.time_left(Color.BLACK) == before.time_left(Color.BLACK)
    assert after.since == clock()


@pytest.mark.parametrize("what", [DRAW, FINISH, HINTS, PAUSE])
async def test_asking_for_the_same_is_accepting(table: Table, what: Offer) -> None:
    await table.begin()
    await table.ask(BOB, what)
    update = await table.ask(ANN, what)
    agreed = {DRAW: DrawAgreed, FINISH: RestPlaced, HINTS: HintsAgreed, PAUSE: PauseAgreed}
    assert kind(update) is agreed[what]


# Hints


async def suggest(table: Table, game: Game, user: UserId) -> GameUpdate:
    return await table.offers.suggest(game.row.id, user, HINTS, source=table.source())


async def test_hints_are_agreed_on_once_and_stay(table: Table, store: Store, clock: Clock) -> None:
    game = await table.begin()
    await table.play(ANN, "a1")
    offered = await suggest(table, game, ANN)
    assert newest(offered) == (OfferMade(HINTS), ANN)
    assert (offered.game.asked, offered.game.gives_hints) == (BOB, False)
    update = await table.agree(offered.game, BOB)
    assert newest(update) == (HintsAgreed(), BOB)
    assert (update.game.offered, update.game.shares_hints) == (None, True)
    assert [delivery.kind for delivery in update.deliveries] == [NOTE]
    assert (await table.games.at_revision(game.row.id, Revision(1)))[1]  # the board is unchanged
    for user in (ANN, BOB):
        assert await refused(table, user, HINTS) is OfferProblem.HINTS_AGREED
    await table.play(BOB, "b1")
    assert kind(await table.ask(BOB, TAKEBACK)) is TakenBack
    fresh = await Table(store, clock).game_cache.running_in(CHANNEL)
    assert fresh.gives_hints
    assert fresh == await table.game_cache.running_in(CHANNEL)


async def test_a_suggestion_of_hints_lapses_when_the_other_plays(table: Table) -> None:
    game = await table.begin()
    await suggest(table, game, ANN)
    assert (await table.play(ANN, "a1")).game.offered == PendingOffer(HINTS, ANN)
    update = await table.play(BOB, "b1")
    assert (update.game.offered, update.game.gives_hints) == (None, False)
    assert update.events[-1].lapsed_offer == PendingOffer(HINTS, ANN)


async def test_against_the_machine_hints_need_no_agreement(table: Table) -> None:
    game = await table.begin(CID, level=3)
    assert (game.gives_hints, game.shares_hints) == (True, False)
    assert (await raises(BadOffer, suggest(table, game, ANN))).problem is OfferProblem.HINTS_FREE


async def test_only_players_of_a_running_game_agree_on_hints(table: Table) -> None:
    game = await table.begin()
    await raises(NotAPlayer, suggest(table, game, CID))
    await table.abort(ANN)
    await raises(GameNotRunning, suggest(table, game, ANN))


async def test_one_offer_at_a_time(table: Table) -> None:
    await table.begin()
    await table.play(ANN, "a1")
    await table.play(BOB, "b1")
    await table.ask(ANN, TAKEBACK)
    assert await refused(table, BOB, TAKEBACK) is OfferProblem.PENDING
    assert await refused(table, BOB, DRAW) is OfferProblem.PENDING
    assert await refused(table, ANN, FINISH) is OfferProblem.OWN
    assert (await table.game_cache.running_in(CHANNEL)).row.revision == 3


@pytest.mark.parametrize("what", list(Offer))
async def test_a_declined_offer_waits_for_the_next_turn(table: Table, what: Offer) -> None:
    await table.begin()
    await table.play_out(random_game(4)[:2])
    answer = await table.decline((await table.ask(ANN, what)).game, BOB)
    assert newest(answer) == (OfferDeclined(), BOB)  # he has not withdrawn anything
    assert await refused(table, ANN, what) is OfferProblem.REFUSED
    other = DRAW if what is FINISH else FINISH
    await table.decline((await table.ask(ANN, other)).game, BOB)  # a different offer is allowed
    await table.play_out(random_game(4)[2:3])
    await table.play_out(random_game(4)[3:4])
    assert kind(await table.ask(ANN, what)) is OfferMade


async def test_going_back_does_not_make_it_new(table: Table) -> None:
    await table.begin()
    await table.decline((await table.ask(ANN, DRAW)).game, BOB)
    await table.play(ANN, "a1")
    await table.ask(ANN, TAKEBACK)
    assert await refused(table, ANN, DRAW) is OfferProblem.REFUSED
    await table.play(ANN, "a1")
    assert kind(await table.ask(ANN, DRAW)) is OfferMade


async def test_an_offer_outlives_a_move_that_is_taken_back(table: Table) -> None:
    await table.begin()
    await table.ask(ANN, DRAW)
    await table.play(ANN, "a1")
    update = await table.ask(ANN, TAKEBACK)
    assert kind(update) is TakenBack
    assert update.game.asked == BOB
    assert how((await table.agree(update.game, BOB)).game) is EndReason.AGREEMENT


async def test_a_player_can_withdraw_their_own_offer(table: Table) -> None:
    await table.begin()
    offered = await table.ask(ANN, DRAW)
    assert (await raises(BadOffer, table.agree(offered.game, ANN))).problem is OfferProblem.OWN
    update = await table.decline(offered.game, ANN)
    assert newest(update) == (OfferDeclined(withdrawn=True), ANN)
    assert update.game.offered is None
    assert await refused(table, ANN, DRAW) is OfferProblem.REFUSED


@pytest.mark.parametrize("what", [DRAW, FINISH])
async def test_an_offer_outlives_the_askers_move(table: Table, what: Offer) -> None:
    await table.begin()
    offered = await table.ask(ANN, what)
    update = await table.play(ANN, "a1")
    assert update.game.offered == offered.game.offered
    assert update.events[-1].lapsed_offer is None
    with pytest.raises(StaleBoard):
        await table.agree(offered.game, BOB)  # the older board's button
    await table.agree(update.game, BOB)


@pytest.mark.parametrize("what", list(Offer))
async def test_an_offer_ends_when_the_other_plays(table: Table, what: Offer) -> None:
    await table.begin()
    await table.play(ANN, "a1")
    offered = (await table.ask(ANN, what) if what is not TAKEBACK else await late(table)).game
    update = await table.play(BOB, "b1")
    assert update.game.offered is None
    assert update.events[-1].lapsed_offer == offered.offered
    await raises(BadOffer, table.agree(update.game, BOB))


async def late(table: Table) -> GameUpdate:
    table.clock.advance(minutes=2)
    return await table.ask(ANN, TAKEBACK)


async def test_a_question_about_going_back_ends_when_the_asker_plays(table: Table) -> None:
    await table.begin()
    await table.play(ANN, "a1")
    await table.play(BOB, "b1")
    await table.ask(ANN, TAKEBACK)
    update = await table.play(ANN, "c1")
    assert update.game.offered is None
    assert update.events[-1].lapsed_offer is not None


async def test_offers_in_between_close_no_picker(table: Table) -> None:
    game = await table.begin()
    number, opened = game.row.id, (await table.play(ANN, "a1")).game.row.revision

    async def pick(revision: int, space: str) -> GameUpdate:
        at = Revision(revision)
        return await table.games.pick(number, at, BOB, space, source=table.source())

    await table.decline((await table.ask(ANN, DRAW)).game, BOB)
    await table.ask(ANN, FINISH)
    for other in (opened - 1, opened + 4):  # an older board, and a future one
        await raises(StaleBoard, pick(other, "b1"))
    assert (await pick(opened, "b1")).events[-1].lapsed_offer is not None
    await raises(StaleBoard, pick(opened, "c1"))
    await table.ask(BOB, TAKEBACK)
    with pytest.raises(StaleBoard):  # the board looks the same, but it is another turn
        await pick(opened, "b1")


async def test_a_proposal_to_place_the_rest_ends_with_the_placement(table: Table) -> None:
    moves = random_game(3)
    await table.begin()
    await table.play_out(moves[:48])
    await table.ask(ANN, FINISH)
    update = await table.play(ANN, str(moves[48]))
    assert update.game.offered is None


async def test_an_answer_comes_from_the_one_who_is_asked(table: Table) -> None:
    await table.begin()
    offered = await table.ask(ANN, DRAW)
    for do in (table.agree, table.decline):
        await raises(NotAPlayer, do(offered.game, CID))
    for what in Offer:
        await raises(NotAPlayer, table.ask(CID, what))
    with pytest.raises(GameNotRunning):
        await table.offers.accept(GameId(99), offered.game.row.revision, BOB, source=table.source())
    assert (await table.game_cache.running_in(CHANNEL)).row.revision == offered.game.row.revision


async def test_nothing_is_offered_where_nothing_is_played(table: Table) -> None:
    for what in Offer:
        await raises(NoGameHere, table.ask(ANN, what))


async def test_an_ended_game_has_no_offers(table: Table) -> None:
    await table.begin()
    offered = await table.ask(ANN, DRAW)
    await table.abort(BOB)
    for do in (table.agree, table.decline):
        await raises(GameNotRunning, do(offered.game, BOB))


async def test_repeated_events_are_handled_once(table: Table) -> None:
    await table.begin()
    source = table.source()
    offered = await table.offers.ask(CHANNEL, ANN, DRAW, source=source)
    await raises(AlreadyHandled, table.offers.ask(CHANNEL, ANN, DRAW, source=source))
    row, source = offered.game.row, table.source()
    await table.offers.accept(row.id, row.revision, BOB, source=source)
    await raises(AlreadyHandled, table.offers.accept(row.id, row.revision, BOB, source=source))
    await raises(AlreadyHandled, table.offers.decline(row.id, row.revision, BOB, source=source))


async def test_pinged_players_must_act_and_have_not_just_acted(table: Table) -> None:
    await table.begin()

    def pinged_player(update: GameUpdate) -> UserId | None:
        return update.events[-1].event.calls(update.game)

    assert pinged_player(await table.play(ANN, "a1")) == BOB
    assert pinged_player(await table.ask(ANN, TAKEBACK)) is None  # she is to move, and present
    await table.play(ANN, "b1")
    offered = await table.ask(ANN, TAKEBACK)
    assert pinged_player(offered) == BOB
    assert pinged_player(await table.agree(offered.game, BOB)) == ANN
    offered = await table.ask(BOB, DRAW)
    assert pinged_player(offered) == ANN
    assert pinged_player(await table.decline(offered.game, ANN)) is None
    offered = await table.ask(ANN, FINISH)
    assert pinged_player(await table.decline(offered.game, BOB)) == ANN


# Leaving early


@pytest.mark.parametrize(
    ("plies", "ann", "bob"), [(0, True, True), (5, True, True), (6, True, False), (7, False, False)]
)
async def test_a_player_may_leave_until_placing_a_second_own_piece(
    table: Table, plies: int, ann: bool, bob: bool
) -> None:
    # Red: Ann, Bob, Ann. Then Bob, Ann, Bob, Ann place their own pieces.
    for user, may in ((ANN, ann), (BOB, bob)):
        await table.begin()
        if plies:
            await table.play_out(random_game(4)[:plies])
        if may:
            assert how((await table.abort(user)).game) is EndReason.ABORT
        else:
            await raises(TooLateToAbort, table.abort(user))
            await table.end()


async def test_a_spectator_cannot_end_a_game_but_a_moderator_can(table: Table) -> None:
    await table.begin()
    await raises(NotAPlayer, table.abort(CID))
    await table.play_out(random_game(4)[:20])
    await raises(TooLateToAbort, table.abort(ANN))
    update = await table.end(ANN)
    assert how(update.game) is EndReason.ABORT


async def test_on_a_drawn_board_one_may_leave_until_ones_second_move(table: Table) -> None:
    game = await table.begin(start=Start.BALANCED)
    for number in range(4):
        assert game.to_move is not None
        mover = game.to_move
        game = (await table.play(mover, format_move(game.position.legal_moves()[0]))).game
        assert game.may_leave(mover) == (number < 2)
    await raises(TooLateToAbort, table.abort(ANN))


async def test_random_placement_keeps_earlier_placements(table: Table) -> None:
    await table.begin()
    await table.play_out(random_game(4)[:5])  # each has placed one of their own pieces
    game = (await table.agree((await table.ask(ANN, FINISH)).game, BOB)).game
    assert game.may_leave(ANN)
    assert game.may_leave(BOB)
    game = (await table.play(ANN, format_move(game.position.legal_moves()[0]))).game
    assert not game.may_leave(ANN)
    await raises(TooLateToAbort, table.abort(ANN))
    await table.abort(BOB)


async def test_a_takeback_allows_leaving_again(table: Table) -> None:
    await table.begin()
    await table.play_out(random_game(4)[:7])
    await table.ask(ANN, TAKEBACK)
    await table.abort(ANN)


async def test_offers_and_their_answers_are_notes(table: Table) -> None:
    await table.begin()
    offered = await table.ask(ANN, Offer.DRAW)
    assert [delivery.kind for delivery in offered.deliveries] == [NOTE]
    row = offered.game.row
    declined = await table.decline(offered.game, BOB)
    assert declined.events[0].event.data == OfferDeclined()
    assert [delivery.kind for delivery in declined.deliveries] == [NOTE]
    # The board is the same, so its buttons still work.
    assert (await table.leaving.may_resign(row.id, Revision(0), ANN)).is_running
    assert (await table.games.at_revision(row.id, Revision(0)))[1]
    assert [delivery.kind for delivery in (await table.play(ANN, "d2")).deliveries] == [BOARD]
