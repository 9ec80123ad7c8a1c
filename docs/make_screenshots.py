"""Take the README's pictures of the page: `.venv/bin/python docs/make_screenshots.py`.

One is of what `./run` opens on, with board.png, which is made first; the other of the game in
game.txt, played in a local Discord with the real bot. Chromium looks at both.
"""

import asyncio
import io
from pathlib import Path

from PIL import Image
from playwright.async_api import Page

from demo.commands import use
from dvonn import GameRecord
from sandbox import Sandbox
from tests.e2e.conftest import Table
from tests.page.browser import Windows, photographed_bot
from tests.page.steps import message, say

FOLDER = Path(__file__).parent
PLY = 66
SIZE = {"width": 1200, "height": 820}


async def main() -> None:
    """Write start.png and sandbox.png."""
    async with photographed_bot() as (world, windows):
        await take_start(world, windows)
        await take(world, windows)
        await windows.close()


async def take_start(world: Sandbox, windows: Windows) -> None:
    """Take the picture of the start page."""
    page = await windows.start(world, viewport=SIZE, color_scheme="light")
    await page.locator(".offer:enabled").first.wait_for()
    await photograph(page, "start.png")


async def take(world: Sandbox, windows: Windows) -> None:
    """Play up to `PLY`, with the last message and move typed in the page, and take the picture."""
    *moves, last = GameRecord.from_text((FOLDER / "game.txt").read_text("utf-8")).moves[:PLY]
    people = {user.name: world.person(user) for user in world.state.users.values()}
    ann, bob = people["Ann"], people["Bob"]
    channel = next(channel for channel in world.state.channels.values() if channel.name == "dvonn")
    await use(ann, channel, "challenge", opponent=bob, colour="white", start="placement")
    await bob.click(channel.messages[-1], "Accept")
    table = Table(channel, ann, bob)
    await table.board(0)
    await table.play(moves)
    page = await windows.open(world, ann, channel, viewport=SIZE, color_scheme="light")
    await bob.say(channel, "Nine high! What will you do about that?")
    await message(page, "Nine high!").wait_for()
    await say(page, str(last))
    await message(page, f"{last}. ").get_by_role("img").wait_for()
    # The previous board loses its buttons. Older ones may still have theirs after such fast play.
    await page.locator(f'[data-key$=":{PLY - 1}:text"]').wait_for(state="detached")
    await photograph(page, "sandbox.png")


async def photograph(page: Page, name: str) -> None:
    """Save the page's picture with as many colors as a small file can hold."""
    with Image.open(io.BytesIO(await page.screenshot())) as whole:
        whole.quantize(dither=Image.Dither.NONE).save(FOLDER / name, optimize=True)


if __name__ == "__main__":
    asyncio.run(main())
