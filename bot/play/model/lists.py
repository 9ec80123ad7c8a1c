"""Several placements or moves in one text: what is played at once, and what is kept for later."""

import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from bot.play.model.courtesies import LONGEST, move_among_courtesies
from bot.play.model.refusals.ahead import BadList, ListProblem
from dvonn import (
    POINTS,
    Coordinates,
    Move,
    NotationError,
    NotationProblem,
    Phase,
    Point,
    Position,
    parse_moves,
)

_NEXT_FREE: Final = (
    "(or )?else (the )?next( free)?( one| space)?",
    "(altrimenti|se no|sennò) (la )?(prossima|successiva|prima)( casella)?( libera)?",
    "(sonst|andernfalls) (das )?n(ä|ae|a\u0308?)chste[ns]?( freie[ns]?)?( feld)?",
    "sinon (la )?(prochaine|suivante|case)( case)?( libre)?( suivante)?",
    "anders (het |de )?volgende?( vrije?)?( veld| vakje)?",
    "(si no|sino) (la )?(siguiente|pr(ó|o\u0301?)xima)( casilla)?( libre)?",
)
"""Endings of a list that mean the next free space, in each language."""
# It is looked for where a run of blanks begins, not at each of them.
_PHRASES: Final = "|".join(_NEXT_FREE).replace("(", "(?:").replace(" ", r"[\s,]++")
_ELSE_NEXT: Final = re.compile(rf"(?<![\s,;`])[\s,;`]*+\b(?:{_PHRASES})[\s.`]*+$", re.IGNORECASE)
_TO: Final = re.compile(r"(?<=[0-9])\s+(?:a|à|a\u0300|nach|naar)\s+(?=[a-k][0-9])", re.IGNORECASE)
# Dutch "pas" alone is too much else.
_PASS: Final = re.compile(
    r"[\s`]*+(?:pass|paso|passo|(?:(?:ich|je) )?passe|ik pas)[\s`.]*+", re.IGNORECASE | re.ASCII
)


@dataclass(frozen=True, slots=True)
class Plan:
    """Placements that a player has decided ahead."""

    spaces: tuple[Point, ...]
    else_next: bool = False
    """A space that is taken is replaced by the next free one; otherwise it is passed over."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The meaning of a player's text."""

    moves: tuple[Move, ...]
    """Moves to be played now, in one go: at least one."""
    plan: Plan | None = None
    """Placements for the next turns."""


def read_typed(text: str, coordinates: Coordinates, position: Position) -> Entry:
    """Read what the player to move has typed, as `read_entry` does, or among courtesies.

    Raises:
        NotationError: if the text is nothing of that.
        IllegalMoveError: if the rules refuse one of the moves.
        BadList: if a list for later cannot be kept.
    """
    try:
        return read_entry(text, coordinates, position)
    except NotationError:
        if (move := move_among_courtesies(text, coordinates)) is None:
            raise
        position.play(move)
        return Entry((move,))


def read_entry(text: str, coordinates: Coordinates, position: Position) -> Entry:
    """Read what the player to move has typed.

    One placement or move is the rule. While pieces are placed, further spaces are kept as a list
    for the next turns. Whoever is to move again at once, after the last placement or because the
    other player cannot move, may name those moves as well.

    Raises:
        NotationError: if the text is nothing of that.
        IllegalMoveError: if the rules refuse one of the moves.
        BadList: if the list for later cannot be kept.
    """
    _check_length(text)
    if says_pass(text):
        raise NotationError(text, 0, NotationProblem.PASS)
    body, else_next = split_else_next(visible(text))
    rest = list(parse_moves(body, coordinates))
    if else_next and position.phase is not Phase.PLACEMENT:
        raise BadList(ListProblem.NOT_PLACING)
    turn, named, played = position.turn, list[Point](), list[Move]()
    while rest:
        if played and position.turn is not turn:
            if position.phase is not Phase.PLACEMENT:
                raise NotationError(text, 0, NotationProblem.SEVERAL_MOVES)
            break
        move = _take(rest, position)
        named.append(move.target)
        if else_next and not played:
            move = _free_or_next(move, position, tuple(later.target for later in rest))
        position = position.play(move)
        played.append(move)
    later = _spaces(rest, named, position, coordinates, any_will_do=else_next)
    return Entry(tuple(played), Plan(later, else_next) if later else None)


def read_plan(text: str, coordinates: Coordinates, position: Position) -> Plan:
    """Read a list of spaces for later turns.

    Raises:
        NotationError: if it is no list.
        BadList: if it cannot be kept.
    """
    _check_length(text)
    body, else_next = split_else_next(visible(text))
    moves = parse_moves(body, coordinates)
    return Plan(_spaces(moves, (), position, coordinates, any_will_do=else_next), else_next)


def next_placement(plan: Plan, position: Position) -> tuple[Move | None, Plan | None]:
    """Return the placement of a plan that is due now, if any, and the rest of the plan, if any."""
    for number, space in enumerate(plan.spaces):
        later = plan.spaces[number + 1 :]
        rest = Plan(later, plan.else_next) if later else None
        if _is_free(space, position):
            return Move(target=space), rest
        if plan.else_next:
            return Move(target=_next_free(space, position, later)), rest
    return None, None


def visible(text: str) -> str:
    """Return a text without invisible characters: marks of direction, blanks of no width.

    What other languages say between two spaces becomes a dash, which all that reads moves knows.
    """
    seen = "".join(char for char in text if unicodedata.category(char) != "Cf")
    return _TO.sub(" - ", seen)


def says_pass(text: str) -> bool:
    """Tell whether a text is the word for passing, in one of the languages."""
    return bool(_PASS.fullmatch(text))


def split_else_next(text: str) -> tuple[str, bool]:
    """Return a text without "else next free" at its end, and whether that stood there."""
    match = _ELSE_NEXT.search(text)
    return (text, False) if match is None else (text[: match.start()], True)


def _take(rest: list[Move], position: Position) -> Move:
    """Take the next move of a list, in which two spaces may stand for a movement."""
    move = rest.pop(0)
    moving = position.phase is Phase.MOVEMENT
    if moving and move.source is None and rest and rest[0].source is None:
        return Move(target=rest.pop(0).target, source=move.target)
    return move


def _check_length(text: str) -> None:
    if len(text) > LONGEST:
        raise BadList(ListProblem.TOO_LONG, limit=LONGEST)


def _spaces(
    rest: Iterable[Move],
    before: Collection[Point],
    position: Position,
    coordinates: Coordinates,
    *,
    any_will_do: bool,
) -> tuple[Point, ...]:
    """Read a list of spaces, without the one that stood before it."""
    spaces: list[Point] = []
    for move in rest:
        if move.source is not None:
            raise BadList(ListProblem.MOVE)
        if move.target in spaces or move.target in before:
            raise BadList(ListProblem.TWICE, coordinates.label(move.target))
        if not any_will_do and not _is_free(move.target, position):
            raise BadList(ListProblem.TAKEN, coordinates.label(move.target))
        spaces.append(move.target)
    most = len(POINTS) // 2
    if len(spaces) > most:
        raise BadList(ListProblem.TOO_MANY, limit=most)
    return tuple(spaces)


def _free_or_next(move: Move, position: Position, later: tuple[Point, ...]) -> Move:
    if move.source is not None or _is_free(move.target, position):
        return move
    return Move(target=_next_free(move.target, position, later))


def _next_free(space: Point, position: Position, later: tuple[Point, ...]) -> Point:
    """Return the next free space in the order of the rows, if possible one not listed for later."""
    start = POINTS.index(space)
    free = [point for point in (*POINTS[start:], *POINTS[:start]) if _is_free(point, position)]
    return next((point for point in free if point not in later), free[0])


def _is_free(space: Point, position: Position) -> bool:
    return position.height(space) == 0
