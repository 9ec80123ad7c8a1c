"""A tournament through the real bot: its organizer, its players, and their messages."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from sandbox import Answer, Channel, Message, Permission, Person, Thread
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import FAULTS, Club, is_board, message_of, opened_thread, texts

Form = dict[str, str | list[str]]


@dataclass
class Cup:
    """A tournament, its people and its messages."""

    club: Club
    organiser: Person
    players: list[Person]
    announcement: Message
    name: str = "Cup"

    @property
    def channel(self) -> Channel:
        return self.announcement.channel

    def player(self, number: int) -> Person:
        return next(item for item in self.players if item.id == number)

    async def message_with(self, words: str) -> Message:
        """Wait for the newest message in the channel that contains a text."""
        return await self.channel.wait_for(lambda one: words in one.content)

    async def all_join(self) -> None:
        """Let everyone join with the button."""
        for item in self.players:
            await item.click(self.announcement, "Join")

    async def start(self, **about: object) -> Answer:
        """Start the tournament as the organizer."""
        return await organize(self.organiser, self.channel, "begin", **about)

    async def cancel(self) -> Answer:
        """Call the tournament off as the organizer."""
        question = await organize(self.organiser, self.channel, "off")
        return await self.organiser.click(message_of(question), "Yes, call it off")

    async def games(self, words: str, count: int) -> list[Thread]:
        """Return the threads of games whose announcements contain a text, once they have boards."""
        threads: dict[int, Thread] = {}

        def is_new(one: Message) -> bool:
            return f"**{self.name}**{words}" in one.content and one.id not in threads

        while len(threads) < count:
            message = await self.channel.wait_for(is_new)
            threads[message.id] = await opened_thread(message)
        for thread in threads.values():
            await thread.wait_for(is_board(None))
        return list(threads.values())

    async def seats(self, thread: Thread) -> list[Person]:
        """Return the players of a thread's game, White first."""
        board = await thread.wait_for(is_board(None))
        return [self.player(number) for number in people(board)[-2:]]

    async def resign(self, thread: Thread, loser: Person) -> None:
        """Resign in a game's thread."""
        asked = await loser.slash(thread, "resign")
        assert asked.message is not None
        await loser.click(asked.message, asked.message.buttons[0].label)

    def public_messages(self) -> list[Message]:
        """Return all messages that were ever sent to the channel, oldest first."""
        return [message for message in self.channel.messages if not message.ephemeral]


async def on_page(person: Person, channel: Channel, label: str, **about: object) -> Answer:
    """Press a button on a tournament's page."""
    page = message_of(await person.slash(channel, "tournament show", **about))
    return await person.click(page, label)


async def organize(
    person: Person, channel: Channel, choice: str, form: Form | None = None, /, **about: object
) -> Answer:
    """Choose an option in the menu of the organizers' page, and fill in its form."""
    page = message_of(await on_page(person, channel, "Organize", **about))
    answer = await person.select(page, [choice])
    if answer.modal is None or form is None:
        return answer
    return await person.submit(answer.modal, form)


def chosen(person: Person) -> Form:
    """Return a form in which a player is chosen."""
    return {"player": [str(person.id)]}


IN_COMMAND = {"format", "clock", "begins", "start"}


async def create(person: Person, channel: Channel, **options: object) -> Answer:
    """Create a tournament with the command and its form."""
    asked = {name: value for name, value in options.items() if name in IN_COMMAND}
    for _ in range(4):  # a busy machine may be too slow to open a form
        opened = await person.slash(channel, "tournament create", **asked)
        if opened.modal is not None:
            break
    else:
        return opened
    form: Form = {
        name: [str(value)] if name == "division_size" else str(value)
        for name, value in options.items()
        if name in {"name", "rounds", "round_time", "lasts", "division_size"}
    }
    if not options.get("rated", True):
        form["also"] = []
    return await person.submit(opened.modal, form)


def people(message: Message) -> list[int]:
    """Return the users whom a message mentions, in order."""
    return [int(number) for number in re.findall(r"<@(\d+)>", message.content)]


def first_lines(messages: list[Message]) -> list[str]:
    """Return the first lines of messages, without the pairings."""
    return [re.sub(r": <@.*", "", message.content.splitlines()[0]) for message in messages]


@asynccontextmanager
async def in_time(club: Club) -> AsyncIterator[BotClock]:
    """Let the bot create events, and the test move its clock, during the block."""
    clock = club.bot.take_clock()
    role = club.guild.bot_role
    club.guild.set_role_permissions(role, role.permissions | Permission.CREATE_EVENTS)
    await club.bot.start()
    yield clock
    assert await club.bot.stop() == 0
    assert FAULTS.findall(club.bot.log) == []


async def make(
    club: Club, count: int, *, name: str = "Cup", channel: Channel | None = None, **options: object
) -> Cup:
    """Create a tournament for a number of players."""
    place = channel or club.channel
    organiser = club.guild.add_person("Mo", permissions=Permission.MANAGE_EVENTS)
    others = [club.guild.add_person(name) for name in ("Dee", "Eve", "Finn", "Gus", "Hal")]
    players = [club.ann, club.bob, club.cid, *others][:count]
    answer = await create(organiser, place, name=name, **options)
    assert texts(answer).startswith(f"I'm announcing **{name}** here.")
    announcement = await place.wait_for(lambda one: one.content.startswith(f"**{name}**"))
    return Cup(club, organiser, players, announcement, name)
