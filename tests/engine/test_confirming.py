"""Tests for the experiments that confirm the reasons of a review."""

from collections import Counter
from collections.abc import Mapping, Sequence

import pytest

pytest.importorskip("numba", reason="the extra `engine` is not installed")

from dvonn import Color, GameRecord, Motif, Move, Position
from dvonn.engine import confirming
from dvonn.engine.confirming import _FAR, Confirmation
from dvonn.reviews.at_once import Advantage
from dvonn.reviews.review import ProvenReason
from tests.games import random_game

RECORD = GameRecord(random_game(4))
POSITIONS = RECORD.positions()
NUMBER = 49
POSITION, PLAYED = POSITIONS[NUMBER], RECORD.moves[NUMBER]
AFTER = POSITIONS[NUMBER + 1]
BEST, *OTHERS = (move for move in POSITION.legal_moves() if move != PLAYED)
LINE = tuple(RECORD.moves[NUMBER : NUMBER + 6])
LOSS, LEFT = 0.4, 0.2


def tried(*known: Mapping[Move, float], best: Sequence[Move] = (BEST,)) -> Confirmation:
    """Return experiments whose results are known, by the number of moves before them."""

    def chances(position: Position, _closely: Sequence[Move]) -> Mapping[Move, float]:
        return known[position.plies - POSITION.plies]

    return Confirmation(POSITION, PLAYED, best, loss=LOSS, after=LEFT, chances=chances)


def landing(most: int = 2) -> tuple[Move, list[Move], list[Move]]:
    """Return a reply, other replies that land on the same space, and all others."""
    point, times = Counter(move.target for move in AFTER.legal_moves()).most_common(1)[0]
    assert times >= most
    reply, *alike = (move for move in AFTER.legal_moves() if move.target == point)
    return reply, alike, [move for move in AFTER.legal_moves() if move.target != point]


def let_take(reply: Move) -> ProvenReason:
    return ProvenReason(
        motif=Motif.LET_TAKE,
        sufferer=Color.WHITE,
        line=(PLAYED, reply),
        point=reply.target,
        count=1,
    )


def test_a_reply_is_a_reason_only_if_the_replies_that_do_something_else_give_back_most() -> None:
    reply, alike, rest = landing()
    taken = let_take(reply)

    def explains(replies: Mapping[Move, float], reason: ProvenReason = taken) -> bool:
        return tried({}, replies)._is_decisive(reason)

    known = dict.fromkeys(rest, 0.1) | dict.fromkeys([reply, *alike], 0.8)
    assert explains(known)
    assert explains(known | {rest[0]: 0.55})
    assert not explains(known | {rest[0]: 0.57}), "too little comes back"
    assert not explains(known | dict.fromkeys([reply, *alike], 0.2))
    assert not explains(known, taken.replace(point=None)), "the others that land there are as good"
    assert not explains(known, taken.replace(sufferer=Color.BLACK)), "it is Black's own move"
    better = taken.replace(line=(BEST, reply), sufferer=Color.WHITE)
    assert not tried({}, known)._is_confirmed(better), "Black may have another reply to it"


def test_a_later_move_is_a_reason_if_other_moves_give_back_most() -> None:
    """The player's second move in the better line, and the opponent's in the other one."""
    boards = RECORD.positions()[NUMBER:]
    for number, sufferer, chance in ((2, Color.BLACK, 0.6), (3, Color.WHITE, 0.8)):
        move, *rest = boards[number].legal_moves()
        rest = [reply for reply in rest if reply.target != move.target]
        reason = let_take(move).replace(line=(*LINE[:number], move), sufferer=sufferer)
        for other, is_decisive in ((chance - 0.3, True), (chance - 0.2, False)):
            known = dict.fromkeys(rest, other) | {move: 0.9}
            assert tried(*[dict[Move, float]()] * number, known)._is_decisive(reason) is is_decisive


def test_a_double_threat_is_of_two_spaces_if_the_opponent_needs_only_one() -> None:
    first = AFTER.legal_moves()[0]
    second = next(move for move in AFTER.legal_moves() if move.target != first.target)
    ends = {first.target, second.target}
    rest = [move for move in AFTER.legal_moves() if move.target not in ends]
    known = dict.fromkeys(rest, 0.3) | {first: 0.8, second: 0.75}
    (reason,) = tried({}, known)._double_threats(LINE[1:])
    assert (reason.motif, reason.sufferer) == (Motif.DOUBLE_THREAT, Color.WHITE)
    assert (reason.both, reason.line) == ((first, second), (PLAYED, first))
    assert reason.points == (first.target, second.target)
    assert not [*tried({}, known | {rest[0]: 0.7})._double_threats(LINE[1:])], (
        "a third one is enough, too"
    )


def test_a_reply_that_is_clearly_better_than_the_games_own_replaces_it() -> None:
    known, other, *rest = AFTER.legal_moves()
    bad = dict.fromkeys(rest, 0.1) | {known: 0.7}
    assert tried({}, bad | {other: 0.75}).best_reply(known) is other
    assert tried({}, bad | {other: 0.73}).best_reply(known) is known


def shared(
    parts: Mapping[Move, float], alike: Sequence[Move], motif: Motif = Motif.TOOK_NONE
) -> bool:
    """Whether an advantage is confirmed by what each move gives back of a loss."""
    known = {move: LEFT + LOSS * part for move, part in parts.items()}
    reason = ProvenReason(motif=motif, sufferer=Color.WHITE, line=(PLAYED,), count=1)
    advantage = Advantage(reason=reason, alike=frozenset(alike))
    return tried(known | {PLAYED: LEFT, BEST: LEFT + LOSS})._is_shared(advantage)


def test_an_advantage_is_a_reason_if_all_good_moves_have_it() -> None:
    first, second, third, *rest = OTHERS
    bad = dict.fromkeys(OTHERS, 0.0)
    alike = [BEST, first, second, third]
    assert shared(bad | {first: 0.6, second: 0.6}, alike)
    assert not shared(bad | {first: 0.4, second: 0.4}, alike), "no other is good"
    pair, lacking = [BEST, first, second], {rest[0]: 0.6}
    assert shared(bad | {first: 0.6, second: 0.6}, pair)
    assert not shared(bad | {first: 0.6, second: 0.6} | lacking, pair), "another lacks it"
    assert not shared(bad | {first: 0.6}, [BEST, *OTHERS[: len(OTHERS) // 2]]), "by chance"
    assert not shared(dict.fromkeys(OTHERS, 0.6), [BEST, *OTHERS]), "all moves have it"


def test_captures_are_the_reason_if_most_are_good_and_few_other_moves() -> None:
    half = len(OTHERS) // 2
    with_it, rest = OTHERS[:half], OTHERS[half:]
    parts = dict.fromkeys(OTHERS, 0.0)
    most, some = dict.fromkeys(with_it[: half * 2 // 3], 0.6), dict.fromkeys(rest[:2], 0.6)
    assert len(rest) >= 10
    assert shared(parts | most | some, [BEST, *with_it])
    assert not shared(parts | dict.fromkeys(with_it[: half // 3], 0.6) | some, [BEST, *with_it])
    many = dict.fromkeys(rest[: len(rest) // 2], 0.6)
    assert not shared(parts | most | many, [BEST, *with_it]), "many without it are good, too"
    assert not shared(parts | most | some, [BEST, *with_it], Motif.MOVERS), "it isn't a capture"


def test_only_a_take_or_a_cut_is_a_reason_if_no_other_move_does_the_same() -> None:
    bad = dict.fromkeys(OTHERS, 0.0)
    assert shared(bad, [BEST], Motif.SAFE_TAKE)
    assert shared(bad, [BEST], Motif.CUT_OFF)
    assert not shared(bad | {OTHERS[0]: 0.9}, [BEST], Motif.SAFE_TAKE), "another is as good"
    assert not shared(bad, [BEST], Motif.SPOT)
    assert not shared(bad, [BEST], Motif.MOVERS)


def test_what_the_better_move_does_at_once_is_confirmed_by_moves_that_do_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    takes = ProvenReason(
        motif=Motif.TAKEN, sufferer=Color.BLACK, line=(BEST,), point=BEST.target, count=1
    )
    asked, confirmation = list[Advantage](), tried()

    def is_shared(advantage: Advantage) -> bool:
        asked.append(advantage)
        return False

    monkeypatch.setattr(confirmation, "_is_shared", is_shared)
    assert not confirmation._is_confirmed(takes)
    assert [advantage.reason for advantage in asked] == [takes]
    assert {move.target for move in asked[0].alike} == {BEST.target}
    lost = takes.replace(sufferer=Color.WHITE, line=(PLAYED,))
    assert confirmation._is_confirmed(lost), "the rules show it"
    reply = POSITION.play(BEST).legal_moves()[0]
    assert not confirmation._is_confirmed(takes.replace(line=(BEST, reply)))
    assert len(asked) == 1


def test_without_a_proof_a_line_is_trusted_only_in_its_first_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    line = tuple(RECORD.moves[NUMBER:])
    near, far = (let_take(line[1]).replace(line=line[:length]) for length in (_FAR, _FAR + 1))
    assert not near.is_early
    tries = tried(*[{}] * len(LINE))
    monkeypatch.setattr(tries, "_is_decisive", lambda _reason: True)
    monkeypatch.setattr(tries, "_double_threats", lambda _answer: ())
    monkeypatch.setattr(tries, "_is_shared", lambda _advantage: False)
    monkeypatch.setattr(confirming, "landings", lambda *_: ())
    for reason, is_proven, expected in (
        (near, False, [near]),
        (far, False, []),
        (far, True, [far]),
    ):
        monkeypatch.setattr(confirming, "first_of_each_kind", lambda _, only=reason: [only])
        assert list(tries.reasons(LINE[1:], is_proven=is_proven)) == expected
