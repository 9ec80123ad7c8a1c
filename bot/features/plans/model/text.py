"""Writes trees of planned moves: a line of text for each of their lines."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from zlib import crc32

from bot.features.plans.model.tree import Ahead, Line, Own, Theirs, lines_of
from bot.play.model.typed import Plan
from dvonn import Coordinates, Move, format_move


@dataclass(frozen=True, slots=True)
class Phrases:
    """The words that join the parts of a tree."""

    known: Callable[[str, str], str]
    """Phrase for answers to moves of the other player."""
    otherwise: Callable[[str], str]
    """Phrase for the answer to any other move."""
    ask: str
    spaces: Callable[[Plan], str]


def short(
    coordinates: Coordinates, ask: str = "ask", else_next: str = "{spaces}, else next free"
) -> Phrases:
    """Return signs where there are any, as people may type them in any language.

    Args:
        coordinates: Names of spaces.
        ask: Words for the player's own choice, in a language that can be read.
        else_next: Words for a list that continues with the next free space.
    """

    def spaces(plan: Plan) -> str:
        names = " ".join(map(coordinates.label, plan.spaces))
        return else_next.format(spaces=names) if plan.else_next else names

    return Phrases("{}: {}".format, "*: {}".format, ask, spaces)


def write(ahead: Ahead, coordinates: Coordinates, phrases: Phrases) -> list[str]:
    return [_written(line, coordinates, phrases) for line in lines_of(ahead)]


def mark_of(ahead: Ahead) -> str:
    """Return a few letters that identify a tree: another tree almost surely has others."""
    written = "\n".join(write(ahead, Coordinates.STANDARD, short(Coordinates.STANDARD)))
    return f"{crc32(written.encode()):08x}"


def _written(line: Line, coordinates: Coordinates, phrases: Phrases) -> str:
    """Return one line, from its first condition on."""
    parts: list[str] = []
    condition: Sequence[Theirs] | None = None
    for kind, group in groupby(line, type):
        steps = list(group)
        if kind is Theirs:
            condition = [one for one in steps if isinstance(one, Theirs)]
        else:
            reply = _reply_text(steps, coordinates, phrases)
            parts.append(_when(condition or (), reply, coordinates, phrases))
            condition = None
    if condition is not None:
        parts.append(_when(condition, phrases.ask, coordinates, phrases))
    return ", ".join(parts)


def _when(
    condition: Sequence[Theirs], reply: str, coordinates: Coordinates, phrases: Phrases
) -> str:
    moves = [one.move for one in condition if one.move is not None]
    if not condition:
        return reply
    if not moves:
        return phrases.otherwise(reply)
    return phrases.known(_moves_text(moves, coordinates), reply)


def _reply_text(
    steps: Iterable[Theirs | Own | Plan], coordinates: Coordinates, phrases: Phrases
) -> str:
    return " ".join(
        phrases.spaces(step) if isinstance(step, Plan) else _moves_text([step.move], coordinates)
        for step in steps
        if isinstance(step, Own | Plan)
    )


def _moves_text(moves: Iterable[Move], coordinates: Coordinates) -> str:
    return " ".join(format_move(move, coordinates) for move in moves)
