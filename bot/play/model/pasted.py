"""Positions and games that somebody pastes or uploads: what they are, and how they are kept."""

import re
from typing import Final

import dvonn
from bot.play.model.courses import Course
from bot.play.model.refusals import BadPaste, PasteProblem
from dvonn.formats import read_records
from dvonn.record_text import HEADER, WON_BY

LONGEST: Final = 20_000
"""Number of characters that are read; ten games' worth."""
_FENCE: Final = "```"
_NUMBERS_AND_COMMENTS: Final = re.compile(r"(?<!\S)[0-9]{1,4}\.+|\{[^{}]*\}")
_OPEN: Final = "*"
# Where a form has only one line, the lines of a record stand in one.
_HEADER_END: Final = re.compile(rf"({HEADER.pattern})[ \t]+(?=\[|[0-9a-k*])")


def read(text: str, named: dvonn.Coordinates = dvonn.Coordinates.STANDARD) -> Course:
    """Read a text: a position, a list of moves from the empty board, or a record.

    A record may be of any program that `dvonn.formats` knows; of several games it is the first.

    A list of moves is read with spaces as they are named, or else as in a record.

    Raises:
        BadPaste: if it is nothing of that.
    """
    if len(text) > LONGEST:
        raise BadPaste(PasteProblem.TOO_LONG, limit=LONGEST)
    text = text.strip().strip("`").strip("\r\n")
    if not text.strip():
        raise BadPaste(PasteProblem.EMPTY)
    position = _position(text)
    if position is not None:
        return Course(position, ())
    try:
        return Course(dvonn.Position.initial(), _moves(text, named), named)
    except BadPaste as unlisted:
        try:
            record, *_ = read_records(_HEADER_END.sub(r"\1\n", text), longest=2 * LONGEST)
        except dvonn.RecordError as error:
            is_list = unlisted.problem is PasteProblem.ILLEGAL
            if is_list or error.reason is dvonn.RecordProblem.UNKNOWN_FORMAT:
                raise unlisted from error
            raise BadPaste(
                PasteProblem.BAD_LINE, line=error.line or 1, found=error.found
            ) from error
    return Course(record.start, record.moves, record.coordinates)


def kept(course: Course) -> str:
    """Return a text from which `read` makes the course again: a position, or a short record."""
    if not course.moves and course.coordinates is dvonn.Coordinates.STANDARD:
        return dvonn.position_to_text(course.start)
    final = course.positions()[-1]
    words = [dvonn.format_move(move, course.coordinates) for move in course.moves]
    words.append(WON_BY[final.winner] if final.phase is dvonn.Phase.OVER else _OPEN)
    lines = [" ".join(words)]
    if course.start != dvonn.Position.initial():
        lines.insert(0, f'[Start "{dvonn.position_to_text(course.start)}"]')
    if course.coordinates is not dvonn.Coordinates.STANDARD:
        lines.insert(0, f'[Coordinates "{course.coordinates.value}"]')
    return "\n".join(lines)


def in_message(content: str) -> Course:
    """Read the record between the fences of a message of the bot.

    Raises:
        BadPaste: if nothing does.
    """
    _, _, rest = content.partition(_FENCE + "\n")
    return read(rest.partition("\n" + _FENCE)[0])


def fenced(course: Course) -> str:
    """Return a course as it stands in a message."""
    return f"{_FENCE}\n{kept(course)}\n{_FENCE}"


def _position(text: str) -> dvonn.Position | None:
    for reader in (dvonn.position_from_text, lambda rows: dvonn.from_diagram(rows + "\n")):
        try:
            return reader(text)
        except dvonn.DvonnError:
            continue
    return None


def _moves(text: str, coordinates: dvonn.Coordinates) -> tuple[dvonn.Move, ...]:
    try:
        moves = dvonn.parse_moves(_NUMBERS_AND_COMMENTS.sub(" ", text), coordinates)
    except dvonn.NotationError as error:
        raise BadPaste(PasteProblem.UNKNOWN) from error
    position = dvonn.Position.initial()
    for number, move in enumerate(moves, start=1):
        try:
            position = position.play(move)
        except dvonn.IllegalMoveError as error:
            found = dvonn.format_move(move, coordinates)
            raise BadPaste(PasteProblem.ILLEGAL, line=number, found=found) from error
    return moves
