"""Tests that the bot doesn't flood a channel."""

import pytest

from dvonn import Color, Move, balanced_start, parse_move
from sandbox import Message, Permission
from tests.e2e.conftest import Club, Table, answer_to, is_board, is_gone, loses_buttons, message_of
from tests.e2e.test_short_placement import spaces_of
from tests.games import random_game


async def place_by_click(table: Table, move: Move) -> Message:
    """Place a piece by taps, so that nobody writes in the channel."""
    board = [m for m in table.channel.messages if is_board(table.position.plies)(m)][-1]
    picker = message_of(await table.to_move.click(board, "Place"))
    select = next(s for s in picker.selects if str(move) in [v for _, v in s.options])
    await table.to_move.select(picker, [str(move)], custom_id=select.custom_id)
    table.position = table.position.play(move)
    return await table.board(table.position.plies)


async def quiet(club: Club) -> None:
    moderator = club.guild.add_person("Mo", permissions=Permission.MANAGE_CHANNELS)
    await moderator.slash(club.channel, "setup boards", placement="edit")


async def test_placement_edits_the_last_board_where_that_was_chosen(club: Club) -> None:
    await quiet(club)
    table = await club.start_game()
    moves = random_game(61)[:49]
    first = await table.board(0)
    for move in moves[:10]:
        board = await place_by_click(table, move)
        assert board is first
        assert f"placed {move}." in board.content
        assert len(board.attachments) == 1
        assert board.buttons
    # Someone talks: the next board is a new message, and the older one loses its buttons.
    await club.cid.say(club.channel, "nice")
    board = await place_by_click(table, moves[10])
    assert board is not first
    assert await place_by_click(table, moves[11]) is board
    # A typed move is a message, too.
    await table.type(moves[12])
    assert await table.board(13) is not board


async def test_a_kill_in_between_posts_no_second_board(club: Club) -> None:
    await quiet(club)
    table = await club.start_game()
    for number, text in enumerate(["c3", "d3", "e3", "f3", "g3", "h3"]):
        board = await place_by_click(table, parse_move(text))
        if number % 2:
            await club.bot.restart()
            assert board.attachments[0].filename == f"dvonn-1-{number + 1}.png"
    names = table.boards()
    assert len(names) == len(set(names))


async def test_movement_posts_each_board(club: Club) -> None:
    await quiet(club)
    table = await club.start_game()
    full = await table.reach(random_game(61)[:49])
    answer = await table.to_move.slash(
        club.channel, "move", move=str(table.position.legal_moves()[0])
    )
    assert await table.board(50) is not full
    await is_gone(message_of(answer))  # this message only said that the bot is thinking


@pytest.mark.parametrize("typed", [False, True])
async def test_while_placing_there_is_one_board(club: Club, typed: bool) -> None:
    table = await club.start_game()
    board = await table.board(0)
    for move in random_game(61)[:3]:
        older = board
        board = await (table.play([move]) if typed else place_by_click(table, move))
        assert board.pinged == {table.to_move.id}
        await is_gone(older)
    assert table.boards() == [f"dvonn-1-{revision}.png" for revision in range(4)]


async def test_the_boards_of_the_movement_stay(club: Club) -> None:
    table = await club.start_game()
    moves = balanced_start(3)
    for color, person in ((Color.WHITE, club.ann), (Color.BLACK, club.bob)):
        await person.say(club.channel, " ".join(spaces_of(moves, color)))
    full = await table.board(49)
    for move in moves:
        table.position = table.position.play(move)
    boards = [full, *[await table.play([table.position.legal_moves()[0]]) for _ in range(2)]]
    for older in boards[:2]:
        await loses_buttons(older)
    placing = [message for message in club.channel.messages if is_board(1)(message)]
    assert [item.deleted for item in (*placing, *boards)] == [False] * 3


async def test_a_board_that_cannot_be_deleted_changes_nothing(club: Club) -> None:
    delete = "DELETE /channels/{id}/messages/{id}"
    table = await club.start_game()
    refused = club.world.faults.answer(delete, status=403, times=None)
    first = await table.board(0)
    await table.play(random_game(61)[:5])
    await club.bot.restart()
    await table.play(random_game(61)[5:8])
    assert refused.hits
    assert not first.deleted
    assert table.boards() == [f"dvonn-1-{revision}.png" for revision in range(9)]


async def test_refusals_are_deleted_once_the_move_succeeds(club: Club) -> None:
    table = await club.start_game()
    typo = await answer_to(club, await club.ann.say(club.channel, "z9"))
    early = await answer_to(club, await club.bob.say(club.channel, "c3"))
    await table.play(random_game(61)[:1])
    await is_gone(typo)
    assert not early.deleted  # this answered Bob, who has not placed yet
    await place_by_click(table, random_game(61)[1])
    await is_gone(early)
