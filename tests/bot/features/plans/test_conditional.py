"""Tests for trees of replies: parsed, written, followed, changed."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dvonn
from bot.base.ids import Revision
from bot.base.languages import IN_ENGLISH, catalogues, reader_for
from bot.base.spelling import LONGEST_LINES
from bot.features.plans.model.parsing import parse_plan, parse_turn, with_replies
from bot.features.plans.model.refusals import BadLines, LineProblem
from bot.features.plans.model.text import mark_of, short, write
from bot.features.plans.model.tree import (
    MAX_MOVES,
    LapsedPlan,
    LapseReason,
    OpponentStep,
    OwnNode,
    OwnStep,
    Plan,
    ReplyNode,
    Tree,
    add_line,
    after_other_change,
    after_own_move,
    after_reply,
    contradicts,
    from_json,
    is_for_board,
    line_from_moves,
    lines_of,
    next_planned_move,
    plan_state,
    remove_line,
    size,
    to_json,
)
from bot.features.plans.words.plan_texts import phrases, plan_lines, spaces
from bot.features.plans.words.views import plan_form
from bot.play.model.refusals import BadList, ListProblem
from bot.play.model.typed import PlacementList, TypedTurn
from dvonn.machine import VERSION
from tests.bot.play.test_bounded_texts import unread
from tests.bot.replayed import ANN, BOB, B, started
from tests.games import positions_of, random_game

STANDARD, PERGIOCO = dvonn.Coordinates.STANDARD, dvonn.Coordinates.PERGIOCO
GAME = random_game(5)
AT = positions_of(GAME)
PLACING, MOVING = AT[20], AT[52]
NOW, THEN = Revision(52), Revision(53)


def other(position: dvonn.Position) -> dvonn.Color:
    """Return the player who is not to move."""
    return dvonn.Color.WHITE if position.turn is dvonn.Color.BLACK else dvonn.Color.BLACK


def read_plan(
    text: str, position: dvonn.Position = MOVING, system: dvonn.Coordinates = STANDARD
) -> Plan:
    return parse_plan(text, system, position, other(position))


def short_text(ahead: Plan, system: dvonn.Coordinates = STANDARD) -> list[str]:
    return write(ahead, system, short(system))


def full_text(ahead: Plan) -> list[str]:
    return write(ahead, STANDARD, phrases(IN_ENGLISH, started()))


def moves(*texts: str) -> tuple[dvonn.Move, ...]:
    return tuple(map(dvonn.parse_move, texts))


D1, A1, E1, B1 = moves("d1-b1", "a1-b1", "e1-f1", "b1-f1")
LONG = ReplyNode(((D1, OwnNode(A1, ReplyNode(((E1, OwnNode(B1)),)))),), otherwise=OwnNode(A1))
"""A tree for `MOVING`, where Black is to move."""


# Trees as players type them


@pytest.mark.parametrize(
    "text",
    [
        "if d1-b1 then a1-b1, if e1-f1 then b1-f1; else a1-b1",
        "d1-b1: a1-b1, e1-f1: b1-f1; *: a1-b1",
        "If D1-B1, a1 b1 and if e1→f1 then b1 to f1\nelse: a1xb1.",
        "if d1-b1 then a1-b1 then if e1-f1 then b1-f1; if anything else, a1-b1;",
        "if d1-b1 then a1-b1 then e1-f1: b1-f1; *: a1-b1",
        "wenn d1-b1 dann a1-b1, wenn e1-f1 dann b1-f1; sonst a1-b1",
        "se d1-b1 allora a1-b1, se e1-f1 allora b1-f1; altrimenti a1-b1",
        "als d1-b1 dan a1-b1, als e1-f1 dan b1-f1; anders a1-b1",
        "si d1-b1 alors a1-b1, si e1-f1 alors b1-f1\u202f; sinon a1-b1",
        "si d1-b1 entonces a1-b1, y si e1-f1 entonces b1-f1; si no, a1-b1",
        "si d1-b1, a1-b1, si e1-f1, b1-f1; de lo contrario, a1-b1",
        "se d1-b1 allora a1-b1, se e1-f1 allora b1-f1; Se no a1-b1",
        "\u200e*: a1-b1; d1-b1: a1-b1; d1-b1: a1-b1, e1:f1: b1-f1",
    ],
)
def test_a_tree_is_read_however_it_is_written(text: str) -> None:
    assert read_plan(text) == LONG


@pytest.mark.parametrize("language", ["en", *sorted(catalogues())])
def test_a_trees_text_is_understood_when_typed(language: str) -> None:
    who = reader_for(language.replace("_", "-"))
    for other in (None, "<@100000000000000002>", "Pip"):
        for tree in (LONG, read_plan("if d1-b1 then ask; else a1-b1"), read_plan("else a1-b1")):
            said = phrases(who, started(), other, is_single=len(lines_of(tree)) == 1)
            assert read_plan("\n".join(write(tree, STANDARD, said))) == tree


def test_a_plan_is_stored_without_its_else() -> None:
    game = started()
    assert plan_lines(IN_ENGLISH, game, read_plan("else a1-b1"), ANN) == [
        f"1. whatever {B} does: a1-b1"
    ]
    assert plan_lines(IN_ENGLISH, game, LONG, ANN)[-1] == "2. whatever else they do: a1-b1"
    assert plan_lines(IN_ENGLISH, game, LONG)[-1] == "2. whatever else they do: a1-b1"
    solo = replace(game, row=replace(game.row, machine=BOB, level=1, engine=VERSION))
    assert plan_lines(IN_ENGLISH, solo, read_plan("*: a1-b1"), ANN) == [
        "1. whatever Pip does: a1-b1"
    ]


@pytest.mark.parametrize("language", ["en", *sorted(catalogues())])
def test_a_lists_text_in_the_form_is_understood(language: str) -> None:
    who = reader_for(language.replace("_", "-"))
    listed = read_plan("f1 g1, else next free", PLACING)
    assert isinstance(listed, PlacementList)
    assert read_plan(spaces(who, started(), listed), PLACING) == listed
    for made, position in (
        (listed, PLACING),
        (read_plan("if c1 then d1; else f1 g1, else next free", PLACING), PLACING),
        (read_plan("if d1-b1 then ask; else a1-b1"), MOVING),
    ):
        stands = made if isinstance(made, PlacementList) else Tree(NOW, made)
        form = plan_form(who, started(), stands, ANN)
        assert read_plan(form.value, position) == made
        in_english = {"else", "next", "free", "ask"} & set(form.value.replace(":", "").split())
        assert bool(in_english) is (language == "en")


def test_asking_is_the_default_and_may_be_typed() -> None:
    plain = read_plan("if d1-b1 then a1-b1")
    assert plain == read_plan("if d1-b1 then a1-b1; else ask me") == ReplyNode(((D1, OwnNode(A1)),))
    assert plain == read_plan("si d1-b1 alors a1-b1 ; sinon me demander")
    assert plain == read_plan("si d1-b1 entonces a1-b1; en otro caso, pregúntame")
    some = read_plan("if d1-b1 then ask; else a1-b1")
    assert some == ReplyNode(((D1, None),), OwnNode(A1))
    assert after_reply(Tree(NOW, some), D1, THEN) == LapsedPlan(LapseReason.LEFT, D1)


def test_a_move_alone_is_played_whatever_happens() -> None:
    assert read_plan("a1-b1") == read_plan("if anything then a1-b1") == ReplyNode((), OwnNode(A1))
    with pytest.raises(dvonn.NotationError):
        read_plan("a1-b1 e1-f1")
    for text in ("a1", "a1 b1", "a1-b1, else next free"):
        with pytest.raises(BadList) as caught:
            read_plan(text)
        assert caught.value.problem is ListProblem.NOT_PLACING


def test_while_pieces_are_placed_lists_are_cases_of_it() -> None:
    spaces = tuple(map(dvonn.parse_point, ("f1", "g1")))
    assert read_plan("f1 g1, else next free", PLACING) == PlacementList(spaces, else_next=True)
    tree = read_plan("if c1 then d1, if b2 then f1 g1; else f1 g1, else next free", PLACING)
    known = (
        (
            dvonn.Move(target=dvonn.parse_point("c1")),
            OwnNode(
                dvonn.parse_move("d1"),
                ReplyNode(((dvonn.parse_move("b2"), PlacementList(spaces)),)),
            ),
        ),
    )
    assert tree == ReplyNode(known, PlacementList(spaces, else_next=True))
    assert read_plan("c1: d1; *: f1", PLACING) == ReplyNode(
        ((dvonn.parse_move("c1"), OwnNode(dvonn.parse_move("d1"))),), PlacementList(spaces[:1])
    )


@pytest.mark.parametrize(
    ("text", "problem", "before", "found"),
    [
        ("if d1-b1 then e9", LineProblem.OFF_BOARD, "if d1-b1 then", "e9"),
        ("if d1-b1 then", LineProblem.UNREADABLE, "if d1-b1 then", ""),
        ("if d1-b1 then ask a1-b1", LineProblem.UNREADABLE, "if d1-b1 then ask", "a1"),
        ("if d1-b1 then a1", LineProblem.HALF, "if d1-b1 then", "a1"),
        ("d1-b1: d1-b1", LineProblem.ILLEGAL, "d1-b1:", "d1-b1"),
        ("if a1-b1 then d1-b1", LineProblem.ILLEGAL_THEIRS, "if", "a1-b1"),
        ("d1-b1: a1-b1; e1-f1 d1-b1", LineProblem.UNREADABLE, "d1-b1: a1-b1; e1-f1", "d1"),
        ("d1-b1: a1-b1; d1-b1: h1-i1", LineProblem.TWICE, "", "d1-b1: h1-i1"),
        ("else a1-b1, if e1-f1 then b1-f1", LineProblem.AFTER_ELSE, "else a1-b1, if", "e1"),
        ("if anything else, ask me", LineProblem.NOTHING, "", ""),
        ("else a1-c1", LineProblem.NEVER, "", "a1-c1"),
    ],
)
def test_a_fault_is_reported_with_its_place(
    text: str, problem: LineProblem, before: str, found: str
) -> None:
    with pytest.raises(BadLines) as caught:
        read_plan(text)
    error = caught.value
    assert (error.problem, error.valid_part, error.wrong_part) == (problem, before, found)
    assert (error.refusal is not None) == (
        problem in (LineProblem.ILLEGAL, LineProblem.ILLEGAL_THEIRS)
    )


def test_lists_in_a_tree_follow_the_rules_of_lists() -> None:
    for text, problem in (
        ("if c1 then d1 d1", ListProblem.TWICE),
        ("else a1", ListProblem.TAKEN),
        ("c1: a1 d1", ListProblem.TAKEN),
    ):
        with pytest.raises(BadList) as caught:
            read_plan(text, PLACING)
        assert caught.value.problem is problem
    for text, fault in (
        ("else d1, if f1 then g1", LineProblem.AFTER_ELSE),
        ("else z9", LineProblem.OFF_BOARD),
        ("else", LineProblem.UNREADABLE),
    ):
        with pytest.raises(BadLines) as bad:
            read_plan(text, PLACING)
        assert bad.value.problem is fault


def test_no_tree_is_too_big() -> None:
    replies = []
    for move in MOVING.legal_moves():
        after = MOVING.play(move)
        if after.turn is other(MOVING):
            replies += [f"{move}:{reply}" for reply in after.legal_moves()[:1]]
    text = ";".join(replies[: MAX_MOVES // 2])
    assert len(replies) > MAX_MOVES // 2
    assert size(read_plan(text)) <= MAX_MOVES
    with pytest.raises(BadLines) as caught:
        read_plan(";".join(replies[: MAX_MOVES // 2 + 1]))
    assert (caught.value.problem, caught.value.limit) == (LineProblem.TOO_MANY, MAX_MOVES)
    for reading in (read_plan, lambda text: parse_turn(text, STANDARD, MOVING)):
        with pytest.raises(BadList) as long:
            reading(unread(LONGEST_LINES + 1))
        assert long.value.problem is ListProblem.TOO_LONG


def test_a_plan_may_be_as_long_as_its_limit() -> None:
    text = "d1-b1, if a1-b1 then e1-f1"
    longest = text.ljust(LONGEST_LINES)
    assert parse_turn(longest, STANDARD, MOVING) == parse_turn(text, STANDARD, MOVING)


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("d1-b1 e1-f1", "d1-b1, *: e1-f1"),
        ("d1-b1 e1-f1".ljust(LONGEST_LINES), "d1-b1, *: e1-f1"),
        ("d1-b1; e1-f1", None),
        ("d1-b1 e1", None),
        ("d1-b1", None),
    ],
)
def test_only_moves_in_a_row_are_read_as_a_plan(text: str, read_as: str | None) -> None:
    assert MOVING.turn is not None
    found = with_replies(text, STANDARD, MOVING, MOVING.turn)
    assert found == (text if read_as is None else read_as)


def test_on_the_players_own_turn_their_move_comes_first() -> None:
    tree = ReplyNode(((A1, OwnNode(E1)),))
    for text in ("d1-b1, if a1-b1 then e1-f1", "d1 b1; a1-b1: e1-f1", "d1-b1 then if a1-b1, e1-f1"):
        assert parse_turn(text, STANDARD, MOVING) == TypedTurn((D1,), tree)
    assert parse_turn("d1-b1", STANDARD, MOVING) == TypedTurn((D1,))
    assert parse_turn("d1:b1", STANDARD, MOVING) == TypedTurn((D1,))
    with pytest.raises(BadLines) as caught:
        parse_turn("if a1-b1 then e1-f1", STANDARD, MOVING)
    assert caught.value.problem is LineProblem.NO_OWN_MOVE
    with pytest.raises(BadLines) as caught:
        parse_turn("d1-b1, if e1-f1 then a1-b1", STANDARD, MOVING)
    assert (caught.value.problem, caught.value.valid_part) == (
        LineProblem.ILLEGAL_THEIRS,
        "d1-b1, if",
    )
    with pytest.raises(dvonn.IllegalMoveError):
        parse_turn("d1-d2, if a1-b1 then e1-f1", STANDARD, MOVING)
    for text in ("then d1-b1", "if d1-b1", "si d1-b1", "dann **d1-b1**", "* d1-b1", "d1-b1 else"):
        assert parse_turn(text, STANDARD, MOVING) == TypedTurn((D1,))
    # People who only talk about moves get no answer about plans.
    with pytest.raises(dvonn.NotationError):
        parse_turn("d1-b1, if a1-b1 then you lose", STANDARD, MOVING)
    with pytest.raises(dvonn.IllegalMoveError):
        parse_turn("c1: d1", STANDARD, PLACING)
    assert parse_turn("c1, d1: f1", STANDARD, PLACING).plan == ReplyNode(
        ((dvonn.parse_move("d1"), OwnNode(dvonn.parse_move("f1"))),)
    )


def test_in_either_system_of_coordinates() -> None:
    texts = short_text(LONG, PERGIOCO)
    assert texts != short_text(LONG)
    assert read_plan("\n".join(texts), system=PERGIOCO) == LONG


# Forced passes


def passing() -> tuple[dvonn.Position, list[dvonn.Move]]:
    """A position in which one side plays, then the other twice, because the first has to pass."""
    for game in map(random_game, range(300)):
        turns = [position.turn for position in positions_of(game)]
        for ply in range(50, len(game) - 2):
            if turns[ply] is not turns[ply + 1] is turns[ply + 2]:
                return positions_of(game)[ply], game[ply : ply + 3]
    raise AssertionError


def test_a_player_without_moves_is_skipped() -> None:
    start, (first, second, third) = passing()
    replying = read_plan(f"if {first} then {second} {third}", start)
    assert lines_of(replying) == [(OpponentStep(first), OwnStep(second), OwnStep(third))]
    assert read_plan(f"{first}: {second}, {third}", start) == replying
    assert short_text(replying) == [f"{first}: {second} {third}"]
    with pytest.raises(BadLines) as caught:
        read_plan(f"if {first} then {second}, if {third} then ask", start)
    assert caught.value.problem is LineProblem.YOU_AGAIN
    with pytest.raises(BadLines) as caught:
        parse_turn(f"{first}, if {second} then {third}", STANDARD, start)
    assert caught.value.problem is LineProblem.THEY_AGAIN
    assert short_text(ReplyNode(((D1, ReplyNode(((E1, OwnNode(B1)),))),))) == ["d1-b1 e1-f1: b1-f1"]


def test_after_the_end_nothing_is_decided() -> None:
    game = next(g for g in map(random_game, range(50)) if turns_change(g))
    start = positions_of(game)[-2]
    with pytest.raises(BadLines) as caught:
        read_plan(f"if {game[-1]} then a1-b1", start)
    assert caught.value.problem is LineProblem.OVER


def turns_change(game: Sequence[dvonn.Move]) -> bool:
    return positions_of(list(game))[-1].phase is dvonn.Phase.OVER


# In a game


def test_a_tree_is_followed_to_its_end() -> None:
    tree = plan_state(LONG, NOW)
    assert isinstance(tree, Tree)
    assert is_for_board(tree, NOW)
    assert not is_for_board(tree, THEN)
    first = after_reply(tree, D1, THEN)
    assert first == Tree(THEN, LONG.replies[0][1])  # type: ignore[arg-type]  # it is one
    after = MOVING.play(D1)
    move, rest = next_planned_move(first, after, Revision(54))
    assert (move, rest) == (A1, Tree(Revision(54), ReplyNode(((E1, OwnNode(B1)),))))
    assert rest is not None
    assert after_reply(rest, moves("i3-j3")[0], Revision(55)) == LapsedPlan(
        LapseReason.LEFT, dvonn.parse_move("i3-j3")
    )
    last = after_reply(rest, E1, Revision(55))
    assert last == Tree(Revision(55), OwnNode(B1))
    assert next_planned_move(last, after.play(A1).play(E1), Revision(56)) == (B1, None)


def test_illegal_plans_lapse() -> None:
    spoiled = MOVING.play(D1).play(A1)
    taken = next(move for move in spoiled.legal_moves() if move != E1)
    waiting = Tree(NOW, ReplyNode((), OwnNode(A1)))
    stands = after_reply(waiting, taken, THEN)
    assert stands == Tree(THEN, OwnNode(A1))
    assert next_planned_move(stands, spoiled, THEN) == (None, LapsedPlan(LapseReason.ILLEGAL, A1))
    assert after_reply(stands, E1, THEN) == stands  # someone had to pass in between
    assert next_planned_move(Tree(NOW, ReplyNode(((D1, None),))), MOVING, THEN) == (None, None)


def test_own_moves_and_other_changes_end_a_tree_and_leave_a_list() -> None:
    tree, plan, note = (
        Tree(NOW, LONG),
        PlacementList((dvonn.parse_point("a1"),)),
        LapsedPlan(LapseReason.LEFT, D1),
    )
    assert [after_own_move(item) for item in (tree, plan, note)] == [None, plan, None]
    changed = [after_other_change(item) for item in (tree, plan, note)]
    assert changed == [LapsedPlan(LapseReason.BACK), plan, note]
    assert [after_reply(item, D1, THEN) for item in (plan, note)] == [plan, note]
    assert next_planned_move(note, MOVING, THEN) == (None, note)
    assert next_planned_move(plan, MOVING, THEN) == (None, None)


def test_lines_are_added_and_removed_one_by_one() -> None:
    line = line_from_moves((D1, A1, E1, B1), MOVING, other(MOVING))
    assert add_line(LONG, line) == LONG
    assert not contradicts(LONG, line)
    answer = next(move for move in MOVING.play(D1).legal_moves() if move != A1)
    other_line = (OpponentStep(D1), OwnStep(answer))
    assert contradicts(LONG, other_line)
    assert add_line(LONG, other_line) == ReplyNode(((D1, OwnNode(answer)),), OwnNode(A1))
    assert remove_line(LONG, 0) == ReplyNode((), OwnNode(A1))
    assert remove_line(LONG, 1) == ReplyNode(LONG.replies)
    assert remove_line(ReplyNode((), OwnNode(A1)), 0) is None
    plan = PlacementList((dvonn.parse_point("a1"),))
    assert add_line(plan, (OpponentStep(moves("c1")[0]), OwnStep(moves("d1")[0]))) == ReplyNode(
        ((moves("c1")[0], OwnNode(moves("d1")[0])),), plan
    )
    assert mark_of(LONG) != mark_of(ReplyNode(LONG.replies))


# Any tree, on any board


@st.composite
def trees(draw: st.DrawFn) -> tuple[dvonn.Position, Plan]:
    """Generate a position of a random game, and a plan of the player who is not to move."""
    at = positions_of(random_game(draw(st.integers(0, 40))))
    position = at[draw(st.integers(0, len(at) - 2))]
    own = other(position)
    ahead: Plan | None = None
    for _ in range(draw(st.integers(1, 4))):
        here, path = position, list[dvonn.Move]()
        for _ in range(draw(st.integers(2, 6))):
            legal = here.legal_moves()
            if not legal:
                break
            path.append(legal[draw(st.integers(0, min(2, len(legal) - 1)))])
            here = here.play(path[-1])
        line = line_from_moves(path, position, own)
        while line and not isinstance(line[-1], OwnStep):
            line = line[:-1]
        if line and not contradicts(ahead, line):
            ahead = add_line(ahead, line)
    if ahead is None:
        ahead = PlacementList((dvonn.parse_point("a1"),), else_next=True)
        position = dvonn.Position.initial()
    return position, ahead


@given(trees(), st.sampled_from(dvonn.Coordinates))
def test_written_records_can_be_read(
    made: tuple[dvonn.Position, Plan], system: dvonn.Coordinates
) -> None:
    position, ahead = made
    for texts in (
        short_text(ahead, system),
        write(ahead, system, phrases(IN_ENGLISH, started(system))),
    ):
        assert parse_plan("; ".join(texts), system, position, other(position)) == ahead
    if not isinstance(ahead, PlacementList):
        assert from_json(to_json(Tree(NOW, ahead))) == Tree(NOW, ahead)
    assert size(ahead) <= MAX_MOVES
    left: Plan | None = ahead
    for number in range(len(lines_of(ahead)), 0, -1):
        assert left is not None
        assert len(lines_of(left)) == number
        left = remove_line(left, number - 1)
    assert left is None


@given(trees(), st.data())
def test_every_planned_move_is_legal_and_the_plan_ends(
    made: tuple[dvonn.Position, Plan], data: st.DataObject
) -> None:
    position, ahead = made
    own, board = other(position), NOW
    stands, left = plan_state(ahead, board), size(ahead)
    while isinstance(stands, Tree | PlacementList) and position.turn is not None:
        board = Revision(board + 1)
        if position.turn is own:
            move, stands = next_planned_move(stands, position, board)
            assert move is not None or isinstance(stands, LapsedPlan)
            if move is None:
                break
            assert move in position.legal_moves()
        else:
            legal = list(position.legal_moves())
            root = stands.root if isinstance(stands, Tree) else None
            named = [move for move, _ in root.replies] if isinstance(root, ReplyNode) else []
            move = data.draw(st.sampled_from(named or legal))
            stands = after_reply(stands, move, board)
        position = position.play(move)
        if isinstance(stands, Tree):
            assert stands.board == board
            assert size(stands.root) < left
            left = size(stands.root)


@given(
    st.text(alphabet=" ,;:*\nabc123-ifthenelsask", max_size=60), st.sampled_from([PLACING, MOVING])
)
def test_any_text_is_a_tree_or_refused(text: str, position: dvonn.Position) -> None:
    for reading in (
        lambda: read_plan(text, position),
        lambda: parse_turn(text, STANDARD, position),
    ):
        try:
            reading()
        except (dvonn.NotationError, dvonn.IllegalMoveError, BadLines, BadList):
            continue
