"""Tests for the first messages to a new player."""

from bot.base.languages import IN_ENGLISH
from bot.connection.posts import Button
from bot.features.talk.words import greeting, how_to_learn, welcome
from tests.bot.features.talk.example_texts import LEARN


def test_the_first_message_to_a_person_leads_to_lessons() -> None:
    for post in (
        welcome(IN_ENGLISH, LEARN, has_machine=False),
        greeting(IN_ENGLISH, LEARN, has_machine=False),
        how_to_learn(IN_ENGLISH, LEARN),
    ):
        assert post.buttons[: len(LEARN)] == LEARN


def test_one_way_to_learn_is_named_though_there_are_several() -> None:
    ways = Button("Course", "dvonn:1"), Button("Rules", "dvonn:2")
    said = welcome(IN_ENGLISH, ways, has_machine=False).content
    assert said.count("Never tried it?") == 1
    assert "Press *Course*." in said
