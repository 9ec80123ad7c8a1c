"""Whole games through the real bot, each ply typed, each board read."""

import re
from random import Random

import pytest

from dvonn import (
    Color,
    Move,
    Phase,
    balanced_start,
    format_move,
    symmetric_start,
)
from sandbox import Message, Person
from tests.e2e.conftest import Club, Table, texts
from tests.e2e.special_games import (
    first_game,
    is_draw,
    plies_of_passed_players,
    white_passes_at_the_start,
)
from tests.games import positions_of, random_game
from tests.postgresql import without_tables

pytestmark = pytest.mark.e2e


def told_correctly(table: Table, board: Message) -> None:
    """A board says who is next, pings only who has not just moved, and tells of what came of it."""
    position = table.position
    moved = next((one for one in (table.white, table.black) if _begins_with(board, one)), None)
    called = {table.white, table.black} if position.turn is None else {table.to_move}
    assert board.pinged == {one.id for one in called if one is not moved}
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


def _begins_with(board: Message, person: Person) -> bool:
    return board.content.startswith(f"{person.mention} ")


async def play_and_check(table: Table, moves: list[Move]) -> Message:
    for move in moves:
        board = await table.play([move])
        told_correctly(table, board)
    return board


@pytest.mark.thorough("a whole game by one more road; each ply of another is looked at")
async def test_a_whole_game(club: Club) -> None:
    table = await club.start_game()
    moves = random_game(21)
    end = await play_and_check(table, moves)
    assert table.position.phase is Phase.OVER
    white, black = table.position.score(Color.WHITE), table.position.score(Color.BLACK)
    assert f"{club.ann.mention} (White) {white}, {club.bob.mention} (Black) {black}." in end.content
    assert [button.label for button in end.buttons] == [
        "Rematch",
        "Replay",
        "Try again",
        "Game page",
    ]
    assert table.boards() == [f"dvonn-1-{revision}.png" for revision in range(len(moves) + 1)]
    assert re.match(rf"<@[0-9]+> moved {moves[-1]}\.", end.content)
    # The channel is free for the next game.
    await club.start_game(challenger=club.bob, opponent=club.ann)


async def test_white_must_pass_before_the_first_move(club: Club) -> None:
    table = await club.start_game()
    moves = white_passes_at_the_start()
    await table.reach(moves[:49])
    board = await play_and_check(table, moves[49:50])
    full = await table.board(49)
    assert f"{club.ann.mention} can't move and passes." in full.content
    assert board.content.startswith(club.bob.mention)
    await play_and_check(table, moves[50:52])


@pytest.mark.thorough("what the rules have, which tests/dvonn holds, over the wire once more")
async def test_a_player_who_had_to_pass_moves_again(club: Club) -> None:
    table = await club.start_game()
    moves = first_game(plies_of_passed_players)
    await table.reach(moves[:49])
    await play_and_check(table, moves[49 : plies_of_passed_players(moves)[0] + 1])


async def test_a_draw(club: Club) -> None:
    table = await club.start_game()
    moves = first_game(is_draw)
    await table.reach(moves[:49])
    end = await play_and_check(table, moves[49:])
    score = positions_of(moves)[-1].score(Color.WHITE)
    assert f"A draw, {score}–{score}." in end.content


@pytest.mark.parametrize(
    "start",
    [
        "balanced",
        pytest.param("symmetric", marks=pytest.mark.thorough("the same on another ready board")),
    ],
)
async def test_a_game_on_a_drawn_board(club: Club, start: str) -> None:
    table = await club.start_game(start=start)
    board = await table.board(0)
    looks = texts(await club.cid.slash(club.channel, "board"))
    seed = int(looks.split("Board seed: ")[1].split(".")[0])
    draw = {"balanced": balanced_start, "symmetric": symmetric_start}[start]
    for placement in draw(seed):
        table.position = table.position.play(placement)
    assert board.pinged == {table.to_move.id}
    rng = Random(1)
    for number in range(1, 11):
        await table.type(rng.choice(table.position.legal_moves()))
        if number == 5:
            await club.bot.restart()
        told_correctly(table, await table.board(number))
    assert table.boards() == [f"dvonn-1-{revision}.png" for revision in range(11)]


@pytest.mark.thorough("a whole game by one more road; each ply of another is looked at")
async def test_two_games_interleaved(club: Club) -> None:
    second_channel = club.guild.create_channel("dvonn-too")
    one = await club.start_game()
    two = await club.start_game(
        second_channel, challenger=club.bob, opponent=club.ann, coordinates="pergioco"
    )
    games = [(one, random_game(31)), (two, random_game(32))]
    # Both placements begin by turns, and so do both movements.
    for plies in (range(6), range(49, max(len(moves) for _, moves in games))):
        for table, moves in games:
            await table.reach(moves[table.position.plies : plies.start])
        for ply in plies:
            for table, moves in games:
                if ply < len(moves):
                    board = await play_and_check(table, [moves[ply]])
                    played = format_move(moves[ply], table.coordinates)
                    assert re.match(rf"<@[0-9]+> (placed|moved) {played}\.", board.content)
    assert [table.position.phase for table, _ in games] == [Phase.OVER, Phase.OVER]
    for number, (table, moves) in enumerate(games, start=1):
        posted = (*range(8), *range(49, len(moves) + 1))
        assert table.boards() == [f"dvonn-{number}-{revision}.png" for revision in posted]


@pytest.mark.thorough("test_processes.py plays on PostgreSQL, and tests/bot the use cases")
async def test_a_game_on_postgresql(empty_club: Club, postgres_url: str) -> None:
    club = empty_club
    club.bot.settings["DATABASE_URL"] = await without_tables(postgres_url)
    await club.bot.start()
    try:
        table = await club.start_game()
        moves = random_game(21)
        await play_and_check(table, moves[:6])
        await table.reach(moves[6:49])
        await play_and_check(table, moves[49:52])
        await club.bot.restart()
        await play_and_check(table, moves[52:55])
        asked = await club.ann.slash(club.channel, "resign")
        assert asked.message is not None
        await club.ann.click(asked.message, "Yes, resign")
        assert "resigned" in (await table.board(56)).content
    finally:
        assert await club.bot.stop() == 0
