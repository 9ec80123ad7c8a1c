"""PGN's export format, for exchange with other programs.

    [Event "?"]
    [Site "?"]
    [Date "2026.11.29"]
    [Round "?"]
    [White "Ann"]
    [Black "Bob"]
    [Result "1-0"]
    [Termination "resignation"]

    1. g2 c1 $5 2. f5 {good} (2. d1) 2... d1 1-0

The seven tags of PGN's roster come first, then the others in order. A move number covers a ply by
White and one by Black. Points have their standard names. PGN has no way to write a closing brace in
a comment, so it is replaced by a bracket.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from dvonn._records.record import GameRecord, records_of
from dvonn._records.record_reader import RESULT_TOKEN
from dvonn._records.record_text import COORDINATES, IN_STRINGS, escaped, passes_of, wrapped
from dvonn._records.tree import Node
from dvonn._rules.pieces import Color
from dvonn._rules.position import Position
from dvonn.formats.common import Format, looks_like, one_line

_COLUMNS: Final = 79
_ROSTER: Final = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
    "Result": "*",
}
"""The tags of PGN's roster in order, with the values that stand for unknown ones."""


# No line may begin with a percent sign, because readers would skip the line.
_BETWEEN_WORDS: Final = re.compile(r" (?!%)")
_RESULT_AT_THE_END: Final = re.compile(rf"{RESULT_TOKEN}\s*(?:\{{[^{{}}]*\}}\s*)?\Z")
_LAST_WORDS: Final = 200
_begins_as_pgn = looks_like(r"[\[{;%]")
_begins_with_a_remark = looks_like("#")


def pgn(record: GameRecord) -> str:
    """Return the text of a record in PGN's export format."""
    headers = (f'[{tag} "{value}"]' for tag, value in _headers(record.headers))
    moves = _line(record.tree, record.start, 0, None)
    tokens = [*_comment(record.tree.comment), *moves, record.result]
    return "\n".join([*headers, "", *wrapped(tokens, _COLUMNS), "", ""])


def _headers(headers: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for tag in (*_ROSTER, *sorted(headers.keys() - _ROSTER.keys() - {COORDINATES})):
        value = one_line(headers.get(tag, "")) or _ROSTER.get(tag, "")
        yield tag, escaped(value, IN_STRINGS)


def _line(node: Node, position: Position, number: int, last: Color | None) -> Iterator[str]:
    """Yield the text after a node.

    Args:
        node: The node.
        position: The position after its move.
        number: Number of that move, or 0 before the first.
        last: The player of that move, or None before the first.
    """
    is_clear = True  # True if Black's next move needs no number
    while (main := node.next) is not None:
        mover = Color(position.turn or Color.WHITE)
        is_answer = mover is Color.BLACK and last is Color.WHITE
        number += not is_answer
        label = f"{number}." if mover is Color.WHITE else f"{number}..."
        tokens, after = _move(main, position)
        yield from tokens if is_answer and is_clear else (label, *tokens)
        for other in node.variations[1:]:
            inner, reached = _move(other, position)
            *inner, end = (*inner, *_line(other, reached, number, mover))
            yield from (f"({label}", *inner, f"{end})")
        is_clear = len(node.variations) == 1 and not tokens[-1].endswith("}")
        node, position, last = main, after, mover


def _move(node: Node, position: Position) -> tuple[list[str], Position]:
    """Return a move with its comments and marks, and the position after it."""
    after = position if node.move is None else position.play(node.move)
    tokens = [str(node.move), *(f"${nag}" for nag in node.nags)]
    for remark in (*passes_of(after), node.comment):
        tokens += _comment(remark)
    return tokens, after


def _comment(text: str) -> list[str]:
    """Split a comment into words between which a line may break."""
    if not text:
        return []
    return _BETWEEN_WORDS.split(one_line(f"{{{text.replace('}', ')')}}}"))


def looks_like_pgn(text: str) -> bool:
    """Return True if a text begins or ends like PGN. Texts in this package's own format do, too."""
    if _begins_as_pgn(text):
        return True
    # A log may end with a header, whose value can be any text.
    ending = _RESULT_AT_THE_END.search(text[-_LAST_WORDS:])
    return ending is not None and not _begins_with_a_remark(text)


PGN: Final = Format(
    name="pgn",
    title="PGN",
    suffix=".pgn",
    detect=looks_like_pgn,
    games=records_of,
    text=pgn,
)
