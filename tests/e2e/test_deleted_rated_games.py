"""Tests that deleting the channel doesn't undo a rated loss."""

import pytest

from demo.commands import use
from sandbox import Message, Person, Thread
from tests.e2e.conftest import Club, Table, is_board, message_of, opened_thread, press
from tests.games import random_game

MOVES = random_game(41)


async def home_of(club: Club, *, thread: bool, rated: bool = True) -> Table:
    """A game in its own channel that neither player can still leave without a result."""
    room = club.guild.create_channel("room")
    if not thread:
        table = await club.start_game(room)
        await table.reach(MOVES[:14])
        return table
    terms = {"colour": "white", "start": "placement", "rated": rated, "where": "thread"}
    asked = message_of(await use(club.ann, room, "challenge", opponent=club.bob, **terms))
    await club.bob.click(asked, "Accept")
    table = Table(await opened_thread(asked), club.ann, club.bob)
    await table.board(0)
    await table.reach(MOVES[:14])
    return table


async def direct(person: Person, words: str) -> Message:
    return await person.dm.wait_for(lambda one: words in one.content and is_board(None)(one))


IN_THREADS = pytest.mark.later("the same in a thread")


@pytest.mark.parametrize("thread", [False, pytest.param(True, marks=IN_THREADS)])
async def test_the_next_exercise_follows_directly_and_counts(club: Club, *, thread: bool) -> None:
    table = await home_of(club, thread=thread)
    club.guild.delete_channel(table.channel)
    told = "It's rated, so it goes on here"
    board, other = await direct(club.ann, told), await direct(club.bob, told)
    assert other.attachments[0].filename == board.attachments[0].filename
    form = (await press(club.ann, board, "Type a move")).modal
    await club.ann.submit(form, {"move": str(MOVES[14])})
    nexts = await direct(club.bob, f"{club.bob.mention}, your turn.")
    assert told not in nexts.content, "the reason comes once"
    asked = await press(club.bob, nexts, "Resign")
    await club.bob.click(message_of(asked), "Yes, resign")
    where = table.channel
    places = [where.parent_channel] if isinstance(where, Thread) else [club.ann.dm, club.bob.dm]
    for place in places:
        over = await place.wait_for(lambda said: f"{club.ann.mention} wins." in said.content)
        assert f"{club.bob.mention} resigned." in over.content
        assert "Ratings: " in over.content


async def test_unrated_or_early_games_end_without_a_result(club: Club) -> None:
    table = await home_of(club, thread=True, rated=False)
    thread = table.channel
    assert isinstance(thread, Thread)
    club.guild.delete_channel(thread)
    told = await thread.parent_channel.wait_for(lambda one: "No result." in one.content)
    assert "of this game is gone" in told.content
