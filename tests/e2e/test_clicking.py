"""Tests for playing by taps alone: the picker, the form, the rematch."""

from random import Random

from dvonn import Phase, Point, Position, parse_move
from sandbox import Message, Person
from tests.e2e.conftest import (
    Club,
    Table,
    click_as_posted,
    is_board,
    is_gone,
    message_of,
    press,
    texts,
)
from tests.games import random_game

PLACEMENT = 49


async def open_picker(table: Table, person: Person) -> Message:
    """Press the first button under the newest board."""
    board = await table.board(table.position.plies)
    answer = await person.click(board, board.buttons[0].label)
    assert answer.ephemeral
    assert answer.message is not None
    return answer.message


async def tap(table: Table, rng: Random) -> None:
    """Play any legal move by taps, and update our own board."""
    mover, coordinates = table.to_move, table.coordinates
    picker = await open_picker(table, mover)
    if table.position.phase is Phase.PLACEMENT:
        select = rng.choice(picker.selects)
        _, text = rng.choice(select.options)
        await mover.select(picker, [text], custom_id=select.custom_id)
    else:
        stacks = {move.source for move in table.position.legal_moves() if move.source is not None}
        source = coordinates.label(rng.choice(sorted(stacks)))
        await mover.click(picker, source)
        landing = rng.choice(picker.buttons[:-1])  # the last one leads back
        text = f"{source}-{landing.label.split()[0]}"
        await mover.click(picker, landing.label)
    move = parse_move(text, coordinates)
    await is_gone(picker)  # the board shows the move
    table.position = table.position.play(move)
    await table.board(table.position.plies)


async def test_the_picker_offers_exactly_the_legal_moves(club: Club) -> None:
    table = await club.start_game()
    await table.reach(random_game(6)[:30])
    picker = await open_picker(table, table.to_move)
    offered = [value for select in picker.selects for _, value in select.options]
    assert sorted(offered) == sorted(str(move) for move in table.position.legal_moves())
    assert picker.attachments[0].data.startswith(b"\x89PNG")
    await table.reach(random_game(6)[30:60])
    mover = table.to_move
    picker = await open_picker(table, mover)
    offered = []
    first, stacks = picker.attachments[0], [button.label for button in picker.buttons]
    assert picker.selects == []
    for point in map(Point, stacks):
        height, reds = table.position.height(point), table.position.reds(point)
        await mover.click(picker, point)
        assert picker.content.startswith(
            f"{point} ({height} tall" if height > 1 else f"{point} can"
        )
        assert (f", {reds} red)" in picker.content) == (reds > 0)
        *landings, back = picker.buttons
        targets = [button.label.split()[0] for button in landings]
        offered += [f"{point}-{target}" for target in targets]
        (picture,) = picker.attachments
        assert picture.data.startswith(b"\x89PNG")
        assert all(target in (picture.description or "") for target in targets)
        await mover.click(picker, back.label)
    assert [button.label for button in picker.buttons] == stacks
    assert picker.attachments[0].data == first.data  # one tap, and everything is as before
    assert sorted(offered) == sorted(str(move) for move in table.position.legal_moves())


async def test_full_rows_are_left_out(club: Club) -> None:
    table = await club.start_game()
    bottom = [parse_move(f"{column}1") for column in "abcdefghi"]
    await table.play(bottom)
    picker = await open_picker(table, table.to_move)
    assert [select.label for select in picker.selects] == ["Place on c5 to f3", "Place on g3 to j2"]


async def test_an_old_boards_button_opens_a_fresh_picker(club: Club) -> None:
    table = await club.start_game()
    await table.reach(random_game(6)[:PLACEMENT])
    old, then = await table.board(PLACEMENT), movable(table.position)
    await table.play(random_game(6)[PLACEMENT : PLACEMENT + 4])
    # This page is for choosing a move.
    answer = message_of(await click_as_posted(table.to_move, old, "Place"))
    now = movable(table.position)
    assert {button.label for button in answer.buttons} == now != then


def movable(position: Position) -> set[str]:
    """Return the movable stacks of the player to move."""
    return {str(move.source) for move in position.legal_moves()}


async def test_a_stale_picker_answers_kindly(club: Club) -> None:
    table = await club.start_game()
    picker = await open_picker(table, club.ann)
    await club.bot.restart()
    await table.play(random_game(6)[:2])
    await club.ann.select(picker, ["k5"], custom_id=picker.selects[0].custom_id)
    assert picker.content.startswith("That's an old board.")
    assert (picker.selects, picker.buttons, picker.attachments) == ([], [], [])


async def test_a_picker_goes_away_when_its_move_is_typed(club: Club) -> None:
    table = await club.start_game()
    await table.reach(random_game(6)[:PLACEMENT])
    board = await table.board(PLACEMENT)
    picker = message_of(await table.to_move.click(board, "Move"))
    stacks = [button.label for button in picker.buttons]
    await table.to_move.click(picker, stacks[0])
    assert "can go to:" in picker.content
    assert not picker.deleted
    await table.play(random_game(6)[PLACEMENT : PLACEMENT + 1])
    await is_gone(picker)
    again = await open_picker(table, table.to_move)
    offer = await table.white.slash(table.channel, "draw")
    assert offer.message is not None
    assert not again.deleted, "the board is still the same"


async def test_the_buttons_are_for_the_player_to_move(club: Club) -> None:
    table = await club.start_game()
    board = await table.board(0)
    for button in ("Place", "Type a move"):
        waiting = texts(await click_as_posted(club.bob, board, button))
        assert waiting == f"It's {club.ann.mention}'s turn."
        watching = texts(await click_as_posted(club.cid, board, button))
        assert (
            watching == "Only the two players can do that. Want a game of your own? Try /challenge."
        )


async def test_typing_into_the_form(club: Club) -> None:
    table = await club.start_game()
    form = (await press(club.ann, await table.board(0), "Type a move")).modal
    assert form is not None
    assert form.title == "Place a piece"
    assert form.fields == ["A free space"]
    refused = await club.ann.submit(form, {"A free space": "z9"})
    assert texts(refused).startswith("There's no “z9” on this board.")
    await club.bot.restart()  # the form is still on Ann's screen
    played = await club.ann.submit(form, {"A free space": " D3."})
    assert "placed d3" in (await table.board(1)).content
    await is_gone(message_of(played))  # the board shows the move


async def test_a_rematch_has_swapped_colors(club: Club) -> None:
    table = await club.start_game()
    question = message_of(await press(club.ann, await table.board(0), "Resign"))
    await club.ann.click(question, "Yes, resign")
    end = await table.board(1)
    assert texts(await club.cid.click(end, "Rematch")).startswith("Only the two players")
    offer = message_of(await club.bob.click(end, "Rematch"))
    assert offer.pinged == {club.ann.id}
    assert f"{club.bob.mention} plays White" in offer.content
    assert texts(await club.bob.click(end, "Rematch")).startswith(
        "You've already offered a rematch"
    )
    await club.ann.click(end, "Rematch")
    board = await club.channel.wait_for(is_board(0), after=end)
    assert board.pinged == {club.bob.id}
    second = Table(club.channel, club.bob, club.ann, position=Position.initial())
    await club.bob.say(club.channel, "c3")
    await club.channel.wait_for(lambda m: "placed c3" in m.content)
    assert second.to_move is club.bob
