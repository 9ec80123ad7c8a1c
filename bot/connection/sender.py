"""Sends queued deliveries exactly once each, even if a process or the connection fails.

A row is leased to one process at a time. Before a retry, the channel's history is read, so that a
message whose outcome is unknown is not sent twice. For a few minutes the nonce prevents that, too.
Where the bot may not read the history, the nonce is the only protection.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Any
from weakref import WeakValueDictionary

import discord
import structlog

from bot.base.errors import StoreError
from bot.base.ids import GameId, GuildId, MessageId, Revision, Shards
from bot.connection.bounded_cache import BoundedCache
from bot.connection.delivery_handlers import DeliveryHandler, OutgoingMessage
from bot.connection.discord_messages import MessageFormat, NoFollowUpError, in_format
from bot.connection.request_demands import track_outcome, while_claimed
from bot.connection.request_errors import DISCORD_ERRORS, ForbiddenError, error_text
from bot.connection.tasks import InFlightWork
from bot.database.deliveries import DeliveryTable
from bot.database.delivery_rows import Delivery, DeliveryKind, DeliveryRoute

_log = structlog.get_logger()

_MAX_CONCURRENT = 8
"""Maximum number of messages being sent at the same time."""
_MAX_PER_QUEUE = 5
"""Maximum number of messages per queue and sweep, so that other servers aren't delayed.

Discord allows about this many per channel in five seconds.
"""
_MAX_DM_ATTEMPTS = 3
"""Maximum number of attempts for a direct message. After that, it goes to the channel."""
_FIRST_DELAY = timedelta(seconds=5)
_LONGEST_DELAY = timedelta(minutes=10)
_CLOCK_ERROR = timedelta(seconds=5)
"""Tolerated difference between our clock and Discord's when comparing message times."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NUMBERS_PER_MS = 2**22
"""Number of distinct message numbers per millisecond."""


class Sender:
    """Sends queued deliveries of some kinds."""

    def __init__(
        self,
        deliveries: DeliveryTable,
        kinds: Iterable[DeliveryHandler],
        work: InFlightWork,
        *,
        now: Callable[[], datetime],
    ) -> None:
        self._deliveries = deliveries
        self._kinds = {kind.name: kind for kind in kinds}
        self._work = work
        self._now = now
        self._locks: WeakValueDictionary[GameId, asyncio.Lock] = WeakValueDictionary()
        # Games with older unsent deliveries, which newer ones must not overtake.
        self._backlog: set[GameId] = set()
        # Servers with deliveries that wait for a retry.
        self._stuck: set[GuildId] = set()
        # How often Discord has refused an unsent message in its current format.
        self._refused: BoundedCache[int, int] = BoundedCache()

    async def load_backlog(self) -> None:
        """Load the unsent deliveries. This must be called before anything is sent."""
        for row in await self._deliveries.all_unsent():
            self._add_to_backlog(row)

    async def send_now(self, game: GameId, messages: Sequence[OutgoingMessage]) -> bool:
        """Send the deliveries that were just queued with an event.

        Return True if all were sent.

        Failed ones stay queued and are retried.
        """
        async with self._locks.setdefault(game, asyncio.Lock()):
            if game in self._backlog:
                try:
                    return await self._catch_up(
                        game, {row.id for outgoing in messages for row in outgoing.deliveries}
                    )
                except StoreError:
                    return False
            for outgoing in messages:
                if not await self._send(outgoing, since=outgoing.deliveries[0].tried_at):
                    self._backlog.add(game)
                    return False
        return True

    async def catch_up(self, game: GameId) -> bool:
        """Send a game's due deliveries in order, and return True if all were sent."""
        async with self._locks.setdefault(game, asyncio.Lock()):
            return await self._catch_up(game)

    async def resume_game(self, game: GameId, revision: Revision) -> None:
        """Send a revision's dropped deliveries, unless that revision or a newer one was announced.

        Where the bot is a guest, this is called after an interaction, which lets it send messages.
        """
        async with self._locks.setdefault(game, asyncio.Lock()):
            last_revision = await self._deliveries.newest_announced(game)
            if last_revision is None or last_revision < revision:
                now = self._now()
                rows = await self._deliveries.revive(game, revision, now=now)
                if rows:
                    await self._catch_up(game, {row.id for row in rows})

    async def retry_guild(self, guild: GuildId) -> None:
        """Retry a server's failed deliveries soon, because its permissions have changed."""
        if guild in self._stuck:
            await self._deliveries.release_guild(guild, self._now())
            self._stuck.discard(guild)

    async def run(
        self, shards: Shards, *, after_catch_up: bool, pause: Callable[[], Awaitable[object]]
    ) -> None:
        """Send due deliveries forever, with a pause after each sweep.

        At first, deliveries already claimed for these shards are released, because the process that
        claimed them has ended.
        """
        released = False
        while True:
            try:
                if not released:
                    with self._work.track():
                        kinds = self._names(after_catch_up=after_catch_up)
                        await self._deliveries.release(kinds, shards, self._now())
                    released = True
                await self.sweep(shards, after_catch_up=after_catch_up)
            except Exception:
                _log.exception("delivery sweep failed")
            await pause()

    async def sweep(self, shards: Shards, *, after_catch_up: bool) -> None:
        """Send the deliveries that are due now."""
        at_once = asyncio.Semaphore(_MAX_CONCURRENT)  # a slow channel must not delay the others

        async def deliver(queue: list[list[Delivery]]) -> None:
            async with at_once:
                for rows in queue:
                    try:
                        with self._work.track():
                            await self._deliver(rows, shards)
                    except Exception:
                        _log.exception("delivery crashed", delivery=rows[0].id)

        kinds = self._names(after_catch_up=after_catch_up)
        due_rows = await self._deliveries.due(kinds, shards, self._now())
        await asyncio.gather(*map(deliver, self._queues(due_rows)))

    def _queues(self, rows: Iterable[Delivery]) -> list[list[list[Delivery]]]:
        """Return queues to send in parallel. A queue's groups are sent one at a time."""
        queues: dict[object, list[list[Delivery]]] = {}
        for group in self._group(rows):
            first = group[0]
            queue = self._kinds[first.kind].queue(first)
            queues.setdefault(first.id if queue is None else queue, []).append(group)
        return [queue[:_MAX_PER_QUEUE] for queue in queues.values()]

    def _group(self, rows: Iterable[Delivery]) -> list[list[Delivery]]:
        """Group deliveries that are sent together, because they have the same game or message."""
        groups: dict[tuple[object, ...], list[Delivery]] = {}
        for row in rows:
            key: tuple[object, ...] = (row.id,)
            if self._kinds[row.kind].in_order:
                key = ("game", row.game)
            elif (joined := self._kinds[row.kind].group_key(row)) is not None:
                key = (row.kind, row.route, joined, row.batch)
            groups.setdefault(key, []).append(row)
        return list(groups.values())

    async def _deliver(self, rows: list[Delivery], shards: Shards) -> None:
        first = rows[0]
        kind = self._kinds[first.kind]
        if kind.in_order:
            await self.catch_up(first.event_key[0])
        else:
            more_rows = [] if first.tries else await kind.batch_with(first, shards)
            await self._claim_and_send(rows + more_rows)

    async def _catch_up(self, game: GameId, claimed_ids: Collection[int] = ()) -> bool:
        """Send a game's unsent deliveries in order.

        Return True if all were sent.

        `claimed_ids` are the ids of deliveries that we have already claimed.
        """
        unsent = [row for row in await self._deliveries.unsent(game) if self._is_ordered(row)]
        superseded: list[Delivery] = []
        if unsent:
            for kind in self._kinds.values():
                superseded += await kind.superseded(unsent)
        await self._deliveries.drop(superseded, at=self._now())
        for row in unsent:
            if row in superseded:
                continue
            sending = (
                self._send_claimed([row], since=row.tried_at)
                if row.id in claimed_ids
                else self._claim_and_send([row])
            )
            if not await sending:
                return False
        self._backlog.discard(game)
        return True

    async def _claim_and_send(self, rows: Sequence[Delivery]) -> bool:
        """Claim deliveries and send one message. Return False if none could be claimed or sent."""
        now, first = self._now(), rows[0]
        batch = _new_batch_number(first, now) if first.batch is None else first.batch
        claimed = await self._deliveries.claim(rows, batch=batch, now=now)
        return bool(claimed) and await self._send_claimed(claimed, since=now)

    async def _send_claimed(self, rows: Sequence[Delivery], *, since: datetime) -> bool:
        """Send a message unless an earlier attempt has. Return True if nothing is left to do."""
        first = rows[0]
        kind = self._kinds[first.kind]
        try:
            if first.tries:
                if (message := await self._find(kind, first)) is not None:
                    await self._mark_sent(rows, message, kind.found_data)
                    await kind.on_found(first)
                    return True
                if first.route is DeliveryRoute.DM and first.tries >= _MAX_DM_ATTEMPTS:
                    await self._requeue_in_channel(rows)
                    return False
                if not await self._deliveries.begin(rows, since=since, at=self._now()):
                    return False
            outgoing = await kind.prepare(rows)
            # A later message announces the deliveries that this one leaves out.
            left_out = [row for row in rows if outgoing is None or row not in outgoing.deliveries]
            retry_time = self._now() + kind.recheck_after
            await self._deliveries.requeue(left_out, first.route, until=retry_time)
        except Exception as error:
            return not await self._retry_later(rows, error)
        return outgoing is None or await self._send(outgoing, since=since)

    async def _find(self, kind: DeliveryHandler, row: Delivery) -> MessageId | None:
        """Return the message that an earlier attempt sent, or None if none can be found.

        Raises:
            One of `DISCORD_ERRORS`: if the search fails.
        """
        try:
            return await kind.find(row)
        except discord.HTTPException as error:
            if not _is_refusal(error):
                raise
            _log.info("delivery lookup refused", kind=row.kind, game=row.game, error=str(error))
            return None

    async def _send(self, outgoing: OutgoingMessage, *, since: datetime) -> bool:
        """Send a message for rows claimed at `since`. Return True if nothing is left to do."""
        rows, ours_since = outgoing.deliveries, since

        async def renew() -> bool:
            nonlocal ours_since
            before, ours_since = ours_since, self._now()
            return await self._deliveries.renew(rows, since=before, now=ours_since)

        try:
            with (
                while_claimed(since, self._now, renew),
                track_outcome() as outcome,
                in_format(self._format(rows)),
            ):
                message = await outgoing.send()
        except Exception as error:
            if outcome.is_accepted and not isinstance(error, DISCORD_ERRORS):
                return await self._mark_accepted(rows, error)
            return await self._handle_failure(rows, error)
        self._refused.pop(rows[0].id)
        await self._mark_sent(rows, message, outgoing.data)
        outgoing.after_send(message)
        return True

    def _format(self, rows: Sequence[Delivery]) -> MessageFormat:
        """Return the format of a message. It becomes simpler after Discord has refused it twice."""
        refusal_count = self._refused.get(rows[0].id) or 0
        return MessageFormat(min(max(refusal_count - 1, 0), max(MessageFormat)))

    async def _mark_accepted(self, rows: Sequence[Delivery], error: Exception) -> bool:
        """Mark a message as sent if Discord accepted it but its response was unreadable."""
        first = rows[0]
        try:
            message = await self._find(self._kinds[first.kind], first)
        except DISCORD_ERRORS as search_error:
            return not await self._retry_later(rows, search_error)
        _log.warning(
            "delivery sent, response unreadable",
            delivery=first.id,
            kind=first.kind,
            error=f"{type(error).__name__}: {error}",
        )
        await self._mark_sent(rows, message)
        return True

    async def _handle_failure(self, rows: Sequence[Delivery], error: Exception) -> bool:
        first = rows[0]
        if isinstance(error, NoFollowUpError):
            _log.info("delivery waiting for an interaction", kind=first.kind, game=first.game)
            with suppress(StoreError):  # otherwise it becomes due and is tried again
                await self._deliveries.drop(rows, at=self._now())
            return False
        if first.route is DeliveryRoute.DM and _is_refusal(error):
            # The user closed direct messages, blocked the bot, shares no server with it, or is
            # deleted.
            _log.info(
                "direct message refused, using the channel", delivery=first.id, error=str(error)
            )
            with suppress(StoreError):  # otherwise it becomes due and is tried again
                await self._requeue_in_channel(rows)
            return False
        if isinstance(error, discord.HTTPException) and error.status == HTTPStatus.BAD_REQUEST:
            self._refused.put(first.id, (self._refused.get(first.id) or 0) + 1)
        is_waiting = await self._retry_later(rows, error)
        if isinstance(error, discord.NotFound | discord.Forbidden):
            # from now on they wait together, and don't delay others
            with suppress(StoreError):
                await self._deliveries.requeue(rows[1:], first.route, until=self._now())
            if not isinstance(error, ForbiddenError):
                await self._kinds[first.kind].on_refused(first)
        return not is_waiting

    async def _requeue_in_channel(self, rows: Sequence[Delivery]) -> None:
        """Queue direct messages that can't be delivered for their channels instead."""
        await self._deliveries.requeue(rows, DeliveryRoute.INSTEAD, until=self._now())

    async def _retry_later(self, rows: Sequence[Delivery], error: Exception) -> bool:
        """Log why rows were not sent, and postpone them, with a longer delay each time.

        Return False if they were sent in the meantime.
        """
        first = rows[0]
        delay = min(_FIRST_DELAY * 2 ** min(max(first.tries - 1, 0), 10), _LONGEST_DELAY)
        _log.warning(
            "delivery failed, retrying",
            delivery=first.id,
            kind=first.kind,
            game=first.game,
            revision=first.revision,
            attempts=first.tries,
            retry_s=round(delay.total_seconds()),
            error=error_text(error),
        )
        self._stuck.add(first.guild)
        with suppress(Exception):  # if the database is unreachable, they become due automatically
            if not await self._deliveries.postpone(rows, until=self._now() + delay):
                return False
            await self._kinds[first.kind].delayed(first)
        return True

    async def _mark_sent(
        self,
        rows: Sequence[Delivery],
        message: MessageId | None,
        data: Mapping[str, Any] | None = None,
    ) -> None:
        """Mark rows as sent. If that fails, a later attempt finds the message."""
        at = _posted_at(rows[0], message, self._now())
        try:
            await self._deliveries.mark_sent(rows, message, at=at, data=data)
        except StoreError:
            self._add_to_backlog(rows[0])

    def _names(self, *, after_catch_up: bool) -> list[DeliveryKind]:
        return [name for name, kind in self._kinds.items() if kind.after_catch_up is after_catch_up]

    def _add_to_backlog(self, row: Delivery) -> None:
        if self._is_ordered(row):
            self._backlog.add(row.event_key[0])

    def _is_ordered(self, row: Delivery) -> bool:
        return row.kind in self._kinds and self._kinds[row.kind].in_order


def _is_refusal(error: Exception) -> bool:
    """Return True if Discord understood a request and refused it."""
    return (
        isinstance(error, discord.HTTPException)
        and not isinstance(error, discord.DiscordServerError)
        and error.status != HTTPStatus.TOO_MANY_REQUESTS
    )


def _posted_at(row: Delivery, message: MessageId | None, now: datetime) -> datetime:
    """Return when a message was posted, from its id. For an edit, return `now`."""
    posted_at = now if message is None else discord.utils.snowflake_time(message)
    return now if posted_at < row.tried_at - _CLOCK_ERROR else min(posted_at, now)


def _new_batch_number(row: Delivery, now: datetime) -> int:
    """Return a number for a new message, unique even after a backup was restored."""
    return (now - _EPOCH) // timedelta(milliseconds=1) * _NUMBERS_PER_MS + row.id % _NUMBERS_PER_MS
