"""Tests for boards that are edited instead of posted, and for older boards."""

from collections.abc import AsyncIterator

import pytest

from bot.base.ids import ChannelId, GuildId, UserId
from bot.play.model.terms import PlacementBoards
from bot.play.store.store import Store
from bot.play.use_cases.clocks import Vacations
from sandbox import Message, Person
from tests.bot.whole import WholeBot, whole_bot
from tests.e2e.conftest import choose, is_board, message_of, press

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
async def bot(store: Store, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WholeBot]:
    """A server whose moderators want one edited board while placing."""
    async with whole_bot(store, monkeypatch) as bot:
        edit = PlacementBoards.EDIT
        await bot.store.guilds.choose(GuildId(bot.guild.id), placement_boards=edit)
        yield bot


def boards(bot: WholeBot) -> list[Message]:
    return [message for message in bot.channel.messages if is_board(None)(message)]


async def play(bot: WholeBot, person: Person, move: str) -> None:
    """Play a move that leaves no message in the channel."""
    await person.slash(bot.channel, "move", move=move)
    await bot.nothing_unsent()
    await bot.is_done()


async def test_while_placing_one_board_is_edited_unless_there_is_a_message_below(
    bot: WholeBot,
) -> None:
    await bot.begin()
    (first,) = boards(bot)
    await play(bot, bot.ann, "a1")
    assert boards(bot) == [first]
    assert is_board(1)(first)
    assert first.content.startswith(f"{bot.ann.mention} placed a1. {bot.bob.mention}, your turn.")
    await bot.cid.say(bot.channel, "good luck")
    await play(bot, bot.bob, "b1")
    (second,) = boards(bot)
    assert second is not first
    assert second.pinged == {bot.ann.id}


async def test_a_moved_stack_gets_a_new_board_and_the_older_one_loses_its_buttons(
    bot: WholeBot,
) -> None:
    await bot.begin(start="balanced")
    (first,) = boards(bot)
    assert first.buttons
    game = await bot.services.game_cache.running_in(ChannelId(bot.channel.id))
    await play(bot, bot.ann, str(game.position.legal_moves()[0]))
    assert [is_board(number)(board) for number, board in enumerate(boards(bot))] == [True, True]
    assert first.buttons == []
    assert boards(bot)[1].pinged == {bot.bob.id}


async def test_only_a_finished_games_thread_leaves_the_list_after_an_hour(bot: WholeBot) -> None:
    await bot.begin(where="thread")
    (asked,) = bot.channel.messages
    assert asked.thread is not None
    board = await asked.thread.wait_for(is_board(0))
    await bot.is_done()
    assert asked.thread.archive_after_minutes > 60
    question = message_of(await press(bot.ann, board, "Resign"))
    await bot.ann.click(question, "Yes, resign")
    await asked.thread.wait_for(is_board(1))
    await bot.is_done()
    assert asked.thread.archive_after_minutes == 60


async def test_a_vacation_taken_elsewhere_is_on_the_board_once_its_clock_is_checked(
    bot: WholeBot,
) -> None:
    await bot.begin(start="balanced", clock="3 days per move")
    (board,) = boards(bot)
    at_first = board.content
    await Vacations(bot.store, now=lambda: bot.now).start(UserId(bot.ann.id), days=5)
    bot.advance(days=3)
    await bot.until(lambda: board.content != at_first)
    assert board.content.splitlines()[0] == at_first.splitlines()[0]
    assert is_board(0)(board)


async def test_who_reads_boards_in_words_gets_each_as_a_new_message(bot: WholeBot) -> None:
    await choose(bot.bob, bot.channel, seen=["words"])
    await bot.begin()
    await play(bot, bot.ann, "a1")
    assert boards(bot)[-1].pinged == {bot.bob.id}, "an edit pings nobody"
