"""Two hands at one game, in an order that the test forces."""

import asyncio
from collections.abc import Awaitable, Callable
from enum import Enum, auto
from typing import Any, TypeVar

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.model.events import Event
from bot.model.game import GameRow
from bot.model.terms import ChallengeRow
from bot.store import Store
from bot.store.calls import CallTable
from bot.store.challenges import ChallengeTable
from bot.store.changes import Changes, Written
from bot.store.games import GameTable
from bot.store.plans import PlanTable
from bot.store.rows import Delivery
from tests.bot.conftest import Clock
from tests.bot.table import Table

_T = TypeVar("_T")
_U = TypeVar("_U")


class Before(Enum):
    """What a hand hesitates to do."""

    READING = auto()
    """It has read how a game stands, but not yet what happened in it."""
    WRITING = auto()


class Gate:
    """Stops the first who comes, until it is opened."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self._open = asyncio.Event()

    def open(self) -> None:
        self._open.set()

    async def pass_through(self) -> None:
        if not self.reached.is_set():
            self.reached.set()
            await self._open.wait()


class SlowReader(GameTable):
    """Reads how a game stands at once, and what happened in it later."""

    def __init__(self, store: Store, gate: Gate) -> None:
        super().__init__(store._database)
        self._gate = gate

    async def events(self, *args: Any, **more: Any) -> list[Event]:
        await self._gate.pass_through()
        return await super().events(*args, **more)


class _HesitantChanges(Changes):
    def __init__(self, store: Store, gate: Gate) -> None:
        super().__init__(store._database)
        self._gate = gate

    async def append(self, *args: Any, **more: Any) -> Written:
        await self._gate.pass_through()
        return await super().append(*args, **more)

    async def begin(self, *args: Any, **more: Any) -> tuple[GameRow, list[Delivery]]:
        await self._gate.pass_through()
        return await super().begin(*args, **more)


class _HesitantChallenges(ChallengeTable):
    def __init__(self, store: Store, gate: Gate) -> None:
        super().__init__(store._database)
        self._gate = gate

    async def add(self, *args: Any, **more: Any) -> ChallengeRow:
        await self._gate.pass_through()
        return await super().add(*args, **more)

    async def close(self, *args: Any, **more: Any) -> None:
        await self._gate.pass_through()
        await super().close(*args, **more)


class _HesitantPlans(PlanTable):
    def __init__(self, store: Store, gate: Gate) -> None:
        super().__init__(store._database)
        self._gate = gate

    async def put(self, *args: Any, **more: Any) -> None:
        await self._gate.pass_through()
        await super().put(*args, **more)


class _HesitantCalls(CallTable):
    def __init__(self, store: Store, gate: Gate) -> None:
        super().__init__(store._database)
        self._gate = gate

    async def put(self, *args: Any, **more: Any) -> None:
        await self._gate.pass_through()
        await super().put(*args, **more)


class Hands:
    """Two processes with the same database, of which one hesitates: without a word, to write."""

    def __init__(
        self, engine: AsyncEngine, clock: Clock, hesitates: Before = Before.WRITING
    ) -> None:
        self._gate = Gate()
        store = Store(engine)
        if hesitates is Before.READING:
            store.games = SlowReader(store, self._gate)
        else:
            store.changes = _HesitantChanges(store, self._gate)
            store.challenges = _HesitantChallenges(store, self._gate)
            store.calls = _HesitantCalls(store, self._gate)
            store.plans = _HesitantPlans(store, self._gate)
        self.slow = Table(store, clock)
        self.slow.last_source = 500_000
        self.quick = Table(Store(engine), clock)
        self.quick.last_source = 250_000

    async def race(
        self, slow: Callable[[Table], Awaitable[_T]], quick: Callable[[Table], Awaitable[_U]]
    ) -> tuple[_T | Exception, _U | Exception]:
        """One hand begins; the other does all of its work; then the first goes on."""
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
