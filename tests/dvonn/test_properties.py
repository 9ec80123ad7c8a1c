"""Tests for properties of every game, with the plain rules as a second opinion on every ply."""

import random
from collections import Counter
from itertools import pairwise

from hypothesis import given, settings

from dvonn import (
    PIECE_COUNTS,
    POINTS,
    Color,
    Coordinates,
    IllegalMoveError,
    Move,
    Phase,
    Point,
    Position,
    neighbours,
)
from tests.dvonn.plain_rules import PlainPosition, move_of, name, text_of
from tests.dvonn.strategies import games
from tests.games import positions_of
from tests.tiers import share_of

CANDIDATES = [Move(target=target, source=source) for target in POINTS for source in (None, *POINTS)]


def linked(stacks: set[Point], start: Point) -> set[Point]:
    found, waiting = {start}, [start]
    while waiting:
        beside = stacks.intersection(neighbours(waiting.pop())) - found
        found |= beside
        waiting += beside
    return found


def verdict(position: Position, move: Move) -> str:
    """Return the reason why a move is refused, or "" if it is played."""
    try:
        position.play(move)
    except IllegalMoveError as error:
        return error.reason.value
    return ""


@given(games())
@settings(max_examples=share_of(60))
def test_pieces_stay_or_leave_and_all_that_stays_is_linked(moves: list[Move]) -> None:
    positions = positions_of(moves)
    assert positions[-1].phase is Phase.OVER
    assert len(moves) <= 97
    for before, after in pairwise(positions[49:]):
        pieces = Counter("".join(after.stacks.values()))
        gone = Counter("".join(after.removed.values()))
        assert pieces + gone == Counter("".join(before.stacks.values()))
        assert pieces["R"] == PIECE_COUNTS["R"]
        assert gone["R"] == 0
        assert not set(after.removed) & set(after.stacks)
        occupied = set(after.stacks)
        reds = [point for point in occupied if after.reds(point)]
        assert set().union(*(linked(occupied, red) for red in reds)) == occupied
        owned = Counter(after.owner(point) for point in occupied for _ in after.stacks[point])
        assert all(after.score(color) == owned[color] for color in Color)


@given(games())
@settings(max_examples=share_of(60))
def test_every_ply_agrees_with_the_plain_rules(moves: list[Move]) -> None:
    position, plain = Position.initial(), PlainPosition()
    for move in [*moves, None]:
        assert {str(legal) for legal in position.legal_moves()} == set(
            map(text_of, plain.legal_moves())
        )
        assert len(set(position.legal_moves())) == len(position.legal_moves())
        assert (position.turn or "") == plain.turn
        assert "".join(position.passed) == plain.passed
        assert position.plies == plain.plies
        assert position.stacks == {name(point): pieces for point, pieces in plain.stacks.items()}
        assert position.removed == {name(point): pieces for point, pieces in plain.removed.items()}
        white, black = plain.score("W"), plain.score("B")
        assert [position.score(color) for color in Color] == [white, black]
        ahead = None if white == black else Color.WHITE if white > black else Color.BLACK
        assert position.winner == (None if plain.turn else ahead)
        if move is not None:
            position, plain = position.play(move), plain.play(move_of(str(move)))


@given(games())
@settings(max_examples=share_of(30))
def test_exactly_the_legal_moves_are_played_and_others_refused_equally(moves: list[Move]) -> None:
    sampled = set(random.Random(len(moves)).sample(range(len(moves) + 1), 3)) | {len(moves)}
    position, plain = Position.initial(), PlainPosition()
    for ply, move in enumerate([*moves, None]):
        if ply in sampled:
            verdicts = {candidate: verdict(position, candidate) for candidate in CANDIDATES}
            played = {candidate for candidate, reason in verdicts.items() if not reason}
            assert played == set(position.legal_moves())
            assert verdicts == {
                candidate: plain.refusal(move_of(str(candidate))) for candidate in CANDIDATES
            }
        if move is not None:
            position, plain = position.play(move), plain.play(move_of(str(move)))


@given(games())
@settings(max_examples=share_of(40))
def test_a_position_can_be_built_from_its_stacks(moves: list[Move]) -> None:
    for position in positions_of(moves)[49:]:
        built = Position.from_stacks(position.stacks, turn=position.turn or Color.WHITE)
        assert built == position
        assert hash(built) == hash(position)
        assert built.legal_moves() == position.legal_moves()


@given(games())
@settings(max_examples=share_of(40))
def test_questions_about_points_agree_with_the_moves(moves: list[Move]) -> None:
    for position in positions_of(moves)[::7]:
        sources = {move.source for move in position.legal_moves()}
        for point in POINTS:
            targets = [move.target for move in position.legal_moves() if move.source == point]
            assert list(position.destinations(point)) == targets
            if point in sources:
                assert position.owner(point) is position.turn
                assert not position.is_surrounded(point)
        for coordinates in Coordinates:
            labels = {coordinates.label(point) for point in position.stacks}
            assert len(labels) == len(position.stacks)
