"""The start view of the page of `./run`: a short text about DVONN, and things to try first."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from demo.commands import use
from demo.engine_installer import EngineInstaller
from demo.exhibition import Exhibition
from sandbox import Channel, InvocationRefused, Person, Sandbox
from sandbox.web.start import Offer, Picture, Start

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "board.png"
ALT_TEXT = (
    "A DVONN board in the middle of a game: rings of white, black and red on 49 spaces, an arrow "
    "for the last move, and dashed outlines of the 13 pieces that it has just cut off."
)

TITLE = "Play DVONN in your Discord channels"
WORDS = (
    (
        "DVONN is a board game for two: learned in five minutes, never the same twice. This bot is "
        "the board and the referee, and plays against you if you like."
    ),
    "Type a move, such as d2-d4, or press buttons. Finish in one sitting, or play a move a day.",
)
STEPS = (
    (
        "Move a stack exactly as many spaces as it is tall, onto another piece. The top piece says "
        "whose stack it is."
    ),
    "Pieces that lose every link to a red one leave the board.",
    "When nobody can move, the player with the most pieces wins.",
)
PATIENCE_S = 60.0
"""Maximum time for the bot to come online, in seconds, on a busy machine."""

FOOT = (
    "This is a simulated Discord on your own computer, with the real bot. Nothing leaves this "
    "machine. README.md explains how to add the bot to your server."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The demo's places and people.

    Attributes:
        games: The channel to play in.
        watching: The channel to watch a game in.
        players: The players. Each visitor may be one of them.
        moderator: A person with more permissions.
        engine: Installs the compiled engine.
        exhibition: The game to watch.
        cast: The players of the game to watch.
    """

    games: Channel
    watching: Channel
    players: Sequence[Person]
    moderator: Person
    engine: EngineInstaller
    exhibition: Exhibition
    cast: Sequence[Person]


def start_page(world: Sandbox, stage: Stage) -> Start:
    """Return the page's first text, picture and buttons."""

    def install_engine() -> None:
        stage.engine.begin(world.page.show_note)

    async def play_the_machine(person: Person) -> None:
        await _ready(world)
        install_engine()
        await person.slash(stage.games, "play", level=1)

    async def learn(person: Person) -> None:
        await _ready(world)
        await person.slash(stage.games, "learn")

    async def play_a_friend(person: Person) -> None:
        friend = next(player for player in stage.players if player != person)
        await _ready(world)
        world.page.company.switch(friend, on=True)
        await use(person, stage.games, "challenge", opponent=friend, start="balanced")

    async def watch(_: Person) -> None:
        await _ready(world)
        stage.exhibition.begin()

    async def write(_: Person) -> None:
        await _ready(world)
        install_engine()

    async def moderate(person: Person) -> None:
        await _ready(world)
        await person.slash(stage.games, "setup show")

    first, second = (player.name for player in stage.players)
    machine = Offer(
        name="machine",
        label="Play the machine",
        about="A game starts at once, at the easiest level.",
        place=stage.games,
        take=play_the_machine,
    )
    lessons = Offer(
        name="learn",
        label="Learn the game",
        about="By playing, in five minutes; nobody else sees it.",
        place=stage.games,
        take=learn,
    )
    friend = Offer(
        name="friend",
        label="Play a friend",
        about=f"You are {first}; {second} accepts, and answers on autopilot.",
        place=stage.games,
        person=stage.players[0],
        take=play_a_friend,
    )
    game = Offer(
        name="watch",
        label="Watch a game",
        about="Two levels of the machine, a move every few seconds.",
        place=stage.watching,
        take=watch,
    )
    moderator = Offer(
        name="moderator",
        label="Be the moderator",
        about="See what you can set for your server, with /setup.",
        place=stage.games,
        person=stage.moderator,
        take=moderate,
    )
    direct = Offer(
        name="direct",
        label="Write to the bot",
        about="In private: say hello, ask for the rules, or play.",
        take=write,
    )
    return Start(
        title=TITLE,
        words=WORDS,
        picture=Picture(data=PICTURE.read_bytes(), alt=ALT_TEXT, width_px=1100, height_px=556),
        steps=STEPS,
        offers=(machine, lessons, friend, game, moderator, direct),
        foot=FOOT,
        cast=frozenset(stage.cast),
    )


async def _ready(world: Sandbox) -> None:
    try:
        await world.wait_ready(timeout=PATIENCE_S)
    except TimeoutError as error:
        raise InvocationRefused("the bot is not online yet") from error
