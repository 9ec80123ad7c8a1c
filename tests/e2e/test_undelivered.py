"""Tests for each permission removed at each step of a game, and restored.

tests/e2e/features/tournaments/test_rights_of_rounds.py does the same in tournaments.
"""

from dataclasses import dataclass
from typing import Any

import pytest

from demo.commands import use
from sandbox import Channel, Message, Permission, Person, Thread
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club, is_board, message_of, opened_thread, texts
from tests.games import random_game
from tests.operations.watched import until

HERE, THREAD = "in a channel", "in a thread"
FOR_EITHER = {
    "View Channel": Permission.VIEW_CHANNEL,
    "Attach Files": Permission.ATTACH_FILES,
}
NEEDED = {
    HERE: FOR_EITHER | {"Send Messages": Permission.SEND_MESSAGES},
    THREAD: FOR_EITHER | {"Send Messages in Threads": Permission.SEND_MESSAGES_IN_THREADS},
}
"""The permissions that a running game needs."""
TO_BEGIN = {
    HERE: NEEDED[HERE] | {"Read Message History": Permission.READ_MESSAGE_HISTORY},
    THREAD: NEEDED[THREAD]
    | {
        "Read Message History": Permission.READ_MESSAGE_HISTORY,
        "Send Messages": Permission.SEND_MESSAGES,
        "Create Public Threads": Permission.CREATE_PUBLIC_THREADS,
    },
}
ALL = TO_BEGIN[THREAD] | {"Embed Links": Permission.EMBED_LINKS}
MOVES = random_game(1)
TERMS = {"colour": "white", "start": "placement", "clock": "1 day per move", "rated": True}


PLAIN = ((HERE, "Send Messages"), (THREAD, "Send Messages in Threads"), (HERE, "Embed Links"))
_LIKE_OTHERS = pytest.mark.thorough("some 5 s each; those of writing are plain")


def cases(rights: dict[str, dict[str, Permission]]) -> list[Any]:
    return [
        pytest.param(place, right, marks=() if (place, right) in PLAIN else _LIKE_OTHERS)
        for place, named in rights.items()
        for right in named
    ]


HARMLESS = {
    place: {item: ALL[item] for item in ALL if item not in NEEDED[place]} for place in NEEDED
}


@dataclass
class Room:
    """A channel where Ann, as White, plays Bob, and a permission that the bot can lose there."""

    club: Club
    clock: BotClock
    place: Channel
    right: str

    def take_away(self) -> None:
        deny(self.club, self.right)

    def give_back(self) -> None:
        club = self.club
        club.guild.set_permissions(club.channel, club.guild.bot_role)

    async def board(self, revision: int) -> Message:
        return await self.place.wait_for(is_board(revision))

    async def move(self, revision: int) -> None:
        """Use /move as the player to move. It works wherever they can see the channel."""
        await self.mover(revision).slash(self.place, "move", move=str(MOVES[revision - 1]))

    def mover(self, revision: int) -> Person:
        return self.club.ann if revision % 2 else self.club.bob

    async def standing(self) -> str:
        """Return the answer to Bob's /board."""
        return texts(await self.club.bob.slash(self.place, "board"))

    async def is_marked(self) -> bool:
        """Return a check that the bot has recorded the board as sent."""
        return "so no time runs" not in await self.standing()

    async def direct_message(self, person: Person, words: str) -> Message:
        """Wait until someone gets a direct message. The bot keeps trying."""
        for tries in (1, 2, 3):

            async def has_failed(tries: int = tries) -> bool:
                return self.club.bot.log.count("delivery failed, retrying") >= tries

            await until(has_failed)
            self.clock.advance(seconds=11)
        return await person.dm.wait_for(lambda one: words in one.content)


def deny(club: Club, right: str) -> None:
    club.guild.set_permissions(club.channel, club.guild.bot_role, deny=ALL[right])


async def challenge(club: Club, place: str) -> Message:
    where = {"where": "thread"} if place == THREAD else {}
    return message_of(
        await use(club.ann, club.channel, "challenge", opponent=club.bob, **TERMS, **where)
    )


async def begun(club: Club, clock: BotClock, place: str, right: str) -> Room:
    posted = await challenge(club, place)
    await club.bob.click(posted, "Accept")
    where = await opened_thread(posted) if place == THREAD else club.channel
    room = Room(club, clock, where, right)
    await room.board(0)
    return room


@pytest.mark.parametrize(("place", "right"), cases(TO_BEGIN))
async def test_a_game_does_not_start_where_it_could_not_continue(
    club: Club, place: str, right: str
) -> None:
    deny(club, right)
    refused = await challenge(club, place)
    assert refused.ephemeral
    assert right in refused.content
    club.guild.set_permissions(club.channel, club.guild.bot_role)
    posted = await challenge(club, place)
    deny(club, right)
    refusal = texts(await club.bob.click(posted, "Accept"))
    assert right in refusal
    club.guild.set_permissions(club.channel, club.guild.bot_role)
    await club.bob.click(posted, "Accept")
    where = await opened_thread(posted) if place == THREAD else club.channel
    await where.wait_for(is_board(0))


@pytest.mark.parametrize(("place", "right"), cases(NEEDED))
async def test_during_a_game_it_waits_and_informs_both(
    club: Club, clock: BotClock, place: str, right: str
) -> None:
    room = await begun(club, clock, place, right)
    room.take_away()
    await room.move(1)
    answer = await club.ann.ephemeral(lambda one: "I can't post the board" in one.content)
    assert right in answer.content
    for person, other in ((club.bob, club.ann), (club.ann, club.bob)):
        told = await room.direct_message(person, "waits")
        assert told.content.startswith(f"Your game against {other.mention} waits. I can't post")
        assert right in told.content
        assert "No time runs until then." in told.content
    assert "it waits: I can't post there" in texts(await club.bob.slash(club.channel, "games"))
    clock.advance(hours=30)
    standing = await room.standing()
    assert f"{club.bob.mention} has 1 day left." in standing
    assert "so no time runs" in standing
    room.give_back()
    board = await room.board(1)
    assert f"{club.bob.mention}, your turn." in board.content
    assert [len(item.dm.messages) for item in (club.ann, club.bob)] == [1, 1]
    await until(room.is_marked)
    clock.advance(hours=22)
    standing = await room.standing()
    assert f"{club.bob.mention} has 1 hour, 5" in standing
    assert "The board came 1 day" in standing
    await room.move(2)
    await room.board(2)
    clock.advance(hours=25)
    over = await room.board(3)
    assert "ran out of time" in over.content


@pytest.mark.parametrize(("place", "right"), cases(NEEDED))
async def test_the_final_result_is_sent_directly(
    club: Club, clock: BotClock, place: str, right: str
) -> None:
    room = await begun(club, clock, place, right)
    for revision in range(1, 5):
        await room.move(revision)
        await room.board(revision)
    room.take_away()
    question = message_of(await club.ann.slash(room.place, "resign"))
    await club.ann.click(question, "Yes, resign")
    told = await room.direct_message(club.bob, "is over")
    assert f"{club.bob.mention} wins" in told.content
    room.give_back()
    assert f"{club.bob.mention} wins" in (await room.board(5)).content


@pytest.mark.parametrize(("place", "right"), cases(HARMLESS))
async def test_optional_parts_of_a_game_block_nothing(
    club: Club, clock: BotClock, place: str, right: str
) -> None:
    room = await begun(club, clock, place, right)
    room.take_away()
    for revision in (1, 2):
        await room.mover(revision).say(room.place, str(MOVES[revision - 1]))
        await room.board(revision)


async def test_a_closed_thread_is_opened_by_the_next_board(club: Club, clock: BotClock) -> None:
    room = await begun(club, clock, THREAD, "View Channel")
    assert isinstance(room.place, Thread)
    club.guild.set_archived(room.place)
    await room.move(1)
    await room.board(1)


async def test_a_locked_thread_holds_the_game_up(club: Club, clock: BotClock) -> None:
    room = await begun(club, clock, THREAD, "View Channel")
    assert isinstance(room.place, Thread)
    club.guild.set_archived(room.place, locked=True)
    await room.move(1)
    told = await room.direct_message(club.bob, "waits")
    assert "Perhaps that thread is closed" in told.content
    clock.advance(hours=30)
    club.guild.set_archived(room.place, archived=False, locked=False)
    clock.advance(minutes=11)
    await room.board(1)
