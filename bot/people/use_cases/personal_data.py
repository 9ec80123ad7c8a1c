"""Exports and deletes a person's data."""

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from bot.base.ids import UserId
from bot.people.model import CannotDelete
from bot.people.store.privacy import PrivacyTable
from bot.play.game_changes import GameUpdate
from bot.play.model.terms import ChallengeRow
from bot.play.store.store import Store
from bot.play.use_cases.endings import Endings
from bot.play.use_cases.game_cache import GameCache

_MAX_ATTEMPTS = 10
"""Maximum number of attempts to end all of a person's games.

A new attempt is needed only if a game starts during the last one, which is rare.
"""
_PLAIN_BYTES = 8_000_000
"""Size in bytes above which the file is compressed. Discord accepts 10 MB."""


@dataclass(frozen=True, slots=True)
class DeletionResult:
    """Changes caused by a deletion that must be announced to others."""

    closed: list[ChallengeRow]
    """Challenges by or to the person, now closed."""
    updates: list[GameUpdate]
    """Games that the person resigned because of the deletion."""


class Privacy:
    """Use cases for a person's data: export and deletion."""

    def __init__(
        self, store: Store, game_cache: GameCache, endings: Endings, *, now: Callable[[], datetime]
    ) -> None:
        self._table = store.queries(PrivacyTable)
        self._game_cache = game_cache
        self._endings = endings
        self._now = now

    async def export(self, player: UserId) -> tuple[str, bytes]:
        rows = await self._table.export(player)
        document = {"person": player, "exported_at": self._now(), "tables": rows}
        return compress_large(
            json.dumps(document, indent=1, default=_time_text).encode(), limit=_PLAIN_BYTES
        )

    async def running(self, player: UserId) -> int:
        return len(await self._table.running(player))

    async def delete(self, player: UserId) -> DeletionResult:
        """Delete all data about a person.

        They resign their games, which are kept without their id.

        Raises:
            CannotDelete: if some of their games are still running. The others have ended.
        """
        challenges = await self._table.close(player, at=self._now())
        updates: list[GameUpdate | None] = []
        for _ in range(_MAX_ATTEMPTS):  # a new game may have started, for example in a tournament
            running = await self._table.running(player)
            updates += [await self._endings.leave(game, player) for game in running]
            if await self._table.erase(player, at=self._now()):
                self._game_cache.forget(player)
                return DeletionResult(
                    challenges, [update for update in updates if update is not None]
                )
        raise CannotDelete(await self._table.running(player))


def compress_large(text: bytes, *, limit: int) -> tuple[str, bytes]:
    """Compress a file larger than `limit` bytes. Return the suffix of its name and its contents."""
    return ("json", text) if len(text) <= limit else ("json.gz", gzip.compress(text))


def _time_text(value: object) -> str:
    """Return a time as text. No other type that JSON lacks is stored."""
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"not JSON serializable: {value!r}")
