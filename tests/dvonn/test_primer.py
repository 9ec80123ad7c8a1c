"""The primer: its positions are real, its goals decide as told, and what it claims is so."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from dvonn import (
    POINTS,
    Color,
    Coordinates,
    Move,
    Phase,
    Point,
    Position,
    column_row,
    distance,
    neighbours,
    parse_move,
    point_at,
    position_from_text,
    position_to_text,
)
from dvonn.board import DIRECTIONS
from dvonn.motifs import is_too_high
from dvonn.primer import (
    CHAPTERS,
    STEPS,
    AnyMove,
    CutOff,
    End,
    Free,
    Goal,
    KeepAll,
    LandOn,
    Overload,
    PlaceWell,
    PrimerStep,
    Silence,
    chapter_of,
    find,
    following,
)
from dvonn.puzzles import find as find_puzzle
from tests.dvonn.plain_search import lead, moves_that_reach
from tests.games import positions_of, random_game

WHITE, BLACK = Color
# From which random game a position is, and after how many plies.
GAMES = {
    "place": (8, 40),
    "single": (5174, 69),
    "jump": (8687, 75),
    "surrounded": (1, 49),
    "take": (5075, 73),
    "red": (8749, 73),
    "cut": (10106, 73),
    "link": (12717, 61),
    "pass": (8255, 77),
    "end": (16913, 75),
    "free": (5490, 69),
    "silence": (5540, 71),
    "lifeline": (7033, 75),
    "carry": (5645, 77),
    "load": (10722, 73),
    "retake": (12892, 73),
    "edge": (148, 40),
    "beside": (8, 40),
    "both": (22, 40),
    "between": (77, 40),
}
PUZZLES = {
    "greed": "1b6a7121",
    "quiet": "d9745d52",
    "spoil": "9e9b9c74",
    "decoy": "56134b58",
    "ahead": "6b2d370a",
    "quarrel": "b370d595",
}
TOLD_HERE = {"pair", "alone", "shot", "reversal"}
"""Where these come from the tests below tell."""


def moves(text: str) -> list[Move]:
    return [parse_move(one) for one in text.split()]


def played(position: Position, text: str) -> Position:
    for move in moves(text):
        position = position.play(move)
    return position


def reachable(position: Position) -> Iterator[Position]:
    """It, and every position that can come of it."""
    seen, waiting = {position}, [position]
    while waiting:
        yield (one := waiting.pop())
        more = {one.play(move) for move in one.legal_moves()} - seen
        seen |= more
        waiting += more


def is_edge(point: Point) -> bool:
    return len(neighbours(point)) < 6


def only(name: str) -> Position:
    """The position after the only right move of a step."""
    step = find(name)
    (solution,) = step.solutions
    return step.position.play(solution)


def test_there_are_a_first_game_and_five_short_chapters() -> None:
    assert [len(chapter.steps) for chapter in CHAPTERS] == [11, 4, 4, 4, 3, 4]
    assert len({step.name for step in STEPS}) == len(STEPS)
    assert set(GAMES) | set(PUZZLES) | TOLD_HERE == {step.name for step in STEPS}
    walked, step = [STEPS[0]], following(STEPS[0])
    while step is not None:
        walked.append(step)
        step = following(step)
    assert tuple(walked) == STEPS
    assert [chapter_of(one) for one in STEPS] == [one for one in CHAPTERS for _ in one.steps]


@pytest.mark.parametrize("name", GAMES)
def test_a_position_stood_in_a_game(name: str) -> None:
    seed, plies = GAMES[name]
    assert position_to_text(positions_of(random_game(seed)[:plies])[-1]) == find(name).text


@pytest.mark.parametrize("name", PUZZLES)
def test_a_position_is_a_puzzles(name: str) -> None:
    puzzle = find_puzzle(PUZZLES[name])
    assert puzzle is not None
    assert puzzle.text == find(name).text


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_a_step_has_right_moves_and_wrong_ones(step: PrimerStep) -> None:
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
        if answer.right and not isinstance(step.goal, End):
            assert answer.cut[0] == 0, "a lesson teaches nothing that costs"
        if isinstance(step.goal, Overload | Silence):
            assert len(answer.shown) == (not answer.right), "what is wrong can be shown"


Judge = Callable[[Any, PrimerStep, Move], bool]
"""Whether a move reaches a goal, by the plain rules."""


def own_losses(position: Position, move: Move, color: Color) -> int:
    gone = position.play(move).removed.values()
    return sum(len(pieces) for pieces in gone if pieces[-1] == color)


def cuts_off(goal: CutOff, step: PrimerStep, move: Move) -> bool:
    own, others = (own_losses(step.position, move, color) for color in (WHITE, BLACK))
    return own == 0 and others >= goal.pieces


def keeps_all(_goal: KeepAll, step: PrimerStep, move: Move) -> bool:
    after = step.position.play(move)
    assert after.turn is BLACK
    costs = [own_losses(after, reply, WHITE) for reply in after.legal_moves()]
    return own_losses(step.position, move, WHITE) == max(costs) == 0


def frees(_goal: Free, step: PrimerStep, move: Move) -> bool:
    assert step.stack is not None
    return move.source in neighbours(step.stack) and move.target != step.stack


def overloads(goal: Overload, step: PrimerStep, move: Move) -> bool:
    after = step.position.play(move)
    boards = (after, *(after.play(reply) for reply in after.legal_moves()))
    return move.target == goal.point and all(is_too_high(one, goal.point) for one in boards)


def places_well(goal: PlaceWell, step: PrimerStep, move: Move) -> bool:
    beside = [step.position.stacks.get(point) for point in neighbours(move.target)]
    return beside.count("R") >= goal.reds and (is_edge(move.target) or not goal.edge)


JUDGES: dict[type[Goal], Judge] = {
    AnyMove: lambda _goal, _step, _move: True,
    LandOn: lambda goal, step, move: step.position.stacks[move.target][-1] == (goal.owner or "R"),
    CutOff: cuts_off,
    KeepAll: keeps_all,
    Free: frees,
    Overload: overloads,
    Silence: lambda _goal, step, move: step.position.play(move).passed == (BLACK,),
    PlaceWell: places_well,
    End: lambda goal, step, move: move in moves_that_reach(step.position, goal.margin),
}


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_the_goals_decide_as_the_plain_rules_do(step: PrimerStep) -> None:
    judge = JUDGES[type(step.goal)]
    right = {move for move in step.position.legal_moves() if judge(step.goal, step, move)}
    assert set(step.solutions) == right


@pytest.mark.parametrize(
    "step", [one for one in STEPS if isinstance(one.goal, End)], ids=lambda step: step.name
)
def test_the_ends_that_are_shown_are_best_play(step: PrimerStep) -> None:
    assert isinstance(step.goal, End)
    for move in step.position.legal_moves():
        answer = step.answer(move)
        assert answer.end.phase is Phase.OVER
        margin = lead(answer.end, step.player)
        assert answer.right == (margin >= step.goal.margin)


def test_the_newsletters_stack_of_two_has_three_ways() -> None:
    step = find("pair")
    full = positions_of(random_game(1)[:49])[-1]
    # Its d1-d2, as it names the spaces; then Black moves elsewhere.
    first = parse_move("d1-d2", Coordinates.PERGIOCO)
    assert played(full.play(first), "j5-k5") == step.position
    assert step.stack == "b2"
    landings = step.position.destinations(Point("b2"))
    assert {Coordinates.PERGIOCO.label(point) for point in landings} == {"d4", "b4", "b2"}


def test_on_a_full_board_only_stacks_at_the_edge_can_move() -> None:
    position = find("surrounded").position
    assert len(position.stacks) == 49
    own = {point for point in POINTS if position.owner(point) is WHITE}
    can_move = {move.source for move in position.legal_moves()}
    assert can_move == {point for point in own if is_edge(point)}


def test_the_stack_of_three_jumps_over_gaps_alone() -> None:
    step = find("jump")
    (move,) = (one for one in step.choices if step.answer(one).right)
    assert move.source == step.stack == "h5"
    assert step.position.height(move.source) == 3
    assert not any(step.position.height(Point(point)) for point in ("f5", "g5"))


def test_the_first_games_other_claims() -> None:
    assert position_from_text(find("place").text).to_place == "W"
    assert only("take").removed == {}
    assert only("red").reds(find("red").solutions[0].target) == 1
    cut = find("cut").answer(*find("cut").solutions)
    assert cut.cut == (0, 4)
    assert only("pass").passed == (BLACK,)
    end = find("end")
    results = {str(move): end.position.play(move) for move in end.position.legal_moves()}
    assert {one.phase for one in results.values()} == {Phase.OVER}
    assert [one.winner for one in results.values()].count(WHITE) == 1


def test_who_is_freed_was_surrounded_and_can_move_then() -> None:
    step = find("free")
    assert step.stack is not None
    assert step.position.is_surrounded(step.stack)
    for move in step.solutions:
        own = Position.from_stacks(step.position.play(move).stacks, turn=WHITE)
        assert own.destinations(step.stack)


# An endgame among players' examples, whose tops are told: what lies below them was chosen here.
_ENDGAME = "2wbwbB5wW/bwbwBBB1B2WWW/BBrB1BrbBwwwWWRWW/BBbbwbbB4WWW/B5WWW W move"
_LINE = (
    "g3-c3 b2-c3 h2-h3 b4-c5 h3-f3 e2-f3 j2-k3 a3-b3 i1-k3 c5-c3 i2-i3 c2-c3 i3-k3 d4-j4 j3-j4 "
    "e3-f3 i4-j4 c4-b3"
)


def test_moves_beat_the_count_in_the_endgame() -> None:
    position = played(position_from_text(_ENDGAME), _LINE)
    step = find("alone")
    assert position == step.position
    assert only("alone") == find("shot").position
    assert position.score(BLACK) > position.score(WHITE)
    assert all(one.turn is not BLACK for one in reachable(position))
    end = step.answer(*step.solutions).end
    assert (end.score(WHITE), end.score(BLACK)) == (18, 15)


def test_the_shot_is_as_high_as_its_way_is_long() -> None:
    step = find("shot")
    (move,) = step.solutions
    assert step.stack is not None
    after = only("shot")
    assert after.height(move.target) == distance(move.target, step.stack)
    assert step.stack in after.destinations(move.target)
    assert after.owner(step.stack) is BLACK


def test_red_carried_off_leaves_black_with_nothing() -> None:
    step = find("carry")
    (move,) = step.solutions
    assert move.source is not None
    assert step.position.reds(move.source)
    assert only("carry").score(BLACK) == 0


@pytest.mark.parametrize("name", ["greed", "quiet"])
def test_the_biggest_cut_loses(name: str) -> None:
    step = find(name)
    answers = [step.answer(move) for move in step.position.legal_moves()]
    most = max(one.cut[1] for one in answers)
    assert most >= 4
    biggest = [one for one in answers if one.cut[1] == most]
    assert {one.end.winner for one in biggest} == {BLACK}


def test_the_quiet_move_takes_nothing_and_black_passes() -> None:
    step = find("quiet")
    (move,) = step.solutions
    assert step.position.owner(move.target) is WHITE
    assert only("quiet").removed == {}
    assert only("quiet").turn is WHITE


@pytest.mark.parametrize("name", ["load", "retake"])
def test_an_overloaded_stack_can_be_retaken_and_is_stuck_for_good(name: str) -> None:
    step = find(name)
    assert step.stack is not None
    theirs = Position.from_stacks(step.position.stacks, turn=BLACK)
    assert theirs.destinations(step.stack), "it could move until now"
    after = only(name)
    assert any(move.target == step.stack for move in after.legal_moves())
    assert all(move.source != step.stack for one in reachable(after) for move in one.legal_moves())


def test_who_takes_the_high_stack_is_taken_in_turn() -> None:
    step = find("spoil")
    take = parse_move("c3-c4")
    assert take.source == step.stack
    assert step.position.owner(take.target) is WHITE
    for move in step.position.legal_moves():
        assert take in step.position.play(move).legal_moves(), "nothing prevents it"
    back = [move for move in only("spoil").play(take).legal_moves() if move.target == take.target]
    assert back


def test_who_takes_what_is_offered_gets_stuck() -> None:
    (move,) = find("decoy").solutions
    after = only("decoy")
    takers = [reply for reply in after.legal_moves() if reply.target == move.target]
    assert takers
    for reply in takers:
        assert is_too_high(after.play(reply), move.target)


def test_behind_by_count_and_last_to_move() -> None:
    step = find("ahead")
    assert lead(step.position, WHITE) < 0
    answer = step.answer(*step.solutions)
    here = answer.after
    movers = [step.player]
    for move in answer.shown:
        assert here.turn is not None
        movers.append(here.turn)
        here = here.play(move)
    assert movers[-1] is WHITE


def test_the_quiet_start_of_a_quarrel() -> None:
    step = find("quarrel")
    assert step.position.score(BLACK) > 2 * step.position.score(WHITE)
    (move,) = step.solutions
    assert step.position.owner(move.target) is None
    assert only("quarrel").removed == {}
    assert move.target in {one.source for one in step.answer(move).shown}


def test_the_newsletters_reversal() -> None:
    # Where the newsletter leaves a stack's pieces open, they are chosen here.
    before = Position.from_stacks(
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
    assert move == parse_move("c7-c10", Coordinates.PERGIOCO)
    step = find("reversal")
    assert before.play(move) == step.position
    assert (step.position.score(WHITE), step.position.score(BLACK)) == (14, 12)
    assert all(one.turn is not WHITE for one in reachable(step.position))
    assert parse_move("b9-a9", Coordinates.PERGIOCO) in step.solutions
    for solution in step.solutions:
        end = step.answer(solution).end
        assert (end.score(BLACK), end.score(WHITE)) == (21, 5)


def test_where_nothing_is_ever_surrounded() -> None:
    for name in ("edge", "both"):
        for move in find(name).solutions:
            assert len(neighbours(move.target)) in {3, 4}
    for point in POINTS:
        column, row = column_row(point)
        around = [point_at(column + across, row + up) for across, up in DIRECTIONS]
        assert is_edge(point) == (None in around)


_AROUND = ((1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1))


def test_a_piece_between_two_reds_stays_linked_when_one_goes() -> None:
    step = find("between")
    (move,) = step.solutions
    reds = [point for point in neighbours(move.target) if step.position.stacks.get(point) == "R"]
    assert len(reds) == 2
