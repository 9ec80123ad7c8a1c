"""What the feature adds to the game."""

from bot.features.reminders.use_cases import Reminders
from bot.play.seams import Feature
from bot.play.use_cases.cases import UseCases


def _makes(cases: UseCases) -> tuple[object, ...]:
    return (Reminders(cases.store, cases.archive, cases.ledger, now=cases.now),)


REMINDERS = Feature(
    name="reminders",
    makes=_makes,
)
