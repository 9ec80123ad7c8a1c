"""Send forged interactions to the running bot: it must keep playing, and permit nothing forbidden.

    python -m tests.fuzz.interactions [--count 100000] [--seed 1]

The user's identity and the payload's structure stay, because Discord vouches for them. Everything
that users enter, choose or press is altered at random: texts, ids of other people's games, and
components of other messages or of none. Afterwards the database is compared with a permission model
(`audit.py`). An event-loop step that is too long is a fault as well: see `tests.e2e.loop_steps`.
"""

import asyncio
import json
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

from sandbox import Message, Person, RateLimits, Sandbox
from sandbox.interactions import Interaction, InteractionFailed, InteractionKind, payload
from sandbox.model import Channel
from tests.e2e.bot_process import BotProcess
from tests.e2e.conftest import FAULTS, PATIENCE, Club, Table
from tests.fuzz.asked import parse_arguments
from tests.fuzz.audit import Claims, audit, untouchable
from tests.fuzz.payloads import Templates, broken
from tests.games import random_game

_BATCH = 50
"""Number of interactions before the bot is asked something that it must answer."""
_PATIENCE = 20
"""Number of requests."""
_OVER_S = 10.0
"""After this time nobody waits for an answer any more."""
_SEEN = 6
"""Number of a channel's messages that people look at."""
PLAYED = 4
"""Number of intact moves. Each must be played, otherwise the forged ones show nothing."""


@dataclass
class Result:
    """The result.

    Attributes:
        faults: The faults as text.
        sent: Number of payloads.
        answered: Number of answered ones.
        events: Number of events that intact payloads added to games.
    """

    faults: list[str] = field(default_factory=list)
    sent: int = 0
    answered: int = 0
    events: int = 0


_BEGUN = 2
"""Number of moves made in the game of those who ask."""


async def _furnish(
    world: Sandbox, bot: BotProcess
) -> tuple[Club, Table, list[Person], list[Message]]:
    """A server with games of people who ask for anything, and of two who never ask.

    The first game belongs to those who ask.
    """
    guild = world.create_guild("Friends")
    channel = guild.create_channel("dvonn")
    ann, bob, cid = (guild.add_person(name) for name in ("Ann", "Bob", "Cid"))
    quin, ron = guild.add_person("Quin"), guild.add_person("Ron")
    club = Club(world, guild, channel, quin, ron, cid, bot)
    quiet = await club.start_game()
    await quiet.play(random_game(1)[:3])
    noisy = guild.create_channel("noisy")
    table = await club.start_game(noisy, challenger=ann, opponent=bob)
    await table.play(random_game(1)[:_BEGUN])
    moving = guild.create_channel("moving")
    await club.start_game(moving, challenger=bob, opponent=ann, start="balanced")
    opened = await cid.slash(channel, "challenge", opponent=ron)  # only Ron may accept this
    assert opened.message is not None
    messages = [
        message
        for place in (channel, noisy, moving)
        for message in place.messages
        if message.components
    ]
    return club, table, [ann, bob, cid], messages


class _Sender:
    """Sends the altered interactions."""

    def __init__(
        self, club: Club, people: list[Person], messages: list[Message], rng: Random
    ) -> None:
        self._world, self._rng, self._people, self._messages = club.world, rng, people, messages
        self._commands = list(club.world.application.commands.values())
        self._templates = Templates(rng, self._commands, [person.id for person in people])
        self.claims = Claims()

    async def play(self, table: Table) -> None:
        """Play the next moves of a game with intact interactions."""
        (command,) = [command for command in self._commands if command["name"] == "move"]
        begun = random_game(1)[_BEGUN : _BEGUN + PLAYED]
        for who, move in zip(cycle((table.white, table.black)), begun, strict=False):
            option = {"name": "move", "type": 3, "value": str(move)}
            data = {"id": command["id"], "name": "move", "type": 1, "options": [option]}
            one = self._interaction(InteractionKind.COMMAND, who, table.channel, data)
            whole = self._payload(one)
            self.claims.note(whole)
            self._dispatch(whole)
            await one.first

    def send(self) -> None:
        """Make an interaction, alter it, and send it."""
        rng = self._rng
        message = rng.choice(self._messages)
        kind = rng.choice(list(InteractionKind))
        one = self._interaction(
            kind, rng.choice(self._people), message.channel, self._templates.of(kind, message)
        )
        one.message = message if kind is not InteractionKind.COMMAND else None
        whole = self._payload(one)
        if "message" in whole and rng.random() < 0.2:  # a picture without text, such as a chart
            whole["message"]["content"] = ""
        self.claims.note(whole)
        self._dispatch(broken(rng, whole))

    def _interaction(
        self, kind: InteractionKind, who: Person, channel: Channel, data: dict[str, Any]
    ) -> Interaction:
        state = self._world.state
        one = Interaction(
            id=state.next_id(),
            kind=kind,
            user=who.user,
            channel=channel,
            created_at=state.now(),
            data=data,
        )
        state.interactions[one.token] = one
        return one

    def _payload(self, one: Interaction) -> dict[str, Any]:
        state = self._world.state
        return payload(one, state.application.id, state.bot)

    def _dispatch(self, data: dict[str, Any]) -> None:
        """Send it without the sandbox's own page, which parses such payloads, too."""
        for session in self._world.sessions:
            session.dispatch("INTERACTION_CREATE", json.dumps(data))

    def look_around(self) -> None:
        """Find the newest messages with buttons or selects, including ephemeral ones."""
        state = self._world.state
        places = [list(channel.history.values())[-_SEEN:] for channel in state.channels.values()]
        shown = [list(state.ephemeral.values())[-_SEEN * len(self._people) :]]
        found = [
            message for messages in places + shown for message in messages if message.components
        ]
        self._messages = found or self._messages

    def sweep(self) -> int:
        """Forget finished interactions, to save memory in a long run.

        Return the number of answers.
        """
        state = self._world.state
        over = [
            interaction
            for interaction in state.interactions.values()
            if interaction.first.done() or interaction.created_at + _OVER_S < state.now()
        ]
        for item in over:
            del state.interactions[item.token]
        for number in list(state.ephemeral)[: -_SEEN * len(self._people)]:
            del state.ephemeral[number]
        return sum(entry.first.done() for entry in over)


async def fuzz(count: int, seed: int, folder: Path, *, in_calls: bool = False) -> Result:
    """Send a number of forged interactions, and check the state afterwards.

    With `in_calls`, the bot's event loop is measured in calls of functions instead of seconds.
    """
    rng, result = Random(seed), Result()
    limits = RateLimits.generous()
    async with Sandbox(rate_limits=limits, record=False, patience=PATIENCE) as world:
        bot = BotProcess(world, folder, LOG_LEVEL="warning")
        bot.watch_loop(in_calls=in_calls)
        await bot.start()
        club, game, people, messages = await _furnish(world, bot)
        furnished = len(bot.too_long_steps)
        sender = _Sender(club, people, messages, rng)
        before = untouchable(bot, club)
        await sender.play(game)
        while result.sent < count:
            for _ in range(min(_BATCH, count - result.sent)):
                sender.send()
                result.sent += 1
            await _still_answers(club, bot, result)
            sender.look_around()
            result.answered += sender.sweep()
        # A game that starts now is played like any other.
        last = club.guild.create_channel("afterwards")
        quin, ron = club.ann, club.bob
        table = await club.start_game(last, challenger=ron, opponent=quin)
        await table.play(random_game(2)[:4])
        if await bot.stop() != 0:
            result.faults.append("the bot did not stop in good order")
        after, result.events, faults = audit(bot, club, sender.claims)
        result.faults += faults
        if before != after:
            result.faults.append("games of people who never asked have changed")
        result.faults += [f"busy for {step}" for step in bot.too_long_steps[furnished:]]
        result.faults += [line[:300] for line in FAULTS.findall(bot.log)]
        if world.crashes:
            result.faults.append(f"the sandbox crashed: {world.crashes[0]!r}")
    return result


async def _still_answers(club: Club, bot: BotProcess, result: Result) -> None:
    """Check that the bot has handled everything.

    On a slow machine, the bot may miss Discord's deadline of three seconds.
    """
    for _ in range(_PATIENCE):
        with suppress(InteractionFailed):
            answer = await club.ann.slash(club.channel, "board", text=True)
            assert answer.content or answer.deferred
            return
    raise RuntimeError(f"deaf after {result.sent}\n{bot.log[-5000:]}")


def main() -> int:
    """Run, and print the result."""
    options = parse_arguments(__doc__, count=100_000)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        result = asyncio.run(fuzz(options.count, options.seed, Path(folder)))
        log = (Path(folder) / "bot.log").read_text()
    sys.stdout.writelines(f"{fault}\n" for fault in result.faults[:40])
    if result.faults:
        Path("fuzz.log").write_text(log)
    sys.stdout.write(
        f"{result.sent} interactions, seed {options.seed}: {result.answered} answered, "
        f"{result.events} events of games; {len(result.faults)} faults, "
        f"{time.monotonic() - began:.0f} s\n"
    )
    return 1 if result.faults else 0


if __name__ == "__main__":
    sys.exit(main())
