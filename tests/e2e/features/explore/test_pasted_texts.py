"""Tests that pasted texts never keep the event loop busy for long."""

import asyncio
from collections.abc import Sequence

import pytest

from dvonn import GameRecord, Position, position_to_text, to_diagram
from dvonn.formats import write_records
from sandbox import Message, Person
from tests.e2e.conftest import FAULTS, Club, message_of, texts
from tests.fuzz.long_texts import LONG_TEXTS
from tests.games import positions_of, random_game

GAME = random_game(3)
NASTY = [text.encode() for text in LONG_TEXTS]


async def pastes(person: Person, club: Club, files: Sequence[bytes]) -> list[str]:
    """Upload files one by one, and return the answers."""
    return [
        texts(await person.slash(club.channel, "show", file=("game.txt", contents)))
        for contents in files
    ]


@pytest.fixture
async def watched(empty_club: Club) -> Club:
    """A server whose bot's event loop is measured."""
    empty_club.bot.watch_loop()
    await empty_club.bot.start()
    return empty_club


async def test_no_text_keeps_the_event_loop_busy(watched: Club) -> None:
    club = watched
    people = [club.guild.add_person(f"P{number}") for number in range(4)]
    table = await club.start_game()
    before = len(club.bot.too_long_steps)
    shares = [NASTY[number :: len(people)] for number in range(len(people))]
    pasting = [pastes(one, club, share) for one, share in zip(people, shares, strict=True)]
    said, _ = await asyncio.gather(asyncio.gather(*pasting), table.play(GAME[:8]))
    assert all(words for share in said for words in share)
    assert club.bot.too_long_steps[before:] == []
    assert FAULTS.findall(club.bot.log) == []


async def test_a_printed_board_is_shown_and_played_from(club: Club) -> None:
    position = positions_of(GAME)[60]
    printed = to_diagram(position, legend=False)
    view = message_of(
        await club.ann.slash(club.channel, "show", file=("board.txt", printed.encode()))
    )
    assert "so I guessed" in view.content
    board = texts(await club.ann.slash(club.channel, "show", text=f"```\n{printed}```"))
    assert "so I guessed" in board
    shared = (await club.ann.click(view, "Share")).message
    assert shared is not None
    assert "so I guessed" in shared.content
    form = (await club.ann.click(view, "Choose opponent")).modal
    await club.ann.submit(form, {"opponent": [str(club.bob.id)]})
    asked = await club.channel.wait_for(lambda one: "challenges you" in one.content)
    assert "so I guessed" in asked.content
    explored = message_of(await club.bob.click(shared, "Explore"))
    await try_move(club.bob, explored, position)
    assert "so I guessed" in explored.content
    again = message_of(await club.bob.click(shared, "Explore"))  # stored, and read again
    assert "so I guessed" in again.content


async def test_a_record_that_begins_on_a_printed_board_is_read(club: Club) -> None:
    start, moves = positions_of(GAME)[60], " ".join(map(str, GAME[60:63]))
    printed = position_to_text(start, start.stacks)
    assert "?" in printed
    text = f'[White "Jo"]\n[Start "{printed}"]\n\n{moves} *\n'
    view = message_of(await club.ann.slash(club.channel, "show", file=("game.txt", text.encode())))
    assert "Jo" in view.content
    assert "so I guessed" in view.content
    await club.ann.click(view, "Next ▶")
    assert "so I guessed" in view.content  # it was read again from the message
    assert "Move 1 of 3" in view.content
    explored = message_of(await club.ann.click(view, "Explore from here"))
    assert "so I guessed" in explored.content


async def try_move(person: Person, view: Message, position: Position) -> None:
    form = await person.click(view, "Type moves")
    await person.submit(form.modal, {"moves": str(position.legal_moves()[0])})


async def test_a_file_in_any_encoding_and_a_fence_among_words_are_shown(club: Club) -> None:
    text = write_records([GameRecord(GAME, {"White": "J\u00fcrgen"})], "pgn")
    for encoding in ("utf-8-sig", "utf-16", "cp1252"):
        file = ("game.pgn", text.encode(encoding))
        view = message_of(await club.ann.slash(club.channel, "show", file=file))
        assert "J\u00fcrgen" in view.content
        assert f"of {len(GAME)}" in view.content
    words = "what do you think? ||```pgn\n1.g2 c1!? 2.f5 $2 d1 1\u20130\n```||"
    view = message_of(await club.ann.slash(club.channel, "show", text=words))
    assert " of 4" in view.content


async def test_faults_in_a_record_are_reported_with_their_place(club: Club) -> None:
    illegal = '[White "Jo"]\n\n1. g2 c1\n2. f5 g2 *\n'.encode("utf-16")
    said = texts(await club.ann.slash(club.channel, "show", file=("game.txt", illegal)))
    assert said.startswith("Line 4, column 7: `g2` isn't possible there")
    said = texts(await club.ann.slash(club.channel, "show", text='||[White "Jo"]|| 1. g2 zz *'))
    assert said.startswith("Line 1, column 24: I can't read `zz`")


async def test_a_person_who_pastes_too_often_must_wait(watched: Club) -> None:
    club = watched
    said = await pastes(club.ann, club, [NASTY[0]] * 7)
    assert "Please wait" in said[-1]
    assert "I can't read" in said[0]
