"""Servers and databases full of running games, for benchmarks of many of them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import insert

from bot.base.database_address import database_address
from bot.connection.store import listening
from bot.database.connection import AsyncEngine
from bot.database.delivery_rows import BOARD, DeliveryRoute, deliveries
from bot.database.opening import create_engine, migrate
from bot.play.model.clock import TimeControl
from bot.play.model.events import Moved, Started
from bot.play.store.changes import encode
from bot.play.store.schema import events, games, timers
from dvonn import Color
from sandbox import Channel, Person, Sandbox
from tests.games import positions_of, random_game

CONTROL = TimeControl(bank=timedelta(days=3), increment=timedelta(days=1), cap=timedelta(days=3))
PLIES = 12
_CHANNELS = 50
"""Number of channels per server."""
_BEFORE = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Hall:
    """Servers with a channel for each game, and the two people who play all of them."""

    world: Sandbox
    white: Person
    black: Person
    channels: list[Channel]

    @classmethod
    def of(cls, world: Sandbox, count: int, *, shards: int = 1) -> "Hall":
        """Create a channel for each game, spread evenly over the shards."""
        white, black = world.create_person("Ann"), world.create_person("Bob")
        channels: list[Channel] = []
        left = [len(range(shard, count, shards)) for shard in range(shards)]
        while any(left):
            guild = world.create_guild("Friends")
            shard = (guild.id >> 22) % shards
            guild.join(white)
            guild.join(black)
            numbers = range(min(_CHANNELS, left[shard]))
            left[shard] -= len(numbers)
            channels += [guild.create_channel(f"dvonn-{number}") for number in numbers]
        return cls(world, white, black, channels)


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a game: the IDs of its server and channel, and of its players."""

    guild: int
    channel: int
    white: int
    black: int


async def fill(engine: AsyncEngine, places: list[Place], now: datetime) -> None:
    """Insert a running game with a clock in each place.

    None has a deadline within the next hours.
    """
    moves = random_game(1)[:PLIES]
    turns = [position.turn for position in positions_of(moves)]
    began = now - _BEFORE
    numbered = list(enumerate(places, start=1))
    async with engine.begin() as connection:
        await connection.execute(
            insert(games),
            [
                {
                    "id": number,
                    "guild_id": place.guild,
                    "channel_id": place.channel,
                    "white_id": place.white,
                    "black_id": place.black,
                    "coordinates": "standard",
                    "start": "placement",
                    "seed": 0,
                    "clock": CONTROL.to_text(),
                    "revision": PLIES,
                    "own_thread": False,
                    "created_at": began,
                }
                for number, place in numbered
            ],
        )
        for number, place in numbered:
            common = {"game_id": number, "at": began}
            source = number * (PLIES + 1)
            start = {
                "revision": 0,
                "kind": Started.name,
                "data": {},
                "actor_id": place.black,
                "source_id": source,
                "used_ms": None,
            }
            played = [
                {
                    "revision": ply,
                    "kind": Moved.name,
                    "data": encode(Moved(move)),
                    "actor_id": place.white if turn is Color.WHITE else place.black,
                    "source_id": source + ply,
                    "used_ms": 0,
                }
                for ply, (move, turn) in enumerate(zip(moves, turns, strict=False), start=1)
            ]
            await connection.execute(insert(events), [common | item for item in (start, *played)])
        await connection.execute(
            insert(timers),
            [
                {
                    "game_id": number,
                    "guild_id": place.guild,
                    "due_at": now + timedelta(hours=10, seconds=number),
                }
                for number, place in numbered
            ],
        )
        await connection.execute(
            insert(deliveries),
            [
                {
                    "kind": BOARD,
                    "key": f"{number}-{PLIES}",
                    "guild_id": place.guild,
                    "channel_id": place.channel,
                    "game_id": number,
                    "revision": PLIES,
                    "way": DeliveryRoute.CHANNEL,
                    "message_id": number,
                    "data": {},
                    "created_at": began,
                    "due_at": began,
                    "tries": 1,
                    "tried_at": began,
                    "sent_at": began,
                    "silent": False,
                }
                for number, place in numbered
            ],
        )
        await connection.execute(insert(listening).values(shard_id=0, shard_count=1, heard_at=now))


async def database(file: Path) -> AsyncEngine:
    """Return a database with the bot's tables and no rows."""
    engine = create_engine(database_address(f"sqlite:///{file.as_posix()}"))
    await migrate(engine)
    return engine
