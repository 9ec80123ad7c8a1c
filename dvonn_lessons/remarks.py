"""Notable facts about a move: what it cost, what it saved, and what it is for.

They follow from the rules alone. Nothing is estimated, so each can be checked by playing it out.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final

from dvonn._rules.board import Point
from dvonn._rules.frozen import Value
from dvonn._rules.move import Move
from dvonn._rules.pieces import Color
from dvonn._rules.position import Phase, Position
from dvonn_lessons.move_effects import MoveEffects

_COSTLY: Final = 2
"""Minimum number of pieces that a costly move loses."""
_GREAT: Final = 4
"""Minimum number of pieces that a fine move cuts off, takes or saves."""
_CHOICES: Final = 4
"""Minimum number of legal moves at which finding the only safe one deserves praise."""


class Idea(StrEnum):
    """The kinds of remarks."""

    CUT_OWN = "cut_own"
    """A move cut off more of its own player's pieces than it gained. Other moves did not."""
    LET_CUT = "let_cut"
    """A move let the reply cut off stacks. After another move no reply could."""
    ONLY_SAFE = "only_safe"
    """After any other move a reply could have cut off many pieces. After this one none can."""
    GREAT_CUT = "great_cut"
    """A move cut off many pieces of the opponent."""
    TOOK_TALLEST = "took_tallest"
    """A move took the opponent's tallest stack, and the reply did not retake it."""

    @property
    def is_praise(self) -> bool:
        return self in (Idea.ONLY_SAFE, Idea.GREAT_CUT, Idea.TOOK_TALLEST)


class Remark(Value, kw_only=True):
    """A fact about a move that was played.

    Attributes:
        idea: The kind.
        move: The move.
        points: The points of the stacks that were cut off, or the target.
        pieces: Number of the pieces that were cut off, taken or saved.
        better: The move that would have prevented the loss, if there was one.
        reply: The reply that cut stacks off, if one did.
    """

    idea: Idea
    move: Move
    points: tuple[Point, ...]
    pieces: int
    better: Move | None = None
    reply: Move | None = None


def remark_on(before: Position, move: Move, reply: Move | None) -> Remark | None:
    """Return the most important fact about a movement, or None if there is nothing notable.

    Args:
        before: The position before the move.
        move: The move.
        reply: The opponent's reply, or None if there is none yet.

    Raises:
        IllegalMoveError: if the rules refuse one of the moves.
    """
    effects = MoveEffects(before, move)
    follows = None
    if reply is not None and effects.after.turn is effects.mover.opponent:
        follows = MoveEffects(effects.after, reply)
    candidates = (
        _cut_own(effects),
        _let_cut(effects, follows),
        _great_cut(effects, follows),
        _took_tallest(effects, follows),
        _only_safe(effects, follows),
    )
    return next(filter(None, candidates), None)


def _cut_own(effects: MoveEffects) -> Remark | None:
    lost = effects.lost(effects.mover)
    if not lost or net_loss(effects) < _COSTLY:
        return None
    alternatives = (MoveEffects(effects.before, move) for move in effects.before.legal_moves())
    if all(other.lost(effects.mover) >= lost for other in alternatives):
        return None
    cut = effects.cut_off(effects.mover)
    return Remark(idea=Idea.CUT_OWN, move=effects.move, points=tuple(cut), pieces=lost)


def _let_cut(effects: MoveEffects, follows: MoveEffects | None) -> Remark | None:
    if follows is None or net_loss(follows, effects.mover) < _COSTLY:
        return None
    height = effects.landing.height if effects.takes else 0
    lost = follows.lost(effects.mover)
    if height + effects.lost(effects.mover.opponent) >= lost:
        return None  # the move gained as much as it lost
    better = next(_safe_moves(effects.before, effects.move), None)
    if better is None:
        return None
    cut = follows.cut_off(effects.mover)
    return Remark(
        idea=Idea.LET_CUT,
        move=effects.move,
        points=tuple(cut),
        pieces=lost,
        better=better,
        reply=follows.move,
    )


def _only_safe(effects: MoveEffects, follows: MoveEffects | None) -> Remark | None:
    moves = effects.before.legal_moves()
    if follows is None or len(moves) < _CHOICES or effects.lost(effects.mover):
        return None
    if effects.threat is not None or effects.takes:
        return None
    least = 0
    for move in moves:
        if move == effects.move:
            continue
        threat = MoveEffects(effects.before, move).threat
        if threat is None or threat.pieces < _GREAT:
            return None
        least = min(threat.pieces, least or threat.pieces)
    return Remark(
        idea=Idea.ONLY_SAFE, move=effects.move, points=(effects.move.target,), pieces=least
    )


def _great_cut(effects: MoveEffects, follows: MoveEffects | None) -> Remark | None:
    cut = effects.cut_off(effects.mover.opponent)
    pieces = sum(cut.values())
    back = 0 if follows is None else follows.lost(effects.mover)
    if pieces < _GREAT or 2 * (effects.lost(effects.mover) + back) >= pieces:
        return None
    return Remark(idea=Idea.GREAT_CUT, move=effects.move, points=tuple(cut), pieces=pieces)


def _took_tallest(effects: MoveEffects, follows: MoveEffects | None) -> Remark | None:
    opponent, height = effects.mover.opponent, effects.landing.height
    before, target = effects.before, effects.move.target
    if not effects.takes or height < _GREAT or effects.lost(effects.mover):
        return None
    taller = [
        point
        for point in before.stacks
        if point != target and before.owner(point) is opponent and before.height(point) >= height
    ]
    if taller or (follows is not None and follows.move.target == target):
        return None
    return Remark(idea=Idea.TOOK_TALLEST, move=effects.move, points=(target,), pieces=height)


def net_loss(effects: MoveEffects, player: Color | None = None) -> int:
    """Return the number of pieces that a player loses by a move, minus the other player's loss."""
    player = effects.mover if player is None else player
    lost = effects.lost(player) - effects.lost(player.opponent)
    return lost - effects.landing.height if effects.takes and player is effects.mover else lost


def _safe_moves(before: Position, played: Move) -> Iterator[Move]:
    """Yield the moves that lose nothing to a cut, neither at once nor by any reply.

    The moves that take most come first.
    """

    def gain(move: Move) -> int:
        takes = before.owner(move.target) is not before.turn
        return -before.height(move.target) if takes else 0

    for move in sorted(before.legal_moves(), key=gain):
        effects = MoveEffects(before, move)
        if move != played and not effects.lost(effects.mover) and effects.threat is None:
            yield move


# Remarks on a whole game


class DecisiveCut(Value, kw_only=True):
    """A decisive cut, without which the winner would not have won.

    Attributes:
        move: The move.
        ply: Its index in the line.
        pieces: Number of the loser's pieces that it cut off.
        margin: The winner's lead in pieces at the end.
    """

    move: Move
    ply: int
    pieces: int
    margin: int


def find_decisive_cut(positions: Iterable[Position], line: Iterable[Move]) -> DecisiveCut | None:
    """Return the winner's largest cut, if the game would not have been won without it.

    Args:
        positions: The position before each move of the line, and the final position.
        line: All moves of the game, beginning at the first of these positions.
    """
    boards, moves = tuple(positions), tuple(line)
    end = boards[-1]
    winner = end.winner
    if end.phase is not Phase.OVER or winner is None:
        return None
    margin = end.score(winner) - end.score(winner.opponent)
    cuts = [
        (ply, MoveEffects(before, move))
        for ply, (before, move, after) in enumerate(zip(boards, moves, boards[1:], strict=False))
        if before.turn is winner and before.phase is Phase.MOVEMENT and after.removed
    ]
    ply, greatest = max(cuts, key=lambda cut: _net_gain(cut[1]), default=(0, None))
    if greatest is None or _net_gain(greatest) < max(_COSTLY, margin):
        return None
    pieces = greatest.lost(winner.opponent)
    return DecisiveCut(move=greatest.move, ply=ply, pieces=pieces, margin=margin)


def _net_gain(effects: MoveEffects) -> int:
    """Count the opponent's pieces that a move cuts off, minus the player's own."""
    return effects.lost(effects.mover.opponent) - effects.lost(effects.mover)


# Purposes of recommended moves


class Purpose(StrEnum):
    """Kinds of purposes that a move can have."""

    CUTS = "cuts"
    """It cuts off stacks of the opponent."""
    KEEPS = "keeps"
    """It keeps stacks linked that the opponent could cut off now."""
    TAKES = "takes"
    """It takes a stack, which cannot be retaken at once."""
    ESCAPES = "escapes"
    """It moves a stack away, which the opponent could take now."""
    PASSES = "passes"
    """The opponent cannot move after it."""


class Use(Value, kw_only=True):
    """A move's purpose, with the stacks that it affects.

    Attributes:
        purpose: The kind.
        points: The points of the stacks that are cut off, kept, taken or moved away.
        pieces: Number of their pieces.
        threat: The opponent's move that it prevents, if it prevents one.
    """

    purpose: Purpose
    points: tuple[Point, ...] = ()
    pieces: int = 0
    threat: Move | None = None


def use_of(position: Position, move: Move) -> Use | None:
    """Return the purpose of a movement with the greatest gain, or None if the rules show none.

    Raises:
        IllegalMoveError: if the rules refuse the move.
    """
    effects = MoveEffects(position, move)
    if effects.moves_again:
        return Use(purpose=Purpose.PASSES)
    replies = [MoveEffects(effects.after, reply) for reply in _replies(effects)]
    uses = [*_cuts(effects), *_takes(effects, replies)]
    uses += _prevented(effects, replies)
    return max(uses, key=lambda use: use.pieces, default=None)


def _replies(effects: MoveEffects) -> tuple[Move, ...]:
    return () if effects.ends_game else effects.after.legal_moves()


def _cuts(effects: MoveEffects) -> Iterator[Use]:
    cut = effects.cut_off(effects.mover.opponent)
    if -net_loss(effects) > 0 and cut:
        yield Use(purpose=Purpose.CUTS, points=tuple(cut), pieces=sum(cut.values()))


def _takes(effects: MoveEffects, replies: list[MoveEffects]) -> Iterator[Use]:
    target = effects.move.target
    if effects.takes and all(reply.move.target != target for reply in replies):
        yield Use(purpose=Purpose.TAKES, points=(target,), pieces=effects.landing.height)


def _prevented(effects: MoveEffects, replies: list[MoveEffects]) -> Iterator[Use]:
    """Yield the uses of a move that prevents a threat of the opponent."""
    mover, source = effects.mover, effects.move.source
    now = Position.from_stacks(effects.before.stacks, turn=mover.opponent)
    if source is None or now.turn is not mover.opponent or effects.lost(mover):
        return
    threats = [MoveEffects(now, move) for move in now.legal_moves()]
    worst = max(threats, key=lambda threat: net_loss(threat, mover), default=None)
    cut_then = {point for reply in replies for point in reply.cut_off(mover)}
    if worst is not None and net_loss(worst, mover) > 0:
        prevented = {
            point: pieces
            for point, pieces in worst.cut_off(mover).items()
            if point not in {source, *cut_then}
        }
        if prevented:
            pieces = sum(prevented.values())
            yield Use(
                purpose=Purpose.KEEPS, points=tuple(prevented), pieces=pieces, threat=worst.move
            )
    height = effects.before.height(source)
    takers = [threat.move for threat in threats if threat.move.target == source]
    is_safe = all(reply.move.target != effects.move.target for reply in replies)
    if takers and is_safe and height > 1:
        yield Use(purpose=Purpose.ESCAPES, points=(source,), pieces=height, threat=takers[0])
