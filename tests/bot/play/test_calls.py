"""Tests for pings: whom a game pings, with which message, and whether with a sound."""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import pytest

from bot.base.ids import UserId
from bot.play.game_changes import GameUpdate
from bot.play.model.events import Aborted, AnyEventData, Moved, Resigned, Started, TimedOut
from bot.play.model.game import AutoMoveReason, Offer
from bot.play.model.offer_events import DrawAgreed, OfferMade, TakenBack
from bot.play.model.preferences import NotificationMode, Preferences, QuietHours
from dvonn import parse_move
from tests.bot.conftest import Clock
from tests.bot.replayed import ANN, BOB, CID, new_game, play, started, step
from tests.bot.table import Table
from tests.games import random_game

GAME = [str(move) for move in random_game(5)]
MOVING = play(started(), *GAME[:60])[0]


def together(*updates: GameUpdate) -> GameUpdate:
    return GameUpdate(
        updates[-1].game, tuple(told for update in updates for told in update.events), ()
    )


def test_players_to_move_are_pinged_except_for_their_own_actions() -> None:
    game, (placed,) = play(started(), "d2")
    assert placed.pings == (BOB,)
    assert step(game, TakenBack(0), ANN)[1].pings == ()
    _, only = step(game, Moved(parse_move("e2"), AutoMoveReason.ONLY), BOB)
    assert only.pings == (ANN,)
    assert together(placed, only).pings == ()  # Ann has just placed d2


def test_an_accepting_player_is_pinged_only_in_a_new_thread() -> None:
    here = new_game()
    in_thread = replace(here, row=replace(here.row, own_thread=True))
    assert step(in_thread, Started(), ANN)[1].pings == (ANN,)
    assert step(here, Started(), ANN)[1].pings == ()


def test_players_who_move_again_are_not_pinged() -> None:
    _, updates = play(started(), *GAME[:49])
    assert updates[-1].game.to_move == updates[-1].events[0].event.actor == ANN
    assert updates[-1].pings == ()


@pytest.mark.parametrize(
    ("end", "actor", "called"),
    [
        (Resigned(), ANN, (BOB,)),
        (Resigned(), BOB, (ANN,)),
        (TimedOut(), ANN, (ANN, BOB)),  # neither player has acted
        (Aborted(), BOB, (ANN,)),
        (Aborted(), CID, (ANN, BOB)),
        (Aborted(no_place=True), CID, (ANN, BOB)),
    ],
)
def test_the_end_pings_the_player_who_did_not_cause_it(
    end: AnyEventData, actor: UserId, called: tuple[UserId, ...]
) -> None:
    assert step(MOVING, end, actor)[1].pings == called


def test_a_claim_pings_the_loser() -> None:
    assert step(MOVING, TimedOut(), ANN, is_claim=True)[1].pings == (ANN,)


def test_a_draw_pings_the_player_who_offered_it() -> None:
    offered, _ = step(MOVING, OfferMade(Offer.DRAW), ANN)
    assert step(offered, DrawAgreed(), BOB)[1].pings == (ANN,)


@pytest.mark.parametrize("seed", range(6))
def test_the_end_of_play_pings_the_player_who_did_not_move_last(seed: int) -> None:
    game, updates = play(started(), *map(str, random_game(seed)))
    last = updates[-1].events[0].event.actor
    assert not game.is_running
    assert updates[-1].pings == ((BOB,) if last == ANN else (ANN,))


def test_the_machine_is_never_called() -> None:
    game = replace(MOVING, row=replace(MOVING.row, machine=BOB, level=3))
    assert step(game, Resigned(), ANN)[1].pings == ()
    assert step(game, TimedOut(), BOB)[1].pings == (ANN,)


def test_a_takeback_without_a_waiting_player_only_corrects_the_board() -> None:
    game, _ = play(started(), "d2", "e2")
    assert step(game, TakenBack(1), BOB)[1].corrects_board
    assert not step(game, TakenBack(0), BOB)[1].corrects_board  # Ann has asked, and is to move
    against = replace(game, row=replace(game.row, machine=BOB, level=3))
    assert step(against, TakenBack(0), BOB)[1].corrects_board
    assert not play(game, "f2")[1][0].corrects_board


def test_boards_of_the_placement_phase_are_recognized() -> None:
    game, updates = play(started(), *GAME[:51])
    assert [update.follows_placement for update in updates[-4:]] == [True, True, False, False]
    assert step(game, Resigned(), ANN)[1].follows_placement is False
    assert step(play(started(), "d2")[0], Resigned(), ANN)[1].follows_placement


NIGHT = QuietHours(time(22), time(7))


@pytest.mark.parametrize(
    ("chosen", "hour", "bell"),
    [
        (Preferences(), 23, NotificationMode.RINGS),
        (Preferences(quiet=NIGHT), 12, NotificationMode.RINGS),
        (Preferences(quiet=NIGHT), 23, NotificationMode.SILENT),
        (Preferences(quiet=NIGHT, zone="Asia/Tokyo"), 14, NotificationMode.SILENT),
        (Preferences(quiet=NIGHT, switched={"mentions": False}), 23, NotificationMode.OFF),
        (Preferences(switched={"mentions": False}), 12, NotificationMode.OFF),
    ],
)
def test_quiet_hours_let_no_phone_sound(
    chosen: Preferences, hour: int, bell: NotificationMode
) -> None:
    assert chosen.notification_mode(datetime(2026, 3, 1, hour, tzinfo=UTC)) is bell


async def test_pings_follow_a_players_settings(table: Table, clock: Clock) -> None:
    async def bell() -> NotificationMode:
        return (await table.store.players.get(ANN)).notification_mode(clock())

    assert await bell() is NotificationMode.RINGS
    begins = (clock() - timedelta(hours=1)).strftime("%H:%M")
    ends = (clock() + timedelta(hours=1)).strftime("%H:%M")
    await table.choices.set_times(ANN, begins, ends, "")
    assert await bell() is NotificationMode.SILENT
    await table.choices.switch(ANN, mentions=False)
    assert await bell() is NotificationMode.OFF
