"""What talk say, as functions of whoever reads it."""

from bot.features.talk.words import (
    how_to_begin,
    how_to_learn,
    not_understood,
    resignation_in_public,
    welcome,
    where_help_is,
)
from tests.bot.play.said import Table
from tests.bot.replayed import ANN, started

SAID: Table = {
    "how_to_learn": how_to_learn,
    "how_to_begin": lambda who: [
        how_to_begin(who, has_machine=machine) for machine in (True, False)
    ],
    "not_understood": lambda who: not_understood(who, has_machine=True),
    "resignation_in_public": lambda who: resignation_in_public(who, started(), ANN),
    "welcome": lambda who: [welcome(who, has_machine=machine) for machine in (True, False)],
    "where_help_is": lambda who: [
        where_help_is(who, rules=rules, has_machine=True) for rules in (True, False)
    ],
}
