"""Tests for Discord's global rate limit: the bot sends messages again afterwards.

During such a limit discord.py closes a gate, which the request that met the limit opens again. Each
test cancels that request while it waits.
"""

from importlib.util import find_spec

import pytest

from demo.commands import use
from sandbox import Permission
from tests.e2e.conftest import Club, Table, is_board, texts
from tests.games import random_game

POST = "POST /channels/{id}/messages"
HISTORY = "GET /channels/{id}/messages"
TYPING = "POST /channels/{id}/typing"
UNTIL_A_NEW_SESSION_S = 8.0
"""discord.py waits five seconds before it begins a new session."""


def posted_once(table: Table) -> None:
    """Check that each board is there exactly once."""
    assert table.boards() == [f"dvonn-1-{n}.png" for n in range(table.position.plies + 1)]


async def test_a_new_session_while_channels_are_read(club: Club) -> None:
    moves = random_game(2)
    table = await club.start_game()
    await table.play(moves[:1])
    await club.bot.kill()
    await table.type(moves[1])
    limit = club.world.faults.limit_everything(HISTORY, retry_after_s=UNTIL_A_NEW_SESSION_S)
    await club.bot.start()
    await limit.met()
    club.world.invalidate_sessions()
    await table.board(2)
    await table.play(moves[2:4])
    posted_once(table)


async def test_a_new_session_while_deliveries_are_sent(club: Club) -> None:
    moves = random_game(2)
    table = await club.start_game()
    # so the bot looks for it before it tries again
    with club.world.faults.lose_answer(POST, times=2):
        await table.type(moves[0])
        await club.bot.wrote("delivery failed, retrying")
    limit = club.world.faults.limit_everything(HISTORY, retry_after_s=UNTIL_A_NEW_SESSION_S)
    await limit.met()
    club.world.invalidate_sessions()
    await club.world.wait_session(besides=club.world.sessions)
    await table.play(moves[1:3])
    posted_once(table)


@pytest.mark.skipif(find_spec("numba") is None, reason="the engine's packages are not installed")
async def test_an_abort_while_the_machine_types(machine_club: Club) -> None:
    club = machine_club
    await use(club.ann, club.channel, "play", level=1, colour="white", start="placement")
    await club.channel.wait_for(is_board(0, 1))
    limit = club.world.faults.limit_everything(TYPING, retry_after_s=3)
    await club.ann.say(club.channel, "d2")
    await limit.met()
    moderator = club.guild.add_person("Mo", permissions=Permission.MANAGE_CHANNELS)
    assert texts(await moderator.slash(club.channel, "setup abort")) == "Done."
    table = await club.start_game(challenger=club.bob, opponent=club.cid)
    await table.type(random_game(2)[0])
    await club.channel.wait_for(is_board(1, 2))
