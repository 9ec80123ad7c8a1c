"""The primer: its positions are real, its goals decide as told, and what it claims is so."""

import random
from collections.abc import Callable, Iterator
from itertools import product
from math import sqrt
from statistics import mean, variance
from typing import Any

import pytest

from dvonn import (
    Color,
    Coordinates,
    Move,
    Phase,
    Point,
    Position,
    neighbours,
    parse_move,
    position_from_text,
    position_to_text,
)
from dvonn.engine.analysis import analyse
from dvonn.engine.player import player_at
from dvonn.motifs import is_too_high
from dvonn.primer import (
    CHAPTERS,
    HANDBOOK,
    STEPS,
    AnyMove,
    Best,
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
    movers,
)
from dvonn.puzzles import find as find_puzzle
from dvonn.solver import Solver
from tests.dvonn.plain_search import lead, moves_that_reach
from tests.dvonn.vectors import DATA
from tests.games import positions_of, random_game

WHITE, BLACK = Color
# From which random game a position is, and after how many plies.
GAMES = {
    "place": (8, 40),
    "single": (5174, 69),
    "jump": (8687, 75),
    "surrounded": (1, 49),
    "take": (5075, 73),
    "red": (7385, 75),
    "cut": (10106, 73),
    "link": (1626, 77),
    "pass": (8255, 77),
    "end": (16913, 75),
    "free": (2621, 75),
    "silence": (5540, 71),
    "lifeline": (5780, 75),
    "carry": (8230, 73),
    "load": (958, 69),
    "retake": (12892, 73),
    "reds": (15, 2),
    "edge": (100, 42),
    "beside": (13, 10),
}
PLAYED = {
    "bridge": (389, 81),
    "choke": (128, 83),
    "severed": (161, 79),
    "outpost": (29, 79),
    "back": (316, 75),
    "guard": (53, 79),
    "swoop": (70, 77),
    "trade": (244, 79),
    "snipe": (21, 79),
    "lift": (180, 81),
    "sniper": (291, 81),
    "offering": (379, 81),
    "melee": (302, 61),
    "settle": (167, 83),
    "heap": (210, 83),
    "rescue": (239, 77),
    "reserve": (315, 73),
    "order": (225, 85),
    "patience": (314, 81),
    "tempo": (332, 75),
}
"""From which game of the engine with itself a position is, and after how many plies."""
PUZZLES = {
    "greed": "1b6a7121",
    "quiet": "d9745d52",
    "spoil": "9e9b9c74",
    "decoy": "56134b58",
    "ahead": "6b2d370a",
    "quarrel": "b370d595",
}
SOLVED = {
    "take": ("c5-c4", (0, 0), 0),
    "red": ("c3-c4", (0, 0), 0),
    "cut": ("b3-b1", (0, 4), 4),
    "link": ("k4-i2", (0, 0), 2),
    "pass": ("k3-h3", (0, 0), 3),
    "end": ("d5-c5", (1, 0), 0),
    "free": ("h1-h3 i2-g2", (0, 0), 0),
    "silence": ("a1-a3", (0, 0), 0),
    "alone": ("j5-k5", (1, 0), 0),
    "shot": ("k5-k3", (0, 0), 0),
    "lifeline": ("k3-i3", (0, 0), 1),
    "carry": ("b3-d5", (0, 8), 8),
    "greed": ("f3-d3", (1, 0), 4),
    "quiet": ("d4-e4", (0, 0), 5),
    "bridge": ("i2-k4", (0, 0), 2),
    "choke": ("j3-j5", (0, 0), 0),
    "severed": ("b4-c4", (0, 13), 13),
    "outpost": ("b3-g3", (2, 5), 6),
    "back": ("e3-d3", (0, 0), 0),
    "guard": ("e5-c3", (0, 0), 0),
    "swoop": ("d4-c4", (0, 0), 0),
    "trade": ("e2-e4", (0, 2), 2),
    "load": ("b2-b3", (0, 2), 2),
    "retake": ("e3-b3", (0, 0), 0),
    "spoil": ("a3-a2", (0, 0), 0),
    "decoy": ("c1-d1", (0, 0), 0),
    "snipe": ("g1-g2", (0, 0), 0),
    "lift": ("k3-k4", (0, 0), 0),
    "sniper": ("h2-h3", (0, 0), 0),
    "offering": ("i4-h3", (5, 0), 0),
    "melee": ("f4-f5", (0, 0), 0),
    "settle": ("c3-c2", (0, 0), 0),
    "heap": ("c5-c2", (0, 0), 0),
    "rescue": ("a3-b3", (0, 0), 0),
    "ahead": ("k3-j2", (0, 0), 0),
    "quarrel": ("c4-b3", (0, 0), 0),
    "reversal": ("j2-j4 i4-i5", (0, 0), 0),
    "reserve": ("b3-b1", (0, 0), 4),
    "order": ("k4-i4", (0, 0), 5),
    "patience": ("e5-d5", (0, 0), 5),
    "tempo": ("a1-a3", (0, 0), 0),
    "reds": ("h1 i1 h2 i2 j2 h3 i3 j3 k3 h4 i4 j4 k4 h5 i5 j5 k5", (0, 0), 0),
    "edge": ("b3", (0, 0), 0),
    "beside": ("g1 h1 i2 b3 h3 i3 b4 g4 h4", (0, 0), 0),
}
"""The right moves of a step, the pieces that each cuts off of White and of Black, and the most that
any move cuts off of the other."""
STACKS = {
    "single": "d5",
    "pair": "b2",
    "jump": "h5",
    "free": "h2",
    "shot": "c3",
    "bridge": "j3",
    "choke": "i3",
    "back": "d3",
    "guard": "e3",
    "load": "b3",
    "retake": "b3",
    "spoil": "c3",
    "snipe": "i4",
    "settle": "b2",
}
"""The stack that a step is about."""
ENGINES_GAMES = (DATA / "selfplay.txt").read_text(encoding="utf-8").splitlines()
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


def answers_on(step: PrimerStep) -> list[Position]:
    """The boards after the only right move and each reply that lands where it did."""
    (solution,) = step.solutions
    after = step.position.play(solution)
    return [after.play(one) for one in after.legal_moves() if one.target == solution.target]


def only(name: str) -> Position:
    """The position after the only right move of a step."""
    step = find(name)
    (solution,) = step.solutions
    return step.position.play(solution)


def test_there_are_a_first_game_and_ten_short_chapters() -> None:
    assert [len(chapter.steps) for chapter in CHAPTERS] == [10, 4, 4, 4, 4, 4, 4, 4, 3, 4, 4]
    assert len({step.name for step in STEPS}) == len(STEPS)
    assert set(GAMES) | set(PLAYED) | set(PUZZLES) | TOLD_HERE == {step.name for step in STEPS}
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


@pytest.mark.parametrize("name", PLAYED)
def test_a_position_stood_in_a_game_of_the_engine(name: str) -> None:
    seed, plies = PLAYED[name]
    (game,) = (line for line in ENGINES_GAMES if line.startswith(f"{seed} "))
    played_so_far = positions_of(moves(game.partition(" ")[2])[:plies])
    assert position_to_text(played_so_far[-1]) == find(name).text


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


def apart(position: Position, point: Point) -> int:
    """The steps from a point to all red pieces together."""
    steps, ring, seen = 0, {point}, {point}
    total = 0
    while len(seen) < 49:
        steps += 1
        ring = {near for one in ring for near in neighbours(one)} - seen
        total += steps * sum(map(position.reds, ring))
        seen |= ring
    return total


def places_well(goal: PlaceWell, step: PrimerStep, move: Move) -> bool:
    rings = [{move.target}]
    while not any(step.position.reds(point) for point in rings[-1]):
        rings.append({point for near in rings[-1] for point in neighbours(near)})
    beside = [step.position.stacks.get(point) for point in neighbours(move.target)]
    if goal.apart:
        return apart(step.position, move.target) >= goal.apart
    if len(rings) - 1 > goal.steps:
        return False
    return beside.count("R") >= goal.reds


JUDGES: dict[type[Goal], Judge] = {
    AnyMove: lambda _goal, _step, _move: True,
    Best: lambda _goal, step, move: move in moves(SOLVED[step.name][0]),
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


def worth(step: PrimerStep) -> dict[Move, int]:
    """The pieces more than the other's with which the player to move ends, after each move."""
    solver = Solver(step.player)
    return {move: solver.exact(step.position.play(move), 0) for move in step.position.legal_moves()}


@pytest.mark.parametrize(
    "step",
    [
        step
        for step in STEPS
        if step.position.phase is Phase.MOVEMENT and not isinstance(step.goal, AnyMove | Best)
    ],
    ids=lambda step: step.name,
)
def test_what_a_lesson_calls_right_is_best_and_what_it_calls_wrong_is_worse(
    step: PrimerStep,
) -> None:
    values = worth(step)
    right = [values.pop(move) for move in step.solutions]
    assert min(right) > max(values.values())
    won, best = (margin > 0 for margin in (min(right), max(right)))
    assert won is best
    if step.name != "retake":  # it loses by the least
        assert won


def test_the_right_moves_are_those_that_were_looked_at() -> None:
    asking = [step for step in STEPS if not isinstance(step.goal, AnyMove)]
    assert [step.name for step in asking] == list(SOLVED)
    assert {step.name: step.stack for step in STEPS if step.stack is not None} == STACKS
    for step in asking:
        solutions, cut, most_cut = SOLVED[step.name]
        assert step.solutions == tuple(moves(solutions))
        assert {step.answer(move).cut for move in step.solutions} == {cut}
        assert step.most_cut == most_cut


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


def test_what_is_said_of_single_steps_is_so() -> None:
    for name in ("load", "retake"):  # "even if Black takes it back"
        assert answers_on(find(name)), name
    taken = answers_on(find("decoy"))  # "Black may take it, but gets stuck there"
    assert taken
    assert all(is_too_high(one, find("decoy").solutions[0].target) for one in taken)
    for name in ("greed", "quiet"):  # the biggest cut loses
        step, values = find(name), worth(find(name))
        greedy = [move for move in values if step.answer(move).cut[1] == step.most_cut > 3]
        assert greedy
        assert all(values[move] < 0 for move in greedy)
    quiet, (move,) = find("quiet"), find("quiet").solutions
    after = quiet.position.play(move)
    assert not after.removed
    assert after.passed == (BLACK,)
    spoil, tall = find("spoil"), Point("c4")
    take = Move(source=spoil.stack, target=tall)
    for move in spoil.position.legal_moves():  # "you can't stop that"
        assert take in spoil.position.play(move).legal_moves()
    takes = [move for move in only("spoil").legal_moves() if move.target == tall]
    assert take in takes
    for move in takes:  # "anything that takes your tall stack gets retaken"
        assert any(one.target == tall for one in only("spoil").play(move).legal_moves())
    (move,) = find("quarrel").solutions  # "it takes nothing at once, but can take more later"
    assert find("quarrel").position.stacks[move.target] == "R"
    assert find("quarrel").answer(move).shown[0].source == move.target


def landing(position: Position, point: Point) -> list[Move]:
    return [move for move in position.legal_moves() if move.target == point]


@pytest.mark.parametrize("name", ["guard", "settle"])
def test_a_tall_stack_would_be_taken_straight_back(name: str) -> None:
    step = find(name)
    assert step.stack is not None
    taking = landing(step.position, step.stack)
    assert taking
    assert all(landing(step.position.play(move), step.stack) for move in taking)
    assert not landing(only(name), step.solutions[0].target), "what one takes instead stays"


@pytest.mark.parametrize("name", ["bridge", "choke"])
def test_a_link_that_moves_costs_stacks_of_ones_own(name: str) -> None:
    step = find(name)
    costs = {move: step.answer(move).cut[0] for move in step.position.legal_moves()}
    assert all((cost > 0) is (move.source == step.stack) for move, cost in costs.items())


def test_what_is_said_of_the_engines_games_is_so() -> None:
    back = find("back")
    seed, plies = PLAYED["back"]
    (game,) = (line for line in ENGINES_GAMES if line.startswith(f"{seed} "))
    before, taken = positions_of(moves(game.partition(" ")[2])[:plies])[-2:]
    assert back.stack is not None
    assert (before.owner(back.stack), taken.owner(back.stack)) == (WHITE, BLACK)
    assert back.solutions[0].target == back.stack
    assert only("guard").passed == (BLACK,)
    snipe = find("snipe")
    (built,) = snipe.solutions
    shot = Move(source=built.target, target=snipe.stack or Point("a1"))
    assert shot in find("snipe").answer(built).shown
    assert snipe.position.owner(shot.target) is BLACK
    (lifted,) = find("lift").solutions
    assert find("lift").position.owner(lifted.target) is WHITE
    assert lifted.target in [move.source for move in find("lift").answer(lifted).shown]
    reserve, cut = find("reserve"), parse_move("a2-a3")
    assert reserve.answer(cut).cut[1] == reserve.most_cut
    for reply in only("reserve").legal_moves():  # "Black can't stop it any more"
        assert own_losses(only("reserve").play(reply), cut, BLACK) == reserve.most_cut
    order = find("order")
    assert Position.from_stacks(order.position.stacks, turn=BLACK).turn is not BLACK
    lengths = {move: len(order.answer(move).shown) for move in order.position.legal_moves()}
    assert {lengths.pop(move) for move in order.solutions} == {1}
    assert set(lengths.values()) == {0}
    assert only("choke").height(find("choke").solutions[0].target) > 2


def test_the_melees_move_leaves_most_stacks_free() -> None:
    step = find("melee")

    def lead_in_movers(move: Move) -> int:
        own, other = movers(step.position.play(move), WHITE)
        return own - other

    best = lead_in_movers(*step.solutions)
    assert best == max(map(lead_in_movers, step.position.legal_moves()))
    assert all(lead_in_movers(move) < best for move in step.choices if move not in step.solutions)


def test_the_handbook_shows_what_its_words_mean() -> None:
    shown = {word: find(name) for word, name in HANDBOOK.items()}
    assert len(set(HANDBOOK.values())) == len(HANDBOOK), "each word has a picture of its own"
    first = {word: step.solutions[0] for word, step in shown.items()}
    own = {word: step.position.owner(first[word].target) is WHITE for word, step in shown.items()}
    assert own["selfstacking"]
    assert own["lifting"]
    tower = shown["towersingle"].position
    source, target = first["towersingle"].source, first["towersingle"].target
    assert source is not None
    assert tower.height(source) > tower.height(target) == 1
    assert tower.owner(target) is shown["neutralise"].position.owner(Point("c4")) is BLACK
    every = [shown["selfcut"].answer(move) for move in shown["selfcut"].position.legal_moves()]
    assert all(answer.cut[0] for answer in every)
    assert shown["sacrifice"].answer(first["sacrifice"]).cut[0]
    line = shown["string"].position.play(first["string"])
    joined = [point for point in line.stacks if line.owner(point) is WHITE]
    assert all(any(near in joined for near in neighbours(point)) for point in joined)


@pytest.mark.parametrize(
    ("nodes", "low", "high"),
    [
        (50_000, 0.3, 0.6),
        pytest.param(8_000_000, 0.3, 0.9, marks=pytest.mark.thorough("eight million positions")),
    ],
)
def test_the_melees_move_is_best_by_far_of_those_to_choose_from(
    nodes: int, low: float, high: float
) -> None:
    step = find("melee")
    lines = analyse(step.position, nodes=nodes, lines=len(step.position.legal_moves())).lines
    chances = {line.moves[0]: line.win_probability for line in lines}
    assert lines[0].moves[0] in step.solutions
    assert all((chances[move] > high) is (move in step.solutions) for move in step.choices)
    assert all((chances[move] < low) is (move not in step.solutions) for move in step.choices)


def played_out(position: Position, seed: int) -> int:
    """White's lead at the end, where the rest is placed by chance and played on level 11."""
    rng = random.Random(seed)
    while position.phase is Phase.PLACEMENT:
        position = position.play(rng.choice(position.legal_moves()))
    players = {color: player_at(11, rng.getrandbits(30)) for color in Color}
    while position.turn is not None:
        position = position.play(players[position.turn].choose(position))
    return lead(position, WHITE)


@pytest.mark.thorough("plays 1,000 games to the end")
def test_placing_near_red_is_worth_pieces() -> None:
    step = find("edge")
    ends = {
        move: [played_out(step.position.play(move), seed) for seed in range(150)]
        for move in step.position.legal_moves()
    }
    right = [ends.pop(move) for move in step.solutions]
    for good, bad in product(right, ends.values()):
        error = sqrt((variance(good) + variance(bad)) / 150)
        assert mean(good) - mean(bad) > 2 * error


def test_the_newsletters_stack_of_two_has_three_ways() -> None:
    step = find("pair")
    full = positions_of(random_game(1)[:49])[-1]
    # Its d1-d2, as it names the spaces; then Black moves elsewhere.
    first = parse_move("d1-d2", Coordinates.PERGIOCO)
    assert played(full.play(first), "j5-k5") == step.position
    assert step.stack == "b2"
    landings = step.position.destinations(Point("b2"))
    assert {Coordinates.PERGIOCO.label(point) for point in landings} == {"d4", "b4", "b2"}


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
