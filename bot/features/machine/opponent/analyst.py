"""Questions about positions that users ask the machine, one at a time per user."""

import asyncio
import heapq
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from weakref import WeakValueDictionary

from bot.base.ids import UserId
from bot.features.machine.opponent.watched_thinker import WatchedThinker
from bot.play.model.engine_thoughts import Thought
from bot.play.opponent import MachineBackend, Opponent
from dvonn import GameRecord, Position, Review
from dvonn.machine import LEVELS


class FairQueue:
    """A queue with a number of slots.

    A user's first question goes before other users' second questions. Each user's questions are
    counted until no question is left.
    """

    def __init__(self, at_once: int) -> None:
        self._at_once = self._free = at_once
        self._asked: Counter[UserId] = Counter()
        self._waiting: list[tuple[int, int, UserId, asyncio.Future[None]]] = []
        self._arrivals = count()

    @asynccontextmanager
    async def turn_of(self, user: UserId) -> AsyncIterator[None]:
        """Wait for a user's turn, which lasts until the end of the block."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (self._asked[user], next(self._arrivals), user, turn))
        self._hand_out()
        try:
            await turn
            yield
        finally:
            if (
                not turn.cancel() and not turn.cancelled()
            ):  # the user got a slot, perhaps only just now
                self._free += 1
            self._hand_out()

    def _hand_out(self) -> None:
        while self._waiting and self._free:
            *_, user, turn = heapq.heappop(self._waiting)
            if not turn.done():
                self._free -= 1
                self._asked[user] += 1
                turn.set_result(None)
        if self._free == self._at_once:
            self._asked.clear()


@dataclass(slots=True, weakref_slot=True)
class _Asker:
    """A user who waits for an answer, and the last answer they got."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    position: Position | None = None
    thoughts: tuple[Thought, ...] = ()


class Analyst(Opponent):
    """Asks the machine on behalf of users, so that one user's questions don't delay others.

    Each user has one question at a time, and a first question goes before another user's second.
    Repeated questions about the same position are answered once. Nothing is stored about users who
    are not waiting.
    """

    def __init__(self, thinker: MachineBackend, levels: range = LEVELS) -> None:
        self._thinker = WatchedThinker(thinker)
        self.levels = levels
        self._turns = FairQueue(thinker.at_once)
        self._askers: WeakValueDictionary[UserId, _Asker] = WeakValueDictionary()

    @property
    def thinker(self) -> WatchedThinker:
        return self._thinker

    @property
    def fault(self) -> str | None:
        return self._thinker.fault

    async def analyse(self, position: Position, *, user: UserId) -> tuple[Thought, ...]:
        """Return the best continuations of an unfinished position, best first."""
        asker = self._askers.setdefault(user, _Asker())
        async with asker.turn:
            if asker.position != position:
                async with self._turns.turn_of(user):
                    asker.thoughts = await self._thinker.analyse(position)
                asker.position = position
            return asker.thoughts

    async def review(self, record: GameRecord, *, board: int, user: UserId) -> Review:
        """Return the review of a record, including all its placements."""
        asker = self._askers.setdefault(user, _Asker())
        placements = sum(move.source is None for move in record.moves)
        async with asker.turn:  # games use their own ids, and studies use negative ones
            return await self._thinker.review(-board, record, placements=placements)
