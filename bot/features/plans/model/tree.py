"""A player's plan: a tree of their own moves, branching on the opponent's moves.

    if d2-d4 then e3-e5, if g3-g4 then h4-h5; if f1-f3 then g3-g4; else ask

A list of placements can be a leaf of the tree, or the whole plan. It places on its first free
space, whatever the opponent does, and goes on with the rest. A tree can also be seen as the set of
its lines from the root to each leaf (`lines_of`, `add_line`). The code parses, writes and splits
trees line by line.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, TypeAlias

from bot.base.ids import Revision, UserId
from bot.play.model.events import Event, Moved
from bot.play.model.game import Game
from bot.play.model.typed import KeptPlan, PlacementList, next_placement
from dvonn import Color, Move, Phase, Position, parse_move, parse_point

MOST: Final = 60
"""Maximum number of moves in a tree, both players' together."""


@dataclass(frozen=True, slots=True)
class OwnNode(KeptPlan):
    """A player's own next move, and the plan after it."""

    move: Move
    then: "Plan | None" = None


@dataclass(frozen=True, slots=True)
class ReplyNode(KeptPlan):
    """Answers to the opponent's moves. None means that the player decides."""

    known: tuple[tuple[Move, "Plan | None"], ...]
    otherwise: "Plan | None" = None
    """The answer to any other move."""


Plan: TypeAlias = PlacementList | OwnNode | ReplyNode


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree and the board that it starts from."""

    board: Revision
    """Revision of the board that the plan starts from. It is played on no other board."""
    root: OwnNode | ReplyNode


class LapseReason(StrEnum):
    """Reasons why a tree lapsed."""

    LEFT = "left"
    """The opponent played a move that it had no answer to."""
    ILLEGAL = "illegal"
    """The planned move could not be played."""
    BACK = "back"
    """Moves were taken back, or the board changed in another way."""


@dataclass(frozen=True, slots=True)
class LapsedPlan:
    """A note for the player that their tree has lapsed."""

    reason: LapseReason
    move: Move | None = None
    """The opponent's move, or the player's move that could not be played."""


PlanState: TypeAlias = PlacementList | Tree | LapsedPlan
"""A player's plan in a game, or a note that it has lapsed."""


def ahead_in(kept: KeptPlan) -> Plan:
    """Return a stored plan as its own type."""
    assert isinstance(kept, PlacementList | OwnNode | ReplyNode)  # noqa: S101 - all that is stored
    return kept


# As lines


@dataclass(frozen=True, slots=True)
class OpponentStep:
    """A condition in a line: a move of the opponent."""

    move: Move | None
    """The move, or None for any other move."""


@dataclass(frozen=True, slots=True)
class OwnStep:
    """The player's own move on a line."""

    move: Move


Line: TypeAlias = tuple[OpponentStep | OwnStep | PlacementList, ...]


def lines_of(ahead: Plan | None) -> list[Line]:
    match ahead:
        case None:
            return [()]
        case PlacementList():
            return [(ahead,)]
        case OwnNode(move, then):
            return [(OwnStep(move), *rest) for rest in lines_of(then)]
        case ReplyNode(known, otherwise):
            lines = [(OpponentStep(move), *rest) for move, then in known for rest in lines_of(then)]
            if otherwise is not None:
                lines += [(OpponentStep(None), *rest) for rest in lines_of(otherwise)]
            return lines


def add_line(ahead: Plan | None, line: Line) -> Plan | None:
    """Return a tree with one more line, which replaces contradicting parts.

    If a tree replaces a list, the list stays as the answer to any other move.
    """
    if not line:
        return ahead
    step, rest = line[0], line[1:]
    match step:
        case PlacementList():
            return step
        case OwnStep(move):
            then = ahead.then if isinstance(ahead, OwnNode) and ahead.move == move else None
            return OwnNode(move, add_line(then, rest))
        case OpponentStep(move):
            if not isinstance(ahead, ReplyNode):
                ahead = ReplyNode((), ahead if isinstance(ahead, PlacementList) else None)
            if move is None:
                return replace(ahead, otherwise=add_line(ahead.otherwise, rest))
            known = dict(ahead.known)
            known[move] = add_line(known.get(move), rest)
            return replace(ahead, known=tuple(known.items()))


def overrules(ahead: Plan | None, line: Line) -> bool:
    """Return True if a line contradicts a tree."""
    for step in line:
        match ahead, step:
            case None, _:
                return False
            case OwnNode(move, then), OwnStep(again) if move == again:
                ahead = then
            case ReplyNode(known), OpponentStep(Move() as move):
                ahead = dict(known).get(move)
            case ReplyNode(), OpponentStep(None):
                ahead = ahead.otherwise
            case _:
                return ahead != step
    return False


def joined(lines: Iterable[Line]) -> Plan | None:
    ahead: Plan | None = None
    for line in lines:
        ahead = add_line(ahead, line)
    return ahead


def remove_line(ahead: Plan, number: int) -> Plan | None:
    lines = lines_of(ahead)
    return joined(line for at, line in enumerate(lines) if at != number)


def size(ahead: Plan | None) -> int:
    """Count the moves of both players. Each space in a list counts as one move."""
    match ahead:
        case None:
            return 0
        case PlacementList(spaces):
            return len(spaces)
        case OwnNode(_, then):
            return 1 + size(then)
        case ReplyNode(known, otherwise):
            return len(known) + sum(size(then) for _, then in known) + size(otherwise)


def line_along(moves: Iterable[Move], position: Position, own: Color) -> Line:
    """Return moves of both players, from a position on, as a line for one of them.

    Raises:
        IllegalMoveError: if one is illegal.
    """
    line: list[OpponentStep | OwnStep | PlacementList] = []
    for move in moves:
        line.append(OwnStep(move) if position.turn is own else OpponentStep(move))
        position = position.play(move)
    return tuple(line)


def may_follow(waiting: ReplyNode, position: Position, own: Color) -> bool:
    """Return True if the "otherwise" move is possible after any move without its own answer."""
    named = {move for move, _ in waiting.known}
    rest = [position.play(move) for move in position.legal_moves() if move not in named]
    if isinstance(waiting.otherwise, OwnNode):
        move = waiting.otherwise.move
        return any(reached.turn is not own or move in reached.legal_moves() for reached in rest)
    return bool(rest)


# In a game


def decided(ahead: Plan | None, board: Revision) -> PlanState | None:
    """Return a plan as it is stored, with the revision of its board."""
    return ahead if ahead is None or isinstance(ahead, PlacementList) else Tree(board, ahead)


def ahead_of(stands: PlanState | None) -> Plan | None:
    """Return the tree or list of a player's plan, or None if it has lapsed or there is none."""
    match stands:
        case Tree(_, root):
            return root
        case PlacementList():
            return stands
        case _:
            return None


def goes_on(stands: PlanState, board: Revision) -> bool:
    """Return True if a plan is for a revision's board. Older bots leave outdated trees behind."""
    return not isinstance(stands, Tree) or stands.board == board


def after_own(stands: PlanState) -> PlanState | None:
    """Return the plan after the player's own move. A list stays."""
    return stands if isinstance(stands, PlacementList) else None


def after_theirs(stands: PlanState, move: Move, board: Revision) -> PlanState | None:
    """Return the plan after the opponent's move, which created the revision `board`."""
    match stands:
        case Tree(_, ReplyNode(known, otherwise)):
            then = dict(known).get(move, otherwise)
            return LapsedPlan(LapseReason.LEFT, move) if then is None else decided(then, board)
        case Tree(_, root):  # one of them had to pass
            return Tree(board, root)
        case _:
            return stands


def after_anything_else(stands: PlanState) -> PlanState:
    """Return the plan after any other change of the board. A list stays."""
    return LapsedPlan(LapseReason.BACK) if isinstance(stands, Tree) else stands


def next_planned_move(
    stands: PlanState, position: Position, board: Revision
) -> tuple[Move | None, PlanState | None]:
    """Return the planned move to play now, if any, and the plan after it.

    `board` is the revision that this move would create.
    """
    match stands:
        case PlacementList() if position.phase is Phase.PLACEMENT:
            return next_placement(stands, position)
        case Tree(_, OwnNode(move, then)) if move in position.legal_moves():
            return move, decided(then, board)
        case Tree(_, OwnNode(move)):
            return None, LapsedPlan(LapseReason.ILLEGAL, move)
        case LapsedPlan():
            return None, stands
        case _:
            return None, None


# As stored


def that_go_on(game: Game, stand: Mapping[UserId, PlanState]) -> dict[UserId, PlanState]:
    """Return the plans that are for the current board."""
    return {who: one for who, one in stand.items() if goes_on(one, game.board_since)}


def that_can_stand(game: Game, stand: Mapping[UserId, PlanState]) -> Mapping[UserId, PlanState]:
    """Return the plans that still matter, and lapsed ones that their player has not seen yet."""
    if not game.is_running:
        return {}
    return {
        who: one
        for who, one in stand.items()
        if game.is_placing or not isinstance(one, PlacementList)
    }


def stand_after(stand: dict[UserId, PlanState], event: Event) -> None:
    """Update all players' plans after an event."""
    if event.data.keeps_board:
        return
    for who, one in list(stand.items()):
        match event.data:
            case Moved(move) if who != event.actor:
                then = after_theirs(one, move, event.revision)
            case Moved():
                then = after_own(one)
            case _:
                then = after_anything_else(one)
        if then is None:
            del stand[who]
        else:
            stand[who] = then


def to_json(stands: Tree | LapsedPlan) -> dict[str, Any]:
    """Return a plan as JSON for the database, in standard coordinates."""
    match stands:
        case Tree(board, root):
            return {"board": board, "root": _to_json(root)}
        case LapsedPlan(why, move):
            return {"lapsed": why.value, "move": None if move is None else str(move)}


def from_json(kept: Mapping[str, Any]) -> Tree | LapsedPlan:
    """Parse the output of `to_json`."""
    if "lapsed" in kept:
        move = kept["move"]
        return LapsedPlan(LapseReason(kept["lapsed"]), None if move is None else parse_move(move))
    root = _from_json(kept["root"])
    assert isinstance(root, OwnNode | ReplyNode)  # a list is stored as its spaces # noqa: S101
    return Tree(Revision(kept["board"]), root)


def _to_json(ahead: Plan | None) -> Any:
    match ahead:
        case None:
            return None
        case PlacementList(spaces, else_next):
            return {"spaces": " ".join(spaces), "next": else_next}
        case OwnNode(move, then):
            return {"play": str(move), "then": _to_json(then)}
        case ReplyNode(known, otherwise):
            return {
                "if": [[str(move), _to_json(then)] for move, then in known],
                "else": _to_json(otherwise),
            }


def _from_json(kept: Any) -> Plan | None:
    match kept:
        case None:
            return None
        case {"spaces": spaces, "next": else_next}:
            return PlacementList(tuple(map(parse_point, spaces.split())), else_next)
        case {"play": move, "then": then}:
            return OwnNode(parse_move(move), _from_json(then))
        case _:
            known = tuple((parse_move(move), _from_json(then)) for move, then in kept["if"])
            return ReplyNode(known, _from_json(kept["else"]))
