"""Photograph 25 screens of the bot on a phone: `.venv/bin/python docs/make_screens.py FOLDER`.

Each is taken in light and in dark, 400 pixels wide, for people to look at: `FOLDER/07-dark.png`.
A real bot plays in a local Discord, and Chromium shows its page. The screens are listed as they are
taken. `docs/make_screenshots.py` makes the pictures of the README.
"""

import asyncio
import re
import sys
from pathlib import Path
from typing import Final

from playwright.async_api import Page

from demo.commands import use
from sandbox import Answer, Channel, Message, Person
from tests.e2e.conftest import message_of
from tests.page.browser import photographed_bot

SIZE: Final = {"width": 400, "height": 860}
SCHEMES: Final = ("light", "dark")
SETTLE_MS: Final = 500
"""Time for pictures to appear and the log to scroll."""
MOVES: Final = 5


class Camera:
    """Takes numbered pictures of a phone's window."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._taken = folder, 0

    async def take(self, page: Page, name: str) -> None:
        """Photograph the content of a window, in both schemes."""
        self._taken += 1
        sys.stdout.write(f"{self._taken:02} {name}\n")
        for scheme in SCHEMES:
            await page.emulate_media(color_scheme=scheme)
            await page.wait_for_timeout(SETTLE_MS)
            await page.screenshot(path=self._folder / f"{self._taken:02}-{scheme}.png")


class Visit:
    """Ann's use of the bot, photographed at each step."""

    def __init__(self, camera: Camera, page: Page, players: list[Person], place: Channel) -> None:
        self._camera, self._page, self._place = camera, page, place
        self._ann, self._bob = players

    async def screens(self) -> None:
        """Play through all screens but the start page."""
        await self._take("a fresh channel")
        await self._help()
        await self._game()
        await self._end()
        await self._lessons()
        await self._game_of_two()
        await self._take("/games", await self._ann.slash(self._place, "games"))
        await self._take("/settings", await self._ann.slash(self._place, "settings"))

    async def _take(self, name: str, answer: Answer | None = None) -> None:
        if answer is not None and answer.message is not None:
            await answer.settled()
        await self._camera.take(self._page, name)

    async def _help(self) -> None:
        helped = await self._ann.slash(self._place, "help")
        await self._take("/help", helped)
        rules = next(item.label for item in message_of(helped).buttons if "▶" in item.label)
        await self._take("a page of the rules", await self._ann.click(message_of(helped), rules))

    async def _game(self) -> None:
        ann, place = self._ann, self._place
        await use(ann, place, "play", level=2, colour="white", start="balanced")
        board = await self._turn()
        await self._take("/play")
        stack = next(item.label for item in board.buttons if ":from:" in (item.custom_id or ""))
        await self._take("a stack is chosen", await ann.click(board, stack))
        await ann.click(board, "Back")
        board = await self._turn()
        await self._take("what More offers", await ann.click(board, "More"))
        await ann.say(place, "a1-k5")
        await self._take("a refused move")
        listed = await ann.menu(board, "My moves")
        await self._take("My moves", listed)
        await self._take("/board text", await ann.slash(place, "board", text=True))
        await ann.say(place, _first_move(message_of(listed).content))
        await self._turn(after=board)
        await self._take("a move and its answer")

    async def _turn(self, after: Message | None = None) -> Message:
        """Return the newest board on which Ann is to move."""
        return await self._place.wait_for(
            lambda item: any(":from:" in (button.custom_id or "") for button in item.buttons),
            after=after,
        )

    async def _end(self) -> None:
        ann, place = self._ann, self._place
        for _ in range(MOVES):
            board = await self._turn()
            moves = message_of(await ann.menu(board, "My moves")).content
            await ann.say(place, _first_move(moves))
            await self._turn(after=board)
        question = await ann.slash(place, "resign")
        await ann.click(message_of(question), "Yes, resign")
        last_board = await place.wait_for(
            lambda item: "Review" in [button.label for button in item.buttons]
        )
        await self._take("the end of a game")
        review = await self._review(last_board)
        await self._take("its review")
        look = next(item for item in review.buttons if item.label == "Look")
        await self._take("a moment of it", await ann.click(review, custom_id=look.custom_id))

    async def _review(self, last_board: Message) -> Message:
        """Return the review's first page, once the machine has reviewed the game."""
        while True:
            answer = await self._ann.click(last_board, "Review")
            review = await answer.settled()
            if any(item.label == "Look" for item in review.buttons):
                return review
            await self._page.wait_for_timeout(SETTLE_MS)

    async def _lessons(self) -> None:
        ann, place = self._ann, self._place
        step = await ann.slash(place, "learn")
        await self._take("/learn", step)
        for name in ("a stack of it", "an answer"):
            step = await ann.click(message_of(step), message_of(step).buttons[0].label)
            await self._take(name, step)
        await self._take("/puzzle", await ann.slash(place, "puzzle"))

    async def _game_of_two(self) -> None:
        ann, bob, place = self._ann, self._bob, self._place
        await use(ann, place, "challenge", opponent=bob, colour="white", start="balanced")
        await self._take("/challenge")
        await bob.click(place.messages[-1], "Accept")
        board = await place.wait_for(lambda item: "your turn" in item.content)
        await self._take("a game of two")
        await self._take("/move", await ann.slash(place, "move"))
        moves = message_of(await ann.menu(board, "My moves")).content
        await ann.say(place, _first_move(moves))
        await place.wait_for(lambda item: "your turn" in item.content, after=board)
        await self._take("a move in it")
        await ann.slash(place, "draw")
        await self._take("a draw is offered")


def _first_move(listed: str) -> str:
    """Return the first move of the list *My moves*."""
    source, target = re.findall(r"^([a-k][1-5])[^:]*: ([a-k][1-5])", listed, re.MULTILINE)[0]
    return f"{source}-{target}"


async def main(folder: Path) -> None:
    """Start a local Discord with the bot, and photograph it."""
    async with photographed_bot() as (world, windows):
        camera = Camera(folder)
        first = await windows.start(world, viewport=SIZE)
        await first.locator(".offer:enabled").first.wait_for()
        await camera.take(first, "the start page")
        people = {user.name: world.person(user) for user in world.state.users.values()}
        named = {item.name: item for item in world.state.channels.values()}
        ann, bob, channel = people["Ann"], people["Bob"], named["lounge"]
        page = await windows.open(world, ann, channel, viewport=SIZE)
        await Visit(camera, page, [ann, bob], channel).screens()
        await windows.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
