"""Tests for the private page that leads through all games that wait for a player."""

import pytest

from dvonn import Phase
from sandbox import Message
from tests.e2e.conftest import Club, is_board, message_of, texts
from tests.games import random_game

GAME = random_game(6)


def spaces(page: Message) -> list[str]:
    return [value for select in page.selects for _, value in select.options]


async def shows(page: Message, words: str) -> None:
    """Wait until a page contains a text. It may already do so."""
    if words not in page.content:
        await page.channel.wait_for(lambda one: one is page and words in one.content)


async def test_a_round_continues_with_the_next_game_after_each_move(club: Club) -> None:
    rooms = [club.channel, *(club.guild.create_channel(f"room-{at}") for at in range(2))]
    tables = [await club.start_game(room) for room in rooms]
    await tables[0].reach(GAME[:50])
    await tables[0].play(GAME[50:51])  # White moves a stack in that game
    assert tables[0].position.phase is Phase.MOVEMENT
    mover = tables[0].to_move
    waits = [table for table in tables if table.to_move is mover]
    page = message_of(await mover.slash(club.channel, "games"))
    words = f"{len(waits)} games wait for you"
    assert page.buttons[0].label == words
    page = message_of(await mover.click(page, words))
    (first,) = (table for table in waits if table.channel.mention in page.content)
    await mover.click(page, "Next game")
    assert first.channel.mention not in page.content
    assert f"{len(waits)} games wait" in page.content
    for left in range(len(waits), 0, -1):
        assert (f"{left} games wait" if left > 1 else "1 game waits") in page.content
        (table,) = (wait for wait in waits if wait.channel.mention in page.content)
        before = table.position.plies
        if table.position.phase is Phase.PLACEMENT:
            select = page.selects[0]
            await mover.select(page, [spaces(page)[0]], custom_id=select.custom_id)
        else:
            await mover.click(page, page.buttons[0].label)
            assert page.buttons[-1].label == "Next game", "a step of a move keeps the round"
            await mover.click(page, page.buttons[0].label)
        await table.channel.wait_for(is_board(before + 1))
        waits.remove(table)
        await shows(page, f"{left - 1} game" if left > 1 else "No other game")
        assert page.content.startswith("Played: ")
    assert page.content.endswith("No other game waits for you.")
    listed = message_of(await mover.slash(club.channel, "games"))
    assert "wait" not in " ".join(button.label for button in listed.buttons)


@pytest.mark.later("the next game is asked for in the round above, too")
async def test_a_game_can_be_left_for_later_and_comes_again(club: Club) -> None:
    rooms = [club.channel, club.guild.create_channel("room")]
    for room in rooms:
        await club.start_game(room)
    page = message_of(await club.ann.slash(club.channel, "games"))
    page = message_of(await club.ann.click(page, "2 games wait for you"))
    (first,) = (room for room in rooms if room.mention in page.content)
    (second,) = (room for room in rooms if room is not first)
    await club.ann.click(page, "Next game")
    assert second.mention in page.content
    await club.ann.click(page, "Next game")
    assert first.mention in page.content
    refused = texts(await club.bob.slash(club.channel, "games"))
    assert "wait for you" not in refused
