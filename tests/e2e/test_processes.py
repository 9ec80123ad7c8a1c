"""Tests for several processes of the bot on one PostgreSQL."""

import asyncio

from sqlalchemy import text

from sandbox import Message
from tests.e2e.conftest import Club, House, Table, answer_to, is_gone, message_of
from tests.games import random_game

SEND = "POST /channels/{id}/messages"


def said_by_the_bot(table: Table, club: Club) -> list[Message]:
    """Return all messages except boards that a process wrote in the channel.

    Each has its own cause.
    """
    return [
        message
        for message in table.channel.messages
        if message.author is club.world.bot_user and not message.attachments
    ]


def nothing_is_there_twice(table: Table) -> None:
    """Check that each board is in the channel once, in order."""
    numbers = [int(name.split("-")[2].removesuffix(".png")) for name in table.boards()]
    assert numbers == sorted(set(numbers))


async def test_events_received_by_two_processes_are_handled_once(house: House) -> None:
    old = house.processes.add()
    await house.start(old)
    club = house.club(house.world.create_guild("Friends"))
    table = await club.start_game()
    await table.play(random_game(2)[:3])
    new = house.processes.add()
    await house.start(new)
    for move in random_game(2)[3:9]:
        await table.to_move.say(table.channel, "z9")  # a refusal
        await table.type(move)
        await table.board(table.position.plies)
    assert await old.stop() == 0
    await table.play(random_game(2)[9:12])
    assert await new.stop() == 0
    assert len(table.boards()) == 13
    nothing_is_there_twice(table)
    # A refusal is deleted with the next move, if the same process played it.
    answered = [message.reference for message in said_by_the_bot(table, club)]
    assert len(answered) == len(set(answered))


async def test_clicks_and_commands_are_answered_by_the_process_that_handled_them(
    house: House,
) -> None:
    for _ in range(2):
        await house.start(house.processes.add())
    club = house.club(house.world.create_guild("Friends"))
    table = await club.start_game()
    for move in random_game(2)[:3]:
        answer = await table.to_move.slash(table.channel, "move", move=str(move))
        table.position = table.position.play(move)
        await table.board(table.position.plies)
        await is_gone(message_of(answer))
    answer = await club.ann.slash(table.channel, "resign")
    assert answer.message is not None
    await club.ann.click(answer.message, "Yes, resign")
    await table.board(4)
    assert [await bot.stop() for bot in house.processes.all] == [0, 0]
    nothing_is_there_twice(table)
    assert said_by_the_bot(table, club) == []


async def test_the_handling_process_answers_despite_another_ones_deferral(house: House) -> None:
    slow, quick = (house.processes.add() for _ in range(2))
    for bot in (slow, quick):
        await house.start(bot)
    club = house.club(house.world.create_guild("Friends"))
    table = await club.start_game()
    quick.freeze()
    async with house.engine.begin() as connection:
        await connection.execute(text("LOCK TABLE games"))
        moving = asyncio.create_task(club.ann.slash(club.channel, "move", move="d2"))
        await club.ann.ephemeral(lambda one: one.loading)
        slow.freeze()
    quick.thaw()
    answer = await moving
    await table.board(1)
    slow.thaw()
    assert [await bot.stop() for bot in (slow, quick)] == [0, 0]
    assert message_of(answer).deleted
    assert club.ann.inbox == []
    nothing_is_there_twice(table)


async def test_a_frozen_process_that_wakes_up_a_day_later_posts_nothing_again(house: House) -> None:
    frozen = house.processes.add()
    await house.start(frozen)
    club = house.club(house.world.create_guild("Friends"))
    table = await club.start_game()
    await table.play(random_game(2)[:3])
    # The bot asks again after a second.
    with house.world.faults.answer(SEND, status=502) as failure:
        await table.type(random_game(2)[3])
        await failure.met()
        frozen.freeze()
    new = house.processes.add()
    await house.start(new)
    await table.board(4)
    refused = await answer_to(club, await table.to_move.say(table.channel, "z9"))
    await table.play(random_game(2)[4:6])
    house.processes.pass_time(days=1)  # Discord knows none of the nonces any more
    frozen.thaw()
    assert await new.stop() == 0
    await table.play(random_game(2)[6:8])  # it has received everything before that
    assert await frozen.stop() == 0
    assert len(table.boards()) == 9
    nothing_is_there_twice(table)
    assert refused.content.startswith("There's no “z9”")
    # it was deleted with the next move, and stays deleted
    assert said_by_the_bot(table, club) == []


async def test_no_older_board_comes_after_a_newer_one_of_another_process(house: House) -> None:
    old, new = (house.processes.add() for _ in range(2))
    await house.start(old)
    await house.start(new)
    club = house.club(house.world.create_guild("Friends"))
    table = await club.start_game()
    await table.play(random_game(2)[:3])
    new.freeze()
    with house.world.faults.answer(SEND, status=502) as failure:
        await table.type(random_game(2)[3])
        await failure.met()
        old.freeze()
    new.thaw()
    await table.play(random_game(2)[4:5])
    await house.nothing_unsent()
    old.thaw()
    await table.play(random_game(2)[5:6])
    assert [await bot.stop() for bot in (old, new)] == [0, 0]
    assert table.boards()[-2:] == ["dvonn-1-5.png", "dvonn-1-6.png"]
    nothing_is_there_twice(table)


async def test_a_process_frozen_during_a_transaction_delays_nobody(
    house: House,
) -> None:
    frozen = house.processes.add()
    await house.start(frozen)
    club = house.club(house.world.create_guild("Friends"))
    table = await club.start_game()
    await table.play(random_game(2)[:3])
    async with house.engine.begin() as connection:
        await connection.execute(text("SELECT 1 FROM games FOR UPDATE"))
        await table.type(random_game(2)[3])
        await house.somebody_waits()
        frozen.freeze()
    new = house.processes.add()
    await house.start(new)
    await table.board(4)
    await table.play(random_game(2)[4:6])
    frozen.thaw()
    assert await new.stop() == 0
    await table.play(random_game(2)[6:8])
    assert await frozen.stop() == 0
    nothing_is_there_twice(table)
    assert len(table.boards()) == 9
    assert said_by_the_bot(table, club) == []


async def test_a_deletion_seen_by_two_processes_is_announced_once(house: House) -> None:
    for _ in range(2):
        await house.start(house.processes.add())
    club = house.club(house.world.create_guild("Friends"))
    await club.start_game()
    club.guild.delete_channel(club.channel)
    for person in (club.ann, club.bob):
        await person.dm.wait_for(lambda one: "The channel of this game is gone" in one.content)
    await house.nothing_unsent()
    assert [await bot.stop() for bot in house.processes.all] == [0, 0]
    assert [len(person.dm.messages) for person in (club.ann, club.bob)] == [1, 1]


async def test_a_clock_that_two_processes_watch_runs_out_once_and_reminds_once(
    house: House,
) -> None:
    for _ in range(2):
        await house.start(house.processes.add())
    club = house.club(house.world.create_guild("Friends"))
    table = await club.start_game(clock="4 days")
    house.processes.pass_time(days=3, hours=1)
    await table.channel.wait_for(is_reminder)
    house.processes.pass_time(days=1)
    over = await table.board(1)
    assert "time" in over.content
    assert [await bot.stop() for bot in house.processes.all] == [0, 0]
    nothing_is_there_twice(table)
    assert len([message for message in table.channel.messages if is_reminder(message)]) == 1


def is_reminder(message: Message) -> bool:
    """Return True if a message is a reminder."""
    return any(button.label == "My settings" for button in message.buttons)
