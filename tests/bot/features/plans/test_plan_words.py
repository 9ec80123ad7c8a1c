"""Tests of the texts about a player's plan."""

from bot.base.languages import IN_ENGLISH
from bot.features.plans.words.told import plan_kept
from tests.bot.play.test_offers_words import plan
from tests.bot.replayed import ANN, play, started


def test_the_private_word_names_what_is_kept() -> None:
    game, made = play(started(), "d2")[0], plan("g2 h2", else_next=True)
    words = "Got it. On your next turns I'll place g2, h2, else the next free. (/plan)"
    assert plan_kept(IN_ENGLISH, game, made, ANN) == words
