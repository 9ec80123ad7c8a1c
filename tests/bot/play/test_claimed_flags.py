"""Tests for friends' games with a clock: when the time is up, the waiting player decides."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.base.languages import IN_ENGLISH
from bot.play.game_changes import GameUpdate
from bot.play.model.clock import TimeControl
from bot.play.model.events import Deserted
from bot.play.model.game import Game
from bot.play.model.refusals import TooLateToAbort
from bot.play.model.refused_starts import NotForYou
from bot.play.model.terms import ChallengeTerms, ColorChoice, EndReason, Outcome, Place
from bot.play.words.boards import board
from bot.play.words.challenges import challenge as challenge_post
from bot.play.words.clocks import with_clocks
from dvonn import Color, Coordinates
from tests.bot.conftest import Clock
from tests.bot.replayed import challenge
from tests.bot.table import ALL, ANN, BOB, CHANNEL, GUILD, Table, how, raises
from tests.games import random_game

DAILY = TimeControl(bank=timedelta(days=1), increment=timedelta(days=1), cap=timedelta(days=1))
DAY = timedelta(days=1)
MOVES = random_game(31)


async def flag_down(table: Table, control: TimeControl = DAILY) -> GameUpdate:
    """Return the update from the moment when Ann's time is up."""
    await table.begin(clock=control, strict=False)
    await table.play_out(MOVES[:8])
    table.clock.advance(days=control.bank.days, minutes=1)
    (told,) = await table.look()
    return told


async def claim(table: Table, game: Game) -> GameUpdate:
    row = game.row
    return await table.leaving.claim(row.id, row.revision, BOB, source=table.source())


@pytest.mark.both_databases
async def test_the_waiting_player_is_informed_once_and_can_claim_the_win(
    table: Table, clock: Clock
) -> None:
    told = await flag_down(table)
    assert (told.events[-1].event.kind, told.events[-1].event.actor) == (Deserted, ANN)
    assert (how(told.game), told.pings) == (None, (BOB,))
    post = board(IN_ENGLISH, told)
    assert post.content.splitlines() == [
        f"<@{ANN}> ran out of time, but can still move. <@{ANN}>, your turn.",
        f"<@{BOB}>, you can keep waiting, claim the win, or end it without a result.",
    ]
    labels = [button.label for button in post.buttons]
    assert labels[labels.index("Claim win") + 1] == "End without a result"
    for _ in range(3):
        assert await table.look() == [], "nothing is to be looked at each second"
        assert await table.timekeeper.due(ALL) == {}
        clock.advance(days=2)
    standing = await table.clocks.of_game(told.game)
    assert "ran out of time" in with_clocks(IN_ENGLISH, post, told.game, standing).content
    won = await claim(table, told.game)
    assert won.game.outcome == Outcome(EndReason.TIME, winner=Color.BLACK)
    assert board(IN_ENGLISH, won).content.startswith(f"<@{BOB}> wins. <@{ANN}> ran out of time.")


async def test_a_late_move_is_simply_played_unless_it_was_claimed(
    table: Table, clock: Clock
) -> None:
    told = await flag_down(table)
    clock.advance(days=5)
    moved = await table.play_out(MOVES[8:9])
    assert moved.deadline == clock() + DAY
    assert moved.game.clock is not None
    assert moved.game.clock.time_left(Color.WHITE) == DAY
    await raises(NotForYou, claim(table, moved.game))
    assert "Claim win" not in [button.label for button in board(IN_ENGLISH, moved).buttons]
    assert told.game.row.id == moved.game.row.id


async def test_the_waiting_player_can_end_it_without_a_result(table: Table) -> None:
    told = await flag_down(table)
    ended = await table.abort(BOB)
    assert how(ended.game) is EndReason.ABORT
    said = board(IN_ENGLISH, ended).content
    assert said.startswith(f"<@{ANN}> ran out of time. <@{BOB}> ended this game.")
    assert told.game.row.id == ended.game.row.id


async def test_before_that_nobody_can_end_the_game_and_the_answer_says_when(
    table: Table, clock: Clock
) -> None:
    await table.begin(clock=DAILY, strict=False)
    await table.play_out(MOVES[:8])
    refused = await raises(TooLateToAbort, table.abort(BOB))
    assert (refused.possible_from, refused.claims) == (clock() + DAY, True)


async def test_given_time_puts_the_flag_up_again(table: Table, clock: Clock) -> None:
    told = await flag_down(table)
    clock.advance(days=3)
    given = await table.offers.give_time(told.game.row.id, BOB, source=table.source())
    assert given.deadline == clock() + DAY
    await raises(NotForYou, claim(table, given.game))
    clock.advance(hours=23)
    assert await table.look() == []
    clock.advance(hours=2)
    (again,) = await table.look()
    assert again.game.left_by == ANN


async def test_a_rematch_is_played_on_the_same_terms(table: Table) -> None:
    for strict in (False, True):
        game = await table.begin(clock=DAILY, strict=strict)
        ended = (await table.resign(game)).game
        await table.rematch(ended, ANN)
        _, update = await table.rematch(ended, BOB)
        assert update is not None
        assert update.game.leaves_flags is not strict
        await table.end()


def terms(**wanted: object) -> ChallengeTerms:
    usual = ChallengeTerms(
        guild=GUILD,
        channel=CHANNEL,
        challenger=ANN,
        opponent=BOB,
        colour=ColorChoice.WHITE,
        coordinates=Coordinates.STANDARD,
        clock=DAILY,
        place=Place.HERE,
    )
    return replace(usual, **wanted)  # type: ignore[arg-type]


def test_only_friends_over_days_decide_about_flags() -> None:
    live = TimeControl(bank=timedelta(minutes=15))
    assert terms().leaves_flags(rated=False)
    assert not terms().leaves_flags(rated=True)
    for wanted in ({"clock": live}, {"clock": None}, {"level": 3}, {"vote": DAY}, {"strict": True}):
        assert not terms(**wanted).leaves_flags(rated=False), wanted


def test_a_challenge_says_how_a_timeout_ends() -> None:
    def lines(**wanted: bool) -> list[str]:
        row = replace(challenge(), terms=terms(**wanted))
        return challenge_post(IN_ENGLISH, row).content.splitlines()

    assert any("That alone loses no game" in line for line in lines(rated=False))
    assert "Run out of time, and you lose." in lines(rated=False, strict=True)
    for line in lines(rated=True, strict=True):
        assert "out of time" not in line.casefold()
