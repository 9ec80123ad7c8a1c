"""The declaration of the feature."""

from bot.connection.delivery_kinds import Kind
from bot.features.reminders.delivery import ReminderKind
from bot.features.reminders.use_cases import Reminders
from bot.play.delivery.context import DeliveryContext
from bot.play.seams import Feature
from bot.play.use_cases.cases import UseCases


def _makes(cases: UseCases) -> tuple[object, ...]:
    return (Reminders(cases.store, cases.archive, cases.ledger, now=cases.now),)


def _deliveries(made: DeliveryContext) -> tuple[Kind, ...]:
    return (ReminderKind(made.channels, made.cases.of(Reminders), made.readers),)


REMINDERS = Feature(
    name="reminders",
    makes=_makes,
    deliveries=_deliveries,
)
