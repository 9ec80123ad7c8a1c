"""Splitting of PGN files into games, so that files of any size can be read."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

_HEADER: Final = re.compile(r"\s*\[")
_OUTSIDE: Final = re.compile(r"[^{;]*")
_INSIDE: Final = re.compile(r"(?:[^}\\]|\\.)*", re.DOTALL)


def chunks(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines of each game, with the number of lines before it.

    The first header line after a game's moves begins the next game.
    """
    before, chunk, has_moves, in_comment = 0, list[str](), False, False
    for line in lines:
        is_header = not in_comment and _HEADER.match(line) is not None
        if is_header and has_moves:
            yield before, chunk
            before, chunk, has_moves = before + len(chunk), [], False
        chunk.append(line)
        if not is_header and line.strip():
            has_moves = True
            in_comment = _ends_in_comment(line, in_comment=in_comment)
    if any(line.strip() for line in chunk):
        yield before, chunk


def header_lines(chunk: Iterable[str]) -> str:
    """Return the header lines of a game as text."""
    lines = list[str]()
    for line in chunk:
        if _HEADER.match(line):
            lines.append(line)
        elif line.strip():
            break
    return "".join(lines)


def _ends_in_comment(line: str, *, in_comment: bool) -> bool:
    """Return True if a comment in braces is open at the end of a line."""
    at = 0
    while at < len(line):
        match = (_INSIDE if in_comment else _OUTSIDE).match(line, at)
        at = len(line) if match is None else match.end()
        if line[at : at + 1] == ";":
            return False
        if at < len(line):
            in_comment = not in_comment
        at += 1
    return in_comment
