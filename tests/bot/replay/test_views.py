"""Tests for refused views of boards, with the whole bot in this process."""

from collections.abc import AsyncIterator

import pytest

from bot.play.store.store import Store
from sandbox import Message, Permission, Person
from tests.bot.whole import WholeBot, whole_bot
from tests.e2e.conftest import is_board, message_of, press, texts

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
async def bot(store: Store, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WholeBot]:
    async with whole_bot(store, monkeypatch) as bot:
        await bot.begin()
        yield bot


def newest_board(bot: WholeBot) -> Message:
    return next(filter(is_board(None), reversed(bot.channel.messages)))


async def sharing(person: Person, board: Message) -> Message:
    """Open a replay with a *Share* button, even if it isn't offered."""
    page = message_of(await person.menu(board, "Replay"))
    game, ply = next(
        (button.custom_id or "").split(":")[2:4]
        for button in page.buttons
        if (button.custom_id or "").startswith("dvonn:replay:")
    )
    button = {"id": 2, "type": 2, "style": 2, "label": "Share"}
    button["custom_id"] = f"dvonn:replay:{game}:{ply}:share"
    page.components = [{"id": 1, "type": 1, "components": [button]}]
    return page


async def test_a_board_is_shared_by_who_may_write_once_its_game_is_over(bot: WholeBot) -> None:
    page = await sharing(bot.cid, newest_board(bot))
    refused = texts(await bot.cid.click(page, "Share"))
    assert refused == "This game is still being played. Share it when it's over."
    asked = message_of(await bot.ann.slash(bot.channel, "resign"))
    await bot.ann.click(asked, asked.buttons[0].label)
    await bot.is_done()
    page = await sharing(bot.cid, newest_board(bot))
    bot.guild.set_permissions(bot.channel, bot.cid, deny=Permission.SEND_MESSAGES)
    assert "Send Messages" in texts(await bot.cid.click(page, "Share"))
    bot.guild.set_permissions(bot.channel, bot.cid)
    answer = await bot.cid.click(page, "Share")
    assert message_of(answer).content.startswith(f"{bot.cid.mention} shows a board.")
    assert not answer.ephemeral


async def test_a_picture_by_another_user_is_not_a_board(bot: WholeBot) -> None:
    (file,) = newest_board(bot).attachments
    board = newest_board(bot)
    posted = await bot.cid.say(bot.channel, "Look!", files=[(file.filename, file.data)])
    refused = texts(await bot.cid.menu(posted, "Replay"))
    assert refused.startswith("There's no board on that message.")
    assert texts(await bot.cid.menu(board, "Replay")) != refused


async def test_only_who_is_to_move_is_shown_moves(bot: WholeBot) -> None:
    board = newest_board(bot)
    assert texts(await bot.bob.menu(board, "My moves")) == f"It's {bot.ann.mention}'s turn."
    assert texts(await bot.cid.menu(board, "My moves")).startswith("Only the two players")
    assert "a1" in texts(await bot.ann.menu(board, "My moves"))


async def test_in_a_thread_its_own_permission_decides_who_may_share(bot: WholeBot) -> None:
    await bot.begin(where="thread")
    (thread,) = [message.thread for message in bot.channel.messages if message.thread is not None]
    await bot.say(bot.ann, "a1", thread)
    current = await thread.wait_for(is_board(1, 2))
    await bot.ann.click(message_of(await press(bot.ann, current, "Resign")), "Yes, resign")
    last = await thread.wait_for(is_board(2, 2))
    bot.guild.set_permissions(bot.channel, bot.cid, deny=Permission.SEND_MESSAGES)
    page = message_of(await bot.cid.menu(last, "Replay"))
    assert "Share" in [button.label for button in page.buttons]
    bot.guild.set_permissions(bot.channel, bot.cid, deny=Permission.SEND_MESSAGES_IN_THREADS)
    await bot.cid.click(page, "⏮ First")
    assert "Share" not in [button.label for button in page.buttons]


async def test_a_games_page_shows_the_board_unless_it_opens_below_it(bot: WholeBot) -> None:
    board = newest_board(bot)
    assert message_of(await bot.cid.click(board, "More")).attachments == []
    listed = message_of(await bot.ann.slash(bot.channel, "games"))
    await bot.ann.select(listed, ["1"])
    assert len(listed.attachments) == 1
