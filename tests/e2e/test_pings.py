"""Tests for the limit on pings between two people, through the real bot."""

import asyncio

from sandbox import Answer, Message
from tests.e2e.conftest import Club, message_of, press, set_blocks, texts
from tests.e2e.database import make_challenges_older
from tests.e2e.test_hostile import pings
from tests.games import random_game

MOVES = random_game(1)
NOT_NOW = "You can't play {} right now. Try someone else, or a challenge for anyone."


def rings(club: Club) -> int:
    """Return how often Bob has been notified."""
    return sum(club.bob.id in rung for rung in pings(club))


async def cancel(club: Club, answer: Answer) -> None:
    """Withdraw Ann's challenge, if one was posted."""
    if not answer.ephemeral:
        assert answer.message is not None
        await club.ann.click(answer.message, "Cancel")


async def test_five_friends_are_challenged_at_once(club: Club) -> None:
    friends = [club.guild.add_person(f"Friend {number}") for number in range(6)]
    for friend in friends[:5]:
        answer = message_of(await club.ann.slash(club.channel, "challenge", opponent=friend))
        assert answer.pinged == {friend.id}
    late = await club.ann.slash(club.channel, "challenge", opponent=friends[5])
    assert texts(late).startswith("Please wait ")
    make_challenges_older(club.bot, minutes=2)
    await club.ann.slash(club.channel, "challenge", opponent=friends[5])
    assert pings(club) == [{friend.id} for friend in friends]


async def test_a_challenge_taken_back_while_it_is_being_posted(club: Club) -> None:
    """The bot doesn't know the message yet, and finds it later."""
    with club.world.faults.slow("POST /interactions/{id}/{token}/callback", seconds=1):
        posting = asyncio.create_task(club.bob.slash(club.channel, "challenge", opponent=club.ann))
        to_ann = await club.channel.wait_for(lambda one: one.buttons)
        await set_blocks(club.bob, club.channel, club.ann)
    await posting
    await club.channel.wait_for(lambda one: one is to_ann and not one.buttons)
    assert to_ann.content == f"{club.bob.mention} canceled the challenge."


async def test_a_blocked_person_gets_the_answer_of_too_many_requests(club: Club) -> None:
    first = await club.ann.slash(club.channel, "challenge", opponent=club.bob)
    await cancel(club, first)
    table = await club.start_game()
    to_all = (await club.bob.slash(club.guild.create_channel("hall"), "challenge")).message
    to_ann = (await club.bob.slash(club.channel, "challenge", opponent=club.ann)).message
    assert to_all is not None
    assert to_ann is not None
    form = await set_blocks(club.bob, club.channel, club.ann)
    assert f"**Blocked**: {club.ann.mention}." in form.content
    # Bob's challenge to Ann is closed as if he had pressed Cancel.
    await club.channel.wait_for(lambda one: one is to_ann and not one.buttons)
    assert to_ann.content == f"{club.bob.mention} canceled the challenge."
    before = rings(club)
    words = NOT_NOW.format(club.bob.mention)
    answer = await club.ann.slash(club.channel, "challenge", opponent=club.bob)
    assert texts(answer) == words
    assert texts(await club.ann.click(to_all, "Accept")) == words
    # Their game continues. After its end there is no rematch.
    await table.play(MOVES[:2])
    board = await table.board(2)
    await press(club.ann, board, "Resign")
    await club.ann.click(await club.ann.ephemeral(), "Yes, resign")
    end = await table.board(3)
    assert texts(await club.ann.click(end, "Rematch")) == words
    assert rings(club) - before == 2  # for Ann's move, and for her resignation
    await others_and_the_blocker(club, end)


async def others_and_the_blocker(club: Club, end: Message) -> None:
    """Nobody else is told, everyone else can play, and Bob learns of his own block."""
    own = f"You've blocked {club.ann.mention}. To play them, unblock them first: "
    assert texts(await club.bob.click(end, "Rematch")).startswith(own)
    shown = texts(await club.bob.slash(club.channel, "settings"))
    assert f"**Blocked**: {club.ann.mention}." in shown
    for other in (club.ann, club.cid):
        shown = texts(await other.slash(club.channel, "settings"))
        assert "**Blocked**: nobody." in shown
    public = [message for message in club.channel.messages if message.viewer is None]
    assert not any("lock" in message.content for message in public)
    asked = await club.cid.slash(club.channel, "challenge", opponent=club.bob)
    assert not asked.ephemeral
    form = await set_blocks(club.bob, club.channel)
    assert "**Blocked**: nobody." in form.content
    make_challenges_older(club.bot, minutes=2)
    asked = await club.ann.slash(club.channel, "challenge", opponent=club.bob)
    assert not asked.ephemeral
