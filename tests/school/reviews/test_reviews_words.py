"""Tests for a review's texts: below the last board, and on its pages."""

import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

import dvonn
from bot.base.languages import IN_ENGLISH, Reader
from bot.composition import FEATURE_SET
from bot.connection.discord_messages import layout
from bot.connection.posts import CONTENT_LIMIT, Button, File, Post, mention
from bot.play.game_changes import BoardAddition
from bot.play.model.engine_thoughts import Thought
from bot.play.model.events import Resigned
from bot.play.model.game import Game
from bot.play.model.terms import EndReason, Outcome
from bot.play.words.boards import board
from bot.play.words.names import Names
from bot.play.words.pictures import Picture, seats
from bot.replay.model.replays import sequence_of
from bot.replay.parts import page_parts
from bot.replay.words.game_page import PageAsker, game_page
from dvonn.engine.accuracy import accuracy
from dvonn_lessons.fight import Measure, fight_of
from dvonn_lessons.move_effects import MoveEffects
from renderer import Arrows, Heat
from school.exercises.words import reason_text
from school.reviews.model import worth_another_try
from school.reviews.words import moves
from school.reviews.words.moves import Chart, explained
from school.reviews.words.reviews import (
    placement_shown,
    review_as_text,
    review_page,
    reviewed_board,
)
from tests.bot.replay.test_replays import GAME as COURSE
from tests.bot.replay.test_replays import played
from tests.bot.replayed import ANN, BOB, A, B, play, started, step
from tests.bot.reviewed import WHYS, missing_one_point, placed, proven, review_of, worth
from tests.games import random_game
from tests.school.reviews.example_texts import nth_page

MOVES = [str(move) for move in random_game(5)[:60]]


def over(coordinates: dvonn.Coordinates = dvonn.Coordinates.STANDARD) -> Game:
    return step(play(started(coordinates), *MOVES)[0], Resigned(), ANN)[0]


GAME = over()
REVIEW = review_of(GAME, {52: 0.06, 55: 0.12, 56: 0.3})


def after(plies: int) -> dvonn.Position:
    return sequence_of(GAME).positions()[plies]


FIRST_NUMBER = 100
"""Numbers of moves' pages start here. A smaller number is the index of a page."""


def page(number: int, review: dvonn.Review = REVIEW, game: Game = GAME) -> Post:
    shown = number if number >= FIRST_NUMBER else nth_page(review, number)
    return review_page(IN_ENGLISH, game, review, shown)


def lines(number: int, review: dvonn.Review = REVIEW) -> list[str]:
    return page(number, review).content.splitlines()


def buttons(post: Post) -> list[tuple[str, str]]:
    return [(button.label, button.custom_id) for button in post.buttons]


def sections(post: Post) -> list[tuple[str, str]]:
    return [(section.text.split("**")[1], section.button.custom_id) for section in post.sections]


def last_board(review: dvonn.Review) -> Post:
    _, update = step(play(started(), *MOVES)[0], Resigned(), ANN)
    return reviewed_board(IN_ENGLISH, update, review, FEATURE_SET.board)


def test_the_last_board_gets_a_sentence_and_a_button() -> None:
    _, update = step(play(started(), *MOVES)[0], Resigned(), ANN)
    before = board(IN_ENGLISH, update, parts=FEATURE_SET.board)
    after = last_board(REVIEW)
    said = f"It turned on {A}'s {MOVES[55]}, move 56."
    assert "%" not in said, "what it cost is nobody else's business"
    assert after.content == f"{before.content}\n{said}"
    ways = ["Rematch", "Play on against me", "Replay", "More"]
    assert [label for label, _ in buttons(before)] == ways
    assert buttons(after) == [*buttons(before), ("Review", "dvonn:review:12:0")]
    assert after.picture == before.picture


def test_a_finished_games_page_has_the_parts_missing_on_its_last_board() -> None:
    post = game_page(
        IN_ENGLISH, GAME, None, PageAsker(ANN, has_machine=True), page_parts(FEATURE_SET.extensions)
    )
    assert [label for label, _ in buttons(post)] == [
        "Review",
        "Try again",
        "Replay",
        "Record",
        "Explore",
    ]


def test_a_game_without_a_turning_point_says_so() -> None:
    clean = review_of(GAME, {})
    lost = tuple(replace(item, before=worth(0.2), after=worth(0.2)) for item in clean.plies)
    said = last_board(replace(clean, plies=lost)).content
    assert said.endswith("\nWell played! Nobody gave much away.")


@pytest.mark.parametrize(("chance", "is_open"), [(0.62, True), (0.4, True), (0.3, False)])
def test_a_game_that_was_resigned_too_early_was_still_open(chance: float, *, is_open: bool) -> None:
    before = review_of(GAME, {56: 0.3})
    plies = (*before.plies[:-1], replace(before.plies[-1], after=worth(chance)))
    said = last_board(replace(before, plies=plies)).content
    assert said.endswith("\nThe game was still open when it ended.") == is_open, said


def test_a_last_board_explains_the_result_once() -> None:
    class Explanation(BoardAddition):
        explains_result = True

        def end_lines(self, _reader: Reader, _game: Game) -> Sequence[str]:
            return ("That cut won it.",)

    _, update = step(play(started(), *MOVES)[0], Resigned(), ANN)
    update = replace(update, additions=(Explanation(), BoardAddition()))
    turned = reviewed_board(IN_ENGLISH, update, REVIEW).content
    assert turned.endswith(f"It turned on {A}'s {MOVES[55]}, move 56.")
    assert "That cut won it." not in turned
    assert reviewed_board(IN_ENGLISH, update, review_of(GAME, {})).content.endswith(
        "That cut won it."
    )


def test_a_long_board_keeps_its_sentence() -> None:
    update = step(play(started(), *MOVES)[0], Resigned(), ANN)[1]
    told = tuple(
        play(started(), *MOVES)[1][number].events[0] for number in (*range(59), *range(59))
    )
    long = reviewed_board(IN_ENGLISH, replace(update, events=(*told, *update.events)), REVIEW)
    assert len(long.content) <= CONTENT_LIMIT
    assert long.content.endswith(f"{MOVES[55]}, move 56.")


@pytest.mark.parametrize("winner", dvonn.Color)
def test_the_last_board_after_a_resignation_names_a_move_of_the_loser(winner: dvonn.Color) -> None:
    """In three of four resigned games, the sentence used to name a mistake of the winner."""
    loser = ANN if winner is dvonn.Color.BLACK else BOB
    _, update = step(play(started(), *MOVES)[0], Resigned(), loser)
    both = review_of(GAME, {55: 0.12, 56: 0.3})
    drop = {55: (0.4, 0.3), 56: (0.6, 0.2)}
    plies = tuple(
        replace(item, before=worth(drop[item.ply][0]), after=worth(drop[item.ply][1]))
        if item.ply in drop
        else item
        for item in both.plies
    )
    said = reviewed_board(IN_ENGLISH, update, replace(both, plies=plies)).content.splitlines()[-1]
    assert (f"It turned on {A}'s" in said) == (winner is dvonn.Color.BLACK), said


def test_against_the_machine_the_last_board_speaks_to_its_player() -> None:
    game = started()
    game, _ = play(replace(game, row=replace(game.row, machine=BOB, level=1)), *MOVES)
    _, update = step(game, Resigned(), ANN)
    said = reviewed_board(IN_ENGLISH, update, review_of(update.game, {56: 0.3})).content
    assert said.endswith(f"It turned on your {MOVES[55]}, move 56.")


def test_the_first_page_names_the_decisive_moment_and_links_each_mistake() -> None:
    assert lines(0) == [
        f"**Review** of {A} (White) vs {B} (Black)",
        f"It turned on {A}'s {MOVES[55]}, move 56.",
    ]
    assert page(0).footnote == "", "chances are told to those who ask"
    asks = review_page(replace(IN_ENGLISH, reads_chances=True), GAME, REVIEW, 0)
    assert asks.footnote == f"Accuracy: {A} 91%, {B} –."
    assert f"**56. {MOVES[55]}** by {A}: 60% → 30%" in asks.sections[-1].text
    assert sections(page(0)) == [
        (f"52. {MOVES[51]}", "dvonn:review:12:152"),
        (f"55. {MOVES[54]}", "dvonn:review:12:155"),
        (f"56. {MOVES[55]}", "dvonn:review:12:156"),
    ]
    assert buttons(page(0)) == []
    first, *_, last = page(0).sections
    assert last.button.label == "Look"
    assert last.text.splitlines()[0] == f"**56. {MOVES[55]}** by {A}: ahead → behind"
    _, *why, _ = lines(152)
    assert first.text.splitlines()[1:] == [" ".join(why)], "what was better and why, as its page"
    shown = page(0).picture
    assert isinstance(shown, Chart)
    assert shown.review == REVIEW
    assert f"56. {MOVES[55]}" in shown.alt_text
    assert page(0, replace(REVIEW, plies=())).picture is None


def test_the_list_of_mistakes_starts_with_the_readers_own() -> None:
    review = replace(REVIEW, placement=placed())
    post = review_page(IN_ENGLISH, GAME, review, 0, eyes=dvonn.Color.BLACK)
    assert sections(post) == [(f"55. {MOVES[54]}", "dvonn:review:12:155")]
    assert post.sections[0].text.startswith(f"**55. {MOVES[54]}**: ahead → even\n")
    assert not post.buttons
    (others,) = post.selects
    assert others.custom_id == "dvonn:review:12:list"
    assert others.placeholder == "3 more moves worth a look"
    assert [(option.label, option.value) for option in others.options] == [
        ("Placement · yours", "104"),
        (f"56. {MOVES[55]} · your opponent's", "156"),
        ("Placement · your opponent's", "109"),
    ]
    (for_others,) = review_page(IN_ENGLISH, GAME, review, 0).selects
    assert [option.label for option in for_others.options] == [
        "Placement · Black",
        "Placement · White",
    ]


def test_the_chart_shows_the_chances_of_its_reader() -> None:
    asks = replace(IN_ENGLISH, reads_chances=True)
    told = {
        eyes: review_page(asks, GAME, REVIEW, 0, eyes=eyes).picture for eyes in (None, *dvonn.Color)
    }
    alt = {eyes: "" if chart is None else chart.alt_text for eyes, chart in told.items()}
    assert alt[None].startswith("White's chance to win: 60% before the first move, 30% at the end.")
    assert alt[dvonn.Color.WHITE].startswith("Your chance to win: 60% before")
    assert alt[dvonn.Color.BLACK].startswith("Your chance to win: 40% before")
    assert "70% at the end." in alt[dvonn.Color.BLACK]


def test_the_chart_is_described_without_percentages_unless_its_reader_wants_them() -> None:
    chart = review_page(IN_ENGLISH, GAME, REVIEW, 0, eyes=dvonn.Color.BLACK).picture
    assert isinstance(chart, Chart)
    assert chart.alt_text.startswith("Your chance to win: even → ahead. ")
    assert "%" not in chart.alt_text


def test_a_first_page_stays_within_discords_limit_of_components() -> None:
    game = step(play(started(), *map(str, random_game(5)[:80]))[0], Resigned(), ANN)[0]
    review = replace(review_of(game, dict.fromkeys(range(50, 81), 0.2)), placement=placed())
    practise = Button("Practice", "dvonn:practise:12")
    post = review_page(IN_ENGLISH, game, review, 0, buttons_below=(practise,))
    assert (len(post.sections), post.buttons) == (3, (practise,))
    (others,) = post.selects
    assert len(others.options) == 25
    assert others.placeholder.startswith("25 more"), "no more than it lists"
    assert layout(post, [File("chart.png", b"")])["view"].total_children_count <= 40


def test_players_see_their_own_moves_first() -> None:
    (own,) = review_page(IN_ENGLISH, GAME, REVIEW, 0, eyes=dvonn.Color.BLACK).sections
    assert own.button.custom_id == "dvonn:review:12:155"
    first = review_page(IN_ENGLISH, GAME, REVIEW, nth_page(REVIEW, 2), eyes=dvonn.Color.BLACK)
    assert first.content.endswith("\n1 of 3")
    assert buttons(first)[:2] == [
        ("Next", "dvonn:review:12:152"),
        ("Overview", "dvonn:review:12:0"),
    ]
    last = review_page(IN_ENGLISH, GAME, REVIEW, nth_page(REVIEW, 3), eyes=dvonn.Color.BLACK)
    assert buttons(last)[:2] == [("Back", "dvonn:review:12:152"), ("Overview", "dvonn:review:12:0")]


def test_the_placement_is_called_decisive_if_nobody_recovered() -> None:
    """Black won with these placements."""
    ahead = dvonn.PlacementReview(outcome=worth(0.1), costs=())
    plies = tuple(replace(item, before=worth(0.1), after=worth(0.2)) for item in REVIEW.plies)
    review = replace(REVIEW, placement=ahead, plies=plies)
    decided = f"The placement decided it: {B} was ahead from the first move."
    assert lines(0, review)[1] == decided
    assert last_board(review).content.endswith(decided)
    own = review_page(IN_ENGLISH, GAME, review, 0, eyes=dvonn.Color.BLACK).content
    assert "\nYour placement decided it: you were ahead from the first move." in own
    won = step(play(started(), *MOVES)[0], Resigned(), BOB)[0]
    assert decided not in review_page(IN_ENGLISH, won, review, 0).content, "White has won"
    came_back = replace(plies[-1], after=worth(0.5))
    assert lines(0, replace(review, plies=(*plies[:-1], came_back)))[1] != decided
    assert lines(0, replace(review, placement=replace(ahead, outcome=worth(0.21))))[1] != decided


def test_the_only_move_that_was_found_is_praised() -> None:
    plies = tuple(replace(item, gap=0.3 if item.ply == 54 else 0) for item in REVIEW.plies)
    review = replace(REVIEW, plies=plies)
    assert f"Only move, and {A} found it: 54. {MOVES[53]}!" in lines(0, review)
    own = [review_page(IN_ENGLISH, GAME, review, 0, eyes=eyes).content for eyes in dvonn.Color]
    assert own[0].endswith(f"\nOnly move, and you found it: 54. {MOVES[53]}!")
    assert "Only move" not in own[1]


def test_a_great_cut_is_praised() -> None:
    moves = [str(move) for move in random_game(22)[:69]]
    game = step(play(started(), *moves)[0], Resigned(), ANN)[0]
    effects = MoveEffects(sequence_of(game).positions()[68], dvonn.parse_move(moves[68]))
    color = effects.mover.opponent
    assert effects.lost(color) == 7
    whose = A if color is dvonn.Color.WHITE else B
    great = f"Great cut: 69. d4-d3 cuts off {whose}'s "
    assert "(7 pieces)." in page(0, review_of(game, {}), game).content
    assert great in page(0, review_of(game, {}), game).content
    assert great not in page(0, review_of(game, {69: 0.3}), game).content, "it was no good move"
    white = review_page(IN_ENGLISH, game, review_of(game, {}), 0, eyes=dvonn.Color.WHITE)
    assert great not in white.content, "it is the other's"


def drifting(game: Game, seed: int) -> dvonn.Review:
    """Return a review with chances that change in many small or a few large steps."""
    rng = random.Random(seed)
    chance, plies, scale = rng.choice([0.5, 0.4, 0.15]), [], rng.choice([0.01, 0.05, 0.1, 0.6])
    full = dvonn.PlacementReview(outcome=worth(chance), costs=())
    for item in review_of(game, {}).plies:
        sign = 1 if item.color is dvonn.Color.WHITE else -1
        before, chance = (
            chance,
            min(max(chance - sign * rng.random() ** (scale * 10) * scale, 0), 1),
        )
        grade = dvonn.Grade.from_loss(abs(before - chance))
        gap = rng.choice([0, 0, 0.3]) if grade is dvonn.Grade.GOOD else 0
        plies.append(replace(item, before=worth(before), after=worth(chance), grade=grade, gap=gap))
    both = ([entry for entry in plies if entry.color is color] for color in dvonn.Color)
    white, black = map(accuracy, both)
    return replace(REVIEW, plies=tuple(plies), accuracy=(white, black), placement=full)


def test_no_sentence_of_a_review_contradicts_another() -> None:
    said_of = Counter[str]()
    long = [*map(str, random_game(22)[:69])]
    counted = Outcome(EndReason.COUNT, dvonn.Color.BLACK, 3)
    games = [
        GAME,
        step(play(started(), *long)[0], Resigned(), ANN)[0],
        replace(GAME, row=replace(GAME.row, outcome=counted)),
    ]
    for seed in range(600):
        game, eyes = games[seed // 3 % 3], (None, *dvonn.Color)[seed % 3]
        review = drifting(game, seed)
        end = review.plies[-1].after.win_probability
        ahead = {A: end > 1 / 2, B: end < 1 / 2}
        winner = A if game.outcome and game.outcome.winner is dvonn.Color.WHITE else B
        names = {A: A, B: B, "your": A if eyes is dvonn.Color.WHITE else B}
        marked = {item.ply: item for item in review.marked}
        lines = review_page(IN_ENGLISH, game, review, 0, eyes=eyes).content.split("\n")
        found = re.fullmatch(DECIDED, lines[1])
        assert found, lines[1]
        said_of[found.lastgroup or ""] += 1
        if found["placed"] or found["own"]:
            placed_by = found["placed"] or names["your"]
            assert ahead[placed_by], "who placed better stayed ahead"
            assert placed_by == winner
        elif found["turned"]:
            assert marked[int(found["turned"])].loss >= 0.05
            by = names[found["by"].removesuffix("'s")]
            assert not ahead[by], "nobody threw away a game that they were winning"
            assert by != winner, "nor one that they won"
        elif found["open"]:
            assert end >= 0.35, "who resigned could still win"
            assert game.outcome is not counted
        elif found["clean"]:
            assert not marked
            assert min(item for item in (*review.accuracy, 100) if item is not None) >= 85
        others = [line for line in lines[2:] if " the fight: " not in line]
        praised = [int(re.findall(r" ([0-9]+)\. ", other)[0]) for other in others]
        said_of["praised"] += len(praised)
        assert marked.keys().isdisjoint(praised)
    assert (
        min(said_of[kind] for kind in ("placed", "turned", "clean", "none", "open", "praised"))
        >= 20
    ), said_of


DECIDED = (
    "The placement decided it: (?P<placed>.*) was ahead from the first move."
    "|(?P<own>Your placement decided it: you were ahead from the first move.)"
    "|It turned on (?P<by>.*) .*, move (?P<turned>[0-9]+)."
    "|(?P<clean>Well played! Nobody gave much away.)|(?P<none>No single move decided it.)"
    "|(?P<open>The game was still open when it ended.)"
)


@pytest.mark.parametrize(
    ("margin", "words"),
    [
        (7, f"{A} could force a win."),
        (-3, f"{B} could force a win."),
        (0, "it was a draw with best play."),
    ],
)
def test_results_are_stated_as_certain_once_they_are_proven(margin: float, words: str) -> None:
    plies = list(review_of(GAME, {}).plies)
    for number in (-2, -1):
        plies[number] = replace(plies[number], before=proven(margin), after=proven(margin))
    said = page(0, replace(REVIEW, plies=tuple(plies))).footnote
    assert said == f"From move 59, {words}"


@pytest.mark.parametrize(
    ("ply", "best", "answer", "why", "word"),
    [
        (
            57,
            "d1-b1 a1-b1",
            "c2-e2",
            "After e1-e2: c2-e2 takes the stack of 2 straight back.",
            "Retake",
        ),
        (
            58,
            "b1-a1 d1-d3",
            "d1-b1",
            "After g2-g3: d1-b1 takes the piece on b1 before it can get away.",
            "Neutralize",
        ),
        (
            58,
            "h1-h3 d1-b1",
            "h3-h2",
            "After g2-g3: h3-h2 gets the piece on h3 away before it's taken.",
            "Neutralize",
        ),
        (60, "c2-e2 d1-b1", "d1-b1", "", "Neutralize"),
        (50, "b1-c1 d1-e1", "d1-d2", "Moves to choose from after b1-c1: ", "Mobility"),
    ],
)
def test_a_page_names_the_better_move_and_the_reason(
    ply: int, best: str, answer: str, why: str, word: str
) -> None:
    review = review_of(GAME, {ply: 0.3})
    better, reply = tuple(dvonn.parse_moves(best)), tuple(dvonn.parse_moves(answer))
    motifs = (dvonn.Motif.MOBILITY,) if word == "Mobility" else tuple(dvonn.Motif)
    plies = tuple(
        replace(item, best=better, answer=reply, motifs=motifs, missed=motifs)
        if item.ply == ply
        else item
        for item in review.plies
    )
    told = replace(review, plies=plies)
    first, *said, last = lines(1, told)
    assert buttons(page(1, told))[-1][0] == word, "and the handbook tells more"
    assert first.startswith(f"**{ply}. {MOVES[ply - 1]}** by ")
    if why:
        assert said[0] == f"Better: {best.split(maxsplit=1)[0]}."
        assert said[1].startswith(why)
    else:
        assert said == ["Better: c2-e2 takes the stack of 2 on e2 for good."]
    assert last == "1 of 1"


def test_each_reason_has_words_that_say_where_and_how_many() -> None:
    names = Names(A, B, you=None)
    said = [reason_text(IN_ENGLISH, why, names) for why in WHYS]
    spot = "The stack of 7 on c3 was the one to land on. Another stack would have done, too."
    after_each = f"{A} 57, {B} 35. After d3-c3: 7 and 48. Look at a1 and b2."
    assert [
        text for text, why in zip(said, WHYS, strict=True) if why.sufferer is dvonn.Color.WHITE
    ][1::2] == [
        "c2-c3 takes the stack of 7 on c3 before it can get away.",
        "c2-c3 gets the stack of 7 on c3 away before it's taken.",
        "c2-c3 takes the stack of 7 straight back.",
        "c2-c3 takes the stack of 7 on c3: it was built to land just there.",
        "c2-c3 takes the stack of 7 on c3 for good.",
        *[f"c2-c3 cuts off {A}'s a1 and b2 (7 pieces)."] * 3,
        f"After c2-c3 only {B} can move, 7 times.",
        f"Moves to choose from after h3-i3: {after_each}",
        f"Stacks that can move after h3-i3: {after_each}",
        spot,
        "c2-c3 takes the stack of 7 on c3, and no reply takes it back.",
        "c2-c3 takes the stack of 7 on c3.",
        f"{B} lands on c3 first: c2-c3.",
        "The reply can land on a1 and b2: either is enough.",
        f"With d3-c3 it ends at about 7 for {A} and 48 for {B}. With h3-i3: 57 and 35.",
        "d3-c3 takes nothing. h3-i3 takes the stack of 7 on c3.",
        f"d3-c3 frees surrounded stacks ({B}: a1 and b2).",
        (
            "Steps to the nearest red piece: 57 after h3-i3, 7 after d3-c3. Near red, stacks are "
            "harder to cut off."
        ),
    ]
    own = [reason_text(IN_ENGLISH, why, replace(names, you=why.sufferer)) for why in WHYS]
    assert sum("c2-c3 cuts off your a1 and b2 (7 pieces)." in item for item in own) == 6
    assert "With d3-c3 it ends at about 7 for you and 48 for" in " ".join(own)


def test_a_page_shows_the_board_before_the_move() -> None:
    position = dvonn.Position.initial()
    for move in random_game(5)[:54]:
        position = position.play(move)
    shown = page(2).picture
    assert isinstance(shown, Picture)
    assert shown.position == position
    assert shown.filename == "dvonn-review-12-155.png"
    assert shown.seats == seats(GAME)
    one = REVIEW.plies[5]
    assert shown.marks == Arrows(played=one.played, better=one.best[0])
    text = review_as_text(IN_ENGLISH, GAME, REVIEW, nth_page(REVIEW, 2)).content
    assert text.startswith(f"{shown.described(mention)}\n```\n"), "words first"


@pytest.mark.parametrize("answer", ["c2-e2", "k5-j5"], ids=["with a reason", "without"])
def test_the_board_that_shows_the_reason_is_next_to_it(answer: str) -> None:
    better, reply = tuple(dvonn.parse_moves("d1-b1 a1-b1")), tuple(dvonn.parse_moves(answer))
    plies = [
        replace(item, best=better, answer=reply) if item.ply == 57 else item
        for item in review_of(GAME, {57: 0.3}).plies
    ]
    post = page(1, replace(REVIEW, plies=tuple(plies)))
    shown = post.second_picture
    assert isinstance(shown, Picture)
    assert shown.position == after(57).after(*reply)
    assert shown.last == reply[-1]
    assert ("straight back" in post.content) == (answer == "c2-e2")
    assert page(0).second_picture is None
    assert post.captions is not None
    assert post.captions[0] == f"Before {MOVES[56]}, with the better move:"
    assert post.captions[1].startswith("After ")
    assert post.captions[1].endswith(f"{answer}:")


def test_pages_are_turned_by_buttons_that_say_where_they_lead() -> None:
    with_placement = replace(REVIEW, placement=placed())
    assert [buttons(page(number, with_placement)) for number in (1, 2, 5)] == [
        [
            ("Next", "dvonn:review:12:155"),
            ("Overview", "dvonn:review:12:0"),
            ("Explore", "dvonn:explore:12:51::at"),
            ("Play from here", "dvonn:from:12:51:"),
            ("Choose opponent", "dvonn:from-with:12:51:"),
            ("Melee", "dvonn:do:learn:w-melee::at"),
        ],
        [
            ("Back", "dvonn:review:12:152"),
            ("Next", "dvonn:review:12:156"),
            ("Overview", "dvonn:review:12:0"),
            ("Explore", "dvonn:explore:12:54::at"),
            ("Play from here", "dvonn:from:12:54:"),
            ("Choose opponent", "dvonn:from-with:12:54:"),
            ("Melee", "dvonn:do:learn:w-melee::at"),
        ],
        [
            ("Back", "dvonn:review:12:104"),
            ("Overview", "dvonn:review:12:0"),
            ("Explore", "dvonn:explore:12:8::at"),
            ("Play from here", "dvonn:from:12:8:"),
            ("Choose opponent", "dvonn:from-with:12:8:"),
        ],
    ]
    assert page(999, with_placement) == page(0, with_placement)
    heard = review_page(replace(IN_ENGLISH, uses_screen_reader=True), GAME, REVIEW, 152)
    assert ("Board as text", "dvonn:review:12:152:text") in buttons(heard)


def test_the_first_page_names_what_a_closer_look_withdraws() -> None:
    closer = review_of(GAME, {52: 0.06, 56: 0.3, 57: 0.2}).compared_with(REVIEW)
    assert page(0, closer).footnote == f"I take it back: 55. {MOVES[54]} was fine."
    assert page(155, closer) == page(0, closer), "a button of the first review says so"
    assert page(0, REVIEW.compared_with(REVIEW)).footnote == "", "what changes nothing is not told"


PLACEMENT = [
    "**Placement**",
    f"Once the board was full: {A} ahead, {B} behind.",
]


def test_each_costly_placement_has_a_page_with_the_values_of_free_points() -> None:
    review = replace(REVIEW, placement=placed())
    assert [placement_shown(review, number) for number in (156, 104, 109, 99)] == [None, 3, 8, None]
    worths = [
        Thought(moves=(dvonn.Move(target=move.target),), white_wins=0.4 + number / 100)
        for number, move in enumerate(after(3).legal_moves())
    ]
    post = review_page(IN_ENGLISH, GAME, review, nth_page(review, 4), worths)
    assert post.content.splitlines() == [
        *PLACEMENT,
        f"What cost {B} most:",
        "- **4. a1: c3 was better**",
        "The numbers show the chance to win from each space, in percent.",
        "4 of 5",
    ]
    shown = post.picture
    assert isinstance(shown, Picture)
    assert shown.position == after(3)
    assert isinstance(shown.marks, Heat)
    first = after(3).legal_moves()[0].target
    assert shown.marks.percent[first] == 60  # Black's
    assert f"Chance to win in percent: {first} 60, " in shown.alt_text
    text = review_as_text(IN_ENGLISH, GAME, review, nth_page(review, 4), worths).content
    assert f"Chance to win in percent: {first} 60, " in text


def test_without_the_engine_a_placement_is_shown_with_the_better_one() -> None:
    review = replace(REVIEW, placement=placed())
    assert lines(5, review)[-2] == "- **9. b2: e4 was better**"
    asks = review_page(
        replace(IN_ENGLISH, reads_chances=True), GAME, review, nth_page(review, 5)
    ).content
    assert f"\nOnce the board was full: {A} 62%, {B} 38%.\n" in asks
    assert "\n- **9. b2: e4 gave 4% more**\n" in asks
    shown = page(5, review).picture
    assert isinstance(shown, Picture)
    assert shown.marks == Arrows(played=dvonn.parse_move("b2"), better=dvonn.parse_move("e4"))


def test_without_costly_placements_the_full_board_is_shown() -> None:
    review = replace(REVIEW, placement=replace(placed(), costs=()))
    assert lines(99, review) == [*PLACEMENT, "4 of 4"]
    shown = page(4, review).picture
    assert isinstance(shown, Picture)
    assert (shown.position, shown.marks) == (after(49), None)
    assert placement_shown(review, 4) is None


def test_a_game_in_pergioco_coordinates_is_reviewed_in_them() -> None:
    game = over(dvonn.Coordinates.PERGIOCO)
    said = page(0, review_of(game, {56: 0.3}), game).content
    assert MOVES[55] not in said
    move = dvonn.format_move(dvonn.parse_move(MOVES[55]), dvonn.Coordinates.PERGIOCO)
    assert f"It turned on {A}'s {move}, move 56." in said


@pytest.mark.parametrize(
    ("estimate", "chances", "cost"),
    [
        (worth(0.999, 3, 9), "99%", "That cost about 5 pieces."),
        (worth(0.001, -9, -3), "1%", "Better: k5-j5."),
        (proven(7), "100%", "That cost about 6 pieces."),
        (proven(-7), "0%", "Better: k5-j5."),
        (proven(2), "100%", "That cost about 1 piece."),
    ],
)
def test_only_proven_results_are_called_certain(
    estimate: dvonn.Estimate, chances: str, cost: str
) -> None:
    plies = [replace(item, before=estimate) if item.ply == 52 else item for item in REVIEW.plies]
    asks = replace(IN_ENGLISH, reads_chances=True)
    review = replace(REVIEW, plies=tuple(plies))
    post = review_page(asks, GAME, review, nth_page(review, 1))
    said = post.content.splitlines()
    assert said[0] == f"**52. {MOVES[51]}** by {A}: {chances} → 54%"
    assert said[1] == cost, "what brings pieces costs none"


def test_known_results_are_shown_without_estimates(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plies = [replace(item, before=proven(7)) if item.ply == 52 else item for item in REVIEW.plies]
    cost = "That cost about 6 pieces."
    played = dvonn.parse_move(MOVES[51])
    for why in (replace(item, line=(played,)) for item in WHYS):
        monkeypatch.setattr(moves, "reasons_of", lambda *_, why=why: [why])
        said = lines(1, replace(REVIEW, plies=tuple(plies)))
        assert (cost in said) is (why.motif is not dvonn.Motif.PIECES)


def test_the_first_page_leads_to_the_three_dearest_moves_in_the_order_of_play() -> None:
    review = review_of(GAME, {50: 0.3, 52: 0.1, 54: 0.05, 55: 0.2})
    assert [text[:2] for text, _ in sections(page(0, review))] == ["50", "52", "55"]


def test_moments_are_listed_in_the_order_of_the_moves_that_they_show() -> None:
    losses = {50: 0.1, 51: 0.2, 52: 0.3}
    review, _ = missing_one_point(GAME, review_of(GAME, losses), (50, 52))
    assert [text[:2] for text, _ in sections(page(0, review))] == ["51", "52"]


def test_a_move_that_both_missed_is_mentioned_once() -> None:
    review, point = missing_one_point(
        GAME, review_of(GAME, {50: 0.3, 52: 0.1, 53: 0.2, 59: 0.15}), (50, 52, 53)
    )
    told = page(0, review)
    first, other = told.sections
    assert "**50. " in first.text
    assert first.text.endswith(f"From move 50 to 53 the better move used {point}. Both missed it.")
    assert "From move" not in other.text
    assert told.selects == (), "none of them is listed again"
    apart, _ = missing_one_point(GAME, review_of(GAME, {50: 0.3, 57: 0.2}), (50, 57))
    assert all("From move" not in section.text for section in page(0, apart).sections)
    alone, point = missing_one_point(GAME, review_of(GAME, {50: 0.3, 52: 0.1}), (50, 52))
    (mine,) = page(0, alone).sections
    assert mine.text.endswith(f"From move 50 to 52 the better move used {point} each time.")


def test_one_kind_of_reason_is_mentioned_at_most_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    why = next(item for item in WHYS if item.motif is dvonn.Motif.LAST_MOVER)
    monkeypatch.setattr(moves, "reasons_of", lambda *_: [why])
    told = page(0, review_of(GAME, {50: 0.3, 54: 0.1, 58: 0.2})).sections
    assert ["can move, 1 times" in item.text or "can move, once" in item.text for item in told] == [
        True,
        True,
        False,
    ]


def test_without_a_reason_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    (ply,) = review_of(GAME, {57: 0.3}).marked

    def explanation() -> list[str]:
        return explained(IN_ENGLISH, GAME, ply, GAME.row.coordinates, None, without=often)

    often = frozenset[dvonn.Motif]()
    monkeypatch.setattr(moves, "reasons_of", lambda *_: [])
    better = f"Better: {ply.best[0]}."
    assert explanation() == [better, "There's no single reason: small things add up."]
    monkeypatch.setattr(moves, "reasons_of", lambda *_: [WHYS[0]])
    assert len(explanation()) == 2
    often = frozenset({WHYS[0].motif})
    assert explanation() == [better], "told often enough, so it isn't said that there is none"


def test_the_first_page_shows_what_the_fight_changed_most() -> None:
    game = step(play(started(), *map(str, random_game(22)[:80]))[0], Resigned(), ANN)[0]
    boards, review = sequence_of(game).positions(), review_of(game, {})
    names = {dvonn.Color.WHITE: A, dvonn.Color.BLACK: B}
    counted = {
        Measure.MOVERS: "Stacks that could move",
        Measure.LINKS: "Stacks beside red",
        Measure.RESERVES: "Stacks with a move that could wait",
    }
    for eyes in (None, *dvonn.Color):
        color = eyes or dvonn.Color.WHITE
        fight = fight_of(boards, color)
        assert fight is not None
        said = review_page(IN_ENGLISH, game, review, 0, eyes=eyes).content.splitlines()
        (line,) = (line for line in said if "the fight" in line)
        (before, others_before), (left, others) = fight.before, fight.after
        player = names[color] if eyes is None else "you"
        assert line == (
            f"{counted[fight.measure]}, before and after the fight: {player} {before} → {left}, "
            f"{names[color.opponent]} {others_before} → {others}."
        )
    assert not any("the fight" in line for line in lines(0)), "it wasn't over"


def test_before_the_last_own_move_one_tries_again() -> None:
    game = played(*COURSE[:63])
    positions = sequence_of(game).positions()
    for color in dvonn.Color:
        ply = worth_another_try(game, color, None)
        assert positions[ply].turn is color
        assert all(position.turn is not color for position in positions[ply + 1 : -1])
    assert worth_another_try(game, None, None) == 62
    assert (
        worth_another_try(played(*COURSE[:7]), dvonn.Color.WHITE, None) == 6
    )  # no stack has moved
    assert worth_another_try(started(), None, None) == 0


def test_a_review_names_the_positions_worth_another_try() -> None:
    even, lost = (
        dvonn.Estimate(win_probability=odds, margin=(0, 0), exact=False) for odds in (0.5, 0.2)
    )

    def ply(
        number: int, color: dvonn.Color, after: dvonn.Estimate, grade: dvonn.Grade
    ) -> dvonn.PlyReview:
        return dvonn.PlyReview(
            ply=number,
            color=color,
            played=COURSE[number - 1],
            before=even,
            after=after,
            grade=grade,
        )

    won = dvonn.Estimate(win_probability=0.9, margin=(3, 3), exact=True)
    plies = (
        ply(51, dvonn.Color.WHITE, even, dvonn.Grade.MISTAKE),
        ply(53, dvonn.Color.WHITE, lost, dvonn.Grade.BLUNDER),
        ply(55, dvonn.Color.WHITE, lost, dvonn.Grade.GOOD),
        ply(56, dvonn.Color.BLACK, won, dvonn.Grade.BLUNDER),
    )
    review = dvonn.Review(plies=plies, placement=None, accuracy=(50.0, 50.0), engine="x", nodes=1)
    game = played(*COURSE[:63])
    assert worth_another_try(game, dvonn.Color.WHITE, review) == 52
    assert worth_another_try(game, None, review) == 55
    good = replace(review, plies=plies[2:3])
    assert worth_another_try(game, None, good) == 62
