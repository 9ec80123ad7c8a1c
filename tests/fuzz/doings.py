"""Random calls of use cases, each checked in a second way.

    python -m tests.fuzz.doings [--count 100000] [--seed 1]

People challenge, play, offer, answer, take back, plan, vote, choose settings and leave. The machine
plays at random, the bot is offline at times, and time passes. After each change the cached game is
compared with the game rebuilt from its row and events, at this and earlier revisions. So are its
record, deadline and texts (`agreement.py`). At the end all ratings and records are counted again.
Many random boards come from seeds whose first search finds nothing. No call may block the event
loop: see `tests.e2e.loop_steps`.
"""

import asyncio
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from bot.base.database_address import database_address
from bot.base.errors import PlayError
from bot.base.languages import IN_ENGLISH, read_languages
from bot.composition import refusal
from bot.database.opening import create_engine, migrate
from tests.e2e.loop_steps import LONGEST_S, collected_as_in_the_bot, steps_of, watched
from tests.fuzz.asked import parse_arguments
from tests.fuzz.world import DOING, Result, World
from tests.once import memory

_A_WORLD = 1_200
"""Number of actions per database."""
_LONGEST = 2_000


async def fuzz(
    count: int,
    seed: int,
    folder: Path,
    *,
    spent: Callable[[], float] = time.thread_time,
    most: float = LONGEST_S,
) -> Result:
    """Run `count` random actions, in one world after another. A fault ends its world.

    Args:
        count: Number of actions.
        seed: Random seed.
        folder: Folder of the databases.
        spent: Returns the cost so far.
        most: Maximum cost of an event-loop step.
    """
    read_languages()
    empty, used, result = folder / "empty.sqlite3", folder / "used.sqlite3", Result()
    engine = create_engine(database_address(f"sqlite:///{empty}"))
    await migrate(engine)
    await engine.dispose()
    steps = folder / "loop_steps"
    with collected_as_in_the_bot(), watched(steps, spent=spent, most=most):
        for number, first in enumerate(range(0, count, _A_WORLD)):
            _renew(empty, used)
            await _live(used, seed + number, min(_A_WORLD, count - first), result)
    done = [step for step in steps_of(steps) if f"name='{DOING} " in step[1]]
    result.faults += [f"busy for {took:.3f} {what}\n" for took, what in done if took > most]
    result.longest = max((took for took, _ in done), default=0.0)
    return result


def _renew(empty: Path, used: Path) -> None:
    for left in used.parent.glob(f"{used.name}*"):
        left.unlink()
    shutil.copy(empty, used)


async def _live(file: Path, seed: int, count: int, result: Result) -> None:
    engine = create_engine(database_address(f"sqlite:///{file}"))
    try:
        world = World(engine, seed, result)
        await world.begin()
        for _ in range(count):
            try:
                await world.step()
            except PlayError as error:
                result.refused[type(error).__name__] += 1
                words = refusal(IN_ENGLISH, error)
                if not 0 < len(words) <= _LONGEST:
                    result.faults.append(f"seed {seed}: refused in {words!r}\n")
        await world.end()
    except Exception:
        where = f"seed {seed}, after {result.changes} changes in all"
        result.faults.append(f"{where}\n{traceback.format_exc()}")
    finally:
        await engine.dispose()


def main() -> int:
    """Run, and print the result."""
    options = parse_arguments(__doc__, count=100_000)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(dir=memory()) as folder:
        result = asyncio.run(fuzz(options.count, options.seed, Path(folder)))
    write = sys.stdout.write
    for title, counted in (("done", result.done), ("refused", result.refused)):
        write(f"{title}: {', '.join(f'{name} {n}' for name, n in counted.most_common())}\n")
    for fault in result.faults[:10]:
        write(f"\n{fault}")
    write(
        f"{options.count} doings, seed {options.seed}: {result.changes} changes, "
        f"{result.ended} ends, {len(result.faults)} faults, longest step "
        f"{result.longest * 1000:.0f} ms, {time.monotonic() - began:.0f} s\n"
    )
    return 1 if result.faults else 0


if __name__ == "__main__":
    sys.exit(main())
