"""Tests for /help: pages turned by buttons, and texts for each place."""

import re

import pytest

from demo.commands import use
from renderer import LESSONS, Caption, describe, render
from sandbox import Channel, Message, Permission
from tests.e2e.conftest import Club, message_of, press, texts
from tests.e2e.reading import pixels
from tests.games import random_game

RULES = tuple(LESSONS.values())


async def ask(club: Club, channel: Channel | None = None) -> Message:
    """Ask for help as Cid."""
    answer = await club.cid.slash(channel or club.channel, "help")
    assert answer.ephemeral
    assert answer.message is not None
    return answer.message


async def turn_page(club: Club, message: Message) -> None:
    """Press the button for the next page."""
    (label,) = (button.label for button in message.buttons if (button.label or "").endswith(" ▶"))
    answer = await club.cid.click(message, label)
    assert answer.message is message


async def test_every_rule_comes_in_place_with_its_picture_and_the_commands_after(
    club: Club,
) -> None:
    message, uncounted = await ask(club), Caption(counted=False)
    assert message.content.startswith("### How to play here\n")
    await club.cid.click(message, "◀ Rules")
    for number, page in enumerate(RULES, start=1):
        if number > 1:
            await turn_page(club, message)
        assert message.content.splitlines()[0].endswith(f"({number} of {len(RULES)})")
        (picture,) = message.attachments
        assert picture.filename == f"dvonn-help-{page.name}.png"
        position, last, marks = page.position, page.last, page.marks
        assert picture.description == describe(position, last=last, marks=marks, caption=uncounted)
        shown = await club.cid.fetch(picture)
        assert pixels(shown) == pixels(render(position, last=last, marks=marks, caption=uncounted))
    await club.bot.restart()
    await turn_page(club, message)
    assert message.content.startswith("### How to play here\n")
    await turn_page(club, message)
    assert message.content.startswith("### More\n")
    assert message.attachments == []
    await club.cid.click(message, "◀ How to play here")
    assert message.content.startswith("### How to play here\n")
    assert club.channel.messages == []
    assert club.cid.inbox == [message]


async def test_a_challenge_and_the_first_board_lead_to_the_rules(club: Club) -> None:
    challenge = message_of(await club.ann.slash(club.channel, "challenge", opponent=club.bob))
    before = challenge.content
    rules = await club.bob.click(challenge, "How to play")
    assert rules.ephemeral
    assert texts(rules).startswith("### The aim (1 of 6)\n")
    assert challenge.content == before
    await club.bob.click(challenge, "Accept")
    first = await club.channel.wait_for(lambda one: bool(one.attachments))
    rules = await press(club.cid, first, "How to play")
    assert rules.ephemeral
    assert texts(rules).startswith("### The aim (1 of 6)\n")


async def test_a_removed_page_leads_to_how_to_play_here(club: Club) -> None:
    message = await ask(club)
    message.buttons[0].payload["custom_id"] = "dvonn:help:chess"  # as an older bot may have sent it
    await club.cid.click(message, custom_id="dvonn:help:chess")
    assert message.content.startswith("### How to play here\n")


@pytest.mark.parametrize("restarts", [0, 1], ids=["told to Discord", "known to Discord already"])
async def test_the_commands_in_it_can_be_clicked(club: Club, restarts: int) -> None:
    for _ in range(restarts):
        await club.bot.restart()
    content = (await ask(club)).content
    ids = {command["name"]: command["id"] for command in club.world.application.commands.values()}
    # A mention of a subcommand has its full name, and the id of its command.
    mentioned = dict(re.findall(r"</([a-z]+)(?: [a-z]+)*:([0-9]+)>", content))
    assert {"challenge", "learn", "move", "board", "games"} <= set(mentioned)
    assert not {"undo", "resign"} & set(mentioned), "no game is running"
    assert mentioned.items() <= ids.items()
    assert not re.search(r"(?<![<\w])/[a-z]", content)


async def test_without_the_intent_people_reply_or_mention(empty_club: Club) -> None:
    club = empty_club
    club.world.application.message_content = False
    await club.bot.start()
    content = (await ask(club)).content
    assert "I can't read normal messages here. Reply to the board" in content
    assert f"begin with {club.world.bot_user.mention}" in content
    assert "Type it" not in content
    assert await club.bot.stop() == 0


async def test_a_running_game_is_described_in_its_coordinates(club: Club) -> None:
    assert "</challenge:" in (await ask(club)).content
    table = await club.start_game(coordinates="pergioco")
    await table.play(random_game(1)[:3])
    message = await ask(club)
    assert f"It's {club.bob.mention}'s turn." in message.content
    board = (await table.board(3)).attachments[0]
    assert await club.cid.fetch(message.attachments[0]) == board.data
    assert message.attachments[0].description == board.description
    mine = texts(await club.bob.slash(club.channel, "help"))
    assert "That's you!" in mine
    assert "</resign:" in mine
    assert message.pinged == frozenset()
    await turn_page(club, message)
    assert "d2 is row d, number 2" in message.content
    await club.cid.click(message, custom_id="dvonn:help:play")
    await club.cid.click(message, "◀ Rules")
    await turn_page(club, message)
    label = table.coordinates.label(LESSONS["placement"].position.legal_moves()[0].target)
    assert f"Type `{label}` to place the next one." in message.content


async def test_in_a_thread_and_under_slowmode(club: Club) -> None:
    content = (await ask(club)).content
    assert "The next one gets a thread." in content
    assert "Slowmode" not in content
    slow = club.guild.create_channel("slow", slowmode_s=600)
    answer = message_of(await use(club.ann, slow, "challenge", opponent=club.bob, where="thread"))
    await club.bob.click(answer, "Accept")
    await slow.wait_for(lambda one: one is answer and one.thread)
    assert "Slowmode is on" in (await ask(club, slow)).content
    thread = answer.thread
    assert thread is not None
    content = (await ask(club, thread)).content
    assert "A game is running here." in content
    assert f"in <#{slow.id}>" in content


async def test_missing_permissions_are_named(club: Club) -> None:
    club.guild.set_permissions(club.channel, club.guild.bot_role, deny=Permission.ATTACH_FILES)
    page = await ask(club)
    assert "I need this permission here: Attach Files." in page.content
    assert page.content.splitlines()[1].startswith("No game is running here.")
    lines = texts(await club.cid.click(page, "Is the bot OK?")).splitlines()
    assert lines[0].startswith("DVONN bot ")
    assert "- I need this permission here: Attach Files." in lines
    await club.cid.click(page, "Back")
    assert page.content.startswith("### How to play here\n")
