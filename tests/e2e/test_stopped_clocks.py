"""Tests for stopping a server's clocks: players are told, boards say why, nobody loses."""

from sandbox import Permission, Person
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club, texts
from tests.e2e.database import let_time_pass
from tests.e2e.test_time_limits import DAY, begun, wait_for_time_left
from tests.games import random_game


def moderator(club: Club) -> Person:
    return club.guild.add_person("Mo", permissions=Permission.MANAGE_CHANNELS)


async def test_stopped_clocks_flag_nobody(clock: BotClock, club: Club) -> None:
    mo = moderator(club)
    table, board = await begun(club, "1 day per move")
    answer = await mo.slash(club.channel, "setup pause", days=7)
    assert answer.message is not None
    assert answer.message.content.startswith("All clocks here are paused until <t:")
    for person in (club.ann, club.bob):
        word = await person.dm.wait_for(lambda message: "has paused all clocks" in message.content)
        assert club.guild.guild.name in word.content
    await wait_for_time_left(table, board, 8 * DAY, clock)
    assert "All clocks here are paused until <t:" in board.content
    await let_time_pass(club.bot, clock, days=3)
    await mo.slash(club.channel, "setup resume")
    await club.channel.wait_for(lambda message: message.content.endswith("are running again."))
    for person in (club.ann, club.bob):
        await person.dm.wait_for(lambda message: "running again since" in message.content)
    await wait_for_time_left(table, board, DAY, clock)
    await let_time_pass(club.bot, clock, hours=23)
    await table.play(random_game(4)[2:3])
    await let_time_pass(club.bot, clock, days=1, minutes=1)
    over = await club.channel.wait_for(lambda message: "ran out of time" in message.content)
    assert over.pinged == {club.ann.id, club.bob.id}


async def test_clocks_that_run_need_not_be_let_run(club: Club) -> None:
    assert "aren't stopped" in texts(await moderator(club).slash(club.channel, "setup resume"))
