"""The declaration of the feature."""

from bot.features.reminders.delivery import DigestKind, ReminderKind, recurring
from bot.features.reminders.digests import Digests
from bot.features.reminders.use_cases import Reminders
from bot.play.seams import Feature

REMINDERS = Feature(
    name="reminders",
    makes=(Reminders, Digests),
    deliveries=(ReminderKind, DigestKind),
    recurring=recurring,
)
