"""Tests for a player who disappears from a game without a clock."""

import pytest

from sandbox import Message, Permission
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club, Table, abort, is_board, is_gone, message_of, texts
from tests.e2e.database import nothing_due, nothing_unsent, received_until
from tests.games import random_game

MOVES = random_game(41)
EIGHT = MOVES[:8]
"""Enough moves that nobody can leave without a result. It is Ann's turn."""


@pytest.fixture
async def table(clock: BotClock, club: Club) -> Table:
    table = await club.start_game()
    await table.play(EIGHT)
    return table


def inactivity_notices(table: Table) -> list[Message]:
    """Return how often players were told that the game is inactive."""
    return [
        message for message in table.channel.messages if "No move for 14 days" in message.content
    ]


async def test_the_waiting_player_ends_it_without_a_loser(
    clock: BotClock, club: Club, table: Table
) -> None:
    clock.advance(days=4)
    assert "End without a result" not in [button.label for button in (await table.board(8)).buttons]
    assert "After 14 days without a move" in texts(await club.bob.slash(club.channel, "board"))
    clock.advance(days=10)
    lies = await table.board(9)
    assert lies.content.startswith(f"No move for 14 days. {club.ann.mention}, your turn.")
    assert lies.pinged == {club.ann.id}
    assert "You can /resign" in texts(await abort(club.ann, lies))
    await is_gone(message_of(await abort(club.bob, lies)))
    over = await table.board(10)
    assert over.content.endswith("ended this game. No result.")
    assert [button.label for button in over.buttons] == [
        "Play on against me",
        "Replay",
        "More",
    ]
    words = texts(await club.bob.click(over, "Play on against me"))
    assert words == "Games against me are switched off here. Challenge a person instead."


async def test_the_waiting_player_in_a_rated_game_claims_it(clock: BotClock, club: Club) -> None:
    ann, bob = club.ann, club.bob
    table = await club.start_game()
    terms = "After 14 days without a move, the other player can claim the win."
    assert terms in (await table.board(0)).content.splitlines()
    await table.reach(MOVES[:14])
    number = table.position.plies
    await nothing_unsent(club.bot)  # while a board is unsent, its clock stands
    clock.advance(days=13)
    warned = await club.channel.wait_for(lambda one: "Your time runs out" in one.content)
    assert warned.content.startswith(f"{ann.mention}, your turn.")
    assert f"Then {bob.mention} can claim the win." in warned.content
    assert warned.pinged == {ann.id}
    clock.advance(days=1)
    lies = await table.board(number + 1)
    assert f"{bob.mention}, you can keep waiting, claim the win," in lies.content
    assert texts(await ann.click(lies, "Claim win")) == f"Only {bob.mention} can press that."
    asked = message_of(await bob.click(lies, "Claim win"))
    assert asked.content == f"{ann.mention} hasn't moved for 14 days. Claim the win?"
    await bob.click(asked, "Keep waiting")
    asked = message_of(await bob.click(lies, "Claim win"))
    await bob.click(asked, "Yes, claim it")
    await is_gone(asked)
    over = await table.board(number + 2)
    assert over.content.startswith(f"{bob.mention} wins. {ann.mention} hasn't moved for 14 days.")
    assert f"{bob.mention} 1662? (+162)" in over.content
    assert over.pinged == {ann.id}


async def test_a_kill_at_any_moment_causes_one_message(
    clock: BotClock, club: Club, table: Table
) -> None:
    bot = club.bot
    clock.advance(days=13, hours=23, minutes=59)
    for _ in range(3):
        clock.advance(seconds=20)
        received_until(bot, clock.now)
        await bot.restart()
    clock.advance(minutes=10)  # more than the outages above
    await table.board(9)
    for _ in range(2):
        await bot.restart()
    clock.advance(days=30)
    await nothing_due(bot, clock.now)
    await nothing_unsent(bot)
    assert len(inactivity_notices(table)) == 1


async def test_the_notice_is_a_separate_message_if_boards_are_edited(
    clock: BotClock, club: Club, table: Table
) -> None:
    moderator = club.guild.add_person("Mo", permissions=Permission.MANAGE_CHANNELS)
    await moderator.slash(table.channel, "setup boards", placement="edit")
    await table.play(MOVES[8:9])
    await nothing_unsent(club.bot)
    clock.advance(days=14)
    await table.board(10)
    boards = [message for message in table.channel.messages if is_board(None)(message)]
    assert is_board(9)(boards[-2])
