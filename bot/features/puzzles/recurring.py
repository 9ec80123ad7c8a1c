"""The puzzle of the day, which comes by itself."""

from datetime import timedelta
from typing import Final

from bot.features.puzzles.use_cases.dailies import Dailies
from bot.play.client_parts import Recurring, ShardContext

_EVERY: Final = timedelta(seconds=5)


def recurring(work: ShardContext) -> tuple[Recurring, ...]:
    """Return the look for servers whose puzzle of the day is due."""
    dailies = work.services.of(Dailies)
    return (Recurring(name="daily", every=_EVERY, due=dailies.due, do=dailies.post),)
