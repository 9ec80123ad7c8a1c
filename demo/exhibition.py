"""An exhibition game between two scripted people, who play moves of the engine."""

import asyncio
import logging
import multiprocessing
import re
import signal
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random

from demo.commands import use
from dvonn import Color, Position, from_diagram
from dvonn.engine import choose
from sandbox import Channel, InteractionFailed, InvocationRefused, Message, Person
from sandbox.friend import DVONN, tidy

PATIENCE_S = 60.0
"""Maximum time for the bot to show a board, in seconds, on a busy machine."""

PAUSE_S = 2.5
"""Seconds between a board and the next move, so that people can look at it."""

AS_TEXT = "Board as text"
"""The name of the menu entry that shows a board as a diagram."""

_DANGER = 4
_DIAGRAM = re.compile(r"```\n(.*?)```", re.DOTALL)
_LOST = (InteractionFailed, InvocationRefused, TimeoutError)
_log = logging.getLogger(__name__)


class Exhibition:
    """Two scripted people who play games in a channel, one game at a time.

    Args:
        channel: The channel, where no other game is played.
        players: White and Black.
        levels: The machine's level for each color.
        chance: Random number generator.
        sleep: Called to wait before the next move.
    """

    def __init__(
        self,
        channel: Channel,
        players: Mapping[Color, Person],
        levels: Mapping[Color, int],
        chance: Random,
        *,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._channel = channel
        self._players = players
        self._levels = levels
        self._chance = chance
        self._sleep = sleep
        self._game: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Begin a game, unless one is in progress."""
        if self._game is None or self._game.done():
            self._game = asyncio.create_task(self._play(), name="a game to watch")

    async def close(self) -> None:
        if self._game is not None:
            self._game.cancel()
            await asyncio.wait([self._game])

    async def _play(self) -> None:
        pool = ProcessPoolExecutor(
            1, multiprocessing.get_context("spawn"), initializer=_leave_interrupts_to_parent
        )
        try:
            await self._leave_old_game()
            await self._play_on(await self._open(), pool)
        except _LOST as error:
            _log.warning("demo game ended early: %s", error)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    async def _leave_old_game(self) -> None:
        """Resign a game that is left over from the last run."""
        for person in self._players.values():
            if await person.autocomplete(self._channel, DVONN.command, **{DVONN.option: ""}):
                answer = await person.slash(self._channel, "resign")
                question = await answer.settled()
                yes = next(button for button in question.buttons if button.style == _DANGER)
                await person.click(question, custom_id=yes.custom_id)

    async def _open(self) -> Position:
        """Start a game on a ready-made board between the two, and return its position."""
        white, black = self._players[Color.WHITE], self._players[Color.BLACK]
        last = next(iter(self._channel.messages[-1:]), None)
        await use(
            white, self._channel, "challenge", opponent=black, start="balanced", colour="white"
        )
        challenge = await self._channel.wait_for(_is_open, after=last, timeout=PATIENCE_S)
        await black.click(challenge, DVONN.accept)
        answer = await black.menu(await self._board(after=challenge), AS_TEXT)
        diagram = _DIAGRAM.search((await answer.settled()).content)
        await tidy(black, answer)
        if diagram is None:
            raise InvocationRefused(f"{AS_TEXT} shows no diagram")
        return from_diagram(diagram[1])

    async def _play_on(self, position: Position, pool: ProcessPoolExecutor) -> None:
        loop = asyncio.get_running_loop()
        while (turn := position.turn) is not None:
            seed = self._chance.getrandbits(32)
            thinking = partial(choose, position, level=self._levels[turn], seed=seed)
            move = await loop.run_in_executor(pool, thinking)
            await self._sleep(PAUSE_S)
            message = await self._players[turn].say(self._channel, str(move))
            await self._board(after=message)
            position = position.play(move)

    async def _board(self, *, after: Message) -> Message:
        return await self._channel.wait_for(
            lambda message: message.author.bot and message.attachments,
            after=after,
            timeout=PATIENCE_S,
        )


def _is_open(message: Message) -> bool:
    return any(button.label == DVONN.accept for button in message.buttons)


def _leave_interrupts_to_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
