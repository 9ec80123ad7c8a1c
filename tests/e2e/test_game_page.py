"""Tests for a finished game's page: replay, record, Explore, pasted texts."""

import re
from collections.abc import Callable

from dvonn import Color, GameRecord, Move, format_move, parse_move, position_to_text
from dvonn.link import decode
from sandbox import Message
from tests.e2e.conftest import Club, Table, message_of, running, shown_alone, texts
from tests.e2e.database import seed_of
from tests.games import drawn, positions_of, random_game

FULL = 49
GAME = random_game(5)


def labels(message: Message) -> list[str | None]:
    return [button.label for button in message.buttons]


async def short_game(club: Club, *, rated: bool = True) -> tuple[Table, list[Move]]:
    """Play three moves of a game on a random board."""
    table = await club.start_game(start="balanced", rated=rated)
    table.position = drawn(seed_of(club.bot, 1))
    moves = []
    for revision in range(1, 4):
        moves.append(table.position.legal_moves()[0])
        await table.type(moves[-1])
        await table.board(revision)
    return table, moves


async def resigned(club: Club, table: Table, revision: int = 4) -> Message:
    """Return the last board of a game that Ann resigns."""
    asked = await club.ann.slash(table.channel, "resign")
    await club.ann.click(shown_alone(asked), "Yes, resign")
    return await table.board(revision)


async def test_from_the_last_board_to_the_replay_and_the_files(club: Club) -> None:
    table, moves = await short_game(club)
    last = await resigned(club, table)
    page = shown_alone(await club.cid.click(last, "More"))  # spectators see it, too
    assert f"{club.bob.mention} wins." in page.content
    assert labels(page) == ["Review", "Replay", "Record", "Explore"]
    view = shown_alone(await club.cid.click(page, "Replay"))
    assert view is page  # each view replaces the previous one
    await club.cid.click(view, "Last ⏭")
    assert f"Move 3 of 3: **3. {moves[2]}**" in view.content
    await club.cid.click(view, "◀ Back")
    assert f"**2. {moves[1]}**" in view.content
    await club.cid.select(view, [str(FULL)])
    assert "The board at the start." in view.content
    assert view.attachments[0].data.startswith(b"\x89PNG")

    film = shown_alone(await club.cid.click(view, "Animation"))
    assert film.attachments[0].data.startswith(b"GIF89a")
    assert film.attachments[0].description == last.attachments[0].description
    html = shown_alone(await club.cid.click(view, "Web page"))
    assert html.attachments[0].data.startswith(b"<!doctype html>")
    await club.cid.click(view, "Record")
    (file,) = view.attachments
    record = GameRecord.from_text((await club.cid.fetch(file)).decode())
    assert record.moves[FULL:] == tuple(moves)
    assert (record.headers["White"], record.headers["Black"]) == ("Ann", "Bob")
    assert record.to_text() in view.content

    await club.cid.select(view, ["littlegolem"])
    assert "White [Ann]" in view.content


async def test_each_press_under_a_replay_does_its_own_thing(club: Club) -> None:
    table, moves = await short_game(club)
    last = await resigned(club, table)
    view = shown_alone(await club.cid.click(last, "Replay"))
    steps = {
        "Next ▶": f"Move 1 of 3: **1. {moves[0]}**",
        "Last ⏭": f"Move 3 of 3: **3. {moves[2]}**",
        "◀ Back": f"Move 2 of 3: **2. {moves[1]}**",
        "⏮ First": "The board at the start.",
    }
    shown_at = set()
    for label, line in steps.items():
        await club.cid.click(view, label)
        assert line in view.content.splitlines()
        shown_at.add(view.attachments[0].data)
    assert len(shown_at) == len(steps), "each has its own board"

    elsewhere: dict[str, Callable[[Message], bool]] = {
        "Explore from here": lambda one: "Played: 1." in one.content,
        "Share": lambda one: not one.ephemeral and "shows a board." in one.content,
        "Game page": lambda one: f"{club.bob.mention} wins." in one.content,
        "Animation": lambda one: one.attachments[0].data.startswith(b"GIF89a"),
        "Web page": lambda one: one.attachments[0].data.startswith(b"<!doctype html>"),
        "Record": lambda one: one.attachments[0].filename.endswith(".txt"),
    }
    forms = {"Play from here", "Choose opponent"}
    assert {*labels(view)} == steps.keys() | elsewhere.keys() | forms
    for label, is_it in elsewhere.items():
        view = shown_alone(await club.cid.click(last, "Replay"))
        one = message_of(await club.cid.click(view, label))
        assert is_it(one), label
    view = shown_alone(await club.cid.click(last, "Replay"))
    for label in forms:
        opened = await club.cid.click(view, label)
        assert opened.modal is not None
        assert opened.modal.modal.custom_id.startswith("dvonn:from:1:49")


async def test_a_line_is_tried_through_a_restart_and_shared(club: Club) -> None:
    table, moves = await short_game(club)
    last = await resigned(club, table)
    assert labels(last) == ["Rematch", "Play on against me", "Replay", "More"]
    page = shown_alone(await club.bob.click(last, "More"))
    again = shown_alone(await club.bob.click(page, "Try again"))
    assert "Can you find something better?" in again.content
    view = shown_alone(await club.cid.click(last, "Replay"))
    await club.cid.select(view, [str(FULL + 1)])
    await club.bot.restart()
    await club.cid.click(view, "Explore from here")
    start = drawn(seed_of(club.bot, 1))
    position = start.play(moves[0])
    tried = next(move for move in position.legal_moves() if move is not moves[1])
    assert tried.source is not None
    assert f"Played: 2. {moves[1]}." in view.content
    await club.cid.click(view, "Move")
    await club.cid.click(view, tried.source)
    await club.cid.click(view, tried.target)
    assert f"You tried: **2. {tried}**" in view.content
    then = position.play(tried).legal_moves()[0]
    form = await club.cid.click(view, "Type moves")
    await club.cid.submit(form.modal, {"moves": format_move(then)})
    assert f"You tried: **2. {tried} {then}**" in view.content
    await club.cid.click(view, "Undo")
    assert f"You tried: **2. {tried}**" in view.content

    told = await club.cid.click(view, "Share")
    assert told.message is not None
    assert not told.ephemeral
    assert f"**2. {tried}**" in told.message.content
    own = shown_alone(await club.bob.click(told.message, "Explore"))
    assert f"You tried: **2. {tried}**" in own.content

    page = shown_alone(await club.ann.click(last, "More"))
    again = shown_alone(await club.ann.click(page, "Try again"))
    turns = [start.turn, position.turn, position.play(moves[1]).turn]
    mine = max(number for number, turn in enumerate(turns) if turn is Color.WHITE)
    assert f"Played: {mine + 1}. {moves[mine]}." in again.content


async def test_my_games_and_menus_lead_there_and_a_running_game_is_left_alone(club: Club) -> None:
    table, moves = await short_game(club)
    board = await table.board(2)
    view = shown_alone(await club.cid.menu(board, "Replay"))
    assert f"Move 2 of 3: **2. {moves[1]}**" in view.content
    assert "Share" not in labels(view)
    own = shown_alone(await club.cid.menu(board, "Explore from here"))
    assert {"Ask the machine", "Share"}.isdisjoint(labels(own))
    refused = texts(await club.cid.menu(board, "Review"))
    assert refused == "This game is still on, so I'll keep quiet until it's over."
    assert texts(await club.cid.menu(board, "Board as text")).startswith("That's an old board.")
    mine = texts(await table.to_move.menu(board, "My moves"))
    assert format_move(table.position.legal_moves()[-1]).partition("-")[2] in mine
    for button in own.buttons:  # a forged press is refused
        if button.label == "Type moves":
            button.payload["custom_id"] = button.payload["custom_id"].replace("type", "share")
    refused = texts(await club.cid.click(own, "Type moves"))
    assert refused == "This game is still being played. Share it when it's over."

    await resigned(club, table)
    listed = shown_alone(await club.ann.slash(club.channel, "games"))
    assert f"1. vs {club.bob.mention}: lost · " in listed.content
    await club.ann.select(listed, ["1"])
    assert f"{club.bob.mention} wins." in listed.content


async def test_whatever_is_pasted_or_uploaded_is_drawn(club: Club) -> None:
    positions = positions_of(GAME)
    record = GameRecord(GAME, {"White": "Ann", "Black": "Bob"}).to_text()
    view = shown_alone(
        await club.ann.slash(club.channel, "show", file=("game.txt", record.encode()))
    )
    heading, where = view.content.splitlines()[:2]
    assert heading == "**Ann – Bob**"
    assert where == f"Move 0 of {len(GAME)}", "a game opens at its start"
    assert len(view.content) < 250, "no list of moves"
    assert all(len(line) < 150 for line in view.content.splitlines())
    await club.bot.restart()
    await club.ann.click(view, "Last ⏭")
    assert f"Move {len(GAME)} of {len(GAME)}" in view.content
    assert view.content.startswith(heading)
    await club.ann.select(view, ["60"])
    assert f"**60. {GAME[59]}**" in view.content
    await club.ann.click(view, "Explore from here")
    told = await club.ann.click(view, "Share")
    assert told.message is not None
    assert not told.ephemeral
    assert told.message.attachments[0].data.startswith(b"\x89PNG")
    own = shown_alone(await club.bob.click(told.message, "Explore"))
    assert f"After 60. {GAME[59]}." in own.content

    listed = " ".join(map(str, GAME[:60]))
    view = shown_alone(await club.bob.slash(club.channel, "show", text=listed))
    assert view.content.startswith("Move 60 of 60"), "a list of moves leads to where it stands"
    one_line = position_to_text(positions[60])
    view = shown_alone(await club.ann.slash(club.channel, "show", text=one_line))
    assert one_line in view.content
    form = await club.ann.slash(club.channel, "show", move=50)
    view = shown_alone(await club.ann.submit(form.modal, {"pasted": record}))
    assert f"**50. {GAME[49]}**" in view.content
    for options, words in (
        ({"text": "hello"}, "I couldn't read that."),
        ({"file": ("x.png", b"\x89PNG\xff")}, "That file isn't text."),
        ({"file": ("x.txt", b"d2 " * 10_000)}, "That's too much"),
    ):
        refused = texts(await club.ann.slash(club.channel, "show", **options))
        assert refused.startswith(words)


async def test_a_move_can_be_chosen_on_the_hosts_page(empty_club: Club) -> None:
    club, page = empty_club, "https://example.org/dvonn.html"
    club.bot.settings["GAME_PAGE"] = page
    async with running(club):
        table = await club.start_game()
        await table.type(parse_move("d2"))
        board = await table.board(1)
        found = shown_alone(await club.bob.click(board, "More"))
        (link,) = re.findall(r"\[Choose on a board\]\(<(.+)>\)", found.content)
        assert link.startswith(f"{page}#")
        assert decode(link).moves == (parse_move("d2"),)
        found = shown_alone(await club.ann.click(board, "More"))
        assert "Choose on a board" not in found.content
