"""Two processes that write one game, in an order that the test controls."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from enum import Enum, auto
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from bot.database.connection import AsyncEngine
from bot.database.database import Database
from bot.play.store.store import Store
from tests.bot.table import Table

if TYPE_CHECKING:
    from tests.bot.conftest import Clock

_T = TypeVar("_T")
_U = TypeVar("_U")


class Before(Enum):
    """The points at which a writer pauses."""

    READING = auto()
    """It has read the game's row, but not yet its events."""
    WRITING = auto()


class Gate:
    """A gate that stops the first task that arrives, until it is opened."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self._open = asyncio.Event()

    def open(self) -> None:
        self._open.set()

    async def pass_through(self) -> None:
        if not self.reached.is_set():
            self.reached.set()
            await self._open.wait()


def hesitating(table: _T, gate: Gate, *methods: str) -> _T:
    """Return a copy of a table on which some methods stop at the gate first."""

    def gated(method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def call_through_gate(*args: Any, **more: Any) -> Any:
            await gate.pass_through()
            return await method(*args, **more)

        return call_through_gate

    for name in methods:
        setattr(table, name, gated(getattr(table, name)))
    return table


class _HesitatingStore(Store):
    """Pauses at some queries of features, which are created each time."""

    at: Mapping[Any, Gate] = MappingProxyType({})

    def queries(self, queries: Callable[[Database], _T]) -> _T:
        made = super().queries(queries)
        gate = self.at.get(queries)
        return made if gate is None else hesitating(made, gate, "put")


class Hands:
    """Two processes with the same database. One of them pauses, by default before it writes."""

    def __init__(
        self,
        engine: AsyncEngine,
        clock: "Clock",
        hesitates: Before = Before.WRITING,
        of_features: Sequence[type[Any]] = (),
    ) -> None:
        self._gate = Gate()
        store = _HesitatingStore(engine)
        if hesitates is Before.READING:
            hesitating(store.games, self._gate, "events")
        else:
            hesitating(store.changes, self._gate, "append", "begin")
            hesitating(store.challenges, self._gate, "add", "close")
            store.at = dict.fromkeys(of_features, self._gate)
        self.slow = Table(store, clock)
        self.slow.last_source = 500_000
        self.quick = Table(Store(engine), clock)
        self.quick.last_source = 250_000

    async def race(
        self, slow: Callable[[Table], Awaitable[_T]], quick: Callable[[Table], Awaitable[_U]]
    ) -> tuple[_T | Exception, _U | Exception]:
        """Run two writers, of which the first pauses until the second is done.

        Once it pauses, the other one does all its work. Then the first continues.
        """
        first = asyncio.ensure_future(slow(self.slow))
        reached = asyncio.ensure_future(self._gate.reached.wait())
        await asyncio.wait((first, reached), return_when=asyncio.FIRST_COMPLETED)
        assert not first.done(), "it has not hesitated, and so cannot be overtaken"
        second = await _outcome(quick(self.quick))
        self._gate.open()
        return await _outcome(first), second


async def _outcome(doing: Awaitable[_T]) -> _T | Exception:
    try:
        return await doing
    except Exception as error:
        return error
