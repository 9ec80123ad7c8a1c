"""Number of files and functions that a move enters: typed, as a command, or by buttons.

    python -m benchmarks.walk [--moves 6] [--list typed]

The bot plays a game beside the local Discord and notes which functions of `bot`, `dvonn` and
`renderer` are entered (`benchmarks/walked_bot`). A move begins with its last step, as in
`benchmarks.turn`, and ends when the bot has tidied up after its board. The count includes only
files that each of several moves of stacks enters, which leaves out occasional work such as a
heartbeat. Loops that were already running are left out, too. Lambdas and comprehensions count with
the function that contains them. The figures do not depend on the machine, so there is no floor
beside them.
"""

import argparse
import asyncio
import json
import os
import signal
import tempfile
from functools import partial
from pathlib import Path

from benchmarks.bots import club
from benchmarks.result import result_line
from benchmarks.turn import Game, begin_game, clicked, has_picture, slash, typed
from dvonn import Color

INPUT_METHODS = {"typed": typed, "command": slash, "clicked": clicked}
"""The ways to enter a move, by the names of their figures."""
Steps = dict[str, set[str]]
"""The functions that were entered, by file name."""

_SETTLED_S = 0.5
"""Seconds for the bot to finish its work after a move."""


async def steps(pid: int, file: Path) -> Steps:
    """Return the functions that the bot entered since the last request."""
    os.kill(pid, signal.SIGUSR1)
    while (functions := _functions_in(file)) is None:  # noqa: ASYNC110 - a file sends no events
        await asyncio.sleep(0.01)
    return functions


def _functions_in(file: Path) -> Steps | None:
    """Read the bot's file and delete it, or return None if it does not exist yet."""
    if not file.exists():
        return None
    functions_by_file = json.loads(file.read_text())
    file.unlink()
    return {name: set(functions) for name, functions in functions_by_file.items()}


async def walks(folder: Path, moves: int) -> dict[str, list[Steps]]:
    """Play a game with all input methods in turn.

    Return the functions that each move entered, by input method.
    """
    file = folder / "steps.json"
    url = f"sqlite:///{folder.as_posix()}/dvonn.sqlite3"
    async with club(
        folder, "benchmarks.walked_bot", str(file), DATABASE_URL=url, MACHINE="off"
    ) as bot:
        channel = bot.new_channel()
        board = await begin_game(bot, channel)
        steps_of_ways: dict[str, list[Steps]] = {name: [] for name in INPUT_METHODS}
        stacks = 0
        for color, move in Game.of(1).moves:
            if stacks == moves * len(INPUT_METHODS):
                break
            is_measured = move.source is not None
            name = tuple(INPUT_METHODS)[stacks % len(INPUT_METHODS)] if is_measured else "typed"
            person = bot.white if color is Color.WHITE else bot.black
            last_step = await INPUT_METHODS[name](person, channel, move, board)
            if is_measured:
                await asyncio.sleep(_SETTLED_S)
                await steps(bot.pid, file)
            shown_id, since = board.attachments[0].id, board.id - 1
            sending = asyncio.ensure_future(last_step())
            board = await channel.wait_for(partial(has_picture, after=shown_id), after=since)
            await sending
            if is_measured:
                await asyncio.sleep(_SETTLED_S)
                steps_of_ways[name].append(await steps(bot.pid, file))
                stacks += 1
    return steps_of_ways


def way(walked: list[Steps]) -> Steps:
    """Return the functions that several moves have in common, by file."""
    files = set.intersection(*(set(item) for item in walked))
    return {name: set.intersection(*(row[name] for row in walked)) for name in sorted(files)}


def by_package(walked: Steps) -> dict[str, tuple[int, int]]:
    """Return the numbers of files and functions of each package, such as "bot/play"."""
    counts: dict[str, tuple[int, int]] = {}
    for name, functions in walked.items():
        package = "/".join(Path(name).parts[:2]) if name.startswith("bot/") else name.split("/")[0]
        files, count = counts.get(package, (0, 0))
        counts[package] = files + 1, count + len(functions)
    return counts


def main() -> None:
    """Walk, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.walk")
    parser.add_argument("--moves", type=int, default=6, help="by each method")
    parser.add_argument(
        "--list", choices=INPUT_METHODS, help="also print the files and functions of one"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dvonn-walk-") as folder:
        steps_of_ways = asyncio.run(walks(Path(folder), options.moves))
    ways = {name: way(walked) for name, walked in steps_of_ways.items()}
    for name, functions in ways.get(options.list, {}).items():
        print(f"{name}: {', '.join(sorted(functions))}")
    for package, (files, count) in by_package(ways["typed"]).items():
        print(f"typed in {package}: {files} files, {count} functions")
    figures = {f"{name}_files": len(files) for name, files in ways.items()}
    figures |= {f"{name}_functions": sum(map(len, files.values())) for name, files in ways.items()}
    print(result_line("walk", figures))


if __name__ == "__main__":
    main()
