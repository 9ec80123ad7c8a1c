"""What talk say, as functions of whoever reads it."""

from bot.features.talk.words import (
    greeting,
    how_to_begin,
    how_to_learn,
    not_understood,
    resignation_in_public,
    rules_at_once,
    still_not_understood,
    stopped,
    sworn_at,
    thanked,
    welcome,
    where_help_is,
)
from tests.bot.composition.test_help import around
from tests.bot.play.said import Table
from tests.bot.replayed import ANN, started

SAID: Table = {
    "how_to_learn": how_to_learn,
    "how_to_begin": lambda who: [
        how_to_begin(who, has_machine=machine) for machine in (True, False)
    ],
    "not_understood": lambda who: not_understood(who, has_machine=True),
    "resignation_in_public": lambda who: resignation_in_public(who, started(), ANN),
    "rules_at_once": lambda who: rules_at_once(who, around(reader=who)),
    "greeting": lambda who: [greeting(who, has_machine=machine) for machine in (True, False)],
    "thanked": thanked,
    "sworn_at": lambda who: [sworn_at(who, in_game=game) for game in (True, False)],
    "stopped": lambda who: [stopped(who, in_game=game) for game in (True, False)],
    "still_not_understood": still_not_understood,
    "welcome": lambda who: [welcome(who, has_machine=machine) for machine in (True, False)],
    "where_help_is": lambda who: [
        where_help_is(who, rules=rules, has_machine=True) for rules in (True, False)
    ],
}
