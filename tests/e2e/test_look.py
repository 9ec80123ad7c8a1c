"""Tests for viewing: a player's moves, their consequences, and the board in words."""

from dvonn import Coordinates, format_move
from dvonn_lessons.move_effects import MoveEffects
from renderer import Caption, render
from sandbox import Person
from tests.e2e.conftest import Club, Table, is_board, message_of, tells_of, texts
from tests.e2e.reading import pixels
from tests.games import positions_of, random_game

GAME = random_game(3)
# In this turn a move cuts off stacks, and there are fewer moves than the select holds.
CUTTING = next(
    ply
    for ply, position in enumerate(positions_of(GAME))
    if ply > 49
    and len(position.legal_moves()) <= 25
    and any(position.play(move).removed for move in position.legal_moves())
)


async def at_the_cut(club: Club, coordinates: Coordinates) -> Table:
    """A game after a number of moves."""
    table = await club.start_game(coordinates=coordinates.value)
    await table.reach(GAME[:CUTTING])
    return table


async def suggestions(club: Club, person: Person, typed: str) -> list[tuple[str, str]]:
    """Return the suggestions of /move for a text, as (name, value)."""
    offered = await person.autocomplete(club.channel, "move", move=typed)
    return [(name, str(value)) for name, value in offered]


async def test_my_moves_are_for_me_and_whose_turn_it_is_for_others(club: Club) -> None:
    refused = texts(await club.ann.slash(club.channel, "move"))
    assert refused == (
        "There's no game here right now. /play starts one with me, /challenge one with a friend. "
        "/games has yours."
    )
    board = await (await club.start_game()).board(0)
    mine = texts(await club.ann.menu(board, "My moves"))
    assert mine.startswith("Where does the red piece go? 49 spaces are free:\nRow 5: c5, d5")
    picker = message_of(await club.ann.slash(club.channel, "move"))
    assert len(picker.selects) == 2
    theirs = texts(await club.bob.slash(club.channel, "move"))
    assert theirs == f"It's {club.ann.mention}'s turn."
    watching = texts(await club.cid.menu(board, "My moves"))
    assert watching == "Only the two players can do that. Want a game of your own? Try /challenge."


async def test_the_list_and_the_suggestions_agree_in_the_games_coordinates(club: Club) -> None:
    table = await at_the_cut(club, Coordinates.PERGIOCO)
    mover, legal = table.to_move, table.position.legal_moves()
    board = await table.board(table.position.plies)
    listed = texts(await mover.menu(board, "My moves")).splitlines()
    offered = await suggestions(club, mover, "")
    for move, (name, value) in zip(legal, offered, strict=True):
        assert value == format_move(move, Coordinates.PERGIOCO)
        source, target = value.split("-")
        (line,) = (text for text in listed if text.startswith((f"{source}:", f"{source} (")))
        does = MoveEffects(table.position, move)
        own, others = does.lost(does.mover), does.lost(does.mover.opponent)
        costs = " · ".join(
            [*([f"costs you {own}"] if own else ()), *([f"cuts off {others}"] if others else ())]
        )
        if costs:
            assert name.startswith(f"{value} · {costs} · ")
            assert f" {target} [{costs}]" in line
        else:
            assert name.startswith((f"{value} · white", f"{value} · black", f"{value} · red"))
            assert f" {target}" in line

    name, value = next(row for row in offered if " cuts off " in row[0])
    source, target = value.split("-")
    narrowed = await suggestions(club, mover, f"{source} ")
    assert (name, value) in narrowed
    assert {one.split("-")[0] for _, one in narrowed} == {source}
    assert await suggestions(club, mover, f"{source.upper()} – {target}") == [(name, value)]
    await mover.slash(club.channel, "move", move=value)
    told = await club.channel.wait_for(is_board(table.position.plies + 1))
    assert tells_of(told.content, mover, value)


async def test_waiting_players_are_offered_no_moves(club: Club) -> None:
    assert await club.ann.autocomplete(club.channel, "move", move="") == []
    await club.start_game()
    for person in (club.bob, club.cid):
        assert await person.autocomplete(club.channel, "move", move="") == []
    assert await club.ann.autocomplete(club.channel, "move", move="@everyone") == []


async def test_the_board_in_words_has_no_picture(club: Club) -> None:
    table = await at_the_cut(club, Coordinates.STANDARD)
    answer = await club.cid.slash(club.channel, "board", text=True)
    content = texts(answer)
    assert answer.message is not None
    assert answer.message.attachments == []
    assert f"{table.to_move.mention} to move." in content
    assert "```" not in content
    for point in table.position.stacks:
        assert f" {point} " in content
    plain = message_of(await club.cid.slash(club.channel, "board", text=False))
    assert len(plain.attachments) == 1


async def test_the_actions_in_a_boards_menu(club: Club) -> None:
    """Under *Apps*, on every board of a game and on no other message."""
    table = await club.start_game()
    # boards of the placement are deleted when the next one is posted
    first = await table.reach(GAME[:50])
    newest = await table.play(GAME[50:51])
    outdated = "That's an old board. The newest one is further down."
    words = texts(await club.cid.menu(newest, "Board as text"))
    assert outdated not in words
    assert str(GAME[50]) in words
    assert texts(await club.cid.menu(first, "Board as text")).startswith(outdated)
    mine = texts(await table.to_move.menu(first, "My moves"))
    assert mine.startswith(("You're White. ", "You're Black. "))
    message = await club.bob.say(club.channel, "dvonn-1-0.png")
    for name in ("Board as text", "My moves"):
        refused = texts(await club.bob.menu(message, name))
        assert refused.startswith("There's no board on that message.")


async def test_a_board_names_its_players_as_discord_did_last(club: Club) -> None:
    table = await club.start_game()
    board = await table.play(GAME[:2])
    caption = Caption(white=table.white.user.name, black=table.black.user.name)
    position = positions_of(GAME[:2])[-1]
    shown = render(position, last=GAME[1], caption=caption)
    assert pixels(board.attachments[0].data) == pixels(shown)
