"""Reading and writing of games in the formats of other programs.

>>> from dvonn.formats import read_records
>>> records = read_records("Event [League] White [Ann] Black [Bob] 1. g2 c1 2. f5 d1")
>>> records[0].headers["White"], [str(move) for move in records[0].moves]
('Ann', ['g2', 'c1', 'f5', 'd1'])

`read_records` detects the format. `read_games` reads the games of a file one by one. `FORMATS` has
all formats by name. docs/records has a sample file for each.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from types import MappingProxyType
from typing import Final

from dvonn._records.record import GameRecord, records_of
from dvonn._records.record_reader import HEADER
from dvonn._records.record_text import COORDINATES, IN_HEADERS, unescaped
from dvonn._rules.errors import DvonnError, RecordError, RecordProblem
from dvonn.formats.boardspace import BOARDSPACE
from dvonn.formats.codecup import CODECUP, DVONNER
from dvonn.formats.common import Format, lines_of, refusal
from dvonn.formats.littlegolem import LITTLE_GOLEM
from dvonn.formats.pgn import PGN, looks_like_pgn
from dvonn.formats.streams import chunks, header_lines

__all__ = [
    "FORMATS",
    "LONGEST",
    "Format",
    "detect",
    "iter_records",
    "read_games",
    "read_headers",
    "read_records",
    "write_records",
]

LONGEST: Final = 1_000_000
"""Default maximum number of characters that `read_records` accepts, enough for hundreds of games.
"""


def _is_own(text: str) -> bool:
    return looks_like_pgn(text) and f'[{COORDINATES} "' in text


OWN: Final = Format(
    name="dvonn",
    title="dvonn-bot",
    suffix=".txt",
    detect=_is_own,
    games=records_of,
    text=GameRecord.to_text,
    between="\n",
)

FORMATS: Final[Mapping[str, Format]] = MappingProxyType(
    {
        record_format.name: record_format
        for record_format in (OWN, PGN, BOARDSPACE, LITTLE_GOLEM, DVONNER, CODECUP)
    }
)
"""All formats by name, in the order in which `detect` tries them."""


def detect(text: str) -> Format:
    """Return the format that a text looks like.

    Raises:
        RecordError: if it does not look like any format (UNKNOWN_FORMAT).
    """
    for record_format in FORMATS.values():
        if record_format.detect(text):
            return record_format
    number, line = next(((n, line) for n, line in lines_of(text) if line.strip()), (1, ""))
    column = 1 + len(line) - len(line.lstrip())
    raise refusal((number, column), RecordProblem.UNKNOWN_FORMAT, line.strip())


def read_records(text: str, *, longest: int = LONGEST) -> tuple[GameRecord, ...]:
    """Return the games in a text of any format. There is at least one.

    Args:
        text: The contents of a file. The time to read it depends only on its length: about 5 s for
            a million characters of ordinary games.
        longest: Maximum number of characters to read.

    Raises:
        RecordError: if the text cannot be parsed to its end, with the line and the reason.
    """
    return tuple(iter_records(text, longest=longest))


def iter_records(text: str, *, longest: int = LONGEST) -> Iterator[GameRecord]:
    """Yield the games of a text one by one. The text is parsed only as far as needed.

    See `read_records` for the arguments and errors.
    """
    if len(text) > longest:
        raise RecordError(text.count("\n", 0, longest) + 1, RecordProblem.TOO_LONG)
    text = text.removeprefix("\ufeff")
    yield from detect(text).games(text)


def read_games(file: Iterable[str], *, longest: int = LONGEST) -> Iterator[GameRecord]:
    """Yield the games of a file one by one, in any format.

    >>> with open("docs/game.txt", encoding="utf-8") as file:
    ...     [record.headers["White"] for record in read_games(file)]
    ['Ann']

    PGN and this package's own format are read one game at a time, so the file may have any size.
    Files in other formats are read into memory.

    Args:
        file: An open text file, or its lines.
        longest: Maximum number of characters of a game.

    Raises:
        RecordError: if a game cannot be parsed, with the line and the reason.
    """
    lines = _begun(file)
    first = next(lines, "")
    if not looks_like_pgn(first) and first.strip():
        yield from iter_records("".join([first, *lines]), longest=longest)
        return
    for before, chunk in chunks(chain([first], lines)):
        try:
            yield from iter_records("".join(chunk), longest=longest)
        except RecordError as error:
            line = None if error.line is None else before + error.line
            raise RecordError(line, error.reason, error.part, error.column) from error


def read_headers(file: Iterable[str]) -> Iterator[Mapping[str, str]]:
    """Yield the headers of each game of a file, without reading the moves.

    >>> with open("docs/game.txt", encoding="utf-8") as file:
    ...     [headers["Black"] for headers in read_headers(file)]
    ['Bob']

    Args:
        file: An open text file in PGN or in this package's own format, or its lines.
    """
    for _, chunk in chunks(_begun(file)):
        matches = HEADER.finditer(header_lines(chunk))
        yield {match[1]: unescaped(match[2], IN_HEADERS) for match in matches}


def _begun(file: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a file, without a byte order mark at its beginning."""
    lines = iter(file)
    return chain([next(lines, "").removeprefix("\ufeff")], lines)


def write_records(records: Iterable[GameRecord], name: str) -> str:
    """Return the text of games in the named format.

    Raises:
        DvonnError: if there is no such format.
        RecordError: if the format cannot express a game's start position (FOREIGN_START).
    """
    if name not in FORMATS:
        raise DvonnError(f"no format: {name!r}, only {', '.join(FORMATS)}")
    return FORMATS[name].write(records)
