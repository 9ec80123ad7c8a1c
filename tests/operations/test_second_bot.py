"""Tests for two bots with one token and two databases: both report it.

Nothing else counts as a second bot.
"""

from functools import partial
from pathlib import Path

import pytest

from tests.e2e.conftest import Club
from tests.games import random_game
from tests.operations.hosts import Hosts, Watchful
from tests.operations.watched import Watched, until
from tests.postgresql import without_rows

REPORT = "second bot with this token"
FAULT = "second bot"
SETTLED_S = 50.0
"""Time within which a bot has judged all signs. It includes some seconds for the checks.
"""


async def signs(one: Watchful) -> set[str]:
    """Return the signs that a bot has counted."""
    numbers = await one.page.numbers()
    named = 'dvonn_second_bot_signs_total{sign="'
    return {
        name.removeprefix(named).removesuffix('"}')
        for name, number in numbers.items()
        if name.startswith(named) and number
    }


async def wait_for_report(one: Watchful, sign: str) -> None:
    """Wait until a bot reports a second one, everywhere."""

    async def has_reported() -> bool:
        return await one.has_fault(FAULT) and sign in await signs(one)

    await until(has_reported)
    assert REPORT in one.bot.log
    assert "make a new token in the developer portal" in one.bot.log
    assert (await one.page.numbers())[f'dvonn_degraded{{fault="{FAULT}"}}'] == 1


async def is_alone(one: Watchful) -> None:
    """Check that a bot reports no second one."""
    assert not await one.has_fault(FAULT)
    assert await signs(one) == set()
    assert REPORT not in one.bot.log


def club_of(hosts: Hosts, bot: Watchful) -> Club:
    """A server in which people play DVONN, of shard 0 of two."""
    guild = hosts.world.create_guild("Players")
    while (guild.guild.id >> 22) % 2:
        guild = hosts.world.create_guild("Players")
    ann, bob, cid = (guild.add_person(name) for name in ("Ann", "Bob", "Cid"))
    return Club(hosts.world, guild, guild.create_channel("dvonn"), ann, bob, cid, bot.bot)


async def race(club: Club, first: Watchful, second: Watchful) -> None:
    """Let both bots answer one command, and wait until Discord refuses the second answer."""
    second.bot.freeze()
    await club.ann.slash(club.channel, "help")
    begun = len(club.world.exchanges)
    second.bot.thaw()

    async def refused() -> bool:
        since = club.world.exchanges[begun:]
        return any(item.path.endswith("/callback") and item.status == 400 for item in since)

    await until(refused)
    assert first.bot.pid != second.bot.pid


@pytest.mark.parametrize("second_on", ["sqlite", "postgresql"])
async def test_both_bots_report_each_other_within_a_minute(
    hosts: Hosts, tmp_path: Path, second_on: str, request: pytest.FixtureRequest
) -> None:
    url = f"sqlite:///{tmp_path / 'other.sqlite3'}"
    if second_on == "postgresql":
        url = await without_rows(request.getfixturevalue("postgres_url"))
    first = hosts.bot(f"sqlite:///{tmp_path / 'dvonn.sqlite3'}", moved=True)
    second = hosts.bot(url, moved=True)
    club = club_of(hosts, first)
    await first.start()
    table = await club.start_game()
    hosts.pass_time(SETTLED_S)
    await is_alone(first)
    await second.start()
    await wait_for_report(
        first, "session"
    )  # this takes a while, because it asks Discord every half minute
    await table.play(random_game(2)[:1])
    hosts.pass_time(SETTLED_S)
    await wait_for_report(second, "message")  # the game is not in its database
    await race(club, second, first)
    hosts.pass_time(SETTLED_S)
    await wait_for_report(first, "answered")
    assert first.bot.log.count(REPORT) == 1  # once, however many signs there are
    await second.bot.stop()
    hosts.pass_time(700)

    async def is_over() -> bool:
        return not await first.has_fault(FAULT)

    await until(is_over)
    assert "no more signs of a second bot" in first.bot.log


async def test_a_copied_database_with_the_same_game_is_reported(
    hosts: Hosts, tmp_path: Path
) -> None:
    """Its boards are the same, with the same nonces, so each is posted once."""
    file = tmp_path / "dvonn.sqlite3"
    first = hosts.bot(f"sqlite:///{file}", moved=True)
    club = club_of(hosts, first)
    await first.start()
    table = await club.start_game()
    await first.bot.stop()
    hosts.pass_time(100)  # otherwise it might be the process of an upgrade that is about to end
    (tmp_path / "copy.sqlite3").write_bytes(file.read_bytes())
    second = hosts.bot(f"sqlite:///{tmp_path / 'copy.sqlite3'}", moved=True)
    await first.start()
    await second.start()
    await table.play(random_game(2)[:1])
    await race(club, first, second)
    hosts.pass_time(SETTLED_S)
    await wait_for_report(first, "session")
    await wait_for_report(second, "answered")


async def test_processes_of_one_database_are_not_a_second_bot(
    hosts: Hosts, postgres_url: str
) -> None:
    """Different shards, or the same one during a rolling upgrade, which lasts or is soon over.

    Time passes at once, as if the machine had been paused, so everything due happens together.
    """
    await without_rows(postgres_url)
    old, other, new = (hosts.bot(postgres_url, of, moved=True) for of in ("0/2", "1/2", "0/2"))
    club = club_of(hosts, old)
    for item in (old, other):
        await item.start()
    table = await club.start_game()
    await table.play(random_game(2)[:2])
    hosts.pass_time(SETTLED_S)
    await new.start()
    await race(club, old, new)
    await race(club, new, old)
    hosts.pass_time(SETTLED_S)
    for item in (old, new):
        await until(partial(item.has_fault, "shared shards"))
    for item in (old, other, new):
        await is_alone(item)
    await race(club, old, new)
    await old.bot.stop()
    hosts.pass_time(SETTLED_S)
    await table.play(random_game(2)[2:4])
    hosts.pass_time(SETTLED_S)
    await table.play(random_game(2)[4:5])
    await is_alone(new)
    await is_alone(other)


@pytest.mark.parametrize("how", ["lost", "500"])
async def test_a_repeated_response_is_not_evidence(
    quiet_club: Club, watched: Watched, how: str
) -> None:
    """Discord has accepted the first one, and only its response was lost."""
    bot = quiet_club.bot
    bot.settings["METRICS_PORT"] = str(watched.port)
    clock = bot.take_clock()
    await bot.start()
    one = Watchful(bot, watched)
    await until(one.has_written)
    faults, route = quiet_club.world.faults, "POST /interactions/{id}/{token}/callback"
    order = faults.lose_answer(route) if how == "lost" else faults.answer(route, status=500)
    await quiet_club.ann.slash(quiet_club.channel, "help")
    await order.met()
    suggestions = faults.lose_answer(route)
    await quiet_club.ann.autocomplete(quiet_club.channel, "challenge", clock="")
    await suggestions.met()
    clock.advance(seconds=SETTLED_S)
    await quiet_club.start_game()
    clock.advance(seconds=SETTLED_S)
    await quiet_club.ann.slash(quiet_club.channel, "games")
    await is_alone(one)


async def test_a_restored_backup_is_not_taken_for_a_second_bot(
    quiet_club: Club, watched: Watched
) -> None:
    bot = quiet_club.bot
    bot.settings["METRICS_PORT"] = str(watched.port)
    clock = bot.live_often()
    one = Watchful(bot, watched)
    await bot.start()
    table = await quiet_club.start_game()
    moves = random_game(2)
    file = bot.folder / "dvonn.sqlite3"
    await bot.stop()
    saved = file.read_bytes()
    await bot.start()
    await table.play(moves[:2])
    await bot.stop()
    file.write_bytes(saved)
    await bot.start()
    await table.play(moves[2:4])
    clock.advance(seconds=SETTLED_S)
    await table.play(moves[4:5])
    clock.advance(seconds=SETTLED_S)
    await quiet_club.ann.slash(quiet_club.channel, "games")
    await is_alone(one)


async def test_a_suggestion_from_another_bot_logs_no_traceback(
    hosts: Hosts, tmp_path: Path
) -> None:
    first, second = (
        hosts.bot(f"sqlite:///{tmp_path / name}.sqlite3", moved=True) for name in ("one", "two")
    )
    club = club_of(hosts, first)
    for item in (first, second):
        await item.start()
    second.bot.freeze()
    await club.ann.autocomplete(club.channel, "challenge", clock="")
    begun = len(hosts.world.exchanges)
    second.bot.thaw()

    async def refused() -> bool:
        return any(exchange.status == 400 for exchange in hosts.world.exchanges[begun:])

    await until(refused)
    hosts.pass_time(SETTLED_S)
    await wait_for_report(second, "answered")
    assert "Ignoring exception in autocomplete" not in second.bot.log
    assert "Traceback" not in second.bot.log
