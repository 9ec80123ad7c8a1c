"""Tests for an old game with a pie start that is waiting during an upgrade."""

from sandbox import Message, Person
from tests.e2e.conftest import Club, is_board, tells_of, texts
from tests.e2e.database import as_before_even_boards
from tests.games import drawn

SEED = 2001


async def press(person: Person, message: Message, action: str) -> str:
    """Press an old version's button under a board, and return the answer."""
    button = {
        "id": 2,
        "type": 2,
        "style": 2,
        "label": "Old",
        "custom_id": f"dvonn:board:1:{action}",
    }
    message.components = [{"id": 1, "type": 1, "components": [button]}]
    return texts(await person.click(message, "Old"))


async def test_a_game_that_waits_for_a_pick_gets_its_board_and_continues(club: Club) -> None:
    ann, bob = club.ann, club.bob
    old = await (await club.start_game(start="balanced")).board(0)
    await club.bot.stop()
    as_before_even_boards(club.bot, 1, SEED)
    await club.bot.start()

    new = await club.channel.wait_for(is_board(2))
    assert new.content.startswith(f"{bob.mention} plays Black. {ann.mention}, your turn.")
    assert new.pinged == {ann.id}
    position = drawn(SEED)
    assert await press(ann, old, "0:pick-1") == "Which stack?"
    assert await press(bob, old, "1:side-white") == f"It's {ann.mention}'s turn."
    assert (await press(ann, old, "0:pick-4")).startswith("That's an old board.")
    move = position.legal_moves()[0]
    await ann.say(club.channel, str(move))
    assert tells_of((await club.channel.wait_for(is_board(3))).content, ann, move)
