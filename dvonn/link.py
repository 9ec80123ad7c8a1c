"""A whole game in the fragment of a URL, with one character per ply.

>>> from dvonn import GameRecord, Position, parse_move
>>> from dvonn.link import decode, encode
>>> text = encode(GameRecord(map(parse_move, ("d2", "c3", "f5")), {"White": "Ann"}))
>>> text
'1CKf&White=Ann~'
>>> [str(move) for move in decode(text).moves]
['d2', 'c3', 'f5']

A fragment begins with the version, 1. Then come a character for each ply, as in `packed_moves`, and
the headers that can't be derived from the game, as `&Tag=value` with percent encoding. The fragment
ends with ~, so that a truncated link is detected. Comments and variations are left out. Browsers do
not send fragments to servers.
"""

from typing import Final

from dvonn._records.record import GameRecord
from dvonn._records.record_text import COORDINATES, RESULT, UNFINISHED, start_of
from dvonn._rules.board import Coordinates
from dvonn._rules.errors import LinkError, LinkProblem
from dvonn._rules.move import Move
from dvonn._rules.packed_moves import PackedMoves, packed
from dvonn._rules.position import Position

VERSION: Final = "1"
END: Final = "~"
LONGEST: Final = 4_000
"""Maximum number of characters of a fragment to decode."""

_DERIVED: Final = frozenset({COORDINATES, RESULT, "Score"})


def encode(record: GameRecord) -> str:
    """Return the fragment of a game, without the number sign."""
    from urllib.parse import quote  # noqa: PLC0415 - few links have headers

    headers = (f"&{tag}={quote(value, safe='/')}" for tag, value in _headers(record).items())
    return "".join((VERSION, packed(record.start, record.moves), *headers, END))


def _headers(record: GameRecord) -> dict[str, str]:
    """Return the headers that can't be derived from the moves."""
    headers = {tag: value for tag, value in record.headers.items() if tag not in _DERIVED}
    if record.coordinates is not Coordinates.STANDARD:
        headers[COORDINATES] = record.coordinates
    if record.result != UNFINISHED and record.positions()[-1].turn is not None:
        headers[RESULT] = record.result
    return headers


def decode(text: str) -> GameRecord:
    """Return the game in a fragment. A number sign and everything before it are ignored.

    Raises:
        LinkError: if `encode` would not write this text.
        RecordError: if a header contradicts the game.
    """
    if len(text) > LONGEST:
        raise LinkError(text, LONGEST, LinkProblem.TOO_LONG)
    begin = text.rfind("#") + 1
    if not text.startswith(VERSION, begin):
        raise LinkError(text, begin, LinkProblem.VERSION)
    if not text.endswith(END):
        raise LinkError(text, len(text), LinkProblem.CUT)
    text = text.removesuffix(END)
    end = text.find("&", begin)
    end = len(text) if end < 0 else end
    headers = _read_headers(text, end)
    moves = _read_moves(text, begin + len(VERSION), end, start_of(headers).position)
    coordinates = Coordinates(headers.get(COORDINATES, Coordinates.STANDARD))
    return GameRecord(moves, headers, coordinates)


def _read_headers(text: str, at: int) -> dict[str, str]:
    from urllib.parse import unquote  # noqa: PLC0415 - as in `encode`

    headers: dict[str, str] = {}
    for part in text[at + 1 :].split("&") if at < len(text) else ():
        tag, equals, value = part.partition("=")
        if not equals or tag in headers:
            raise LinkError(text, at, LinkProblem.HEADER)
        headers[tag] = unquote(value)
        at += len(part) + 1
    if headers.get(COORDINATES, Coordinates.STANDARD) not in set(Coordinates):
        raise LinkError(text, at, LinkProblem.HEADER)
    return headers


def _read_moves(text: str, at: int, end: int, position: Position) -> list[Move]:
    reader, moves = PackedMoves(text[at:end]), list[Move]()
    while reader.has_more:
        try:
            moves.append(reader.move(position))
        except ValueError:
            raise LinkError(text, at + reader.at, LinkProblem.CHARACTER) from None
        except IndexError:
            raise LinkError(text, at + reader.at, LinkProblem.NO_SUCH_MOVE) from None
        position = position.play(moves[-1])
    return moves
