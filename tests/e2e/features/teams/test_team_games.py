"""Tests for team games, with a clock that the test moves."""

import re
from collections.abc import AsyncIterator
from importlib.util import find_spec

import pytest

from demo.commands import use
from dvonn import Move
from sandbox import Channel, Message, Permission, Person
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import (
    FAULTS,
    Club,
    is_board,
    loses_buttons,
    message_of,
    texts,
)
from tests.e2e.database import let_time_pass, nothing_due, nothing_unsent, received_until, seed_of
from tests.games import drawn

SIGN = "🗳️"
VOTERS = 50


@pytest.fixture
async def clock(empty_club: Club) -> AsyncIterator[BotClock]:
    clock = empty_club.bot.take_clock()
    yield clock
    assert await empty_club.bot.stop() == 0
    assert FAULTS.findall(empty_club.bot.log) == []


async def types(person: Person, channel: Channel, move: Move) -> None:
    """Vote by typing. A reaction shows that the vote is stored."""
    said = await person.say(channel, str(move))
    await channel.wait_for(lambda one: one is said and SIGN in one.reactions)


async def taps(person: Person, board: Message, move: Move) -> str:
    """Vote with the picker."""
    assert move.source is not None
    view = message_of(await person.click(board, "Vote"))
    await person.click(view, str(move.source))
    landing = next(
        button.label for button in view.buttons if button.label.split()[0] == str(move.target)
    )
    return texts(await person.click(view, landing))


async def wait_for_text(channel: Channel, board: Message, words: str) -> None:
    """Wait until a board contains a text."""
    await channel.wait_for(lambda one: one is board and words in one.content)


def posted(channel: Channel) -> int:
    """Return the number of the bot's messages in a channel."""
    return sum(message.author.bot for message in channel.messages)


@pytest.mark.later("fifty people vote; the votes are counted in test_votes")
@pytest.mark.skipif(find_spec("numba") is None, reason="the engine's packages are not installed")
async def test_fifty_people_play_the_machine(clock: BotClock, club: Club) -> None:
    here = club.channel
    club.bot.settings["MACHINE"] = "auto"
    await club.bot.start()
    team = f"<#{here.id}>"
    answer = await use(club.ann, here, "play", teams=True, level=1, colour="white", clock="10+5")
    assert texts(answer) == (
        "In a team game, the clock is the time for each vote: from 1 minute to 1 day per move."
    )
    answer = await use(club.ann, here, "play", teams=True, level=1, colour="white")
    first = await here.wait_for(is_board(0))
    assert message_of(answer) is first
    assert f"{team}, your turn." in first.content
    assert "Everyone here votes, 1 hour for each move." in first.content
    assert [button.label for button in first.buttons] == ["Vote", "More"]
    people = [club.guild.add_person(f"Voter {number}") for number in range(VOTERS - 3)]
    position = drawn(seed_of(club.bot, 1))
    wanted, other, *_ = position.legal_moves()

    # All vote at once, in every way. Talk about moves is not a vote.
    before = posted(here)
    said = [await taps(club.ann, first, other), await taps(club.bob, first, wanted)]
    assert said[1].startswith(
        f"{SIGN} You voted for **{wanted}**. You can change that until the vote ends: <t:"
    )
    await types(club.ann, here, wanted)  # she changes her vote
    await club.cid.say(here, f"what about {other}, I wonder")
    for person in people:
        await person.say(here, str(wanted))
    await types(club.cid, here, other)
    await let_time_pass(club.bot, clock, seconds=15)
    await wait_for_text(
        here,
        first,
        f"{SIGN} {VOTERS} votes: **{wanted}** ({VOTERS - 1}), {other} (1). Voting ends <t:",
    )
    assert posted(here) == before, "nobody is told of a vote by a message"
    refused = await club.bob.slash(here, "resign")
    assert texts(refused).startswith("Nobody can resign or make offers for the whole team.")

    await let_time_pass(club.bot, clock, hours=1)
    board = await here.wait_for(is_board(2))
    lines = board.content.splitlines()
    assert re.match(r"\w+ (moved|took) ", lines[0])
    assert lines[0].endswith(f"{team}, your turn.")
    assert f"{SIGN} {VOTERS - 1} of {VOTERS} voted for {wanted}." in lines
    assert re.search(rf"{team} (moved|moved onto red:|took .+:) {wanted}\.", board.content)
    assert board.pinged == frozenset()
    await loses_buttons(first)


@pytest.mark.skipif(find_spec("numba") is None, reason="the engine's packages are not installed")
async def test_only_its_starter_can_end_a_team_game(machine_club: Club) -> None:
    club, here = machine_club, machine_club.channel
    for number, end in enumerate(("command", "button"), start=1):
        await use(club.ann, here, "play", teams=True, level=1, colour="white")
        first = await here.wait_for(is_board(0, number))
        refused = texts(await club.bob.slash(here, "resign"))
        assert refused == (
            "Nobody can resign or make offers for the whole team. "
            f"{club.ann.mention} started this game and can end it, or a moderator with "
            "/setup abort."
        )
        others = message_of(await club.bob.click(first, "More"))
        assert "End this game" not in [button.label for button in others.buttons]
        asked = await (
            club.ann.slash(here, "resign")
            if end == "command"
            else club.ann.click(message_of(await club.ann.click(first, "More")), "End this game")
        )
        assert message_of(asked).content == "End this game without a result?"
        await club.ann.click(message_of(asked), "Yes, end it")
        over = await here.wait_for(lambda one: "No result." in one.content, after=first)
        assert over.content.startswith(f"{club.ann.mention} ended this game.")
        assert "dvonn:challenge" not in str([message.components for message in here.messages])


async def test_a_busy_channel_gives_the_reason_and_an_alternative(club: Club) -> None:
    await club.start_game()
    club.guild.set_permissions(
        club.channel, club.guild.bot_role, deny=Permission.CREATE_PUBLIC_THREADS
    )
    lacking = texts(await club.cid.slash(club.channel, "challenge", opponent=club.ann))
    assert lacking == (
        f"There's already a game in <#{club.channel.id}>, so yours needs a thread. I need this "
        "permission here: Create Public Threads. Ask someone with Manage Permissions, such as the "
        "server's owner."
    )


@pytest.mark.skipif(find_spec("numba") is None, reason="the engine's packages are not installed")
async def test_a_kill_in_mid_vote_loses_nothing_and_a_silent_team_ends_the_game(
    clock: BotClock, club: Club
) -> None:
    here = club.channel
    club.bot.settings["MACHINE"] = "auto"
    await club.bot.start()
    terms = {"teams": True, "level": 1, "colour": "white", "clock": "1 minute per move"}
    await use(club.ann, here, "play", **terms)
    await here.wait_for(is_board(0))
    busy = texts(await use(club.cid, here, "play", teams=True))
    assert busy == (
        f"There's already a game in <#{here.id}>, and a team needs the channel to itself. "
        "Wait for its end, or try another channel."
    )
    wanted, other, *_ = drawn(seed_of(club.bot, 1)).legal_moves()
    await types(club.ann, here, wanted)
    await types(club.cid, here, wanted)
    await club.bot.kill()
    await club.bob.say(here, str(other))  # while the bot is offline
    await club.bot.start()
    await here.wait_for(lambda one: one.content == str(other) and SIGN in one.reactions)
    await let_time_pass(club.bot, clock, minutes=1)
    board = await here.wait_for(is_board(2))
    assert f"{SIGN} 2 of 3 voted for {wanted}." in board.content

    # Without votes, the bot announces that once, and finally the game ends without a result.
    for number in range(3):
        clock.advance(minutes=1)
        await nothing_due(club.bot, clock.now)
        received_until(club.bot, clock.now)
        if number == 0:
            await here.wait_for(
                lambda one: one.content.startswith(f"{SIGN} No votes yet. Voting now ends")
            )
    over = await here.wait_for(is_board(3))
    team = f"<#{here.id}>"
    assert over.content.startswith(f"Nobody in {team} voted, 3 times in a row. The game is over.")
    await nothing_unsent(club.bot)
    again = [
        message for message in here.messages if message.content.startswith(f"{SIGN} No votes yet. ")
    ]
    assert len(again) == 1
