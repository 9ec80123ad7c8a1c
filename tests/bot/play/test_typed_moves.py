"""Tests for typed moves, with the whole bot in this process, and for its answers."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.play.handlers.replies import SIGN
from bot.play.store.store import Store
from sandbox import Message
from tests.bot.whole import WholeBot, whole_bot
from tests.e2e.conftest import is_board, message_of, press

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
async def bot(store: Store, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WholeBot]:
    async with whole_bot(store, monkeypatch) as bot:
        await bot.begin()
        yield bot


def boards(bot: WholeBot) -> list[str]:
    return [
        file.filename.removeprefix("dvonn-1-").removesuffix(".png")
        for message in bot.channel.messages
        if is_board(None)(message)
        for file in message.attachments
    ]


async def test_each_move_has_its_board_and_while_placing_the_last_one_goes(bot: WholeBot) -> None:
    (first,) = await bot.say(bot.ann, "a1")
    assert first.startswith(f"{bot.ann.mention} placed a1. {bot.bob.mention}, your turn.")
    await bot.say(bot.bob, "b1 c1 d1")
    assert boards(bot) == ["2"]
    await bot.say(bot.ann, "e1")
    assert boards(bot) == ["4"], "what is listed follows at once"
    (board,) = [message for message in bot.channel.messages if is_board(4)(message)]
    assert f"{bot.ann.mention}, your turn." in board.content


async def test_a_message_that_another_process_has_played_is_followed_up(bot: WholeBot) -> None:
    """The other process may have died before the machine moved."""
    said = await bot.ann.say(bot.channel, "a1")
    await bot.channel.wait_for(is_board(1))
    channel = bot.client.get_partial_messageable(bot.channel.id, guild_id=bot.guild.id)
    message = await channel.fetch_message(said.id)
    following = f"check {bot.channel.id}"
    assert following not in {task.get_name() for task in asyncio.all_tasks()}
    await bot.client.on_message(message)
    assert following in {task.get_name() for task in asyncio.all_tasks()}
    await bot.until(lambda: boards(bot) == ["1"])  # the previous board may still be there


async def test_a_move_typed_into_the_form_has_its_board(bot: WholeBot) -> None:
    board = await bot.channel.wait_for(is_board(0))
    opened = await press(bot.ann, board, "Type a move")
    refused = await bot.ann.submit(opened.modal, {"move": "z9"})
    assert message_of(refused).content.startswith("There's no “z9” on this board.")
    assert boards(bot) == ["0"]
    await bot.ann.submit(opened.modal, {"move": "a1"})
    await bot.is_done()
    assert boards(bot) == ["1"]
    board = await bot.channel.wait_for(is_board(1))
    assert board.content.startswith(f"{bot.ann.mention} placed a1. {bot.bob.mention}, your turn.")


async def test_a_refusal_stays_until_its_reader_has_moved(bot: WholeBot) -> None:
    (refused,) = await bot.say(bot.ann, "z9")
    assert refused.startswith("There's no “z9” on this board.")
    (told,) = await bot.say(bot.bob, "e3")
    assert told == f"It's {bot.ann.mention}'s turn."
    assert await bot.say(bot.bob, "e3") == [], "once a turn"
    await bot.say(bot.ann, "a1")
    left = [message.content for message in bot.channel.messages]
    assert refused not in left
    assert told in left, "this is of the other player"
    await bot.say(bot.bob, "b1")
    assert told not in [message.content for message in bot.channel.messages]


async def test_with_a_move_the_five_newest_refusals_go(bot: WholeBot) -> None:
    refusals = [(await bot.say(bot.ann, f"z{row}"))[0] for row in range(3, 9)]
    await bot.say(bot.ann, "a1")
    stay = [message.content for message in bot.channel.messages]
    assert [refusal for refusal in refusals if refusal in stay] == refusals[:1]


async def test_a_sticker_in_a_game_is_not_an_unreadable_move(bot: WholeBot) -> None:
    assert await bot.answers_to(lambda place: bot.ann.send_sticker(place, "Wave")) == []


async def test_the_end_of_a_game_takes_both_players_refusals_away(bot: WholeBot) -> None:
    told = [*await bot.say(bot.ann, "z9"), *await bot.say(bot.bob, "e3")]
    board = await bot.channel.wait_for(is_board(0))
    asked = message_of(await press(bot.ann, board, "Resign"))
    await bot.ann.click(asked, "Yes, resign")
    await bot.channel.wait_for(is_board(1))
    await bot.is_done()
    assert not {message.content for message in bot.channel.messages} & set(told)


async def test_a_move_among_words_gets_up_to_three_reactions_a_turn(bot: WholeBot) -> None:
    for text in ("I might play a1", "or is b1 better?", "what about c1"):
        assert await bot.say(bot.ann, text) == [SIGN]
    assert await bot.say(bot.ann, "perhaps d1 then") == []
    assert await bot.say(bot.bob, "I might play e1") == [], "it isn't his turn"
    assert await bot.say(bot.ann, "nice weather") == []
    await bot.say(bot.ann, "a1")
    await bot.say(bot.bob, "b1")
    assert await bot.say(bot.ann, "perhaps d1 then") == [SIGN], "in the next turn again"


async def marked(bot: WholeBot) -> Message:
    assert await bot.say(bot.ann, "I might play a1") == [SIGN]
    return bot.channel.messages[-1]


async def test_a_marked_messages_author_gets_one_explanation(bot: WholeBot) -> None:
    message = await marked(bot)
    await bot.cid.react(message, SIGN)
    await bot.ann.react(message, "👍")
    assert await bot.say(bot.cid, "hm") == [], "neither asks why"
    await bot.ann.react(message, SIGN)
    told = await bot.channel.wait_for(lambda one: one.reference is not None)
    assert told.reference is not None
    assert told.reference.message_id == message.id
    assert "a1" in told.content
    bot.world.state.nonces.clear()  # as if a few minutes had passed
    await bot.ann.unreact(message, SIGN)
    await bot.ann.react(message, SIGN)
    assert await bot.say(bot.cid, "hm") == [], "once is enough"


async def test_an_edit_is_read_in_its_new_form(bot: WholeBot) -> None:
    (refused,) = await bot.say(bot.ann, "z9")
    message = next(message for message in bot.channel.messages if message.content == "z9")
    await bot.ann.edit(message, "a1")
    await bot.channel.wait_for(is_board(1))
    assert refused.startswith("There's no “z9”")


async def test_without_a_game_only_mentions_are_answered(bot: WholeBot) -> None:
    other = bot.guild.create_channel("other")
    assert await bot.say(bot.ann, "a1", other) == []
    call = bot.world.bot_user.mention
    (told,) = await bot.say(bot.ann, f"{call} a1", other)
    assert told.startswith("There's no game here right now.")
    assert await bot.say(bot.ann, f"{call} a1", other) == [SIGN]
    (told,) = await bot.say(bot.bob, f"{call} a1", other)
    bot.advance(minutes=2)
    (told,) = await bot.say(bot.ann, f"{call} a1", other)


async def test_spectators_get_one_explanation(bot: WholeBot) -> None:
    call = bot.world.bot_user.mention
    assert await bot.say(bot.cid, "a1") == []
    (told,) = await bot.say(bot.cid, f"{call} a1")
    assert told.startswith("Only the two players can do that.")
    assert await bot.say(bot.cid, f"{call} b1") == [SIGN]


async def test_the_buttons_of_a_board_place_a_piece(bot: WholeBot) -> None:
    (board,) = [message for message in bot.channel.messages if is_board(0)(message)]
    refused = await bot.bob.click(board, "Place")
    assert refused.ephemeral
    assert refused.content == f"It's {bot.ann.mention}'s turn."
    picker = message_of(await bot.ann.click(board, "Place"))
    row = next(select for select in picker.selects if ("d2", "d2") in select.options)
    await bot.ann.select(picker, ["d2"], custom_id=row.custom_id)
    await bot.channel.wait_for(is_board(1))
    await bot.is_done()
    assert picker not in bot.ann.inbox or not picker.selects, "nothing of the turn is left"
