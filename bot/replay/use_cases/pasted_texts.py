"""Parses pasted texts off the event loop, and limits how many texts a person can paste."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from bot.base.ids import UserId
from bot.play.model.refused_starts import TooSoon
from bot.replay.model import pasted
from bot.replay.model.replays import MoveSequence
from dvonn import Coordinates

PACE: Final = timedelta(seconds=3)
"""Average time between two texts of one person."""
BURST: Final = 5
"""Number of texts that a person can paste without a pause."""
_MAX_PEOPLE: Final = 1_000


class PastedTexts:
    """The single entry point for pasted texts and files."""

    def __init__(self, *, now: Callable[[], datetime]) -> None:
        self._now = now
        # One thread at a time. Several would compete for the GIL and slow down the event loop.
        self._thread_lock = asyncio.Lock()
        # When each person may paste again without a delay.
        self._paused_at: dict[UserId, datetime] = {}

    async def read(
        self, text: str | bytes, user: UserId, notation: Coordinates = Coordinates.STANDARD
    ) -> MoveSequence:
        """Return the content of a text or a file, like `pasted.read`.

        Raises:
            BadPaste: if it is neither a position, a list of moves nor a record.
            TooSoon: if this person has just pasted too many texts.
        """
        self._check_pace(user)
        async with self._thread_lock:
            return await asyncio.to_thread(pasted.read, text, notation)

    def _check_pace(self, user: UserId) -> None:
        now = self._now()
        paused_at = max(self._paused_at.get(user, now), now) + PACE
        wait = paused_at - now - BURST * PACE
        if wait > timedelta():
            raise TooSoon(wait)
        self._paused_at[user] = paused_at
        if len(self._paused_at) > _MAX_PEOPLE:
            self._paused_at = {person: at for person, at in self._paused_at.items() if at > now}
