"""Chromium for the page: its path, its start, and its windows.

Nothing here is imported before Playwright has been found, because it is optional.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from demo.bot_process import bot_process
from demo.local import local_discord
from sandbox import Channel, Person, Sandbox

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page, ViewportSize

NAMES = ("chromium", "chromium-browser", "google-chrome")
DESKTOP: Final[ViewportSize] = {"width": 1280, "height": 800}
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}

_PATIENCE_MS = 30_000
"""Time for the page to show something. Five seconds are too few on a busy machine."""
_FLAGS = (
    "--no-sandbox",  # root in a container may lack Chromium's sandbox
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_chromium() -> str | None:
    """Return the path of a Chromium on this machine."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


@asynccontextmanager
async def chromium(path: str) -> AsyncIterator[Browser]:
    """A browser during the block. Its windows share nothing."""
    from playwright.async_api import async_playwright, expect  # noqa: PLC0415 - see above

    expect.set_options(timeout=_PATIENCE_MS)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=list(_FLAGS))
        yield browser
        await browser.close()


@asynccontextmanager
async def photographed_bot() -> AsyncIterator[tuple[Sandbox, Windows]]:
    """Run a local Discord with the bot and a browser, for the pictures of the documents.

    Raises:
        SystemExit: if there is no Chromium on this machine.
    """
    path = find_chromium()
    if path is None:
        sys.exit("There is no Chromium on this machine.")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with local_discord(folder, port=0) as world:
            settings = {
                "DISCORD_TOKEN": world.token,
                "DISCORD_API_URL": world.api_url,
                "DATABASE_URL": f"sqlite:///{folder.as_posix()}/dvonn.sqlite3",
            }
            async with bot_process(settings, folder / "bot.log"), chromium(path) as browser:
                await world.wait_ready()
                yield world, Windows(browser)


def address(world: Sandbox, person: Person, channel: Channel) -> str:
    """Return the page's address of a channel as a person sees it."""
    return f"{world.api_url.removesuffix('/api/v10')}/?as={person.id}#{channel.id}"


SpareWindows = dict[frozenset[str], list["Page"]]
"""Empty windows that can be reused, by their fixed options.

A new window takes twice as long as a short test.
"""


class Windows:
    """The page's windows, and all errors in them.

    Attributes:
        faults: Errors in their scripts, violations of their policy, and dialogs.
    """

    def __init__(self, browser: Browser, spare_windows: SpareWindows | None = None) -> None:
        self.faults: list[str] = []
        self._browser = browser
        self._spare: SpareWindows = {} if spare_windows is None else spare_windows
        self._open: list[tuple[frozenset[str], Page]] = []
        self._heard = {"pageerror": self._note_error, "dialog": self._note, "console": self._listen}

    async def open(self, world: Sandbox, person: Person, channel: Channel, **options: Any) -> Page:
        """Open a window on a channel, once it is ready for typing.

        Args:
            world: The sandbox with the page.
            person: The user of the window.
            channel: The channel that it shows.
            options: Options of Playwright's ``new_context``.
        """
        page = await self._new(**options)
        await page.goto(address(world, person, channel))
        await page.get_by_role("textbox", name=f"Message #{channel.name}").wait_for()
        return page

    async def start(self, world: Sandbox, **options: Any) -> Page:
        """Open a window on the page's start view. See :meth:`open`."""
        page = await self._new(**options)
        await page.goto(f"{world.api_url.removesuffix('/api/v10')}/")
        await page.get_by_role("heading", name="Start").wait_for()
        return page

    async def _new(
        self,
        *,
        viewport: ViewportSize = DESKTOP,
        color_scheme: Literal["light", "dark"] = "light",
        reduced_motion: Literal["reduce", "no-preference"] = "no-preference",
        **fixed: Any,
    ) -> Page:
        kind = frozenset(f"{name}={value}" for name, value in fixed.items())
        if self._spare.get(kind):
            page = self._spare[kind].pop()
        else:
            context = await self._browser.new_context(viewport=viewport, **fixed)
            page = await context.new_page()
        self._open.append((kind, page))
        await page.set_viewport_size(viewport)
        await page.emulate_media(
            color_scheme=color_scheme, reduced_motion=reduced_motion, forced_colors="none"
        )
        listening: Any = page  # its type checks each name itself
        for name, hear in self._heard.items():
            listening.on(name, hear)
        return page

    async def close(self) -> None:
        """Empty every window. None of its content is left."""
        while self._open:
            kind, page = self._open.pop()
            # A server of another test may get the port, and with it the data stored for it.
            await page.evaluate("localStorage.clear(); sessionStorage.clear()")
            await page.mouse.move(0, 0)
            await page.goto("about:blank")
            for name, hear in self._heard.items():
                page.remove_listener(name, hear)
            self._spare.setdefault(kind, []).append(page)

    def _note(self, dialog: Any) -> None:
        self.faults.append(f"a dialog: {dialog.message}")

    def _note_error(self, error: Any) -> None:
        self.faults.append(str(error))

    def _listen(self, line: Any) -> None:
        # The browser itself logs a line for each refusal, which the page shows as text.
        if line.type == "error" and "Failed to load resource" not in line.text:
            self.faults.append(line.text)
