"""Examples of texts of profiles."""

from tests.bot.play.said import Table
from tests.club.profiles import ranked

SAID: Table = {**ranked.SAID}

REFUSED = [*ranked.refusals()]
