"""The declaration of the feature."""

from bot.features.reminders.delivery import DigestHandler, ReminderHandler, recurring
from bot.features.reminders.digests import Digests
from bot.features.reminders.use_cases import Reminders
from bot.play.seams import Feature

REMINDERS = Feature(
    name="reminders",
    factories=(Reminders, Digests),
    deliveries=(ReminderHandler, DigestHandler),
    recurring=recurring,
)
