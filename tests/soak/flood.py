"""A flood of challenges, clicks and moves by strangers: how much slower other games get.

    python -m tests.soak.flood [--strangers 50] [--pace 1] [--plies 49] [--seed 1]

Two people play in a quiet channel. A turn is measured from the typed move to its board. During
every other dozen plies, strangers do whatever they can in another channel, each at `--pace` actions
a second, which is about the limit of Discord's clients. With a pace of 0 they act as soon as they
get answers.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from statistics import median

from demo.commands import use
from dvonn import Position
from sandbox import Channel, InteractionFailed, Message, Person, RateLimits, Sandbox
from tests.e2e.bot_process import BotProcess
from tests.e2e.conftest import PATIENCE, is_board, press
from tests.games import random_game
from tests.soak.kills import sit_down

_IN_ONE_GO = 12
"""Number of plies played with the flood, and then without."""
_PATIENCE_S = 60.0


class Flood:
    """Strangers who do whatever they can."""

    def __init__(self, people: list[Person], channel: Channel, board: Message, pace: float) -> None:
        self._people, self._channel, self._board, self._pace = people, channel, board, pace
        self.acts = 0
        self._tasks: list[asyncio.Task[None]] = []

    def begin(self, rng: Random) -> None:
        """Start them."""
        self._tasks = [
            asyncio.create_task(self._rage(person, Random(rng.random()))) for person in self._people
        ]

    async def end(self) -> None:
        """Stop them."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _rage(self, person: Person, rng: Random) -> None:
        while True:
            with suppress(InteractionFailed):
                match rng.randrange(4):
                    case 0:
                        await person.slash(
                            self._channel, "challenge", opponent=rng.choice(self._people)
                        )
                    case 1:
                        await press(person, self._board, "Resign")
                    case 2:
                        await person.slash(self._channel, "move", move="c3")
                    case _:
                        await person.say(self._channel, "c3")
            self.acts += 1
            await asyncio.sleep(rng.expovariate(self._pace) if self._pace else 0)


async def run(strangers: int, pace: float, plies: int, seed: int, folder: Path) -> str:
    """Measure, and return the result."""
    rng = Random(seed)
    async with Sandbox(rate_limits=RateLimits.generous(), record=False) as world:
        bot = BotProcess(world, folder, LOG_LEVEL="warning")
        await bot.start()
        table = await sit_down(world, 0)
        guild = world.create_guild("Loud")
        channel = guild.create_channel("loud")
        white, black = guild.add_person("Ann"), guild.add_person("Bob")
        terms = {"colour": "white", "start": "placement"}
        white.patience = PATIENCE
        answer = await use(white, channel, "challenge", opponent=black, **terms)
        assert answer.message is not None
        await black.click(answer.message, "Accept")
        board = await channel.wait_for(is_board(0))
        people = [guild.add_person(f"Stranger {number}") for number in range(strangers)]
        flood = Flood(people, channel, board, pace)
        took: dict[bool, list[float]] = {True: [], False: []}
        position, loud, flooded_s = Position.initial(), False, 0.0
        for ply, move in enumerate(random_game(seed)[:plies]):
            if ply % _IN_ONE_GO == 0 and ply:
                loud = not loud
                if loud:
                    flood.begin(rng)
                else:
                    await flood.end()
            assert position.turn is not None
            began = time.perf_counter()
            await table.players[position.turn].say(table.channel, str(move))
            position = position.play(move)
            await table.channel.wait_for(is_board(position.plies), timeout=_PATIENCE_S)
            took[loud].append(time.perf_counter() - began)
            flooded_s += took[loud][-1] if loud else 0.0
        await flood.end()
        await bot.stop()
    quiet, noisy = median(took[False]) * 1000, median(took[True]) * 1000
    return (
        f"RESULT bench=flood strangers={strangers} acts={flood.acts} "
        f"acts_per_s={flood.acts / flooded_s:.0f} quiet_ms={quiet:.1f} flooded_ms={noisy:.1f} "
        f"worst_ms={max(took[True]) * 1000:.1f} ratio={noisy / quiet:.2f}\n"
    )


def main() -> None:
    """Run, and print the result."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--strangers", type=int, default=50)
    parser.add_argument("--pace", type=float, default=1.0, metavar="PER_SECOND")
    parser.add_argument("--plies", type=int, default=49)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = run(options.strangers, options.pace, options.plies, options.seed, Path(folder))
        sys.stdout.write(asyncio.run(work))


if __name__ == "__main__":
    main()
