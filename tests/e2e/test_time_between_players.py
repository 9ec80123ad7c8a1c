"""Tests for gifts of time and pauses, with the buttons behind *More*."""

from datetime import UTC, datetime, timedelta

from sandbox import Message, Person
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club, Table, never_saved, shown_alone, texts
from tests.e2e.database import let_time_pass, nothing_unsent
from tests.e2e.reading import stamps
from tests.e2e.test_clocks import deadline, next_board
from tests.games import random_game

DAY_S = 86_400


async def behind_more(club: Club, board: Message, user: Person, label: str) -> None:
    """Press a button on the page behind *More*."""
    page = shown_alone(await user.click(board, "More"))
    await user.click(page, label)


async def begin(club: Club, seed: int, clock: str = "1 day per move") -> tuple[Table, Message]:
    table = await club.start_game(clock=clock)
    return table, await table.play(random_game(seed)[:8])


async def told_deadline(club: Club, table: Table) -> datetime:
    """Return the deadline in /board."""
    told = stamps(texts(await club.cid.slash(table.channel, "board")))
    return datetime.fromtimestamp(told[-1], UTC)


async def message_with(table: Table, words: str) -> Message:
    return await table.channel.wait_for(lambda message: words in message.content)


async def test_a_gift_keeps_a_flag_up_for_a_day(clock: BotClock, club: Club) -> None:
    table, board = await begin(club, 41)
    await never_saved(club.channel, table.white, table.black)
    await nothing_unsent(club.bot)  # sending a board costs nobody time
    before = await told_deadline(club, table)
    await behind_more(club, board, table.black, "Give 1 day")
    gift = await message_with(table, f"{table.black.mention} gave {table.white.mention} 1 day.")
    assert gift.pinged == set()
    assert deadline(gift) == before + timedelta(days=1)
    assert await told_deadline(club, table) == deadline(gift)
    await table.channel.wait_for(lambda one: one is board and deadline(one) == deadline(gift))
    await let_time_pass(club.bot, clock, days=1, hours=23)
    await table.type(random_game(41)[8])
    await next_board(table, 10)
    await let_time_pass(club.bot, clock, days=1, hours=1)
    assert "ran out of time" in (await next_board(table, 11)).content


async def test_a_pause_is_agreed_on_seen_and_ended_with_a_days_notice(
    clock: BotClock, club: Club
) -> None:
    table, board = await begin(club, 42)
    await never_saved(club.channel, table.white, table.black)
    await behind_more(club, board, table.white, "Pause")
    asked = await message_with(table, "suggests a pause")
    await table.black.click(asked, "Accept")
    agreed = await message_with(table, "the game is paused")
    await let_time_pass(club.bot, clock, days=40)
    await club.bot.restart()
    standing = texts(await club.ann.slash(table.channel, "board"))
    assert "⏸ Paused since <t:" in standing
    assert "paused since <t:" in texts(await club.ann.slash(table.channel, "games"))
    await table.black.click(agreed, "End the pause")
    ended = await message_with(table, "ended the pause")
    assert "No time runs until <t:" in ended.content
    assert (deadline(ended) - clock.now).total_seconds() > 2 * DAY_S - 7_200
    await table.type(random_game(42)[8])  # both players end the pause, so it ends at once
    board = await next_board(table, 12)
    assert (deadline(board) - clock.now).total_seconds() <= DAY_S
    await let_time_pass(club.bot, clock, days=1, minutes=1)
    assert "ran out of time" in (await next_board(table, 13)).content


async def test_among_friends_a_flag_is_claimed_and_a_late_move_is_played(
    clock: BotClock, club: Club
) -> None:
    table = await club.start_game(clock="1 day per move", rated=False)
    assert "That alone loses no game" in (await table.board(0)).content
    moves = random_game(43)
    await table.play(moves[:8])
    await let_time_pass(club.bot, clock, days=1, minutes=1)
    late = await next_board(table, 9)
    assert late.content.startswith(f"{table.white.mention} ran out of time, but can still move.")
    assert late.pinged == {table.black.id}
    await let_time_pass(club.bot, clock, days=3)
    await table.type(moves[8])
    await next_board(table, 10)
    await table.type(moves[9])
    await next_board(table, 11)
    await let_time_pass(club.bot, clock, days=1, minutes=1)
    late = await next_board(table, 12)
    asked = shown_alone(await table.black.click(late, "Claim win"))
    assert asked.content == f"{table.white.mention} ran out of time. Claim the win?"
    await table.black.click(asked, "Yes, claim it")
    over = await next_board(table, 13)
    assert over.content.startswith(f"{table.black.mention} wins. {table.white.mention} ran out")
