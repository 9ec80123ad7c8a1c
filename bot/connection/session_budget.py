"""Limits how often the bot starts a Discord session.

Discord counts session starts (IDENTIFY). A bot that exceeds about a thousand a day loses its token.
Shards may start sessions five seconds apart. Resuming a session (RESUME) is free.

A stable bot needs only a few a day, but hosts who are setting up a bot restart it often. So the
first hundred sessions of a day start immediately. If a fault lasts, another one starts every 15
minutes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

DAY = timedelta(days=1)
SKEW = timedelta(minutes=1)
"""Maximum difference between the clocks of several machines."""
_TENTH = 10
"""Divisor for the share of Discord's limit that is reserved for other programs with the token."""


class SessionWait(StrEnum):
    """Reasons why a session has to wait."""

    TURN = "shards start their sessions one at a time"
    TOKEN = "the bot has started many sessions today"  # noqa: S105 - no password
    DISCORD = "Discord allows no more today"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStart:
    """A session that was started."""

    shard: int
    count: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLimit:
    """Discord's `session_start_limit`."""

    total: int
    remaining: int
    asked_at: datetime
    resets_at: datetime
    concurrency: int
    """Shards with the same remainder modulo this number start their sessions one at a time."""

    def remaining_at(self, history: Iterable[SessionStart], now: datetime) -> int:
        """Return the number of session starts left, minus the ones since Discord was asked."""
        if now >= self.resets_at:
            return self.total
        return self.remaining - sum(start.at > self.asked_at for start in history)


@dataclass(frozen=True, slots=True, kw_only=True)
class Permit:
    """When a session may start, and the reason if it has to wait."""

    at: datetime
    """Earliest start. If that is not in the future, the session may start immediately."""
    reason: SessionWait


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionBudget:
    """The bot's own limits, well within Discord's.

    Attributes:
        apart: Minimum time between session starts of shards that start one at a time. Discord
            requires five seconds. On a busy machine, a start may be a little late.
        a_day: Maximum number of sessions per day for all shards together.
        a_shard: Sessions per shard per day, used instead of `a_day` if the total is greater. The
            first half starts without a wait. Each shard can also start a few from the other half at
            once, so that faults of one shard don't delay another.
    """

    apart: timedelta = timedelta(seconds=5.5)
    a_day: int = 200
    a_shard: int = 20

    def permit(
        self,
        shard: int,
        count: int,
        history: Sequence[SessionStart],
        terms: SessionLimit,
        *,
        now: datetime,
        since: datetime,
    ) -> Permit:
        """Return when a shard may start a session.

        The history contains the last day's sessions of all the token's shards, newest last.
        Sessions before `since`, the start of the bot, may be unknown. `since` may be later than
        `now`, because it was read from the host's clock before Discord's time was known.
        """
        token_start = self._token_start((shard, count), history, terms, now, min(since, now))
        waits = [
            (self._shard_start(shard, history, terms, now), SessionWait.TURN),
            (token_start, SessionWait.TOKEN),
        ]
        # The rest is left for other programs with this token, and for the host's repairs.
        reserve = min(max(terms.total // _TENTH, 2 * count), terms.total // 2)
        if terms.remaining_at(history, now) <= reserve:
            waits.append((terms.resets_at, SessionWait.DISCORD))
        at, reason = max(waits, key=lambda wait: wait[0])
        return Permit(at=at, reason=reason)

    def _shard_start(
        self, shard: int, history: Iterable[SessionStart], terms: SessionLimit, now: datetime
    ) -> datetime:
        key = shard % terms.concurrency
        before = (min(start.at, now) for start in history if start.shard % terms.concurrency == key)
        return max((at + self.apart for at in before), default=now)

    def _token_start(
        self,
        shard_key: tuple[int, int],
        history: Sequence[SessionStart],
        terms: SessionLimit,
        now: datetime,
        since: datetime,
    ) -> datetime:
        last = max((start.at for start in history), default=since)
        limit = min(max(self.a_day, self.a_shard * shard_key[1]), terms.total * 9 // _TENTH)
        # Discord also counts sessions that are missing from this database.
        starts = max(len(history), terms.total - terms.remaining_at(history, now))
        unknown = starts - len(history)
        by_this_shard = unknown + sum((start.shard, start.count) == shard_key for start in history)
        half = max(limit // 2, 1)
        if starts < half or (by_this_shard < self.a_shard // 2 and starts < limit):
            return last
        return last + DAY / half
