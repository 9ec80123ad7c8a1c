"""Reminders: in the channel of the game, or by direct message, which may cover several."""

from collections.abc import Sequence
from functools import partial

import discord
import structlog

from bot.base.ids import Shards
from bot.connection.delivery_kinds import Parcel
from bot.connection.discord_messages import button_ids
from bot.database.delivery_rows import Delivery, Way
from bot.features.reminders.digests import DIGEST, Digests
from bot.features.reminders.use_cases import REMINDER, Reminders
from bot.features.reminders.words import digest, reminder_button_id, told_directly, told_in_channel
from bot.play.delivery.boards import PostKind
from bot.play.seams import Recurring, ShardContext

_log = structlog.get_logger()


def recurring(work: ShardContext) -> tuple[Recurring, ...]:
    digests = work.services.of(Digests)
    return (Recurring(name="digest", every=work.rhythm.dailies, due=digests.due, do=digests.write),)


class DigestKind(PostKind):
    """A digest is known again by the number in the id of its button."""

    name = DIGEST
    after_past = True

    async def prepare(self, rows: Sequence[Delivery]) -> Parcel | None:
        """Return the newest digest, or None if no game waits or direct messages are closed."""
        newest = rows[-1]
        assert newest.player is not None  # it is for somebody  # noqa: S101
        games = await self.made.cases.of(Digests).games(newest.player)
        if not games or newest.way is not Way.DM:
            await self.made.cases.store.deliveries.drop(rows, at=self.made.now())
            return None
        reader = await self.made.readers.recipient(newest.player)
        return self.parcel(rows, digest(reader, games, newest.player, rows[0].batch or 0))

    def is_it(self, message: discord.Message, row: Delivery) -> bool:
        return reminder_button_id(row.batch or 0) in button_ids(message)


class ReminderKind(PostKind):
    """A reminder is known again by the number in the id of its button."""

    name = REMINDER
    after_past = True

    def together(self, row: Delivery) -> tuple[object, ...]:
        """Group a player's reminders into one direct message, or one message in each server."""
        return (row.player,) if row.way is Way.DM else (row.player, row.guild)

    async def along(self, row: Delivery, shards: Shards) -> list[Delivery]:
        """Return the reminders that its player would soon get in the same place."""
        try:
            return await self.made.cases.of(Reminders).along(row, shards)
        except Exception:
            _log.exception("reminder failed", delivery=row.id)
            return []

    async def prepare(self, rows: Sequence[Delivery]) -> Parcel | None:
        due = await self.made.cases.of(Reminders).still_due(rows)
        if not due:
            return None
        # The search for a sent message begins in the channel of its first row.
        first = min(due, key=lambda one: one.row.id)
        number = first.row.batch or 0
        told = [first.row, *(one.row for one in due if one is not first)]
        if first.row.way is Way.DM:
            reader = await self.made.readers.recipient(first.player)
            return self.parcel(told, told_directly(reader, due, number))
        reader = await self.made.readers.watching(first.game.row)
        post = told_in_channel(reader, due, number)
        if first.game.row.visiting:
            return Parcel(told, partial(self.channels.slots.say, first.row.channel, post))
        return self.parcel(told, post)

    async def refused(self, row: Delivery) -> None:
        """Remind the player directly if the game's channel is deleted and the game continues."""
        if row.way is Way.CHANNEL and await self.channels.is_gone(row.channel):
            deliveries, now = self.made.cases.store.deliveries, self.made.now()
            await deliveries.begin_anew([row], Way.DM, until=now)

    def is_it(self, message: discord.Message, row: Delivery) -> bool:
        return reminder_button_id(row.batch or 0) in button_ids(message)
