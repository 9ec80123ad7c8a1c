"""/help: pages turned by buttons, and words that fit the place where it is asked for."""

import re

import pytest

from dvonn import Position
from renderer import LESSONS, Lesson, describe, render
from sandbox import Channel, Message, Permission
from tests.e2e.conftest import Club, texts
from tests.games import random_game

pytestmark = pytest.mark.e2e

PAGES = (Lesson("play", Position.initial()), *LESSONS.values())


async def ask(club: Club, channel: Channel | None = None) -> Message:
    """Cid asks for help."""
    answer = await club.cid.slash(channel or club.channel, "help")
    assert answer.ephemeral
    assert answer.message is not None
    return answer.message


async def turn_page(club: Club, message: Message) -> None:
    """Press Next."""
    (label,) = (one.label for one in message.buttons if (one.label or "").startswith("Next: "))
    answer = await club.cid.click(message, label)
    assert answer.message is message


async def test_every_page_comes_in_place_with_its_picture(club: Club) -> None:
    message = await ask(club)
    for number, page in enumerate(PAGES, start=1):
        if number > 1:
            await turn_page(club, message)
        assert f"({number} of {len(PAGES)})" in message.content.splitlines()[0]
        (picture,) = message.attachments
        assert picture.filename == f"dvonn-help-{page.name}.png"
        position, last, marks = page.position, page.last, page.marks
        assert picture.description == describe(position, last=last, marks=marks)
        assert await club.cid.fetch(picture) == render(position, last=last, marks=marks)
    await club.cid.click(message, "Back")
    assert f"({len(PAGES) - 1} of {len(PAGES)})" in message.content
    assert club.channel.messages == []
    assert club.cid.inbox == [message]


async def test_the_pages_turn_after_a_restart(club: Club) -> None:
    message = await ask(club)
    await club.bot.restart()
    await turn_page(club, message)
    assert message.content.startswith("### Placing (2 of ")
    await club.bot.restart()
    await club.cid.click(message, "Back")
    assert message.content.startswith("### How to play here (1 of ")


async def test_a_page_that_is_no_more_leads_to_the_first_one(club: Club) -> None:
    message = await ask(club)
    await turn_page(club, message)
    message.buttons[0].payload["custom_id"] = "dvonn:help:chess"  # as an older bot may have sent it
    await club.cid.click(message, custom_id="dvonn:help:chess")
    assert message.content.startswith("### How to play here (1 of ")


@pytest.mark.parametrize("restarts", [0, 1], ids=["told to Discord", "known to Discord already"])
async def test_the_commands_in_it_can_be_clicked(club: Club, restarts: int) -> None:
    for _ in range(restarts):
        await club.bot.restart()
    content = (await ask(club)).content
    ids = {one["name"]: one["id"] for one in club.world.application.commands.values()}
    # A subcommand is clicked by its own name, with the id of its command.
    mentioned = dict(re.findall(r"</([a-z]+)(?: [a-z]+)*:([0-9]+)>", content))
    assert {"challenge", "move", "board", "games", "undo", "resign"} <= set(mentioned)
    assert mentioned.items() <= ids.items()
    assert not re.search(r"(?<![<\w])/[a-z]", content)


async def test_with_the_intent_one_may_type(club: Club) -> None:
    content = (await ask(club)).content
    assert "Type it in this channel" in content
    assert "cannot read" not in content


async def test_without_the_intent_one_replies_or_mentions(empty_club: Club) -> None:
    club = empty_club
    club.world.application.message_content = False
    await club.bot.start()
    content = (await ask(club)).content
    assert "I cannot read plain messages here. Reply to the board" in content
    assert f"write it after {club.world.bot_user.mention}" in content
    assert "Type it" not in content
    assert await club.bot.stop() == 0


async def test_a_running_game_is_told_of_in_its_coordinates(club: Club) -> None:
    assert "</challenge:" in (await ask(club)).content
    table = await club.start_game(coordinates="pergioco")
    await table.play(random_game(1)[:3])
    message = await ask(club)
    assert f"{club.bob.mention} is to move." in message.content
    assert "d2 is row d, number 2" in message.content
    board = (await table.board(3)).attachments[0]
    assert await club.cid.fetch(message.attachments[0]) == board.data
    assert message.attachments[0].description == board.description
    mine = texts(await club.bob.slash(club.channel, "help"))
    assert "That is you!" in mine
    assert message.pinged == frozenset()
    await turn_page(club, message)
    label = table.coordinates.label(PAGES[1].position.legal_moves()[0].target)
    assert f"`{label}` places a piece on {label}." in message.content


async def test_in_a_thread_and_under_slowmode(club: Club) -> None:
    content = (await ask(club)).content
    assert "the next gets a thread of its own" in content
    assert "Slowmode" not in content
    slow = club.guild.create_channel("slow", slowmode_s=600)
    answer = await club.ann.slash(slow, "challenge", opponent=club.bob, where="thread")
    assert answer.message is not None
    await club.bob.click(answer.message, "Accept")
    await slow.wait_for(lambda one: one is answer.message and one.thread)
    assert "Slowmode is on here" in (await ask(club, slow)).content
    thread = answer.message.thread
    assert thread is not None
    content = (await ask(club, thread)).content
    assert "A game is running here." in content
    assert f"in <#{slow.id}>" in content


async def test_what_the_bot_lacks_here_is_said(club: Club) -> None:
    club.guild.set_permissions(club.channel, club.guild.bot_role, deny=Permission.ATTACH_FILES)
    content = (await ask(club)).content
    assert "I need this permission here: Attach Files." in content
    assert content.splitlines()[1].startswith("No game is running here. New to DVONN?")
