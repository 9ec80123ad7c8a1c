"""Random people use the running bot in Discord's app: everything they do must be answered, once.

    python -m tests.fuzz.users [--count 5000] [--seed 1] [--postgresql]

They speak six languages. They use each command, menu, button, select and form that the app offers
them, often with senseless values. They press buttons that are no longer there, press twice, give up
forms, and type moves and nonsense. Meanwhile channels, messages, members and rights come and go,
days pass, and the bot is restarted.

`interactions` forges what an app never sends. Here everything passes the app's checks, so that an
unanswered interaction, a refused request and an error in the log are faults. A typed message is
one, too, if it is a legal move or names the bot, and nothing follows.
"""

import asyncio
import re
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count as numbers
from pathlib import Path
from random import Random
from typing import Any, Final

from bot.base.database_address import database_address
from bot.base.ids import ChannelId
from bot.base.languages import languages, reader_for
from bot.connection.words import something_went_wrong
from bot.database.opening import create_engine
from bot.play.model.typed_clocks import PRESETS
from bot.play.store.store import Store
from bot.play.use_cases.game_cache import GameCache
from dvonn import GameRecord, format_move, position_to_text
from dvonn.formats import FORMATS
from sandbox import (
    Answer,
    Channel,
    GuildAdmin,
    Message,
    Permission,
    Person,
    RateLimits,
    Sandbox,
    Thread,
    commands,
    messages,
)
from sandbox.components import Kind
from sandbox.interactions import InteractionFailed
from sandbox.invocations import InvocationRefused, offered
from sandbox.modals import ModalField
from tests.e2e.bot_process import BotClock, BotProcess, WorldClock
from tests.e2e.conftest import FAULTS, PATIENCE
from tests.fuzz.asked import parse_arguments
from tests.fuzz.long_texts import LONG_TEXTS
from tests.fuzz.mutations import mutated, random_text
from tests.games import positions_of, random_game
from tests.postgresql import new_database, stop_server

JSON = dict[str, Any]

_SEEN: Final = 300
"""Number of messages that people remember, with the buttons that they had."""
_TOLD: Final = 12
"""Number of last actions that a fault tells."""
_SOON_S: Final = 60.0
"""Time for the reaction to a typed message, on a busy machine."""
_LEAST_CHANNELS: Final = 4
_MOST_CHANNELS: Final = 9
_BAD_REQUEST: Final = 400
_EXPECTED: Final = {403, 404, 429}
"""Statuses of requests that may be refused, because places and rights disappear."""
_RIGHTS: Final = (
    Permission.SEND_MESSAGES,
    Permission.VIEW_CHANNEL,
    Permission.READ_MESSAGE_HISTORY,
    Permission.ATTACH_FILES,
    Permission.EMBED_LINKS,
    Permission.ADD_REACTIONS,
    Permission.CREATE_PUBLIC_THREADS,
    Permission.SEND_MESSAGES_IN_THREADS,
)
_PAUSES_S: Final = (1, 60, 600, 3_600, 86_400, 3 * 86_400, 15 * 86_400)
_REQUESTS: Final = (
    *("help", "resign", "undo", "draw", "rematch", "rules", "my games", "board", "stop", "hint"),
    *("Hilfe", "aufgeben", "aide", "abandonner", "ayuda", "aiuto", "opgeven", "gg", "thanks!"),
)
_WORDS: Final = (
    *("c3", "d2-d4", "a1 b1 c1 else next", "22:00", "Europe/Berlin", "3 days + 1 day", "9" * 29),
    *("-1", "0", "1e309", "tomorrow", "2026-02-30", "31.12.2026 24:00", "@everyone", "\u202e" * 9),
)


@dataclass
class Result:
    """The result of a run.

    Attributes:
        faults: The faults as text, with the last actions before them.
        done: Number of actions by kind.
        refused: Number of actions that the app refused.
        answered: Number of answered interactions.
    """

    faults: list[str] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    answered: int = 0


class Texts:
    """Random texts for options, forms and messages."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        lines = [random_game(number) for number in range(4)]
        records = [GameRecord(tuple(line)) for line in lines]
        self.files = [item.text(record) for item in FORMATS.values() for record in records]
        self._positions = [
            position_to_text(position) for line in lines for position in positions_of(line)[::9]
        ]
        self._moves = [str(move) for line in lines for move in line]

    def any(self, longest: int = 4_000, shortest: int = 0) -> str:
        """Return a text between two lengths."""
        rng = self._rng
        chosen = rng.choice(
            (
                lambda: rng.choice(_WORDS),
                lambda: rng.choice(self._moves),
                lambda: " ".join(rng.choices(self._moves, k=rng.randint(2, 9))),
                lambda: rng.choice(PRESETS),
                lambda: rng.choice(self._positions),
                lambda: rng.choice(self.files),
                lambda: rng.choice(_REQUESTS),
                lambda: str(rng.choice((-1, 0, 1, 3, 15, 99, 2**31, 2**63, 10**30))),
                lambda: random_text(rng),
                lambda: rng.choice(LONG_TEXTS),
                lambda: mutated(rng, rng.choice(self.files), self._moves),
            )
        )()
        # An app sends no half of a pair.
        chosen = chosen.encode("utf-8", "replace").decode()[:longest].strip()
        return chosen + "x" * (shortest - len(chosen))

    def file(self) -> tuple[str, bytes]:
        """Return a file's name and content."""
        rng = self._rng
        data = rng.choice(
            (
                b"",
                b"\x89PNG\r\n\x1a\n" + rng.randbytes(200),
                rng.randbytes(30_000),
                self.any().encode("utf-16"),
                rng.choice(self.files).encode(),
                rng.choice(LONG_TEXTS).encode(),
                b"\xff" * 1_000_000,
            )
        )
        return rng.choice(("game.txt", "game.pgn", "board.png", "x", "ä" * 60 + ".sgf")), data


@dataclass(frozen=True)
class Seen:
    """A message of the bot, with the components that it had at a moment."""

    message: Message
    components: list[JSON]


class Walk:
    """People in two servers, groups and direct messages, and one bot."""

    def __init__(self, world: Sandbox, bot: BotProcess, clock: BotClock, seed: int) -> None:
        self._world, self._bot, self._clock = world, bot, clock
        self._rng, self.result = Random(seed), Result()
        self._texts = Texts(self._rng)
        self._seen = deque[Seen](maxlen=_SEEN)
        self._last = deque[str](maxlen=_TOLD)
        self._read = 0
        self._names = numbers()
        self._denied: list[tuple[GuildAdmin, Channel]] = []
        self._away: list[tuple[GuildAdmin, Person]] = []
        self._said: list[Message] = []
        self._boards: dict[str, int] = {}
        self._failures = {something_went_wrong(reader_for(language)) for language in languages()}
        self._open()
        self._store = Store(create_engine(database_address(bot.settings["DATABASE_URL"])))
        world.state.messages_changed.listen(self._note)

    def _open(self) -> None:
        """Create the servers, people and private places."""
        world, spoken = self._world, languages()
        self._guilds = [world.create_guild(f"Server {number}") for number in range(2)]
        self._guilds[1].guild.locale = "de"
        locales = [next(iter(world_locales(language))) for language in spoken]
        self._people = []
        for number, locale in enumerate(locales):
            person = self._guilds[0].add_person(f"Person {number}")
            person.user.locale = locale
            if number % 2:
                self._guilds[1].join(person)
            self._people.append(person)
        moderator = self._guilds[0].add_person("Mod", permissions=Permission.MANAGE_GUILD)
        self._guilds[1].join(moderator, permissions=Permission.MANAGE_CHANNELS)
        self._people.append(moderator)
        for person in self._people:
            person.patience = PATIENCE
        self._people[0].install()
        self._group = world.create_private_channel(*self._people[:2])
        for guild in self._guilds:
            for number in range(_LEAST_CHANNELS - 1):
                guild.create_channel(f"channel-{number}")

    def _note(self, message: Message) -> None:
        if message.author is not self._world.bot_user:
            return
        if message.components and not message.deleted:
            self._seen.append(Seen(message, [*message.components]))
        if message.content in self._failures:
            self.fault(f"told {message.content!r}")
        if message.interaction is None and not message.deleted and message.viewer is None:
            for file in message.attachments:
                if re.fullmatch(r"dvonn-\d+-\d+\.png", file.filename):
                    first = self._boards.setdefault(file.filename, message.id)
                    if first != message.id:
                        self.fault(f"posted twice: {file.filename}")

    def fault(self, what: str) -> None:
        """Note a fault, and print it with the last actions before it."""
        fault = "\n    ".join((what, *self._last))
        self.result.faults.append(fault)
        sys.stdout.write(f"{fault}\n\n")
        sys.stdout.flush()

    # What people do

    async def step(self) -> None:
        """Let somebody do something, or several at once."""
        rng = self._rng
        ways: dict[Callable[[], Awaitable[None]], int] = {
            self._command: 22,
            self._click: 30,
            self._press_again: 8,
            self._suggest: 4,
            self._menu: 3,
            self._move: 18,
            self._say: 8,
            self._edit: 2,
            self._change_places: 4,
            self._wait: 2,
            self._disturb: 1,
        }
        at_once = 1 if rng.random() < 0.85 else rng.randint(2, 4)
        chosen = rng.choices([*ways], [*ways.values()], k=at_once)
        alone = {self._wait, self._disturb, self._change_places}
        if alone & set(chosen):
            chosen = [next(way for way in chosen if way in alone)]
        for way in chosen:
            self.result.done[way.__name__.strip("_")] += 1
        await asyncio.gather(*(way() for way in chosen))
        self._read_log()

    def _read_log(self) -> None:
        log = self._bot.log
        for line in FAULTS.findall(log[self._read :]):
            end = log.find(line) + len(line)
            self.fault(f"{line}\n{log[end : end + 3_000]}")
        self._read = len(log)
        for exchange in self._world.exchanges:
            if exchange.status >= _BAD_REQUEST and exchange.status not in _EXPECTED:
                self.fault(
                    f"{exchange.method} {exchange.path} {exchange.status} {exchange.response}\n"
                    f"{str(exchange.request)[:1_500]}"
                )
        self._world.exchanges.clear()

    async def _await_answer(self, what: str, using: Awaitable[Answer]) -> Answer | None:
        """Wait for the answer to an interaction. Without one, report a fault."""
        self._last.append(what)
        try:
            answer = await using
        except InvocationRefused:
            self.result.refused += 1
            return None
        except InteractionFailed as error:
            self.fault(f"{what}: {error}")
            return None
        self.result.answered += 1
        if answer.message is not None and answer.message.loading and not answer.message.deleted:
            self.fault(f"{what}: still thinking")
        if answer.modal is not None:
            await self._fill(answer, what)
        return answer

    async def _fill(self, answer: Answer, what: str) -> None:
        """Fill in a form, give it up, or submit it twice."""
        rng, modal = self._rng, answer.modal
        assert modal is not None
        if rng.random() < 0.1:
            return
        person = self._world.person(answer.used.user)
        person.patience = PATIENCE
        for _ in range(rng.choice((1, 1, 1, 1, 2))):
            values = {
                item.custom_id: self._entered(item, answer.used.channel)
                for item in modal.modal.fields
                if rng.random() < 0.7
            }
            told = f"{what} > form {modal.custom_id} {str(values)[:300]}"
            await self._await_answer(told, person.submit(modal, values))

    def _entered(self, item: ModalField, channel: Channel) -> str | list[str]:
        payload, rng = item.payload, self._rng
        if item.is_text:
            low, high = payload.get("min_length") or 0, payload.get("max_length") or 4_000
            text = item.value if rng.random() < 0.2 else self._texts.any(high, low)
            return text or ("x" if item.required else "")
        few, most = payload.get("min_values", 1), payload.get("max_values", 1)
        if payload["type"] == Kind.STRING_SELECT:
            choices = [option["value"] for option in payload["options"]]
        elif payload["type"] == Kind.USER_SELECT:
            choices = [str(person.id) for person in self._people]
        else:
            choices = [str(place.id) for place in channel.home.channels.values()]
        number = rng.randint(min(few, len(choices)), min(most, len(choices)))
        return rng.sample(choices, number)

    def _place(self, person: Person) -> Channel | None:
        """Return a place that a person can see."""
        places: list[Channel] = [person.dm]
        if person.user in self._group.recipients:
            places.append(self._group)
        for guild in self._guilds:
            if person.id in guild.guild.members:
                places += 3 * [*guild.guild.channels.values()]
        seen = [place for place in places if place.may(person.user, Permission.VIEW_CHANNEL)]
        return self._rng.choice(seen) if seen else None

    def _somebody(self) -> tuple[Person, Channel]:
        while True:
            person = self._rng.choice(self._people)
            place = self._place(person)
            if place is not None:
                return person, place

    async def _command(self) -> None:
        person, place = self._somebody()
        there = offered(self._world.state, place, person.user)
        if not there:
            return
        path, options = self._leaf(self._rng.choice(there))
        values = {
            option["name"]: await self._value(option, person, place, path)
            for option in options
            if option.get("required") or self._rng.random() < 0.5
        }
        told = f"{person.name} #{place.name}: /{path} {str(values)[:300]}"
        await self._await_answer(told, person.slash(place, path, **values))

    def _leaf(self, command: JSON) -> tuple[str, list[JSON]]:
        path, level = command["name"], command
        while nested := [row for row in level.get("options", ()) if row["type"] <= commands.GROUP]:
            level = self._rng.choice(nested)
            path = f"{path} {level['name']}"
        return path, level.get("options", [])

    async def _value(self, option: JSON, person: Person, place: Channel, path: str) -> object:
        rng, kind = self._rng, option["type"]
        if option.get("autocomplete") and rng.random() < 0.6:
            text = rng.choice(("", "", self._texts.any(100)))
            with suppress(InvocationRefused, InteractionFailed):
                found = await person.autocomplete(place, path, **{option["name"]: text})
                if found:
                    return rng.choice(found)[1]
        if option.get("choices"):
            return rng.choice(option["choices"])["value"]
        if kind in {commands.INTEGER, commands.NUMBER}:
            low, high = option.get("min_value", -(2**53)), option.get("max_value", 2**53)
            return rng.choice((low, high, rng.randint(low, high), min(high, max(low, 1))))
        longest, shortest = option.get("max_length", 6_000), option.get("min_length", 0)
        values: dict[int, Callable[[], object]] = {
            commands.STRING: lambda: self._texts.any(longest, shortest),
            commands.BOOLEAN: lambda: rng.random() < 0.5,
            commands.USER_OPTION: self._anybody,
            commands.CHANNEL: lambda: place,
            commands.ATTACHMENT: self._texts.file,
        }
        return values[kind]()

    def _anybody(self) -> Person:
        """Return anybody, perhaps the bot."""
        return self._rng.choice([*self._people, self._world.person(self._world.bot_user)])

    async def _suggest(self) -> None:
        person, place = self._somebody()
        there = offered(self._world.state, place, person.user)
        if not there:
            return
        path, options = self._leaf(self._rng.choice(there))
        typed = [option for option in options if option.get("autocomplete")]
        if not typed:
            return
        name, text = self._rng.choice(typed)["name"], self._texts.any(6_000)
        what = f"{person.name} #{place.name}: /{path} {name}:{text[:100]}..."
        self._last.append(what)
        try:
            await person.autocomplete(place, path, **{name: text})
        except InvocationRefused:
            self.result.refused += 1
        except InteractionFailed as error:
            self.fault(f"{what}: {error}")

    async def _menu(self) -> None:
        person, place = self._somebody()
        rng, history = self._rng, place.messages
        message = rng.choice(history) if history and rng.random() < 0.6 else None
        kind = commands.USER if message is None else commands.MESSAGE
        there = offered(self._world.state, place, person.user, kind)
        if not there:
            return
        name = rng.choice(there)["name"]
        told = f"{person.name} #{place.name}: menu {name} of {str(message)[:100]}"
        if message is not None:
            await self._await_answer(told, person.menu(message, name))
        else:
            await self._await_answer(told, person.menu_of(place, self._anybody(), name))

    async def _click(self) -> None:
        """Use a component of a message as it is now."""
        rng = self._rng
        if not self._seen:
            return
        newest = [*self._seen][-40:]
        message = rng.choice(newest if rng.random() < 0.7 else [*self._seen]).message
        await self._use(message, self._user_of(message))

    async def _press_again(self) -> None:
        """Press a button that a screen still shows, twice, or two people at the same time."""
        rng = self._rng
        if not self._seen:
            return
        seen = rng.choice(self._seen)
        message, now = seen.message, seen.message.components
        if message.deleted:
            return
        twice = [self._user_of(message) for _ in range(rng.choice((1, 2, 2)))]
        if rng.random() < 0.5:
            twice = [twice[0]] * len(twice)
        message.components = seen.components
        pressing = [asyncio.create_task(self._use(message, person)) for person in twice]
        await asyncio.sleep(0)
        if message.components is seen.components:
            message.components = now
        await asyncio.gather(*pressing)

    def _user_of(self, message: Message) -> Person:
        for person in self._people:
            if message.viewer is person.user:
                return person
        return self._rng.choice(self._people)

    async def _use(self, message: Message, person: Person) -> None:
        rng = self._rng
        there = [
            component
            for component in (*message.buttons, *message.selects)
            if component.custom_id is not None and not component.disabled
        ]
        if not there:
            return
        component = rng.choice(there)
        told = f"{person.name} #{message.channel.name}: {component.custom_id} ({component.label})"
        if component.kind == Kind.BUTTON:
            await self._await_answer(told, person.click(message, custom_id=component.custom_id))
            return
        low, high = component.payload["min_values"], component.payload["max_values"]
        choices: list[Any] = [value for _, value in component.options]
        if component.kind == Kind.USER_SELECT:
            choices = [*self._people]
        elif component.kind == Kind.CHANNEL_SELECT:
            if message.guild is None:
                return
            choices = [*message.guild.channels.values()]
        values = rng.sample(choices, rng.randint(min(low, len(choices)), min(high, len(choices))))
        told = f"{told} {values}"
        await self._await_answer(
            told, person.select(message, values, custom_id=component.custom_id)
        )

    # What people type

    async def _move(self) -> None:
        """Type a legal move as the player to move."""
        rng = self._rng
        games = await self._running()
        if not games:
            return
        game, place = rng.choice(games)
        position, row = game.position, game.row
        moves = position.legal_moves() if position.turn is not None else []
        if position.turn is None or not moves:
            return
        mover = row.white if position.turn.name == "WHITE" else row.black
        person = next((player for player in self._people if player.id == mover), None)
        if person is None or not place.may(person.user, Permission.SEND_MESSAGES):
            return
        text = format_move(rng.choice(moves), row.coordinates)
        await self._typed(person, place, rng.choice((text, text, text.upper(), f"**{text}**")))

    async def _running(self) -> list[tuple[Any, Channel]]:
        """Return the running games and their places."""
        found, cache = [], GameCache(self._store, size=1)
        for place in [*self._world.state.channels.values()]:
            row = await self._store.games.running_in(ChannelId(place.id))
            if row is not None:
                game = await cache.existing(row.id)
                if game.is_running:
                    found.append((game, place))
        return found

    async def _say(self) -> None:
        """Type anything. Only what names the bot must be answered."""
        rng = self._rng
        person, place = self._somebody()
        text = self._texts.any(1_900) or "x"
        if rng.random() < 0.6 and place is not self._group:
            await self._typed(person, place, f"{self._world.bot_user.mention} {text}")
            return
        files = [self._texts.file()] if rng.random() < 0.1 else []
        self._last.append(f"{person.name} #{place.name} says {text[:200]!r}")
        with suppress(InvocationRefused):
            if rng.random() < 0.3 and place.messages:
                said = await person.reply(rng.choice(place.messages), text, files=files)
            else:
                said = await person.say(place, text, files=files)
            self._said.append(said)

    async def _typed(self, person: Person, place: Channel, text: str) -> None:
        """Type what must be answered, and wait for a message, an edit or a reaction."""
        world = self._world
        told = f"{person.name} #{place.name} types {text[:200]!r}"
        self._last.append(told)
        needed = (
            Permission.VIEW_CHANNEL | Permission.SEND_MESSAGES | Permission.READ_MESSAGE_HISTORY
        )
        if isinstance(place, Thread):
            needed |= Permission.SEND_MESSAGES_IN_THREADS
        heard = place is not self._group and place.may(world.bot_user, needed)
        answered = asyncio.Event()
        said: list[Message] = []

        def note(message: Message) -> None:
            is_marked = bool(said) and message is said[0] and bool(message.reactions)
            is_new = message.channel is place and message.author is world.bot_user
            if is_marked or is_new:
                answered.set()

        signal = world.state.messages_changed
        signal.listen(note)
        try:
            said.append(await person.say(place, text))
            self._said.append(said[0])
            if heard:
                with suppress(TimeoutError):
                    await asyncio.wait_for(answered.wait(), _SOON_S)
                gone = said[0].deleted or place.id not in world.state.channels
                if not answered.is_set() and not gone:
                    self.fault(f"{told}: nothing followed")
        except InvocationRefused:
            self.result.refused += 1
        finally:
            signal.unlisten(note)

    async def _edit(self) -> None:
        """Edit, delete or react."""
        rng = self._rng
        here = [said for said in self._said[-30:] if not said.deleted]
        if not here:
            return
        said = rng.choice(here)
        person = self._world.person(said.author)
        self._last.append(f"{person.name} edits {said}"[:200])
        with suppress(InvocationRefused):
            match rng.randrange(3):
                case 0:
                    await person.edit(said, self._texts.any(1_900) or "x")
                case 1:
                    await person.delete(said)
                case _:
                    await person.react(said, "👍")

    # What happens around them

    async def _change_places(self) -> None:
        """Something appears, disappears, or changes its rights."""
        way = self._rng.choice(
            (
                self._delete_channel,
                self._delete_message,
                self._deny,
                self._allow,
                self._allow,
                self._leave,
                self._return,
                self._close_thread,
                self._slow_down,
            )
        )
        way()

    def _delete_channel(self) -> None:
        guild = self._rng.choice(self._guilds)
        places = [*guild.guild.channels.values()]
        if len(places) >= _LEAST_CHANNELS:
            gone = self._rng.choice(places)
            self._last.append(f"#{gone.name} is deleted")
            guild.delete_channel(gone)
        while len(guild.channels) < _LEAST_CHANNELS:
            guild.create_channel(f"channel-{next(self._names)}x")

    def _delete_message(self) -> None:
        guild = self._rng.choice(self._guilds)
        place = self._rng.choice([*guild.guild.channels.values()])
        own = [message for message in place.messages[-5:] if message.author is self._world.bot_user]
        if own:
            gone = self._rng.choice(own)
            self._last.append(f"deleted: {gone}"[:200])
            for file in gone.attachments:
                self._boards.pop(file.filename, None)
            messages.delete(self._world.state, place, [gone])

    def _deny(self) -> None:
        guild = self._rng.choice(self._guilds)
        place, right = self._rng.choice(guild.channels), self._rng.choice(_RIGHTS)
        self._last.append(f"#{place.name}: the bot loses {right.name}")
        guild.set_permissions(place, guild.bot_role, deny=right)
        self._denied.append((guild, place))

    def _allow(self) -> None:
        while self._denied:
            home, place = self._denied.pop()
            if place.id in home.guild.channels:
                self._last.append(f"#{place.name}: the bot has all rights")
                home.set_permissions(place, home.bot_role)

    def _leave(self) -> None:
        guild = self._rng.choice(self._guilds)
        person = self._rng.choice(self._people)
        if person.id in guild.guild.members and len(self._away) < 2:
            self._last.append(f"{person.name} leaves {guild.name}")
            guild.kick(person)
            self._away.append((guild, person))

    def _return(self) -> None:
        while self._away:
            home, person = self._away.pop()
            self._last.append(f"{person.name} returns to {home.name}")
            home.join(person)

    def _close_thread(self) -> None:
        guild = self._rng.choice(self._guilds)
        threads = [thread for thread in guild.guild.channels.values() if isinstance(thread, Thread)]
        if threads:
            thread, locked = self._rng.choice(threads), self._rng.random() < 0.4
            self._last.append(f"#{thread.name} is archived, locked: {locked}")
            guild.set_archived(thread, archived=self._rng.random() < 0.6, locked=locked)

    def _slow_down(self) -> None:
        guild = self._rng.choice(self._guilds)
        self._rng.choice(guild.channels).slowmode_s = self._rng.choice((0, 0, 0, 5))

    async def _wait(self) -> None:
        """Let time pass."""
        seconds = self._rng.choice(_PAUSES_S)
        self._last.append(f"{seconds} s pass")
        self._clock.advance(seconds=seconds)

    async def _disturb(self) -> None:
        """Break the connection, or restart the bot."""
        if self._rng.random() < 0.5:
            self._last.append("the connection breaks")
            await self._world.disconnect()
            await self._world.wait_session()
        else:
            self._last.append("the bot is killed and started")
            await self._bot.restart()

    async def close(self) -> None:
        """Stop looking into the database."""
        await self._store.close()


def world_locales(language: str) -> Sequence[str]:
    """Return Discord's locales of a language."""
    return {"en": ("en-US", "en-GB"), "es": ("es-ES", "es-419")}.get(language, (language,))


async def fuzz(count: int, seed: int, folder: Path, **settings: str) -> Result:
    """Let people do `count` things with a bot that has these settings, and return the result."""
    clock, limits = WorldClock(), RateLimits.generous()
    async with Sandbox(rate_limits=limits, clock=clock, patience=PATIENCE) as world:
        world.state.gateway.total = 100_000
        bot = BotProcess(world, folder, LOG_LEVEL="warning", **settings)
        passing = bot.live_often()
        await bot.start()
        walk = Walk(world, bot, passing, seed)
        try:
            for _ in range(count):
                await walk.step()
            if await bot.stop() != 0:
                walk.fault("the bot did not stop in good order")
        finally:
            await walk.close()
            await bot.end()
        for left in (*world.crashes, *world.unknown_routes):
            walk.fault(f"in the sandbox: {left!r}")
    return walk.result


def main() -> int:
    """Run, and print the result."""
    options = parse_arguments(__doc__, count=5_000, starts_a_bot=True)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder, settings = Path(name), {"MACHINE": "auto"}
        if options.postgresql:
            settings["DATABASE_URL"] = new_database(folder / "postgresql", "fuzz")
        try:
            result = asyncio.run(fuzz(options.count, options.seed, folder, **settings))
        finally:
            stop_server(folder / "postgresql")
        log = (folder / "bot.log").read_text()
    if result.faults:
        Path("fuzz.log").write_text(log)
    done = ", ".join(f"{name} {number}" for name, number in result.done.most_common())
    sys.stdout.write(
        f"{done}\n{options.count} steps, seed {options.seed}: {result.answered} answers, "
        f"{result.refused} refused by the app; {len(result.faults)} faults, "
        f"{time.monotonic() - began:.0f} s\n"
    )
    return 1 if result.faults else 0


if __name__ == "__main__":
    sys.exit(main())
