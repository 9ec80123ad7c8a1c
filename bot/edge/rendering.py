"""Rendering pictures beside the event loop, one at a time: two threads are slower than one."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from bot.edge.names import Names
from bot.messages import Boards, Chart, Picture
from bot.operations.metrics import RENDERING_QUEUE, RENDERING_SECONDS
from renderer import chart, render, render_boards, warm_up


class Renderer:
    """Renders pictures in a thread of its own."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="rendering")
        self._thread.submit(warm_up)

    async def render(self, picture: Picture | Boards | Chart) -> bytes:
        """The PNG of a picture, with the names that its players have now."""
        if not isinstance(picture, Boards) and picture.seats is not None:
            white, black = self._names.of(picture.seats)
            caption = replace(picture.caption, white=white, black=black)
            picture = replace(picture, caption=caption)
        with RENDERING_QUEUE.track_inprogress():
            return await asyncio.get_running_loop().run_in_executor(self._thread, _render, picture)

    def close(self) -> None:
        """Let go of the thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)


@RENDERING_SECONDS.time()
def _render(picture: Picture | Boards | Chart) -> bytes:
    if isinstance(picture, Boards):
        return render_boards(picture.positions, look=picture.look)
    if isinstance(picture, Chart):
        return chart(
            picture.review,
            coordinates=picture.coordinates,
            caption=picture.caption,
            look=picture.look,
        )
    return render(
        picture.position,
        coordinates=picture.coordinates,
        last=picture.last,
        marks=picture.marks,
        caption=picture.caption,
        look=picture.look,
    )
