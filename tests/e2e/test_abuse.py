"""Tests for many requests at once, and for attempts at forbidden actions."""

import asyncio
from collections.abc import Iterator
from typing import Any

from dvonn import parse_move
from sandbox import Answer, InteractionFailed, Permission, Person
from sandbox.interactions import InteractionKind
from tests.e2e.conftest import Club, Table, click_as_posted, is_board, press, texts
from tests.e2e.database import all_rows, rows_of_others
from tests.games import random_game

SUBCOMMAND, GROUP, TEXT = 1, 2, 3
WORDS = ("c3", "3 days + 1 day", "22:00", "2030-12-24", "Europe/Berlin")
"""Texts for options that take any text. For each option at least one is valid."""


def crowd(club: Club, size: int) -> list[Person]:
    """Add a number of people to the server, and return them."""
    return [club.guild.add_person(f"Person {number}") for number in range(size)]


async def test_many_accept_at_once_and_one_plays(club: Club) -> None:
    answer = await club.ann.slash(club.channel, "challenge")
    message = answer.message
    assert message is not None
    people = crowd(club, 40)  # more than the database handles at once
    answers = await asyncio.gather(*(person.click(message, "Accept") for person in people))
    board = await club.channel.wait_for(is_board(0))
    players = {person for person in people if person.mention in board.content}
    assert len(players) == 1
    for person, answer in zip(people, answers, strict=True):
        assert (person in players) or "This challenge is over" in texts(answer)
    rows = all_rows(club.bot)
    assert len(rows["games"]) == len(rows["events"]) == 1
    assert len([message for message in club.channel.messages if is_board(None)(message)]) == 1


async def test_only_the_player_can_press_their_button(club: Club) -> None:
    table = await club.start_game()
    board = await table.play(random_game(1)[:1])
    before = all_rows(club.bot)
    people = crowd(club, 25)
    answers = await asyncio.gather(*(press(person, board, "Board as text") for person in people))
    assert all("```" in texts(answer) for answer in answers)
    for label in ("Place", "Type a move", "Resign"):
        answers = await asyncio.gather(
            *(click_as_posted(person, board, label) for person in people)
        )
        assert all("play" in texts(answer) for answer in answers)
    assert all_rows(club.bot) == before
    await table.play(random_game(1)[1:3])


async def test_strangers_messages_cost_no_work(club: Club) -> None:
    table = await club.start_game()
    await table.play(random_game(1)[:1])
    before = all_rows(club.bot)
    asked = len(club.world.exchanges)
    people = crowd(club, 30)
    for round_ in range(10):
        for number, person in enumerate(people):
            await person.say(club.channel, f"{'abcdefghijk'[number % 11]}{round_ % 5 + 1}")
    # Messages in a channel are handled in order. Once this one is played, all others are handled.
    await table.play(random_game(1)[1:2])
    said = [exchange for exchange in club.world.exchanges[asked:] if exchange.method != "GET"]
    assert len(said) <= 2  # the board, and the buttons of the previous one
    after = all_rows(club.bot)
    assert len(after["events"]) == len(before["events"]) + 1


def leaves(commands: list[dict[str, Any]]) -> Iterator[tuple[list[dict[str, Any]], Any]]:
    """Return the path of every command and subcommand, with its declaration."""
    for command in commands:
        inner = [row for row in command.get("options", ()) if row["type"] in (SUBCOMMAND, GROUP)]
        if not inner:
            yield [command], command
        for way, leaf in leaves(inner):
            yield [command, *way], leaf


def filled(club: Club, leaf: dict[str, Any], word: str) -> list[dict[str, Any]]:
    """Return a value for each option of a command."""
    values = {
        3: word,
        4: 1,
        5: True,
        6: str(club.bob.id),
        7: str(club.channel.id),
        8: str(club.guild.id),  # everyone has this role
        11: "1",
    }
    return [
        {
            "name": option["name"],
            "type": option["type"],
            "value": option["choices"][0]["value"]
            if option.get("choices")
            else values[option["type"]],
        }
        for option in leaf.get("options", ())
    ]


async def every_command(club: Club, person: Person, table: Table) -> list[Answer | None]:
    """Use every command, including those that this user is not offered."""
    answers: list[Answer | None] = []
    commands = list(club.world.application.commands.values())
    assert len(commands) > 10
    user = {"id": str(club.bob.id), "username": "bob", "discriminator": "0", "avatar": None}
    channel = {"id": str(club.channel.id), "type": 0, "name": "x", "permissions": "0"}
    file = {"id": "1", "filename": "game.txt", "size": 2, "url": "x", "proxy_url": "x"}
    resolved = {
        "users": {user["id"]: user},
        "channels": {channel["id"]: channel},
        "attachments": {file["id"]: file},
    }
    for way, leaf in leaves(commands):
        options = leaf.get("options", ())
        takes_text = any(option["type"] == TEXT and not option.get("choices") for option in options)
        for word in WORDS if takes_text else WORDS[:1]:
            data = {"id": way[0]["id"], "name": way[0]["name"], "type": 1, "resolved": resolved}
            place: dict[str, Any] = data
            for step in way[1:]:
                inner = {"name": step["name"], "type": step["type"]}
                place["options"] = [inner]
                place = inner
            place["options"] = filled(club, leaf, word)
            using = person._use(InteractionKind.COMMAND, table.channel, data)
            try:
                answers.append(await using)
            except InteractionFailed:
                answers.append(None)
    return answers


async def test_a_stranger_tries_every_command_on_a_game(club: Club) -> None:
    table = await club.start_game(start="balanced")
    await table.board(0)
    eve = club.guild.add_person("Eve")
    boards, before = table.boards(), rows_of_others(club.bot, eve.id)
    answers = await every_command(club, eve, table)
    assert None not in answers
    newest = table.channel.messages[-1]
    for message in [
        message for message in table.channel.messages if message.buttons and is_board(None)(message)
    ]:
        for button in message.buttons:
            await eve.click(message, custom_id=button.custom_id)
            newest = message
    assert rows_of_others(club.bot, eve.id) == before
    assert table.boards() == boards
    assert newest.buttons  # the game's own board still has them


async def test_a_flood_of_lists_and_forms_by_a_player_plays_each_turn_once(club: Club) -> None:
    """Even a player may press and type as fast as they can."""
    table = await club.start_game()
    legal = [str(move) for move in table.position.legal_moves()]
    uses = [club.ann.slash(club.channel, "move", move=text) for text in legal[:40]]
    answers = await asyncio.gather(*uses)
    (move,) = (text for text, one in zip(legal, answers, strict=False) if not texts(one))
    table.position = table.position.play(parse_move(move))
    await table.board(1)
    assert table.boards() == ["dvonn-1-0.png", "dvonn-1-1.png"]
    moderator = club.guild.add_person("Mod", permissions=Permission.MANAGE_CHANNELS)
    await moderator.slash(club.channel, "setup abort")
    await table.board(2)
