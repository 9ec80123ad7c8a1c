"""Rendering pictures beside the event loop, one at a time: two threads are slower than one."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from bot.base.metrics import RENDERING_QUEUE, RENDERING_SECONDS
from bot.connection.display_names import Names
from bot.connection.posts import NameOf, Renderable
from renderer import warm_up

_Made = TypeVar("_Made")


class Renderer:
    """Renders pictures in a thread of its own."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="rendering")
        self._thread.submit(warm_up)
        # A whole game takes as long as some twenty boards, which must not wait for it.
        self._cinema = ThreadPoolExecutor(max_workers=1, thread_name_prefix="animating")

    async def render(self, picture: Renderable) -> bytes:
        """Return the PNG of a picture, with the names that its players have now."""
        make = picture.rendering(self._names.name)
        with RENDERING_QUEUE.track_inprogress():
            return await asyncio.get_running_loop().run_in_executor(self._thread, _timed, make)

    async def replay(self, prepare: Callable[[NameOf], Callable[[], _Made]]) -> _Made:
        """Return what shows a whole game, with the names that its players have now."""
        make = prepare(self._names.name)
        return await asyncio.get_running_loop().run_in_executor(self._cinema, make)

    def close(self) -> None:
        """Let go of the threads."""
        for thread in (self._thread, self._cinema):
            thread.shutdown(wait=False, cancel_futures=True)


@RENDERING_SECONDS.time()
def _timed(make: Callable[[], bytes]) -> bytes:
    return make()
