"""The text format of Little Golem, which the program Holtz reads as well.

    Event [Spring league] Site [www.littlegolem.net] White [Ann] Black [Bob] 1. g2 c1 2. f5 d1 ...
    24. k4 b4 25. a2b2 b3b2 26. pass e5e4 27. resign

Two plies share a number, passes are plies, and the 49th placement is left out because only one
point is free. `resign` applies to the player to move. No other result is recorded. Holtz expects
exactly these four headers in this order.
"""

import re
from collections.abc import Iterator
from typing import Final

from dvonn._records.record import GameRecord
from dvonn._rules.board import POINTS
from dvonn._rules.errors import RecordProblem
from dvonn._rules.move import Move
from dvonn.formats.common import (
    Format,
    GameDraft,
    Place,
    end_of,
    lines_of,
    looks_like,
    one_line,
    plies_of,
    refusal,
    squeezed,
)

_TAGS: Final = ("Event", "Site", "White", "Black")
_UNKNOWN: Final = "?"
_NEVER_IN_NAMES: Final = "[]\\"
_PART: Final = re.compile(
    r"(?P<tag>[A-Za-z][A-Za-z0-9_]*)\s*\[(?P<value>[^\]\\]*(?:\\.[^\]\\]*)*)(?P<closed>\]?)(?:(?<=\])|$)"
    r"|(?P<number>[0-9]+\.+)|\$[0-9]+|(?P<word>[^\s.\[\]]+)|(?P<other>\S)"
)
_ESCAPED: Final = re.compile(r"\\(.)")
_A_NUMBER: Final = re.compile(r"\b[0-9]+\.")
_LAST_BRACKETS: Final = re.compile(r"[\])\s]*")
_IMPLIED: Final = len(POINTS) - 1


class _Text:
    """A reader of games in Little Golem's format."""

    def __init__(self) -> None:
        self.sheet = GameDraft()
        self._implied: Move | None = None
        self._has_last_placement = False

    def head(self, place: Place, part: re.Match[str]) -> None:
        """Store a header. Its bracket may be missing at the end of a line without moves."""
        value = _ESCAPED.sub(r"\1", part["value"])
        if not part["closed"] and _A_NUMBER.search(value):
            raise refusal(place, RecordProblem.BAD_HEADER, part[0])
        self.sheet.head(place, part["tag"], value.strip())

    def count(self, place: Place, number: str) -> None:
        """Check that a move number is the one expected for White's next ply.

        If the 49th placement was written out, later numbers may be higher by one.
        """
        if number.endswith(".."):  # the number of Black's ply, which is optional
            return
        plies = self.sheet.position.plies + self.sheet.passes
        is_white = plies % 2 == (0 if plies < len(POINTS) else 1)
        expected = {1 + plies // 2, 1 + plies // 2 + self._has_last_placement}
        if not (is_white or self._has_last_placement) or number.removesuffix(".") not in map(
            str, expected
        ):
            raise refusal(place, RecordProblem.MOVE_NUMBER, number)

    def word(self, place: Place, word: str) -> None:
        """Play a move, pass or resignation.

        The 49th placement is played automatically if it is not written out.
        """
        sheet = self.sheet
        if self._implied is not None and word.lower() == str(self._implied):
            self._implied, self._has_last_placement = None, True
            return
        sheet.word(place, word)
        self._implied = None
        if sheet.position.plies == _IMPLIED:
            (self._implied,) = sheet.position.legal_moves()
            sheet.play(place, self._implied)


def _games(text: str) -> Iterator[GameRecord]:
    game = _Text()
    for place, part in _parts(text):
        tag, number, plies = part["tag"], part["number"], game.sheet.position.plies
        is_next = tag == _TAGS[0] or (plies and (tag or number == "1."))
        if game.sheet.begun and is_next:
            yield game.sheet.record()
            game = _Text()
        if tag:
            game.head(place, part)
        elif number:
            game.count(place, number)
        elif part["word"]:
            game.word(place, part["word"])
    if not game.sheet.begun:
        raise refusal(end_of(text), RecordProblem.NO_RESULT, "")
    yield game.sheet.record()


def _parts(text: str) -> Iterator[tuple[Place, re.Match[str]]]:
    """Yield headers, numbers and words with their places. Ignore brackets at the end of a line."""
    for line, content in lines_of(text):
        for part in _PART.finditer(content):
            place = line, part.start() + 1
            if part["other"] and _LAST_BRACKETS.fullmatch(content, part.start()):
                break
            if part["other"]:
                raise refusal(place, RecordProblem.NOT_A_MOVE, content[part.start() :])
            yield place, part


def _text(record: GameRecord) -> str:
    headers = record.headers
    parts = [f"{tag} [{one_line(headers.get(tag, _UNKNOWN), _NEVER_IN_NAMES)}]" for tag in _TAGS]
    plies = [squeezed(ply) for _, ply in plies_of(record)]
    if len(plies) > _IMPLIED:
        # The omitted placement still counts as a ply, so White's next ply begins a new number.
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
