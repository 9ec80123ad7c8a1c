"""Tests for a move's immediate advantages, and of the other moves that share them."""

from collections.abc import Mapping

import pytest

from dvonn import Color, Motif, Move, Position, parse_move, parse_point
from dvonn.reviews.at_once import Advantage, advantages, effect
from dvonn.reviews.review import ProvenReason
from tests.dvonn.plain_rules import BOARD, OTHER, STEPS, PlainPosition, move_of, name
from tests.games import positions_of, random_game


def advantages_by_motif(stacks: dict[str, str], played: str, better: str) -> dict[Motif, Advantage]:
    position = Position.from_stacks(stacks, turn=Color.WHITE)
    both = advantages(position, parse_move(played), parse_move(better))
    return {advantage.reason.motif: advantage for advantage in both}


def names(moves: frozenset[Move]) -> set[str]:
    return {*map(str, moves)}


LINE = {"a1": "W", "b1": "B", "c1": "R", "d1": "BB", "e1": "W", "f1": "W", "g1": "R"}


def test_a_spot_is_shared_by_all_moves_that_land_there() -> None:
    stacks = {"a1": "W", "b1": "B", "b2": "W", "c1": "R", "e1": "W", "d1": "W"}
    spot = advantages_by_motif(stacks, "e1-d1", "a1-b1")[Motif.SPOT]
    assert (spot.reason.point, spot.reason.count) == ("b1", 1)
    assert names(spot.alike) == {"a1-b1", "b2-b1"}
    assert Motif.SPOT not in advantages_by_motif(stacks, "b2-b1", "a1-b1"), "both land there"


def test_a_safe_take_is_of_a_taller_stack_that_no_reply_takes_back() -> None:
    safe = advantages_by_motif(LINE, "a1-b1", "e1-d1")[Motif.SAFE_TAKE]
    assert (safe.reason.point, safe.reason.count) == ("d1", 2)
    assert str(safe.reason.line[0]) == "e1-d1"
    assert Motif.SAFE_TAKE not in advantages_by_motif(LINE, "e1-d1", "a1-b1"), "one piece"
    near = LINE | {"d2": "B"}
    assert Motif.SAFE_TAKE not in advantages_by_motif(near, "a1-b1", "e1-d1"), (
        "it would be taken back"
    )


def test_moves_with_the_same_effect_take_the_same_stack_or_cut_off_half_as_much() -> None:
    stacks = {"a1": "R", "b1": "W", "c1": "BB", "d1": "WB", "e1": "B", "d2": "W", "a2": "W"}
    position = Position.from_stacks(stacks, turn=Color.WHITE)
    better = parse_move("b1-a1")
    assert set(position.play(better).removed) == {"c1", "d1", "e1", "d2"}
    cut = ProvenReason(motif=Motif.CUT_OFF, sufferer=Color.BLACK, line=(better,), count=5)
    assert names(effect(position, cut).alike) == {"b1-a1", "b1-c1"}, "of 5 pieces, and of 3"
    assert names(effect(position, cut.replace(count=7)).alike) == {"b1-a1"}
    assert names(effect(position, cut.replace(sufferer=Color.WHITE)).alike) == {"b1-c1"}
    taken = cut.replace(motif=Motif.TAKEN, point=parse_point("c1"), count=2)
    assert names(effect(position, taken).alike) == {"b1-c1", "d2-c1"}


@pytest.mark.parametrize("played", ["e1-f1", "f1-g1"], ids=["onto an own stack", "onto red"])
def test_a_move_may_take_nothing(played: str) -> None:
    none = advantages_by_motif(LINE, played, "a1-b1")[Motif.TOOK_NONE]
    assert (none.reason.point, none.reason.count) == ("b1", 1)
    assert str(none.reason.line[0]) == played
    assert names(none.alike) == {"a1-b1", "e1-d1"}
    assert Motif.TOOK_NONE not in advantages_by_motif(LINE, "e1-d1", "a1-b1")


def test_room_is_counted_at_once_and_its_spaces_make_the_difference() -> None:
    """The plain rules count the same stacks and moves."""
    told = 0
    for seed in range(4):
        for position in positions_of(random_game(seed))[50:75:6]:
            if position.turn is None:
                continue
            moves = position.legal_moves()
            for better in moves[1::7]:
                for advantage in advantages(position, moves[0], better):
                    reason = advantage.reason
                    assert better in advantage.alike
                    assert moves[0] not in advantage.alike
                    if reason.motif not in (Motif.MOVERS, Motif.MOBILITY):
                        continue
                    counts = [
                        count
                        for move in (moves[0], better)
                        for count in room(position, move, stacks=reason.motif is Motif.MOVERS)
                    ]
                    assert [reason.count, *reason.others] == counts
                    assert counts[0] - counts[1] < counts[2] - counts[3]
                    assert 0 < len(reason.points) <= 3
                    told += 1
    assert told > 20


def room(position: Position, move: Move, *, stacks: bool) -> list[int]:
    """Count each player's movable stacks, or their moves, after a move."""
    assert position.turn is not None
    after = position.play(move)
    points = {name(point): point for point in BOARD}
    plain = PlainPosition({points[at]: pieces for at, pieces in after.stacks.items()})
    found_moves = [
        list(plain.moves_of(color.value)) for color in (position.turn, position.turn.opponent)
    ]
    return [len({source for source, _ in some}) if stacks else len(some) for some in found_moves]


def plain(position: Position) -> PlainPosition:
    points = {name(point): point for point in BOARD}
    stacks = {points[at]: pieces for at, pieces in position.stacks.items()}
    return PlainPosition(stacks, position.turn.value if position.turn else "", len(BOARD))


def sources(board: PlainPosition, color: str) -> set[str]:
    """Return the stacks that a player can move on their turn."""
    return {name(source) for source, _ in board.moves_of(color) if source}


def steps_to_red(board: PlainPosition, point: str) -> int:
    """Count the steps to the nearest red piece, by a search in all directions."""
    reached, steps = {move_of(point)[1]}, 0
    while not any("R" in board.stacks.get(at, "") for at in reached):
        steps += 1
        reached |= {(c + across, r + up) for c, r in reached for across, up in STEPS}
    return steps


def test_each_advantage_at_once_is_as_the_plain_rules_show_it() -> None:
    checked = dict.fromkeys((Motif.FREED, Motif.NEAR_RED, Motif.TOOK_NONE), 0)
    for seed in range(8):
        for position in positions_of(random_game(seed))[50:78:4]:
            if position.turn is None:
                continue
            moves = position.legal_moves()
            for better in moves[1::5]:
                for advantage in advantages(position, moves[0], better):
                    if advantage.reason.motif in checked:
                        checked[advantage.reason.motif] += 1
                        check_at_once(position, moves[0], better, advantage)
    assert min(checked.values()) > 5, checked


def check_at_once(position: Position, played: Move, better: Move, advantage: Advantage) -> None:
    reason, before, mover = advantage.reason, plain(position), (position.turn or Color.WHITE).value
    after = {move: before.play(move_of(str(move))) for move in position.legal_moves()}
    others = {move: sources(board, OTHER[mover]) for move, board in after.items()}
    assert (reason.line, reason.better) == ((played,), better)
    assert better in advantage.alike
    assert played not in advantage.alike
    match reason.motif:
        case Motif.FREED:
            stuck = {
                name(at)
                for at, pieces in before.stacks.items()
                if pieces[-1] == OTHER[mover] and before.surrounded(at)
            }
            freed = {move: stuck & points for move, points in others.items()}
            assert {*reason.points} <= freed[played] - freed[better]
            assert reason.count == len(reason.points) > 0
            amounts = {move: -len(points) for move, points in freed.items()}
        case Motif.NEAR_RED:
            steps = {move: steps_to_red(after[move], move.target) for move in after}
            assert (reason.count, reason.others[1]) == (steps[played], steps[better])
            assert steps[better] <= steps[played] - 2
            amounts = {move: -count for move, count in steps.items()}
            if advantage.alike != at_least(amounts, advantage.alike):
                amounts = {
                    move: steps_to_red(before, move.source or "") - count
                    for move, count in steps.items()
                }
        case _:
            targets = {move: before.stacks[move_of(str(move))[1]][-1] for move in after}
            amounts = {move: int(owner == OTHER[mover]) for move, owner in targets.items()}
    assert amounts[better] > amounts[played]
    assert advantage.alike == at_least(amounts, advantage.alike)


def at_least(amounts: Mapping[Move, int], moves: frozenset[Move]) -> set[Move]:
    """Return the moves with as much as each of some moves has at least."""
    least = min(amounts[move] for move in moves)
    return {move for move, amount in amounts.items() if amount >= least}
