"""Tests that an open offer and its answer leave the board's buttons in place."""

from sandbox import Message
from tests.e2e.conftest import Club, Table, is_board, message_of, texts
from tests.e2e.database import seed_of
from tests.e2e.test_offers import note
from tests.games import drawn


def can_press(message: Message) -> list[str]:
    return [button.label for button in message.buttons if not button.disabled]


async def begin(club: Club) -> Table:
    """A game on a full board. Ann is to move, and has moved once."""
    table = await club.start_game(start="balanced")
    table.position = drawn(seed_of(club.bot, 1))
    return table


async def move_by_buttons(table: Table, board: Message) -> Message:
    """Play a move with the buttons of a message. Return the next board."""
    person, move = table.to_move, table.position.legal_moves()[0]
    assert move.source is not None
    view = message_of(await person.click(board, "Move"))
    await person.click(view, str(move.source))
    landing = next(
        button.label for button in view.buttons if button.label.split()[0] == str(move.target)
    )
    await person.click(view, landing)
    table.position = table.position.play(move)
    return await table.channel.wait_for(is_board(None), after=board)


async def test_the_questions_button_lets_a_player_move(club: Club) -> None:
    table = await begin(club)
    await move_by_buttons(table, await table.board(0))
    await club.ann.slash(club.channel, "draw")
    asked = await note(table, "offers a draw")
    assert can_press(asked) == ["Accept", "Decline", "Move", "More"]
    after = await move_by_buttons(table, asked)
    assert "The offer is off the table." in after.content


async def test_after_a_decline_the_board_has_its_buttons_and_the_word_has_not(club: Club) -> None:
    table = await begin(club)
    await table.board(0)
    await club.ann.slash(club.channel, "draw")  # Ann also moves: the offer stays open
    await note(table, "offers a draw")
    await table.type(table.position.legal_moves()[0])
    board = await table.board(2)
    ways = ["Move", "Guess the move", "More"]
    assert can_press(board) == [*ways, "Accept", "Decline"]
    assert f"{club.ann.mention} offers a draw. {club.bob.mention}, accept?" in board.content
    await club.bob.click(board, "Decline")
    declined = await note(table, "declined")
    assert can_press(declined) == ["More"]
    await table.channel.wait_for(lambda one: one is board and can_press(one) == ways)
    assert [button.label for button in board.buttons] == [*ways, "Accept", "Decline"]
    await move_by_buttons(table, board)


async def test_a_planned_reply_asks_nobody_to_accept_their_own_offer(club: Club) -> None:
    table = await begin(club)
    first, reply = table.position.legal_moves()[0], None
    after = table.position.play(first)
    reply = after.legal_moves()[0]
    await club.bob.slash(club.channel, "plan", moves=f"{first}: {reply}")
    await club.ann.slash(club.channel, "draw")
    asked = await note(table, "offers a draw")
    table.position = after.play(reply)
    await club.ann.say(club.channel, str(first))
    board = await table.channel.wait_for(is_board(None), after=asked)
    assert f"{club.ann.mention}, your turn" in board.content.splitlines()[0]
    assert f"{club.ann.mention} offers a draw. {club.bob.mention}, accept?" in board.content
    assert can_press(board)[0] == "Move"
    assert texts(await club.ann.click(board, "Accept")).startswith("That's your own offer.")
    await move_by_buttons(table, board)


async def test_an_answer_in_place_moves_no_button_and_a_late_one_is_sent(club: Club) -> None:
    table = await begin(club)
    await table.type(table.position.legal_moves()[0])
    await table.board(1)
    await club.ann.slash(club.channel, "draw")
    asked = await note(table, "offers a draw")
    labels, forms = [button.label for button in asked.buttons], list(asked.components)
    await club.bob.click(asked, "Decline")
    await table.channel.wait_for(lambda one: one is asked and "declined" in one.content)
    assert [button.label for button in asked.buttons] == labels
    assert can_press(asked) == labels[2:]
    asked.components = forms  # on an outdated screen
    for label in ("Accept", "Decline"):
        late = texts(await club.bob.click(asked, label))
        assert late == "That offer is over. Play on, or make one yourself."


async def test_a_typed_undo_has_a_board_of_its_own_and_more_has_one(club: Club) -> None:
    table, bot = await begin(club), club.world.bot_user.mention
    board = await table.board(0)
    more = message_of(await club.ann.click(board, "More"))
    assert "Undo" not in [button.label for button in more.buttons]  # there is nothing to take back
    move = table.position.legal_moves()[0]
    said = await club.ann.say(club.channel, str(move))
    board = await table.board(1)
    said = await club.ann.say(club.channel, f"{bot} undo")
    back = await table.channel.wait_for(is_board(2))
    assert back.id > said.id > board.id
    assert back.content.startswith(f"{club.ann.mention} took back {move}.")
    assert [message.reference for message in club.channel.messages if message.id > said.id] == [
        None
    ]
    await table.channel.wait_for(lambda one: one is board and not one.buttons)

    await club.ann.say(club.channel, str(move))
    board = await table.board(3)
    more = message_of(await club.ann.click(board, "More"))
    word = await club.ann.click(more, "Undo")
    assert word.message is more
    assert more.content == "Done." or "I asked." in more.content
