"""Tests for takebacks, draws, random placement and plans, by friendly and hostile people."""

import sqlite3
from contextlib import closing
from datetime import timedelta

from dvonn import GameRecord, Move, Position, finish_placement
from sandbox import Message, Permission, Person
from tests.e2e.conftest import Club, Table, is_board, is_gone, loses_buttons, message_of, texts
from tests.e2e.database import all_rows, seed_of
from tests.e2e.test_hostile import forge
from tests.games import drawn, random_game

MOVES = random_game(1)


def make_moves_older(club: Club, **by: float) -> None:
    """Let time pass after the moves, in the database. The clock of a running bot can't be moved."""
    milliseconds = timedelta(**by) // timedelta(milliseconds=1)
    file = club.bot.folder / "dvonn.sqlite3"
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute("UPDATE events SET at = at - ?", (milliseconds,))


async def place(table: Table, moves: list[Move]) -> Message:
    """Play moves in a game whose board revisions differ from its plies."""
    for move in moves:
        said = await table.type(move)
        board = await table.channel.wait_for(is_board(None), after=said)
    return board


async def note(table: Table, words: str, *, after: Message | None = None) -> Message:
    """Wait for the short message about an offer."""
    return await table.channel.wait_for(
        lambda m: words in m.content and not m.attachments and m.buttons, after=after
    )


async def press(person: Person, board: Message, label: str) -> None:
    """Press a button that is answered by the next message."""
    answer = await person.click(board, label)
    assert answer.message is board or answer.message is None


async def test_later_the_other_is_asked_and_agrees(club: Club) -> None:
    table = await club.start_game()
    await table.play(MOVES[:2])
    await club.bot.stop()
    make_moves_older(club, minutes=5)
    await club.bot.start()
    word = texts(await club.ann.slash(club.channel, "undo"))
    assert word == "I asked. Changed your mind? Press *Decline*."
    asked = await note(table, "would like to undo")
    assert asked.reference is not None
    assert asked.reference.message_id == (await table.board(2)).id
    assert asked.attachments == []
    assert asked.content == (
        f"{club.ann.mention} would like to undo {MOVES[0]}, {MOVES[1]}. {club.bob.mention}, accept?"
    )
    assert asked.pinged == {club.bob.id}
    assert texts(await club.ann.click(asked, "Accept")).startswith("That's your own offer")
    assert texts(await club.cid.click(asked, "Accept")).startswith("Only the two players")
    assert texts(await club.cid.click(asked, "Decline")).startswith("Only the two players")
    await club.bot.restart()
    await press(club.bob, asked, "Accept")
    back = await table.board(4)
    assert back.content.startswith(
        f"{club.ann.mention} took back {MOVES[0]}, {MOVES[1]}. {club.ann.mention}, your"
    )
    assert back.pinged == {club.ann.id}
    table.position = Position.initial()
    await place(table, MOVES[:2])


async def test_a_draw_is_declined_lapses_and_is_agreed(club: Club) -> None:
    table = await club.start_game()
    await table.play(MOVES[:8])
    await club.ann.slash(club.channel, "draw")
    asked = await note(table, "offers a draw")
    again = texts(await club.ann.slash(club.channel, "draw"))
    assert again == "That's your own offer. Wait for the answer, or press *Decline*."
    await press(club.bob, asked, "Decline")
    declined = await note(table, "declined")
    assert declined.pinged == {club.ann.id}
    assert declined.content == f"{club.bob.mention} declined. {club.ann.mention}, your turn."
    again = texts(await club.ann.slash(club.channel, "draw"))
    assert again == "That was declined. You can ask again after your next turn."
    await place(table, MOVES[8:9])
    await club.ann.slash(club.channel, "draw")
    await note(table, "offers a draw", after=declined)
    lapsed = await place(table, MOVES[9:10])  # Bob types a move while the offer is open
    assert "The offer is off the table." in lapsed.content
    for person in (club.bob, club.ann):
        await person.slash(club.channel, "draw")
    end = await table.board(15)
    assert end.content.startswith(f"{club.ann.mention} and {club.bob.mention} agree on a draw.")
    assert end.pinged == {club.bob.id}
    assert texts(await club.bob.slash(club.channel, "draw")).startswith("There's no game")


async def test_an_offer_notifies_even_if_boards_are_edited(club: Club) -> None:
    moderator = club.guild.add_person("Mo", permissions=Permission.MANAGE_CHANNELS)
    await moderator.slash(club.channel, "setup boards", placement="edit")
    table = await club.start_game()
    first = await table.board(0)
    await club.ann.slash(club.channel, "move", move=str(MOVES[0]))
    assert await table.board(1) is first
    await club.ann.slash(club.channel, "draw")
    asked = await note(table, "offers a draw")
    assert asked.pinged == {club.bob.id}


async def test_the_rest_is_placed_by_lot(club: Club) -> None:
    table = await club.start_game()
    board = await table.play(MOVES[:9])
    more = message_of(await club.ann.click(board, "More"))
    await club.ann.click(more, "Fill at random")
    await is_gone(more)
    asked = await note(table, "suggests placing the rest")
    assert asked.pinged == {club.bob.id}
    await press(club.bob, asked, "Accept")
    full = await table.board(11)
    assert "Board full!" in full.content
    page = message_of(await club.cid.click(full, "More"))
    await club.cid.click(page, "Record")
    record = GameRecord.from_text((await club.cid.fetch(page.attachments[0])).decode())
    for move in finish_placement(table.position, int(record.headers["Seed"])):
        table.position = table.position.play(move)
    assert full.pinged == {table.to_move.id} - {club.bob.id}  # the one who has just accepted
    more = message_of(await club.ann.click(full, "More"))
    assert "Fill at random" not in [button.label for button in more.buttons]
    await place(table, [table.position.legal_moves()[0]])


async def test_strangers_and_forged_ids_change_nothing(club: Club) -> None:
    table = await club.start_game()
    await table.play(MOVES[:4])
    await club.ann.slash(club.channel, "draw")
    asked = await note(table, "offers a draw")
    eve = club.guild.add_person("Eve")
    before = all_rows(club.bot)
    forged = [
        f"dvonn:board:{game}:{revision}:{action}"
        for game in (1, 2, 999_999_999_999_999_999)
        for revision in (0, 4, 5, 6, 999_999_999)
        for action in ("accept", "decline")
    ]
    for answer in await forge(eve, asked, forged[:25]):
        assert answer is not None
        assert texts(answer)
    theirs = [text for text in forged[:25] if not text.startswith("dvonn:board:1:5:")]
    for person in (club.ann, club.bob):
        for answer in await forge(person, asked, theirs):
            assert answer is not None
            assert texts(answer)
    for command in ("undo", "draw", "resign", "plan"):
        answer = await eve.slash(club.channel, command)
        assert (
            texts(answer)
            == "Only the two players can do that. Want a game of your own? Try /challenge."
        )
    elsewhere = club.guild.create_channel("elsewhere")
    for person in (club.ann, eve):
        for command in ("undo", "draw", "resign", "plan"):
            assert texts(await person.slash(elsewhere, command)).startswith("There's no game")
    assert all_rows(club.bot) == before
    await press(club.bob, asked, "Accept")
    await table.board(6)


async def test_a_board_replaces_the_previous_one_and_its_offer(club: Club) -> None:
    table = await club.start_game(start="balanced")
    table.position = drawn(seed_of(club.bot, 1))
    await table.board(0)
    await table.type(table.position.legal_moves()[0])
    board = await table.board(1)
    await club.ann.slash(club.channel, "draw")
    asked = await note(table, "offers a draw")
    await table.type(table.position.legal_moves()[0])
    await table.board(3)
    await loses_buttons(asked)
    await loses_buttons(board)
