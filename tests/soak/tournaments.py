"""Tournaments during the kills of `tests.soak.kills`: each round must be paired and opened once.

A server of each shard holds a Swiss, a knockout and a ladder, each in its own channel, and then the
next one. A user without an answer asks again until the action is done. In some rounds a player
withdraws, a result is corrected, or the whole tournament is cancelled, while its games are being
opened or played.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count, pairwise
from random import Random
from typing import Any

from sqlalchemy import Executable, select
from sqlalchemy.engine import Row

from bot.base.database_address import database_address
from bot.database.delivery_rows import deliveries
from bot.database.opening import create_engine
from bot.play.store.schema import games
from club.tournaments.schema import entrants, pairings, tournaments
from demo.commands import use
from sandbox import Answer, Channel, Message, Permission, Person, Sandbox
from sandbox.interactions import InteractionFailed
from sandbox.invocations import InvocationRefused
from tests.e2e.conftest import PATIENCE
from tests.e2e.features.tournaments.cups import Form, create, organize
from tests.e2e.processes import Processes, guild_of_shard
from tests.soak.tournament_faults import OVER, Heard

_CLOCK = "10 days + 2 days"
FORMATS: Mapping[str, Mapping[str, object]] = {
    "swiss": {"clock": _CLOCK, "rounds": 2, "begins": "in 3 days"},
    "knockout": {"clock": _CLOCK},
    "ladder": {"clock": _CLOCK, "lasts": "1 day"},
}
"""The options of each format.

Some of the days that pass end a ladder, or start a planned tournament.
"""
_NAMES = ("Dee", "Eve", "Finn", "Gus")
_TROUBLE = ("withdraw", "correct", "cancel", None, None)
_LOOK_S = 0.3
_ASK_AGAIN = 10
"""Number of checks after which a user without an answer asks again."""
CALM_S = 300.0
"""Maximum time for the last ones at the end, when nothing is killed any more."""


async def _tried(wish: Awaitable[Answer]) -> Answer | None:
    """Return the answer to a user, or None if there is none or the action is impossible."""
    try:
        return await wish
    except (InteractionFailed, InvocationRefused, TimeoutError):
        return None


@dataclass
class Cup:
    """All tournaments of one format in one server, and all messages about them."""

    tours: "Tournaments"
    format: str
    server: str
    channel: Channel
    hall: Channel
    """The channel in which people challenge each other."""
    organiser: Person
    players: dict[int, Person]
    random: Random
    said: dict[int, Message] = field(default_factory=dict)
    events: dict[int, str] = field(default_factory=dict)
    """The names of Discord's scheduled events, by id."""
    held: int = 0
    ends: bool = False

    def note(self, message: Message) -> None:
        """Store the bot's public messages in the channel or its threads."""
        place = message.channel
        if not message.ephemeral and self.channel in (place, getattr(place, "parent", None)):
            self.said[message.id] = message

    async def go_on(self) -> None:
        """Hold one after the other, until it is time to end."""
        for number in count(1):
            await self._hold(f"{self.format} {self.server} no {number}")
            self.held += 1
            if self.ends:
                return

    async def _hold(self, name: str) -> None:
        terms = {"name": name, "format": self.format, **FORMATS[self.format]}
        number = None
        while number is None:
            await _tried(create(self.organiser, self.channel, **terms))
            for _ in range(_ASK_AGAIN):
                number = await self.tours.number(tournaments.c.name == name)
                if number is not None:
                    break
                await asyncio.sleep(_LOOK_S)
        trouble = self.random.choice(_TROUBLE)
        while (state := await self._state(number)) not in OVER:
            self._look_at_events()
            if state in ("open", "check_in"):
                await self._enter(number, name, state)
            elif self.format == "ladder":
                await self._challenge(number)
            elif trouble is not None and await self._make_trouble(number, trouble):
                trouble = None
            await self._resign(number)
            await asyncio.sleep(_LOOK_S)
        while await self._resign(number):  # noqa: ASYNC110 - games of a cancelled one go on
            await asyncio.sleep(_LOOK_S)

    async def _state(self, number: int) -> str:
        (row,) = await self.tours.rows(
            select(tournaments.c.state).where(tournaments.c.id == number)
        )
        return str(row.state)

    def _look_at_events(self) -> None:
        guild = self.channel.guild
        assert guild is not None
        mine = (event for event in guild.events.values() if event.name.startswith(self.format))
        self.events |= {part.id: part.name for part in mine}

    async def _enter(self, number: int, name: str, state: str) -> None:
        """Let everyone join and check in. Begin it as the organizer."""
        of = select(entrants).where(entrants.c.tournament_id == number)
        known = {row.player_id: row for row in await self.tours.rows(of)}
        missing = [one for who, one in self.players.items() if who not in known]
        away = {who for who, row in known.items() if not row.checked_in}
        late = [one for who, one in self.players.items() if who in away]
        asked = [
            message
            for message in self.channel.messages
            if any(button.label == "I'm here" for button in message.buttons)
            and name in message.content
        ]
        if missing:
            await _tried(_press(missing[0], self.channel, number, "join"))
        elif state == "check_in" and late:
            for message in asked[-1:]:
                await _tried(late[0].click(message, "I'm here"))
        else:
            await _tried(organize(self.organiser, self.channel, "begin", tournament=str(number)))

    async def _challenge(self, number: int) -> None:
        """Let each player challenge the one above them, unless they have played in the ladder."""
        of = select(games).where(games.c.tournament_id == number)
        met = [{row.white_id, row.black_id} for row in await self.tours.rows(of)]
        for above, below in pairwise(self.players.values()):
            if {above.id, below.id} in met:
                continue
            asked = [
                message
                for message in self.hall.messages
                if any(button.label == "Accept" for button in message.buttons)
                and above.mention in message.content
                and below.mention in message.content
            ]
            for item in asked[-1:]:
                await _tried(above.click(item, "Accept"))
            if not asked:
                terms = {"opponent": above, "where": "thread", "clock": _CLOCK}
                await _tried(use(below, self.hall, "challenge", **terms))
            return

    async def _running(self, number: int) -> list[Row[Any]]:
        of = select(games).where(games.c.tournament_id == number, games.c.outcome.is_(None))
        return await self.tours.rows(of)

    async def _resign(self, number: int) -> bool:
        """Resign as one player of each running game. Return True if there was one."""
        running = await self._running(number)
        for row in running:
            guild = self.channel.guild
            thread = None if guild is None else guild.channels.get(row.channel_id)
            if thread is None:
                continue  # it is not opened yet
            loser = self.players[self.random.choice([row.white_id, row.black_id])]
            asked = await _tried(loser.slash(thread, "resign"))
            if asked is not None and asked.message is not None and asked.message.buttons:
                await _tried(loser.click(asked.message, asked.message.buttons[0].label))
        return bool(running)

    async def _make_trouble(self, number: int, what: str) -> bool:
        """Withdraw a player, or correct or cancel as the organizer.

        Return True if that was done.
        """
        paired = await self.tours.rows(select(pairings).where(pairings.c.tournament_id == number))
        open_ = [row for row in paired if row.result is None]
        if not open_:
            return False
        if what == "cancel":
            asked = await _tried(
                organize(self.organiser, self.channel, "off", tournament=str(number))
            )
            if asked is not None and asked.message is not None and asked.message.buttons:
                await _tried(self.organiser.click(asked.message, "Yes, call it off"))
            return await self._state(number) in OVER
        if what == "correct":
            place = {"round": str(open_[0].round), "board": str(open_[0].board)}
            form: Form = {**place, "result": ["white"], "note": "A slip."}
            about = {"tournament": str(number)}
            asked = await _tried(organize(self.organiser, self.channel, "correct", form, **about))
            if asked is not None and asked.message is not None and asked.message.buttons:
                yes = asked.message.buttons[0].label  # its game ends with that
                await _tried(self.organiser.click(asked.message, yes))
            of = (pairings.c.tournament_id == number) & pairings.c.by_id.is_not(None)
            return bool(await self.tours.rows(select(pairings.c.board).where(of)))
        leaves = list(self.players.values())[-1]
        await _tried(_press(leaves, self.channel, number, "leave"))
        of = (entrants.c.tournament_id == number) & entrants.c.withdrawn
        return bool(await self.tours.rows(select(entrants.c.number).where(of)))


async def _press(person: Person, channel: Channel, number: int, *actions: str) -> Answer:
    """Press buttons on a tournament's page, one after the other."""
    answer = await person.slash(channel, "tournament show", tournament=str(number))
    for action in actions:
        if answer.message is not None and answer.message.buttons:
            custom_id = f"dvonn:cup:{number}:{action}"
            answer = await person.click(answer.message, custom_id=custom_id)
    return answer


class Tournaments:
    """The tournaments of all servers, as people, the channels and the database see them.

    Args:
        world: Where.
        address: The database.
        processes: The bot's processes, whose time passes at the end.
        seed: Random seed of the results and the faults.
    """

    def __init__(self, world: Sandbox, address: str, processes: Processes, seed: int) -> None:
        self._world = world
        self._engine = create_engine(database_address(address))
        self._processes = processes
        self._seed = seed
        self._tasks: list[asyncio.Task[None]] = []
        self.cups: list[Cup] = []
        self.said: dict[int, Message] = {}
        """All public messages everywhere."""
        world.state.messages_changed.listen(self._note)

    def _note(self, message: Message) -> None:
        if not message.ephemeral:
            self.said[message.id] = message

    async def begin(self, shards: int) -> None:
        """Open a server on each shard, and start its tournaments."""
        for shard in range(shards):
            guild = await guild_of_shard(self._world, f"Cups {shard}", shard, shards)
            role = guild.bot_role
            guild.set_role_permissions(role, role.permissions | Permission.CREATE_EVENTS)
            organiser = guild.add_person(f"Mo {shard}", permissions=Permission.MANAGE_EVENTS)
            hall = guild.create_channel("hall")
            for number, format_ in enumerate(FORMATS):
                names = [f"{name} {format_} {shard}" for name in _NAMES]
                players = [guild.add_person(name) for name in names]
                for item in (organiser, *players):
                    item.patience = PATIENCE
                cup = Cup(
                    self,
                    format_,
                    str(shard),
                    guild.create_channel(format_),
                    hall,
                    organiser,
                    {player.id: player for player in players},
                    Random(f"{self._seed} {shard} {number}"),
                )
                self._world.state.messages_changed.listen(cup.note)
                self.cups.append(cup)
        self._tasks = [asyncio.create_task(cup.go_on()) for cup in self.cups]

    async def end(self) -> None:
        """Let the running tournaments end. Days pass, as ladders and planned ones need.

        Raises:
            TimeoutError: if one does not.
        """
        for cup in self.cups:
            cup.ends = True
        async with asyncio.timeout(CALM_S):
            while any(not task.done() for task in self._tasks):
                with suppress(TimeoutError):
                    async with asyncio.timeout(CALM_S / 20):
                        await asyncio.gather(*map(asyncio.shield, self._tasks))
                self._processes.pass_time(days=1)
            for task in self._tasks:
                task.result()
            unsent = deliveries.c.sent_at.is_(None) & deliveries.c.dropped_at.is_(None)
            while await self.rows(select(deliveries.c.id).where(unsent)):  # noqa: ASYNC110 - as above
                await asyncio.sleep(_LOOK_S)

    async def faults(self, bot: object) -> list[str]:
        """Return what was announced, opened, paired or planned twice, or never."""
        found = []
        for cup in self.cups:
            heard = Heard(cup.channel, cup.said, self.said, cup.events, self.rows)
            found += await heard.faults(bot)
        return found

    async def told(self) -> str:
        """Return how much there was."""
        held = Counter[str]()
        for cup in self.cups:
            held[cup.format] += cup.held
        played = len(await self.rows(select(games.c.id).where(games.c.tournament_id.is_not(None))))
        listed = ", ".join(f"{number} {format_}" for format_, number in held.items())
        return f"tournaments: {listed}, {played} games"

    async def close(self) -> None:
        """Stop checking."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._engine.dispose()

    async def number(self, which: Any) -> int | None:
        """Return the id of a tournament, if it exists."""
        rows = await self.rows(select(tournaments.c.id).where(which))
        return rows[0].id if rows else None

    async def rows(self, statement: Executable) -> list[Row[Any]]:
        """Query the database."""
        async with self._engine.connect() as connection:
            return list(await connection.execute(statement))
