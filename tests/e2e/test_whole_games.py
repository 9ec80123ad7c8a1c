"""Tests for whole games through the real bot: each ply is typed and each board is read."""

from random import Random

from dvonn import Color, Move
from sandbox import Message, Person
from tests.e2e.conftest import Club, Table
from tests.e2e.database import seed_of
from tests.e2e.special_games import first_game, is_draw, white_passes_at_the_start
from tests.games import drawn, positions_of


def told_correctly(table: Table, board: Message) -> None:
    """Check that a board says who is next, pings only that player, and tells what the move did."""
    position = table.position
    moved = next((item for item in (table.white, table.black) if _has_played(board, item)), None)
    called = {table.white, table.black} if position.turn is None else {table.to_move}
    assert board.pinged == {item.id for item in called if item is not moved}
    if position.turn is not None:
        assert f"{table.to_move.mention}, your turn" in board.content.splitlines()[0]
    for point in position.removed:
        assert table.coordinates.label(point) in board.content
    for color in position.passed:
        passing = table.player(color).mention
        assert f"{passing} can't move and passes." in board.content
    picture = board.attachments[0]
    assert picture.description
    assert len(picture.description) <= 1024
    assert picture.data.startswith(b"\x89PNG")


def _has_played(board: Message, person: Person) -> bool:
    said = board.content.splitlines()[0]
    return any(f"{person.mention} {did} " in said for did in ("moved", "placed", "took"))


async def play_and_check(table: Table, moves: list[Move]) -> Message:
    for move in moves:
        board = await table.play([move])
        told_correctly(table, board)
    return board


async def test_white_must_pass_before_the_first_move(club: Club) -> None:
    table = await club.start_game()
    moves = white_passes_at_the_start()
    await table.reach(moves[:49])
    board = await play_and_check(table, moves[49:50])
    full = await table.board(49)
    assert f"{club.ann.mention} can't move and passes." in full.content
    assert board.content.startswith(club.bob.mention)
    await play_and_check(table, moves[50:52])


async def test_a_draw(club: Club) -> None:
    table = await club.start_game()
    moves = first_game(is_draw)
    await table.reach(moves[:49])
    end = await play_and_check(table, moves[49:])
    score = positions_of(moves)[-1].score(Color.WHITE)
    assert f" draw {score}–{score}." in end.content


async def test_a_game_on_a_drawn_board(club: Club) -> None:
    table = await club.start_game(start="balanced")
    board = await table.board(0)
    table.position = drawn(seed_of(club.bot, 1))
    assert board.pinged == {table.to_move.id}
    rng = Random(1)
    for number in range(1, 11):
        await table.type(rng.choice(table.position.legal_moves()))
        if number == 5:
            await club.bot.restart()
        told_correctly(table, await table.board(number))
    assert table.boards() == [f"dvonn-1-{revision}.png" for revision in range(11)]
