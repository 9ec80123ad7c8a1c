"""People's questions to the machine about positions: each of them one thing at a time."""

import asyncio
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from bot.base.ids import UserId
from bot.features.machine.opponent.fair_queue import FairQueue
from bot.features.machine.opponent.thinker import Thinker
from bot.play.model.thoughts import Thought
from bot.play.seams import Opponent
from dvonn import Position


@dataclass(slots=True, weakref_slot=True)
class _Asker:
    """A user who waits for an answer, and what they were told last meanwhile."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    position: Position | None = None
    thoughts: tuple[Thought, ...] = ()


class Analyst(Opponent):
    """Asks the machine for people, so that nobody who asks for much keeps all others waiting.

    Each person asks one thing at a time, and a first question comes before another's second. A
    position asked about again and again, as by pressing a button many times, is thought about once.
    Nothing is kept of those who do not wait.
    """

    def __init__(self, thinker: Thinker) -> None:
        self.thinker = thinker
        self._turns = FairQueue(thinker.at_once)
        self._askers: WeakValueDictionary[UserId, _Asker] = WeakValueDictionary()

    async def analyse(self, position: Position, *, user: UserId) -> tuple[Thought, ...]:
        """Return the best ways to go on from a position that is not over, the best first."""
        asker = self._askers.setdefault(user, _Asker())
        async with asker.turn:
            if asker.position != position:
                async with self._turns.of(user):
                    asker.thoughts = await self.thinker.analyse(position)
                asker.position = position
            return asker.thoughts
