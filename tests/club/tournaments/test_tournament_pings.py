"""Tests for pings in a whole tournament game: at most one a turn, and none by its tournament."""

from collections import Counter

import pytest

from bot.base.ids import ChannelId
from club.tournaments.model.tournament import TournamentFormat
from sandbox import Channel
from tests.bot.whole import WholeBot
from tests.club.tournaments.hosted import begin, create_tournament
from tests.e2e.conftest import message_of

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


async def play(bot: WholeBot, place: Channel) -> int:
    """Play a game to its end, and return the number of its turns. Each turn may ping a player."""
    game = await bot.services.game_cache.running_in(ChannelId(place.id))
    people = {person.id: person for person in (bot.ann, bot.bob, bot.cid)}
    turns = 1
    while (mover := game.to_move) is not None:
        await bot.say(people[mover], str(game.position.legal_moves()[0]), place)
        game = await bot.services.game_cache.existing(game.row.id)
        turns += game.to_move != mover
    return turns


def is_announced(bot: WholeBot, words: str) -> bool:
    return any(words in message.content for message in bot.channel.messages)


@pytest.mark.parametrize(
    "kind", [TournamentFormat.ROUND_ROBIN, TournamentFormat.SWISS, TournamentFormat.KNOCKOUT]
)
async def test_a_tournament_game_pings_once_a_turn(bot: WholeBot, kind: TournamentFormat) -> None:
    """Announcements of rounds, boards, results and standings name the players without pings."""
    await begin(bot, await create_tournament(bot, bot.ann, bot.bob, bot.cid, format=kind))
    await bot.until(lambda: bool(bot.channel.threads and bot.channel.threads[0].messages))
    thread = bot.channel.threads[0]
    await bot.nothing_unsent()
    turns = await play(bot, thread)
    await bot.until(lambda: is_announced(bot, "results of round 1"))
    await bot.until(lambda: is_announced(bot, "round 2, board"))
    await bot.nothing_unsent()
    pings = [message.pinged for message in thread.messages if message.pinged]
    assert all(len(players) == 1 for players in pings)
    assert len(pings) == turns
    first, second = Counter(player for players in pings for player in players).values()
    assert abs(first - second) <= 1
    assert any(bot.ann.mention in item.content for item in bot.channel.messages)
    assert not any(item.pinged for item in bot.channel.messages)


async def test_a_ladder_game_pings_once_a_turn(bot: WholeBot) -> None:
    kind = TournamentFormat.LADDER
    await begin(bot, await create_tournament(bot, bot.ann, bot.bob, format=kind, rated=False))
    challenge = message_of(await bot.bob.slash(bot.channel, "challenge", opponent=bot.ann))
    await bot.ann.click(challenge, "Accept")
    await bot.nothing_unsent()
    turns = await play(bot, bot.channel)
    await bot.nothing_unsent()
    pings = [item.pinged for item in bot.channel.messages if item.pinged and item is not challenge]
    assert challenge.pinged == {bot.ann.id}
    assert all(len(players) == 1 for players in pings)
    assert turns - 1 <= len(pings) <= turns, "whoever accepts isn't pinged for the first turn"
