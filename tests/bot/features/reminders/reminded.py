"""Helpers that check games for due reminders when the test asks."""

from datetime import datetime

from bot.base.ids import MessageId, Shards
from bot.database.delivery_rows import Delivery
from bot.features.reminders.use_cases import REMINDER
from bot.play.store.store import Store
from tests.bot.looked import ALL, look
from tests.bot.table import Table


async def due_reminders(store: Store, now: datetime, shards: Shards = ALL) -> list[Delivery]:
    """Return the reminders due at a moment."""
    return await store.deliveries.due([REMINDER], shards, now)


async def due(table: Table) -> list[Delivery]:
    """Check games, and return what is due now."""
    await look(table)
    return await due_reminders(table.store, table.clock())


async def sent(table: Table) -> list[Delivery]:
    """Return what is due now, and mark it as sent."""
    rows = await due(table)
    await table.store.deliveries.mark_sent(rows, MessageId(70), at=table.clock())
    return rows
