"""Tests that a game against the machine starts with its board, without a challenge message."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from demo.commands import use
from sandbox import Channel, Message
from tests.e2e.conftest import Club, is_board, is_gone, message_of, opened_thread
from tests.e2e.database import nothing_unsent
from tests.e2e.features.machine.test_one_message import can_move

pytestmark = pytest.mark.skipif(
    find_spec("numba") is None, reason="the engine's packages are not installed"
)


@pytest.fixture
def club(machine_club: Club) -> Club:
    return machine_club


class Shown:
    """Return the ids of all buttons that were ever shown in a channel."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self.ids: set[str] = set()
        channel.directory.messages_changed.listen(self._note)

    def _note(self, message: Message) -> None:
        if message.channel is self._channel:
            self.ids |= {str(button.custom_id) for button in message.buttons}

    def invited(self) -> list[str]:
        """Return the ids of challenge buttons."""
        return [text for text in self.ids if text.startswith("dvonn:challenge:")]


def standing(club: Club, channel: Channel) -> list[Message]:
    """Return the bot's messages that are in a channel now."""
    return [message for message in channel.messages if message.author is club.world.bot_user]


async def test_the_board_is_posted_at_once_even_if_nothing_is_compiled(
    empty_club: Club, tmp_path: Path
) -> None:
    club, bot = empty_club, empty_club.bot
    bot.settings |= {"MACHINE": "auto", "NUMBA_CACHE_DIR": str(tmp_path / "empty")}
    await bot.start()
    seen = Shown(club.channel)
    terms = {"level": 14, "colour": "black", "start": "balanced"}
    begun = message_of(await use(club.ann, club.channel, "play", **terms))
    assert is_board(0)(begun)
    assert begun.content.splitlines()[0] == "Uma is thinking."
    assert "Level 14 · Uma" in begun.content
    labels = ["Move", "Hint", "More"]
    assert [button.label for button in begun.buttons] == labels
    assert [button.label for button in begun.buttons if not button.disabled] == ["More"]
    assert standing(club, club.channel) == [begun]
    assert seen.invited() == []
    page = message_of(await club.ann.click(begun, "More"))
    assert "Resign" in [button.label for button in page.buttons]
    assert await bot.stop() == 0


async def test_time_runs_from_the_board_that_is_the_answer(empty_club: Club) -> None:
    club, clock = empty_club, empty_club.bot.take_clock()
    club.bot.settings["MACHINE"] = "auto"
    await club.bot.start()
    terms = {"colour": "white", "start": "balanced", "clock": "2 minutes per move"}
    begun = message_of(await use(club.ann, club.channel, "play", **terms))
    assert "Time limit: <t:" in begun.content
    await nothing_unsent(club.bot)
    clock.advance(minutes=3)
    over = await club.channel.wait_for(lambda one: "ran out of time" in one.content)
    assert is_board(None)(over)
    assert await club.bot.stop() == 0


@pytest.mark.parametrize("colour", ["white", "black"])
async def test_the_machine_moves_on_the_existing_board(club: Club, colour: str) -> None:
    for here in (club.channel, club.ann.dm):
        seen = Shown(here)
        begun = message_of(await use(club.ann, here, "play", colour=colour, start="balanced"))
        assert is_board(0)(begun) or can_move(begun)
        assert await here.wait_for(can_move) is begun
        assert standing(club, here) == [begun]
        assert "Level 1 · Pip (first games)" in begun.content
        assert seen.invited() == []


@pytest.mark.parametrize("colour", ["white", "black"])
async def test_a_team_game_leaves_no_invitation(club: Club, colour: str) -> None:
    here, seen = club.channel, Shown(club.channel)
    begun = message_of(
        await use(club.ann, here, "play", teams=True, colour=colour, start="balanced")
    )
    board = await here.wait_for(can_move)
    if board is not begun:  # the machine has moved by now, and its board pings
        await is_gone(begun)
    assert standing(club, here) == [board]
    assert [button.label for button in board.buttons] == ["Vote", "More"]
    assert "Everyone here votes" in board.content
    assert seen.invited() == []


async def test_a_second_game_hangs_at_a_message_without_buttons(club: Club) -> None:
    first = message_of(await use(club.ann, club.channel, "play", colour="black", start="balanced"))
    await club.channel.wait_for(can_move)
    seen = Shown(club.channel)
    thread = await opened_thread(message_of(await club.bob.slash(club.channel, "play")))
    hung = await club.channel.wait_for(lambda one: one.thread is thread)
    assert hung.content.splitlines()[1] == "Game in the thread below"
    assert not hung.buttons
    await thread.wait_for(is_board(None, 2))
    assert seen.invited() == []
    assert not first.deleted


async def test_a_rematch_begins_on_its_board(club: Club) -> None:
    first = message_of(await use(club.ann, club.channel, "play", colour="white", start="balanced"))
    more = message_of(await club.ann.click(first, "More"))
    await club.ann.click(message_of(await club.ann.click(more, "Resign")), "Yes, resign")
    over = await club.channel.wait_for(
        lambda one: any(button.label == "Rematch" for button in one.buttons)
    )
    seen = Shown(club.channel)
    again = message_of(await club.ann.click(over, "Rematch"))
    assert is_board(None, 2)(again)
    assert (
        await club.channel.wait_for(lambda one: can_move(one) and is_board(None, 2)(one)) is again
    )
    assert seen.invited() == []
