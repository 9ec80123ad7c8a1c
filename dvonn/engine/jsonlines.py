"""The rules and the engine for pages and notebooks: a JSON object a line in, one a line out.

    python -m dvonn.engine json                             on standard input and output
    python -m dvonn.engine json --port 8765 --origin URL    over HTTP, at this machine alone

    > {"id": 1, "do": "show", "moves": ["d2", "c3"]}
    < {"id": 1, "position": "9/3R6/2R8/10/9 W place", "turn": "W", "legal": ["a1", "b1", ...], ...}

Each request may have `position` (a line, or a diagram; else the empty board), or `record` (a game
in any format of `dvonn.formats`, or in a link) and `ply` (how many of its moves are played; else
all); then `moves` (played from there). `id` is handed back. Requests, by `do`:

- `show`: position, phase, turn, legal, stacks, score, removed, passed, winner, hash.
- `choose`: move, with `level` and `seed`.
- `analyse`: nodes, and lines, each with moves, chance, margin and exact; with `nodes` and `lines`.
- `review`: the data of a `dvonn.Review`; with `nodes`.

What cannot be done is answered with `error`, a sentence for programmers. Over HTTP the lines are
the body of a POST, and of its answer; a page may ask if its origin was named.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from dvonn.diagram import from_diagram
from dvonn.engine import analyse, choose, review
from dvonn.engine.results import EngineMissingError
from dvonn.hashing import position_hash
from dvonn.link import decode
from dvonn.notation import parse_move
from dvonn.pieces import Color
from dvonn.position import Position
from dvonn.position_text import position_from_text, position_to_text
from dvonn.record import GameRecord

if TYPE_CHECKING:
    from http.server import ThreadingHTTPServer

_LONGEST: Final = 1_000_000
_MOST_NODES: Final = 5_000_000
_LINK: Final = re.compile(r"(?:\S*#)?1[A-Za-z0-9_-]*(?:&\S*)?")
_REFUSED: Final = (
    *(EngineMissingError, TypeError, ValueError),
    *(AttributeError, OverflowError, RecursionError),
)
"""Errors that an invalid request causes. All others are faults of this program."""
_Json = dict[str, Any]


def answers(lines: Iterable[str]) -> Iterator[str]:
    """Yield the answer to each line that is not empty."""
    for line in lines:
        if line.strip():
            yield _sendable(json.dumps(_answer(line), ensure_ascii=False))


def _sendable(answer: str) -> str:
    """Return an answer that can be encoded, even if the request had lone surrogates."""
    return answer.encode("utf-8", "replace").decode("utf-8")


def _answer(line: str) -> _Json:
    try:
        request = json.loads(line)
    except (RecursionError, ValueError) as error:
        return {"error": str(error)}
    if not isinstance(request, dict):
        return {"error": "a request is an object"}
    told = {"id": request["id"]} if "id" in request else {}
    wanted = request.get("do", "show")
    do = _DO.get(wanted) if isinstance(wanted, str) else None
    if do is None:
        return {**told, "error": f"do is one of {', '.join(_DO)}"}
    try:
        return {**told, **do(request)}
    except _REFUSED as error:
        return {**told, "error": str(error)}


def _game(request: Mapping[str, Any]) -> GameRecord:
    """Return the game that is asked about."""
    position, text = request.get("position"), request.get("record")
    further = tuple(map(parse_move, request.get("moves", ())))
    if text is not None:
        if position is not None:
            raise ValueError("either position or record")
        record = _read(text)
        return GameRecord((*record.moves[: request.get("ply")], *further), start=record.start)
    if position is None:
        return GameRecord(further)
    read = from_diagram if "\n" in position else position_from_text
    return GameRecord(further, start=read(position))


def _read(text: str) -> GameRecord:
    if _LINK.fullmatch(text):
        return decode(text)
    from dvonn.formats import read_records  # noqa: PLC0415 - few ask for them

    record, *others = read_records(text)
    if others:
        raise ValueError(f"one game, not {1 + len(others)}")
    return record


def _position(request: Mapping[str, Any]) -> Position:
    return _game(request).positions()[-1]


def _show(request: Mapping[str, Any]) -> _Json:
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


def _choose(request: Mapping[str, Any]) -> _Json:
    position = _position(request)
    level, seed = int(request.get("level", 1)), int(request.get("seed", 0))
    return {"move": str(choose(position, level=level, seed=seed))}


def _analyse(request: Mapping[str, Any]) -> _Json:
    position = _position(request)
    nodes = min(int(request.get("nodes", 20_000)), _MOST_NODES)
    found = analyse(position, nodes=nodes, lines=int(request.get("lines", 1)))
    lines = [
        {
            "moves": [str(move) for move in line.moves],
            "chance": line.win_probability,
            "margin": line.margin,
            "exact": line.exact,
        }
        for line in found.lines
    ]
    return {"nodes": found.nodes, "lines": lines}


def _review(request: Mapping[str, Any]) -> _Json:
    nodes = min(int(request.get("nodes", 20_000)), _MOST_NODES)
    return review(_game(request), nodes=nodes).to_json()


_DO: Final[Mapping[str, Callable[[Mapping[str, Any]], _Json]]] = {
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
    from http.server import (  # noqa: PLC0415 - it loads more than all else here
        BaseHTTPRequestHandler,
        ThreadingHTTPServer,
    )

    allowed = frozenset(origins)

    class LinesHandler(BaseHTTPRequestHandler):
        """Answers POSTs of lines."""

        def do_OPTIONS(self) -> None:
            self._answer(204, b"")

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            if not 0 <= length <= _LONGEST:
                self._answer(413, b"")
                return
            if self.headers.get("Origin") not in {None, *allowed}:
                self._answer(403, b"")
                return
            lines = self.rfile.read(length).decode("utf-8", "replace").splitlines()
            self._answer(200, "".join(f"{line}\n" for line in answers(lines)).encode())

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
