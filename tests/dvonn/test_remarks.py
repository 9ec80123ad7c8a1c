"""Tests for remarks and of moves' purposes: each claim holds by the plain rules.

Simple players play the games, from random boards. The plain rules share no code with
`remarks`.
"""

import random
from collections import Counter
from functools import cache

from dvonn import Color, Move, Phase, Position, parse_move, position_from_text
from dvonn_lessons.move_effects import MoveEffects
from dvonn_lessons.remarks import (
    Idea,
    Purpose,
    Remark,
    Use,
    find_decisive_cut,
    net_loss,
    remark_on,
    use_of,
)
from tests.dvonn.plain_rules import OTHER, PlainPosition, move_of, name
from tests.games import positions_of, random_game
from tests.tiers import share_of

GAMES = share_of(120)


def plain(position: Position, turn: Color | None = None) -> PlainPosition:
    stacks = {move_of(str(point))[1]: pieces for point, pieces in position.stacks.items()}
    mover = turn or position.turn
    assert mover is not None
    return PlainPosition(stacks=stacks, turn=mover.value, plies=49)


def played(board: PlainPosition, move: Move) -> PlainPosition:
    return board.play(move_of(str(move)))


def lost(board: PlainPosition, color: Color) -> dict[str, int]:
    """Return where a player's stacks have just left the board, with their pieces."""
    return {
        name(point): len(pieces)
        for point, pieces in board.removed.items()
        if pieces[-1] == color.value
    }


def most_cut(board: PlainPosition, color: Color) -> int:
    """Return the maximum number of pieces that a color can lose by one move of the opponent."""
    if board.turn != OTHER[color.value]:
        return 0
    return max(sum(lost(played(board, move), color).values()) for move in _moves(board))


def _moves(board: PlainPosition) -> list[Move]:
    return [
        parse_move(name(target) if source is None else f"{name(source)}-{name(target)}")
        for source, target in board.legal_moves()
    ]


@cache
def games() -> tuple[tuple[list[Position], list[Move]], ...]:
    """Positions and moves of the movement phases of some games by simple players."""
    return tuple(_game(seed) for seed in range(GAMES))


def _game(seed: int) -> tuple[list[Position], list[Move]]:
    rng = random.Random(seed)
    position = positions_of(random_game(seed))[49]
    boards, line = [position], list[Move]()
    while boards[-1].phase is not Phase.OVER:
        now, moves = boards[-1], boards[-1].legal_moves()
        best = min(moves, key=lambda move: net_loss(MoveEffects(now, move)) + rng.random())
        line.append(best if rng.random() < 0.7 else rng.choice(moves))
        boards.append(now.play(line[-1]))
    return boards, line


def test_each_remark_is_true_by_the_plain_rules() -> None:
    found = Counter[Idea]()
    for boards, line in games():
        for before, move, reply in zip(boards, line, [*line[1:], None], strict=False):
            remark = remark_on(before, move, reply)
            if remark is not None:
                found[remark.idea] += 1
                _check(before, move, reply, remark)
    assert min(found[idea] for idea in set(Idea) - {Idea.ONLY_SAFE}) >= 5, found


def _check(before: Position, move: Move, reply: Move | None, remark: Remark) -> None:
    player = before.turn
    assert player is not None
    board = plain(before)
    after = played(board, move)
    assert remark.move == move
    match remark.idea:
        case Idea.CUT_OWN:
            assert lost(after, player).keys() == set(remark.points)
            assert sum(lost(after, player).values()) == remark.pieces >= 2
            others = (played(board, other) for other in _moves(board))
            assert any(sum(lost(item, player).values()) < remark.pieces for item in others)
        case Idea.LET_CUT:
            assert reply is not None
            assert remark.better is not None
            assert lost(played(after, reply), player).keys() == set(remark.points)
            assert not lost(played(board, remark.better), player)
            assert most_cut(played(board, remark.better), player) == 0
        case Idea.ONLY_SAFE:
            assert most_cut(after, player) == 0
            others = (played(board, other) for other in _moves(board) if other != move)
            assert all(most_cut(item, player) >= remark.pieces >= 4 for item in others)
        case Idea.GREAT_CUT:
            assert sum(lost(after, player.opponent).values()) == remark.pieces >= 4
        case Idea.TOOK_TALLEST:
            target = move_of(str(move))[1]
            owned = [len(s) for at, s in board.stacks.items() if s[-1] == player.opponent.value]
            assert len(board.stacks[target]) == max(owned) == remark.pieces
            assert owned.count(max(owned)) == 1
            assert reply is None or move_of(str(reply))[1] != target


def test_a_moves_purpose_holds_by_the_plain_rules() -> None:
    found = Counter[Purpose]()
    for boards, _ in games():
        for before in boards[:-1:2]:
            for move in before.legal_moves()[::3]:
                use = use_of(before, move)
                if use is not None:
                    found[use.purpose] += 1
                    _check_use(before, move, use)
    assert min(found[purpose] for purpose in Purpose) >= 5, found


def _check_use(before: Position, move: Move, use: Use) -> None:
    player = before.turn
    assert player is not None
    board = plain(before)
    after, target = played(board, move), move_of(str(move))[1]
    replies = _moves(after) if after.turn == OTHER[player.value] else []
    match use.purpose:
        case Purpose.CUTS:
            assert lost(after, player.opponent).keys() == set(use.points)
            assert sum(lost(after, player.opponent).values()) == use.pieces
        case Purpose.TAKES:
            assert board.stacks[target][-1] == OTHER[player.value]
            assert len(board.stacks[target]) == use.pieces
            assert all(move_of(str(reply))[1] != target for reply in replies)
        case Purpose.KEEPS:
            assert use.threat is not None
            threatened = lost(played(plain(before, player.opponent), use.threat), player)
            assert set(use.points) <= threatened.keys()
            assert sum(threatened[point] for point in use.points) == use.pieces
            for reply in replies:
                assert not set(use.points) & lost(played(after, reply), player).keys()
        case Purpose.ESCAPES:
            assert use.threat is not None
            assert use.threat in _moves(plain(before, player.opponent))
            assert (str(use.threat.target),) == tuple(map(str, use.points)) == (str(move.source),)
            assert all(move_of(str(reply))[1] != target for reply in replies)
        case Purpose.PASSES:
            assert after.turn == player.value


def test_the_only_safe_move_is_praised() -> None:
    before = position_from_text("RWW4bWR/B1wbWbW4bbwbW1/BW2wbwB6/WR8/W8 B move")
    move = parse_move("e3-a3")
    reply = before.play(move).legal_moves()[0]
    remark = remark_on(before, move, reply)
    assert remark is not None
    assert (remark.idea, remark.pieces) == (Idea.ONLY_SAFE, 4)
    _check(before, move, reply, remark)
    others = (other for other in before.legal_moves() if other != move)
    ideas = [remark_on(before, other, None) for other in others]
    assert all(idea is None or idea.idea is not Idea.ONLY_SAFE for idea in ideas)


def test_the_difference_is_a_cut_worth_at_least_the_margin() -> None:
    found = 0
    for boards, line in games():
        cut = find_decisive_cut(boards, line)
        if cut is None:
            continue
        found += 1
        winner = boards[-1].winner
        assert winner is not None
        assert boards[cut.ply].turn is winner
        assert line[cut.ply] == cut.move
        after = played(plain(boards[cut.ply]), cut.move)
        gone, own = (sum(lost(after, item).values()) for item in (winner.opponent, winner))
        margin = boards[-1].score(winner) - boards[-1].score(winner.opponent)
        assert (cut.pieces, cut.margin) == (gone, margin)
        assert gone - own >= margin
    assert found >= 3
