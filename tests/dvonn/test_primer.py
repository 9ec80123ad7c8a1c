"""Tests for the primer: its goals are checked correctly, and its claims are true."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import dvonn
from benchmarks.tuning.judging import two_best
from dvonn.engine.searcher import Searcher
from dvonn.puzzles import Puzzle
from dvonn.reviews.lines import is_too_high
from dvonn_lessons import primer
from dvonn_lessons.remarks import Purpose, use_of
from dvonn_lessons.solver import Solver
from tests.dvonn.plain_search import lead, moves_that_reach

WHITE, BLACK = dvonn.Color

FIGHTS = ("melee", "singles", "escaping", "grabbing", "holding")
"""Chapters whose solutions are judged by the engine, not proven."""


def moves(text: str) -> list[dvonn.Move]:
    return [dvonn.parse_move(item) for item in text.split()]


def played(position: dvonn.Position, text: str) -> dvonn.Position:
    for move in moves(text):
        position = position.play(move)
    return position


def reachable(position: dvonn.Position) -> Iterator[dvonn.Position]:
    """Yield a position and all positions that can follow."""
    seen, waiting = {position}, [position]
    while waiting:
        yield (one := waiting.pop())
        more = {one.play(move) for move in one.legal_moves()} - seen
        seen |= more
        waiting += more


def answers_on(step: primer.PrimerStep) -> list[dvonn.Position]:
    """Return the boards after the only correct move and each reply that lands in the same place."""
    (solution,) = step.solutions
    after = step.position.play(solution)
    return [after.play(move) for move in after.legal_moves() if move.target == solution.target]


def only(name: str) -> dvonn.Position:
    """Return the position after a step's only correct move."""
    step = primer.find(name)
    (solution,) = step.solutions
    return step.position.play(solution)


def test_the_fight_comes_first_after_the_rules() -> None:
    sizes = {chapter.name: len(chapter.steps) for chapter in primer.CHAPTERS}
    assert list(sizes)[:6] == ["first", *FIGHTS]
    assert list(sizes)[-1] == "placing"
    assert sizes["first"] == 10
    assert all(3 <= size <= 6 for name, size in sizes.items() if name != "first")
    crowded = [step for step in primer.STEPS if len(step.position.stacks) >= 24]
    in_movement = [step for step in crowded if step.position.phase is dvonn.Phase.MOVEMENT]
    assert len(in_movement) >= 15 + 2, "the guided game has two of them"
    assert len({step.name for step in primer.STEPS}) == len(primer.STEPS)
    walked, step = [primer.STEPS[0]], primer.following(primer.STEPS[0])
    while step is not None:
        walked.append(step)
        step = primer.following(step)
    assert tuple(walked) == primer.STEPS
    assert [primer.chapter_of(step) for step in primer.STEPS] == [
        chapter for chapter in primer.CHAPTERS for _ in chapter.steps
    ]


@pytest.mark.parametrize("step", primer.STEPS, ids=lambda step: step.name)
def test_a_step_has_right_moves_and_wrong_ones(step: primer.PrimerStep) -> None:
    choices = step.choices or step.position.legal_moves()
    right = [move for move in choices if step.answer(move).right]
    assert right
    assert len(right) < len(choices)
    assert set(right) <= set(step.solutions)
    assert step.player is (BLACK if step.name == "reversal" else WHITE)
    for move in choices:
        answer = step.answer(move)
        assert (answer.refused is None) == (move in step.position.legal_moves())
        assert not (answer.right and answer.refused)
        assert answer.end == played(answer.after, " ".join(map(str, answer.shown)))
        if answer.right and not isinstance(step.goal, primer.End):
            assert answer.cut[0] == 0, "a lesson teaches nothing that costs"
        if isinstance(step.goal, primer.Overload | primer.Silence):
            assert len(answer.shown) == (not answer.right), "what is wrong can be shown"


Judge = Callable[[Any, primer.PrimerStep, dvonn.Move], bool]
"""A check by the plain rules that a move reaches a goal."""


def own_losses(position: dvonn.Position, move: dvonn.Move, color: dvonn.Color) -> int:
    gone = position.play(move).removed.values()
    return sum(len(pieces) for pieces in gone if pieces[-1] == color)


def cuts_off(goal: primer.CutOff, step: primer.PrimerStep, move: dvonn.Move) -> bool:
    own, others = (own_losses(step.position, move, color) for color in (WHITE, BLACK))
    return own == 0 and others >= goal.pieces


def keeps_all(_goal: primer.KeepAll, step: primer.PrimerStep, move: dvonn.Move) -> bool:
    after = step.position.play(move)
    assert after.turn is BLACK
    costs = [own_losses(after, reply, WHITE) for reply in after.legal_moves()]
    return own_losses(step.position, move, WHITE) == max(costs) == 0


def frees(_goal: primer.Free, step: primer.PrimerStep, move: dvonn.Move) -> bool:
    assert step.stack is not None
    return move.source in dvonn.neighbours(step.stack) and move.target != step.stack


def overloads(goal: primer.Overload, step: primer.PrimerStep, move: dvonn.Move) -> bool:
    after = step.position.play(move)
    boards = (after, *(after.play(reply) for reply in after.legal_moves()))
    return move.target == goal.point and all(is_too_high(board, goal.point) for board in boards)


def apart(position: dvonn.Position, point: dvonn.Point) -> int:
    """Return the total distance from a point to all red pieces."""
    steps, ring, seen = 0, {point}, {point}
    total = 0
    while len(seen) < 49:
        steps += 1
        ring = {near for item in ring for near in dvonn.neighbours(item)} - seen
        total += steps * sum(map(position.reds, ring))
        seen |= ring
    return total


def places_well(goal: primer.PlaceWell, step: primer.PrimerStep, move: dvonn.Move) -> bool:
    rings = [{move.target}]
    while not any(step.position.reds(point) for point in rings[-1]):
        rings.append({point for near in rings[-1] for point in dvonn.neighbours(near)})
    beside = [step.position.stacks.get(point) for point in dvonn.neighbours(move.target)]
    if goal.apart:
        return apart(step.position, move.target) >= goal.apart
    if len(rings) - 1 > goal.steps:
        return False
    return beside.count("R") >= goal.reds


JUDGES: dict[type[primer.Goal], Judge] = {
    primer.AnyMove: lambda goal, _step, move: goal.stack in (None, move.source),
    primer.LandOn: lambda goal, step, move: (
        step.position.stacks[move.target][-1] == (goal.owner or "R")
    ),
    primer.CutOff: cuts_off,
    primer.KeepAll: keeps_all,
    primer.Free: frees,
    primer.Overload: overloads,
    primer.Silence: lambda _goal, step, move: step.position.play(move).passed == (BLACK,),
    primer.PlaceWell: places_well,
    primer.End: lambda goal, step, move: move in moves_that_reach(step.position, goal.margin),
}


@pytest.mark.parametrize("step", primer.STEPS, ids=lambda step: step.name)
def test_goals_decide_and_losses_are_counted_as_by_the_plain_rules(
    step: primer.PrimerStep,
) -> None:
    position, legal = step.position, step.position.legal_moves()
    if not isinstance(step.goal, primer.Best):  # the plain rules can't tell what is best
        judge = JUDGES[type(step.goal)]
        assert set(step.solutions) == {move for move in legal if judge(step.goal, step, move)}
    if position.phase is dvonn.Phase.MOVEMENT:
        both = (step.player, step.player.opponent)
        lost = [tuple(own_losses(position, move, color) for color in both) for move in legal]
        assert [step.answer(move).cut for move in legal] == lost
        assert step.most_cut == max(others for _, others in lost)


def worth(step: primer.PrimerStep) -> dict[dvonn.Move, int]:
    """Return the final margin of the player to move, after each move."""
    solver = Solver(step.player)
    return {move: solver.exact(step.position.play(move), 0) for move in step.position.legal_moves()}


@pytest.mark.parametrize(
    "step",
    [
        step
        for step in primer.STEPS
        if step.position.phase is dvonn.Phase.MOVEMENT
        and not isinstance(step.goal, primer.AnyMove | primer.Best)
    ],
    ids=lambda step: step.name,
)
def test_a_lessons_correct_move_is_best_and_its_wrong_one_is_worse(
    step: primer.PrimerStep,
) -> None:
    values = worth(step)
    right = [values.pop(move) for move in step.solutions]
    assert min(right) > max(values.values())
    won, best = (margin > 0 for margin in (min(right), max(right)))
    assert won is best
    if step.name != "retake":  # even the best move loses there, by the smallest margin
        assert won


@pytest.mark.parametrize(
    "step",
    [step for step in primer.STEPS if isinstance(step.goal, primer.End)],
    ids=lambda step: step.name,
)
def test_the_ends_that_are_shown_are_best_play(step: primer.PrimerStep) -> None:
    assert isinstance(step.goal, primer.End)
    for move in step.position.legal_moves():
        answer = step.answer(move)
        assert answer.end.phase is dvonn.Phase.OVER
        margin = lead(answer.end, step.player)
        assert answer.right == (margin >= step.goal.margin)


def test_claims_about_single_steps_are_true() -> None:
    for name in ("load", "retake"):  # "even if Black takes it back"
        assert answers_on(primer.find(name)), name
    taken = answers_on(primer.find("decoy"))  # "Black may take it, but gets stuck there"
    assert taken
    assert all(is_too_high(item, primer.find("decoy").solutions[0].target) for item in taken)
    for name in ("greed", "quiet"):  # the biggest cut loses
        step, values = primer.find(name), worth(primer.find(name))
        greedy = [move for move in values if step.answer(move).cut[1] == step.most_cut > 3]
        assert greedy
        assert all(values[move] < 0 for move in greedy)
    quiet, (move,) = primer.find("quiet"), primer.find("quiet").solutions
    after = quiet.position.play(move)
    assert not after.removed
    assert after.passed == (BLACK,)
    spoil, tall = primer.find("spoil"), dvonn.Point("c4")
    take = dvonn.Move(source=spoil.stack, target=tall)
    for move in spoil.position.legal_moves():  # "you can't stop that"
        assert take in spoil.position.play(move).legal_moves()
    takes = [move for move in only("spoil").legal_moves() if move.target == tall]
    assert take in takes
    for move in takes:  # "anything that takes your tall stack gets retaken"
        assert any(item.target == tall for item in only("spoil").play(move).legal_moves())
    (move,) = primer.find("quarrel").solutions  # it takes nothing at once, but can take more later
    assert primer.find("quarrel").position.stacks[move.target] == "R"
    assert primer.find("quarrel").answer(move).shown[0].source == move.target


def landing(position: dvonn.Position, point: dvonn.Point) -> list[dvonn.Move]:
    return [move for move in position.legal_moves() if move.target == point]


@pytest.mark.parametrize("name", ["guard", "settle"])
def test_a_tall_stack_would_be_taken_straight_back(name: str) -> None:
    step = primer.find(name)
    assert step.stack is not None
    taking = landing(step.position, step.stack)
    assert taking
    assert all(landing(step.position.play(move), step.stack) for move in taking)
    assert not landing(only(name), step.solutions[0].target), "what one takes instead stays"


@pytest.mark.parametrize("name", ["bridge", "choke"])
def test_a_link_that_moves_cuts_off_ones_own_stacks(name: str) -> None:
    step = primer.find(name)
    costs = {move: step.answer(move).cut[0] for move in step.position.legal_moves()}
    assert all((cost > 0) is (move.source == step.stack) for move, cost in costs.items())


def test_claims_about_the_engines_games_are_true() -> None:
    back = primer.find("back")
    assert back.stack is not None
    assert back.position.owner(back.stack) is BLACK
    assert back.solutions[0].target == back.stack
    assert only("guard").passed == (BLACK,)
    snipe = primer.find("snipe")
    (built,) = snipe.solutions
    shot = dvonn.Move(source=built.target, target=snipe.stack or dvonn.Point("a1"))
    assert shot in primer.find("snipe").answer(built).shown
    assert snipe.position.owner(shot.target) is BLACK
    (lifted,) = primer.find("lift").solutions
    assert primer.find("lift").position.owner(lifted.target) is WHITE
    assert lifted.target in [move.source for move in primer.find("lift").answer(lifted).shown]
    reserve, cut = primer.find("reserve"), dvonn.parse_move("a2-a3")
    assert reserve.answer(cut).cut[1] == reserve.most_cut
    for reply in only("reserve").legal_moves():  # "Black can't stop it any more"
        assert own_losses(only("reserve").play(reply), cut, BLACK) == reserve.most_cut
    order = primer.find("order")
    assert dvonn.Position.from_stacks(order.position.stacks, turn=BLACK).turn is not BLACK
    lengths = {move: len(order.answer(move).shown) for move in order.position.legal_moves()}
    assert {lengths.pop(move) for move in order.solutions} == {1}
    assert set(lengths.values()) == {0}
    assert only("choke").height(primer.find("choke").solutions[0].target) > 2


JUDGED = [step for step in primer.STEPS if isinstance(step.goal, primer.Best)]


def puzzle_of(step: primer.PrimerStep) -> Puzzle:
    assert isinstance(step.goal, primer.Best)
    return step.goal.judged


def replies_on(position: dvonn.Position, point: dvonn.Point) -> list[dvonn.Move]:
    """The moves of the player to move that land on a point."""
    return [move for move in position.legal_moves() if move.target == point]


@pytest.mark.parametrize("step", JUDGED, ids=lambda step: step.name)
def test_a_fights_right_move_is_its_puzzles_and_best_by_far(step: primer.PrimerStep) -> None:
    puzzle = puzzle_of(step)
    assert step.position == puzzle.position
    assert step.solutions == puzzle.solution[:1]
    assert puzzle.themes, "it was not doubted later"
    assert len({move.source for move in step.choices}) == len(step.choices) == 4
    for move in step.position.legal_moves():
        answer = step.answer(move)
        if not answer.right:
            assert puzzle.chance(move) <= min(50, puzzle.best - 19)
            assert answer.shown == puzzle.play_on((move,))[:3] != ()


def test_claims_about_the_fights_are_true() -> None:
    chapters = {chapter.name: chapter.steps for chapter in primer.CHAPTERS}
    assert set(JUDGED) == {step for name in FIGHTS for step in chapters[name]}
    for step in chapters["melee"]:  # White gains the lead in movable stacks
        own, other = primer.movers(step.position, WHITE)
        own_then, other_then = primer.movers(only(step.name), WHITE)
        assert own_then > own
        assert other_then <= other
    for name in ("singles", "escaping", "grabbing"):  # "Black can't land there"
        for step in chapters[name]:
            (best,) = step.solutions
            assert not replies_on(only(step.name), best.target)
            height = step.position.height(best.target)
            if name == "singles":
                assert height == 1
                assert step.position.owner(best.target) is BLACK
            if name == "grabbing":
                assert height > 1
                assert step.position.owner(best.target) is BLACK
            if name == "escaping":
                now = dvonn.Position.from_stacks(step.position.stacks, turn=BLACK)
                assert step.stack is not None
                assert step.stack == best.source
                assert step.position.height(step.stack) > 1
                assert replies_on(now, step.stack)
    for step in chapters["holding"]:
        (best,) = step.solutions
        if step.name == "snip":
            assert step.answer(best).cut[1] == step.most_cut > 3
            continue
        use = use_of(step.position, best)
        assert use is not None
        assert use.purpose is Purpose.KEEPS
        now = dvonn.Position.from_stacks(step.position.stacks, turn=BLACK)
        assert use.threat is not None
        assert set(use.points) <= set(now.play(use.threat).removed)
        for reply in only(step.name).legal_moves():
            assert not set(use.points) & set(only(step.name).play(reply).removed)


def test_the_handbook_shows_the_meaning_of_its_words() -> None:
    shown = primer.HANDBOOK
    for example in shown.values():
        assert bool(example.moves) != bool(example.points)
        assert not example.moves or example.moves[0] in example.position.legal_moves()
    pictures = {(item.text, item.moves, item.points) for item in shown.values()}
    assert len(pictures) == len(shown), "each word has a picture of its own"

    def first(word: str) -> tuple[dvonn.Position, dvonn.Move]:
        return shown[word].position, shown[word].moves[0]

    for word in ("selfstacking", "lifting"):
        position, move = first(word)
        assert position.owner(move.target) is WHITE
    position, move = first("towersingle")
    assert move.source is not None
    assert position.height(move.source) > 3
    assert position.height(move.target) == 1
    assert position.owner(move.target) is BLACK
    position, move = first("neutralise")
    assert position.owner(move.target) is BLACK
    for word in ("sharpshooting", "lifting"):  # the stack that was built moves on
        one, then = shown[word].moves
        assert then.source == one.target
        assert then in white_to_move(shown[word].position.play(one)).legal_moves()
    blocked = shown["blocked"]
    assert blocked.position.is_surrounded(*blocked.points)
    young = shown["young"]
    assert is_too_high(young.position, *young.points)
    for word in ("string", "bridge", "chokepoint", "lifeline"):  # links to red
        for point in shown[word].points:
            assert shown[word].position.owner(point) is WHITE
            assert hung_on(shown[word].position, point)
    left, middle, right = shown["string"].points
    assert {left, right} <= set(dvonn.neighbours(middle))
    assert left not in dvonn.neighbours(right)
    control = shown["control"].position
    (space,) = shown["control"].points
    for color in (WHITE, BLACK):
        assert len(replies_on(dvonn.Position.from_stacks(control.stacks, turn=color), space)) >= 2
    position, move = first("spoiling")
    threat = use_of(position, move)
    assert threat is not None
    assert threat.threat is not None
    assert threat.threat.source == move.target
    position, move = first("initiative")
    _, threatened = shown["initiative"].moves
    after = position.play(move)
    assert after.turn is BLACK
    assert own_losses(white_to_move(after), threatened, BLACK) > 3
    assert own_losses(position, threatened, BLACK) == 0, "nothing threatens before"
    position, move = first("sacrifice")
    assert own_losses(position, move, WHITE)
    position, _ = first("selfcut")
    assert all(own_losses(position, move, WHITE) for move in position.legal_moves())


def white_to_move(position: dvonn.Position) -> dvonn.Position:
    return dvonn.Position.from_stacks(position.stacks, turn=WHITE)


def hung_on(position: dvonn.Position, point: dvonn.Point) -> set[dvonn.Point]:
    """The points of all other stacks whose only link to red is the stack on this point."""
    rest = {at: pieces for at, pieces in position.stacks.items() if at != point}
    linked = {at for at, pieces in rest.items() if "R" in pieces}
    waiting = [*linked]
    while waiting:
        near = {at for at in dvonn.neighbours(waiting.pop()) if at in rest} - linked
        linked |= near
        waiting += near
    return set(rest) - linked


@pytest.mark.parametrize(
    ("nodes", "gap"),
    [
        pytest.param(400_000, 0.05, marks=pytest.mark.later("it looks at 8 million positions")),
        pytest.param(40_000_000, 0.1, marks=pytest.mark.thorough("800 million positions")),
    ],
)
def test_long_searches_find_the_fights_right_moves(nodes: int, gap: float) -> None:
    """docs/engine.md lists their leads over other moves, from searches of 40 million positions."""
    searcher = Searcher(megabytes=64)
    for step in JUDGED:
        searcher.clear()
        found = two_best(searcher, step.position, nodes)
        assert found.best in step.solutions, step.name
        assert found.chance - found.beside >= gap, step.name


# An endgame from a players' example, which gives only the tops. The covered pieces are ours.
_ENDGAME = "2wbwbB5wW/bwbwBBB1B2WWW/BBrB1BrbBwwwWWRWW/BBbbwbbB4WWW/B5WWW W move"
_LINE = (
    "g3-c3 b2-c3 h2-h3 b4-c5 h3-f3 e2-f3 j2-k3 a3-b3 i1-k3 c5-c3 i2-i3 c2-c3 i3-k3 d4-j4 j3-j4 "
    "e3-f3 i4-j4 c4-b3"
)


def test_moves_beat_the_count_in_the_endgame() -> None:
    position = played(dvonn.position_from_text(_ENDGAME), _LINE)
    step = primer.find("alone")
    assert position == step.position
    assert only("alone") == primer.find("shot").position
    assert position.score(BLACK) > position.score(WHITE)
    assert all(item.turn is not BLACK for item in reachable(position))
    end = step.answer(*step.solutions).end
    assert (end.score(WHITE), end.score(BLACK)) == (18, 15)


def test_the_newsletters_reversal() -> None:
    # The newsletter doesn't give some pieces of a stack. Those are ours.
    before = dvonn.Position.from_stacks(
        {
            "f3": "WW",
            "g2": "WWWWWW",
            "g3": "RWW",
            "g4": "BBBBB",
            "i2": "BBBB",
            "i4": "B",
            "i5": "RWWW",
            "j2": "BB",
            "j3": "RB",
            "j4": "WWWWW",
            "k3": "BBBBB",
        },
        turn=WHITE,
    )
    assert (before.score(WHITE), before.score(BLACK)) == (20, 19)
    (move,) = before.legal_moves()
    assert move == dvonn.parse_move("c7-c10", dvonn.Coordinates.PERGIOCO)
    step = primer.find("reversal")
    assert before.play(move) == step.position
    assert (step.position.score(WHITE), step.position.score(BLACK)) == (14, 12)
    assert all(position.turn is not WHITE for position in reachable(step.position))
    assert dvonn.parse_move("b9-a9", dvonn.Coordinates.PERGIOCO) in step.solutions
    for solution in step.solutions:
        end = step.answer(solution).end
        assert (end.score(BLACK), end.score(WHITE)) == (21, 5)
