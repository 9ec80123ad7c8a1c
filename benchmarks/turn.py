"""Time of a turn: from a typed move to the picture of the board in the channel.

    python -m benchmarks.turn [--seed 1] [--rounds 3]

The bot is a separate process beside a local Discord, and each round plays a whole random game. The
floor is the work that no bot can avoid if it stores moves and sends pictures. It has three parts: a
bare discord.py bot, also in a separate process, answers each of the same messages with a ready-made
picture of a board's size; plain sqlite3 commits one row, in WAL mode with synchronous=FULL; and the
game's finished images are written as PNGs. All of them are measured in turn within a round, so that
a noisy machine affects all equally. A round's figure is the median of its plies, and a result is
the median of the rounds. The first round, which includes much one-time work, is printed but not
counted. A round has about 380 turns, and takes 20 to 40 s.

Each turn is measured alone: the next one begins when the bot has finished its work after sending a
board. A click is measured from the last tap. Memory is read after the last game.

Our share is the time of a turn minus the floor. `ours_ratio`, `slash_ratio` and `click_ratio`
compare it with the bare bot's own time (aims: 1.0, 1.5 and 1.5). `cpu_ms` is the processor time of
a typed turn (aim: 10), and includes what the bot does after sending a board.
"""

import argparse
import asyncio
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from statistics import median

from PIL import Image

from benchmarks.bots import Club, club, memory_mib, processor_ms
from benchmarks.render import encode
from benchmarks.result import result_line
from benchmarks.rules import seconds
from demo.commands import use
from dvonn import Color, Move
from renderer import render
from sandbox import Channel, Message, Person
from tests.games import positions_of, random_game

LastStep = Callable[[], Awaitable[object]]
"""The last step of a move. The measurement begins here."""
InputMethod = Callable[[Person, Channel, Move, Message | None], Awaitable[LastStep]]
"""A way to make a move. It takes all steps but the last one, given the newest board."""

PAUSE_S = 0.02
"""A pause that is longer than the bot's work after a turn."""


async def typed(person: Person, channel: Channel, move: Move, _board: Message | None) -> LastStep:
    """Return the move as a message."""
    return partial(person.say, channel, str(move))


async def slash(person: Person, channel: Channel, move: Move, _board: Message | None) -> LastStep:
    """Return the move as the option of /move."""
    return partial(person.slash, channel, "move", move=str(move))


async def clicked(person: Person, _channel: Channel, move: Move, board: Message | None) -> LastStep:
    """Return a move made by pressing three buttons: *Move*, the stack, and the space."""
    assert board is not None
    picker = (await person.click(board, board.buttons[0].label)).message
    assert picker is not None
    if move.source is None:
        option = (move.target, move.target)
        select = next(component for component in picker.selects if option in component.options)
        return partial(person.select, picker, [move.target], custom_id=select.custom_id)
    await person.click(picker, custom_id=_ending(picker, f":from:{move.source}"))
    return partial(person.click, picker, custom_id=_ending(picker, f":go:{move}"))


def _ending(message: Message, end: str) -> str:
    """Return the ID of a message's button that ends with `end`.

    Its label has more, such as the cut-off pieces.
    """
    ids = (button.custom_id or "" for button in message.buttons)
    return next(text for text in ids if text.endswith(end))


INPUT_METHODS: dict[str, InputMethod] = {
    "turn_ms": typed,
    "slash_ms": slash,
    "click_ms": clicked,
}
"""The ways of playing, by the names of their figures. The ratio uses the first one."""
FLOOR = ("bare_ms", "sqlite_ms", "encode_ms")
"""Figures that add up to the floor."""
OURS = {"ours_ratio": "turn_ms", "slash_ratio": "slash_ms", "click_ratio": "click_ms"}
"""Maps each ratio to the bare bot's time to the figure that it is computed from."""


@dataclass(frozen=True, slots=True)
class Game:
    """A random game with its pictures.

    Attributes:
        moves: The moves, each with its player's color.
        pictures: The board after each move, as a PNG.
    """

    moves: list[tuple[Color, Move]]
    pictures: list[bytes]

    @classmethod
    def of(cls, seed: int) -> "Game":
        """Return the game of a seed."""
        moves = random_game(seed)
        positions = positions_of(moves)
        turns = (position.turn for position in positions)
        return cls(
            moves=[(turn, move) for turn, move in zip(turns, moves, strict=False) if turn],
            pictures=[
                render(position, last=move)
                for position, move in zip(positions[1:], moves, strict=True)
            ],
        )

    def images(self) -> Iterator[Image.Image]:
        """Yield the pictures, unpacked one by one."""
        for picture in self.pictures:
            image = Image.open(BytesIO(picture))
            image.load()
            yield image


async def begin_game(club: Club, channel: Channel) -> Message:
    """Challenge and accept. Return the empty board."""
    terms = {"colour": "white", "start": "placement"}
    await use(club.white, channel, "challenge", opponent=club.black, **terms)
    # On a busy machine, the first answer only says that the challenge will follow.
    challenge = await channel.wait_for(lambda message: message.buttons)
    await club.black.click(challenge, "Accept")
    return await channel.wait_for(lambda message: message.attachments)


async def play(
    club: Club, channel: Channel, game: Game, method: InputMethod, *, board: Message | None = None
) -> float:
    """Play a game by one input method. ``board`` is the channel's first board.

    Returns:
        The median of the turns in ms, each from the last step of a move to its picture.
    """
    turns = []
    for color, move in game.moves:
        await asyncio.sleep(PAUSE_S)
        person = club.white if color is Color.WHITE else club.black
        last_step = await method(person, channel, move, board)
        shown_id, since = (board.attachments[0].id, board.id - 1) if board else (0, 0)
        start = time.perf_counter()
        sending = asyncio.ensure_future(last_step())  # a command or click also has its own answer
        # The bot may put a new picture in place of the last one.
        board = await channel.wait_for(partial(has_picture, after=shown_id), after=since)
        turns.append((time.perf_counter() - start) * 1000)
        await sending
    return median(turns)


def has_picture(message: Message, *, after: int) -> bool:
    """Return True if a message has a picture newer than another one, given by its id."""
    return any(picture.id > after for picture in message.attachments)


def open_database(file: Path) -> sqlite3.Connection:
    """Return a database of one table, as durable as the bot's."""
    database = sqlite3.connect(file, isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("CREATE TABLE moves (id INTEGER PRIMARY KEY, move TEXT NOT NULL)")
    return database


def commit(database: sqlite3.Connection, move: Move) -> None:
    """Insert one row in a transaction."""
    database.execute("BEGIN IMMEDIATE")
    database.execute("INSERT INTO moves (move) VALUES (?)", (str(move),))
    database.execute("COMMIT")


async def play_round(
    game: Game, bot_club: Club, bare: Club, database: sqlite3.Connection
) -> dict[str, float]:
    """Play a game in every way, and run the parts of the floor. Return the ms of each."""
    figures = {}
    for figure, method in INPUT_METHODS.items():
        channel = bot_club.new_channel()
        board = await begin_game(bot_club, channel)
        before = processor_ms(bot_club.pid)
        figures[figure] = await play(bot_club, channel, game, method, board=board)
        await asyncio.sleep(PAUSE_S)
        after = processor_ms(bot_club.pid)
        if figure == "turn_ms" and before is not None and after is not None:
            figures["cpu_ms"] = (after - before) / len(game.moves)
    figures["bare_ms"] = await play(bare, bare.new_channel(), game, typed)
    figures["sqlite_ms"] = 1000 * median(
        seconds(partial(commit, database, move)) for _, move in game.moves
    )
    figures["encode_ms"] = 1000 * median(seconds(partial(encode, image)) for image in game.images())
    return figures


async def measure(seed: int, rounds: int, folder: Path) -> dict[str, float]:
    """Play the rounds, and return the figures of the RESULT line."""
    by_size = sorted(Game.of(seed).pictures, key=len)
    picture = folder / "board.png"
    picture.write_bytes(by_size[len(by_size) // 2])
    homes = [folder / name for name in ("ours", "bare")]
    for home in homes:
        home.mkdir()
    database_url = f"sqlite:///{homes[0].as_posix()}/dvonn.sqlite3"
    measured = []
    async with (
        club(homes[0], "bot", DATABASE_URL=database_url) as bot_club,
        club(homes[1], "benchmarks.bare_bot", str(picture)) as bare,
    ):
        with closing(open_database(folder / "floor.sqlite3")) as database:
            for number in range(rounds + 1):
                game = Game.of(seed + number)
                figures = await play_round(game, bot_club, bare, database)
                summary = ", ".join(f"{k} {v:.2f}" for k, v in figures.items())
                print(f"round {number}: {summary}", flush=True)
                measured.append(figures)
        memory = {"rss_mib": memory_mib(bot_club.pid), "bare_rss_mib": memory_mib(bare.pid)}
    middle = {name: median(row[name] for row in measured[1:]) for name in measured[0]}
    floor = sum(middle[name] for name in FLOOR)
    result = {"turn_ms": middle["turn_ms"], "floor_ms": floor, "ratio": middle["turn_ms"] / floor}
    result |= {name: (middle[way] - floor) / middle["bare_ms"] for name, way in OURS.items()}
    result |= {name: middle[name] for name in middle if name not in result}
    for name, usage in memory.items():
        if usage is not None:
            now, peak = usage
            print(f"{name} {now:.1f}, at most {peak:.1f}")
            result[name] = now
    return result


def main() -> None:
    """Measure, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.turn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dvonn-turn-") as folder:
        figures = asyncio.run(measure(options.seed, options.rounds, Path(folder)))
    print(result_line("turn", figures))


if __name__ == "__main__":
    main()
