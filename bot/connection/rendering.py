"""Rendering pictures beside the event loop, one at a time: two threads are slower than one."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

from bot.base.metrics import RENDERING_QUEUE, RENDERING_SECONDS
from bot.connection.people import Names
from bot.connection.pictures import (
    AnyPicture,
    Boards,
    Chart,
    Curves,
    Film,
    Progress,
    Seats,
    StandingsPage,
    Themes,
)
from renderer import (
    Caption,
    animate,
    chart,
    progress,
    rating_curves,
    render,
    render_boards,
    replay_page,
    standings,
    theme_sheet,
    warm_up,
)


class Renderer:
    """Renders pictures in a thread of its own."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="rendering")
        self._thread.submit(warm_up)
        # A whole game takes as long as some twenty boards, which must not wait for it.
        self._cinema = ThreadPoolExecutor(max_workers=1, thread_name_prefix="animating")

    async def render(self, picture: AnyPicture) -> bytes:
        """The PNG of a picture, with the names that its players have now."""
        if not isinstance(picture, Boards | Progress | Curves | StandingsPage | Themes):
            picture = replace(picture, caption=self._named(picture.caption, picture.seats))
        with RENDERING_QUEUE.track_inprogress():
            return await asyncio.get_running_loop().run_in_executor(self._thread, _render, picture)

    async def animate(self, film: Film) -> bytes:
        """The GIF of a whole game, with the names that its players have now."""
        caption = self._named(film.reel.caption, film.seats)
        make = partial(animate, film.reel, caption=caption, look=film.look)
        return await asyncio.get_running_loop().run_in_executor(self._cinema, make)

    async def page(self, film: Film) -> bytes:
        """A page that replays a whole game in any browser, with the names of now."""
        caption = self._named(film.reel.caption, film.seats)
        make = partial(
            replay_page,
            film.reel,
            caption=caption,
            review=film.review,
            look=film.look,
            language=film.language,
        )
        loop = asyncio.get_running_loop()
        return (await loop.run_in_executor(self._cinema, make)).encode()

    def close(self) -> None:
        """Let go of the threads."""
        for thread in (self._thread, self._cinema):
            thread.shutdown(wait=False, cancel_futures=True)

    def _named(self, caption: Caption, seats: Seats | None) -> Caption:
        """A caption with the players' names as they were heard last."""
        if seats is None:
            return caption
        white, black = self._names.of(seats)
        return replace(caption, white=white, black=black)


@RENDERING_SECONDS.time()
def _render(picture: AnyPicture) -> bytes:  # noqa: PLR0911 - a line for each
    if isinstance(picture, Boards):
        return render_boards(picture.positions, look=picture.look)
    if isinstance(picture, Themes):
        return theme_sheet(words=picture.look.words)
    if isinstance(picture, Progress):
        return progress(picture.start, picture.steps, look=picture.look)
    if isinstance(picture, Curves):
        return rating_curves(picture.curves, look=picture.look)
    if isinstance(picture, StandingsPage):
        return standings(picture.table, picture.page, look=picture.look)
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
