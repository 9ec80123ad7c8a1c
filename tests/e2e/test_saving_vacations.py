"""Tests that nobody loses on time while they have vacation left, with the exceptions."""

from datetime import timedelta

from sandbox import Message
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club, Table, message_of, never_saved, texts
from tests.e2e.database import let_time_pass
from tests.e2e.features.tournaments.cups import make
from tests.e2e.test_clocks import next_board
from tests.e2e.test_time_between_players import begin, message_with
from tests.e2e.test_time_limits import DAY, wait_for_time_left
from tests.games import random_game

HOUR = timedelta(hours=1)
SEED = 44


async def saved(table: Table) -> Message:
    word = await message_with(
        table, f"{table.white.mention}'s time was up, so they're on vacation until"
    )
    assert word.pinged == set()
    return word


async def test_a_vacation_comes_before_the_loss_and_is_ended_by_hand(
    clock: BotClock, club: Club
) -> None:
    table, board = await begin(club, SEED)
    await let_time_pass(club.bot, clock, days=1, minutes=1)
    await saved(table)
    await wait_for_time_left(table, board, 3 * DAY - timedelta(minutes=1), clock)
    assert f"{table.white.mention} is on vacation until <t:" in board.content
    clock.advance(days=1)
    form = message_of(await table.white.slash(club.channel, "settings"))
    await table.white.click(form, "End vacation")
    await wait_for_time_left(table, board, HOUR, clock)
    await table.type(random_game(SEED)[8])
    await next_board(table, 10)
    await table.type(random_game(SEED)[9])
    await next_board(table, 11)
    await never_saved(club.channel, table.white)
    await let_time_pass(club.bot, clock, days=1, minutes=1)
    over = await next_board(table, 12)
    assert over.content.startswith(f"{table.black.mention} wins. {table.white.mention} ran out")


async def test_a_strict_form_loses_on_time_at_once(clock: BotClock, club: Club) -> None:
    table = await club.start_game(clock="1 day per move", rated=False, strict=True)
    assert "That alone loses no game" not in (await table.board(0)).content
    await table.play(random_game(SEED)[:8])
    await let_time_pass(club.bot, clock, days=1, minutes=1)
    over = await next_board(table, 9)
    assert over.content.startswith(f"{table.black.mention} wins. {table.white.mention} ran out")
    page = texts(await table.white.slash(club.channel, "settings"))
    assert "vacation" not in page


async def test_rounds_do_not_wait(clock: BotClock, club: Club) -> None:
    cup = await make(club, 2, format="robin", clock="1 day per move", start="placement")
    await cup.all_join()
    await cup.start()
    (thread,) = await cup.games(", round 1, board ", 1)
    white, black = await cup.seats(thread)
    table = Table(thread, white, black)
    await table.play(random_game(SEED)[:8])
    await let_time_pass(club.bot, clock, days=1, minutes=1)
    over = await next_board(table, 9)
    assert f"{table.white.mention} ran out of time" in over.content
