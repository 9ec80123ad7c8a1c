"""Hints, as they are shown."""

from bot.base.locales import IN_ENGLISH
from bot.features.explore.words import hinted
from bot.play.model.thoughts import Thought
from bot.play.words.pictures import Picture
from dvonn import parse_move
from renderer import Arrows, Heat
from tests.bot.play.test_offers_words import MOVES
from tests.bot.replayed import play, started


def test_a_hint_while_placing_tells_what_each_space_is_worth() -> None:
    game = play(started(), "d2")[0]
    worths = [
        Thought(moves=(parse_move("c3"),), white_wins=0.4),
        Thought(moves=(parse_move("a1"),), white_wins=0.45),
    ]
    post = hinted(IN_ENGLISH, game, worths)
    assert post.content.startswith("I'd place on **c3**. ")
    assert isinstance(post.picture, Picture)
    assert isinstance(post.picture.marks, Heat)
    assert post.picture.marks.percent == {"c3": 60, "a1": 55}  # Black's, who is to place


def test_a_hint_while_moving_is_drawn() -> None:
    game = play(started(), *MOVES[:50])[0]
    best = game.position.legal_moves()[3]
    post = hinted(IN_ENGLISH, game, [Thought(moves=(best,), white_wins=0.4)])
    assert post.content == f"I'd play **{best}**."
    assert isinstance(post.picture, Picture)
    assert post.picture.marks == Arrows(better=best)
