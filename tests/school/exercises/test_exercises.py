"""Tests for an exercise's view: its ids contain the whole state, and a typed text is one move."""

import re
from dataclasses import replace

import pytest

from bot.base.languages import IN_ENGLISH
from bot.composition import FEATURE_SET
from bot.connection.posts import Button, ButtonStyle, Post
from bot.play.model.refusals import IllegalPlay, UnreadableMove
from bot.play.words.pictures import Picture
from bot.play.words.stack_buttons import by_stack
from bot.replay.model.refusals import NoSuchPly
from dvonn import Coordinates, Move, NotationProblem, Point, Position, format_move, parse_move
from dvonn.puzzles import load
from renderer import Marks, stack_facts
from school.exercises.model import EXERCISE, LONGEST_LINE, ExerciseState, one_move
from school.exercises.words import ExerciseView, exercise, exercise_id
from tests.school.exercises.example_texts import CROWD, MOVING, PLACING, PUZZLE, TOLD, stack

LONGEST = ExerciseState("exercise", "k" * 24, (parse_move("k5-k4"),) * LONGEST_LINE)


def ids(post: Post) -> list[str]:
    return [select.custom_id for select in post.selects] + [
        button.custom_id for button in post.buttons
    ]


def test_a_spot_is_read_from_its_id() -> None:
    spot = ExerciseState("puzzle", "0123abcd-cut_off", PUZZLE.solution[:3])
    match = re.fullmatch(f"dvonn:do:{EXERCISE}:play", exercise_id(spot, "play"))
    assert match is not None
    assert ExerciseState.found(match) == spot
    assert spot.with_moves(PUZZLE.solution[3]).without_last_move() == spot
    broken = re.fullmatch(EXERCISE, "puzzle:0123abcd:A")
    assert broken is not None
    with pytest.raises(NoSuchPly):
        ExerciseState.found(broken)


def test_the_longest_spot_fits_an_id_of_discords() -> None:
    assert len(exercise_id(LONGEST, "solution")) == 100


@pytest.mark.parametrize("view", [MOVING, PLACING, TOLD])
@pytest.mark.parametrize("choosing", [False, True])
def test_all_parts_have_ids_that_lead_on(view: ExerciseView, *, choosing: bool) -> None:
    post = exercise(IN_ENGLISH, view, chosen=stack() if choosing and view is MOVING else None)
    names = ids(post)
    assert len(names) == len(set(names)) > 0
    for name in names:
        kinds = [button for button in FEATURE_SET.buttons if button.ids.fullmatch(name)]
        assert len(kinds) == 1, name


def test_a_stack_is_chosen_and_then_where_it_goes() -> None:
    post = exercise(IN_ENGLISH, MOVING, by_typing=True)
    assert post.content == "Type your move, or choose below."
    assert post.selects == ()
    stacks = [str(item) for item in by_stack(PUZZLE.position)]
    ways = ["Type a move"]
    assert [button.label for button in post.buttons] == [*stacks, *ways]
    assert post.buttons[-1].row == -(-len(stacks) // 5), "in a row of its own"
    chosen = exercise(IN_ENGLISH, MOVING, chosen=stack(), by_typing=True)
    assert chosen.content == f"{stack()} can go to:"
    assert isinstance(chosen.picture, Picture)
    assert chosen.picture.marks == Marks.for_stack(PUZZLE.position, stack())
    *landings, back = chosen.buttons
    for landing, move in zip(landings, by_stack(PUZZLE.position)[stack()], strict=True):
        stands = PUZZLE.position.stacks[move.target]
        color = {"W": "white", "B": "black", "R": "red"}[stands[-1]]
        facts = f" ({stack_facts(stands)})" * (len(stands) > 1)
        assert landing.label == f"{move.target} · {color}{facts}", "but not what the move cuts off"
        assert landing.style is ButtonStyle.PRIMARY
    assert exercise_id(MOVING.state.with_moves(PUZZLE.solution[0]), "play") in [
        landing.custom_id for landing in landings
    ]
    assert back.custom_id == exercise_id(MOVING.state, "back")


def test_after_a_wrong_answer_all_buttons_keep_their_places() -> None:
    again = Button("Try again", exercise_id(MOVING.state, "at"))
    before = exercise(IN_ENGLISH, MOVING).buttons
    after = exercise(IN_ENGLISH, replace(MOVING, lines=("✗",), also=(again,))).buttons
    assert after[: len(before)] == before
    assert [button.label for button in after[len(before) :]] == ["Try again"]


def test_stacks_without_room_are_behind_a_button_as_under_a_games_board() -> None:
    ways = [button.label for button in exercise(IN_ENGLISH, CROWD).buttons]
    assert ways == ["Move", "Type a move"]
    post = exercise(IN_ENGLISH, CROWD, picking=True)
    stacks = tuple(by_stack(CROWD.position))
    assert len(stacks) > 20
    assert [button.label for button in post.buttons] == [*map(str, stacks), "Back"]
    assert isinstance(post.picture, Picture)
    assert post.picture.marks == Marks(landings=stacks)


def test_offered_moves_are_answered_with_one_tap_even_those_that_the_rules_refuse() -> None:
    move = PUZZLE.solution[0]
    refused = parse_move(f"{move.source}-{'a1' if move.source != 'a1' else 'k5'}")
    view = replace(MOVING, choices=(refused, move))
    buttons = exercise(IN_ENGLISH, view).buttons[:2]
    assert [button.label for button in buttons] == [str(refused), str(move)]
    assert all(button.custom_id.endswith(":play") for button in buttons)
    chosen = exercise(IN_ENGLISH, view, chosen=move.source)  # by a button of 0.2.0
    labels = [button.label.split(" · ")[0] for button in chosen.buttons]
    assert labels == [refused.target, move.target, "Back"]
    assert isinstance(chosen.picture, Picture)
    assert chosen.picture.alt_text.startswith(f"You can choose {refused.target}, {move.target}. ")
    places = (Move(target=Point("d2")), Move(target=Point("e2")))
    placing = exercise(IN_ENGLISH, replace(PLACING, choices=places))
    assert placing.selects == ()
    assert [button.label for button in placing.buttons][:2] == ["d2", "e2"]


def test_an_exercise_without_a_task_accepts_no_move() -> None:
    post = exercise(IN_ENGLISH, TOLD, by_typing=True)
    assert post.selects == ()
    assert [button.label for button in post.buttons] == ["Play from here", "Choose opponent"]


def test_people_who_listen_get_the_board_as_text() -> None:
    heard = exercise(replace(IN_ENGLISH, uses_screen_reader=True), PLACING)
    seen = exercise(IN_ENGLISH, PLACING)
    more = {button.label for button in heard.buttons} - {button.label for button in seen.buttons}
    assert more == {"Board as text"}


@pytest.mark.parametrize("text", ["{0}-{1}", "{0} {1}", "{0}{1}", " {0} - {1}. "])
def test_one_move_is_read_in_any_spelling(text: str) -> None:
    move = PUZZLE.solution[0]
    assert one_move(text.format(move.source, move.target), PUZZLE.position) == move


def test_a_placement_is_read() -> None:
    assert one_move("d2", Position.initial()) == Move(target=parse_move("d2").target)


@pytest.mark.parametrize(
    ("text", "problem"), [("hello", None), ("a1-a2 b1-b2", NotationProblem.SEVERAL_MOVES)]
)
def test_anything_else_is_refused(text: str, problem: NotationProblem | None) -> None:
    with pytest.raises(UnreadableMove) as refused:
        one_move(text, PUZZLE.position)
    assert problem in (None, refused.value.error.problem)


def test_illegal_moves_are_refused() -> None:
    with pytest.raises(IllegalPlay):
        one_move("a1-k5", PUZZLE.position)


def test_an_answer_is_read_as_it_is_named() -> None:
    puzzle = load()[0]
    move = puzzle.solution[0]
    assert (
        one_move(format_move(move, Coordinates.PERGIOCO), puzzle.position, Coordinates.PERGIOCO)
        is move
    )
