"""Tests for players who have left the server."""

from typing import Any

import pytest

from demo.commands import use
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club, Table, message_of, press, texts
from tests.games import random_game

MOVES = random_game(41)


async def left_game(club: Club, moved: BotClock, **terms: Any) -> Table:
    """A game in which it is the turn of Bob, who has left."""
    table = await club.start_game(**{"clock": "none", **terms})
    await table.play(MOVES[:14])
    club.guild.kick(club.bob)
    moved.advance(hours=2)  # Discord is not asked again
    await table.type(MOVES[14])
    return table


@pytest.mark.later("claiming is the same as for a lost flag, tried in test_claims")
@pytest.mark.parametrize("rated", [True, False])
@pytest.mark.parametrize("control", ["1 day per move", "none"])
async def test_the_opponent_is_informed_and_claims_the_game(
    club: Club, clock: BotClock, control: str, *, rated: bool
) -> None:
    table = await left_game(club, clock, clock=control, rated=rated)
    told = await table.board(16)
    ann, bob = club.ann.mention, club.bob.mention
    assert told.content.startswith(f"{bob} has left this server.")
    assert f"{bob}, your turn" not in told.content
    wait = f"{ann}, you can keep waiting, claim the win, or end it without a result."
    assert wait in told.content
    assert told.pinged == {club.ann.id}
    labels = [button.label for button in told.buttons]
    assert {"Claim win", "End without a result"} <= set(labels)
    asked = await press(club.ann, told, "Claim win")
    assert f"{bob} has left this server. Claim the win?" in texts(asked)
    await club.ann.click(message_of(asked), "Yes, claim it")
    over = await table.board(17)
    assert over.content.startswith(f"{ann} wins. {bob} has left this server.")


async def test_or_ends_it_without_a_result(club: Club, clock: BotClock) -> None:
    table = await left_game(club, clock)
    told = await table.board(16)
    asked = await press(club.ann, told, "End without a result")
    await club.ann.click(message_of(asked), "Yes, end it")
    over = await table.board(17)
    words = f"{club.bob.mention} has left this server. {club.ann.mention} ended this game."
    assert words in over.content
    refused = await use(club.ann, club.channel, "challenge", opponent=club.bob)
    assert texts(refused).startswith("That player isn't in this server.")


@pytest.mark.later("one more way through the same look")
async def test_a_returning_player_plays_on(club: Club, clock: BotClock) -> None:
    table = await left_game(club, clock)
    await table.board(16)
    club.guild.join(club.bob)
    await table.type(MOVES[15])
    board = await table.board(17)
    assert "Claim win" not in [button.label for button in board.buttons]


@pytest.mark.later("one more way through the same look")
async def test_a_player_who_left_on_their_turn_is_noticed_by_the_board(
    club: Club, clock: BotClock
) -> None:
    table = await club.start_game()
    await table.play(MOVES[:3])
    club.guild.kick(club.bob)
    clock.advance(hours=2)
    await club.ann.slash(club.channel, "board")
    told = await table.board(4)
    assert told.content.startswith(f"{club.bob.mention} has left this server.")


@pytest.mark.later("asked in the test of an end without a result as well")
async def test_missing_people_are_not_challenged(club: Club) -> None:
    table = await club.start_game()
    await table.play(MOVES[:4])
    question = message_of(await club.ann.slash(club.channel, "resign"))
    await club.ann.click(question, "Yes, resign")
    over = await table.board(5)
    club.guild.kick(club.bob)
    refused = await use(club.ann, club.channel, "challenge", opponent=club.bob)
    assert texts(refused).startswith("That player isn't in this server.")
    assert texts(await club.ann.click(over, "Rematch")).startswith("That player isn't in this")
