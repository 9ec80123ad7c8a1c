"""Tests for guesses: twenty people guess, and the next board shows who was right."""

import asyncio

from dvonn import Move
from sandbox import Message, Person
from tests.e2e.conftest import Club, Table, loses_buttons, message_of, texts
from tests.e2e.database import seed_of
from tests.games import drawn

CALLERS = 20


def asked_in_channels(club: Club) -> list[str]:
    """Return the bot's requests to Discord, except answers to interactions, with their content."""
    return [
        f"{exchange.method} {exchange.route} {exchange.request}"
        for exchange in club.world.exchanges
        if (exchange.route or "").startswith("/channels/") and exchange.method != "GET"
    ]


async def tap(person: Person, board: Message, move: Move) -> str:
    """Guess a move with the picker."""
    assert move.source is not None
    view = message_of(await person.click(board, "Guess the move"))
    assert view.content.startswith("**Guess the move.** What does ")
    assert view.selects == []
    await person.click(view, str(move.source))
    return texts(await person.click(view, str(move.target)))


async def type_in(person: Person, board: Message, text: str) -> str:
    """Guess a move with the form."""
    view = message_of(await person.click(board, "Guess the move"))
    form = await person.click(view, "Type a move")
    assert form.modal is not None
    assert form.modal.title == "Guess the move"
    return texts(await person.submit(form.modal, {"From and to": text}))


async def turn(club: Club, table: Table, move: Move) -> tuple[Message, list[str]]:
    """Play a move, and return everything that the bot sent to the channel for it."""
    older = await table.board(table.position.plies - 49)
    before = len(asked_in_channels(club))
    await table.type(move)
    board = await table.board(table.position.plies - 49)
    await loses_buttons(older)
    return board, asked_in_channels(club)[before:]


async def test_twenty_callers_cost_no_request_and_nothing_leaks(club: Club) -> None:
    table = await club.start_game(start="balanced")
    table.position = drawn(seed_of(club.bot, 1))
    board, plain = await turn(club, table, table.position.legal_moves()[0])
    right, wrong = table.position.legal_moves()[:2]
    people = [club.guild.add_person(f"Caller {number}") for number in range(CALLERS)]
    silent = len(asked_in_channels(club))
    said = [await tap(people[0], board, wrong)]
    said += await asyncio.gather(
        *(tap(person, board, wrong) for person in people[1:4]),
        *(type_in(person, board, str(right)) for person in people[4:]),
    )
    said.append(await tap(people[0], board, right))  # they change their guess
    assert [text.splitlines()[0] for text in said] == [
        f"🎯 You guess **{move}**." for move in (*[wrong] * 4, *[right] * 16, right)
    ]
    assert len(asked_in_channels(club)) == silent
    assert (await type_in(people[5], board, "hello")).startswith("I didn't understand that.")
    assert str(right) not in board.content

    told, with_callers = await turn(club, table, right)
    assert len(with_callers) == len(plain)
    (line,) = (line for line in told.content.splitlines() if line.startswith("🎯"))
    ending = f"and {CALLERS - 3 - 3} others guessed {right} ({CALLERS} tried)!"
    assert line.endswith(ending)
    assert told.pinged == {table.to_move.id}
    assert str(wrong) not in "".join(asked_in_channels(club)[silent:])
    assert str(right) not in club.bot.log

    view = await people[0].ephemeral(lambda one: one.content.startswith("🎯"))
    late = texts(await people[0].click(view, "Change"))
    assert late.startswith("**Guess the move.**")  # guesses of the next move
    await people[0].click(view, "Best guessers")
    assert f"1. {people[0].mention} · 1 of 1 right" in view.content
    picker = message_of(await people[1].click(told, "Move"))
    await turn(club, table, table.position.legal_moves()[0])
    refused = texts(await people[1].click(picker, picker.buttons[0].label))
    assert refused.startswith("Too late, that move has been played.")
