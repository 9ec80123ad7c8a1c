"""Chromium for the page: where it is, how it is started, and windows of the page in it.

Nothing here is imported before Playwright has been found: it is an optional tool.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from sandbox import Channel, Person, Sandbox

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page, ViewportSize

NAMES = ("chromium", "chromium-browser", "google-chrome")
DESKTOP: Final[ViewportSize] = {"width": 1280, "height": 800}
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}

_FLAGS = (
    "--no-sandbox",  # a container's root may not have Chromium's own
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_chromium() -> str | None:
    """The path of a Chromium on this machine."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


@asynccontextmanager
async def chromium(path: str) -> AsyncIterator[Browser]:
    """A browser while the block runs; windows of it know nothing of each other."""
    from playwright.async_api import async_playwright  # noqa: PLC0415 - see above

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=list(_FLAGS))
        yield browser
        await browser.close()


def address(world: Sandbox, person: Person, channel: Channel) -> str:
    """Where the page shows a channel as somebody sees it."""
    return f"{world.api_url.removesuffix('/api/v10')}/?as={person.id}#{channel.id}"


class Windows:
    """Windows of the page, and all that went wrong inside them.

    Attributes:
        faults: what their scripts, their policy and their dialogs have said.
    """

    def __init__(self, browser: Browser) -> None:
        self.faults: list[str] = []
        self._browser = browser
        self._contexts: list[Any] = []

    async def open(self, world: Sandbox, person: Person, channel: Channel, **options: Any) -> Page:
        """A new window at a channel, once one can write there.

        Args:
            world: whose page.
            person: who one is in it.
            channel: what it shows.
            options: of Playwright's ``new_context``.
        """
        page = await self._new(**options)
        await page.goto(address(world, person, channel))
        await page.get_by_role("textbox", name=f"Message #{channel.name}").wait_for()
        return page

    async def start(self, world: Sandbox, **options: Any) -> Page:
        """A new window at what the page opens on; see :meth:`open`."""
        page = await self._new(**options)
        await page.goto(f"{world.api_url.removesuffix('/api/v10')}/")
        await page.get_by_role("heading", name="Start").wait_for()
        return page

    async def _new(self, **options: Any) -> Page:
        context = await self._browser.new_context(**{"viewport": DESKTOP, **options})
        self._contexts.append(context)
        page = await context.new_page()
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("dialog", lambda dialog: self.faults.append(f"a dialog: {dialog.message}"))
        page.on("console", self._listen)
        return page

    async def close(self) -> None:
        """Close every window."""
        for context in self._contexts:
            await context.close()

    def _listen(self, line: Any) -> None:
        # The browser itself writes a line for each refusal, which the page shows in words.
        if line.type == "error" and "Failed to load resource" not in line.text:
            self.faults.append(line.text)
