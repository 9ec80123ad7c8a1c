"""After a game: its page, its replay, its record, boards to try moves on, and what is pasted."""

from collections.abc import AsyncIterator
from importlib.util import find_spec

import pytest

from dvonn import Color, GameRecord, Move, Position, format_move, position_to_text
from sandbox import Answer, Message
from tests.e2e.conftest import FAULTS, Club, Table, answer_to, drawn, texts
from tests.e2e.database import seed_of
from tests.games import positions_of, random_game

pytestmark = pytest.mark.e2e

FULL = 49
GAME = random_game(5)


def shown(answer: Answer) -> Message:
    """A view, which only whoever asked for it sees."""
    assert answer.ephemeral
    assert answer.message is not None
    return answer.message


def labels(message: Message) -> list[str | None]:
    return [button.label for button in message.buttons]


async def short_game(club: Club, *, rated: bool = True) -> tuple[Table, list[Move]]:
    """A game on a random board, in which three moves are made."""
    table = await club.start_game(start="balanced", rated=rated)
    table.position = drawn(seed_of(club.bot, 1))
    moves = []
    for revision in range(1, 4):
        moves.append(table.position.legal_moves()[0])
        await table.type(moves[-1])
        await table.board(revision)
    return table, moves


async def resigned(club: Club, table: Table, revision: int = 4) -> Message:
    """The last board of a game that Ann gives up."""
    asked = await club.ann.slash(table.channel, "resign")
    await club.ann.click(shown(asked), "Yes, resign")
    return await table.board(revision)


async def test_from_the_last_board_to_the_replay_and_the_files(club: Club) -> None:
    table, moves = await short_game(club)
    last = await resigned(club, table)
    page = shown(await club.cid.click(last, "Game page"))  # who has only watched sees it, too
    assert f"{club.bob.mention} wins." in page.content
    assert labels(page) == ["Review", "Replay", "Record", "Explore", "Board as text"]
    view = shown(await club.cid.click(page, "Replay"))
    assert view is page  # one view takes the place of the other
    await club.cid.click(view, "Last ⏭")
    assert f"Move 52 of 52: **52. {moves[2]}**" in view.content
    await club.cid.click(view, "◀ Back")
    assert f"**51. {moves[1]}**" in view.content
    await club.cid.select(view, [str(FULL)])
    assert "The board at the start." in view.content
    assert view.attachments[0].data.startswith(b"\x89PNG")

    film = shown(await club.cid.click(view, "Animation"))
    assert film.attachments[0].data.startswith(b"GIF89a")
    assert film.attachments[0].description == last.attachments[0].description
    html = shown(await club.cid.click(view, "Web page"))
    assert html.attachments[0].data.startswith(b"<!doctype html>")
    await club.cid.click(view, "Record")
    (file,) = view.attachments
    record = GameRecord.from_text((await club.cid.fetch(file)).decode())
    assert record.moves[FULL:] == tuple(moves)
    assert (record.headers["White"], record.headers["Black"]) == ("Ann", "Bob")
    assert record.to_text() in view.content

    await club.cid.select(view, ["littlegolem"])
    assert "White [Ann]" in view.content


async def test_a_line_is_tried_through_a_restart_and_shared(club: Club) -> None:
    table, moves = await short_game(club)
    last = await resigned(club, table)
    assert {"Replay", "Try again", "Game page"} <= set(labels(last))
    again = shown(await club.bob.click(last, "Try again"))
    assert "Can you find something better?" in again.content
    view = shown(await club.cid.click(last, "Replay"))
    await club.cid.select(view, [str(FULL + 1)])
    await club.bot.restart()
    await club.cid.click(view, "Explore from here")
    start = drawn(seed_of(club.bot, 1))
    position = start.play(moves[0])
    tried = next(one for one in position.legal_moves() if one is not moves[1])
    assert tried.source is not None
    assert f"Played here: 51. {moves[1]}." in view.content
    await club.cid.select(view, [tried.source])
    await club.cid.click(view, tried.target)
    assert f"You tried: **51. {tried}**" in view.content
    then = position.play(tried).legal_moves()[0]
    form = await club.cid.click(view, "Type moves")
    await club.cid.submit(form.modal, {"moves": format_move(then)})
    assert f"You tried: **51. {tried} {then}**" in view.content
    await club.cid.click(view, "Take back")
    assert f"You tried: **51. {tried}**" in view.content

    told = await club.cid.click(view, "Share")
    assert told.message is not None
    assert not told.ephemeral
    assert f"**51. {tried}**" in told.message.content
    own = shown(await club.bob.click(told.message, "Explore"))
    assert f"You tried: **51. {tried}**" in own.content

    again = shown(await club.ann.click(last, "Try again"))
    turns = [start.turn, position.turn, position.play(moves[1]).turn]
    mine = max(number for number, turn in enumerate(turns) if turn is Color.WHITE)
    assert f"Played here: {FULL + mine + 1}. {moves[mine]}." in again.content


async def test_my_games_and_menus_lead_there_and_a_running_game_is_left_alone(club: Club) -> None:
    table, moves = await short_game(club)
    board = await table.board(2)
    view = shown(await club.cid.menu(board, "Replay"))
    assert f"Move 51 of 52: **51. {moves[1]}**" in view.content
    assert "Share" not in labels(view)
    own = shown(await club.cid.menu(board, "Explore from here"))
    assert {"Ask the engine", "Share"}.isdisjoint(labels(own))
    refused = texts(await club.cid.menu(board, "Review"))
    assert refused == "This game is still running. Its review comes at the end."
    for button in own.buttons:  # a forged press does not help
        if button.label == "Type moves":
            button.payload["custom_id"] = button.payload["custom_id"].replace("type", "share")
    refused = texts(await club.cid.click(own, "Type moves"))
    assert refused == "This game is still being played. Share it when it's over."

    await resigned(club, table)
    listed = shown(await club.ann.slash(club.channel, "games"))
    assert f"1. vs {club.bob.mention}: lost · " in listed.content
    await club.ann.select(listed, ["1"])
    assert f"{club.bob.mention} wins." in listed.content


async def test_whatever_is_pasted_or_uploaded_is_drawn(club: Club) -> None:
    positions = positions_of(GAME)
    record = GameRecord(GAME, {"White": "Ann", "Black": "Bob"}).to_text()
    view = shown(await club.ann.slash(club.channel, "show", file=("game.txt", record.encode())))
    assert f"Move {len(GAME)} of {len(GAME)}" in view.content
    await club.bot.restart()
    await club.ann.click(view, "⏮ First")
    await club.ann.select(view, ["60"])
    assert f"**60. {GAME[59]}**" in view.content
    await club.ann.click(view, "Explore from here")
    told = await club.ann.click(view, "Share")
    assert told.message is not None
    assert not told.ephemeral
    assert told.message.attachments[0].data.startswith(b"\x89PNG")
    own = shown(await club.bob.click(told.message, "Explore"))
    assert f"After 60. {GAME[59]}." in own.content

    one_line = position_to_text(positions[60])
    view = shown(await club.ann.slash(club.channel, "show", text=one_line))
    assert one_line in view.content
    form = await club.ann.slash(club.channel, "show", move=50)
    view = shown(await club.ann.submit(form.modal, {"pasted": record}))
    assert f"**50. {GAME[49]}**" in view.content
    for options, words in (
        ({"text": "hello"}, "I couldn't read that."),
        ({"file": ("x.png", b"\x89PNG\xff")}, "That file isn't text."),
        ({"file": ("x.txt", b"d2 " * 10_000)}, "That's too much"),
    ):
        refused = texts(await club.ann.slash(club.channel, "show", **options))
        assert refused.startswith(words)


@pytest.fixture
async def thinking_club(empty_club: Club) -> AsyncIterator[Club]:
    """A server whose bot has its engine."""
    empty_club.bot.settings["MACHINE"] = "auto"
    await empty_club.bot.start()
    yield empty_club
    assert await empty_club.bot.stop() == 0
    assert FAULTS.findall(empty_club.bot.log) == []


def next_of(position: Position) -> Position:
    """The position after any move."""
    return position.play(position.legal_moves()[0])


@pytest.mark.thorough("over the wire what tests/bot/play/test_fair_play.py asks at every door")
@pytest.mark.skipif(find_spec("numba") is None, reason="the engine's packages are not installed")
async def test_the_engine_speaks_of_no_position_that_people_play(thinking_club: Club) -> None:
    club = thinking_club
    table, _ = await short_game(club, rated=False)
    turn = table.position.turn
    assert turn is not None
    mover, other = (club.ann, club.bob) if turn is Color.WHITE else (club.bob, club.ann)
    here = position_to_text(Position.from_stacks(table.position.stacks, turn=turn))
    on = position_to_text(next_of(next_of(next_of(table.position))))
    elsewhere = club.world.create_guild("Others")
    dan, far = elsewhere.add_person("Dan"), elsewhere.create_channel("dvonn")
    for person, channel, text, words in (
        (club.ann, club.channel, here, "This is close to your own running game"),
        (club.ann, club.channel, on, "This is close to your own running game"),
        (club.cid, club.channel, here, "People are playing a board like this one"),
        (dan, far, on, "People are playing a board like this one"),
    ):
        view = shown(await person.slash(channel, "show", text=text))
        await person.click(view, "Explore from here")
        refused = texts(await person.click(view, "Ask the engine"))
        assert refused.startswith(words)
    view = shown(await club.cid.slash(club.channel, "show", text=here))
    await club.cid.click(view, "Explore from here")

    listed = shown(await other.slash(club.channel, "games"))
    await other.select(listed, ["1"])
    await other.click(listed, "Suggest hints")
    offered = await club.channel.wait_for(lambda one: "suggests hints" in one.content)
    await mover.click(offered, "Accept")
    agreed = await club.channel.wait_for(lambda one: "you both may ask me" in one.content)
    refused = texts(await other.click(agreed, "Hint"))
    assert refused.startswith("It's ")  # only whoever is to move is told
    await mover.click(agreed, "Hint")
    # The engine may have to be compiled first.
    hint = await mover.ephemeral(lambda one: one.content.startswith("I'd play **"))
    assert hint.attachments[0].data.startswith(b"\x89PNG")
    asked = await mover.say(club.channel, f"{club.world.bot_user.mention} hint")
    told = await answer_to(club, asked)
    assert told.content.startswith("You both may ask for hints already: press *Hint*")
    assert "I'd play" not in "".join(one.content for one in club.channel.messages)
    refused = texts(await club.cid.click(view, "Ask the engine"))
    assert refused.startswith("People are playing a board like this one")

    await resigned(club, table, 6)
    await club.cid.click(view, "Ask the engine")
    assert view.content.count("🔎") == 3
