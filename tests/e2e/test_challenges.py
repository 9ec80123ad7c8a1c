"""Challenges: who may answer them, when, and where the game is played."""

import pytest

from sandbox import Channel, Message, Permission, Person, Refused, Thread
from tests.e2e.conftest import Club, is_board, texts

pytestmark = pytest.mark.e2e


async def challenge(
    club: Club, *, by: Person | None = None, place: Channel | None = None, **options: object
) -> Message:
    """The message of a challenge, Ann's if nobody else is named."""
    answer = await (by or club.ann).slash(place or club.channel, "challenge", **options)
    assert answer.message is not None
    assert not answer.ephemeral, answer.content
    return answer.message


async def opened_thread(message: Message) -> Thread:
    """The thread of a message, once it is opened."""
    await message.channel.wait_for(lambda one: one is message and one.thread)
    assert message.thread is not None
    return message.thread


async def test_the_challenged_is_pinged_and_has_the_buttons(club: Club) -> None:
    message = await challenge(club, opponent=club.bob, colour="black", coordinates="pergioco")
    assert message.pinged == {club.bob.id}
    assert [button.label for button in message.buttons] == ["Accept", "Decline", "Cancel"]
    assert f"{club.ann.mention} plays Black." in message.content
    assert "pergioco" in message.content


async def test_only_the_right_persons_click_counts(club: Club) -> None:
    message = await challenge(club, opponent=club.bob)
    for stranger, button in (
        (club.cid, "Accept"),
        (club.ann, "Accept"),
        (club.cid, "Decline"),
        (club.bob, "Cancel"),
    ):
        refused = texts(await stranger.click(message, button))
        assert refused.startswith("That button is for ")
    assert message.buttons
    await club.bob.click(message, "Accept")
    assert message.buttons == []
    assert f"{club.bob.mention} accepted the challenge of {club.ann.mention}." in message.content
    await club.channel.wait_for(is_board(0))


async def test_a_challenge_can_be_declined_and_cancelled(club: Club) -> None:
    first = await challenge(club, opponent=club.bob)
    await club.bob.click(first, "Decline")
    assert first.content == f"{club.bob.mention} declined the challenge of {club.ann.mention}."
    second = await challenge(club, by=club.cid, opponent=club.bob)
    await club.cid.click(second, "Cancel")
    assert second.content == f"{club.cid.mention} took the challenge back."
    assert first.buttons == second.buttons == []


async def test_an_open_challenge_is_for_anyone_else(club: Club) -> None:
    message = await challenge(club, colour="white")
    assert message.pinged == frozenset()
    assert [button.label for button in message.buttons] == ["Accept", "Cancel"]
    own = texts(await club.ann.click(message, "Accept"))
    assert own == "You cannot accept your own challenge. Somebody else has to."
    await club.cid.click(message, "Accept")
    board = await club.channel.wait_for(is_board(0))
    assert f"White: {club.ann.mention}. Black: {club.cid.mention}." in board.content


async def test_it_can_be_answered_after_a_restart(club: Club) -> None:
    message = await challenge(club, opponent=club.bob)
    await club.bot.restart()
    await club.bob.click(message, "Accept")
    await club.channel.wait_for(is_board(0))


async def test_nobody_plays_himself_or_the_bot(club: Club) -> None:
    for opponent, words in (
        (club.ann, "You cannot challenge yourself."),
        (club.world.bot_user, "Bots do not play DVONN here."),
    ):
        answer = await club.ann.slash(club.channel, "challenge", opponent=opponent)
        assert texts(answer).startswith(words)


async def test_a_game_in_a_thread_of_its_own(club: Club) -> None:
    message = await challenge(club, opponent=club.bob, colour="white", where="thread")
    await club.bob.click(message, "Accept")
    thread = await opened_thread(message)
    assert thread.name == "DVONN 1: Ann – Bob"
    assert "The game is in the thread of this message." in message.content
    await thread.wait_for(is_board(0))
    await club.ann.say(thread, "c3")
    await thread.wait_for(is_board(1))
    assert not any(is_board(None)(one) for one in club.channel.messages)


async def test_a_busy_channel_opens_a_thread(club: Club) -> None:
    table = await club.start_game()
    message = await challenge(club, by=club.cid, opponent=club.ann, colour="white")
    await club.ann.click(message, "Accept")
    thread = await opened_thread(message)
    await thread.wait_for(is_board(0))
    await club.ann.say(club.channel, "c3")
    await table.board(1)
    await club.cid.say(thread, "d3")
    board = await thread.wait_for(is_board(1))
    assert "placed d3" in board.content


async def test_a_thread_within_a_thread_is_refused(club: Club) -> None:
    thread = await club.ann.start_thread(club.channel, "talk")
    answer = await club.ann.slash(thread, "challenge", opponent=club.bob, where="thread")
    assert texts(answer).startswith("No thread can be opened here.")
    here = await club.ann.slash(thread, "challenge", opponent=club.bob)
    assert here.message is not None
    await club.bob.click(here.message, "Accept")
    await thread.wait_for(is_board(0))
    again = await club.cid.slash(thread, "challenge", opponent=club.ann)
    assert texts(again).startswith(f"A game is running in <#{thread.id}>")


async def test_missing_permissions_are_named(club: Club) -> None:
    club.guild.set_permissions(club.channel, club.guild.bot_role, deny=Permission.ATTACH_FILES)
    answer = await club.ann.slash(club.channel, "challenge", opponent=club.bob)
    assert texts(answer).startswith("I lack a permission in this channel: Attach Files.")


async def test_commands_are_for_servers(club: Club) -> None:
    with pytest.raises(Refused):
        await club.ann.slash(club.ann.dm, "challenge", opponent=club.bob)
