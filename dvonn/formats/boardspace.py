"""boardspace.net's SGF files.

    (;
    GM[Dvonn]VV[1]
    SU[dvonn 0]
    P0[id "Ann"]
    P1[id "Bob"]
    ; P0[0 Start P0]
    ; P0[1 dropb D 3]
    ; P0[2 done]
    ; P1[3 move K 3 J 3]
    ; P1[4 done]
    )

Every gesture of a player is a node, with a number over all: a piece is picked up and dropped,
perhaps put back, and counts once the player is `done`. A move is `pickb` and `dropb`, or `move`;
`pass` and `resign` need a `done`, too, and older files pass by a mere `done`. The first player has
the white pieces. Of variations the first is read.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from dvonn.board import Coordinates, Point
from dvonn.errors import RecordProblem
from dvonn.formats.common import (
    PASS,
    RESIGN,
    Format,
    Sheet,
    looks_like,
    one_line,
    plies_of,
    refusal,
)
from dvonn.move import Move
from dvonn.pieces import Color
from dvonn.record import TERMINATION, WON_BY, GameRecord

_GAME: Final = "dvonn"
_PART: Final = re.compile(
    r"\s+|([();])|([A-Za-z][A-Za-z0-9-]*)|\[([^\]\\]*(?:\\.[^\]\\]*)*)\]", re.DOTALL
)
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_GESTURES: Final = frozenset(
    {"start", "pick", "drop", "pickb", "dropb", "move", "reset", "edit", PASS, RESIGN, "done"}
)
_NUMBER: Final = re.compile(r"[0-9]+")
_QUOTED: Final = re.compile(r'id\s+"(.*)"\s*', re.DOTALL)
_PLAYERS: Final = {"P0": "White", "P1": "Black"}
_TAGS: Final = {"DT": "Date", "GN": "Event"}
_HOW: Final = re.compile(r"Result (1-0|0-1|1/2-1/2), (.*)", re.DOTALL)
"""A comment that we write if a game has ended by something that is no gesture."""


class _Gestures:
    """One game, and what the player whose turn it is has in hand."""

    def __init__(self) -> None:
        self.sheet = Sheet()
        self._ending = ""
        self._how: re.Match[str] | None = None
        self._first = "P0"
        self._source: Point | None = None
        self._target: Point | None = None
        self._wish = ""

    def take(self, line: int, name: str, value: str) -> None:
        """Do what a property says; those that do not matter are passed over."""
        if name in _PLAYERS:
            self._player(line, name, value)
        elif name in _TAGS:
            self.sheet.head(line, _TAGS[name], value.strip())
        elif name == "RE":
            self._ending = value
        elif name == "C" and (match := _HOW.fullmatch(value)):
            self._how = match
        elif name in {"GM", "SU"} and _GAME not in value.lower():
            raise refusal(line, RecordProblem.OTHER_GAME, value)

    def record(self) -> GameRecord:
        """Return the game, with the result that was told if it did not end by itself."""
        if self._how is not None:
            self.sheet.settle(self._how[1], one_line(self._how[2]))
            return self.sheet.record()
        said = f" {one_line(self._ending)} "
        won = {
            color
            for color in Color
            if f" {self.sheet.headers.get(color.name.capitalize())} " in said
        }
        if len(won) == 1:
            self.sheet.settle(WON_BY[won.pop()], "")
        elif " draw " in said:
            self.sheet.settle(WON_BY[None], "")
        return self.sheet.record()

    def _player(self, line: int, player: str, value: str) -> None:
        named = _QUOTED.fullmatch(value.strip())
        if named is not None:
            self.sheet.head(line, _PLAYERS[player], named[1])
            return
        words = value.lower().split()
        is_numbered = bool(words) and _NUMBER.fullmatch(words[0]) is not None
        gesture, *rest = words[is_numbered:] or [""]
        if gesture in _GESTURES:
            self._gesture(line, player, gesture, rest)
        elif is_numbered:
            raise refusal(line, RecordProblem.NOT_A_MOVE, value)

    def _gesture(self, line: int, player: str, gesture: str, rest: list[str]) -> None:
        if gesture == "dropb":
            target = _point(line, rest)
            # Putting a stack back is no move.
            self._target = None if target == self._source else target
            self._source = None if target == self._source else self._source
        elif gesture == "move":
            self._source, self._target = _point(line, rest[:2]), _point(line, rest[2:])
        elif gesture == "pickb":
            # What has been dropped is in hand again; else a stack is taken from the board.
            if self._target is None and self._source is None:
                self._source = _point(line, rest)
            self._target = None
        elif gesture in {"pick", "drop", "reset"}:
            self._source = self._target = None
        elif gesture in {PASS, RESIGN}:
            self._wish = "" if self._wish == gesture else gesture
        elif gesture == "done":
            self._done(line, player)
        elif gesture == "start":
            self._first = rest[0].upper() if rest else self._first

    def _done(self, line: int, player: str) -> None:
        color = Color.WHITE if player == self._first else Color.BLACK
        wish, source, target = self._wish, self._source, self._target
        self._wish, self._source, self._target = "", None, None
        if wish == RESIGN:
            self.sheet.resign(line, color)
            return
        if color is not self.sheet.turn:
            raise refusal(line, RecordProblem.NOT_ON_TURN, player)
        if wish == PASS or target is None:
            self.sheet.pass_(line)
        else:
            self.sheet.play(line, Move(target=target, source=source))


def _point(line: int, words: list[str]) -> Point:
    """Return the point of a column and a row; what follows them says what lies there."""
    point = Coordinates.STANDARD.point("".join(words[:2]))
    if point is None:
        raise refusal(line, RecordProblem.NOT_A_MOVE, " ".join(words))
    return point


def _games(text: str) -> Iterator[GameRecord]:
    game, depth, name, found = _Gestures(), 0, "", False
    following = True  # whether this is still the first of all variations
    for line, mark, tag, value in _parts(text):
        if depth == 0 and mark != "(":
            raise refusal(line, RecordProblem.BAD_TREE, mark or tag or value)
        if tag:
            name = tag
        elif mark:
            depth += (mark == "(") - (mark == ")")
            following = following and mark != ")"
            name = ""
            if depth == 0:
                yield game.record()
                game, following, found = _Gestures(), True, True
        elif not name:
            raise refusal(line, RecordProblem.BAD_TREE, value)
        elif following:
            game.take(line, name, value)
    if depth or not found:
        raise refusal(text.count("\n") + 1, RecordProblem.BAD_TREE, "")


def _parts(text: str) -> Iterator[tuple[int, str, str, str]]:
    """Yield each bracket, name or value, with its line; the two that it is not are empty."""
    at, line = 0, 1
    while at < len(text):
        part = _PART.match(text, at)
        if part is None:
            raise refusal(line, RecordProblem.BAD_TREE, text[at:].partition("\n")[0])
        mark, tag, value = part.groups()
        if value is not None:
            yield line, "", "", _ESCAPED.sub(r"\1", value)
        elif mark or tag:
            yield line, mark or "", tag or "", ""
        line += text.count("\n", at, part.end())
        at = part.end()


def _text(record: GameRecord) -> str:
    headers, plies = record.headers, plies_of(record)
    names = [one_line(headers.get(tag, "?"), '"') for tag in _PLAYERS.values()]
    lines = ["(;", "GM[Dvonn]VV[1]", f"SU[{_GAME} 0]"]
    lines += [f"DT[{_escaped(headers['Date'])}]"] if "Date" in headers else []
    lines.append(f"GN[{_escaped(headers.get('Event', '-'.join(names)))}]")
    lines += _ending(record, names, resigned=any(ply == RESIGN for _, ply in plies))
    lines += [
        f'{player}[id "{_escaped(name)}"]' for player, name in zip(_PLAYERS, names, strict=True)
    ]
    gestures = [("P0", "Start P0"), *_gestures(plies)]
    lines += [f"; {player}[{n} {gesture}]" for n, (player, gesture) in enumerate(gestures)]
    return "\n".join([*lines, ")", ""])


def _gestures(plies: Iterable[tuple[Color, Move | str]]) -> Iterator[tuple[str, str]]:
    players = dict(zip(Color, _PLAYERS, strict=True))
    for color, ply in plies:
        if isinstance(ply, str):
            yield players[color], ply
        elif ply.source is None:
            yield players[color], f"dropb {_cell(ply.target)}"
        else:
            yield players[color], f"move {_cell(ply.source)} {_cell(ply.target)}"
        yield players[color], "done"


def _cell(point: Point) -> str:
    return f"{point[0].upper()} {point[1:]}"


def _ending(record: GameRecord, names: list[str], *, resigned: bool) -> list[str]:
    winners = {WON_BY[color]: name for color, name in zip(Color, names, strict=True)}
    lines = []
    if record.result in winners:
        lines.append(f"RE[Game won by {_escaped(winners[record.result])}]")
    elif record.result == WON_BY[None]:
        lines.append("RE[The game is a draw]")
    if TERMINATION in record.headers and lines and not resigned:
        lines.append(f"C[Result {record.result}, {_escaped(record.headers[TERMINATION])}]")
    return lines


def _escaped(value: str) -> str:
    return one_line(value).replace("\\", "\\\\").replace("]", "\\]")


BOARDSPACE: Final = Format(
    name="boardspace",
    title="boardspace.net (SGF)",
    suffix=".sgf",
    detect=looks_like(r"\(\s*;"),
    games=_games,
    text=_text,
)
