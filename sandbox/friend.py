"""Simulated people who play automatically, using only what is on their screen.

They don't know the rules. They get possible moves from the suggestions of a command's option.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from random import Random

from sandbox.answers import Answer
from sandbox.interactions import InteractionFailed
from sandbox.invocations import InvocationRefused
from sandbox.model import Channel, Message
from sandbox.permissions import Permission
from sandbox.person import Person
from sandbox.state import State

Sleep = Callable[[float], Awaitable[object]]

_log = logging.getLogger(__name__)
_TRIES = 3
_LOOK_BACK = 100
_BOARD_S = 5.0


@dataclass(frozen=True, slots=True)
class BotProfile:
    """Knowledge about a bot's commands and buttons that simulated people need.

    Attributes:
        accept: Label of the button that accepts a challenge.
        command: The command that plays a move.
        option: Its option, which has suggestions.
        openings: Texts to type into the option occasionally, to get other suggestions.
        separator: Text that occurs only in suggestions of the later part of a game.
        picks: Labels of buttons for a choice before the game starts.
    """

    accept: str = "Accept"
    command: str = "move"
    option: str = "move"
    openings: str = "abcdefghijk"
    separator: str = "-"
    picks: tuple[str, ...] = ("Board 1", "Board 2", "Board 3", "White", "Black")

    def is_early(self, choice: str) -> bool:
        """Return True if a suggestion belongs to the first part of a game."""
        return self.separator not in choice


DVONN = BotProfile()


class TurnPlayer:
    """Plays for people in a channel with a command and its suggestions, one turn at a time.

    Args:
        chance: Random number generator for choices.
        profile: The bot's commands and buttons.
    """

    def __init__(self, chance: Random, profile: BotProfile = DVONN) -> None:
        self.profile = profile
        self._chance = chance
        # If two people played at the same time, both could take the same turn, or neither.
        self._turn = asyncio.Lock()

    async def play(
        self,
        people: Sequence[Person],
        channel: Channel,
        only: Callable[[str], bool] = lambda _: True,
    ) -> str | None:
        """Play one of the suggestions for the first of ``people`` who gets any.

        Returns:
            The move, or None if nothing was suggested or ``only`` rejects the choice.

        Raises:
            InvocationRefused: if one of them may not use the command.
            InteractionFailed: if the bot did not answer.
        """
        async with self._turn:
            for person in people:
                offered = await self._suggestions(person, channel)
                if not offered:
                    continue
                choice = str(self._chance.choice(offered)[1])
                if not only(choice):
                    return None
                values = {self.profile.option: choice}
                await tidy(person, await person.slash(channel, self.profile.command, **values))
                return choice
            return None

    def pick(self, message: Message) -> str | None:
        """Choose a button from ``profile.picks`` below a message. Return its label, or None."""
        labels = [button.label for button in message.buttons if not button.disabled]
        offered = [label for label in labels if label in self.profile.picks]
        return self._chance.choice(offered) if offered else None

    async def _suggestions(
        self, person: Person, channel: Channel
    ) -> Sequence[tuple[str, str | int | float]]:
        for typed in (self._chance.choice(self.profile.openings), ""):
            values = {self.profile.option: typed}
            choices = await person.autocomplete(channel, self.profile.command, **values)
            if choices:
                return choices
        return ()


async def tidy(person: Person, answer: Answer) -> None:
    """Wait until the bot has handled the request, then dismiss its private message."""
    if answer.message is None:
        return
    try:
        message = await answer.settled()
    except TimeoutError:
        return
    if message.viewer is person.user and not message.deleted:
        await person.dismiss(message)


class Friend:
    """A person who accepts challenges and plays their turns, while :meth:`run` is running.

    Args:
        person: The person.
        state: The sandbox's state.
        turn_player: Plays moves for them.
        reaction_s: Reaction time in seconds.
        sleep: Function to wait with.
    """

    def __init__(
        self,
        person: Person,
        state: State,
        turn_player: TurnPlayer,
        *,
        reaction_s: float,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self.person = person
        self._state = state
        self._turn_player = turn_player
        self._reaction_s = reaction_s
        self._sleep = sleep
        # Only a channel's newest request to move counts, but every challenge does.
        self._seen: dict[int, Message] = {}
        self._called = asyncio.Event()

    async def run(self) -> None:
        """Process missed messages, then react to new ones, until canceled."""
        self._state.messages_changed.listen(self._notice)
        self._state.readiness.listen(self._catch_up)
        try:
            self._catch_up(self._state)
            while True:
                await self._called.wait()
                self._called.clear()
                await self._sleep(self._reaction_s)
                while self._seen:
                    await self._react(self._seen.pop(next(iter(self._seen))))
        finally:
            self._state.messages_changed.unlisten(self._notice)
            self._state.readiness.unlisten(self._catch_up)

    def _notice(self, message: Message) -> None:
        if not self._concerns_me(message):
            return
        key = message.id if self._accepts(message) else message.channel.id
        if key not in self._seen or self._seen[key].id <= message.id:
            self._seen[key] = message
            self._called.set()

    def _catch_up(self, state: State) -> None:
        """React to the newest message to the person in each channel.

        The bot may have been restarted.
        """
        for channel in tuple(state.channels.values()):
            for message in channel.messages[: -_LOOK_BACK - 1 : -1]:
                if self._concerns_me(message):
                    self._notice(message)
                    break

    def _concerns_me(self, message: Message) -> bool:
        me = self.person.user
        if message.author is not self._state.bot or message.viewer is not None or message.deleted:
            return False
        if not message.channel.may(me, Permission.VIEW_CHANNEL):
            return False
        return me in message.mentions or self._is_open_challenge(message) or self._names_me(message)

    def _is_open_challenge(self, message: Message) -> bool:
        """Return True if a message is another person's open challenge."""
        asker = (message.interaction or {}).get("user", {}).get("id")
        return not message.mentions and asker != str(self.person.id) and self._accepts(message)

    def _names_me(self, message: Message) -> bool:
        """Return True if a message mentions the person and offers no choice.

        If a player has two turns in a row, the second message mentions them without a ping.
        """
        asks = any(button.label in self._turn_player.profile.picks for button in message.buttons)
        return self.person.mention in message.content and not asks and not self._accepts(message)

    def _accepts(self, message: Message) -> bool:
        label = self._turn_player.profile.accept
        return any(button.label == label and not button.disabled for button in message.buttons)

    async def _react(self, message: Message) -> None:
        for _ in range(_TRIES):
            try:
                if message.deleted:
                    return
                accept = self._turn_player.profile.accept if self._accepts(message) else None
                if label := accept or self._turn_player.pick(message):
                    answer = await self.person.click(message, label)
                    if answer.message is not message:
                        await tidy(self.person, answer)
                else:
                    await self._turn_player.play([self.person], message.channel)
            except InteractionFailed:
                await self._sleep(self._reaction_s)
            except InvocationRefused as refusal:
                _log.info("simulated player %s cannot play: %s", self.person.name, refusal)
                return
            else:
                return


async def fast_forward(
    people: Sequence[Person],
    channel: Channel,
    turn_player: TurnPlayer,
    *,
    goes_on: Callable[[], bool] = lambda: True,
) -> int:
    """Play for a channel's players until the later part of the game begins.

    Each turn must appear in the channel before the next one is played. Playing stops once
    ``goes_on`` returns False.

    Returns:
        The number of turns played, or 0 if nobody in ``people`` can play.

    Raises:
        InvocationRefused: if a person may not play.
        InteractionFailed: if the bot did not answer.
    """
    changed = channel.directory.messages_changed
    played = 0
    while goes_on():
        task = asyncio.ensure_future(
            changed.wait(lambda message: _is_addressed(message, channel), _BOARD_S)
        )
        try:
            if await turn_player.play(people, channel, turn_player.profile.is_early) is None:
                break
            await task
            played += 1
        finally:
            task.cancel()
    return played


def _is_addressed(message: Message, channel: Channel) -> bool:
    bot = channel.directory.bot
    is_there = message.channel is channel and not message.deleted
    return is_there and message.author is bot and message.viewer is None
