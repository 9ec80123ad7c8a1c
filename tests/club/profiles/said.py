"""What profiles say, as functions of whoever reads it."""

from tests.bot.play.said import Table
from tests.club.profiles import ranked

SAID: Table = {**ranked.SAID}

REFUSED = [*ranked.refusals()]
