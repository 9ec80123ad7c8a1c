"""The rights of people on their data: all of it as a file, or its end."""

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from bot.base.ids import UserId
from bot.play.model.refusals.playing import CannotDelete
from bot.play.model.terms import ChallengeRow
from bot.play.store.tables import Store
from bot.play.use_cases.archive import Archive
from bot.play.use_cases.leaving import Leaving
from bot.play.use_cases.update import Update

_ROUNDS = 10
"""Number of times that somebody's games are ended and looked for again. More begin meanwhile only
seldom."""
_PLAIN_BYTES = 8_000_000
"""Size above which the file is packed: Discord takes 10 MB."""


@dataclass(frozen=True, slots=True)
class Goodbye:
    """News for others when somebody's data is deleted."""

    closed: list[ChallengeRow]
    """Challenges by or to them, which are over."""
    left: list[Update]
    """Games that they have resigned by it."""


class Privacy:
    """Exporting and deleting what is kept about somebody. The time comes in as an argument."""

    def __init__(
        self, store: Store, archive: Archive, leaving: Leaving, *, now: Callable[[], datetime]
    ) -> None:
        self._store = store
        self._archive = archive
        self._leaving = leaving
        self._now = now

    async def export(self, player: UserId) -> tuple[str, bytes]:
        """Return a file with all data about somebody: the end of its name, and its contents."""
        rows = await self._store.privacy.export(player)
        told = {"person": player, "told_at": self._now(), "tables": rows}
        return packed(json.dumps(told, indent=1, default=_written).encode(), most=_PLAIN_BYTES)

    async def running(self, player: UserId) -> int:
        """Count the games that somebody plays now, anywhere."""
        return len(await self._store.privacy.running(player))

    async def delete(self, player: UserId) -> Goodbye:
        """Delete all about somebody. They resign what they play; games stay, as nobody's.

        Raises:
            CannotDelete: if games of theirs go on whatever is done; what could be ended is.
        """
        closed = await self._store.privacy.close(player, at=self._now())
        left: list[Update | None] = []
        for _ in range(_ROUNDS):  # a game may begin meanwhile, as of a tournament
            running = await self._store.privacy.running(player)
            left += [await self._leaving.leave(game, player) for game in running]
            if await self._store.privacy.erase(player, at=self._now()):
                self._archive.forget(player)
                return Goodbye(closed, [update for update in left if update is not None])
        raise CannotDelete(await self._store.privacy.running(player))


def packed(text: bytes, *, most: int) -> tuple[str, bytes]:
    """Pack a file that has more bytes than that; return the end of its name, and its contents."""
    return ("json", text) if len(text) <= most else ("json.gz", gzip.compress(text))


def _written(value: object) -> str:
    """Return a moment as a text; nothing else is kept that JSON does not know."""
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{value!r} cannot be written")
