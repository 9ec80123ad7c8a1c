"""Examples of profile texts."""

from club.profiles.words.beaten_characters import who_is_next
from tests.bot.play.example_texts import ExampleTexts
from tests.club.profiles import ranked

EXAMPLE_TEXTS: ExampleTexts = {
    **ranked.EXAMPLE_TEXTS,
    "who_is_next": lambda who: [who_is_next(who, {1})],
}

REFUSED = [*ranked.refusals()]
