"""Runs the work of each shard: missed messages first, then clocks."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final, Generic, TypeVar

import structlog

from bot.base.errors import StoreError
from bot.base.ids import Shards
from bot.base.metrics import GATEWAY_CONNECTED, GATEWAY_SESSIONS
from bot.base.rhythm import Rhythm
from bot.client.listener import Listener
from bot.connection.discord_clock import DiscordClock
from bot.connection.gateway_probe import GatewayProbe
from bot.connection.liveness import CONNECTED_WITHIN, CONNECTING, Liveness, shard_name
from bot.connection.shard_sessions import ShardSessions
from bot.connection.tasks import InFlightWork, Tasks
from bot.play.handlers.challenge_buttons import close_expired
from bot.play.handlers.interactions import Services, ServicesClient
from bot.play.seams import ClientService, RecurringTask, ShardContext

_log = structlog.get_logger()

Due = TypeVar("Due", bound=Hashable)

RETRY_DELAY: Final = timedelta(minutes=1)
"""Delay before retrying after a failure."""


async def repeat_forever(
    pause: Callable[[], Awaitable[object]], do: Callable[[], Awaitable[object]], name: str
) -> None:
    """Repeat a task forever, even if it fails. `name` is its name in the log."""
    while True:
        try:
            await do()
        except Exception:  # the store has logged that the database can't be used
            _log.exception("recurring task failed", task=name)
        await pause()


class DueRunner(Generic[Due]):
    """Handles due items one at a time.

    If an item fails, it is retried later.

    Args:
        name: Name of the work in the log.
        due: Returns the items that are due now. As long as an item is due, it must compare equal in
            all calls.
        do: Does the work for an item.
    """

    def __init__(
        self,
        name: str,
        due: Callable[[], Awaitable[Iterable[Due]]],
        do: Callable[[Due], Awaitable[object]],
        work: InFlightWork,
        now: Callable[[], datetime],
    ) -> None:
        self._name = name
        self._due = due
        self._do = do
        self._work = work
        self._now = now
        self._later: dict[Due, datetime] = {}

    async def check(self) -> None:
        """Do all work that is due.

        Raises:
            StoreError: if the database cannot be used. All work then waits.
        """
        for item in await self._due():
            now = self._now()
            if now < self._later.get(item, now):
                continue
            try:
                with self._work.track():
                    await self._do(item)
            except StoreError:  # not caused by this item
                raise
            except Exception:
                # One server or tournament must not block the others.
                _log.exception("recurring task failed", task=self._name, item=str(item))
                self._later[item] = now + RETRY_DELAY
            else:
                self._later.pop(item, None)


_CATCH_UP_RETRY = timedelta(seconds=5)
"""Delay before a new session's catch-up is retried after a database failure."""
_CHECK_RETRY = timedelta(minutes=1)
"""Delay before the next check of a game that waits for its server, or whose check failed."""
_SUSPEND_JUMP = timedelta(seconds=30)
"""Minimum jump of the host's clock between two checks that counts as a suspended machine."""


class ShardKeeper:
    """Keeps a client's shards working across sessions."""

    def __init__(
        self,
        client: ServicesClient,
        services: Services,
        listener: Listener,
        parts: Sequence[ClientService],
        recurring: Sequence[Callable[[ShardContext], Iterable[RecurringTask]]],
        shard_sessions: ShardSessions,
        tasks: Tasks,
        liveness: Liveness,
        time: DiscordClock,
        rhythm: Rhythm,
    ) -> None:
        self._client = client
        self._services = services
        self._listener = listener
        self._parts = parts
        self._recurring = recurring
        self._shard_sessions = shard_sessions
        self._tasks = tasks
        self._liveness = liveness
        self._time = time
        self._rhythm = rhythm

    def session_started(self, shard: int) -> None:
        GATEWAY_CONNECTED.labels(shard).set(1)
        GATEWAY_SESSIONS.labels(shard, "anew").inc()
        self._shard_sessions.connection(shard).is_new()
        self._begin(shard)

    def session_resumed(self, shard: int) -> None:
        GATEWAY_CONNECTED.labels(shard).set(1)
        GATEWAY_SESSIONS.labels(shard, "resumed").inc()
        if self._shard_sessions.connection(shard).is_doubted:
            self._begin(shard)  # dropped events may be logged again

    def session_lost(self, shard: int) -> None:
        GATEWAY_CONNECTED.labels(shard).set(0)

    def _begin(self, shard: int) -> None:
        shards = Shards((shard,), self._client.shard_count or 1)
        _log.info("connected", shard=shard, shards=shards.count)
        # Immediately, so that the session's first events don't overtake the missed messages.
        self._listener.expect(shard)
        self._tasks.keep_running(f"catch up {shard}", self._run(shards))

    async def _run(self, shards: Shards) -> None:
        # Nobody loses on time before the missed messages are played.
        self._tasks.stop(f"clocks {shards.ids}")
        self._start_deliveries(shards)
        self._report_alive()
        caught_up = asyncio.Event()
        probe = self._new_probe(shards, caught_up)
        self._keep_probing(shards, probe)
        await self._catch_up(shards, probe)
        caught_up.set()
        self._keep_probing(shards, probe)  # probe now instead of after the usual interval
        self._tasks.keep_running(f"clocks {shards.ids}", self._keep_time(probe, shards))
        reminders = self._deliver(shards, after_catch_up=True)
        self._tasks.keep_running(f"reminders {shards.ids}", reminders)
        self._run_recurring_tasks(shards, probe)
        for part in self._parts:
            self._tasks.keep_running(f"{type(part).__name__} {shards.ids}", part.run(shards))

    def _start_deliveries(self, shards: Shards) -> None:
        boards = self._deliver(shards, after_catch_up=False)
        self._tasks.keep_running(f"boards {shards.ids}", boards)
        vanished = self._services.deleted_channels.run(self._pause(self._rhythm.absences))
        self._tasks.keep_running("vanished", vanished)
        expired = partial(close_expired, self._services, shards)
        self._repeat(shards, "expired", self._rhythm.expiries, expired)

    def _deliver(self, shards: Shards, *, after_catch_up: bool) -> Coroutine[Any, Any, None]:
        return self._services.publisher.sender.run(
            shards, after_catch_up=after_catch_up, pause=self._pause(self._rhythm.deliveries)
        )

    def _pause(self, length: timedelta) -> Callable[[], Awaitable[object]]:
        return partial(self._time.sleep, length.total_seconds())

    def _report_alive(self) -> None:
        """Report a sign of life. Once all shards are connected, also end the connecting phase."""
        client = self._client
        shard_ids = client.shard_ids or range(client.shard_count or 1)
        if len(client.shards) == len(shard_ids):
            for name in map(shard_name, shard_ids):
                if name not in self._liveness.expected:
                    self._liveness.expect(name, next_within=CONNECTED_WITHIN)
            self._liveness.forget(CONNECTING)
        else:  # shards connect one at a time
            self._liveness.sign(CONNECTING, next_within=CONNECTED_WITHIN)

    def _new_probe(self, shards: Shards, caught_up: asyncio.Event) -> GatewayProbe:
        (shard,) = shards.ids
        return GatewayProbe(
            self._client,
            shard,
            self._services.store.listening,
            self._services.store.outages,
            self._services.work,
            self._liveness,
            connection=self._shard_sessions.connection(shard),
            complete=lambda: caught_up.is_set() and not self._listener.has_unstored,
            now=self._time.now,
            is_time_sure=lambda: self._time.is_sure,
            after_outage=lambda: self._services.store.timers.wake_all(shards, self._time.now()),
        )

    def _keep_probing(self, shards: Shards, probe: GatewayProbe) -> None:
        self._repeat(shards, "probe", self._rhythm.reception, probe.received_until)

    def _repeat_due(
        self,
        shards: Shards,
        name: str,
        every: timedelta,
        due: Callable[[Shards], Awaitable[Iterable[Due]]],
        do: Callable[[Due], Awaitable[object]],
    ) -> None:
        """Handle due items of some shards, forever."""
        runner = DueRunner(name, partial(due, shards), do, self._services.work, self._time.now)
        self._repeat(shards, name, every, runner.check)

    def _repeat(
        self, shards: Shards, name: str, every: timedelta, do: Callable[[], Awaitable[object]]
    ) -> None:
        """Repeat some work for some shards, replacing their previous task of that name."""
        self._tasks.keep_running(
            f"{name} {shards.ids}", repeat_forever(self._pause(every), do, name)
        )

    async def _catch_up(self, shards: Shards, probe: GatewayProbe) -> None:
        """Play the missed messages as soon as possible, before new ones."""
        (shard,) = shards.ids
        while True:
            try:
                with self._services.work.track():
                    await probe.begin()
                await self._listener.catch_up(shards)
            except StoreError:
                _log.warning("catch-up waiting for the database", shard=shard)
            except Exception:
                _log.exception("catch-up crashed", shard=shard)
            else:
                return
            await asyncio.sleep(_CATCH_UP_RETRY.total_seconds())
            self._listener.expect(shard)

    async def _keep_time(self, probe: GatewayProbe, shards: Shards) -> None:
        """Every second, check games whose timer is due and remind players."""
        last, awake = self._time.moment()
        while True:
            try:
                now, awake_now = self._time.moment()
                if now - last - timedelta(seconds=awake_now - awake) > _SUSPEND_JUMP:
                    with self._services.work.track():
                        await probe.record_outage(last)
                    away_s = round((now - last).total_seconds())
                    _log.warning("host was suspended, clocks paused", seconds=away_s)
                last, awake = now, awake_now
                await self._check(probe, shards)
            except Exception:
                _log.exception("timer sweep failed")
            await self._time.sleep(self._rhythm.clocks.total_seconds())

    def _run_recurring_tasks(self, shards: Shards, probe: GatewayProbe) -> None:
        """Run the features' recurring tasks, forever."""
        reception = _Reception(probe)
        context = ShardContext(
            services=self._services,
            received_until=reception.received_until,
            start_check=reception.forget,
            rhythm=self._rhythm,
            machine=self._client.machine,
            later=lambda: self._time.now() + _CHECK_RETRY,
        )
        for make in self._recurring:
            for task in make(context):
                self._repeat_due(shards, task.name, task.every, task.due, task.do)

    async def _check(self, probe: GatewayProbe, shards: Shards) -> None:
        services, reception = self._services, _Reception(probe)
        for game, due_time in (await services.timekeeper.due(shards)).items():
            with services.work.track():
                try:
                    if await services.deleted_channels.is_waiting(game):
                        await services.store.timers.put_off(
                            game, due_time, self._time.now() + _CHECK_RETRY
                        )
                        continue
                    update = await services.timekeeper.check(
                        game, due_time, received_until=reception.received_until
                    )
                    if update is not None:
                        await services.publisher.publish(update)
                    elif (waiting := await services.game_cache.current(game)) is not None:
                        await services.publisher.check_game(waiting)
                except Exception:
                    # One game must not block the others.
                    _log.exception("timer check failed", game=game)
                    await services.store.timers.put_off(
                        game, due_time, self._time.now() + _CHECK_RETRY
                    )


class _Reception:
    """The times up to which shards have received all events, read once per check of the games."""

    def __init__(self, probe: GatewayProbe) -> None:
        self._probe = probe
        self._until: datetime | None = None

    def forget(self) -> None:
        self._until = None

    async def received_until(self) -> datetime | None:
        self._until = self._until or await self._probe.received_until()
        return self._until
