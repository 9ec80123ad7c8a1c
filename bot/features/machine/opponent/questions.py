"""Questions to the machine and their answers, as JSON.

What a database hands us is never unpickled: who can write there could have commands run.
"""

from dataclasses import asdict
from enum import StrEnum
from typing import Any

from bot.features.machine.opponent.analyst import Thinker
from bot.play.model.engine_thoughts import Thought
from dvonn import GameRecord, Position, parse_move, position_from_text, position_to_text
from dvonn.puzzles import Puzzle

Question = dict[str, Any]


class JobKind(StrEnum):
    """The kinds of questions."""

    CHOOSE = "choose"
    """A move."""
    ANALYSE = "analyse"
    """The ways in which play may go on."""
    REVIEW = "review"
    """The review of a game that is over."""
    PUZZLES = "puzzles"
    """Puzzles of a game that is over."""
    CLOSER = "closer"
    """A closer review of a game that is over."""

    @property
    def priority(self) -> int:
        """The lowest number goes first: moves, hints, reviews, then what nobody waits for."""
        match self:
            case JobKind.CHOOSE:
                return 0
            case JobKind.ANALYSE:
                return 1
            case JobKind.REVIEW | JobKind.PUZZLES:
                return 2
            case JobKind.CLOSER:
                return 3


URGENT, PATIENT, IDLE = range(2), range(2, 3), range(3, 4)
"""Priorities. A worker answers each of these beside the rest, so that it holds up nobody."""


def about(position: Position, **terms: int) -> Question:
    return {"position": position_to_text(position), **terms}


def about_game(record: GameRecord, **terms: int) -> Question:
    return {"record": record.to_text(), **terms}


async def answer(thinker: Thinker, kind: JobKind, question: Question) -> Any:
    terms = dict(question)
    match kind:
        case JobKind.CHOOSE:
            position = position_from_text(terms.pop("position"))
            return str(await thinker.choose(position, **terms))
        case JobKind.ANALYSE:
            thoughts = await thinker.analyse(position_from_text(terms.pop("position")))
            return [asdict(one) | {"moves": [str(move) for move in one.moves]} for one in thoughts]
        case JobKind.REVIEW | JobKind.CLOSER:
            record, closer = GameRecord.from_text(terms.pop("record")), kind is JobKind.CLOSER
            found = await thinker.review(terms.pop("game"), record, **terms, closer=closer)
            return found.to_json()
        case JobKind.PUZZLES:
            record = GameRecord.from_text(terms.pop("record"))
            return [one.to_json() for one in await thinker.puzzles(terms.pop("game"), record)]


def read_thoughts(found: Any) -> tuple[Thought, ...]:
    """Return the answer to `ANALYSE`."""
    return tuple(Thought(**one | {"moves": tuple(map(parse_move, one["moves"]))}) for one in found)


def read_puzzles(found: Any) -> tuple[Puzzle, ...]:
    """Return the answer to `PUZZLES`."""
    return tuple(map(Puzzle.from_json, found))
