"""Little Golem's text of games, which Holtz reads as well.

    Event [Spring league] Site [www.littlegolem.net] White [Ann] Black [Bob] 1. g2 c1 2. f5 d1 ...
    24. k4 b4 25. a2b2 b3b2 26. pass e5e4 27. resign

Both players' plies have one number, passes count, and the 49th placement is left out, as there is
but one space for it. `resign` is by the player whose turn it is; no other result is told. Holtz
wants just these four headers, in this order.
"""

import re
from collections.abc import Iterator
from typing import Final

from dvonn.board import POINTS
from dvonn.errors import RecordProblem
from dvonn.formats.common import (
    Format,
    Sheet,
    lines_of,
    looks_like,
    one_line,
    plies_of,
    refusal,
    squeezed,
)
from dvonn.record import GameRecord

_TAGS: Final = ("Event", "Site", "White", "Black")
_UNKNOWN: Final = "?"
_PART: Final = re.compile(r"([A-Za-z][A-Za-z0-9_]*)\s*\[([^\]]*)\]|([0-9]+\.)|([^\s.\[\]]+)|(\S)")
_IMPLIED: Final = len(POINTS) - 1


def _games(text: str) -> Iterator[GameRecord]:
    sheet = Sheet()
    for line, said in lines_of(text):
        for part in _PART.finditer(said):
            tag, value, number, word, other = part.groups()
            if other:
                raise refusal(line, RecordProblem.NOT_A_MOVE, said[part.start() :])
            if sheet.begun and (
                tag == _TAGS[0] or (sheet.position.plies and (tag or number == "1."))
            ):
                yield sheet.record()
                sheet = Sheet()
            if tag:
                sheet.head(line, tag, value.strip())
            elif number:
                _count(line, number, sheet)
            else:
                sheet.word(line, word)
                _place_the_last(line, sheet)
    if not sheet.begun:
        raise refusal(text.count("\n") + 1, RecordProblem.NO_RESULT, "")
    yield sheet.record()


def _count(line: int, number: str, sheet: Sheet) -> None:
    """See that this is the number of White's next ply."""
    plies = sheet.position.plies + sheet.passes
    is_white = plies % 2 == (0 if plies < len(POINTS) else 1)
    if not is_white or number != f"{1 + plies // 2}.":
        raise refusal(line, RecordProblem.MOVE_NUMBER, number)


def _place_the_last(line: int, sheet: Sheet) -> None:
    if sheet.position.plies == _IMPLIED:
        (move,) = sheet.position.legal_moves()
        sheet.play(line, move)


def _text(record: GameRecord) -> str:
    headers = record.headers
    parts = [f"{tag} [{one_line(headers.get(tag, _UNKNOWN), '[]')}]" for tag in _TAGS]
    plies = [squeezed(ply) for _, ply in plies_of(record)]
    if len(plies) > _IMPLIED:
        # The one that is left out counts, so that White has the next number again.
        del plies[_IMPLIED]
    for number, first in enumerate(range(0, len(plies), 2), start=1):
        parts.append(f"{number}. {' '.join(plies[first : first + 2])}")
    return f"{' '.join(parts)}\n"


LITTLE_GOLEM: Final = Format(
    name="littlegolem",
    title="Little Golem, Holtz",
    suffix=".txt",
    detect=looks_like(r"[A-Za-z][A-Za-z0-9_]*\s*\[|1\."),
    games=_games,
    text=_text,
)
