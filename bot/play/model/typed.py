"""Parses moves, lists and half-typed moves: what to play now, and what to store for later.

`spelling.py` interprets how people type. This module checks their moves against the rules.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

import dvonn
from bot.base import spelling
from bot.base.spelling import LONGEST, split_else_next
from bot.play.model.refusals import BadList, ListProblem


class KeptPlan:
    """A player's plan for later turns. Only its feature interprets it (`bot.play.foresight`)."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class PlacementList(KeptPlan):
    """Placements that a player has planned."""

    spaces: tuple[dvonn.Point, ...]
    else_next: bool = False
    """True if a taken space is replaced by the next free one. If False, it is skipped."""


@dataclass(frozen=True, slots=True)
class TypedTurn:
    """The moves and the plan in text from the player to move."""

    moves: tuple[dvonn.Move, ...]
    """At least one move to play now, all in one go."""
    plan: KeptPlan | None = None
    """The plan for the next turns."""


def read_typed(text: str, coordinates: dvonn.Coordinates, position: dvonn.Position) -> TypedTurn:
    """Parse text from the player to move: one move with any polite words, or a list.

    >>> start, standard = dvonn.Position.initial(), dvonn.Coordinates.STANDARD
    >>> read_typed("d2, please", standard, start)
    TypedTurn(moves=(Move(target='d2'),), plan=None)
    >>> read_typed("d2 e3 f4", standard, start).plan
    PlacementList(spaces=('e3', 'f4'), else_next=False)

    Raises:
        NotationError: if the text is none of these.
        IllegalMoveError: if one of the moves is illegal.
        BadList: if a list for later can't be stored.
    """
    _check_length(text)
    move = spelling.one_move(text, coordinates, position.phase)
    if move is None:
        try:
            return read_entry(text, coordinates, position)
        except dvonn.NotationError:
            if (move := spelling.move_among_courtesies(text, coordinates)) is None:
                raise
    position.play(move)
    return TypedTurn((move,))


def read_entry(text: str, coordinates: dvonn.Coordinates, position: dvonn.Position) -> TypedTurn:
    """Parse text from the player to move, without polite words.

    Usually it is one placement or movement. In the placement phase, further spaces are stored as a
    list for the next turns. If the player moves again immediately, after the last placement or
    because the other player can't move, the text may contain those moves as well.

    Raises:
        NotationError: if the text is none of these.
        IllegalMoveError: if one of the moves is illegal.
        BadList: if the list for later can't be stored.
    """
    _check_length(text)
    if spelling.says_pass(text):
        raise dvonn.NotationError(text, 0, dvonn.NotationProblem.PASS)
    body, else_next = split_else_next(spelling.whole(text))
    rest = list(dvonn.parse_moves(body, coordinates))
    if else_next and position.phase is not dvonn.Phase.PLACEMENT:
        raise BadList(ListProblem.NOT_PLACING)
    turn, spaces, played = position.turn, list[dvonn.Point](), list[dvonn.Move]()
    while rest:
        if played and position.turn is not turn:
            if position.phase is not dvonn.Phase.PLACEMENT:
                raise dvonn.NotationError(text, 0, dvonn.NotationProblem.SEVERAL_MOVES)
            break
        move = _pop_move(rest, position)
        spaces.append(move.target)
        if else_next and not played:
            move = _free_or_next(move, position, tuple(item.target for item in rest))
        position = position.play(move)
        played.append(move)
    later_spaces = _spaces(rest, spaces, position, coordinates, allows_taken=else_next)
    return TypedTurn(
        tuple(played), PlacementList(later_spaces, else_next) if later_spaces else None
    )


def read_plan(text: str, coordinates: dvonn.Coordinates, position: dvonn.Position) -> PlacementList:
    """Parse a list of spaces for later turns.

    Raises:
        NotationError: if it is not a list.
        BadList: if it can't be stored.
    """
    _check_length(text)
    body, else_next = split_else_next(spelling.whole(text))
    moves = dvonn.parse_moves(body, coordinates)
    return PlacementList(
        _spaces(moves, (), position, coordinates, allows_taken=else_next), else_next
    )


def next_placement(
    plan: PlacementList, position: dvonn.Position
) -> tuple[dvonn.Move | None, PlacementList | None]:
    """Return a plan's placement for now, if any, and what remains of the plan, if anything."""
    for number, space in enumerate(plan.spaces):
        later_spaces = plan.spaces[number + 1 :]
        rest = PlacementList(later_spaces, plan.else_next) if later_spaces else None
        if _is_free(space, position):
            return dvonn.Move(target=space), rest
        if plan.else_next:
            return dvonn.Move(target=_next_free(space, position, later_spaces)), rest
    return None, None


def _pop_move(rest: list[dvonn.Move], position: dvonn.Position) -> dvonn.Move:
    move = rest.pop(0)
    moving = position.phase is dvonn.Phase.MOVEMENT
    if moving and move.source is None and rest and rest[0].source is None:
        return dvonn.Move(target=rest.pop(0).target, source=move.target)
    return move


def _check_length(text: str) -> None:
    if len(text) > LONGEST:
        raise BadList(ListProblem.TOO_LONG, limit=LONGEST)


def _spaces(
    rest: Iterable[dvonn.Move],
    before: Collection[dvonn.Point],
    position: dvonn.Position,
    coordinates: dvonn.Coordinates,
    *,
    allows_taken: bool,
) -> tuple[dvonn.Point, ...]:
    """Return the spaces of a list for later turns, or raise BadList if it can't be stored."""
    spaces: list[dvonn.Point] = []
    for move in rest:
        if move.source is not None:
            raise BadList(ListProblem.MOVE)
        if move.target in spaces or move.target in before:
            raise BadList(ListProblem.TWICE, coordinates.label(move.target))
        if not allows_taken and not _is_free(move.target, position):
            raise BadList(ListProblem.TAKEN, coordinates.label(move.target))
        spaces.append(move.target)
    limit = len(dvonn.POINTS) // 2
    if len(spaces) > limit:
        raise BadList(ListProblem.TOO_MANY, limit=limit)
    return tuple(spaces)


def _free_or_next(
    move: dvonn.Move, position: dvonn.Position, later_spaces: tuple[dvonn.Point, ...]
) -> dvonn.Move:
    if move.source is not None or _is_free(move.target, position):
        return move
    return dvonn.Move(target=_next_free(move.target, position, later_spaces))


def _next_free(
    space: dvonn.Point, position: dvonn.Position, later_spaces: tuple[dvonn.Point, ...]
) -> dvonn.Point:
    """Return the next free space, row by row, preferring one that is not listed for later."""
    start = dvonn.POINTS.index(space)
    free = [
        point
        for point in (*dvonn.POINTS[start:], *dvonn.POINTS[:start])
        if _is_free(point, position)
    ]
    return next((point for point in free if point not in later_spaces), free[0])


def _is_free(space: dvonn.Point, position: dvonn.Position) -> bool:
    return position.height(space) == 0


_HALF_SPACE = r"[a-k][0-9]{0,2}"
_BLANK = r"\s\u00a0\u202f`"
# Separators that `dvonn.parse_move` accepts between two spaces, including half-typed ones.
_HALF_BETWEEN = rf"(?:[{_BLANK}.>x:\-\u2010-\u2015\u2212\u2192]|to?)*+"
_HALF_TYPED = re.compile(
    rf"[{_BLANK}]*+(?P<first>{_HALF_SPACE})?+(?P<gap>{_HALF_BETWEEN})(?P<second>{_HALF_SPACE})?+[{_BLANK}.]*+",
    re.IGNORECASE | re.ASCII,
)
LONGEST_HALF_TYPED: Final = 40
"""Maximum number of characters in a half-typed move. Longer text is not read."""


def narrow(
    text: str, moves: Iterable[dvonn.Move], coordinates: dvonn.Coordinates
) -> list[dvonn.Move]:
    """Return the moves that a half-typed text may become, in order.

    "d" may become any move from d1, d2 and so on, "d2-" any move from d2, "d2-e" any move from d2
    to e1, e2 and so on, and "-d4" any move to d4. An empty text may become any move.
    """
    match = _HALF_TYPED.fullmatch(text) if len(text) <= LONGEST_HALF_TYPED else None
    if match is None:
        return []
    first, second = ((match[name] or "").lower() for name in ("first", "second"))
    first_is_whole = bool(first and (match["gap"] or second))

    def fits(move: dvonn.Move) -> bool:
        target = coordinates.label(move.target)
        if move.source is None:
            return not second and _begins(target, first, whole=first_is_whole)
        source = coordinates.label(move.source)
        return _begins(source, first, whole=first_is_whole) and target.startswith(second)

    return [move for move in moves if fits(move)]


def _begins(label: str, text: str, *, whole: bool) -> bool:
    return label == text if whole else label.startswith(text)
