"""Tests for several attempts at once to end a game, and for several rematches."""

import asyncio
from typing import Any

from sandbox import Channel, Message, Person
from tests.e2e.conftest import Club, Table, is_board, message_of, press, texts
from tests.e2e.database import all_rows, nothing_unsent


async def begin(club: Club, number: int) -> Table:
    white, black = (club.guild.add_person(f"{name} {number}") for name in ("White", "Black"))
    channel = club.guild.create_channel(f"table {number}")
    return await club.start_game(channel, challenger=white, opponent=black)


async def confirmation(table: Table, person: Person, button: str) -> Message:
    """Return the question whether a player really wants to resign or abort."""
    return message_of(await press(person, await table.board(0), button))


async def ended(club: Club) -> tuple[Table, Channel]:
    table = await club.start_game()
    await club.ann.click(await confirmation(table, club.ann, "Resign"), "Yes, resign")
    await table.board(1)
    return table, club.channel


def challenges(club: Club) -> list[str]:
    """Return the state of each challenge except the first."""
    rows: list[Any] = all_rows(club.bot)["challenges"]
    return [row[4] for row in rows[1:]]


async def test_both_ask_for_the_rematch_at_once(club: Club) -> None:
    table, channel = await ended(club)
    end = await table.board(1)
    await asyncio.gather(*(item.click(end, "Rematch") for item in [club.ann, club.bob] * 3))
    begun = await channel.wait_for(is_board(0, game=2))
    assert challenges(club) == ["accepted"]
    where = f"https://discord.com/channels/{club.guild.id}/{channel.id}/{begun.id}"
    for person in (club.ann, club.bob):
        again = texts(await person.click(end, "Rematch"))
        assert again.startswith(f"The rematch is here: {where}.")
    await nothing_unsent(club.bot)
    assert table.boards() == ["dvonn-1-0.png", "dvonn-1-1.png", "dvonn-2-0.png"]
