"""Tests for placement in a few messages: lists, random placement, several moves."""

from dvonn import Color, Move, Position, balanced_start
from tests.e2e.conftest import Club, answer_to, tells_of, texts


def spaces_of(board: tuple[Move, ...], color: Color) -> list[str]:
    """Return one side's placements of a game, in order."""
    position, spaces = Position.initial(), []
    for move in board:
        if position.turn is color:
            spaces.append(str(move))
        position = position.play(move)
    return spaces


async def test_a_placement_is_finished_in_four_messages(club: Club) -> None:
    table = await club.start_game()
    board = balanced_start(3)
    white, black = spaces_of(board, Color.WHITE), spaces_of(board, Color.BLACK)
    said = await club.ann.say(club.channel, " ".join(white[:12]))
    assert "placed" in (await table.board(1)).content
    kept = await answer_to(club, said)
    assert (
        kept.content == f"Got it. On your next turns I'll place {', '.join(white[1:12])}. (/plan)"
    )
    assert kept.pinged == frozenset()
    await club.bob.say(club.channel, ", ".join(black[:12]))
    board_24 = await table.board(24)
    assert board_24.content.startswith(f"{club.bob.mention} placed {black[11]} (as planned).")
    assert board_24.pinged == {club.ann.id}
    assert f"- {club.bob.mention} placed {', '.join(black[:11])}." in board_24.content
    await club.ann.say(club.channel, f"{' '.join(white[12:])}, else next free")
    await table.board(25)
    # One of Bob's spaces is taken, so he gets another one, which Ann had wanted, and so on.
    await club.bob.say(club.channel, f"{black[12]} {white[0]} {' '.join(black[14:])} else next")
    full = await table.board(49)
    assert "Board full!" in full.content
    assert full.pinged == {club.ann.id}
    people = [m for m in club.channel.messages if m.author is not club.world.bot_user]
    assert len(people) == 4
    assert len(table.boards()) == 5
    assert len(full.content) <= 2_000


async def test_the_last_piece_and_the_first_move_in_one_message(club: Club) -> None:
    table = await club.start_game()
    board = balanced_start(4)
    white, black = spaces_of(board, Color.WHITE), spaces_of(board, Color.BLACK)
    await club.ann.say(club.channel, " ".join(white[:-1]))
    await table.board(1)
    await club.bob.say(club.channel, " ".join(black))
    await table.board(48)
    position = Position.initial()
    for move in board:
        position = position.play(move)
    first = position.legal_moves()[0]
    await club.ann.say(club.channel, f"{white[-1]} {first}")
    both = await table.board(50)
    assert tells_of(both.content, club.ann, first)
    assert f" {first}. {club.bob.mention}, your turn." in both.content
    assert f"Earlier: {club.ann.mention} placed {white[-1]}." in both.content
    # Moves of one entry are taken back together.
    word = await club.ann.slash(club.channel, "undo")
    assert texts(word) == "Done."
    back = await table.board(51)
    assert back is both  # this is an edit, which notifies nobody
    assert back.content.startswith(f"{club.ann.mention} took back {white[-1]}, {first}.")
