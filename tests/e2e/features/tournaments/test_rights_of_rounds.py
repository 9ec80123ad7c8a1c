"""Tests for each permission that is removed before and during a round, and restored."""

from typing import Any

import pytest

from sandbox import Permission
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club, is_board, message_of
from tests.e2e.features.tournaments.cups import Cup, make
from tests.operations.watched import until

RIGHTS = {
    "View Channel": Permission.VIEW_CHANNEL,
    "Send Messages": Permission.SEND_MESSAGES,
    "Attach Files": Permission.ATTACH_FILES,
    "Read Message History": Permission.READ_MESSAGE_HISTORY,
    "Create Public Threads": Permission.CREATE_PUBLIC_THREADS,
    "Send Messages in Threads": Permission.SEND_MESSAGES_IN_THREADS,
}
CLOSED = ("View Channel", "Send Messages")
"""Without these permissions, the bot can't tell the channel what is missing."""
_LIKE_OTHERS = pytest.mark.thorough("some 15 s each; two like them are plain")
TERMS: dict[str, dict[str, Any]] = {
    "robin": {"clock": "1 day per move", "round_time": "2 days"},
    "swiss": {"clock": "1 day per move", "round_time": "2 days", "rounds": 2},
    "knockout": {"clock": "1 day per move", "round_time": "2 days"},
}


def allow(cup: Cup, *, but: str | None = None) -> None:
    """Give the bot all permissions in the channel except one."""
    deny = 0 if but is None else RIGHTS[but]
    cup.club.guild.set_permissions(cup.channel, cup.club.guild.bot_role, deny=deny)


async def ready(club: Club, format_: str) -> Cup:
    """A tournament that four people have joined."""
    cup = await make(club, 4, format=format_, start="placement", **TERMS[format_])
    await cup.all_join()
    return cup


def cases() -> list[Any]:
    """Each permission with one format, and each format with one permission. Every run tests two."""
    plain = [("swiss", "Create Public Threads"), ("swiss", "Send Messages")]
    others = [("swiss", item) for item in RIGHTS] + [
        (term, "Create Public Threads") for term in TERMS
    ]
    return plain + [
        pytest.param(*case, marks=_LIKE_OTHERS)
        for case in dict.fromkeys(others)
        if case not in plain
    ]


@pytest.mark.parametrize(("format_", "right"), cases())
async def test_a_round_that_could_not_be_opened_waits(
    empty_club: Club, clock: BotClock, format_: str, right: str
) -> None:
    cup = await ready(empty_club, format_)
    allow(cup, but=right)
    await cup.start()
    told = await cup.organiser.dm.wait_for(lambda one: "waits" in one.content)
    begins = f"**Cup** waits: to open games in <#{cup.channel.id}> I need the permission"
    assert told.content.startswith(begins)
    assert right in told.content
    if right not in CLOSED:
        await cup.message_with(told.content)
    page = message_of(await cup.players[0].slash(cup.channel, "tournament show"))
    assert told.content in page.text
    clock.advance(days=5)
    page = message_of(await cup.players[0].slash(cup.channel, "tournament show"))
    assert told.content in page.text
    allow(cup)
    clock.advance(seconds=31)
    await cup.games(", round 1, board ", 2)
    assert len(cup.organiser.dm.messages) == 1
    page = message_of(await cup.players[0].slash(cup.channel, "tournament show"))
    assert "waits" not in page.text


async def test_in_a_round_its_time_waits_too(empty_club: Club, clock: BotClock) -> None:
    cup = await make(empty_club, 2, format="robin", start="placement", **TERMS["robin"])
    await cup.all_join()
    await cup.start()
    (thread,) = await cup.games(", round 1, board ", 1)
    white, black = await cup.seats(thread)
    clock.advance(hours=20)
    allow(cup, but="Send Messages in Threads")
    await white.slash(thread, "move", move="a1")
    for tries in (1, 2, 3):

        async def has_failed(tries: int = tries) -> bool:
            return empty_club.bot.log.count("delivery failed, retrying") >= tries

        await until(has_failed)
        clock.advance(seconds=11)
    told = await cup.organiser.dm.wait_for(lambda one: "waits" in one.content)
    assert told.content.startswith(f"The game {white.mention} – {black.mention} waits.")
    assert "Send Messages in Threads" in told.content
    for item in (white, black):
        await item.dm.wait_for(lambda said: "Your game against" in said.content)
    clock.advance(days=9)
    allow(cup)
    await thread.wait_for(is_board(1))
    clock.advance(hours=20)
    await black.slash(thread, "move", move="b1")
    await thread.wait_for(is_board(2))
    clock.advance(hours=9)  # 49 hours of the round's two days have passed
    over = await cup.message_with("**Cup** is over.")
    assert "(not played)" not in over.content


@pytest.mark.parametrize("begun", [False, True])
async def test_a_tournament_whose_channel_is_deleted_is_called_off(
    empty_club: Club, clock: BotClock, *, begun: bool
) -> None:
    club, room = empty_club, empty_club.guild.create_channel("cups")
    cup = await make(club, 2, channel=room, format="robin", start="placement", **TERMS["robin"])
    await cup.all_join()
    if begun:
        await cup.start()
        await cup.games(", round 1, board ", 1)
    else:
        await cup.start()
    club.guild.delete_channel(room)
    clock.advance(hours=2)
    for item in (cup.organiser, *cup.players):
        told = await item.dm.wait_for(lambda said: "of **Cup** is gone" in said.content)
        assert told.content == "The channel of **Cup** is gone, so it's called off."
