"""Tests for the texts about a player's plan."""

from bot.base.languages import IN_ENGLISH
from bot.connection.posts import CONTENT_LIMIT
from bot.features.plans.model.tree import OwnNode, ReplyNode
from bot.features.plans.use_cases import PlanQuestion
from bot.features.plans.words.plan_texts import plan_kept
from bot.features.plans.words.views import plan_asked, plan_made, text_in
from bot.play.model.typed import TypedTurn
from dvonn import parse_move
from tests.bot.play.example_texts import MOVING
from tests.bot.play.test_offers_words import plan
from tests.bot.replayed import ANN, play, started


def test_a_question_keeps_the_plan_as_it_was_typed() -> None:
    game, made = play(started(), "d2")[0], plan("g2 h2")
    for typed, kept in (("e2; then g2\nh2", "e2; then g2\nh2"), ("e2 `h2`", "e2  h2 ")):
        asked = PlanQuestion(typed, TypedTurn((parse_move("e2"),), made))
        assert text_in(plan_asked(IN_ENGLISH, game, asked, ANN).content) == kept
    assert text_in("Nothing is asked here.") == ""


def test_the_privacy_page_names_the_stored_data() -> None:
    game, made = play(started(), "d2")[0], plan("g2 h2", else_next=True)
    words = "Got it. On your next turns I'll place g2, h2, else the next free. (/plan)"
    assert plan_kept(IN_ENGLISH, game, made, ANN) == words


def test_a_long_plan_is_shown_as_far_as_it_fits_into_a_message() -> None:
    moves = 4 * MOVING.position.legal_moves()
    node = ReplyNode(tuple((move, OwnNode(move)) for move in moves), None)
    content = plan_made(IN_ENGLISH, MOVING, node, ANN).content
    assert CONTENT_LIMIT - 100 < len(content) <= CONTENT_LIMIT
    *_, left_out, last = content.splitlines()
    assert (left_out, last) == ("…", "Your moves come at once and cost you no time.")
