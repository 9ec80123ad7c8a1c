"""Tests for the library for programs: numbers, planes, hashes, symmetries, batches."""

import doctest
import importlib
from collections.abc import Sequence
from functools import reduce
from operator import xor
from typing import cast

import pytest

from dvonn import Color, IllegalMoveError, Move, NotationError, Phase, Position, parse_move
from dvonn._rules.bitboard import PLACEMENTS
from dvonn._rules.board import POINTS, SYMMETRIES, column_row, distance
from dvonn.actions import ACTIONS, action_mask, action_of, legal_actions, move_of
from dvonn.arrays import PLANES, cells, planes
from dvonn.hashing import mix, position_hash
from dvonn.perft import divide, perft
from dvonn.simulation import at_random, simulate
from dvonn.symmetries import canonical, image_of, image_of_move, images
from tests.games import positions_of, random_game

SOME = [position for seed in range(3) for position in positions_of(random_game(seed))]
MODULES = ("actions", "arrays", "hashing", "perft", "simulation", "symmetries", "_records.tree")


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_hold(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"dvonn.{name}"))
    assert result.attempted > 2
    assert result.failed == 0


def test_legal_moves_are_numbers_and_back() -> None:
    for position in SOME:
        actions = legal_actions(position)
        assert len(set(actions)) == len(actions)
        assert tuple(move_of(action, position) for action in actions) == position.legal_moves()
        assert [n for n, legal in enumerate(action_mask(position)) if legal] == sorted(actions)


def test_every_move_has_a_number_and_all_are_used() -> None:
    movements = [Move(source=a, target=b) for a in POINTS for b in POINTS if distance(a, b)]
    numbers = {action_of(move) for move in (*PLACEMENTS, *movements)}
    # Some numbers are unused: those of moves that would leave the board.
    assert numbers < set(range(ACTIONS))
    assert ACTIONS == len(action_mask(Position.initial())) == 343
    assert len(numbers) == 49 + 6 * 49 - sum(
        6 - len({action_of(m) for m in movements if m.source == point}) for point in POINTS
    )


@pytest.mark.parametrize("action", [-1, ACTIONS, 49 + 3, 49 + 6 * 20])
def test_numbers_of_no_move_are_refused(action: int) -> None:
    with pytest.raises(ValueError, match=str(action)):
        move_of(action, Position.initial().after("a1"))


@pytest.mark.parametrize("text", ["a1-b3", "a1-a1"])
def test_moves_along_no_line_have_no_number(text: str) -> None:
    with pytest.raises(ValueError, match="line"):
        action_of(parse_move(text))


def test_after_plays_moves_and_texts() -> None:
    position = Position.initial().after("D2", Move(target=POINTS[0]))
    assert position == Position.initial().play(parse_move("d2")).play(parse_move("a1"))
    assert position.after() is position
    with pytest.raises(IllegalMoveError):
        position.after("a2", "d2")
    with pytest.raises(NotationError):
        position.after("pass")


def test_lines_are_counted() -> None:
    ready = SOME[49]
    assert perft(ready, 0) == 1
    assert perft(ready, 1) == len(ready.legal_moves())
    counts = divide(ready, 2)
    assert list(counts) == list(ready.legal_moves())
    assert sum(counts.values()) == perft(ready, 2)
    with pytest.raises(ValueError, match="-1"):
        perft(ready, -1)


def test_the_four_forms_are_the_same_for_the_rules() -> None:
    for position in SOME[::7]:
        forms = images(position)
        assert forms[0] == position
        assert len({perft(form, 1 + (position.plies > 50)) for form in forms}) == 1
        for form, symmetry in zip(forms, SYMMETRIES, strict=True):
            assert image_of(form, symmetry) == position  # each is its own inverse
            for move in position.legal_moves()[::9]:
                played = form.play(image_of_move(move, symmetry))
                assert played == image_of(position.play(move), symmetry)
                assert len(played.removed) == len(position.play(move).removed)
    assert len({canonical(form) for form in images(SOME[60])}) == 1
    assert canonical(SOME[60]) != canonical(SOME[61])


def test_hashes_distinguish_positions_and_never_change() -> None:
    hashes = {position_hash(position): position for position in SOME}
    assert len(hashes) == len(set(SOME))
    again = Position.from_stacks(SOME[80].stacks, turn=SOME[80].turn or Color.WHITE)
    assert position_hash(again) == position_hash(SOME[80])
    # The first three numbers of Vigna's splitmix64.c with seed 0.
    assert [mix(n) for n in (1, 2, 3)] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]
    assert position_hash(Position.initial().after("a1")) == 0xC21AC387BA5C7A4D
    stacks = {"a1": "W", "b1": "B", "b2": "R"}
    one, other = (Position.from_stacks(stacks, turn=turn) for turn in Color)
    parts = [7205 + 1, 1 + 1, 147 + 2 + 1, 147 * 10 + 1]
    assert position_hash(one) == reduce(xor, map(mix, parts))
    assert position_hash(other) == position_hash(one) ^ mix(7206) ^ mix(7207)


def test_planes_show_the_board_from_the_movers_side() -> None:
    for position in SOME[::5]:
        rows = cast("list[list[list[int]]]", planes(position).tolist())
        told = dict(zip(PLANES, rows, strict=True))
        mover = position.turn or Color.WHITE
        for point in POINTS:
            column, row = column_row(point)
            seen = {name: plane[row][column] for name, plane in told.items()}
            assert seen == {
                "board": 1,
                "own": position.owner(point) is mover,
                "other": position.owner(point) is mover.opponent,
                "red": position.reds(point),
                "height": position.height(point),
                "stuck": position.is_surrounded(point),
                "placing": position.phase is Phase.PLACEMENT,
                "placing red": position.to_place == "R",
                "white": mover is Color.WHITE,
            }
        assert sum(sum(row) for row in told["board"]) == 49
        assert [bool(cell) for cell in cells(position)] == [
            point in position.stacks for point in POINTS
        ]


def test_many_games_are_played_at_once() -> None:
    starts = [SOME[49], Position.initial(), SOME[80]]
    sizes = []
    choose = at_random(1)

    def counting(positions: Sequence[Position]) -> Sequence[Move]:
        sizes.append(len(positions))
        return choose(positions)

    games = simulate(starts, counting)
    assert [start.after(*game.moves) for start, game in zip(starts, games, strict=True)] == [
        game.position for game in games
    ]
    assert {game.position.phase for game in games} == {Phase.OVER}
    assert sizes == sorted(sizes, reverse=True)
    assert (sizes[0], sizes[-1], len(sizes)) == (3, 1, len(games[1].moves))
    assert [game.moves for game in simulate(starts, at_random(1))] == [g.moves for g in games]
    assert [len(game.moves) for game in simulate(starts, at_random(1), plies=2)] == [2, 2, 2]
    with pytest.raises(ValueError, match="shorter"):
        simulate(starts, lambda positions: positions[0].legal_moves()[:1])
