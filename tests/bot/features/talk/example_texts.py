"""Examples of texts from the `talk` feature."""

from bot.connection.posts import Button
from bot.features.talk import words
from bot.features.talk.small_talk import SmallTalk
from tests.bot.composition.test_help import around
from tests.bot.play.example_texts import ExampleTexts
from tests.bot.replayed import ANN, started

LEARN = (Button("🎓", "dvonn:play"),)

EXAMPLE_TEXTS: ExampleTexts = {
    "how_to_learn": lambda who: words.how_to_learn(who, LEARN),
    "how_to_begin": lambda who: [
        words.how_to_begin(who, has_machine=machine, is_direct=direct)
        for machine in (True, False)
        for direct in (True, False)
    ],
    "not_understood": lambda who: words.not_understood(who, has_machine=True),
    "resignation_in_public": lambda who: words.resignation_in_public(who, started(), ANN),
    "rules_at_once": lambda who: words.rules_at_once(who, around(reader=who, parts=())),
    "greeting": lambda who: [
        words.greeting(who, LEARN, has_machine=machine) for machine in (True, False)
    ],
    "small_talk_answer": lambda who: [
        words.small_talk_answer(who, talk, in_game=game)
        for talk in SmallTalk
        for game in (True, False)
    ],
    "reply_to_swearing": lambda who: [
        words.reply_to_swearing(who, in_game=game) for game in (True, False)
    ],
    "quiet_answer": lambda who: [words.quiet_answer(who, in_game=game) for game in (True, False)],
    "welcome": lambda who: [
        words.welcome(who, LEARN, has_machine=machine) for machine in (True, False)
    ],
    "help_pointer": lambda who: [
        words.help_pointer(who, rules=rules, has_machine=True) for rules in (True, False)
    ],
}
