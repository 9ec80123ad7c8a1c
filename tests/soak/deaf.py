"""A gateway that sends only heartbeats: how long until a move is played.

python -m tests.soak.deaf
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path

from sandbox import RateLimits, Sandbox
from tests.e2e.bot_process import BotProcess
from tests.e2e.conftest import is_board
from tests.soak.kills import sit_down

PATIENCE_S = 120.0


async def run(folder: Path) -> float:
    """Type a move to a bot that receives nothing. Return the seconds until its board appears."""
    async with Sandbox(rate_limits=RateLimits.generous(), record=False) as world:
        bot = BotProcess(world, folder)
        await bot.start()
        table = await sit_down(world, 0)
        world.faults.deaf()
        began = time.monotonic()
        turn = table.position.turn
        assert turn is not None
        await table.players[turn].say(table.channel, str(table.moves[0]))
        try:
            await table.channel.wait_for(is_board(1), timeout=PATIENCE_S)
        finally:
            sys.stdout.write(bot.log)
            await bot.stop()
        return time.monotonic() - began


def main() -> None:
    """Run, and print the time."""
    with tempfile.TemporaryDirectory() as folder:
        seconds = asyncio.run(run(Path(folder)))
    sys.stdout.write(f"played after {seconds:.0f} s\n")


if __name__ == "__main__":
    main()
