"""Tests for pressing challenges and boards, with the whole bot in this process."""

from collections.abc import AsyncIterator

import pytest

from bot.base.ids import ChallengeId, ChannelId, MessageId, UserId
from bot.play.model.terms import ChallengeRow
from bot.play.store.store import Store
from demo.commands import use
from sandbox import Answer, Message, Person
from tests.bot.whole import WholeBot, whole_bot
from tests.e2e.conftest import is_board, is_gone, message_of, press

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
async def bot(store: Store, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WholeBot]:
    async with whole_bot(store, monkeypatch) as bot:
        yield bot


async def challenge(bot: WholeBot, **terms: object) -> Message:
    """Challenge Bob as Ann."""
    terms = {"colour": "white", "start": "placement", **terms}
    return message_of(await use(bot.ann, bot.channel, "challenge", opponent=bot.bob, **terms))


async def board(bot: WholeBot, revision: int, game: int = 1) -> Message:
    return next(message for message in bot.channel.messages if is_board(revision, game)(message))


async def click(bot: WholeBot, person: Person, message: Message, label: str) -> Message | None:
    answer = await person.click(message, label)
    await bot.is_done()
    return answer.message


def labels(answer: Answer) -> list[str | None]:
    return [button.label for button in message_of(answer).buttons]


async def test_a_challenge_is_declined_by_who_is_asked_and_cancelled_by_who_asks(
    bot: WholeBot,
) -> None:
    asked = await challenge(bot)
    assert asked.content.startswith(f"{bot.bob.mention}, {bot.ann.mention} challenges you")
    assert asked.pinged == {bot.bob.id}
    for person, label in ((bot.cid, "Accept"), (bot.cid, "Decline"), (bot.bob, "Cancel")):
        refused = await person.click(asked, label)
        assert refused.ephemeral
    assert [button.label for button in asked.buttons][:3] == ["Accept", "Decline", "Cancel"]
    await click(bot, bot.bob, asked, "Decline")
    assert asked.content == f"{bot.bob.mention} declined {bot.ann.mention}'s challenge."
    assert asked.buttons == []
    other = await challenge(bot)
    await click(bot, bot.ann, other, "Cancel")
    assert other.buttons == []
    assert other.content == f"{bot.ann.mention} canceled the challenge."


async def test_a_challenge_that_was_cancelled_while_it_was_posted_loses_its_buttons(
    bot: WholeBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_message = bot.store.challenges.set_message

    async def cancel_before(challenge: ChallengeId, message: MessageId) -> ChallengeRow:
        await bot.services.lobby.cancel(challenge, UserId(bot.ann.id))
        return await set_message(challenge, message)

    monkeypatch.setattr(bot.store.challenges, "set_message", cancel_before)
    asked = await challenge(bot)
    await bot.until(lambda: asked.buttons == [])
    assert asked.content == f"{bot.ann.mention} canceled the challenge."


async def test_an_accepted_challenge_becomes_the_first_board(bot: WholeBot) -> None:
    asked = await challenge(bot)
    await click(bot, bot.bob, asked, "Accept")
    await is_gone(asked)
    (first,) = [message for message in bot.channel.messages if is_board(None)(message)]
    assert first.content.startswith(f"{bot.ann.mention}, your turn.")
    assert first.pinged == {bot.ann.id}


async def test_a_game_in_a_thread_leaves_its_challenge_above_it(bot: WholeBot) -> None:
    asked = await challenge(bot, where="thread")
    await click(bot, bot.bob, asked, "Accept")
    assert not asked.deleted
    assert asked.buttons == []
    assert f"{bot.bob.mention} accepted" in asked.content
    assert asked.thread is not None
    first = await asked.thread.wait_for(is_board(0))
    assert first.pinged == {bot.ann.id}
    assert not any(map(is_board(None), bot.channel.messages))


async def test_a_question_to_resign_is_answered_either_way(bot: WholeBot) -> None:
    await bot.begin()
    for space, person in (("a1", bot.ann), ("b1", bot.bob)):
        await bot.say(person, space)
    current = await board(bot, 2)
    assert "Resign" not in labels(await press(bot.cid, current, "More")), "of a spectator"
    asked = message_of(await press(bot.ann, current, "Resign"))
    assert asked.viewer is bot.ann.user
    await click(bot, bot.ann, asked, "Keep playing")
    assert await bot.store.games.running_in(ChannelId(bot.channel.id)) is not None
    asked = message_of(await press(bot.ann, current, "Resign"))
    await click(bot, bot.ann, asked, "Yes, resign")
    over = await bot.channel.wait_for(is_board(3))
    assert f"{bot.ann.mention} resigned" in over.content
    assert over.pinged == {bot.bob.id}
    again = message_of(await bot.bob.click(over, "Rematch"))
    assert again in bot.channel.messages
    assert f"{bot.bob.mention}" in again.content


async def test_offers_are_answered_under_their_board(bot: WholeBot) -> None:
    await bot.begin()
    await bot.say(bot.ann, "a1")
    await bot.say(bot.bob, "b1")

    async def offered() -> Message:
        await bot.ann.slash(bot.channel, "draw")
        await bot.is_done()
        return next(message for message in reversed(bot.channel.messages) if message.buttons)

    offer = await offered()
    assert offer.content.startswith(f"{bot.ann.mention} offers a draw.")
    assert offer.pinged == {bot.bob.id}
    refused = await bot.ann.click(offer, "Accept")
    assert refused.ephemeral
    await click(bot, bot.bob, offer, "Decline")
    assert f"{bot.bob.mention} declined" in bot.channel.messages[-1].content
    await bot.say(bot.ann, "c1")
    await bot.say(bot.bob, "d1")
    await click(bot, bot.bob, await offered(), "Accept")
    assert "draw" in bot.channel.messages[-1].content
    assert is_board(None)(bot.channel.messages[-1])
