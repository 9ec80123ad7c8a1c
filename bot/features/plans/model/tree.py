"""A player's plan: a tree of their own moves by the other player's moves.

    if d2-d4 then e3-e5, if g3-g4 then h4-h5; if f1-f3 then g3-g4; else ask

A list of placements is a leaf of such a tree, or the whole of it: it places the first free space,
whatever the other player does, and continues with the rest. A tree is also the set of its lines,
from the root to each leaf (`lines_of`, `grown`), so code reads, writes and splits it line by line.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, TypeAlias

from bot.base.ids import Revision, UserId
from bot.play.model.events import Event, Moved
from bot.play.model.game import Game
from bot.play.model.typed import KeptPlan, Plan, next_placement
from dvonn import Color, Move, Phase, Position, parse_move, parse_point

MOST: Final = 60
"""Number of moves of both players in one tree at most."""


@dataclass(frozen=True, slots=True)
class Prepared(KeptPlan):
    """A player's own next move, and the rest of the plan after it."""

    move: Move
    then: "Ahead | None" = None


@dataclass(frozen=True, slots=True)
class Waiting(KeptPlan):
    """The answers to moves of the other player. None means that the player is asked."""

    known: tuple[tuple[Move, "Ahead | None"], ...]
    otherwise: "Ahead | None" = None
    """The answer to any other move."""


Ahead: TypeAlias = Plan | Prepared | Waiting


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree with the board that it belongs to."""

    board: Revision
    """Revision of the board that the plan starts from. It is played on no other board."""
    root: Prepared | Waiting


class Lapse(StrEnum):
    """Reasons why a tree has lapsed."""

    LEFT = "left"
    """The other player played a move that it had no answer to."""
    ILLEGAL = "illegal"
    """The move could not be played."""
    BACK = "back"
    """The game went back, or changed by other means than a move."""


@dataclass(frozen=True, slots=True)
class Lapsed:
    """The rest of a tree that came to nothing: a note for its player."""

    why: Lapse
    move: Move | None = None
    """Move of the other player, or the own move that could not be played."""


Decided: TypeAlias = Plan | Tree | Lapsed
"""A player's decisions in a game, or the note that they have lapsed."""


def ahead_in(kept: KeptPlan) -> Ahead:
    """Return what the game has kept as the plan that it is."""
    assert isinstance(kept, Plan | Prepared | Waiting)  # nothing else is kept  # noqa: S101
    return kept


# As lines


@dataclass(frozen=True, slots=True)
class Theirs:
    """A condition on a line: a move of the other player."""

    move: Move | None
    """The move, or None for any other move."""


@dataclass(frozen=True, slots=True)
class Own:
    """The player's own move on a line."""

    move: Move


Line: TypeAlias = tuple[Theirs | Own | Plan, ...]


def lines_of(ahead: Ahead | None) -> list[Line]:
    match ahead:
        case None:
            return [()]
        case Plan():
            return [(ahead,)]
        case Prepared(move, then):
            return [(Own(move), *rest) for rest in lines_of(then)]
        case Waiting(known, otherwise):
            lines = [(Theirs(move), *rest) for move, then in known for rest in lines_of(then)]
            if otherwise is not None:
                lines += [(Theirs(None), *rest) for rest in lines_of(otherwise)]
            return lines


def grown(ahead: Ahead | None, line: Line) -> Ahead | None:
    """Return a tree with one more line, which overrules a contradicting one.

    A list that a tree replaces stays as the answer to any other move.
    """
    if not line:
        return ahead
    step, rest = line[0], line[1:]
    match step:
        case Plan():
            return step
        case Own(move):
            then = ahead.then if isinstance(ahead, Prepared) and ahead.move == move else None
            return Prepared(move, grown(then, rest))
        case Theirs(move):
            if not isinstance(ahead, Waiting):
                ahead = Waiting((), ahead if isinstance(ahead, Plan) else None)
            if move is None:
                return replace(ahead, otherwise=grown(ahead.otherwise, rest))
            known = dict(ahead.known)
            known[move] = grown(known.get(move), rest)
            return replace(ahead, known=tuple(known.items()))


def overrules(ahead: Ahead | None, line: Line) -> bool:
    """Return True if a line contradicts a tree."""
    for step in line:
        match ahead, step:
            case None, _:
                return False
            case Prepared(move, then), Own(again) if move == again:
                ahead = then
            case Waiting(known), Theirs(Move() as move):
                ahead = dict(known).get(move)
            case Waiting(), Theirs(None):
                ahead = ahead.otherwise
            case _:
                return ahead != step
    return False


def joined(lines: Iterable[Line]) -> Ahead | None:
    ahead: Ahead | None = None
    for line in lines:
        ahead = grown(ahead, line)
    return ahead


def without(ahead: Ahead, number: int) -> Ahead | None:
    lines = lines_of(ahead)
    return joined(line for at, line in enumerate(lines) if at != number)


def size(ahead: Ahead | None) -> int:
    """Count the moves of both players, with each space of a list as one."""
    match ahead:
        case None:
            return 0
        case Plan(spaces):
            return len(spaces)
        case Prepared(_, then):
            return 1 + size(then)
        case Waiting(known, otherwise):
            return len(known) + sum(size(then) for _, then in known) + size(otherwise)


def line_along(moves: Iterable[Move], position: Position, own: Color) -> Line:
    """Return moves that both players make from a position on, as a line of one of them.

    Raises:
        IllegalMoveError: if the rules refuse one.
    """
    line: list[Theirs | Own | Plan] = []
    for move in moves:
        line.append(Own(move) if position.turn is own else Theirs(move))
        position = position.play(move)
    return tuple(line)


def may_follow(waiting: Waiting, position: Position, own: Color) -> bool:
    """Return True if the "otherwise" move is possible after any of the remaining moves."""
    named = {move for move, _ in waiting.known}
    rest = [position.play(move) for move in position.legal_moves() if move not in named]
    if isinstance(waiting.otherwise, Prepared):
        move = waiting.otherwise.move
        return any(one.turn is not own or move in one.legal_moves() for one in rest)
    return bool(rest)


# In a game


def decided(ahead: Ahead | None, board: Revision) -> Decided | None:
    """Return a tree with the revision of its board."""
    return ahead if ahead is None or isinstance(ahead, Plan) else Tree(board, ahead)


def ahead_of(stands: Decided | None) -> Ahead | None:
    """Return the tree or list among a player's decisions, if there is one."""
    match stands:
        case Tree(_, root):
            return root
        case Plan():
            return stands
        case _:
            return None


def goes_on(stands: Decided, board: Revision) -> bool:
    """Return True if decisions are for a revision's board: an older bot leaves old trees behind."""
    return not isinstance(stands, Tree) or stands.board == board


def after_own(stands: Decided) -> Decided | None:
    """Return the decisions after their player's own move. A list continues."""
    return stands if isinstance(stands, Plan) else None


def after_theirs(stands: Decided, move: Move, board: Revision) -> Decided | None:
    """Return the decisions after the other player's move, which has made a revision."""
    match stands:
        case Tree(_, Waiting(known, otherwise)):
            then = dict(known).get(move, otherwise)
            return Lapsed(Lapse.LEFT, move) if then is None else decided(then, board)
        case Tree(_, root):  # one had to pass
            return Tree(board, root)
        case _:
            return stands


def after_anything_else(stands: Decided) -> Decided:
    """Return the decisions after another change of the board. A list continues."""
    return Lapsed(Lapse.BACK) if isinstance(stands, Tree) else stands


def due(stands: Decided, position: Position, board: Revision) -> tuple[Move | None, Decided | None]:
    """Return the planned move to play now, if any, and the decisions after it.

    `board` is the revision that the move would make.
    """
    match stands:
        case Plan() if position.phase is Phase.PLACEMENT:
            return next_placement(stands, position)
        case Tree(_, Prepared(move, then)) if move in position.legal_moves():
            return move, decided(then, board)
        case Tree(_, Prepared(move)):
            return None, Lapsed(Lapse.ILLEGAL, move)
        case Lapsed():
            return None, stands
        case _:
            return None, None


# As it is kept


def that_go_on(game: Game, stand: Mapping[UserId, Decided]) -> dict[UserId, Decided]:
    """Return the decisions that are for the present board."""
    return {who: one for who, one in stand.items() if goes_on(one, game.board_since)}


def that_can_stand(game: Game, stand: Mapping[UserId, Decided]) -> Mapping[UserId, Decided]:
    """Return the decisions that can still matter, or whose end their player has yet to see."""
    if not game.is_running:
        return {}
    return {who: one for who, one in stand.items() if game.is_placing or not isinstance(one, Plan)}


def stand_after(stand: dict[UserId, Decided], event: Event) -> None:
    """Update all players' plans after an event."""
    if event.what.is_talk:
        return
    for who, one in list(stand.items()):
        match event.what:
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


def to_json(stands: Tree | Lapsed) -> dict[str, Any]:
    """Write decisions for the database, in standard coordinates."""
    match stands:
        case Tree(board, root):
            return {"board": board, "root": _to_json(root)}
        case Lapsed(why, move):
            return {"lapsed": why.value, "move": None if move is None else str(move)}


def from_json(kept: Mapping[str, Any]) -> Tree | Lapsed:
    """Read the output of `to_json`."""
    if "lapsed" in kept:
        move = kept["move"]
        return Lapsed(Lapse(kept["lapsed"]), None if move is None else parse_move(move))
    root = _from_json(kept["root"])
    assert isinstance(root, Prepared | Waiting)  # of a list the spaces are kept  # noqa: S101
    return Tree(Revision(kept["board"]), root)


def _to_json(ahead: Ahead | None) -> Any:
    match ahead:
        case None:
            return None
        case Plan(spaces, else_next):
            return {"spaces": " ".join(spaces), "next": else_next}
        case Prepared(move, then):
            return {"play": str(move), "then": _to_json(then)}
        case Waiting(known, otherwise):
            return {
                "if": [[str(move), _to_json(then)] for move, then in known],
                "else": _to_json(otherwise),
            }


def _from_json(kept: Any) -> Ahead | None:
    match kept:
        case None:
            return None
        case {"spaces": spaces, "next": else_next}:
            return Plan(tuple(map(parse_point, spaces.split())), else_next)
        case {"play": move, "then": then}:
            return Prepared(parse_move(move), _from_json(then))
        case _:
            known = tuple((parse_move(move), _from_json(then)) for move, then in kept["if"])
            return Waiting(known, _from_json(kept["else"]))
