"""Tests for kills at any point: nothing is lost, and nothing is posted twice."""

import asyncio
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from bot.client.missed_messages import MOST_AGE
from dvonn import format_move
from sandbox import Permission
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import (
    Club,
    Table,
    challenge_in_thread,
    is_board,
    message_of,
    opened_thread,
    press,
    texts,
)
from tests.e2e.database import nothing_unsent, received_until
from tests.games import random_game


def accepted(table: Table) -> None:
    """Check that each board is in the channel at most once, and that the newest one is there."""
    boards = table.boards()
    assert len(boards) == len(set(boards))
    assert boards[-1] == f"dvonn-1-{table.position.plies}.png"


@pytest.mark.later("many lives; each moment of a kill has a test of its own")
async def test_killed_again_and_again_in_the_middle_of_everything(club: Club) -> None:
    """Yield kills in the placement and in the movement phase, each at another moment of a turn."""
    rng = Random(5)
    moves = random_game(41)[:56]
    club.bot.live_often()
    table = await club.start_game()
    killed = {*rng.sample(range(10), 3), *rng.sample(range(49, len(moves)), 4)}
    for ply, move in enumerate(moves):
        if ply in range(10, 49):
            if ply == 10:
                await table.reach(moves[10:49])
            continue
        await table.type(move)
        if ply in killed:
            # The bot is killed at a random moment between the move and its board.
            await asyncio.sleep(rng.uniform(0, 0.02))
            await club.bot.restart()
        await table.board(ply + 1)
    accepted(table)


async def test_moves_typed_while_the_bot_is_away_are_played_in_order(club: Club) -> None:
    table = await club.start_game()
    await table.play(random_game(2)[:3])
    await club.bot.kill()
    for move in random_game(2)[3:9]:
        await club.cid.say(club.channel, "e3")
        await club.cid.say(club.channel, f"{club.world.bot_user.mention} help")
        await table.type(move)
    await club.bot.start()
    board = await table.board(9)
    assert board.pinged == {table.to_move.id}
    accepted(table)
    placed = [name.removeprefix("dvonn-1-") for name in table.boards()]
    assert placed[-1] == "9.png"
    said = [message for message in club.channel.messages if message.author is club.world.bot_user]
    # messages that have become too old
    assert [message.content for message in said if not is_board(None)(message)] == []
    await table.play(random_game(2)[9:12])


async def test_missed_moves_are_played_before_new_ones(club: Club) -> None:
    club.bot.live_often()
    for attempt in range(2):
        channel = club.guild.create_channel(f"dvonn-{attempt}")
        challenger = club.guild.add_person(f"Ann the {attempt}.")
        table = await club.start_game(channel, challenger=challenger)
        await club.bot.kill()
        await challenger.say(channel, "b1")
        await club.bot.start()
        await challenger.say(channel, "d1")  # perhaps together with READY
        board = await table.board(1)
        assert "placed b1." in board.content


async def test_unchanged_texts_cause_no_pause(club: Club) -> None:
    table = await club.start_game()
    await nothing_unsent(club.bot)  # otherwise the bot would first look for it in the channel
    await club.bot.kill()
    received_until(club.bot, datetime.now(UTC) + timedelta(minutes=10))
    history = f"GET /channels/{club.channel.id}/messages"
    with club.world.faults.answer(history, status=503, times=None) as unreadable:
        await club.bot.start()
        await table.play(random_game(2)[:2])
        await unreadable.met()  # the history is read anyway
    accepted(table)


async def test_moves_typed_weeks_ago_must_be_typed_again(clock: BotClock, club: Club) -> None:
    table = await club.start_game()
    await club.bot.kill()
    await table.to_move.say(club.channel, str(random_game(2)[0]))
    clock.advance(days=MOST_AGE.days, minutes=1)
    await club.bot.start()
    told = await club.channel.wait_for(lambda one: "from 14 days" in one.content)
    assert is_board(0)(message_of(await club.ann.click(told, "Show the board")))
    await table.play(random_game(2)[:1])
    club.world.faults.cut()  # a resumed session misses nothing
    await table.type(random_game(2)[1])
    await table.board(2)


async def test_an_attempt_while_the_bot_is_away_is_answered_once(club: Club) -> None:
    table = await club.start_game()
    await club.bot.kill()
    said = await club.ann.say(club.channel, "z9")
    for _ in range(2):
        await club.bot.start()
        await club.channel.wait_for(
            lambda m: m.reference is not None and m.reference.message_id == said.id
        )
        await club.bot.kill()
    await club.bot.start()
    await table.play(random_game(2)[:1])
    answers = [
        m for m in club.channel.messages if m.reference and m.reference.message_id == said.id
    ]
    assert len(answers) == 1


async def test_without_the_intent_mentions_are_played_later(club: Club) -> None:
    table = await club.start_game()
    await club.bot.kill()
    club.world.application.message_content = False
    await club.ann.say(club.channel, "d3")  # never read
    await club.ann.say(club.channel, f"{club.world.bot_user.mention} c3")
    await club.bob.reply(await table.board(0), "e3")
    await club.bot.start()
    board = await table.board(2)
    assert "placed e3" in board.content


async def test_buttons_work_after_a_restart(club: Club) -> None:
    table = await club.start_game()
    await table.play(random_game(2)[:4])
    await club.bot.restart()
    board = await table.board(4)
    assert "d" in texts(await press(club.cid, board, "Board as text"))
    question = message_of(await press(club.ann, board, "Resign"))
    await club.bot.restart()
    await club.ann.click(question, "Yes, resign")
    await table.board(5)


async def test_a_board_that_could_not_be_sent_comes_later_with_the_newer_ones(club: Club) -> None:
    table = await club.start_game()
    club.guild.set_permissions(club.channel, club.guild.bot_role, deny=Permission.ATTACH_FILES)
    moves = random_game(2)[:3]
    for move in moves:
        mover = table.to_move
        await mover.slash(club.channel, "move", move=format_move(move))
        await mover.ephemeral(lambda m: "Your move counts" in m.content)
        table.position = table.position.play(move)
    await club.bot.wrote("delivery failed, retrying")
    club.guild.set_permissions(club.channel, club.guild.bot_role)
    await club.bot.restart()
    board = await table.board(3)
    assert "Earlier:" in board.content
    for move in moves:
        assert f"placed {move}." in board.content
    assert table.boards() == ["dvonn-1-0.png", "dvonn-1-3.png"]


async def test_the_thread_of_a_game_is_opened_after_a_kill(club: Club) -> None:
    club.bot.live_often()
    for attempt in range(2):
        challenger = club.guild.add_person(f"Ann the {attempt}.")
        answer = message_of(await challenge_in_thread(club, challenger))
        message = answer
        await club.bob.click(message, "Accept")
        await asyncio.sleep(0.012 * attempt)
        await club.bot.restart()
        thread = await opened_thread(message)
        await thread.wait_for(is_board(0))
        assert len([message for message in thread.messages if is_board(None)(message)]) == 1
