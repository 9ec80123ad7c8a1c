"""The SGF files of boardspace.net.

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

Each action of a player is a node, and the actions are numbered in order. A player may pick up a
piece, drop it and put it back several times. The move counts once the player is `done`. A move is
either `pickb` and `dropb`, or `move`. `pass` and `resign` also need a `done`. In older files, a
lone `done` is a pass. The first player has the white pieces. Comments are in `C`. Variations are in
parentheses, with the main line first.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from dvonn._records.record import GameRecord
from dvonn._records.record_text import DEEPEST, TERMINATION, WON_BY
from dvonn._records.tree import Node
from dvonn._rules.board import Coordinates, Point
from dvonn._rules.errors import RecordProblem
from dvonn._rules.move import Move
from dvonn._rules.pieces import Color
from dvonn._rules.position import Position
from dvonn.formats.common import (
    PASS,
    RESIGN,
    Format,
    GameDraft,
    Place,
    Ply,
    end_of,
    forked,
    looks_like,
    one_line,
    refusal,
    turn_of,
    turns_of,
)

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
_TAGS: Final = {"AN": "Annotator", "DT": "Date", "GN": "Event", "PC": "Site", "RO": "Round"}
_HOW: Final = re.compile(r"Result (1-0|0-1|1/2-1/2), (.*)", re.DOTALL)
"""Pattern of the comment that explains an ending other than by a player's action."""


class _Gestures:
    """A game being read, including the unfinished gestures of the player to move."""

    __slots__ = (
        "_ending",
        "_ending_note",
        "_first",
        "_intent",
        "_pending_comments",
        "_source",
        "_target",
        "sheet",
    )

    def __init__(self) -> None:
        self.sheet = GameDraft()
        self._ending = ""
        self._ending_note: re.Match[str] | None = None
        self._first = "P0"
        self._source: Point | None = None
        self._target: Point | None = None
        self._intent = ""
        self._pending_comments: tuple[str, ...] = ()

    def fork(self) -> "_Gestures":
        """Return a copy for reading another variation."""
        other = forked(self)
        other.sheet = self.sheet.fork()
        return other

    def take(self, place: Place, name: str, value: str) -> None:
        """Process a property. Properties that do not affect the game are skipped."""
        if name in _PLAYERS:
            self._player(place, name, value)
        elif name in _TAGS:
            self.sheet.head(place, _TAGS[name], value.strip())
        elif name == "RE":
            self._ending = value
        elif name == "C":
            self._comment(value)
        elif name in {"GM", "SU"} and _GAME not in value.lower():
            raise refusal(place, RecordProblem.OTHER_GAME, value)

    def record(self) -> GameRecord:
        """Return the game. If it is unfinished by the rules, its result comes from the file."""
        if self._ending_note is not None:
            self.sheet.settle(self._ending_note[1], one_line(self._ending_note[2]))
            return self.sheet.record()
        comment = f" {one_line(self._ending)} "
        won = {
            color
            for color in Color
            if f" {self.sheet.headers.get(color.name.capitalize())} " in comment
        }
        if len(won) == 1:
            self.sheet.settle(WON_BY[won.pop()], "")
        elif " draw " in comment:
            self.sheet.settle(WON_BY[None], "")
        return self.sheet.record()

    def _comment(self, value: str) -> None:
        if (match := _HOW.fullmatch(value)) is not None:
            self._ending_note = match
        elif self._target is not None or self._intent:
            self._pending_comments += (value.strip(),)  # a comment on a move before its `done`
        else:
            self.sheet.draft.comments.append(value.strip())

    def _player(self, place: Place, player: str, value: str) -> None:
        named = _QUOTED.fullmatch(value.strip())
        if named is not None:
            self.sheet.head(place, _PLAYERS[player], named[1])
            return
        words = value.lower().split()
        is_numbered = bool(words) and _NUMBER.fullmatch(words[0]) is not None
        gesture, *rest = words[is_numbered:] or [""]
        if gesture in _GESTURES:
            self._gesture(place, player, gesture, rest)
        elif is_numbered:
            raise refusal(place, RecordProblem.NOT_A_MOVE, value)

    def _gesture(self, place: Place, player: str, gesture: str, rest: list[str]) -> None:
        if gesture == "dropb":
            target = _point(place, rest)
            # Putting a stack back is not a move.
            self._target = None if target == self._source else target
            self._source = None if target == self._source else self._source
        elif gesture == "move":
            self._source, self._target = _point(place, rest[:2]), _point(place, rest[2:])
        elif gesture == "pickb":
            # A piece that was dropped in this turn is picked up again, or else a stack is picked
            # up.
            if self._target is None and self._source is None:
                self._source = _point(place, rest)
            self._target = None
        elif gesture in {"pick", "drop", "reset"}:
            self._source = self._target = None
        elif gesture in {PASS, RESIGN}:
            self._intent = "" if self._intent == gesture else gesture
        elif gesture == "done":
            self._done(place, player)
        elif gesture == "start":
            self._first = rest[0].upper() if rest else self._first

    def _done(self, place: Place, player: str) -> None:
        color = Color.WHITE if player == self._first else Color.BLACK
        intent, source, target = self._intent, self._source, self._target
        self._intent, self._source, self._target = "", None, None
        if intent == RESIGN:
            self.sheet.resign(place, color)
            return
        if color is not self.sheet.turn:
            raise refusal(place, RecordProblem.NOT_ON_TURN, player)
        if intent == PASS or target is None:
            self.sheet.pass_(place)
        else:
            self.sheet.play(place, Move(target=target, source=source))
        self.sheet.draft.comments += self._pending_comments
        self._pending_comments = ()


def _point(place: Place, words: list[str]) -> Point:
    """Return the point given by the first two words, a column and a row."""
    point = Coordinates.STANDARD.point("".join(words[:2]))
    if point is None:
        raise refusal(place, RecordProblem.NOT_A_MOVE, " ".join(words))
    return point


class _Tree:
    """A reader of a game with its variations."""

    def __init__(self) -> None:
        self._name = ""
        self._game = _Gestures()
        # The main line, once it has ended.
        self._main: _Gestures | None = None
        # For each open bracket, the game at that point. The innermost one is `_game` itself until
        # the line changes it, so that a bracket alone copies nothing.
        self._branches: list[_Gestures] = []

    @property
    def is_open(self) -> bool:
        return bool(self._branches)

    @property
    def has_content(self) -> bool:
        """True if the brackets have any content."""
        return bool(self._branches) and self._game is not self._branches[0]

    def read(self, place: Place, mark: str, tag: str, value: str) -> None:
        """Process a bracket, property name or value from `_parts`."""
        if mark or tag:
            self._name = tag
        if mark == "(":
            if len(self._branches) == DEEPEST:
                raise refusal(place, RecordProblem.TOO_DEEP, mark)
            self._branches.append(self._game)
        elif mark == ")":
            self._main = self._main or self._game
            self._game = self._branches.pop()
        elif not (mark or tag):
            self._take(place, value)

    def _take(self, place: Place, value: str) -> None:
        if not self._name:
            raise refusal(place, RecordProblem.BAD_TREE, value)
        if self._game is self._branches[-1]:
            self._game = self._game.fork()
        self._game.take(place, self._name, value)

    def record(self) -> GameRecord:
        return (self._main or self._game).record()


def _games(text: str) -> Iterator[GameRecord]:
    tree, has_game = _Tree(), False
    for place, mark, tag, value in _parts(text):
        if mark == ")" and has_game and not tree.is_open:
            continue  # a surplus closing bracket, which boardspace.net also ignores
        if mark != "(" and not tree.is_open:
            raise refusal(place, RecordProblem.BAD_TREE, mark or tag or value)
        tree.read(place, mark, tag, value)
        if not tree.is_open:
            yield tree.record()
            tree, has_game = _Tree(), True
    if tree.has_content:  # the last closing brackets may be missing
        yield tree.record()
    elif tree.is_open or not has_game:
        raise refusal(end_of(text), RecordProblem.BAD_TREE, "")


def _parts(text: str) -> Iterator[tuple[Place, str, str, str]]:
    """Yield brackets, property names and values: place, bracket, name, value. Two are empty."""
    at, line, begin = 0, 1, 0  # begin: index of the line's first character
    while at < len(text):
        place = line, at - begin + 1
        part = _PART.match(text, at)
        if part is None:
            raise refusal(place, RecordProblem.BAD_TREE, text[at:].partition("\n")[0])
        mark, tag, value = part.groups()
        if value is not None:
            yield place, "", "", _ESCAPED.sub(r"\1", value)
        elif mark or tag:
            yield place, mark or "", tag or "", ""
        if breaks := text.count("\n", at, part.end()):
            line, begin = line + breaks, text.rindex("\n", at, part.end()) + 1
        at = part.end()


def _text(record: GameRecord) -> str:
    record = record.from_empty_board()
    headers, turns = record.headers, turns_of(record)
    names = [one_line(headers.get(tag, "?"), '"') for tag in _PLAYERS.values()]
    tags = {"GN": "-".join(names)} | {
        name: headers[tag] for name, tag in _TAGS.items() if tag in headers
    }
    lines = ["(;", "GM[Dvonn]VV[1]", f"SU[{_GAME} 0]"]
    lines += [f"{name}[{_escaped(one_line(tags[name]))}]" for name in sorted(tags)]
    lines += _ending(record, names, resigned=any(RESIGN in ply for turn in turns for ply in turn))
    lines += [
        f'{player}[id "{_escaped(name)}"]' for player, name in zip(_PLAYERS, names, strict=True)
    ]
    lines.append(f"; P0[0 Start P0]{_comment_property(record.tree)}")
    return "\n".join([*lines, *_line(record.tree, record.start, 1, turns), ")", ""])


def _line(
    node: Node, position: Position, number: int, main: Sequence[Sequence[Ply]]
) -> Iterator[str]:
    """Yield the text of the nodes after a move.

    Args:
        node: The move.
        position: Position after the move.
        number: Number of the next action.
        main: The turns that follow, if this move is on the main line.
    """
    for following in node.variations:
        after = position if following.move is None else position.play(following.move)
        turn = main[0] if main else _turn(position, following, after)
        gestures = list(_gestures(turn, number))
        is_one_of_several = len(node.variations) > 1
        yield from "(" * is_one_of_several
        yield from gestures[:-1]
        yield gestures[-1] + _comment_property(following)
        yield from _line(following, after, number + len(gestures), main[1:])
        yield from ")" * is_one_of_several
        main = ()
    if not node.variations and main:  # a resignation after the last move
        yield from _gestures(main[0], number)


def _turn(position: Position, node: Node, after: Position) -> list[Ply]:
    return [] if node.move is None else turn_of(position, node.move, after)


def _gestures(turn: Iterable[Ply], number: int) -> Iterator[str]:
    players = dict(zip(Color, _PLAYERS, strict=True))
    for color, ply in turn:
        if isinstance(ply, str):
            gesture = ply
        elif ply.source is None:
            gesture = f"dropb {_cell(ply.target)}"
        else:
            gesture = f"move {_cell(ply.source)} {_cell(ply.target)}"
        yield f"; {players[color]}[{number} {gesture}]"
        yield f"; {players[color]}[{number + 1} done]"
        number += 2


def _comment_property(node: Node) -> str:
    return f"C[{_escaped(node.comment)}]" if node.comment else ""


def _cell(point: Point) -> str:
    return f"{point[0].upper()} {point[1:]}"


def _ending(record: GameRecord, names: list[str], *, resigned: bool) -> list[str]:
    winners = {WON_BY[color]: name for color, name in zip(Color, names, strict=True)}
    lines: list[str] = []
    if record.result in winners:
        lines.append(f"RE[Game won by {_escaped(winners[record.result])}]")
    elif record.result == WON_BY[None]:
        lines.append("RE[The game is a draw]")
    if TERMINATION in record.headers and lines and not resigned:
        lines.append(
            f"C[Result {record.result}, {_escaped(one_line(record.headers[TERMINATION]))}]"
        )
    return lines


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace("]", "\\]")


BOARDSPACE: Final = Format(
    name="boardspace",
    title="boardspace.net (SGF)",
    suffix=".sgf",
    detect=looks_like(r"\(\s*;"),
    games=_games,
    text=_text,
)
