"""Tests for a rolling upgrade with a new schema: the older bot keeps playing."""

import asyncio
from collections import Counter
from datetime import timedelta
from importlib.util import find_spec
from typing import Any

import pytest
from sqlalchemy import text

from sandbox import Message, Permission
from tests.e2e import newer
from tests.e2e.bot_process import BotProcess
from tests.e2e.conftest import House, is_board, message_of
from tests.e2e.features.tournaments.cups import Cup, first_lines, make
from tests.games import random_game


def is_reminder(message: Message) -> bool:
    """Return True if a message is a reminder."""
    return any(button.label == "My settings" for button in message.buttons)


def is_puzzle(message: Message) -> bool:
    """Return True if a message is a puzzle of the day."""
    return message.content.startswith("**Puzzle of the day**")


async def number(house: House, question: str) -> object:
    """Return the number that a query finds in the database."""
    async with house.engine.connect() as connection:
        return (await connection.execute(text(question))).scalar()


async def asked_until(house: House, question: str, wanted: object) -> None:
    """Wait until a query returns a given result."""
    while await number(house, question) != wanted:  # noqa: ASYNC110 - it tells of no event
        await asyncio.sleep(0.1)


@pytest.mark.thorough("two releases at once, one of which migrates, and the real worker")
@pytest.mark.skipif(find_spec("numba") is None, reason="the engine's packages are not installed")
async def test_an_older_bot_plays_on_while_a_newer_one_migrates(house: House) -> None:
    moves = random_game(2)
    old, new = house.processes.add(), house.processes.add()
    new.module, new.settings[newer.VARIABLE] = "tests.e2e.newer", "1"
    for bot in (old, new):
        bot.settings["MACHINE"] = "auto"
    await house.start(old)
    club = house.club(house.world.create_guild("Friends"))
    table = await club.start_game(clock="4 days")
    other = club.guild.create_channel("short")
    daily = club.guild.create_channel("daily")
    moderator = club.guild.add_person("Mo", permissions=Permission.MANAGE_CHANNELS)
    due = house.processes.now + timedelta(hours=30)
    where = {"channel": daily, "time": f"{due:%H:%M}", "zone": "UTC"}
    await moderator.slash(club.channel, "setup puzzle", **where)
    short = await club.start_game(other, challenger=club.bob, opponent=club.cid)
    # as another game, so that its review helps in no running one
    await short.reach(random_game(3)[:55])

    starting = asyncio.create_task(house.start(new))
    # Also while the tables change. Some moves are left for the next part.
    for ply in range(len(moves) - 8):
        await table.play(moves[ply : ply + 1])
        if starting.done():
            break
    await starting
    assert await number(house, "SELECT version_num FROM alembic_version") == "9001"
    assert await number(house, "SELECT count(*) FROM events WHERE newer_1 <> 7") == 0
    played = table.position.plies
    await table.play(moves[played : played + 3])  # both receive it, and one of them plays it

    answer = message_of(await club.bob.slash(other, "resign"))
    await club.bob.click(answer, "Yes, resign")
    over = await short.board(56)
    await asked_until(house, "SELECT state FROM reviews", "done")
    await house.nothing_unsent()

    house.processes.pass_until(due + timedelta(seconds=5))
    await daily.wait_for(is_puzzle)
    house.processes.pass_time(days=2)
    await table.channel.wait_for(is_reminder)
    await house.nothing_unsent()
    assert await old.stop() == 0
    await table.play(moves[played + 3 : played + 5])
    assert await new.stop() == 0

    for game_table in (table, short):
        numbers = [int(name.split("-")[2].removesuffix(".png")) for name in game_table.boards()]
        assert numbers == sorted(set(numbers))
    assert len(table.boards()) == played + 6
    assert [button.label for button in over.buttons].count("Review") == 1
    told = "SELECT count(*) FROM deliveries WHERE kind = 'review' AND sent_at IS NOT NULL"
    assert await number(house, told) == 1
    days = [message for message in daily.messages if is_puzzle(message)]
    assert len({message.content.splitlines()[0] for message in days}) == len(days)
    assert len([message for message in table.channel.messages if is_reminder(message)]) == 1


def later(house: House, release: int) -> BotProcess:
    """Start a process that is a number of releases later."""
    bot = house.processes.add()
    bot.module, bot.settings[newer.VARIABLE] = "tests.e2e.newer", str(release)
    return bot


async def lose_all(cup: Cup, number: int, count: int) -> None:
    """Resign as White in each game of a round."""
    for thread in await cup.games(f", round {number}, board ", count):
        await cup.resign(thread, (await cup.seats(thread))[0])


@pytest.mark.thorough("three releases after one another, on both databases, some 20 s each")
async def test_rounds_start_once_across_successive_upgrades(either_house: House) -> None:
    """Each process migrates next to the previous one, which is then killed in the middle of a
    round."""
    house = either_house
    first = house.processes.add()
    await house.start(first)
    club = house.club(house.world.create_guild("Friends"))
    slow = "1 day per move"
    swiss = await make(club, 4, name="Swiss", format="swiss", rounds=2, clock=slow)
    hall = club.guild.create_channel("hall")
    terms: dict[str, Any] = {"format": "knockout", "clock": slow}
    knockout = await make(club, 4, name="Knockout", channel=hall, **terms)
    second, third = later(house, 1), later(house, 2)
    for cup in (swiss, knockout):
        await cup.all_join()
    starting = asyncio.create_task(house.start(second))
    for cup in (swiss, knockout):  # also while the tables change
        await cup.start()
    await starting
    assert await number(house, "SELECT version_num FROM alembic_version") == "9001"
    for cup in (swiss, knockout):
        await lose_all(cup, 1, 2)
    await first.kill()  # perhaps before the next pairing, message or thread
    await swiss.message_with(", round 2, board ")
    starting = asyncio.create_task(house.start(third))
    await second.kill()
    await starting
    assert await number(house, "SELECT version_num FROM alembic_version") == "9002"
    await lose_all(swiss, 2, 2)
    await lose_all(knockout, 2, 1)
    for cup in (swiss, knockout):
        await cup.message_with(f"**{cup.name}** is over.")
    await house.nothing_unsent()
    assert await third.stop() == 0
    for cup, count in ((swiss, 9), (knockout, 8)):
        lines = Counter(first_lines(cup.public_messages()))
        assert sum(lines.values()) == count
        assert set(lines.values()) == {1}, "each round, each game and each result is told once"
    boards = [
        (place.id, file.filename)
        for place in club.guild.guild.channels.values()
        for message in place.messages
        if is_board(None)(message)
        for file in message.attachments
    ]
    assert len(boards) == len(set(boards)) == 2 * 7, "the first and the last of each game"
    games = "SELECT count(*), count(DISTINCT game_id) FROM pairings"
    async with house.engine.connect() as connection:
        assert tuple((await connection.execute(text(games))).one()) == (7, 7)
    assert await number(house, "SELECT count(*) FROM games") == 7
