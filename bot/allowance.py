"""How often the bot may begin a session with Discord. Nothing here knows the hour.

Beginning one (IDENTIFY) is what Discord counts: whoever does so more than about a thousand times a
day loses the token. Shards may begin one at five seconds' distance. Going on (RESUME) is free.

A bot whose sessions last needs a few a day. So the first ones come at once; where a shard keeps on
asking, the distance doubles, up to ten minutes. A host who stops the bot and starts it again is not
made to wait for what went wrong before, unless that is done all day.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

DAY = timedelta(days=1)
SKEW = timedelta(minutes=1)
"""By how much the clocks of several machines may differ."""
_TENTH = 10
"""Of what Discord allows, the part that is left alone: other programs may have the same token."""


class SessionWait(StrEnum):
    """What a session waits for."""

    TURN = "shards begin one after the other"
    SHARD = "this shard's sessions do not last"
    TOKEN = "the bot has begun many sessions today"  # noqa: S105 - no password
    DISCORD = "Discord allows no more today"


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """A session that was begun.

    Attributes:
        shard: which shard began it.
        count: of how many.
        at: when.
        by_host: it was the first after a host had stopped the bot.
        stopped: the host stopped the bot in it.
    """

    shard: int
    count: int
    at: datetime
    by_host: bool = False
    stopped: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLimit:
    """What Discord says: its `session_start_limit`.

    Attributes:
        total: how many sessions it allows.
        remaining: how many were left when it was asked.
        asked_at: when that was.
        resets_at: when it counts anew.
        concurrency: shards of the same remainder by this number begin one after the other.
    """

    total: int
    remaining: int
    asked_at: datetime
    resets_at: datetime
    concurrency: int

    def left(self, history: Iterable[Begun], now: datetime) -> int:
        """How many are left by now, those begun since it was asked taken off."""
        if now >= self.resets_at:
            return self.total
        return self.remaining - sum(one.at > self.asked_at for one in history)


@dataclass(frozen=True, slots=True, kw_only=True)
class Permit:
    """When a session may be begun.

    Attributes:
        at: then; not later than now: at once.
        reason: what it waits for until then.
        by_host: it is the first after a host had stopped the bot.
    """

    at: datetime
    reason: SessionWait
    by_host: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionBudget:
    """The bot's own limits, well within Discord's.

    Attributes:
        apart: between two sessions of shards that Discord lets in one after the other, every five
            seconds; on a busy machine each may reach it somewhat later than it was begun.
        at_once: how many sessions a shard begins in a day before it has to wait.
        first_wait: the distance between the next ones, which doubles each time.
        longest_wait: up to here.
        a_day: how many sessions all shards together begin in a day, at most,
        a_shard: or so many for each of them, where that is more; the first half comes without
            waiting for that.
        by_host: how often in a day a host may stop and start each shard without waiting.
    """

    apart: timedelta = timedelta(seconds=6)
    at_once: int = 4
    first_wait: timedelta = timedelta(seconds=10)
    longest_wait: timedelta = timedelta(minutes=10)
    a_day: int = 200
    a_shard: int = 20
    by_host: int = 24

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
        """When a shard may begin a session.

        Args:
            shard: which one.
            count: of how many.
            history: what all shards of this token have begun in the last day, the newest last.
            terms: what Discord says.
            now: the hour.
            since: when this process began; what was before it may be unknown. It may be later than
                now: it was read from the host's clock before Discord had told the hour.
        """
        since = min(since, now)
        own = [one for one in history if (one.shard, one.count) == (shard, count)]
        stopped = bool(own) and own[-1].stopped
        by_host = stopped and sum(one.by_host for one in own) < self.by_host
        waits = [(self._turn(shard, history, terms, now), SessionWait.TURN)]
        if not by_host:
            waits.append((self._of_shard(own, since), SessionWait.SHARD))
            waits.append((self._of_token(count, history, terms, now, since), SessionWait.TOKEN))
        # The last ones are left for a host who mends something and starts the bot again.
        kept = 0 if by_host else min(max(terms.total // _TENTH, 2 * count), terms.total // 2)
        if terms.left(history, now) <= kept:
            waits.append((terms.resets_at, SessionWait.DISCORD))
        at, reason = max(waits, key=lambda one: one[0])
        return Permit(at=at, reason=reason, by_host=by_host)

    def _turn(
        self, shard: int, history: Iterable[Begun], terms: SessionLimit, now: datetime
    ) -> datetime:
        key = shard % terms.concurrency
        before = (min(one.at, now) for one in history if one.shard % terms.concurrency == key)
        return max((at + self.apart for at in before), default=now)

    def _of_shard(self, own: Iterable[Begun], since: datetime) -> datetime:
        last = max((one.at for one in own), default=since)
        more = sum(not one.by_host for one in own) - self.at_once
        if more < 0:
            return last
        factor: int = 2 ** min(more, 20)  # any wait has become the longest by then
        return last + min(self.first_wait * factor, self.longest_wait)

    def _of_token(
        self,
        count: int,
        history: Sequence[Begun],
        terms: SessionLimit,
        now: datetime,
        since: datetime,
    ) -> datetime:
        last = max((one.at for one in history), default=since)
        most = min(max(self.a_day, self.a_shard * count), terms.total * 9 // _TENTH)
        # Discord knows of those, too, that another database tells of, or none.
        begun = max(len(history), terms.total - terms.left(history, now))
        half = max(most // 2, 1)
        return last if begun < half else last + DAY / half
