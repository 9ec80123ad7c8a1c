"""A newcomer's first minute: from a fresh clone to the page and the first move.

    python -m benchmarks.first_run [--patience 600]

It clones the last commit, and types `./run` in it with an empty home folder, so that nothing is
installed and nothing is cached. Packages come from the package index. `page_s` is the time from
`./run` until the page opens, and `online_s` until its buttons work. Then the newcomer presses *Play
the machine*: `board_s` is the time until the board appears. The newcomer moves with two buttons:
`moved_s` is the time from the first press until the machine has answered. `run_to_move_s` is the
time from `./run` until then, without time to read or think.
"""

import argparse
import asyncio
import os
import re
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

import aiohttp

from benchmarks.result import result_line

ROOT: Final = Path(__file__).resolve().parents[1]
_LOCAL_SETTINGS: Final = {
    *("DISCORD_TOKEN", "VIRTUAL_ENV", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE"),
    *("PIP_CACHE_DIR", "UV_CACHE_DIR", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR"),
}
"""Environment variables of this machine that a newcomer doesn't have."""
_POLL_S: Final = 0.05
_POINT: Final = re.compile(r"[a-k][1-5]\b")
_PICTURE: Final = re.compile(r"dvonn-\d+-(\d+)\.png")


class Page:
    """A client of the page that `./run` serves."""

    def __init__(self, session: aiohttp.ClientSession, address: str) -> None:
        self._session, self._address = session, address
        self._visitor = ""
        self._channel = ""

    async def is_open(self) -> bool:
        """Return True if the address leads to the page."""
        with suppress(aiohttp.ClientConnectionError):
            async with self._session.get(self._address) as response:
                return response.status == 200
        return False

    async def is_online(self) -> bool:
        """Return True if the page shows that the bot is online."""
        world = await self._ask("world")
        self._visitor = world["me"]
        offers = {offer["name"]: offer["channel"] for offer in world["start"]["offers"]}
        self._channel = offers["machine"]
        return bool(world["bot"]["online"])

    async def play_the_machine(self) -> None:
        """Press the button of the start view."""
        await self._act("offer", offer="machine")

    async def points(self) -> tuple[int, list[tuple[str, str]]]:
        """Return the board's number, and the buttons of points below it, as message and id."""
        answer = await self._ask("channel", channel=self._channel)
        number, buttons = -1, []
        for message in answer["messages"]:
            names = [_PICTURE.fullmatch(file["name"]) for file in message["attachments"]]
            number = max(number, *(int(name[1]) for name in names if name), number)
            buttons += [
                (message["id"], button["custom_id"])
                for button in _buttons(message["components"])
                if _POINT.match(button.get("label") or "")
            ]
        return number, buttons

    async def tap(self, message: str, custom_id: str) -> None:
        await self._act("click", channel=self._channel, message=message, custom_id=custom_id)

    async def _ask(self, name: str, **query: str) -> Any:
        parameters = {"as": self._visitor, **query}
        async with self._session.get(
            f"{self._address}page/api/{name}", params=parameters
        ) as response:
            response.raise_for_status()
            return await response.json()

    async def _act(self, name: str, **body: object) -> None:
        parameters = {"as": self._visitor, **body}
        url = f"{self._address}page/api/{name}"
        async with self._session.post(url, json=parameters) as response:
            response.raise_for_status()


def _buttons(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for component in components:
        yield from _buttons(component.get("components", []))
        if not component.get("disabled") and "custom_id" in component:
            yield component


@asynccontextmanager
async def launched(clone: Path, home: Path, port: int) -> AsyncIterator[None]:
    """Run `./run` in a clone, with an empty home folder, while the block runs."""
    settings = {name: value for name, value in os.environ.items() if name not in _LOCAL_SETTINGS}
    with (home / "run.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *(str(clone / "run"), "--port", str(port)),
            stdout=log,
            stderr=log,
            cwd=clone,
            env=settings | {"HOME": str(home)},
            start_new_session=True,
        )
    try:
        yield
    except TimeoutError as error:
        raise RuntimeError((home / "run.log").read_text(errors="replace")) from error
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.wait()
        with suppress(ProcessLookupError):  # an installation of the engine
            os.killpg(process.pid, signal.SIGKILL)


async def until(check: Callable[[], Awaitable[bool]]) -> None:
    """Wait until a check passes."""
    while not await check():  # noqa: ASYNC110 - the page sends no events
        await asyncio.sleep(_POLL_S)


async def first_minute(page: Page) -> dict[str, float]:
    """Return the times from `./run`, in seconds."""
    started_at = time.perf_counter()
    await until(page.is_open)
    figures = {"page_s": time.perf_counter() - started_at}
    await until(page.is_online)
    figures["online_s"] = time.perf_counter() - started_at

    async def has_board() -> bool:
        number, buttons = await page.points()
        return number >= 0 and bool(buttons)

    pressed_at = time.perf_counter()
    await page.play_the_machine()
    await until(has_board)
    tapped_at = time.perf_counter()
    figures["board_s"] = tapped_at - pressed_at
    first, stacks = await page.points()
    await page.tap(*stacks[0])
    _, landings = await page.points()
    await page.tap(*landings[0])

    async def is_answered() -> bool:
        number, buttons = await page.points()
        return number >= first + 2 and bool(buttons)

    await until(is_answered)
    answered_at = time.perf_counter()
    return figures | {
        "moved_s": answered_at - tapped_at,
        "run_to_move_s": figures["online_s"] + answered_at - pressed_at,
    }


async def measure(folder: Path, patience_s: float) -> dict[str, float]:
    """Return the figures of the RESULT line."""
    clone, home = folder / "dvonn-bot", folder / "home"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    async with (
        launched(clone, home, port),
        asyncio.timeout(patience_s),
        aiohttp.ClientSession() as session,
    ):
        return await first_minute(Page(session, f"http://127.0.0.1:{port}/"))


def main() -> None:
    """Measure, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.first_run")
    parser.add_argument("--patience", type=float, default=600, help="seconds for all of it")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dvonn-first-run-") as name:
        folder = Path(name)
        (folder / "home").mkdir()
        clone = ("git", "clone", "--quiet", "--depth", "1", ROOT.as_uri(), "dvonn-bot")
        subprocess.run(clone, cwd=folder, check=True)
        figures = asyncio.run(measure(folder, options.patience))
    print(result_line("first_run", figures))


if __name__ == "__main__":
    main()
