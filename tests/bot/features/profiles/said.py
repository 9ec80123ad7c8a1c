"""What profiles say, as functions of whoever reads it."""

from tests.bot.features.profiles import ranked
from tests.bot.play.said import Table

SAID: Table = {**ranked.SAID}

REFUSED = [*ranked.refusals()]
