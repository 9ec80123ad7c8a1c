"""Read pasted texts beside the event loop, and only as many as a person needs."""

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
"""Time between two texts of one person, over a longer time."""
AT_ONCE: Final = 5
"""Number of texts that a person may paste without a pause."""
_REMEMBERED: Final = 1_000


class PastedTexts:
    """The single entry point for pasted texts and files."""

    def __init__(self, *, now: Callable[[], datetime]) -> None:
        self._now = now
        # One thread at a time: several would only take turns, and the event loop least often.
        self._aside = asyncio.Lock()
        # When each person will have paused for all that they have pasted.
        self._paused_at: dict[UserId, datetime] = {}

    async def read(
        self, text: str | bytes, user: UserId, named: Coordinates = Coordinates.STANDARD
    ) -> MoveSequence:
        """Return the content of a text or a file, as `pasted.read` does.

        Raises:
            BadPaste: if it is neither a position, a list of moves nor a record.
            TooSoon: if this person has pasted too many texts just now.
        """
        self._keep_pace(user)
        async with self._aside:
            return await asyncio.to_thread(pasted.read, text, named)

    def _keep_pace(self, user: UserId) -> None:
        now = self._now()
        paused_at = max(self._paused_at.get(user, now), now) + PACE
        wait = paused_at - now - AT_ONCE * PACE
        if wait > timedelta():
            raise TooSoon(wait)
        self._paused_at[user] = paused_at
        if len(self._paused_at) > _REMEMBERED:
            self._paused_at = {who: at for who, at in self._paused_at.items() if at > now}
