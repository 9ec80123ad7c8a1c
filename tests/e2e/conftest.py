"""Fixtures: a server with people, and the real bot next to it."""

import asyncio
import re
import shutil
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from sqlalchemy import Executable, func, select

from bot.base.database_address import database_address
from bot.base.languages import IN_ENGLISH
from bot.connection.interaction_handling import PATIENCE_S as THINKS_AFTER_S
from bot.connection.store import listening
from bot.connection.words import done
from bot.database.connection import AsyncEngine
from bot.database.delivery_rows import deliveries
from bot.database.opening import create_engine
from demo.commands import use
from dvonn import POINTS, Color, Coordinates, Move, Position, format_move
from sandbox import (
    Answer,
    Channel,
    GuildAdmin,
    Message,
    Patience,
    Person,
    RateLimits,
    Sandbox,
    Thread,
)
from sandbox.interactions import Interaction
from sandbox.person import PATIENCE_S
from tests.e2e import handlers
from tests.e2e.bot_process import DATABASE, BotClock, BotProcess, WorldClock
from tests.e2e.launch import MANY_LIVES
from tests.e2e.processes import Processes
from tests.openapi import check
from tests.postgresql import somebody_waits, without_rows
from tests.tiers import is_quick

handlers.watch()


def pytest_runtest_setup(item: pytest.Item) -> None:
    handlers.begin(item.path, quick=is_quick(item))


def pytest_runtest_teardown() -> None:
    handlers.is_quick = False


FAULTS = re.compile(r"^.*(?:\[error|\[critical|Traceback).*$", re.MULTILINE)


@dataclass
class Club:
    """A server in which people play DVONN."""

    world: Sandbox
    guild: GuildAdmin
    channel: Channel
    ann: Person
    bob: Person
    cid: Person
    """A spectator."""
    bot: BotProcess
    posted: dict[int, Message] = field(default_factory=dict, repr=False)
    """All messages by id, including ephemeral and deleted ones."""

    def __post_init__(self) -> None:
        """Remember all posted messages."""
        self.world.state.messages_changed.listen(self._note)

    def _note(self, message: Message) -> None:
        self.posted[message.id] = message

    async def start_game(
        self,
        channel: Channel | None = None,
        *,
        challenger: Person | None = None,
        opponent: Person | None = None,
        **options: object,
    ) -> "Table":
        """Let Ann challenge Bob and play White, on the empty board by default.

        In a server the game is rated, which a first game would not be by default.
        """
        place = channel or self.channel
        white, black = challenger or self.ann, opponent or self.bob
        terms = {"colour": "white", "start": "placement", **options}
        if place.guild is not None and place.guild.id == self.guild.id:
            terms.setdefault("rated", True)
        answer = message_of(await use(white, place, "challenge", opponent=black, **terms))
        await black.click(answer, "Accept")
        table = Table(place, white, black, Coordinates(str(terms.get("coordinates", "standard"))))
        await table.board(0)
        await is_gone(answer)
        return table


def is_answer(used: Interaction, said: Message) -> bool:
    """Return True if a message is the answer that people wait for.

    While a challenge is being posted, its author first gets a short private confirmation. That is
    not the answer.
    """
    stopgap = said.viewer is not None and said.content == done(IN_ENGLISH).content
    form = str(used.data.get("custom_id"))
    challenges = used.data.get("name") == "challenge" or re.match(r"dvonn:begin:[1-9]", form)
    return not (stopgap and challenges)


PATIENCE = Patience(is_answer, from_s=THINKS_AFTER_S, response_s=PATIENCE_S)
"""Users wait for the next board, and a press that is acknowledged at once is complete.

No test depends on the machine's speed. tests.soak.busy tests Discord's limit of three seconds.
"""


@dataclass
class Table:
    """A game in a channel, and its two players."""

    channel: Channel
    white: Person
    black: Person
    coordinates: Coordinates = Coordinates.STANDARD
    position: Position = Position.initial()  # noqa: RUF009 - a frozen value
    _posted: dict[int, Message] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """Remember all boards. In the placement phase only the newest one stays."""
        for message in self.channel.messages:
            self._note(message)
        self.channel.directory.messages_changed.listen(self._note)

    def _note(self, message: Message) -> None:
        if message.channel is self.channel and not message.ephemeral:
            self._posted[message.id] = message

    @property
    def to_move(self) -> Person:
        """The player to move."""
        assert self.position.turn is not None
        return self.white if self.position.turn is Color.WHITE else self.black

    def player(self, color: Color) -> Person:
        """Return the player of a color."""
        return self.white if color is Color.WHITE else self.black

    async def board(self, revision: int) -> Message:
        """Wait for the board of a revision. It may have been deleted since."""
        known = [item for item in self._posted.values() if is_board(revision)(item)]
        if known:
            return known[-1]
        return await self.channel.wait_for(is_board(revision))

    def boards(self) -> list[str]:
        """Return the file names of all boards posted in the channel, oldest first."""
        posted = [self._posted[number] for number in sorted(self._posted)]
        return [message.attachments[0].filename for message in posted if is_board(None)(message)]

    async def type(self, move: Move) -> Message:
        """Type a move as the player to move. Return the message."""
        said = await self.to_move.say(self.channel, format_move(move, self.coordinates))
        self.position = self.position.play(move)
        return said

    async def reach(self, moves: list[Move]) -> Message:
        """Play the moves before a test's own part. All placements are typed as two lists.

        Returns:
            The last board. In the placement phase, only the first and last boards are posted.
        """
        position, lists = self.position, dict[Person, list[str]]()
        for move in moves[: max(len(POINTS) - position.plies, 0)]:
            assert position.turn is not None
            spaces = lists.setdefault(self.player(position.turn), [])
            spaces.append(format_move(move, self.coordinates))
            position = position.play(move)
        first = self.position.plies + 1
        for person, revision in zip(lists, (first, position.plies), strict=False):
            await person.say(self.channel, " ".join(lists[person]))
            await self.board(revision)
        rest = moves[position.plies - self.position.plies :]
        self.position = position
        return await self.play(rest) if rest else await self.board(position.plies)

    async def play(self, moves: list[Move]) -> Message:
        """Type moves, and wait for each board. Return the last one."""
        for move in moves:
            await self.type(move)
            board = await self.board(self.position.plies)
        return board


@dataclass
class House:
    """A simulated Discord, and the processes of one bot in it."""

    world: Sandbox
    processes: Processes
    engine: AsyncEngine

    async def start(self, bot: BotProcess) -> None:
        """Start a process, and wait until it has finished its first work."""
        began = self.processes.now
        await bot.start()
        heard = select(func.count()).select_from(listening).where(listening.c.heard_at > began)
        while not await self._number(heard):  # noqa: ASYNC110 - a database tells of no event
            await asyncio.sleep(0.02)

    async def nothing_unsent(self) -> None:
        """Wait until no delivery is queued."""
        left = (
            select(func.count())
            .select_from(deliveries)
            .where(deliveries.c.sent_at.is_(None), deliveries.c.dropped_at.is_(None))
        )
        while await self._number(left):  # noqa: ASYNC110 - a database tells of no event
            await asyncio.sleep(0.05)

    async def somebody_waits(self) -> None:
        """Wait until a transaction is blocked by another one."""
        await somebody_waits(self.engine)

    async def _number(self, statement: Executable) -> int:
        async with self.engine.connect() as connection:
            number: int = (await connection.execute(statement)).scalar_one()
        return number

    def club(self, guild: GuildAdmin) -> Club:
        """Create a server in which people play DVONN."""
        ann, bob, cid = (guild.add_person(name) for name in ("Ann", "Bob", "Cid"))
        channel = guild.create_channel("dvonn")
        return Club(self.world, guild, channel, ann, bob, cid, self.processes.all[0])


def is_board(revision: int | None, game: int | None = None) -> Callable[[Message], bool]:
    """Return a check for boards: of one revision or any, of one game or any."""
    which, number = ("[0-9]+" if item is None else str(item) for item in (game, revision))
    name = re.compile(rf"dvonn-{which}-{number}\.png")

    def matches(message: Message) -> bool:
        return any(name.fullmatch(file.filename) for file in message.attachments)

    return matches


async def answer_to(club: Club, said: Message) -> Message:
    """Wait for the bot's reply to a typed message."""
    return await said.channel.wait_for(
        lambda m: (
            m.author is club.world.bot_user
            and m.reference is not None
            and m.reference.message_id == said.id
        )
    )


async def opened_thread(message: Message) -> Thread:
    """Wait for the thread of a message."""
    await message.channel.wait_for(lambda one: one is message and one.thread)
    assert message.thread is not None
    return message.thread


async def is_gone(message: Message) -> None:
    """Wait until a message is deleted."""
    if not message.deleted:
        await message.channel.wait_for(lambda one: one is message and one.deleted)


async def loses_buttons(message: Message) -> None:
    """Wait until a message has no active buttons."""
    await message.channel.wait_for(lambda one: one is message and not one.buttons)


_ACTIONS = {"Place": "pick", "Type a move": "type", "Board as text": "text", "Resign": "resign"}


async def click_as_posted(person: Person, board: Message, label: str) -> Answer:
    """Press a button of an older board, for a user whose screen still shows it."""
    (name,) = (file.filename for file in board.attachments)
    _, game, revision = name.removesuffix(".png").split("-")
    number = f"dvonn:board:{game}:{revision}:{_ACTIONS[label]}"
    button = {"id": 2, "type": 2, "style": 2, "label": label, "custom_id": number}
    board.components = [{"id": 1, "type": 1, "components": [button]}]
    return await person.click(board, label)


async def challenge_in_thread(club: Club, challenger: Person) -> Answer:
    """Challenge Bob, as White, to a game on the empty board in its own thread."""
    return await use(
        challenger,
        club.channel,
        "challenge",
        opponent=club.bob,
        where="thread",
        colour="white",
        start="placement",
    )


async def choose(person: Person, channel: Channel, **lists: Sequence[str]) -> str:
    """Choose in the selects of the user's settings, by the ends of their ids. Return the answer."""
    form = message_of(await person.slash(channel, "settings"))
    if lists.keys() & {"language", "theme", "coordinates", "seen"}:
        await person.click(form, "Language and boards")
    for name, values in lists.items():
        await person.select(form, values, custom_id=f"dvonn:preferences:{name}")
    return form.content


async def never_saved(channel: Channel, *people: Person) -> None:
    """Turn off automatic vacations, so that people lose on time."""
    for person in people:
        await choose(person, channel, on=["mentions"])


def switched_on(form: Message) -> list[str]:
    """Return the switches that a user has turned on."""
    (select,) = (button for button in form.selects if str(button.custom_id).endswith(":on"))
    return [row["value"] for row in select.payload["options"] if row.get("default")]


async def set_times(person: Person, channel: Channel, **typed: str) -> str:
    """Set the user's quiet hours and time zone, and return the answer.

    Missing values are sent empty.
    """
    form = message_of(await person.slash(channel, "settings"))
    opened = await person.click(form, "Quiet hours")
    answer = await person.submit(opened.modal, {"begins": "", "ends": "", "zone": "", **typed})
    return texts(answer)


async def take_vacation(person: Person, channel: Channel, days: int) -> str:
    """Start a vacation in the user's settings. Return the answer."""
    form = message_of(await person.slash(channel, "settings"))
    opened = await person.click(form, "Vacation")
    return texts(await person.submit(opened.modal, {"days": str(days)}))


async def set_blocks(person: Person, channel: Channel, *others: Person) -> Message:
    """Block exactly these people. Return the user's settings as shown afterwards."""
    form = message_of(await person.slash(channel, "settings"))
    opened = await person.click(form, "Blocks")
    return message_of(
        await person.submit(opened.modal, {"blocked": [str(other.id) for other in others]})
    )


async def press(person: Person, board: Message, label: str) -> Answer:
    """Press a button under a board, on the page behind *More*, or in the board's message menu."""
    if label == "Board as text":
        return await person.menu(board, label)
    if label in [button.label for button in board.buttons]:
        return await person.click(board, label)
    return await person.click(message_of(await person.click(board, "More")), label)


async def abort(person: Person, board: Message) -> Answer:
    """End a game without a result, with the available buttons. Return the last answer."""
    ways = [button.label for button in board.buttons]
    asked = await press(
        person, board, "End without a result" if "End without a result" in ways else "Resign"
    )
    for yes in ("Yes, end it", "End without a result"):
        if asked.message is not None and yes in [button.label for button in asked.message.buttons]:
            return await person.click(asked.message, yes)
    return asked


def texts(answer: Answer) -> str:
    """Return the text of an answer that only its user sees."""
    assert answer.ephemeral
    assert answer.message is not None
    return answer.message.text


def tells_of(content: str, player: Person, move: object) -> bool:
    """Return a check for messages that begin with a player's move, regardless of captures."""
    return bool(re.match(rf"{player.mention} (moved|moved onto red:|took .+:) {move}\. ", content))


def message_of(answer: Answer) -> Message:
    """Return the message of an answer."""
    assert answer.message is not None
    return answer.message


def shown_alone(answer: Answer) -> Message:
    """Return a view that only its user sees."""
    assert answer.ephemeral
    return message_of(answer)


@pytest.fixture
def database(tmp_path: Path, migrated: Path) -> None:
    """Prepare the files that every bot writes at its first start.

    Few tests need to write them again.
    """
    shutil.copy(migrated, tmp_path / DATABASE)


@pytest.fixture
async def empty_club(tmp_path: Path, database: None) -> AsyncIterator[Club]:
    """A server whose bot has not been started."""
    async with Sandbox(
        rate_limits=RateLimits.generous(), clock=WorldClock(), patience=PATIENCE
    ) as world:
        guild = world.create_guild("Friends")
        channel = guild.create_channel("dvonn")
        ann, bob, cid = (guild.add_person(name) for name in ("Ann", "Bob", "Cid"))
        club = Club(world, guild, channel, ann, bob, cid, BotProcess(world, tmp_path))
        club.bot.live_quickly()
        yield club
        sys.stderr.write(club.bot.log)  # shown by pytest if the test fails
        # Check in every test that the bot used no unknown route, and sent nothing invalid.
        assert world.unknown_routes == []
        assert world.crashes == []
        assert check(world.exchanges) == []


@pytest.fixture
async def club(request: pytest.FixtureRequest, empty_club: Club) -> AsyncIterator[Club]:
    """A server with a running bot. A requested clock fixture starts it first."""
    if "clock" in request.fixturenames:
        yield empty_club
        return
    async with running(empty_club):
        yield empty_club


@pytest.fixture
async def clock(empty_club: Club) -> AsyncIterator[BotClock]:
    """The clock of that server's bot, for tests to move."""
    clock = empty_club.bot.live_often()
    async with running(empty_club):
        yield clock


@pytest.fixture
async def machine_club(empty_club: Club) -> AsyncIterator[Club]:
    """A server whose bot has the engine."""
    empty_club.bot.settings["MACHINE"] = "auto"
    async with running(empty_club):
        yield empty_club


@pytest.fixture
async def logged_club(empty_club: Club) -> AsyncIterator[Club]:
    """A server whose bot logs each message that it leaves without an answer, and why."""
    empty_club.bot.settings["LOG_LEVEL"] = "debug"
    async with running(empty_club):
        yield empty_club


@asynccontextmanager
async def running(club: Club) -> AsyncIterator[None]:
    await club.bot.start()
    try:
        yield
    finally:
        status = await club.bot.stop()
    assert status == 0
    assert FAULTS.findall(club.bot.log) == []


@pytest.fixture
async def house(tmp_path: Path, postgres_url: str) -> AsyncIterator[House]:
    """An empty PostgreSQL database, without a process."""
    async with _house(tmp_path, await without_rows(postgres_url)) as house:
        yield house


@pytest.fixture(params=["sqlite", "postgresql"])
async def either_house(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[House]:
    """An empty database of each kind, without a process."""
    url = f"sqlite:///{tmp_path / DATABASE}"
    if request.param == "postgresql":
        url = await without_rows(request.getfixturevalue("postgres_url"))
    async with _house(tmp_path, url) as house:
        yield house


@asynccontextmanager
async def _house(tmp_path: Path, url: str) -> AsyncIterator[House]:
    clock = WorldClock()
    async with Sandbox(rate_limits=RateLimits.generous(), clock=clock, patience=PATIENCE) as world:
        # this test is not about Discord's pause between two sessions
        processes = Processes(world, clock, tmp_path, url, **{MANY_LIVES: "1"})
        engine = create_engine(database_address(url))
        yield House(world, processes, engine)
        await processes.end()
        await engine.dispose()
        sys.stderr.write(processes.log)
        faults = FAULTS.findall(processes.log)
        assert [line for line in faults if "database unavailable" not in line] == []
        assert world.unknown_routes == []
        assert world.crashes == []
        assert check(world.exchanges) == []
