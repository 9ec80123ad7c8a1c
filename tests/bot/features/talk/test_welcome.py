"""Tests of the first messages to a new player."""

from bot.base.languages import IN_ENGLISH
from bot.features.talk.words import greeting, how_to_learn, welcome
from tests.bot.features.talk.said import LEARN


def test_the_first_words_to_somebody_have_the_way_to_learn() -> None:
    for post in (
        welcome(IN_ENGLISH, LEARN, has_machine=False),
        greeting(IN_ENGLISH, LEARN, has_machine=False),
        how_to_learn(IN_ENGLISH, LEARN),
    ):
        assert post.buttons[: len(LEARN)] == LEARN
