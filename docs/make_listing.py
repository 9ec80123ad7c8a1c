"""Make the kit for Discord's App Directory: `.venv/bin/python docs/make_listing.py FOLDER`.

It writes the texts of deploy/app_directory.toml and five pictures for each language, such as
`FOLDER/de/summary.txt` and `FOLDER/de/1-game.png`. A real bot plays in a local Discord, and
Chromium photographs its page. docs/app-directory.md says where texts and pictures go.
"""

import asyncio
import io
import sys
import tomllib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from PIL import Image, ImageOps
from playwright.async_api import Page

from bot.base.languages import languages
from demo.commands import use
from dvonn import GameRecord, Move
from sandbox import Answer, Channel, GuildAdmin, Message, Person, Sandbox
from sandbox.person import PATIENCE_S
from tests.e2e.conftest import Table, message_of
from tests.page.browser import Windows, photographed_bot

DOCS: Final = Path(__file__).parent
TEXTS: Final = DOCS.parent / "deploy" / "app_directory.toml"
PICTURE: Final = 1920, 1080
"""Width and height of a picture in pixels."""
SIZE: Final = {"width": 1280, "height": 720}
SCALE: Final = 2
"""Pixels of a picture for each pixel of the page."""
PLY: Final = 66
SETTLE_MS: Final = 500
"""Time for pictures to appear and the log to scroll."""


@dataclass(frozen=True)
class Stage:
    """A channel of its own, and its players."""

    channel: Channel
    ann: Person
    bob: Person

    async def command(self, name: str, **options: object) -> Message:
        """Return the answer to Ann's command, once it is complete."""
        return await self._settled(await self.ann.slash(self.channel, name, **options))

    async def press(self, message: Message, part: str) -> Message:
        """Press the first button with a word in its custom id. Return the message after it."""
        button = next(option for option in message.buttons if part in (option.custom_id or ""))
        return await self._settled(await self.ann.click(message, custom_id=button.custom_id))

    async def _settled(self, answer: Answer) -> Message:
        await answer.settled()
        return message_of(answer)


def moves_of_the_example() -> tuple[Move, ...]:
    """Return the moves of the game in game.txt."""
    return GameRecord.from_text((DOCS / "game.txt").read_text(encoding="utf-8")).moves


async def game(stage: Stage) -> None:
    """Play most of a game between friends."""
    players = {"opponent": stage.bob, "colour": "white", "start": "placement"}
    await use(stage.ann, stage.channel, "challenge", **players)
    offer = stage.channel.messages[-1]
    accept = next(button for button in offer.buttons if "accept" in (button.custom_id or ""))
    await stage.bob.click(offer, custom_id=accept.custom_id)
    table = Table(stage.channel, stage.ann, stage.bob)
    await table.board(0)
    await table.reach(list(moves_of_the_example()[:PLY]))


async def machine(stage: Stage) -> None:
    """Choose a stack in a game against the machine."""
    await use(stage.ann, stage.channel, "play", level=5, colour="white", start="balanced")
    board = await stage.channel.wait_for(
        lambda message: any(":from:" in (button.custom_id or "") for button in message.buttons)
    )
    await stage.press(board, ":from:")


async def lesson(stage: Stage) -> None:
    """Begin the course."""
    await stage.command("learn")


async def puzzle(stage: Stage) -> None:
    """Ask for a puzzle."""
    await stage.command("puzzle")


async def replay(stage: Stage) -> None:
    """Replay a game move by move."""
    text = " ".join(map(str, moves_of_the_example()))
    await stage.command("show", text=text, move=PLY)


SCENES: Final[tuple[Callable[[Stage], Awaitable[None]], ...]] = (
    game,
    machine,
    lesson,
    puzzle,
    replay,
)
"""The scenes of the pictures, in their order."""


def locale_of(language: str) -> str:
    """Return Discord's locale of a language in the texts."""
    return next(locale for locale in languages() if locale.partition("-")[0] == language)


def write_texts(texts: dict[str, Any], folder: Path) -> None:
    """Write each text of a language, and the tags, into a file of its own."""
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(f"{text}\n", encoding="utf-8")


async def photograph(page: Page, file: Path) -> None:
    """Write a picture of the page's messages, without the rest of the local Discord.

    It has few colors, which makes the file small.
    """
    await page.wait_for_timeout(SETTLE_MS)
    with Image.open(io.BytesIO(await page.locator("#scroll").screenshot())) as screenshot:
        messages = screenshot.convert("RGB")
    corner = messages.crop((messages.width - 1, 0, messages.width, 1))
    fitted = ImageOps.contain(messages, PICTURE)
    picture = corner.resize(PICTURE)
    left, top = ((PICTURE[side] - fitted.size[side]) // 2 for side in (0, 1))
    picture.paste(fitted, (left, top))
    picture.quantize(dither=Image.Dither.NONE).save(file, optimize=True)


async def take_pictures(world: Sandbox, windows: Windows, locale: str, folder: Path) -> None:
    """Play each scene in a new server with a language, and photograph it."""
    guild: GuildAdmin = world.create_guild("DVONN", permissions=None)
    guild.guild.locale = locale  # before the bot learns of the server
    guild.invite_bot()
    ann, bob = guild.add_person("Ann"), guild.add_person("Bob")
    for person in (ann, bob):
        person.user.locale = locale
    for number, scene in enumerate(SCENES, 1):
        channel = guild.create_channel(f"{scene.__name__}-{number}")
        page = await windows.open(
            world, ann, channel, viewport=SIZE, color_scheme="dark", device_scale_factor=SCALE
        )
        await scene(Stage(channel, ann, bob))
        await photograph(page, folder / f"{number}-{scene.__name__}.png")
        await windows.close()


async def main(folder: Path, only: list[str]) -> None:
    """Write the kit of all languages, or of the chosen ones."""
    texts = tomllib.loads(TEXTS.read_text(encoding="utf-8"))
    tags = ", ".join(texts.pop("tags"))
    async with photographed_bot() as (world, windows):
        world.state.first_response_s = PATIENCE_S  # this also holds on a busy machine
        for language in only or texts:
            (folder / language).mkdir(parents=True, exist_ok=True)
            write_texts(texts[language] | {"tags": tags}, folder / language)
            await take_pictures(world, windows, locale_of(language), folder / language)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2:]))
