"""Examples of profile texts."""

from club.profiles.words.beaten_characters import who_is_next
from tests.bot.play.said import Table
from tests.club.profiles import ranked

SAID: Table = {
    **ranked.SAID,
    "who_is_next": lambda who: [who_is_next(who, {1})],
}

REFUSED = [*ranked.refusals()]
