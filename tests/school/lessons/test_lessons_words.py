"""Tests for the lessons' texts and pictures: every move gets an answer."""

import re
from dataclasses import replace

import pytest

from bot.base.languages import IN_ENGLISH
from bot.composition import FEATURE_SET
from bot.connection.posts import Post, as_read
from bot.guide.words.help import PAGES
from bot.play.words.pictures import Picture
from dvonn import Phase, Point, parse_move
from dvonn_lessons.primer import CHAPTERS, HANDBOOK, STEPS, PrimerStep, chapter_of, find, following
from renderer import Arrows, Marks
from school.exercises.model import ExerciseState
from school.exercises.words import exercise
from school.lessons.words.handbook import handbook_page, word_button
from school.lessons.words.lessons import lesson
from tests.bot.composition.test_help import around, help_page
from tests.school.lessons.example_texts import listed, post_after, spot, tried

SHORT = 750
"""Number of characters that fit beside a picture on a phone without much scrolling."""


def lesson_post(step: PrimerStep, *, with_hint: bool = False) -> Post:
    return exercise(IN_ENGLISH, lesson(IN_ENGLISH, step, with_hint=with_hint))


def after(name: str, move: str) -> Post:
    return post_after(IN_ENGLISH, find(name), parse_move(move))


def labels(post: Post) -> list[str]:
    return [button.label for button in post.buttons]


def picture(post: Post) -> Picture:
    assert isinstance(post.picture, Picture)
    return post.picture


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_every_move_has_an_answer_in_words(step: PrimerStep) -> None:
    for move in tried(step):
        answer = step.answer(move)
        post = post_after(IN_ENGLISH, step, move)
        mark = "✓" if answer.right else "✗"
        (line,) = [line for line in post.content.splitlines() if line.startswith(("✓", "✗"))]
        assert line.startswith(f"{mark} **{move}**: ")
        said = line.partition(f"**{move}**: ")[2]
        assert re.fullmatch(r"[^{}]{8,}[.!]", said), said
        assert "  " not in said
        assert len(post.content) <= SHORT
        can_go_on = any(button.label.endswith("▶") for button in post.buttons)
        assert can_go_on == (answer.right and following(step) is not None)
        assert ("Type a move" in labels(post)) == (not answer.right)


def test_listeners_hear_their_color_once() -> None:
    listener = replace(IN_ENGLISH, uses_screen_reader=True)
    for step in STEPS:
        heard = as_read(listener, exercise(listener, lesson(listener, step)))
        assert len(re.findall(r"You're (?:White|Black)\.", heard.content)) == 1, step.name
    seen = [step.name for step in STEPS if "You're " in lesson_post(step).content.split("**")[0]]
    assert {"surrounded", "reversal"} <= {*seen}, "the picture doesn't say whose turn it is"


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_a_step_is_asked_in_a_few_words_with_ways_to_answer(step: PrimerStep) -> None:
    post = lesson_post(step)
    chapter = chapter_of(step)
    number = chapter.steps.index(step) + 1
    assert f"({number} of {len(chapter.steps)})" in post.content.splitlines()[0]
    assert post.content.count("**") == 2, "what is to be done stands out, and nothing else"
    assert len(post.content) <= SHORT
    assert "{" not in post.content
    moves = step.choices or step.position.legal_moves()
    if step.position.phase is Phase.MOVEMENT:
        stacks = dict.fromkeys(str(move if step.choices else move.source) for move in moves)
        assert labels(post)[: len(stacks)] == [*stacks]
        assert post.selects == ()
    else:
        spaces = [button.label for button in post.buttons if button.custom_id.endswith(":play")]
        assert spaces == [str(move) for move in step.choices]
        assert bool(post.selects) == (not step.choices)
    assert {"Type a move", "Hint", "Chapters"} <= set(labels(post))
    for button in post.buttons:
        kinds = [item for item in FEATURE_SET.buttons if item.ids.fullmatch(button.custom_id)]
        assert len(kinds) == 1
        assert len(button.custom_id) <= 100
    hinted = lesson_post(step, with_hint=True).content.splitlines()[-1]
    assert hinted.startswith("💡")
    assert any(
        str(move) in hinted or (move.source is not None and move.source in hinted)
        for move in step.solutions
    )


def test_after_a_step_of_the_first_chapter_beginners_see_only_the_next_one() -> None:
    *steps, last = CHAPTERS[0].steps
    for step in steps:
        assert labels(post_after(IN_ENGLISH, step, step.solutions[0])) == ["Next ▶"]
    assert labels(post_after(IN_ENGLISH, last, last.solutions[0])) == [
        "The melee ▶",
        "Play Pip (level 1)",
        "Chapters",
    ]
    later = CHAPTERS[1].steps[0]
    assert "Play from here" in labels(post_after(IN_ENGLISH, later, later.solutions[0]))


def test_refusals_name_the_violated_rule() -> None:
    assert "There's nothing on e5 to land on." in after("single", "d5-e5").content
    assert "b2 is 2 tall, so it moves 2 spaces. c2 is 1 away." in after("pair", "b2-c2").content
    assert "d3 is surrounded on all six sides" in after("surrounded", "d3-c3").content
    assert "Lone red pieces can't move." in after("red", "c4-c3").content


def test_a_legal_move_of_a_stack_other_than_the_steps_is_wrong() -> None:
    assert "✗ **b1-c1**: That's allowed, but move b2." in after("pair", "b1-c1").content


def test_strategy_is_explained_by_consequences() -> None:
    assert "Then c4-c2 f3-d3. You lose, 12 to 18." in after("greed", "e2-c2").content
    assert "Then Black plays i3-j3 and cuts off 8 pieces" in after("lifeline", "i2-i4").content
    assert "b3 can still go on: b3-b1." in after("load", "a2-d5").content
    assert "Black still has a move, for example h3-k3." in after("pass", "f3-e2").content
    assert "A draw, 5 to 5." in after("end", "e5-d5").content
    assert (
        "Then Black retakes with a3-b3, and b3 can still move." in after("retake", "b2-b3").content
    )
    assert "It touches no red piece." in after("beside", "a1").content
    assert "It's 5 steps from the nearest red piece." in after("edge", "g3").content
    assert (
        "✗ **d1-e1**: k3-i1 takes the stack of 4 on i1 for good. That wins about 19 games in 100. "
        "The best move wins 89." in after("leap", "d1-e1").content
    )
    assert "Then g3-f3. You could have taken it first." in after("gateway", "d2-d1").content
    assert "d4-c4 takes the stack of 5 on c4 for good." in after("twins", "a2-c4").content
    assert "Then g4-f3 d1-g1. c1-d2 cuts off your a1, b2, and c3" in (
        after("outnumbered", "c2-d2").content
    )
    assert "The red pieces stay close together." in after("reds", "b1").content
    assert "10 of your stacks can move now, and 13 of Black's." in (
        after("outnumbered", "f3-g3").content
    )
    assert (
        "Now Black can't cut off f2, g2, g3, h3, i3, h4, and i4." in after("rope", "b4-g4").content
    )
    assert "cuts nothing off." in after("cut", "b2-b1").content


def test_pictures_show_the_task_and_the_consequences_and_the_result() -> None:
    about = picture(lesson_post(find("pair")))
    assert about.marks == Marks(find("pair").stack, only_outlined=True)
    told = "b2 is outlined. Your turn. You're White. Pieces: you "
    assert about.alt_text.startswith(told), "no number of a move"
    assert picture(after("pair", "b2-c2")).marks == about.marks
    wrong = picture(after("greed", "e2-c2"))
    line = tuple(map(parse_move, ("e2-c2", "c4-c2", "f3-d3")))
    assert wrong.marks == Arrows(line=line)
    assert wrong.position == find("greed").position
    right = picture(after("cut", "b3-b1"))
    assert right.last == parse_move("b3-b1")
    assert set(right.position.removed) == {"b4", "c5"}
    assert "b4 (3 tall)" in right.alt_text


def test_a_chapters_end_leads_to_the_next_and_to_a_game_on_level_1() -> None:
    for step in STEPS:
        post = post_after(IN_ENGLISH, step, step.solutions[0])
        onward, is_last = following(step), step is chapter_of(step).steps[-1]
        games = [
            button.custom_id for button in post.buttons if button.label == "Play Pip (level 1)"
        ]
        assert games == (["dvonn:play:1"] if is_last else [])
        if onward is None:
            assert "That was the last lesson." in post.content
        else:
            assert spot(post.buttons[0]) == ExerciseState("learn", onward.name)
            title = lesson_post(onward).content.splitlines()[0][4:].partition(" (")[0]
            assert post.buttons[0].label == (f"{title} ▶" if is_last else "Next ▶")
        alone = post_after(IN_ENGLISH, step, step.solutions[0], has_machine=False)
        assert "Play Pip (level 1)" not in labels(alone)
        assert "level 1" not in alone.content


def test_all_chapters_are_listed_with_how_far_one_has_come() -> None:
    new, begun, done = listed(IN_ENGLISH, has_machine=True)
    for post in (new, begun, done):
        names = [button.custom_id for button in post.buttons]
        assert len(names) == len(set(names))
    assert new.buttons[0].label == "Begin ▶"
    assert "○ **First game** 3/10" in begun.content
    assert (begun.buttons[0].label, spot(begun.buttons[0]).key) == ("Go on ▶", "on")
    assert done.content.count("✓") == len(CHAPTERS)
    assert labels(done) == ["Play Pip (level 1)"]
    chapters, *words = done.selects
    assert [option.value for option in chapters.options] == [
        chapter.steps[0].name for chapter in CHAPTERS
    ]
    assert [option.value for each in words for option in each.options] == [
        f"w-{item}" for item in HANDBOOK
    ]
    assert all(len(select.options) <= 25 for select in done.selects)


def picture_of(word: str) -> Picture:
    return picture(exercise(IN_ENGLISH, handbook_page(IN_ENGLISH, word)))


def test_the_handbook_shows_each_word_and_names_its_move_or_its_spaces() -> None:
    for word, example in HANDBOOK.items():
        post = exercise(IN_ENGLISH, handbook_page(IN_ENGLISH, word))
        title, text, here = post.content.splitlines()
        assert title == f"### {word_button(IN_ENGLISH, word).label}"
        assert re.fullmatch(r"[^{}]{40,120}[.]", text)
        assert all(str(move) in here for move in example.moves)
        assert all(point in here for point in example.points)
        assert picture(post).position == example.position
        assert [spot(button).key for button in post.buttons[1:2]] == ["chapters"]
    assert picture_of("guard").marks == Arrows(played=HANDBOOK["guard"].moves[0])
    assert picture_of("lifting").marks == Arrows(line=HANDBOOK["lifting"].moves)
    assert picture_of("bridge").marks == Marks(Point("j3"), only_outlined=True)
    assert picture_of("string").marks == Marks(landings=HANDBOOK["string"].points)
    leads = [spot(handbook_page(IN_ENGLISH, word).buttons[0]).key for word in HANDBOOK]
    assert sorted(leads) == sorted(f"w-{word}" for word in HANDBOOK), "one leads to the next"


def test_the_first_page_leads_to_the_lessons() -> None:
    page = help_page(IN_ENGLISH, "play", around())
    (leads,) = (button for button in page.buttons if button.label == "Learn by playing")
    assert leads.custom_id == "dvonn:do:learn:on::at"
    assert leads in help_page(IN_ENGLISH, PAGES[0], around()).buttons
    assert "/learn teaches it in five minutes" in page.content


def test_a_request_to_learn_resumes_the_lessons() -> None:
    (way,) = (way for part in FEATURE_SET.help for way in part.buttons(IN_ENGLISH))
    assert spot(way) == ExerciseState("learn", "on")
