"""Sends reminders in a game's channel, or in direct messages that can cover several games."""

from collections.abc import Sequence
from functools import partial

import discord
import structlog

from bot.base.ids import Shards
from bot.connection.delivery_handlers import OutgoingMessage
from bot.connection.discord_messages import button_ids
from bot.database.delivery_rows import Delivery, DeliveryRoute
from bot.features.reminders.digests import DIGEST, Digests
from bot.features.reminders.use_cases import REMINDER, Reminders
from bot.features.reminders.words import (
    channel_reminder,
    digest,
    direct_reminder,
    reminder_button_id,
)
from bot.play.delivery.boards import PostHandler
from bot.play.seams import RecurringTask, ShardContext

_log = structlog.get_logger()


def recurring(work: ShardContext) -> tuple[RecurringTask, ...]:
    digests = work.services.require(Digests)
    return (
        RecurringTask(name="digest", every=work.rhythm.dailies, due=digests.due, do=digests.write),
    )


class DigestHandler(PostHandler):
    """Sends digests. A sent digest is recognized by the number in its button's custom id."""

    name = DIGEST
    after_catch_up = True

    async def prepare(self, rows: Sequence[Delivery]) -> OutgoingMessage | None:
        """Return the newest digest, or None if no game waits or direct messages are closed."""
        newest = rows[-1]
        assert newest.player is not None  # it has a recipient # noqa: S101
        games = await self.context.cases.require(Digests).games(newest.player)
        if not games or newest.route is not DeliveryRoute.DM:
            await self.context.cases.store.deliveries.drop(rows, at=self.context.now())
            return None
        reader = await self.context.readers.for_direct_message(newest.player)
        return self.outgoing_message(rows, digest(reader, games, newest.player, rows[0].batch or 0))

    def matches(self, message: discord.Message, row: Delivery) -> bool:
        return reminder_button_id(row.batch or 0) in button_ids(message)


class ReminderHandler(PostHandler):
    """Sends reminders. A sent reminder is recognized by the number in its button's custom id."""

    name = REMINDER
    after_catch_up = True

    def group_key(self, row: Delivery) -> tuple[object, ...]:
        """Group a player's reminders into one direct message, or one message per server."""
        return (row.player,) if row.route is DeliveryRoute.DM else (row.player, row.guild)

    async def batch_with(self, row: Delivery, shards: Shards) -> list[Delivery]:
        """Return the reminders that the player would soon get in the same place."""
        try:
            return await self.context.cases.require(Reminders).due_soon(row, shards)
        except Exception:
            _log.exception("reminder failed", delivery=row.id)
            return []

    async def prepare(self, rows: Sequence[Delivery]) -> OutgoingMessage | None:
        reminders = await self.context.cases.require(Reminders).still_due(rows)
        if not reminders:
            return None
        # The search for a sent message starts in the channel of its first row.
        first = min(reminders, key=lambda reminder: reminder.row.id)
        number = first.row.batch or 0
        deliveries = [first.row, *(reminder.row for reminder in reminders if reminder is not first)]
        if first.row.route is DeliveryRoute.DM:
            reader = await self.context.readers.for_direct_message(first.player)
            return self.outgoing_message(deliveries, direct_reminder(reader, reminders, number))
        reader = await self.context.readers.for_game(first.game.row)
        post = channel_reminder(reader, reminders, number)
        if first.game.row.visiting:
            return OutgoingMessage(
                deliveries, partial(self.channels.slots.send, first.row.channel, post)
            )
        return self.outgoing_message(deliveries, post)

    async def on_refused(self, row: Delivery) -> None:
        """Remind the player by direct message if the game of a deleted channel continues."""
        if row.route is DeliveryRoute.CHANNEL and await self.channels.is_gone(row.channel):
            deliveries, now = self.context.cases.store.deliveries, self.context.now()
            await deliveries.requeue([row], DeliveryRoute.DM, until=now)

    def matches(self, message: discord.Message, row: Delivery) -> bool:
        return reminder_button_id(row.batch or 0) in button_ids(message)
