"""A JSON Lines server that gives web pages and notebooks access to the rules and the engine.

    python -m dvonn.engine json                             on standard input and output
    python -m dvonn.engine json --port 8765 --origin URL    over HTTP, on this machine only

    > {"id": 1, "do": "show", "moves": ["d2", "c3"]}
    < {"id": 1, "position": "9/3R6/2R8/10/9 W place", "turn": "W", "legal": ["a1", "b1", ...], ...}

Each request can have `position` (a line or a diagram; the default is the empty board), or `record`
(a game in any format of `dvonn.formats`, or in a link) with `ply` (the number of its moves to play;
the default is all). It can also have `moves`, which are played from there. `id` is returned
unchanged. The values of `do` are:

- `show`: position, phase, turn, legal, stacks, score, removed, passed, winner, hash.
- `choose`: move. Takes `level` and `seed`.
- `analyse`: nodes, and lines, each with moves, chance, margin and exact. Takes `nodes` and `lines`.
- `review`: the data of a `dvonn.Review`. Takes `nodes`.

Each line gets one answer, with `error`, a message for programmers, if the request fails. Over HTTP,
a POST's body is one or more such lines, and the response's body is the answers.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from dvonn._records.diagram import from_diagram
from dvonn._records.position_text import position_from_text, position_to_text
from dvonn._records.record import GameRecord
from dvonn._rules.errors import DvonnError
from dvonn._rules.move import Move
from dvonn._rules.notation import parse_move
from dvonn._rules.pieces import Color
from dvonn._rules.position import Position
from dvonn.engine import analyse, choose, review
from dvonn.hashing import position_hash
from dvonn.link import decode
from dvonn.machine import LEVELS

if TYPE_CHECKING:
    from http.server import ThreadingHTTPServer

_LONGEST: Final = 1_000_000
_MOST_NODES: Final = 5_000_000
_MOST_LINES: Final = 1_000
_MOST_PLY: Final = 1_000
_SHOWN: Final = 60
_LENGTH: Final = re.compile("[0-9]{1,15}")
_LINK: Final = re.compile(r"(?:\S*#)?1[A-Za-z0-9_-]*(?:&\S*)?~")
_Json = dict[str, Any]
_Request = Mapping[str, Any]


class _RequestError(DvonnError):
    """A request is invalid. The text is for programmers."""


def answers(lines: Iterable[str]) -> Iterator[str]:
    """Yield the answer to each line."""
    for line in lines:
        text = json.dumps(_answer(line), ensure_ascii=False)
        yield text.encode("utf-8", "replace").decode()  # without lone surrogates


def _answer(line: str) -> _Json:
    answer: _Json = {}
    try:
        request = _request(line)
        if "id" in request:
            answer["id"] = request["id"]
        return {**answer, **_do(request)}
    except DvonnError as error:
        return {**answer, "error": str(error)}
    except Exception as error:  # every request must be answered
        return {**answer, "error": f"internal error: {type(error).__name__}: {error}"}


def _request(line: str) -> _Request:
    """Parse a line as a request, and check its `id` if it has one."""
    try:
        request = json.loads(line, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise _RequestError(f"not JSON: {error.msg} at column {error.colno}") from None
    except (RecursionError, ValueError):
        raise _RequestError("JSON is nested too deeply or has too long a number") from None
    if not isinstance(request, dict):
        raise _RequestError(f"a request must be an object, not {_shown(request)}")
    if not isinstance(request.get("id"), str | int | None):
        raise _RequestError(f"id must be a text or a whole number, not {_shown(request['id'])}")
    return request


def _do(request: _Request) -> _Json:
    action = request.get("do", "show")
    if not isinstance(action, str) or action not in _DO:
        raise _RequestError(f"do must be one of {', '.join(_DO)}, not {_shown(action)}")
    return _DO[action](request)


def _refuse_constant(word: str) -> None:
    raise ValueError(word)


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _text(request: _Request, name: str) -> str | None:
    """Return a text field, or None if it is missing."""
    value = request.get(name)
    if not isinstance(value, str | None):
        raise _RequestError(f"{name} must be a text, not {_shown(value)}")
    return value


def _number(request: _Request, name: str, default: int, bounds: tuple[int, int]) -> int:
    """Return an integer field that is within bounds."""
    value, (low, high) = request.get(name, default), bounds
    if type(value) is not int or not low <= value <= high:
        raise _RequestError(
            f"{name} must be a whole number from {low} to {high}, not {_shown(value)}"
        )
    return value


def _moves(request: _Request) -> tuple[Move, ...]:
    moves = request.get("moves", [])
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise _RequestError(f'moves must be a list such as ["d2", "c3"], not {_shown(moves)}')
    return tuple(map(parse_move, moves))


def _game(request: _Request) -> GameRecord:
    """Return the game that a request describes."""
    position, text, further = _text(request, "position"), _text(request, "record"), _moves(request)
    if text is not None:
        if position is not None:
            raise _RequestError("either position or record, not both")
        record = _read(text)
        ply = _number(request, "ply", len(record.moves), (0, _MOST_PLY))
        return GameRecord((*record.moves[:ply], *further), start=record.start)
    if "ply" in request:
        raise _RequestError("ply is allowed only with record")
    if position is None:
        return GameRecord(further)
    reader = from_diagram if "\n" in position else position_from_text
    return GameRecord(further, start=reader(position))


def _read(text: str) -> GameRecord:
    if _LINK.fullmatch(text):
        return decode(text)
    from dvonn.formats import read_records  # noqa: PLC0415 - rarely needed

    record, *rest = read_records(text)
    if rest:
        raise _RequestError(f"record must be one game, not {1 + len(rest)}")
    return record


def _position(request: _Request) -> Position:
    return _game(request).positions()[-1]


def _show(request: _Request) -> _Json:
    position = _position(request)
    return {
        "position": position_to_text(position),
        "phase": position.phase,
        "turn": position.turn,
        "legal": [str(move) for move in position.legal_moves()],
        "stacks": dict(position.stacks),
        "score": {color: position.score(color) for color in Color},
        "removed": dict(position.removed),
        "passed": position.passed,
        "winner": position.winner,
        "hash": f"{position_hash(position):016x}",
    }


def _choose(request: _Request) -> _Json:
    position = _position(request)
    level = _number(request, "level", 1, (LEVELS[0], LEVELS[-1]))
    seed = _number(request, "seed", 0, (0, (1 << 63) - 1))
    return {"move": str(choose(position, level=level, seed=seed))}


def _analyse(request: _Request) -> _Json:
    position = _position(request)
    lines_wanted = _number(request, "lines", 1, (1, _MOST_LINES))
    analysis = analyse(position, nodes=_nodes(request), lines=lines_wanted)
    lines = [
        {
            "moves": [str(move) for move in line.moves],
            "chance": line.win_probability,
            "margin": line.margin,
            "exact": line.exact,
        }
        for line in analysis.lines
    ]
    return {"nodes": analysis.nodes, "lines": lines}


def _review(request: _Request) -> _Json:
    return review(_game(request), nodes=_nodes(request)).to_json()


def _nodes(request: _Request) -> int:
    return _number(request, "nodes", 20_000, (1, _MOST_NODES))


_DO: Final[Mapping[str, Callable[[_Request], _Json]]] = {
    "show": _show,
    "choose": _choose,
    "analyse": _analyse,
    "review": _review,
}


def serve(port: int, origins: Iterable[str]) -> "ThreadingHTTPServer":
    """Return a server on this machine's loopback address. Its `serve_forever` runs it.

    Args:
        port: Port number, or 0 for any free port.
        origins: Origins of the pages that may send requests, such as "https://example.org".
    """
    from http.server import (  # noqa: PLC0415 - slow to import
        BaseHTTPRequestHandler,
        ThreadingHTTPServer,
    )

    allowed = frozenset(origins)

    class LinesHandler(BaseHTTPRequestHandler):
        """Answers POST requests whose bodies are lines."""

        def do_OPTIONS(self) -> None:
            self._answer(204, b"")

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length", "")
            if not _LENGTH.fullmatch(length):
                self.close_connection = True  # where the next request begins is unknown
                self._refuse(400, f"Content-Length must be a number of bytes, not {_shown(length)}")
            elif int(length) > _LONGEST:
                self.close_connection = True
                self._refuse(413, f"a body has at most {_LONGEST} bytes, not {length}")
            elif self.headers.get("Origin") not in {None, *allowed}:
                self.rfile.read(int(length))
                self._answer(403, b"")
            else:
                text = self.rfile.read(int(length)).decode("utf-8", "replace")
                # Not splitlines: JSON strings may contain other line separators unescaped.
                lines = text.removesuffix("\n").split("\n") if text else []
                self._answer(200, "".join(f"{line}\n" for line in answers(lines)).encode())

        def _refuse(self, status: int, reason: str) -> None:
            self._answer(status, f"{json.dumps({'error': reason})}\n".encode())

        def log_message(self, *_: object) -> None: ...

        def _answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            if (origin := self.headers.get("Origin")) in allowed and origin is not None:
                self.send_header("Access-Control-Allow-Origin", origin)
                self.send_header("Access-Control-Allow-Headers", "Content-Type")
            self.send_header("Content-Type", "application/jsonl; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return ThreadingHTTPServer(("127.0.0.1", port), LinesHandler)
