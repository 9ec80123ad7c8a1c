"""Kill the bot again and again while many games are played: nothing may be lost or said twice.

    python -m tests.soak.kills [--games 50] [--kills 300] [--seed 1]

Each player types every move exactly once, when the board that asks for it is there, whether the bot
is alive at that moment or not. A move that got lost would leave its game waiting for ever, which
ends the run after a while. At the end the channels and the database are compared with the games.
"""

import argparse
import asyncio
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random

from dvonn import Color, Move, Phase, Position
from sandbox import Channel, Person, RateLimits, Sandbox
from tests.e2e.bot_process import BotProcess
from tests.e2e.conftest import is_board
from tests.games import random_game

THINKING_S = 1.0
"""How long a player thinks, on average: fifty games are about what one core can draw."""
PATIENCE_S = 600.0
"""How long a player waits for a board before the run has failed."""
LONGEST_LIFE_S = 3.0
"""The bot lives at most this long after it is ready."""


@dataclass
class Table:
    """One game: where, who, and what they will play."""

    channel: Channel
    players: dict[Color, Person]
    moves: list[Move]
    position: Position
    game: int = 0

    async def play(self, rng: Random) -> None:
        """Type every move once, as soon as it is asked for, or a moment later."""
        for move in self.moves:
            turn = self.position.turn
            assert turn is not None
            await self.players[turn].say(self.channel, str(move))
            self.position = self.position.play(move)
            await self.channel.wait_for(is_board(self.position.plies), timeout=PATIENCE_S)
            await asyncio.sleep(rng.expovariate(1 / THINKING_S))

    def faults(self, database: sqlite3.Connection) -> list[str]:
        """What is wrong with the game in the channel and in the database."""
        found = []
        boards = [
            message.attachments[0].filename
            for message in self.channel.messages
            if is_board(None)(message)
        ]
        found += [f"posted twice: {name}" for name, n in Counter(boards).items() if n > 1]
        last = f"dvonn-{self.game}-{len(self.moves)}.png"
        if boards[-1:] != [last]:
            found.append(f"the newest board is {boards[-1:]}, not {last}")
        played = [
            move
            for (move,) in database.execute(
                "SELECT move FROM events WHERE game_id = ? AND kind = 'move' ORDER BY revision",
                (self.game,),
            )
        ]
        if played != [str(move) for move in self.moves]:
            found.append(f"{len(played)} moves in the database, {len(self.moves)} were typed")
        return found


async def sit_down(world: Sandbox, number: int) -> Table:
    """A game between two newcomers in a channel of its own."""
    guild = world.create_guild(f"Club {number}")
    channel = guild.create_channel("dvonn")
    white, black = guild.add_person(f"Ann {number}"), guild.add_person(f"Bob {number}")
    answer = await white.slash(channel, "challenge", opponent=black, colour="white")
    assert answer.message is not None
    await black.click(answer.message, "Accept")
    board = await channel.wait_for(is_board(0), timeout=PATIENCE_S)
    game = int(board.attachments[0].filename.split("-")[1])
    players = {Color.WHITE: white, Color.BLACK: black}
    return Table(channel, players, random_game(number), Position.initial(), game)


async def kill_again_and_again(bot: BotProcess, kills: int, rng: Random) -> int:
    """Kill the bot so many times, each after a short life; ends early when cancelled."""
    done = 0
    try:
        while done < kills:
            await asyncio.sleep(rng.uniform(0, LONGEST_LIFE_S))
            await bot.restart()
            done += 1
            if done % 25 == 0:
                sys.stdout.write(f"{done} kills\n")
                sys.stdout.flush()
    except asyncio.CancelledError:
        # The games are over: the last life must be a whole one, to post what is left.
        await bot.stop()
        await bot.start()
    return done


async def run(games: int, kills: int, seed: int, folder: Path) -> list[str]:
    """Play and kill; what went wrong."""
    rng = Random(seed)
    began = time.monotonic()
    async with Sandbox(rate_limits=RateLimits.generous(), record=False) as world:
        bot = BotProcess(world, folder, LOG_LEVEL="warning")
        await bot.start()
        tables = [await sit_down(world, number) for number in range(games)]
        killer = asyncio.create_task(kill_again_and_again(bot, kills, rng))
        await asyncio.gather(*(table.play(Random(number)) for number, table in enumerate(tables)))
        killer.cancel()
        done = await killer
        await bot.stop()
        with sqlite3.connect(folder / "dvonn.sqlite3") as database:
            faults = [
                f"game {table.game}: {fault}"
                for table in tables
                for fault in table.faults(database)
            ]
            (unsent,) = database.execute(
                "SELECT COUNT(*) FROM outbox WHERE sent_at IS NULL AND dropped_at IS NULL"
            ).fetchone()
        if unsent:
            faults.append(f"{unsent} things were never sent")
        assert all(table.position.phase is Phase.OVER for table in tables)
        plies = sum(len(table.moves) for table in tables)
        sys.stdout.write(
            f"{games} games, {plies} plies, {done} kills, {len(faults)} faults, "
            f"{time.monotonic() - began:.0f} s\n"
        )
    return faults


def main() -> int:
    """Run, and tell what went wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        faults = asyncio.run(run(options.games, options.kills, options.seed, Path(folder)))
    sys.stdout.writelines(f"{fault}\n" for fault in faults)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
