"""The course of every change: find, check, write; and again where another writer was quicker."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from bot.base.errors import AlreadyDone, PlayError
from bot.base.ids import SourceId
from bot.database.database import Conflict
from bot.play.store.store import Store

_T = TypeVar("_T")
WasDone = Callable[[SourceId], Awaitable[bool]]
"""Tells whether a source has been carried out before."""


async def attempt(
    store: Store,
    do: Callable[[], Awaitable[_T]],
    *,
    source: SourceId | None = None,
    was_done: WasDone | None = None,
) -> _T:
    """Do something that finds how things stand, checks that it may be, and writes.

    Where another hand has written in between, it is done anew, from what stands then. What is to
    be refused, or was overtaken, may have been done before: then that is said, and nothing else.

    `was_done` tells what the source may have done beside games and challenges.

    Raises:
        AlreadyDone: if this source has been carried out before.
        And what `do` raises, but `Conflict`.
    """
    while True:
        try:
            return await do()
        except Conflict:
            await refuse_twice(store, source, was_done)
        except PlayError:
            await refuse_twice(store, source, was_done)
            raise


async def refuse_twice(
    store: Store, source: SourceId | None, was_done: WasDone | None = None
) -> None:
    """See that a source has not been carried out before.

    Raises:
        AlreadyDone: if it has.
    """
    if source is not None and (
        await store.games.has_source(source)
        or await store.challenges.has_source(source)
        or (was_done is not None and await was_done(source))
    ):
        raise AlreadyDone
