"""Odds: offered between two whose ratings are apart, and as a ladder against the machine."""

import asyncio
from importlib.util import find_spec

import pytest

from demo.commands import use
from dvonn import Position, fairness
from dvonn.odds import odds_start, odds_steps
from sandbox import Message
from tests.e2e.conftest import FAULTS, Club, is_board, shown, texts
from tests.e2e.database import seed_of
from tests.e2e.features.ratings.test_ratings import lost

ODDS = "Odds: the board helps the lower rated of you."
APART = "points apart. With odds, {player} gets the better board."


async def test_the_lower_rated_gets_the_better_board(club: Club) -> None:
    await lost(await club.start_game(), club.bob)
    terms = {"opponent": club.bob, "start": "odds", "colour": "white", "rated": True}
    asked = shown(await use(club.ann, club.channel, "challenge", **terms))
    assert ODDS in asked.content
    await club.bob.click(asked, "Accept")
    board = await club.channel.wait_for(is_board(0, 2))
    seed, position = seed_of(club.bot, 2), Position.initial()
    for move in odds_start(seed):
        position = position.play(move)
    farther = fairness(position).farther
    assert farther is not None
    assert farther > 15  # Ann plays White and is rated higher: her pieces stand farther from red
    page = shown(await club.ann.click(board, "More"))
    assert f'[Seed "{seed}"]' in texts(await club.ann.click(page, "Record"))
    assert FAULTS.findall(club.bot.log) == []


async def test_who_are_far_apart_are_offered_odds_and_the_challenger_takes_them(club: Club) -> None:
    for number in range(3):
        first = shown(await club.ann.slash(club.channel, "challenge", opponent=club.bob))
        assert ("Even it out" in [one.label for one in first.buttons]) is (number == 2), number
        if number < 2:
            await club.ann.click(first, "Cancel")
            room = club.guild.create_channel(f"room-{number}")
            await lost(await club.start_game(room), club.bob)
    assert APART.format(player=club.bob.mention) in first.content
    refused = texts(await club.bob.click(first, "Even it out"))
    assert refused.startswith(f"Only {club.ann.mention}")
    await club.ann.click(first, "Even it out")
    assert ODDS in first.content
    assert "points apart" not in first.content
    assert [one.label for one in first.buttons] == ["Accept", "Decline", "Cancel", "How to play"]
    await club.bot.restart()
    await club.bob.click(first, "Accept")
    board = await club.channel.wait_for(is_board(0, 3))
    colour = "White" if f"White: {club.bob.mention}" in board.content else "Black"
    assert f"Odds: the board helps {colour}." in board.content
    assert FAULTS.findall(club.bot.log) == []


@pytest.mark.skipif(find_spec("numba") is None, reason="the engine's packages are not installed")
async def test_against_the_machine_each_loss_makes_the_next_board_easier(
    machine_club: Club,
) -> None:
    club, helped = machine_club, []
    await use(club.ann, club.channel, "play", level=2, start="odds", colour="white")
    for game in (1, 2, 3):
        first = await _first_board(club, game)
        seat = -1 if f"White: {club.ann.mention}" in first.content else 1
        helped.append(seat * (odds_steps(seed_of(club.bot, game)) - 3))
        assert f"Level {(2, 1, 1)[game - 1]} · " in first.content
        asked = shown(await club.ann.slash(club.channel, "resign"))
        await club.ann.click(asked, "Yes, resign")
        over = await club.channel.wait_for(_is_over(game))
        assert "Rematch" not in [one.label for one in over.buttons]
        assert over.buttons[0 if over.buttons[0].label != "Review" else 1].label == "Easier, please"
        assert "Next: level 1" in over.content
        if game < 3:
            await asyncio.sleep(1)  # a bot that starts may take Discord's hour for a second less
            await club.bot.restart()  # what was played says where they are
            await club.ann.click(over, "Easier, please")
    assert helped == [8, 0, 4]
    assert FAULTS.findall(club.bot.log) == []


async def _first_board(club: Club, game: int) -> Message:
    """The first board on which Ann can act."""
    checks = [is_board(revision, game) for revision in (0, 1)]
    return await club.channel.wait_for(lambda m: any(check(m) for check in checks))


def _is_over(game: int):  # type: ignore[no-untyped-def]  # noqa: ANN202 - a check of messages
    return lambda one: (
        any(is_board(revision, game)(one) for revision in (1, 2)) and ("resigned" in one.content)
    )
