"""Tests for playing against the machine, with the real engine in a real worker process."""

import asyncio
import os
import re
import signal
from importlib.util import find_spec
from pathlib import Path

import pytest

from demo.commands import use
from sandbox import Answer, Message
from tests.e2e.conftest import Club, answer_to, is_board, message_of, opened_thread, texts

pytestmark = pytest.mark.skipif(
    find_spec("numba") is None, reason="the engine's packages are not installed"
)

PLACING = {"level": 1, "colour": "white", "start": "placement"}


@pytest.fixture
def club(machine_club: Club) -> Club:
    return machine_club


async def board(club: Club, revision: int, game: int = 1) -> Message:
    return await club.channel.wait_for(is_board(revision, game))


async def first_board(club: Club, game: int) -> Message:
    """Wait for the first board on which Ann can move."""
    checks = [is_board(revision, game) for revision in (0, 1)]
    return await club.channel.wait_for(lambda m: any(check(m) for check in checks))


async def test_the_machine_plays_and_answers(club: Club) -> None:
    # without waiting for Discord's typing indicator
    typing = club.world.faults.slow("POST /channels/{id}/typing", seconds=10_000, times=None)
    await use(club.ann, club.channel, "play", colour="white", level=1, start="placement")
    first = await board(club, 0)
    assert "Black: Pip." in first.content
    assert "Level 1 · Pip (first games)." in first.content
    await club.ann.say(club.channel, "d2")
    second = await board(club, 2)  # its own placement follows automatically
    assert f"Earlier: {club.ann.mention} placed d2." in second.content
    assert re.match(
        rf"Pip placed [a-k]\d\. {club.ann.mention}, your turn\.",
        second.content,
    )
    assert typing.hits
    # It agrees to a takeback, but declines a draw.
    await club.ann.slash(club.channel, "undo")
    back = await board(club, 4)
    assert back is second  # no pings, and no further boards in the channel
    assert "took back" in back.content
    await club.ann.slash(club.channel, "draw")
    declined = await club.channel.wait_for(lambda m: "offers a draw" in m.content)
    assert "Pip declined." in declined.content
    assert declined.attachments == []


async def test_messages_typed_before_the_machines_move_never_reply_to_it(
    club: Club,
) -> None:
    await use(club.ann, club.channel, "play", **PLACING)
    await board(club, 0)
    await club.bot.kill()
    for typed in ("d2", "e4"):
        await club.ann.say(club.channel, typed)
    await asyncio.sleep(1.5)  # the bot knows Discord's time to the second
    await club.bot.start()
    await board(club, 2)
    await club.bot.kill()  # shortly after a start, the same messages are read again
    await club.bot.start()
    await club.ann.say(club.channel, "f4")
    answer = await board(club, 4)
    assert f"{club.ann.mention} placed f4." in answer.content


@pytest.mark.thorough(
    "looks into processes, of which tests/bot/features/machine/test_opponent.py kills some"
)
@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="looks into /proc")
async def test_the_engine_is_loaded_in_its_worker_only_and_a_dead_worker_is_replaced(
    club: Club,
) -> None:
    await club.bot.stop()
    club.bot.cold = True  # the process that workers are forked from has loaded it
    await club.bot.start()
    await use(club.ann, club.channel, "play", **PLACING)
    await board(club, 0)
    await club.ann.say(club.channel, "d2")
    await board(club, 2)
    workers = [pid for pid in children(club.bot.pid) if has_engine(pid)]
    assert len(workers) == 1
    assert not has_engine(club.bot.pid)
    os.kill(workers[0], signal.SIGKILL)
    await club.ann.say(club.channel, await a_space(club))
    await board(club, 4)
    assert "engine process died, restarting" in club.bot.log


async def test_messages_in_a_game_against_the_machine_address_it(club: Club) -> None:
    await use(club.ann, club.channel, "play", level=1, start="balanced", colour="white")
    await first_board(club, 1)
    watching = await club.cid.say(club.channel, "help")
    told = await answer_to(club, await club.ann.say(club.channel, "help"))
    assert told.content.startswith("I can teach you")
    tip = await answer_to(club, await club.ann.say(club.channel, "What should I play?"))
    assert tip.content.startswith("I'd play **")
    assert [file.filename for file in tip.attachments] == ["hint-1.png"]
    question = await answer_to(club, await club.ann.say(club.channel, "I resign"))
    await club.ann.click(question, "End without a result")
    later = await club.ann.say(club.channel, "help")  # nobody is playing any more
    pointed = await club.ann.say(club.channel, f"{club.world.bot_user.mention} help")
    await answer_to(club, pointed)
    answered = {
        message.reference.message_id for message in club.channel.messages if message.reference
    }
    assert not answered & {watching.id, later.id}


async def test_a_game_in_direct_messages(club: Club) -> None:
    dm = club.ann.dm
    await use(club.ann, dm, "play", **PLACING)
    await dm.wait_for(is_board(0))
    await club.ann.say(dm, "this is nice")  # no text can make it start a game
    wondered = await club.ann.say(dm, "what about d2?")
    await dm.wait_for(lambda one: one is wondered and "❔" in one.reactions)
    asked = await club.ann.say(dm, "how come it is so hot today?")
    pointed = await dm.wait_for(lambda one: one.content.startswith("I didn't get that."))
    assert pointed.reference is not None
    assert pointed.reference.message_id == asked.id
    await club.ann.say(dm, "d2")
    await dm.wait_for(is_board(2))
    await club.bot.kill()
    await club.ann.say(dm, "k5")  # while the bot is offline
    await club.bot.start()
    await dm.wait_for(is_board(4))
    answer = await club.ann.slash(dm, "games")
    assert "https://discord.com/channels/@me/" in texts(answer)


async def test_play_me_starts_a_game_at_the_usual_level(club: Club) -> None:
    """Start from the page that everyone sees first. A challenge to the bot has the same form."""
    page = message_of(await club.ann.slash(club.channel, "help"))
    begun = message_of(await club.ann.click(page, "Play me"))
    assert is_board(0)(begun) or is_board(1)(begun)
    first = await first_board(club, 1)
    assert set(re.findall(r"<@\d+>", first.content)) == {club.ann.mention}
    assert "Level 1 · Pip (first games)" in first.content
    # Even if the machine has moved first, this is the newcomer's first board.
    assert "exactly as far as it is tall" in first.content
    assert "More" in [button.label for button in first.buttons]
    offered = message_of(
        await club.cid.slash(club.channel, "challenge", opponent=club.world.bot_user)
    )
    thread = await opened_thread(offered)
    await thread.wait_for(is_board(None, 2))
    page = message_of(await club.bob.slash(club.channel, "help"))
    assert "Play me" not in [button.label for button in page.buttons], "a game is running here"


async def my_moves(club: Club) -> Answer:
    """Return Ann's legal moves on the newest board."""
    boards = [message for message in club.channel.messages if is_board(None)(message)]
    return await club.ann.menu(boards[-1], "My moves")


async def a_space(club: Club) -> str:
    """Return one of the free spaces offered to Ann."""
    answer = await my_moves(club)
    found = re.search(r"^Row 1: ([a-k]1)", texts(answer), re.MULTILINE)
    assert found is not None
    return found[1]


def children(pid: int) -> list[int]:
    """Return the child processes of a process."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(item) for task in tasks for item in (task / "children").read_text().split()]


def has_engine(pid: int) -> bool:
    """Return True if a process has loaded numba's compiler."""
    return "llvmlite" in Path(f"/proc/{pid}/maps").read_text()


@pytest.mark.thorough("starts the compiler for nothing but its end")
async def test_a_stop_does_not_wait_for_the_compiler(empty_club: Club, tmp_path: Path) -> None:
    bot, compiled = empty_club.bot, tmp_path / "empty"
    bot.settings |= {"MACHINE": "auto", "NUMBA_CACHE_DIR": str(compiled)}
    await bot.start()
    assert await bot.stop() == 0
    # The longest step of the game, and the last one.
    assert not list(compiled.rglob("search.search-*"))


async def test_typing_play_in_direct_messages_starts_a_game(club: Club) -> None:
    here = club.ann.dm
    asked = await club.ann.say(here, "play")
    opened = await answer_to(club, asked)
    await here.wait_for(lambda one: any(button.label == "Move" for button in one.buttons))
    assert "Level 1 · Pip (first games)" in opened.content
    again = await answer_to(club, await club.ann.say(here, "let's play"))
    assert "look-dvonn" in again.attachments[0].filename  # that game is already running
    sworn = await answer_to(club, await club.ann.say(here, "shit"))
    assert sworn.content == "Ouch. Want your last move back? Say “undo”."
    musing = await club.ann.say(here, "hmm, let me think")
    await here.wait_for(lambda one: one is musing and "❔" in one.reactions)
    stop = await answer_to(club, await club.ann.say(here, "stop"))
    assert stop.content.endswith("Our game stays open. Say “resign” to end it.")
