"""A player's plan: a tree of their own moves, branching on the opponent's moves.

    if d2-d4 then e3-e5, if g3-g4 then h4-h5; if f1-f3 then g3-g4; else ask

A list of placements can be a leaf of the tree, or the whole plan. Whatever the opponent does, the
player places on the first free space of the list, and the rest of the list stays for later.

A tree is also the set of its lines from the root to each leaf (`lines_of`, `add_line`).
The code parses, writes and splits trees line by line.
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

MAX_MOVES: Final = 60
"""Maximum number of moves in a tree, counting both players' moves."""


@dataclass(frozen=True, slots=True)
class OwnNode(KeptPlan):
    """A player's own next move, and the plan after it."""

    move: Move
    then: "Plan | None" = None


@dataclass(frozen=True, slots=True)
class ReplyNode(KeptPlan):
    """Answers to the opponent's moves. None means that the player decides."""

    replies: tuple[tuple[Move, "Plan | None"], ...]
    otherwise: "Plan | None" = None
    """Answer to any other move."""


Plan: TypeAlias = PlacementList | OwnNode | ReplyNode


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree and the board that it starts from."""

    board: Revision
    """Revision of the board that the plan starts from. It isn't played on any other board."""
    root: OwnNode | ReplyNode


class LapseReason(StrEnum):
    """Reasons why a tree lapsed."""

    LEFT = "left"
    """The opponent played a move that the plan has no answer to."""
    ILLEGAL = "illegal"
    """The planned move could not be played."""
    BACK = "back"
    """Moves were taken back, or the board changed in another way."""


@dataclass(frozen=True, slots=True)
class LapsedPlan:
    """A marker that a player's tree has lapsed, which they have not seen yet."""

    reason: LapseReason
    move: Move | None = None
    """The opponent's move, or the player's move that could not be played."""


PlanState: TypeAlias = PlacementList | Tree | LapsedPlan
"""A player's plan in a game, or a note that it has lapsed."""


def as_plan(plan: KeptPlan) -> Plan:
    """Return a stored plan with its actual type."""
    assert isinstance(plan, PlacementList | OwnNode | ReplyNode)  # noqa: S101 - all that is stored
    return plan


# Conversion to lines


@dataclass(frozen=True, slots=True)
class OpponentStep:
    """A condition in a line: a move by the opponent."""

    move: Move | None
    """The move, or None for any other move."""


@dataclass(frozen=True, slots=True)
class OwnStep:
    """The player's own move on a line."""

    move: Move


Line: TypeAlias = tuple[OpponentStep | OwnStep | PlacementList, ...]


def lines_of(plan: Plan | None) -> list[Line]:
    match plan:
        case None:
            return [()]
        case PlacementList():
            return [(plan,)]
        case OwnNode(move, next_plan):
            return [(OwnStep(move), *rest) for rest in lines_of(next_plan)]
        case ReplyNode(replies, fallback):
            lines = [
                (OpponentStep(move), *rest)
                for move, next_plan in replies
                for rest in lines_of(next_plan)
            ]
            if fallback is not None:
                lines += [(OpponentStep(None), *rest) for rest in lines_of(fallback)]
            return lines


def add_line(plan: Plan | None, line: Line) -> Plan | None:
    """Return a tree with one more line, which replaces contradicting parts.

    If a tree replaces a list, the list stays as the answer to any other move.
    """
    if not line:
        return plan
    step, rest = line[0], line[1:]
    match step:
        case PlacementList():
            return step
        case OwnStep(move):
            next_plan = plan.then if isinstance(plan, OwnNode) and plan.move == move else None
            return OwnNode(move, add_line(next_plan, rest))
        case OpponentStep(move):
            if not isinstance(plan, ReplyNode):
                plan = ReplyNode((), plan if isinstance(plan, PlacementList) else None)
            if move is None:
                return replace(plan, otherwise=add_line(plan.otherwise, rest))
            replies = dict(plan.replies)
            replies[move] = add_line(replies.get(move), rest)
            return replace(plan, replies=tuple(replies.items()))


def contradicts(plan: Plan | None, line: Line) -> bool:
    """Return True if a line contradicts a tree."""
    for step in line:
        match plan, step:
            case None, _:
                return False
            case OwnNode(move, next_plan), OwnStep(own_move) if move == own_move:
                plan = next_plan
            case ReplyNode(replies), OpponentStep(Move() as move):
                plan = dict(replies).get(move)
            case ReplyNode(), OpponentStep(None):
                plan = plan.otherwise
            case _:
                return plan != step
    return False


def join_lines(lines: Iterable[Line]) -> Plan | None:
    plan: Plan | None = None
    for line in lines:
        plan = add_line(plan, line)
    return plan


def remove_line(plan: Plan, number: int) -> Plan | None:
    lines = lines_of(plan)
    return join_lines(line for at, line in enumerate(lines) if at != number)


def size(plan: Plan | None) -> int:
    """Count the moves of both players. Each space in a list counts as one move."""
    match plan:
        case None:
            return 0
        case PlacementList(spaces):
            return len(spaces)
        case OwnNode(_, next_plan):
            return 1 + size(next_plan)
        case ReplyNode(replies, fallback):
            return len(replies) + sum(size(next_plan) for _, next_plan in replies) + size(fallback)


def line_from_moves(moves: Iterable[Move], position: Position, own_color: Color) -> Line:
    """Return both players' moves, starting from a position, as a line for one of them.

    Raises:
        IllegalMoveError: if one is illegal.
    """
    line: list[OpponentStep | OwnStep | PlacementList] = []
    for move in moves:
        line.append(OwnStep(move) if position.turn is own_color else OpponentStep(move))
        position = position.play(move)
    return tuple(line)


def may_follow(node: ReplyNode, position: Position, own_color: Color) -> bool:
    """Return True if the fallback answer is possible after any move without its own answer."""
    moves = {move for move, _ in node.replies}
    rest = [position.play(move) for move in position.legal_moves() if move not in moves]
    if isinstance(node.otherwise, OwnNode):
        move = node.otherwise.move
        return any(
            reached.turn is not own_color or move in reached.legal_moves() for reached in rest
        )
    return bool(rest)


# Changes during a game


def plan_state(plan: Plan | None, board: Revision) -> PlanState | None:
    """Return a plan as it is stored, with the revision of its board."""
    return plan if plan is None or isinstance(plan, PlacementList) else Tree(board, plan)


def plan_in(state: PlanState | None) -> Plan | None:
    """Return the tree or list of a player's plan, or None if it has lapsed or there is none."""
    match state:
        case Tree(_, root):
            return root
        case PlacementList():
            return state
        case _:
            return None


def is_for_board(state: PlanState, board: Revision) -> bool:
    """Return True if a plan is for a revision's board. Older bots left outdated trees behind."""
    return not isinstance(state, Tree) or state.board == board


def after_own_move(state: PlanState) -> PlanState | None:
    """Return the plan after the player's own move. A list is unchanged."""
    return state if isinstance(state, PlacementList) else None


def after_reply(state: PlanState, move: Move, board: Revision) -> PlanState | None:
    """Return the plan after the opponent's move, which created the revision `board`."""
    match state:
        case Tree(_, ReplyNode(replies, fallback)):
            next_plan = dict(replies).get(move, fallback)
            return (
                LapsedPlan(LapseReason.LEFT, move)
                if next_plan is None
                else plan_state(next_plan, board)
            )
        case Tree(_, root):  # one of them had to pass
            return Tree(board, root)
        case _:
            return state


def after_other_change(state: PlanState) -> PlanState:
    """Return the plan after any other change of the board. A list is unchanged."""
    return LapsedPlan(LapseReason.BACK) if isinstance(state, Tree) else state


def next_planned_move(
    state: PlanState, position: Position, board: Revision
) -> tuple[Move | None, PlanState | None]:
    """Return the planned move to play now, if any, and the plan after it.

    `board` is the revision that this move would create.
    """
    match state:
        case PlacementList() if position.phase is Phase.PLACEMENT:
            return next_placement(state, position)
        case Tree(_, OwnNode(move, next_plan)) if move in position.legal_moves():
            return move, plan_state(next_plan, board)
        case Tree(_, OwnNode(move)):
            return None, LapsedPlan(LapseReason.ILLEGAL, move)
        case LapsedPlan():
            return None, state
        case _:
            return None, None


# Storage


def plans_for_board(game: Game, states: Mapping[UserId, PlanState]) -> dict[UserId, PlanState]:
    """Return the plans that are for the current board."""
    return {
        player: state for player, state in states.items() if is_for_board(state, game.board_since)
    }


def lasting_plans(game: Game, states: Mapping[UserId, PlanState]) -> Mapping[UserId, PlanState]:
    """Return the plans that still matter, and lapsed ones that their player has not seen yet."""
    if not game.is_running:
        return {}
    return {
        player: state
        for player, state in states.items()
        if game.is_placing or not isinstance(state, PlacementList)
    }


def update_plans(states: dict[UserId, PlanState], event: Event) -> None:
    """Update all players' plans after an event."""
    if event.data.keeps_board:
        return
    for player, state in list(states.items()):
        match event.data:
            case Moved(move) if player != event.actor:
                new_state = after_reply(state, move, event.revision)
            case Moved():
                new_state = after_own_move(state)
            case _:
                new_state = after_other_change(state)
        if new_state is None:
            del states[player]
        else:
            states[player] = new_state


def to_json(state: Tree | LapsedPlan) -> dict[str, Any]:
    """Return a plan as JSON for the database, in standard coordinates."""
    match state:
        case Tree(board, root):
            return {"board": board, "root": _to_json(root)}
        case LapsedPlan(reason, move):
            return {"lapsed": reason.value, "move": None if move is None else str(move)}


def from_json(data: Mapping[str, Any]) -> Tree | LapsedPlan:
    """Parse the output of `to_json`."""
    if "lapsed" in data:
        move = data["move"]
        return LapsedPlan(LapseReason(data["lapsed"]), None if move is None else parse_move(move))
    root = _from_json(data["root"])
    assert isinstance(root, OwnNode | ReplyNode)  # a list is stored as its spaces # noqa: S101
    return Tree(Revision(data["board"]), root)


def _to_json(plan: Plan | None) -> Any:
    match plan:
        case None:
            return None
        case PlacementList(spaces, else_next):
            return {"spaces": " ".join(spaces), "next": else_next}
        case OwnNode(move, next_plan):
            return {"play": str(move), "then": _to_json(next_plan)}
        case ReplyNode(replies, fallback):
            return {
                "if": [[str(move), _to_json(next_plan)] for move, next_plan in replies],
                "else": _to_json(fallback),
            }


def _from_json(data: Any) -> Plan | None:
    match data:
        case None:
            return None
        case {"spaces": spaces, "next": else_next}:
            return PlacementList(tuple(map(parse_point, spaces.split())), else_next)
        case {"play": move, "then": next_plan}:
            return OwnNode(parse_move(move), _from_json(next_plan))
        case _:
            replies = tuple(
                (parse_move(move), _from_json(next_plan)) for move, next_plan in data["if"]
            )
            return ReplyNode(replies, _from_json(data["else"]))
