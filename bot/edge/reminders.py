"""Reminders go out: in the channel of the game, or by direct message; each once, come what may.

They are rows, as boards are (publish.py). A message has a nonce, and its number is in the id of its
button, by which it is found again when nobody knows whether it has arrived.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta

import discord
import structlog

from bot import messages
from bot.edge.channels import Channels, past, send
from bot.edge.intime import in_time
from bot.edge.readers import everybody, recipient
from bot.edge.sending import button_ids
from bot.edge.work import Work
from bot.games import Reminders
from bot.games.update import LEASE
from bot.model.ids import Shards
from bot.store import Store
from bot.store.reminders import ReminderRow, Way

_log = structlog.get_logger()

SWEEP = timedelta(seconds=2)
"""How often reminders are looked for."""
_AT_ONCE = 8
"""How many are sent at the same time."""
_TRIES_BY_DM = 3
"""How often a direct message is tried; then the channel is told."""
_FIRST_DELAY = timedelta(seconds=5)
_LONGEST_DELAY = timedelta(minutes=10)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_PLACES = 2**22
"""How many reminders of one millisecond have numbers of their own."""


class Bell:
    """Sends the reminders of one client's shards."""

    def __init__(
        self,
        channels: Channels,
        store: Store,
        reminders: Reminders,
        work: Work,
        *,
        now: Callable[[], datetime],
    ) -> None:
        self._channels = channels
        self._store = store
        self._reminders = reminders
        self._work = work
        self._now = now

    async def run(self, shards: Shards) -> None:
        """Send what is due, for ever.

        Whatever is leased for these shards was leased to a process that is no more: a shard has
        one process at a time.
        """
        released = False
        while True:
            try:
                if not released:
                    with self._work.piece():
                        await self._store.reminders.release(shards, self._now())
                    released = True
                await self._sweep(shards)
            except Exception:
                _log.exception("reminders could not be looked through")
            await asyncio.sleep(SWEEP.total_seconds())

    async def _sweep(self, shards: Shards) -> None:
        at_once = asyncio.Semaphore(_AT_ONCE)  # one slow channel must not hold up the others

        async def send(rows: list[ReminderRow]) -> None:
            async with at_once:
                try:
                    with self._work.piece():
                        await self._send(rows, shards)
                except Exception:
                    _log.exception("a reminder could not be looked at", reminder=rows[0].id)

        due = await self._store.reminders.due(shards, self._now())
        await asyncio.gather(*map(send, _messages(due)))

    async def _send(self, rows: list[ReminderRow], shards: Shards) -> None:
        """Send one message, of one reminder or several."""
        first = rows[0]
        if first.way is Way.DM and not first.tries:
            rows = [*rows, *await self._along(first, shards)]
        now = self._now()
        number = _new_number(first, now) if first.batch is None else first.batch
        claimed = await self._store.reminders.claim(rows, batch=number, now=now, until=now + LEASE)
        if not claimed:
            return  # leased to another
        try:
            if first.tries and await self._has_arrived(first, number):
                await self._store.reminders.mark_sent(claimed, at=self._now())
            elif first.way is Way.DM and first.tries >= _TRIES_BY_DM:
                await self._in_the_channel(claimed)
            else:
                if first.tries:
                    await self._store.reminders.begin(claimed, at=self._now())
                with in_time(now, self._now):
                    await self._deliver(claimed, number)
        except Exception as error:
            await self._not_sent(claimed, error)

    async def _along(self, row: ReminderRow, shards: Shards) -> list[ReminderRow]:
        try:
            return await self._reminders.along(row.player, shards)
        except Exception:
            _log.exception("what comes soon could not be looked at", reminder=row.id)
            return []

    async def _deliver(self, rows: Sequence[ReminderRow], number: int) -> None:
        standing = await self._reminders.standing(rows)
        still = [one.row for one in standing]
        # What is left out may be told later on, by a message of its own.
        waiting, later = [row for row in rows if row not in still], self._now() + _FIRST_DELAY
        await self._store.reminders.begin_anew(waiting, rows[0].way, until=later)
        if not standing:
            return
        first = standing[0]
        by_dm = first.row.way is Way.DM
        post = (
            messages.reminders(recipient(), standing, number)
            if by_dm
            else messages.reminder(everybody(), first, number)
        )
        try:
            await send(await self._place(first.row), post, str(number))
        except discord.HTTPException as error:
            if not by_dm or isinstance(error, discord.DiscordServerError):
                raise
            # Closed to strangers, blocked, no server in common, an account that is no more.
            _log.info("a direct message was refused", reminder=first.row.id, error=str(error))
            await self._in_the_channel(still)
        else:
            await self._store.reminders.mark_sent(still, at=self._now())

    async def _in_the_channel(self, rows: Sequence[ReminderRow]) -> None:
        """Tell in the channels what could not be told directly."""
        await self._store.reminders.begin_anew(rows, Way.INSTEAD, until=self._now())

    async def _has_arrived(self, row: ReminderRow, number: int) -> bool:
        """Whether an earlier try has sent a message; where that may not be seen, it has not.

        Where Discord fails to say so, this fails too, and all is tried again later.
        """
        wanted = messages.reminder_button_id(number)
        try:
            async for message in past(await self._place(row), row.tried_at):
                if self._channels.is_own(message) and wanted in button_ids(message):
                    return True
        except discord.HTTPException as error:
            if isinstance(error, discord.DiscordServerError):
                raise
            _log.info("cannot read back", game=row.game, error=str(error))
        return False

    async def _place(self, row: ReminderRow) -> discord.abc.Messageable:
        if row.way is Way.DM:
            return await self._channels.direct(row.player)
        game = await self._store.games.get(row.game)
        assert game is not None  # games are never deleted  # noqa: S101
        return self._channels(game.channel)

    async def _not_sent(self, rows: Sequence[ReminderRow], error: Exception) -> None:
        delay = min(_FIRST_DELAY * 2 ** min(rows[0].tries, 10), _LONGEST_DELAY)
        _log.warning(
            "a reminder was not sent",
            reminder=rows[0].id,
            game=rows[0].game,
            tries=rows[0].tries + 1,
            error=f"{type(error).__name__}: {error}",
        )
        await self._store.reminders.postpone(rows, until=self._now() + delay)


def _messages(rows: Iterable[ReminderRow]) -> list[list[ReminderRow]]:
    """What goes into one message each: a player's direct messages go together."""
    together: dict[tuple[object, ...], list[ReminderRow]] = {}
    for row in rows:
        key = (row.player, row.batch) if row.way is Way.DM else (row.id,)
        together.setdefault(key, []).append(row)
    return list(together.values())


def _new_number(row: ReminderRow, now: datetime) -> int:
    """The number of a new message: no other has it, not even after a backup was restored."""
    return (now - _EPOCH) // timedelta(milliseconds=1) * _PLACES + row.id % _PLACES
