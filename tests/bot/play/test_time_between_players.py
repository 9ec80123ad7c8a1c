"""Tests for gifts of time, and for agreed pauses."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.base.ids import TournamentId, UserId
from bot.base.languages import IN_ENGLISH
from bot.database.delivery_rows import NOTE
from bot.play.game_changes import GameUpdate
from bot.play.model.clock import Clock as GameClock
from bot.play.model.clock import TimeControl
from bot.play.model.game import Game, Offer
from bot.play.model.pauses import NOTICE, PauseReason
from bot.play.model.refusals import BadGift, BadOffer, GiftProblem, NotAPlayer, OfferProblem
from bot.play.model.terms import EndReason
from bot.play.store.store import Store
from bot.play.use_cases.deadlines import PATIENCE, deserted_at
from bot.play.use_cases.offers import no_gift, no_pause
from bot.play.words.boards import board, note
from bot.play.words.refusals import refusal
from bot.replay.words.game_page import PageAsker, page_actions
from dvonn import Color
from tests.bot.conftest import Clock
from tests.bot.replayed import started
from tests.bot.table import ANN, BOB, CHANNEL, CID, Table, how, raises
from tests.games import random_game

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
MOVES = random_game(31)
FORMS = ("1d+1d/1d", "3d+1d/3d", "3d+1d/3d~UTC", "2d+12h", "10d", "10m+5s", "15m")


def form(text: str) -> TimeControl:
    found = TimeControl.from_text(text)
    assert found is not None
    return found


async def start(table: Table, text: str = "3d+1d/3d", **terms: Any) -> Game:
    """Return a game in which Ann is to move, and nobody can leave without a result."""
    table.clock.time = table.clock.time.replace(hour=12)
    while table.clock.time.weekday() != 0:
        table.clock.advance(days=1)
    await table.begin(clock=None if text == "none" else form(text), **terms)
    return (await table.play_out(MOVES[:8])).game


async def give(table: Table, game: Game, user: UserId) -> GameUpdate:
    return await table.offers.give_time(game.row.id, user, source=table.source())


async def pause(table: Table) -> GameUpdate:
    """Suggest a pause as Ann, and accept it as Bob."""
    return await table.agree((await table.ask(ANN, Offer.PAUSE)).game, BOB)


async def end(table: Table, game: Game, user: UserId) -> GameUpdate:
    return await table.offers.end_pause(game.row.id, user, source=table.source())


async def again(table: Table, store: Store) -> Game:
    """Return the game as another process reads it."""
    return await Table(store, table.clock).game_cache.running_in(CHANNEL)


def time_left(game: Game, color: Color) -> timedelta:
    assert game.clock is not None
    return game.clock.time_left(color)


# Gifts


@pytest.mark.parametrize("text", FORMS)
async def test_a_gift_to_the_player_to_move_is_added_to_their_time(
    table: Table, store: Store, clock: Clock, text: str
) -> None:
    game, gift = await start(table, text), form(text).gift
    before = await table.does.ledger.deadline(game)
    clock.advance(minutes=3)
    update = await give(table, game, BOB)
    assert before is not None
    if "~" not in text:
        assert update.deadline == before + gift
    assert time_left(update.game, Color.WHITE) == time_left(game, Color.WHITE) + gift - timedelta(
        minutes=3
    )
    assert [delivery.kind for delivery in update.deliveries] == [NOTE]
    assert update.pings == (), "nobody is rung by a gift"
    assert (await again(table, store)).clock == update.game.clock
    clock.time = before + gift / 2
    assert await table.look() == []
    clock.advance(days=30)
    assert [how(item.game) for item in await table.look()] == [EndReason.TIME]


@pytest.mark.parametrize("text", ["1d+1d/1d", "3d+1d/3d", "10d", "15m"])
async def test_a_gift_to_the_waiting_player_may_exceed_the_cap(
    table: Table, clock: Clock, text: str
) -> None:
    game, gift = await start(table, text), form(text).gift
    given = await give(table, game, ANN)
    assert time_left(given.game, Color.BLACK) == time_left(game, Color.BLACK) + gift
    await table.play_out(MOVES[8:9])
    clock.advance(minutes=1)
    after = (await table.play_out(MOVES[9:10])).game
    assert time_left(after, Color.BLACK) >= time_left(game, Color.BLACK) + gift - timedelta(
        minutes=1
    )


def test_a_gift_is_a_day_or_half_of_a_short_bank() -> None:
    gifts = {text: form(text).gift for text in ("30d", "1d+1d/1d", "10h+1h", "10m+5s", "1m")}
    assert list(gifts.values()) == [DAY, DAY, 5 * HOUR, timedelta(minutes=5), timedelta(seconds=30)]


@pytest.mark.parametrize("free", [True, False])
async def test_a_takeback_leaves_the_time_that_was_given(
    table: Table, store: Store, clock: Clock, free: bool
) -> None:
    await start(table)
    clock.advance(hours=2)
    game = (await table.play_out(MOVES[8:9])).game
    await give(table, game, ANN)
    await give(table, game, BOB)
    clock.advance(seconds=30 if free else 3600)
    update = await table.ask(ANN, Offer.TAKEBACK)
    if update.game.offered is not None:
        update = await table.agree(update.game, BOB)
    assert time_left(update.game, Color.BLACK) == time_left(game, Color.BLACK) + DAY
    assert time_left(update.game, Color.WHITE) >= 3 * DAY - 2 * HOUR + DAY
    assert (await again(table, store)).clock == update.game.clock


async def test_nobody_gets_more_than_seven_gifts_above_a_full_clock(table: Table) -> None:
    game = await start(table, "1d+1d/1d")
    for _ in range(7):
        game = (await give(table, game, BOB)).game
    refused = await raises(BadGift, give(table, game, BOB))
    assert (refused.problem, refused.limit) == (GiftProblem.ENOUGH, 8 * DAY)
    assert "8 days" in refusal(IN_ENGLISH, refused)
    await raises(NotAPlayer, give(table, game, CID))
    await give(table, game, ANN)


async def test_an_impossible_gift_is_refused_with_a_reason(table: Table) -> None:
    game = await start(table, "none")
    assert (await raises(BadGift, give(table, game, BOB))).problem is GiftProblem.NO_CLOCK
    clocked = replace(game, clock=GameClock.start(form("3d"), table.clock()))
    row = game.row
    for changed, problem in (
        (replace(row, machine=BOB), GiftProblem.MACHINE),
        (replace(row, tournament=TournamentId(3)), GiftProblem.TOURNAMENT),
        (row, None),
    ):
        assert no_gift(replace(clocked, row=changed)) is problem


async def test_a_gift_is_announced_with_the_new_time_limit(table: Table) -> None:
    game = await start(table)
    update = await give(table, game, BOB)
    first, second = note(IN_ENGLISH, update).content.splitlines()
    assert first == f"<@{BOB}> gave <@{ANN}> 1 day."
    assert update.deadline is not None
    assert f"<t:{int(update.deadline.timestamp())}:" in second


# Pauses


@pytest.mark.parametrize("text", [item for item in FORMS if not form(item).is_live])
async def test_in_a_pause_no_time_runs_and_after_a_days_notice_it_does(
    table: Table, store: Store, clock: Clock, text: str
) -> None:
    game = await start(table, text)
    clock.advance(hours=2)
    paused = await pause(table)
    had = time_left(game, Color.WHITE) - 2 * HOUR
    assert (paused.deadline, time_left(paused.game, Color.WHITE)) == (None, had)
    for _ in range(9):
        clock.advance(days=20)
        assert await table.look() == []
    standing = await table.clocks.of_game(await again(table, store))
    assert standing is not None
    assert (standing.white, standing.pause_reason) == (had, PauseReason.AGREED)
    clock.time = next_monday(clock())
    ended = await end(table, game, BOB)
    assert ended.game.pause is not None
    assert ended.game.pause.ends == clock() + NOTICE
    if "~" not in text:
        assert ended.deadline == clock() + NOTICE + had
    await raises(BadOffer, end(table, game, BOB))
    clock.time = (ended.deadline or clock()) - timedelta(minutes=1)
    assert await table.look() == []
    clock.advance(minutes=2)
    assert [how(item.game) for item in await table.look()] == [EndReason.TIME]


def next_monday(moment: datetime) -> datetime:
    return moment + timedelta(days=-moment.weekday() % 7)


async def test_once_both_have_ended_it_time_runs_at_once(table: Table, clock: Clock) -> None:
    game = await start(table)
    await pause(table)
    clock.advance(days=9)
    await end(table, game, ANN)
    clock.advance(hours=3)
    update = await end(table, game, BOB)
    assert update.deadline == clock() + 3 * DAY
    assert (await raises(BadOffer, end(table, game, ANN))).problem is OfferProblem.NOT_PAUSED


async def test_a_move_ends_a_pause_with_notice_and_the_other_players_at_once(
    table: Table, store: Store, clock: Clock
) -> None:
    await start(table)
    await pause(table)
    clock.advance(days=9)
    moved = await table.play_out(MOVES[8:9])
    assert moved.events[-1].event.used == timedelta()
    assert moved.deadline == clock() + NOTICE + 3 * DAY
    clock.advance(hours=5)
    answered = await table.play_out(MOVES[9:10])
    assert answered.events[-1].event.used == timedelta()
    assert answered.deadline == clock() + 3 * DAY
    assert (await again(table, store)).pause == answered.game.pause
    clock.advance(hours=1)
    assert (await table.play_out(MOVES[10:11])).events[-1].event.used == HOUR


async def test_a_pause_can_be_agreed_on_again_and_the_time_between_counts(
    table: Table, clock: Clock
) -> None:
    game = await start(table)
    await pause(table)
    await end(table, game, ANN)
    await end(table, game, BOB)
    clock.advance(hours=7)
    update = await pause(table)
    assert time_left(update.game, Color.WHITE) == 3 * DAY - 7 * HOUR
    assert (await raises(BadOffer, table.ask(ANN, Offer.PAUSE))).problem is OfferProblem.PAUSED


async def test_without_a_clock_the_two_weeks_begin_after_the_pause(
    table: Table, store: Store, clock: Clock
) -> None:
    game = await start(table, "none")
    clock.advance(days=10)
    await pause(table)
    clock.advance(days=40)
    assert await table.look() == []
    (listed,) = await table.does.own_games.running(game.row.guild, ANN)
    assert listed.pause is not None
    assert listed.pause.reason is PauseReason.AGREED
    game = (await end(table, game, BOB)).game
    assert await deserted_at(store, game, clock()) == clock() + NOTICE + PATIENCE
    clock.advance(days=14)
    assert await table.look() == []
    clock.advance(days=2)
    (lies,) = await table.look()
    assert lies.game.left_by == ANN


@pytest.mark.parametrize(("text", "offered"), [("3d", True), (None, False)])
def test_a_pause_is_offered_where_there_is_a_clock(text: str | None, *, offered: bool) -> None:
    game = started()
    game = replace(game, row=replace(game.row, clock=None if text is None else form(text)))
    page = page_actions(
        IN_ENGLISH, game, PageAsker(game.row.white, has_machine=False, may_pause=True)
    )
    assert ("Pause" in [button.label for button in page]) is offered


async def test_an_impossible_pause_is_refused_with_a_reason(table: Table, clock: Clock) -> None:
    game = await start(table, "15m")
    refused = await raises(BadOffer, table.ask(ANN, Offer.PAUSE))
    assert "No pauses in live games" in refusal(IN_ENGLISH, refused)
    row = replace(game.row, clock=form("3d"))
    for changed, problem in (
        (replace(row, machine=BOB), OfferProblem.PAUSE_MACHINE),
        (replace(row, tournament=TournamentId(3)), OfferProblem.PAUSE_TOURNAMENT),
        (row, None),
    ):
        assert no_pause(replace(game, row=changed), clock()) is problem


def note_lines(update: GameUpdate) -> list[str]:
    return note(IN_ENGLISH, update).content.splitlines()


async def test_a_pause_is_shown_with_its_start_and_end(table: Table, clock: Clock) -> None:
    game = await start(table)
    paused = await pause(table)
    assert paused.pings == (ANN,)
    began = f"⏸ Paused since <t:{int(clock().timestamp())}:f>, by agreement."
    assert note_lines(paused) == [
        f"<@{BOB}> agreed: the game is paused, and no time runs until one of you goes on.",
        began,
    ]
    labels = [button.label for button in note(IN_ENGLISH, paused).buttons]
    assert labels == ["End the pause", "More"]
    assert began in board(IN_ENGLISH, replace(paused, events=paused.events)).content
    ended = await end(table, game, BOB)
    assert ended.pings == (ANN,)
    assert note_lines(ended)[0] == f"<@{BOB}> ended the pause."
    assert "No time runs until" in note_lines(ended)[-1]
    at_once = await end(table, game, ANN)
    assert len(note_lines(at_once)) == 2
    assert "Time limit" in note_lines(at_once)[-1]
