"""The first words to somebody lead on."""

from bot.base.languages import IN_ENGLISH
from bot.features.exercises.model import ExerciseSpot
from bot.features.talk.words import how_to_learn, welcome
from tests.bot.features.lessons.said import spot


def test_the_rules_and_the_first_word_to_somebody_lead_to_the_lessons() -> None:
    for post in (welcome(IN_ENGLISH, has_machine=False), how_to_learn(IN_ENGLISH)):
        (way,) = [one for one in post.buttons if one.label == "Learn by playing"]
        assert spot(way) == ExerciseSpot("learn", "on")
