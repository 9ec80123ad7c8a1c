"""Tests for several placements or moves in one text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dvonn
from bot.base.spelling import LONGEST, split_else_next
from bot.play.model.refusals import BadList, ListProblem
from bot.play.model.typed import PlacementList, TypedTurn, next_placement, read_entry, read_plan
from tests.games import positions_of, random_game

STANDARD, PERGIOCO = dvonn.Coordinates.STANDARD, dvonn.Coordinates.PERGIOCO
EMPTY = dvonn.Position.initial()
FULL = positions_of(list(dvonn.balanced_start(5)))


def moves(*texts: str) -> tuple[dvonn.Move, ...]:
    return tuple(map(dvonn.parse_move, texts))


def spaces(text: str) -> tuple[dvonn.Point, ...]:
    return tuple(move.target for move in moves(*text.split()))


def read_turn(text: str, position: dvonn.Position = EMPTY) -> TypedTurn:
    return read_entry(text, STANDARD, position)


@pytest.mark.parametrize(
    ("text", "later", "else_next"),
    [
        ("b2", "", False),
        ("\u200eb2\u200f c3", "c3", False),
        ("b2 c3 d4", "c3 d4", False),
        ("B2, c3; d4.", "c3 d4", False),
        ("b2 c3, else next free", "c3", True),
        ("b2 c3 or else the next free one.", "c3", True),
        ("b2, c3, else, next", "c3", True),
        ("`b2 c3 else next space`", "c3", True),
        ("b2 c3\u00a0else\u00a0next\u00a0free", "c3", True),
        ("b2 else next free", "", False),
    ],
)
def test_the_first_space_is_placed_and_the_rest_is_kept(
    text: str, later: str, else_next: bool
) -> None:
    plan = PlacementList(spaces(later), else_next) if later else None
    assert read_turn(text) == TypedTurn(moves("b2"), plan)


@pytest.mark.parametrize(
    ("text", "rest", "found"),
    [
        ("b2, else next free", "b2", True),
        ("b2 OR ELSE THE NEXT FREE ONE", "b2", True),
        ("b2, something else next free", "b2, something", True),
        ("b2, else", "b2, else", False),
        ("b2 elsenext", "b2 elsenext", False),
        ("else next free, b2", "else next free, b2", False),
        ("b2 orelse next", "b2 orelse next", False),
        ("b2, sonst nächstes freie Feld", "b2", True),
        ("b2 sonst na\u0308chstes", "b2", True),
        ("b2, altrimenti la prossima casella libera.", "b2", True),
        ("b2, sinon la case libre suivante", "b2", True),
        ("b2, anders volgend vrij veld", "b2", True),
        ("b2, si no, la siguiente casilla libre", "b2", True),
        ("b2, sonst", "b2, sonst", False),
    ],
)
def test_otherwise_next_free_is_at_the_end(text: str, rest: str, found: bool) -> None:
    assert split_else_next(text) == (rest, found)


def test_a_taken_first_space_is_replaced_only_on_request() -> None:
    position = EMPTY.play(dvonn.parse_move("b2"))
    with pytest.raises(dvonn.IllegalMoveError) as caught:
        read_turn("b2 c3", position)
    assert caught.value.reason is dvonn.Reason.OCCUPIED
    assert read_turn("b2 c3 else next free", position) == TypedTurn(
        moves("c2"), PlacementList(spaces("c3"), True)
    )
    # The next space is not c2, which is listed later.
    assert read_turn("b2 c2 else next free", position) == TypedTurn(
        moves("d2"), PlacementList(spaces("c2"), True)
    )
    # The part of a text that moves a stack is not a space, taken or not.
    with pytest.raises(dvonn.IllegalMoveError):
        read_turn("a1-b2 else next free", position)
    # The space after the board's last one is the first.
    assert read_turn("k5 else next free", EMPTY.play(dvonn.parse_move("k5"))).moves == moves("a1")


@pytest.mark.parametrize(
    ("text", "problem", "space"),
    [
        ("b2 c3-d4", ListProblem.MOVE, ""),
        ("b2 c3 d4 c3", ListProblem.TWICE, "c3"),
        ("b2 c3 b2", ListProblem.TWICE, "b2"),
        ("b2 b2, else next free", ListProblem.TWICE, "b2"),
        ("b2 a1", ListProblem.TAKEN, "a1"),
        (" ".join(dvonn.POINTS[1:]), ListProblem.TOO_MANY, ""),
        ("b2 " * 200, ListProblem.TOO_LONG, ""),
    ],
)
def test_a_list_that_is_too_long_is_refused_with_the_limit(
    text: str, problem: ListProblem, space: str
) -> None:
    position = EMPTY.play(dvonn.parse_move("a1"))
    with pytest.raises(BadList) as caught:
        read_turn(text, position)
    assert (caught.value.problem, caught.value.space) == (problem, space)
    limit = {ListProblem.TOO_MANY: 24, ListProblem.TOO_LONG: LONGEST}.get(problem, 0)
    assert caught.value.limit == limit


def test_the_longest_list_that_can_be_needed_fits() -> None:
    white = [
        str(move)
        for move, at in zip(dvonn.balanced_start(1), FULL, strict=False)
        if at.turn is dvonn.Color.WHITE
    ]
    assert len(white) == 25
    entry = read_turn(", ".join(white) + ", or else the next free one")
    assert isinstance(entry.plan, PlacementList)
    assert len(entry.plan.spaces) == 24


def test_no_text_is_longer_than_the_limit() -> None:
    assert read_turn("b2".ljust(LONGEST)).moves == moves("b2")
    with pytest.raises(BadList):
        read_turn("b2".ljust(LONGEST + 1))


def test_taken_spaces_may_be_listed_if_the_next_free_ones_do() -> None:
    position = EMPTY.play(dvonn.parse_move("a1"))
    assert read_turn("b2 a1, else next free", position).plan == PlacementList(spaces("a1"), True)


@pytest.mark.parametrize("to", ["to", "a", "à", "A", "nach", "naar"])
def test_a_move_is_read_with_each_languages_word_between_its_spaces(to: str) -> None:
    move = FULL[-1].legal_moves()[0]
    assert read_turn(f"{move.source} {to} {move.target}", FULL[-1]) == TypedTurn((move,))


@pytest.mark.parametrize("text", ["pass", "Paso", "passo.", "je passe", "ich passe", "ik pas"])
def test_the_word_for_passing_is_known_in_each_language(text: str) -> None:
    with pytest.raises(dvonn.NotationError) as refused:
        read_turn(text)
    assert refused.value.problem is dvonn.NotationProblem.PASS


def test_a_list_is_read_in_the_games_coordinates() -> None:
    assert read_entry("b2 c3 else next", PERGIOCO, EMPTY).plan == PlacementList(spaces("c3"), True)
    assert read_entry("d2 e1", PERGIOCO, EMPTY) == TypedTurn(
        moves("b2"), PlacementList(spaces("a1"))
    )


def test_white_places_the_last_piece_and_moves_in_one_text() -> None:
    before, after = FULL[48], FULL[49]
    last, first = dvonn.balanced_start(5)[48], after.legal_moves()[0]
    assert after.turn is dvonn.Color.WHITE
    for text in (f"{last} {first}", f"{last}, {first.source} {first.target}"):
        assert read_turn(text, before) == TypedTurn((last, first))
    with pytest.raises(dvonn.NotationError) as caught:
        read_turn(f"{last} {first} {first}", before)
    assert caught.value.problem is dvonn.NotationProblem.SEVERAL_MOVES
    with pytest.raises(dvonn.IllegalMoveError):
        read_turn(f"{last} {last}", before)


def test_in_the_movement_one_move_is_the_rule() -> None:
    position = FULL[49]
    first = position.legal_moves()[0]
    assert read_turn(f"{first.source} {first.target}", position) == TypedTurn((first,))
    reply = position.play(first).legal_moves()[0]
    with pytest.raises(dvonn.NotationError) as several:
        read_turn(f"{first} {reply}", position)
    error = several.value
    assert (error.problem, error.at) == (dvonn.NotationProblem.SEVERAL_MOVES, 0)
    assert error.text == f"{first} {reply}"
    with pytest.raises(BadList) as late:
        read_turn(f"{first}, else next free", position)
    assert late.value.problem is ListProblem.NOT_PLACING


def run_out() -> tuple[dvonn.Position, list[dvonn.Move]]:
    """Return a position of a random game after which only one side moves, and its moves."""
    for seed in range(200):
        game = random_game(seed)
        at = positions_of(game)
        first = len(game)
        while first > 49 and at[first - 1].turn is at[len(game) - 1].turn:
            first -= 1
        if len(game) - first >= 4:
            return at[first], game[first:]
    raise AssertionError("no such game")


def test_a_lone_player_can_enter_all_remaining_moves() -> None:
    position, rest = run_out()
    text = ", ".join(map(str, rest))
    assert read_turn(text, position) == TypedTurn(tuple(rest))
    some = read_turn(" ".join(map(str, rest[:3])), position)
    assert some == TypedTurn(tuple(rest[:3]))
    for more in (f"{text}, {rest[0]}", f"{text} a1"):
        with pytest.raises(dvonn.NotationError) as caught:
            read_turn(more, position)
        assert caught.value.problem is dvonn.NotationProblem.SEVERAL_MOVES
    with pytest.raises(dvonn.IllegalMoveError):
        read_turn(f"{rest[0]}, {rest[0]}", position)


def test_a_plan_places_on_free_spaces_and_skips_taken_ones() -> None:
    position = EMPTY.play(dvonn.parse_move("b2")).play(dvonn.parse_move("c3"))
    assert next_placement(PlacementList(spaces("b2 d4 e5")), position) == (
        dvonn.parse_move("d4"),
        PlacementList(spaces("e5")),
    )
    assert next_placement(PlacementList(spaces("b2 d4")), position) == (
        dvonn.parse_move("d4"),
        None,
    )
    assert next_placement(PlacementList(spaces("b2 c3")), position) == (None, None)
    # The next space is not d3, which is listed later.
    plan = PlacementList(spaces("c3 d3"), else_next=True)
    assert next_placement(plan, position) == (
        dvonn.parse_move("e3"),
        PlacementList(spaces("d3"), True),
    )


def test_the_next_free_space_may_be_one_that_is_wanted_later() -> None:
    position = EMPTY
    for point in dvonn.POINTS[:47]:
        position = position.play(dvonn.Move(target=point))
    left = dvonn.POINTS[47:]
    plan = PlacementList((dvonn.POINTS[0], *left), else_next=True)
    assert next_placement(plan, position) == (dvonn.Move(target=left[0]), PlacementList(left, True))


def test_a_plan_is_read_completely() -> None:
    assert read_plan("b2 c3", STANDARD, EMPTY) == PlacementList(spaces("b2 c3"))
    assert read_plan("b2, else next", STANDARD, EMPTY) == PlacementList(spaces("b2"), True)
    assert read_plan("d2 e1", PERGIOCO, EMPTY) == PlacementList(spaces("b2 a1"))
    taken = EMPTY.play(dvonn.parse_move("b2"))
    assert read_plan("b2, else next", STANDARD, taken) == PlacementList(spaces("b2"), True)
    with pytest.raises(dvonn.NotationError):
        read_plan("else next free", STANDARD, EMPTY)
    with pytest.raises(BadList):
        read_plan("b2 " * 200, STANDARD, EMPTY)


def texts() -> st.SearchStrategy[str]:
    """Generate lists, near-lists, and arbitrary texts."""
    points = st.sampled_from([*dvonn.POINTS, "z9", "a0", "pass", "else"])
    joints = st.sampled_from([" ", ", ", "-", " to ", "", " else next free", "!", "\n"])
    listed = st.lists(st.tuples(points, joints), max_size=30).map(
        lambda parts: "".join(point + joint for point, joint in parts)
    )
    return listed | st.text(max_size=40)


def positions() -> st.SearchStrategy[dvonn.Position]:
    """Generate positions of random games, often near the end of the placement or of the game."""

    def pick(seed: int, ply: int) -> dvonn.Position:
        at = positions_of(random_game(seed))
        return at[ply % len(at)]

    plies = st.integers(0, 100) | st.integers(45, 52) | st.integers(-8, -1)
    return st.builds(pick, st.integers(0, 50), plies)


@given(texts(), positions(), st.sampled_from(dvonn.Coordinates))
def test_any_text_is_played_as_the_rules_have_it_or_refused(
    text: str, position: dvonn.Position, coordinates: dvonn.Coordinates
) -> None:
    try:
        entry = read_entry(text, coordinates, position)
    except (dvonn.NotationError, dvonn.IllegalMoveError, BadList):
        return
    mover, at = position.turn, position
    assert entry.moves
    for move in entry.moves:
        assert at.turn is mover
        assert move in at.legal_moves()
        at = at.play(move)
    if entry.plan is not None:
        assert position.phase is dvonn.Phase.PLACEMENT
        assert isinstance(entry.plan, PlacementList)
        listed = entry.plan.spaces
        assert 1 <= len(listed) == len(set(listed)) <= 24
        assert entry.plan.else_next or all(at.height(space) == 0 for space in listed)
        assert entry.plan.else_next or not set(listed) & {move.target for move in entry.moves}


@given(
    positions(),
    st.lists(st.sampled_from(dvonn.POINTS), min_size=1, max_size=24, unique=True),
    st.booleans(),
)
def test_a_plan_makes_only_legal_placements_and_ends(
    position: dvonn.Position, listed: list[dvonn.Point], else_next: bool
) -> None:
    plan: PlacementList | None = PlacementList(tuple(listed), else_next)
    while plan is not None and position.phase is dvonn.Phase.PLACEMENT:
        left = len(plan.spaces)
        move, plan = next_placement(plan, position)
        assert plan is None or len(plan.spaces) < left
        if move is None:
            assert plan is None
            assert not else_next
            break
        assert move in position.legal_moves()
        position = position.play(move)
