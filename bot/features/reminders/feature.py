"""The declaration of the feature."""

from bot.features.reminders.delivery import ReminderKind
from bot.features.reminders.use_cases import Reminders
from bot.play.seams import Feature

REMINDERS = Feature(name="reminders", makes=(Reminders,), deliveries=(ReminderKind,))
