"""Tests for the texts of hints."""

from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.base.ids import UserId
from bot.base.languages import IN_ENGLISH
from bot.composition import FEATURE_SET
from bot.play.model.engine_thoughts import Thought
from bot.play.model.events import Resigned
from bot.play.model.game import Offer
from bot.play.model.offer_events import HintsAgreed
from bot.play.words.boards import board_view
from bot.play.words.boards import note as note_post
from bot.play.words.pictures import Picture
from bot.play.words.views import pick_id
from bot.replay.parts import page_parts
from bot.replay.words.game_page import PageAsker, game_page
from dvonn import parse_move
from dvonn_lessons.move_effects import MoveEffects
from dvonn_lessons.remarks import Purpose, use_of
from renderer import Arrows, Heat
from school.explore.handlers.engine import HintsGiven
from school.explore.model import HintProblem, NoHint, check_hint
from school.explore.words.hints import hinted
from tests.bot.play.test_offers_words import MOVES, labels, lines, offer
from tests.bot.replayed import ANN, BOB, CID, A, B, play, started, step
from tests.games import random_game
from tests.tiers import one_in


def test_a_hint_during_placement_gives_the_value_of_each_space() -> None:
    game = play(started(), "d2")[0]
    worths = [
        Thought(moves=(parse_move("c3"),), white_wins=0.4),
        Thought(moves=(parse_move("a1"),), white_wins=0.45),
    ]
    post = hinted(IN_ENGLISH, game, worths)
    assert post.content.startswith("I'd place on **c3**. ")
    assert isinstance(post.picture, Picture)
    assert isinstance(post.picture.marks, Heat)
    assert post.picture.marks.percent == {
        "c3": 60,
        "a1": 55,
    }  # Black's chances, because Black is to place


def test_a_hint_while_moving_is_drawn() -> None:
    game = play(started(), *MOVES[:50])[0]
    best = game.position.legal_moves()[3]
    post = hinted(IN_ENGLISH, game, [Thought(moves=(best,), white_wins=0.4)])
    assert post.content.startswith(f"I'd play **{best}**.")
    (play_it,) = post.buttons
    assert (play_it.label, play_it.custom_id) == ("Play it", pick_id(game, f"play:{best}"))
    assert isinstance(post.picture, Picture)
    assert post.picture.marks == Arrows(better=best)


def test_a_hint_that_goes_on_tells_the_moves_after_it() -> None:
    game = play(started(), *MOVES[:50])[0]
    line = tuple(map(parse_move, MOVES[50:56]))
    once, again = (
        hinted(IN_ENGLISH, game, [Thought(moves=line)], goes_on=goes_on).content
        for goes_on in (False, True)
    )
    assert again == f"{once} Then {MOVES[51]} {MOVES[52]} {MOVES[53]}."
    assert hinted(IN_ENGLISH, game, [Thought(moves=line[:1])], goes_on=True).content == once


def test_a_hint_goes_on_where_the_board_is_still_the_same() -> None:
    given = HintsGiven()
    game = play(started(), *MOVES[:50])[0]
    assert not given.is_again(game, ANN)
    assert given.is_again(game, ANN)
    assert not given.is_again(game, BOB)
    later = play(game, MOVES[50])[0]
    assert not given.is_again(later, ANN)


def test_a_hint_gives_the_purpose_of_its_move() -> None:
    """Each sentence about a hint occurs, with its spaces and the other player's name."""
    found = set[str]()
    for seed in one_in(2, (3, 4)):  # the first sentence has all placeholders
        game = play(started(), *map(str, random_game(seed)[:49]))[0]
        for move in random_game(seed)[49:75]:
            if not game.is_running or game.to_move is None:
                break
            other = B if game.to_move == ANN else A
            uses = {best: use_of(game.position, best) for best in game.position.legal_moves()}
            one_of_each = {use and use.purpose: best for best, use in uses.items()}
            for best in one_of_each.values():
                said = hinted(IN_ENGLISH, game, [Thought(moves=(best,))]).content
                _, _, why = said.partition("**. ")
                use = uses[best]
                takes = MoveEffects(game.position, best).takes
                assert bool(why) == (use is not None or takes)
                assert why.startswith("It takes ") or use is not None or not takes
                if use is not None:
                    found.add(use.purpose)
                    assert (other in why) == (use.purpose in _NAMING), why
            game = play(game, str(move))[0]
    assert found == set(Purpose)


_NAMING = (Purpose.CUTS, Purpose.TAKES, Purpose.PASSES)


def test_every_board_shows_that_hints_are_on_and_the_mover_may_use_them() -> None:
    game, _ = play(started(), "d2")
    asked, _ = offer(game, ANN, Offer.HINTS)
    agreed, update = step(asked, HintsAgreed(), BOB)
    note = note_post(IN_ENGLISH, update, parts=FEATURE_SET.board)
    assert note.content == f"{B} agreed. You can both ask me for hints now. {B}, your turn."
    assert "Hint" in [button.label for button in note.buttons]
    assert note.pings == (), "he has just agreed"
    _, of_ann = step(offer(game, BOB, Offer.HINTS)[0], HintsAgreed(), ANN)
    assert note_post(IN_ENGLISH, of_ann).pings == (BOB,)
    after, (moved,) = play(agreed, "e2")
    assert "💡 With hints for both." in lines(moved)
    assert labels(moved)[:3] == ["Place", "Hint", "More"]
    assert "💡 With hints for both." in board_view(IN_ENGLISH, after).content
    _, end = step(after, Resigned(), ANN)
    assert "💡 With hints for both." in lines(end)
    assert "Hint" not in labels(end)
    assert "Hint" not in labels(play(game, "e2")[1][0])


@pytest.mark.parametrize(
    ("asker", "machine", "agreed", "label"),
    [
        (ANN, None, False, "Suggest hints"),
        (BOB, None, False, "Suggest hints"),
        (CID, None, False, None),
        (ANN, None, True, "Hint"),
        (BOB, None, True, None),  # Black is not to move
        (CID, None, True, None),
        (ANN, BOB, False, "Hint"),
    ],
)
def test_a_games_page_leads_to_hints(
    asker: UserId, machine: UserId | None, agreed: bool, label: str | None
) -> None:
    game = play(started(), "d2", "e2")[0]
    game = replace(game, row=replace(game.row, machine=machine), hints_agreed=agreed)
    found = [
        {button.label for button in post.buttons} & {"Hint", "Suggest hints"}
        for post in (
            game_page(
                IN_ENGLISH,
                game,
                None,
                PageAsker(asker, has_machine=is_open),
                page_parts(FEATURE_SET.extensions),
            )
            for is_open in (True, False)
        )
    ]
    assert found == [set() if label is None else {label}, set()]


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"vote": timedelta(hours=1), "machine": BOB}, HintProblem.TEAM),
        ({"rated": True, "machine": BOB}, HintProblem.RATED),
        ({}, HintProblem.NOT_AGREED),
        ({"machine": BOB}, None),
    ],
)
def test_hints_are_given_against_the_machine_and_by_agreement(
    changed: dict[str, Any], problem: HintProblem | None
) -> None:
    game = started()
    game = replace(game, row=replace(game.row, **changed))
    if problem is None:
        check_hint(game)
        return
    with pytest.raises(NoHint) as refused:
        check_hint(game)
    assert refused.value.problem is problem
    agreed = replace(game, hints_agreed=True)
    with pytest.raises(NoHint) if changed else nullcontext():
        check_hint(agreed)
