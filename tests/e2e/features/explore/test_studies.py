"""Tests for studies: moves for both sides, stored lines and comments, the list in /games."""

import re
from importlib.util import find_spec

import pytest

from dvonn import GameRecord, format_move, position_from_text
from sandbox import Answer, Message
from tests.e2e.conftest import FAULTS, Club, message_of, shown_alone, texts
from tests.e2e.database import seed_of
from tests.e2e.test_game_page import labels, resigned, short_game
from tests.games import drawn, played_out


def lists(message: Message, end: str) -> list[str]:
    """Return the ids of selects that end in a word: studies in /games, or lines on a board."""
    ids = [select.custom_id or "" for select in message.selects]
    return [text for text in ids if text.endswith(end)]


async def typed(club: Club, view: Message, button: str, field: str, text: str) -> Answer:
    """Press a button, and submit the form that opens."""
    answer = await club.ann.click(view, button)
    return await club.ann.submit(answer.modal, {field: text})


async def test_a_study_with_a_comment_is_stored_and_continued(club: Club) -> None:
    view = shown_alone(await club.ann.slash(club.channel, "play", level=0))
    await typed(club, view, "Comment", "said", "the *last* one")
    listed = shown_alone(await club.ann.slash(club.channel, "games"))
    again = shown_alone(
        await club.ann.select(listed, ["1"], custom_id=lists(listed, "studies:open")[0])
    )
    assert r"💬 the \*last\* one" in again.content
    opened = await club.ann.click(again, "Play from here")
    asked = await club.ann.submit(opened.modal, {"opponent": [str(club.bob.id)]})
    assert message_of(asked).pinged == {club.bob.id}


@pytest.mark.later("many steps of the same board, and two restarts")
async def test_both_sides_are_played_through_restarts_found_again_and_shared(club: Club) -> None:
    assert not lists(message_of(await club.ann.slash(club.channel, "games")), "studies:open")
    view = shown_alone(await club.ann.slash(club.channel, "play", level=0))
    assert "I keep this board" in view.content
    assert {"Undo", "Turn the board", "Comment", "Share"} <= set(labels(view))
    told = await club.ann.click(view, "Share")
    start = position_from_text(re.search(r"```\n(.*)\n```", told.message.content)[1])  # type: ignore[index, union-attr]
    moves = played_out(start, 1)
    await club.bot.restart()
    await club.ann.click(view, "Move")
    await club.ann.click(view, str(moves[0].source))
    await club.ann.click(view, str(moves[0].target))
    assert f"After 1. {moves[0]}." in view.content
    for at in range(1, len(moves), 6):
        await typed(club, view, "Type moves", "moves", " ".join(map(str, moves[at : at + 6])))
    assert re.search(
        r"(White|Black) beats (White|Black) \d+–\d+\.|A draw, \d+ to \d+\.", view.content
    )
    await club.ann.click(view, "Undo")
    await club.ann.click(view, "Turn the board")
    await typed(club, view, "Comment", "said", "the *last* one")
    assert r"💬 the \*last\* one" in view.content
    told = await club.ann.click(view, "Share")  # the whole line, which no custom id could hold
    assert told.message is not None
    assert not told.ephemeral
    assert " ".join(map(str, moves[:-1])) in told.message.content
    assert "💬" not in told.message.content
    theirs = shown_alone(await club.bob.click(told.message, "Explore"))
    assert f"After {len(moves) - 1}. {moves[-2]}." in theirs.content

    listed = shown_alone(await club.ann.slash(club.channel, "games"))
    again = shown_alone(
        await club.ann.select(listed, ["1"], custom_id=lists(listed, "studies:open")[0])
    )
    assert r"💬 the \*last\* one" in again.content
    # An outdated view elsewhere shows the current board, and changes nothing.
    await club.ann.click(again, "Undo")
    await club.ann.click(view, "Undo")
    assert view.content == again.content
    # Other people can't open it, whatever they send.
    for button in theirs.buttons:
        if button.label == "Undo":
            button.payload["custom_id"] = "dvonn:study:1:0:back"
    refused = texts(await club.bob.click(theirs, "Undo"))
    assert refused == "That board isn't there anymore. Open a new one."
    assert FAULTS.findall(club.bot.log) == []


@pytest.mark.later("many steps of the same board, and a restart")
async def test_lines_and_comments_stay_with_a_game_and_come_with_its_record(club: Club) -> None:
    table, moves = await short_game(club)
    last = await resigned(club, table)
    page = shown_alone(await club.ann.click(last, "More"))
    view = shown_alone(await club.ann.click(page, "Explore"))
    for _ in range(2):
        await club.ann.click(view, "Undo")
    position = drawn(seed_of(club.bot, 1)).play(moves[0])
    tried = next(move for move in position.legal_moves() if move is not moves[1])
    await typed(club, view, "Type moves", "moves", format_move(tried))
    assert f"You tried: **2. {tried}**" in view.content
    await typed(club, view, "Comment", "said", "better?")
    await club.ann.click(view, "Game page")
    await club.bot.restart()
    await club.ann.click(view, "Explore")  # the board is as she left it
    assert f"You tried: **2. {tried}**" in view.content
    assert "💬 better?" in view.content
    await club.ann.select(view, ["0"], custom_id=lists(view, ":line")[0])
    assert "The board at the start." in view.content
    await club.ann.click(view, "Next ▶")
    assert f"After 1. {moves[0]}." in view.content

    await club.ann.click(view, "Game page")
    await club.ann.click(view, "Record")
    record = GameRecord.from_text((await club.ann.fetch(view.attachments[0])).decode())
    played = record.moves[: -len(moves)]
    assert record.moves[-len(moves) :] == tuple(moves)
    node = record.tree.at((*played, moves[0], tried))
    assert node is not None
    assert node.comment == "better?"
    theirs = shown_alone(await club.bob.click(last, "More"))
    await club.bob.click(theirs, "Record")
    record = GameRecord.from_text((await club.bob.fetch(theirs.attachments[0])).decode())
    assert record.tree.is_plain

    await club.ann.click(view, "Game page")
    await club.ann.click(view, "Explore")
    await club.ann.click(view, "Next ▶")
    ends = {label: value for select in view.selects for label, value in select.options}
    await club.ann.select(view, [ends[f"2. {tried}"]], custom_id=lists(view, ":line")[0])
    await club.ann.click(view, "Delete")
    assert view.content.startswith("Delete 1 move of your board, from 2. ")
    await club.ann.click(view, "Yes, delete")
    assert f"After 1. {moves[0]}." in view.content
    assert not lists(view, ":line")


@pytest.mark.later("a whole review by the engine")
@pytest.mark.skipif(find_spec("numba") is None, reason="the engine's packages are not installed")
async def test_a_board_of_both_sides_is_reviewed_in_its_own_lines(machine_club: Club) -> None:
    club = machine_club
    view = shown_alone(await club.ann.slash(club.channel, "play", level=0))
    told = await club.ann.click(view, "Share")
    start = position_from_text(re.search(r"```\n(.*)\n```", told.message.content)[1])  # type: ignore[index, union-attr]
    moves = played_out(start, 4)
    for at in range(0, len(moves), 40):
        assert "Review" not in labels(view)
        await typed(club, view, "Type moves", "moves", " ".join(map(str, moves[at : at + 40])))
    await club.ann.click(view, "Review")
    if "commented" not in view.content:  # ephemeral messages are not in the channel's history
        await club.channel.wait_for(lambda one: one is view and "commented" in one.content)
    found = re.search(r"I've commented on (\d+) moves", view.content)
    assert found is not None, view.content
    ends = {label: value for select in view.selects for label, value in select.options}
    assert len(ends) == min(int(found[1]) + 2, 25)  # including the start and the main line
    await club.ann.select(view, [list(ends.values())[-1]], custom_id=lists(view, ":line")[0])
    said = view.content.replace("\\", "")  # Discord strips them
    assert re.search(r"💬 (White|Black): [a-z ]+ → [a-z ]+\. Better: ", said)
    assert FAULTS.findall(club.bot.log) == []


async def test_what_is_shared_in_a_locked_thread_is_shown_privately(club: Club) -> None:
    thread = await club.ann.start_thread(club.channel, "closed")
    view = shown_alone(await club.ann.slash(thread, "play", level=0))
    club.guild.set_archived(thread, archived=False, locked=True)
    told = await club.ann.click(view, "Share")
    assert told.ephemeral
    assert told.content
