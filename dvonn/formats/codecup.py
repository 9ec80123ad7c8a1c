"""Text files of bare moves, as written by Dvonner and the programs of CodeCup.

    # Player 1: Ann
    # Player 2: Bob
    J5 D2 F5 ...
    B4C5 B1C1 PASS C1C3 ...
    # Score: 10 - 12. Player 2 won!

This is a CodeCup log. The lines that start with `#` are optional. Dvonner writes two moves per
line, no names, and `BREAK` at the end. In both formats, passes are plies.
"""

import re
from collections.abc import Iterator
from typing import Final

from dvonn._records.record import GameRecord
from dvonn._records.record_text import RESULT, TERMINATION
from dvonn._rules.board import POINTS
from dvonn._rules.errors import RecordProblem
from dvonn._rules.pieces import Color
from dvonn._rules.position import Phase
from dvonn.formats.common import (
    PASS,
    RESIGN,
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

_BREAK: Final = "BREAK"
_POINT: Final = "[A-Ka-k][1-5]"
_WORD: Final = re.compile(r"[^\s,]+")
_REMARK: Final = re.compile(r"#\s*(Player 1|Player 2|Score|Result|Termination):\s*(.*?)\s*")
_SCORE: Final = re.compile(r"([0-9]{1,2}) - ([0-9]{1,2})\b")
_PLAYERS: Final = {"Player 1": "White", "Player 2": "Black"}
_WON: Final = {Color.WHITE: "Player 1 won!", Color.BLACK: "Player 2 won!", None: "It's a tie!"}
_FIRST_LINE: Final = 24
"""Number of placements on the first of a log's two placement lines."""
_A_LINE: Final = 16


def _logged(text: str) -> Iterator[GameRecord]:
    game = _Log()
    for line, content in lines_of(text):
        if content.lstrip().startswith("#"):
            match = _REMARK.fullmatch(content.strip())
            if match is None:
                continue
            if match[1] == "Player 1" and game.sheet.begun:
                yield game.record()
                game = _Log()
            game.take((line, content.index("#") + 1), match[1], match[2])
            continue
        for word in _WORD.finditer(content):
            if game.sheet.ended and word[0].upper() != PASS.upper():
                yield game.record()
                game = _Log()
            game.sheet.word((line, word.start() + 1), word[0])
    if not game.sheet.begun:
        raise refusal(end_of(text), RecordProblem.NO_RESULT, "")
    yield game.record()


class _Log:
    """A game being read, and its comment lines."""

    def __init__(self) -> None:
        self.sheet = GameDraft()
        self._remarks: dict[str, str] = {}

    def take(self, place: Place, event: str, value: str) -> None:
        """Store the content of a comment line."""
        if event in _PLAYERS:
            self.sheet.head(place, _PLAYERS[event], value)
        elif event == "Score":
            self._check(place, value)
        else:
            self._remarks[event] = value

    def record(self) -> GameRecord:
        self.sheet.settle(self._remarks.get(RESULT, ""), self._remarks.get(TERMINATION, ""))
        return self.sheet.record()

    def _check(self, place: Place, value: str) -> None:
        """Check a score against the final board."""
        position, match = self.sheet.position, _SCORE.match(value)
        if match is None or position.phase is not Phase.OVER:
            return
        if (int(match[1]), int(match[2])) != tuple(map(position.score, Color)):
            raise refusal(place, RecordProblem.WRONG_SCORE, value)


def _words(record: GameRecord) -> list[str]:
    return [squeezed(ply).upper() for _, ply in plies_of(record)]


def _log(record: GameRecord) -> str:
    headers, final = record.headers, record.positions()[-1]
    words = _words(record)
    lines = [f"# {label}: {one_line(headers.get(tag, '?'))}" for label, tag in _PLAYERS.items()]
    ends = [_FIRST_LINE, *range(len(POINTS), len(words) + len(POINTS), _A_LINE)]
    for begin, end in zip([0, *ends], ends, strict=False):
        lines.append(" ".join(words[begin:end]))
    if final.phase is Phase.OVER:
        white, black = map(final.score, Color)
        lines.append(f"# Score: {white} - {black}. {_WON[final.winner]}")
    elif TERMINATION in headers and words[-1:] != [RESIGN.upper()]:
        lines += [f"# {tag}: {one_line(headers[tag])}" for tag in (RESULT, TERMINATION)]
    return "".join(f"{line}\n" for line in lines if line)


def _dvonner_games(text: str) -> Iterator[GameRecord]:
    has_game, sheet = False, GameDraft()
    for line, content in lines_of(text):
        for word in _WORD.finditer(content):
            if word[0].upper() == _BREAK:
                yield sheet.record()
                has_game, sheet = True, GameDraft()
            else:
                sheet.word((line, word.start() + 1), word[0])
    if sheet.begun or not has_game:
        raise refusal(end_of(text), RecordProblem.NO_RESULT, "")


def _dvonner(record: GameRecord) -> str:
    # Dvonner has no notation for a resignation.
    words = [*(word for word in _words(record) if word != RESIGN.upper()), _BREAK]
    # White's 49th placement is on a separate line.
    ends = [*range(2, len(POINTS), 2), *range(len(POINTS), len(words) + 2, 2)]
    pairs = [words[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]
    return "".join(f"{'  '.join(pair)}\n" for pair in pairs if pair)


_begins_with_a_placement = looks_like(rf"{_POINT}\b|{_BREAK}\b")

CODECUP: Final = Format(
    name="codecup",
    title="CodeCup, PrimaDvonna",
    suffix=".log",
    detect=looks_like(rf"#|{_POINT}\b"),
    games=_logged,
    text=_log,
    between="\n",
)
DVONNER: Final = Format(
    name="dvonner",
    title="Dvonner",
    suffix=".dvg",
    detect=lambda text: _begins_with_a_placement(text) and _BREAK in text,
    games=_dvonner_games,
    text=_dvonner,
)
