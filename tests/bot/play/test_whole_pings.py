"""Tests for pings in a whole game: at most one a turn, and one at the end."""

from collections.abc import AsyncIterator

import pytest

from bot.base.ids import ChannelId
from bot.play.store.store import Store
from demo.commands import use
from tests.bot.whole import WholeBot, whole_bot


@pytest.fixture
async def bot(store: Store, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WholeBot]:
    async with whole_bot(store, monkeypatch) as bot:
        yield bot


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("color", ["white", "black"])
async def test_a_player_is_pinged_once_a_turn_and_the_other_at_the_end(
    bot: WholeBot, color: str
) -> None:
    """Nobody is pinged for what they have just done: a move, a second one in a row, accepting."""
    answer = await use(bot.ann, bot.channel, "challenge", opponent=bot.bob, colour=color)
    assert answer.message is not None
    known = {message.id for message in bot.channel.messages}
    await bot.bob.click(answer.message, "Accept")
    await bot.is_done()
    game = await bot.services.game_cache.running_in(ChannelId(bot.channel.id))
    people = {person.id: person for person in (bot.ann, bot.bob)}
    expected = [bot.ann.id] if color == "white" else []
    begun = game.position.plies
    while (mover := game.to_move) is not None:
        await bot.say(people[mover], str(game.position.legal_moves()[0]))
        game = await bot.services.game_cache.existing(game.row.id)
        expected += [game.opponent(mover)] if game.to_move != mover else []
    await bot.nothing_unsent()
    new = [message for message in bot.channel.messages if message.id not in known]
    told = [message.pinged for message in new if message.pinged]
    assert told == [{player} for player in expected]
    plies = game.position.plies - begun
    assert plies > 30
    assert len(told) <= plies + (color == "white")
