"""Writes trees of planned moves as text, one line of text per line of play."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from zlib import crc32

from bot.features.plans.model.tree import Line, OpponentStep, OwnStep, Plan, lines_of
from bot.play.model.typed import PlacementList
from dvonn import Coordinates, Move, format_move


@dataclass(frozen=True, slots=True)
class Phrases:
    """Words that join the parts of a tree."""

    answer: Callable[[str, str], str]
    """Phrase for the answer to a given move of the opponent."""
    otherwise: Callable[[str], str]
    """Phrase for the answer to any other move."""
    ask: str
    spaces: Callable[[PlacementList], str]


def short(
    coordinates: Coordinates, ask: str = "ask", else_next: str = "{spaces}, else next free"
) -> Phrases:
    """Return phrases made of symbols where possible, because those are typed in every language.

    Args:
        coordinates: Notation of spaces.
        ask: Word for leaving the choice to the player, in a language that can be parsed.
        else_next: Words for a list that continues with the next free space.
    """

    def spaces(plan: PlacementList) -> str:
        names = " ".join(map(coordinates.label, plan.spaces))
        return else_next.format(spaces=names) if plan.else_next else names

    return Phrases("{}: {}".format, "*: {}".format, ask, spaces)


def write(plan: Plan, coordinates: Coordinates, phrases: Phrases) -> list[str]:
    return [_line_text(line, coordinates, phrases) for line in lines_of(plan)]


def mark_of(plan: Plan) -> str:
    """Return a short hash of a plan. Collisions are very rare."""
    text = "\n".join(write(plan, Coordinates.STANDARD, short(Coordinates.STANDARD)))
    return f"{crc32(text.encode()):08x}"


def _line_text(line: Line, coordinates: Coordinates, phrases: Phrases) -> str:
    """Return one line as text, starting at its first condition."""
    parts: list[str] = []
    condition: Sequence[OpponentStep] | None = None
    for kind, group in groupby(line, type):
        steps = list(group)
        if kind is OpponentStep:
            condition = [step for step in steps if isinstance(step, OpponentStep)]
        else:
            reply = _reply_text(steps, coordinates, phrases)
            parts.append(_condition_text(condition or (), reply, coordinates, phrases))
            condition = None
    if condition is not None:
        parts.append(_condition_text(condition, phrases.ask, coordinates, phrases))
    return ", ".join(parts)


def _condition_text(
    condition: Sequence[OpponentStep], reply: str, coordinates: Coordinates, phrases: Phrases
) -> str:
    moves = [step.move for step in condition if step.move is not None]
    if not condition:
        return reply
    if not moves:
        return phrases.otherwise(reply)
    return phrases.answer(_moves_text(moves, coordinates), reply)


def _reply_text(
    steps: Iterable[OpponentStep | OwnStep | PlacementList],
    coordinates: Coordinates,
    phrases: Phrases,
) -> str:
    return " ".join(
        phrases.spaces(step)
        if isinstance(step, PlacementList)
        else _moves_text([step.move], coordinates)
        for step in steps
        if isinstance(step, OwnStep | PlacementList)
    )


def _moves_text(moves: Iterable[Move], coordinates: Coordinates) -> str:
    return " ".join(format_move(move, coordinates) for move in moves)
