"""Tests for what a game says about its tournament: its thread, its first board and its last."""

from typing import Any

import pytest

from bot.base.ids import ChannelId, UserId
from club.tournaments.model.tournament import Tournament, TournamentFormat
from dvonn import Color
from sandbox import Channel
from tests.bot.whole import WholeBot
from tests.club.tournaments.hosted import begin, create_tournament

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


async def begun(bot: WholeBot, **terms: Any) -> Tournament:
    """Begin a tournament of Ann, Bob and Cid."""
    return await begin(bot, await create_tournament(bot, bot.ann, bot.bob, bot.cid, **terms))


async def resign(bot: WholeBot, place: Channel) -> list[str]:
    """Let both players move, and one resign. Return the lines of the last board."""
    game = await bot.services.game_cache.running_in(ChannelId(place.id))
    people = {person.id: person for person in (bot.ann, bot.bob, bot.cid)}
    for _ in range(2):
        assert game.to_move is not None
        await bot.say(people[game.to_move], str(game.position.legal_moves()[0]), place)
        game = await bot.services.game_cache.running_in(ChannelId(place.id))
    assert game.to_move is not None
    await bot.services.leaving.leave(game.row.id, game.to_move)
    await bot.until(lambda: "resigned" in place.messages[-1].content)
    return place.messages[-1].content.splitlines()


async def test_a_round_is_named_in_threads_and_on_boards(bot: WholeBot) -> None:
    name = "Spring Cup"
    await begun(bot, format=TournamentFormat.ROUND_ROBIN)
    await bot.until(lambda: any(message.thread for message in bot.channel.messages))
    (thread,) = (message.thread for message in bot.channel.messages if message.thread)
    await bot.until(lambda: bool(thread.messages and thread.messages[-1].content))
    game = await bot.services.game_cache.running_in(ChannelId(thread.id))
    people = {person.id: person for person in (bot.ann, bot.bob, bot.cid)}
    white, black = (people[who] for who in (game.row.white, game.row.black))
    assert thread.name == f"{name}, round 1, board 1: {white.name} – {black.name}"
    assert f"**{name}**, round 1, board 1" in thread.messages[-1].content.splitlines()
    last = await resign(bot, thread)
    ended = await bot.services.game_cache.existing(game.row.id)
    assert ended.outcome is not None
    points = [int(color is ended.outcome.winner) for color in Color]
    told = f"**{name}**: {white.mention} {points[0]}, {black.mention} {points[1]} points"
    assert told in last


async def test_a_ladder_is_named_on_the_boards_of_its_games(bot: WholeBot) -> None:
    tournament = await begun(bot, format=TournamentFormat.LADDER, rated=False)
    order = [bot.ann, bot.bob, bot.cid]
    assert [entrant.player for entrant in tournament.entrants] == [item.id for item in order]
    answer = await bot.cid.slash(bot.channel, "challenge", opponent=bot.bob)
    assert answer.message is not None
    await bot.bob.click(answer.message, "Accept")
    await bot.nothing_unsent()
    assert "This game counts for **Spring Cup**." in bot.channel.messages[-1].content.splitlines()
    game = await bot.services.game_cache.running_in(ChannelId(bot.channel.id))
    for _ in range(10):
        assert game.to_move is not None
        mover = {person.id: person for person in order}[game.to_move]
        await bot.say(mover, str(game.position.legal_moves()[0]))
        game = await bot.services.game_cache.running_in(ChannelId(bot.channel.id))
    await bot.services.leaving.leave(game.row.id, UserId(bot.bob.id))
    await bot.until(lambda: "resigned" in bot.channel.messages[-1].content)
    assert f"**Spring Cup**: {bot.cid.mention} 3 → 2" in bot.channel.messages[-1].content
