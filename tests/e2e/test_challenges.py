"""Tests for challenges: who can answer them and when, and where the game is played."""

import pytest

from bot.connection.interaction_handling import PATIENCE_S as THINKS_AFTER_S
from demo.commands import use
from sandbox import Channel, InvocationRefused, Message, Permission, Person
from sandbox.interactions import FIRST_RESPONSE_S
from tests.e2e.conftest import Club, is_board, is_gone, message_of, opened_thread, texts
from tests.e2e.database import make_challenges_older, writes_blocked


async def challenge(
    club: Club, *, by: Person | None = None, place: Channel | None = None, **options: object
) -> Message:
    """Wait for the message of a challenge, by Ann unless another person is given."""
    answer = message_of(await use((by or club.ann), place or club.channel, "challenge", **options))
    assert not answer.ephemeral, answer.content
    return answer


async def a_week_goes_by(club: Club) -> None:
    """The bot looks for expired challenges at its start and every few minutes."""
    assert await club.bot.stop() == 0
    # Plus a minute: each start of the bot reads Discord's time again, to a second.
    make_challenges_older(club.bot, days=7, minutes=1)
    await club.bot.start()


@pytest.mark.later("tests/bot/play/test_pressed_buttons.py takes this road without a process")
async def test_the_challenged_is_pinged_and_has_the_buttons(club: Club) -> None:
    message = await challenge(club, opponent=club.bob, colour="black", coordinates="pergioco")
    assert message.pinged == {club.bob.id}
    assert [button.label for button in message.buttons] == [
        "Accept",
        "Decline",
        "Cancel",
        "How to play",
    ]
    assert f"{club.ann.mention} plays Black." in message.content
    assert "pergioco" in message.content


@pytest.mark.later("tests/bot/play/test_pressed_buttons.py takes this road without a process")
async def test_only_the_right_persons_click_counts(club: Club) -> None:
    message = await challenge(club, opponent=club.bob)
    for stranger, button in (
        (club.cid, "Accept"),
        (club.ann, "Accept"),
        (club.cid, "Decline"),
        (club.bob, "Cancel"),
    ):
        refused = texts(await stranger.click(message, button))
        assert refused.startswith("Only <@")
    assert message.buttons
    await club.bob.click(message, "Accept")
    board = await club.channel.wait_for(is_board(0))
    await is_gone(message)
    assert [
        message for message in club.channel.messages if message.author is club.world.bot_user
    ] == [board]


async def test_it_can_be_answered_after_a_restart(club: Club) -> None:
    message = await challenge(club, opponent=club.bob)
    await club.bot.restart()
    await club.bob.click(message, "Accept")
    await club.channel.wait_for(is_board(0))


async def test_a_game_in_its_own_thread(club: Club) -> None:
    message = await challenge(
        club, opponent=club.bob, colour="white", where="thread", start="placement"
    )
    await club.bob.click(message, "Accept")
    thread = await opened_thread(message)
    assert thread.name == "DVONN 1: Ann – Bob"
    assert "Game in the thread below" in message.content
    await thread.wait_for(is_board(0))
    await club.ann.say(thread, "c3")
    await thread.wait_for(is_board(1))
    assert not any(is_board(None)(message) for message in club.channel.messages)


async def test_a_busy_channel_opens_a_thread(club: Club) -> None:
    table = await club.start_game()
    message = await challenge(
        club, by=club.cid, opponent=club.ann, colour="white", start="placement"
    )
    assert "It gets a thread of its own." in message.content
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
    answer = await use(club.ann, thread, "challenge", opponent=club.bob, where="thread")
    assert texts(answer).startswith("I can't open a thread here.")
    here = message_of(await club.ann.slash(thread, "challenge", opponent=club.bob))
    await club.bob.click(here, "Accept")
    await thread.wait_for(is_board(0))
    again = await club.cid.slash(thread, "challenge", opponent=club.ann)
    assert texts(again) == (
        f"There's already a game in <#{thread.id}>, and Discord has no threads there for a second "
        "one. Wait until it ends, or try a text channel."
    )


async def test_in_direct_messages_the_machine_is_the_only_opponent(club: Club) -> None:
    for command in ("challenge", "setup show"):
        with pytest.raises(InvocationRefused):
            await club.ann.slash(club.ann.dm, command)
    answer = await club.ann.slash(club.ann.dm, "play")
    assert texts(answer).startswith("Games against me are switched off here.")


async def test_ten_open_challenges_are_listed(club: Club) -> None:
    open_ones = []
    for number in range(10):
        if number == 5:
            make_challenges_older(club.bot, minutes=2)
        open_ones.append(await challenge(club))
    # A minute would be too close, because each start reads Discord's time again, to a second.
    assert await club.bot.stop() == 0  # by now the bot has stored where they are
    make_challenges_older(club.bot, minutes=2)
    await club.bot.start()
    refused = texts(await club.ann.slash(club.channel, "challenge"))
    links = [f"channels/{club.guild.id}/{club.channel.id}/{item.id}" for item in open_ones]
    assert refused.startswith("You have 10 open challenges in this server: ")
    assert all(link in refused for link in links)
    await club.ann.click(open_ones[1], "Cancel")
    await challenge(club)


async def test_an_unanswered_challenge_expires(club: Club) -> None:
    message = await challenge(club, opponent=club.bob)
    as_posted = message.components
    await a_week_goes_by(club)
    await club.channel.wait_for(lambda one: one is message and not one.buttons)
    assert message.content == (f"{club.ann.mention}'s challenge expired after 7 days.")
    message.components = as_posted  # on an outdated screen
    late = texts(await club.bob.click(message, "Accept"))
    assert late == "This challenge is over. Make a new one with /challenge."


async def test_a_deleted_expired_challenge_causes_no_error(club: Club) -> None:
    moderator = club.guild.add_person("Mo", permissions=Permission.MANAGE_MESSAGES)
    gone = await challenge(club, opponent=club.bob)
    await moderator.delete(gone)
    other = await challenge(club, by=club.bob, opponent=club.ann)
    await a_week_goes_by(club)
    await club.channel.wait_for(lambda one: one is other and not one.buttons)
    assert "challenge cleanup refused" in club.bot.log


async def test_a_challenge_that_takes_long_is_posted_for_all(club: Club) -> None:
    club.ann.patience = None
    with writes_blocked(club.bot):
        answer = await club.ann.slash(club.channel, "challenge", opponent=club.bob)
        assert answer.deferred
    assert THINKS_AFTER_S <= FIRST_RESPONSE_S / 2  # time for everything else that is slow
    message = await club.channel.wait_for(lambda one: one.buttons and one.viewer is None)
    assert message.pinged == {club.bob.id}
    await club.bob.click(message, "Accept")
    await club.channel.wait_for(is_board(0))


async def test_missing_permissions_are_named_to_who_can_mend_them(club: Club) -> None:
    club.guild.set_permissions(
        club.channel,
        club.guild.bot_role,
        deny=Permission.ATTACH_FILES | Permission.CREATE_PUBLIC_THREADS,
    )
    moderator = club.guild.add_person("Mo", permissions=Permission.MANAGE_ROLES)
    other = club.guild.add_person("Cho", permissions=Permission.MANAGE_CHANNELS)
    lacking = "I need these permissions here: Attach Files and Create Public Threads."
    for person, remedy in (
        (moderator, "You can give them to me: in the channel's settings, under Permissions."),
        (other, "Ask someone with Manage Permissions, such as the server's owner."),
    ):
        words = texts(await use(person, club.channel, "challenge", where="thread"))
        assert words.startswith(f"{lacking} {remedy}")
    club.guild.set_permissions(club.channel, club.guild.bot_role)
    message = await challenge(club, by=moderator, opponent=club.bob, where="thread")
    club.guild.set_permissions(
        club.channel, club.guild.bot_role, deny=Permission.SEND_MESSAGES_IN_THREADS
    )
    words = texts(await club.bob.click(message, "Accept"))
    assert words.startswith("I need this permission here: Send Messages in Threads.")
    club.guild.set_permissions(club.channel, club.guild.bot_role)
    await club.bob.click(message, "Accept")
    thread = await opened_thread(message)
    await thread.wait_for(is_board(0))
