"""Limits how often the bot begins a session with Discord. Nothing here knows the hour.

Beginning one (IDENTIFY) is what Discord counts: whoever does so more than about a thousand times a
day loses the token. Shards may begin one at five seconds' distance. Going on (RESUME) is free.

A bot whose sessions last needs a few a day, and a host who sets it up restarts it often. So the
first hundred of a day come at once. A lasting fault gets one each quarter of an hour after them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

DAY = timedelta(days=1)
SKEW = timedelta(minutes=1)
"""Difference that the clocks of several machines may have."""
_TENTH = 10
"""Part of Discord's limit that is left alone: other programs may have the same token."""


class SessionWait(StrEnum):
    """Reasons why a session waits."""

    TURN = "shards begin one after the other"
    TOKEN = "the bot has begun many sessions today"  # noqa: S105 - no password
    DISCORD = "Discord allows no more today"


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """A session that was begun."""

    shard: int
    count: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLimit:
    """The `session_start_limit` that Discord tells."""

    total: int
    remaining: int
    asked_at: datetime
    resets_at: datetime
    concurrency: int
    """Shards of the same remainder by this number begin one after the other."""

    def left(self, history: Iterable[Begun], now: datetime) -> int:
        """Return how many are left by now, those begun since it was asked taken off."""
        if now >= self.resets_at:
            return self.total
        return self.remaining - sum(one.at > self.asked_at for one in history)


@dataclass(frozen=True, slots=True, kw_only=True)
class Permit:
    """The time when a session may be begun, and the reason why it waits until then."""

    at: datetime
    """Not later than now: at once."""
    reason: SessionWait


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionBudget:
    """The bot's own limits, well within Discord's.

    Attributes:
        apart: between two sessions of shards that Discord lets in one after the other, every five
            seconds; on a busy machine each may reach it somewhat later than it was begun.
        a_day: how many sessions all shards together begin in a day, at most,
        a_shard: or so many for each of them, where that is more. The first half comes without
            waiting; of the other half each shard gets its first few at once, too, so that it does
            not wait for another one's fault.
    """

    apart: timedelta = timedelta(seconds=5.5)
    a_day: int = 200
    a_shard: int = 20

    def permit(
        self,
        shard: int,
        count: int,
        history: Sequence[Begun],
        terms: SessionLimit,
        *,
        now: datetime,
        since: datetime,
    ) -> Permit:
        """Return when a shard may begin a session.

        The history is what all shards of this token have begun in the last day, the newest last.
        What was before `since`, when this process began, may be unknown. It may be later than now:
        it was read from the host's clock before Discord had told the hour.
        """
        of_token = self._of_token((shard, count), history, terms, now, min(since, now))
        waits = [
            (self._turn(shard, history, terms, now), SessionWait.TURN),
            (of_token, SessionWait.TOKEN),
        ]
        # The last ones are left for other programs with this token, and for a host who mends it.
        kept = min(max(terms.total // _TENTH, 2 * count), terms.total // 2)
        if terms.left(history, now) <= kept:
            waits.append((terms.resets_at, SessionWait.DISCORD))
        at, reason = max(waits, key=lambda one: one[0])
        return Permit(at=at, reason=reason)

    def _turn(
        self, shard: int, history: Iterable[Begun], terms: SessionLimit, now: datetime
    ) -> datetime:
        key = shard % terms.concurrency
        before = (min(one.at, now) for one in history if one.shard % terms.concurrency == key)
        return max((at + self.apart for at in before), default=now)

    def _of_token(
        self,
        own: tuple[int, int],
        history: Sequence[Begun],
        terms: SessionLimit,
        now: datetime,
        since: datetime,
    ) -> datetime:
        last = max((one.at for one in history), default=since)
        most = min(max(self.a_day, self.a_shard * own[1]), terms.total * 9 // _TENTH)
        # Discord knows of those, too, that another database tells of, or none.
        begun = max(len(history), terms.total - terms.left(history, now))
        elsewhere = begun - len(history)
        by_this_shard = elsewhere + sum((one.shard, one.count) == own for one in history)
        half = max(most // 2, 1)
        if begun < half or (by_this_shard < self.a_shard // 2 and begun < most):
            return last
        return last + DAY / half
