"""Tests for tournaments whose bot or Discord fails before something is stored."""

from typing import Any

import pytest

from sandbox import Thread
from sandbox.orders import Fault
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club, is_board, texts
from tests.e2e.database import forget_that_all_was_sent, given_up, nothing_unsent, tried
from tests.e2e.features.tournaments.cups import create, first_lines, make, on_page

SEND = "POST /channels/{id}/messages"
OTHERS = ("Dish", "Bowl", "Mug", "Jar")
"""With these, some have the same pairing with the same colors."""
SLOW: dict[str, Any] = {"format": "robin", "clock": "1 day per move"}


def failing_posts(club: Club) -> Fault:
    """Make the bot's posts fail, but not with status 403, which the bot would remember."""
    return club.world.faults.answer(SEND, status=503, times=None)


def boards(thread: Thread) -> list[str]:
    """Return the names of the pictures in a thread."""
    return [file.filename for message in thread.messages for file in message.attachments]


async def test_sent_but_unrecorded_messages_are_recognized(club: Club) -> None:
    cup = await make(club, 2, **SLOW)
    await cup.all_join()
    await cup.start()
    (thread,) = await cup.games(", round 1, board ", 1)
    await thread.wait_for(is_board(0))
    before = first_lines(cup.public_messages()), boards(thread)
    await club.bot.kill()
    forget_that_all_was_sent(club.bot, "pairing", "tournament_news")
    club.world.state.nonces.clear()  # as if a few minutes had passed
    await club.bot.start()
    await nothing_unsent(club.bot)
    assert (first_lines(cup.public_messages()), boards(thread)) == before
    assert not given_up(club.bot)


@pytest.mark.thorough("what every round's announcements pass, some 5 s")
async def test_another_tournaments_announcement_does_not_count_for_this_one(
    clock: BotClock, empty_club: Club
) -> None:
    """In the same channel, with the same colors, and before a retry."""
    club = empty_club
    cup = await make(club, 2, **SLOW)
    await cup.all_join()
    with failing_posts(club):
        await cup.start()
        await tried(club.bot, 1, "pairing")
        answers = [await create(cup.organiser, cup.channel, name=name, **SLOW) for name in OTHERS]
        assert all(map(texts, answers))
        for player in cup.players:
            for name in OTHERS:
                await on_page(player, cup.channel, "Join", tournament=name)
    for name in OTHERS:
        await cup.start(tournament=name)
        await cup.message_with(f"**{name}**, round 1, board ")
    clock.advance(minutes=1)
    await cup.games(", round 1, board ", 1)
    await nothing_unsent(club.bot)
    assert not given_up(club.bot)
