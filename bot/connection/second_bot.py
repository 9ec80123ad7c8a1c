"""Detects another bot with the same token but a different database.

Such a bot receives and answers the same events, but doesn't know the other bot's games. Discord
doesn't tell the two bots about each other, but there are three signs: a first response to an
interaction comes too late, because the other bot has already responded; a board appears that is not
in this bot's database; or Discord counts sessions that are not in the database.

Processes that share a database are not a second bot. `OtherProcesses` detects duplicates among
them.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

import structlog

from bot.base.health import ActiveFaults, Fault
from bot.base.metrics import SECOND_BOT_SIGNS
from bot.database.other_processes import OtherProcesses

_log = structlog.get_logger()

_JUDGED_AFTER: Final = timedelta(seconds=35)
"""Time within which another process of this database must have written to it.

Each process writes every 30 seconds.
"""
_COMPARED_AFTER: Final = timedelta(seconds=5)
"""Time from a sign to the first comparison that counts, because the other process may write late.

After the computer was asleep, all events arrive before any other process can have written.
"""
_MAX_CATCH_UP: Final = timedelta(hours=1)
"""Maximum time that a process with a new session reads missed messages.

Messages from its own sessions arrive only after that.
"""
_ENDS_AFTER: Final = timedelta(minutes=10)
_CURE: Final = "stop the other one; if you can't find it, make a new token in the developer portal"


class Sign(StrEnum):
    """Signs of a second bot."""

    ANSWERED = "answered"
    MESSAGE = "message"
    SESSION = "session"

    @property
    def meaning(self) -> str:
        match self:
            case Sign.ANSWERED:
                return "an interaction had already been answered"
            case Sign.MESSAGE:
                return "a board was posted that is not in this database"
            case Sign.SESSION:
                return "a session was started that is not in this database"


class SecondBot:
    """Collects signs and warns the host once. The fault ends ten minutes after the last sign."""

    def __init__(
        self, degraded: ActiveFaults, other_processes: OtherProcesses, now: Callable[[], datetime]
    ) -> None:
        self._degraded = degraded
        self._other_processes = other_processes
        self._now = now
        # signs that another process of this database may explain
        self._answered: list[datetime] = []
        self._own_session_at: datetime | None = None
        self._last: datetime | None = None
        for sign in Sign:
            SECOND_BOT_SIGNS.labels(sign)

    def on_already_acknowledged(self) -> None:
        """Record that our first response to an interaction came second.

        The other response may be from another process of this database, as in a rolling upgrade.
        """
        now = self._now()
        if not self._other_processes.may_be_active(now):
            self._answered.append(now)

    def on_own_session(self, at: datetime) -> None:
        """Record that another process of this database has started a session.

        It responds to interactions from then on, long before a comparison detects it.
        """
        self._own_session_at = at

    def note(self, sign: Sign) -> None:
        """Report a sign."""
        SECOND_BOT_SIGNS.labels(sign).inc()
        if self._last is None:
            _log.error("second bot with this token", reason=sign.meaning, cure=_CURE)
        self._last = self._now()
        self._degraded.begin(Fault.SECOND_BOT, f"{sign.meaning}: {_CURE}")

    async def check(self) -> None:
        """Report earlier signs of a second bot, unless other processes of this bot explain them.

        End the fault if there have been no signs for a while.
        """
        now = self._now()
        if self._other_processes.may_be_active(now):
            self._answered.clear()
        self._answered = [at for at in self._answered if not self._may_be_ours(at)]
        settled = [
            at
            for at in self._answered
            if now - at >= _JUDGED_AFTER
            and self._other_processes.has_compared_since(at + _COMPARED_AFTER)
        ]
        del self._answered[: len(settled)]
        for _ in settled:
            self.note(Sign.ANSWERED)
        if self._last is not None and now - self._last > _ENDS_AFTER:
            self._last = None
            self._degraded.end(Fault.SECOND_BOT)
            _log.info("no more signs of a second bot")

    def _may_be_ours(self, response_time: datetime) -> bool:
        began = self._own_session_at
        return began is not None and began <= response_time < began + _MAX_CATCH_UP
