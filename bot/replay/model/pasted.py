"""Parses what people paste: a position, a list of moves, or the record of a game.

Everything around it is ignored: code block markers, spoiler marks, quotes and other words.
"""

import codecs
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Final

import dvonn
from bot.base.languages import languages, reader_for
from bot.play.model.turn_lines import turn_lines
from bot.replay.model.refusals import BadPaste, PasteProblem
from bot.replay.model.replays import MoveSequence, sequence_of_record
from dvonn import link
from dvonn._records.position_text import PrintedPosition
from dvonn._records.record_reader import RESULT_TOKEN
from dvonn._records.record_text import COORDINATES, RESULT, WON_BY
from dvonn.formats import iter_records
from dvonn_lessons.printed import printed_position

LONGEST: Final = 20_000
"""Maximum number of characters in a text, about ten games."""
LONGEST_FILE: Final = 4 * LONGEST
"""Maximum size of a file in bytes. No encoding takes more bytes per character."""
_FENCE: Final = "```"
_FENCED: Final = re.compile(r"```(?:[A-Za-z+-]{1,20}\n)?[`\r\n]*(.*?)(?:```|\Z)", re.DOTALL)
"""Pattern for the text in a code block, without a language name at its start."""
_MOST_FENCES: Final = 5
_MARKUP: Final = re.compile(
    r"\|\||(?<!`)`(?!`)|[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]"
    r"|(?m:^)(?:[ \t]*>)+[ \t]?|(?<!\S)[*_~]+(?=[0-9A-Za-z])"
)
"""Spoiler, code, quote and bold marks, and invisible characters."""
_NUMBER_IN_LIST: Final = re.compile(r"(?<!\S)([0-9]{1,3})\)(?=\s)")
_BESIDE_MOVES: Final = re.compile(
    r"(?<!\S)#?[0-9]{1,4}(?:\.+|[:)]*(?!\S))|\{[^{}]*\}"
    r"|(?m:^)[ \t]*[-+*\u2022][ \t]|(?<!\S)-{2,}(?!\S)"
)
"""Text allowed between moves in a list: numbers, comments, bullets, and the line below a table's
header.
"""
_CELL: Final = "|"
_WORD: Final = re.compile(r"\S+")
_NUMBER: Final = re.compile(r"[0-9]{1,3}[.\u2026]*")
_MOVE: Final = re.compile(
    r"(?:[0-9]{1,3}[.\u2026]+)?"
    r"(?:[A-Ka-k][1-9][0-9]?(?![0-9A-Za-z])\S*|(?:[A-Ka-k][1-5]){2}[^\sA-Za-z0-9]*)"
)
"""Pattern for a move in the notation of records."""
_BEGINNING: Final = re.compile(
    r'\[\s*[A-Za-z0-9]\w*\s*"|\(\s*;|\b(?:Event|White)\s*\[|(?m:^)[ \t]*#[ \t]*Player'
)
"""Pattern for the start of a record with headers."""
_ENDING: Final = re.compile(rf"(?:{RESULT_TOKEN}|BREAK|resign|pass|[)\]}}])\W*", re.IGNORECASE)
_LINK: Final = re.compile(rf"https?://[^\s<>#]{{1,300}}#{link.VERSION}[^\s<>)]*")
"""Pattern for a link to a game on a host's page of games."""
_DIGIT: Final = re.compile("[0-9]")
_POSITION: Final = re.compile(
    r"(?<![rwbRWB?0-9/])[rwbRWB?0-9]{1,60}(?:/[rwbRWB?0-9]{1,60}){4}"
    r" {1,9}(?:[WB] {1,9}(?:place|move)|over)\b"
)
_KEY: Final = "="
"""A symbol that occurs only in the line of a diagram that explains its letters."""
_OPEN: Final = "*"
_RECORD_PROBLEMS: Final = {PasteProblem.BAD_LINE, PasteProblem.BAD_MOVE}
_CODE: Final = re.compile(r"^-# `([^`\n]+)`$", re.MULTILINE)


def read(
    text: str | bytes, notation: dvonn.Coordinates = dvonn.Coordinates.STANDARD
) -> MoveSequence:
    """Parse a text or file: a position, a list of moves from the empty board, or a record.

    A record can be in any format that `dvonn.formats` knows, or a link to a page of games. If it
    has several games, the first is read.

    A list of moves is read in the notation `notation`, or else in the notation of records.

    Raises:
        BadPaste: if it is none of these.
    """
    text = decode(text) if isinstance(text, bytes) else text
    if len(text) > LONGEST:
        raise BadPaste(PasteProblem.TOO_LONG, limit=LONGEST)
    lines, text = text.split("\n"), _NUMBER_IN_LIST.sub(r"\1.", _MARKUP.sub("", text))
    if (linked := _LINK.search(text)) is not None:
        with suppress(dvonn.DvonnError):
            return sequence_of_record(link.decode(linked[0]))
    problem = BadPaste(PasteProblem.EMPTY)
    for begin, part in _parts(text):
        try:
            return _parse(part, notation)
        except BadPaste as error:
            located = _with_location(error, lines, text[:begin])
            if problem.problem in {PasteProblem.EMPTY, PasteProblem.UNKNOWN} or (
                {problem.problem, located.problem} <= _RECORD_PROBLEMS
                and (located.line, located.column) > (problem.line, problem.column)
            ):
                problem = located
    raise problem


def _with_location(error: BadPaste, lines: Sequence[str], before: str) -> BadPaste:
    """Return an error with its line and column in the whole pasted text."""
    if error.problem not in _RECORD_PROBLEMS:
        return error
    line, column = error.line + before.count("\n"), error.column
    if column and error.line == 1:
        column += len(before) - before.rfind("\n") - 1
    if line > len(lines):  # something is missing at the end
        return replace(error, line=len(lines), column=0)
    for mark in _MARKUP.finditer(lines[line - 1]) if column else ():
        if mark.start() < column:
            column += len(mark[0])
    return replace(error, line=line, column=column)


def _parts(text: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of a text that may be a position or a record, and their start indexes."""
    fenced = [match.span(1) for match in islice(_FENCED.finditer(text), _MOST_FENCES)]
    for begin, end in fenced or [(0, len(text))]:
        part = text[begin:end].rstrip()
        if not part:
            continue
        yield begin, part
        first, last = _span_among_words(part)
        if 0 < last - first < len(part):
            yield begin + first, part[first:last]


def _span_among_words(text: str) -> tuple[int, int]:
    """Return the start and end of a position, a record or a list of moves among other words."""
    if (position := _POSITION.search(text)) is not None:
        return position.span()
    headers = _BEGINNING.search(text)
    if headers is not None and headers[0].startswith("("):
        return headers.start(), text.rfind(")") + 1
    first, last, number = None, 0, None
    for word in _WORD.finditer(text):
        move = _MOVE.fullmatch(text, *word.span())
        if move is not None and first is None:
            first = (number or move).start()
        if move is not None or (first is not None and _ENDING.fullmatch(word[0])):
            last = word.start() + len(word[0].rstrip("_~"))
        number = _NUMBER.fullmatch(text, *word.span())
    begin = first if headers is None else headers.start()
    if begin is None:
        return 0, 0
    # A word with a digit may be meant as a move, so it is kept, and refused later.
    return begin, len(text) if _DIGIT.search(text, last) else last


def _parse(text: str, notation: dvonn.Coordinates) -> MoveSequence:
    with suppress(dvonn.DiagramError):
        printed = printed_position(_in_english(text), notation)
        return MoveSequence(printed.position, (), assumed=printed.assumed)
    try:
        return MoveSequence(dvonn.Position.initial(), _moves(text, notation), notation)
    except BadPaste as list_error:
        try:
            record = _record(text, notation)
        except dvonn.RecordError as error:
            is_list = list_error.problem is PasteProblem.ILLEGAL
            if is_list or error.reason is dvonn.RecordProblem.UNKNOWN_FORMAT:
                raise list_error from error
            is_move = error.reason is dvonn.RecordProblem.ILLEGAL_MOVE and error.column
            raise BadPaste(
                PasteProblem.BAD_MOVE if is_move else PasteProblem.BAD_LINE,
                line=error.line or 1,
                column=error.column or 0,
                wrong_part=error.part,
            ) from error
        if not record.moves and _BEGINNING.search(text) is None:
            raise  # markup and numbers alone are not a game
    return sequence_of_record(record)


def _record(text: str, notation: dvonn.Coordinates) -> dvonn.GameRecord:
    """Return the first game in a text.

    Its result may be missing.

    Raises:
        RecordError: if there is no game. The error comes from the parser that got furthest.
    """
    problems: list[dvonn.RecordError] = []
    # A list of moves has no header that names its notation.
    is_foreign = notation is not dvonn.Coordinates.STANDARD and "[" not in text
    naming = f'[{COORDINATES} "{notation.value}"] ' if is_foreign else ""
    for before, whole in (("", text), (naming, f"{naming}{text}\n{_OPEN}")):
        try:
            return next(iter_records(whole))
        except dvonn.RecordError as error:
            if before and error.line == 1 and error.column is not None:
                error.column -= len(before)
            problems.append(error)
    raise max(problems, key=lambda error: (error.line or 1, error.column or 1))


_BYTE_ORDER_MARKS: Final = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_ENDS: Final = "\0\x1a"
"""Characters that old systems add at the end of a file."""
_WINDOWS_ENCODING: Final = "cp1252"
_MIN_ZERO_SHARE: Final = 0.25
_STRANGE: Final = re.compile(r"[^\x00-\x7f]")
_MOST_STRANGE: Final = 0.3
"""Maximum share of non-ASCII characters in Windows-1252 text.

Almost any bytes can be decoded as such.
"""
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


def decode(file: bytes) -> str:
    """Return a file's text from UTF-8, UTF-16, UTF-32 with a byte order mark, or Windows-1252.

    Raises:
        BadPaste: if it is not text in any of them.
    """
    encodings = (name for mark, name in _BYTE_ORDER_MARKS.items() if file.startswith(mark))
    for encoding in (*encodings, *_unmarked_utf16(file), "utf-8", _WINDOWS_ENCODING):
        with suppress(UnicodeDecodeError):
            text = file.decode(encoding).rstrip(_ENDS)
            strange = len(_STRANGE.findall(text)) if encoding == _WINDOWS_ENCODING else 0
            if _CONTROLS.search(text) is None and strange <= _MOST_STRANGE * len(text):
                return text
    raise BadPaste(PasteProblem.NOT_TEXT)


def _unmarked_utf16(file: bytes) -> Iterator[str]:
    """Yield the UTF-16 variants that turn many characters of the text into ASCII."""
    half = len(file) // 2
    for first_zero, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        if file[first_zero::2].count(0) > _MIN_ZERO_SHARE * half:
            yield encoding


def to_storage_text(sequence: MoveSequence) -> str:
    """Return a text that `read` parses back: a position or a short record."""
    if not sequence.moves and sequence.coordinates is dvonn.Coordinates.STANDARD:
        return dvonn.position_to_text(sequence.start, sequence.assumed)
    words = [dvonn.format_move(move, sequence.coordinates) for move in sequence.moves]
    final = sequence.positions()[-1]
    headers = dict(sequence.headers)
    words.append(
        WON_BY[final.winner] if final.phase is dvonn.Phase.OVER else headers.pop(RESULT, _OPEN)
    )
    lines = [*(f'[{tag} "{text}"]' for tag, text in headers.items()), " ".join(words)]
    if sequence.start != dvonn.Position.initial():
        lines.insert(0, f'[Start "{dvonn.position_to_text(sequence.start, sequence.assumed)}"]')
    if sequence.coordinates is not dvonn.Coordinates.STANDARD:
        lines.insert(0, f'[Coordinates "{sequence.coordinates.value}"]')
    return "\n".join(lines)


def in_message(content: str) -> MoveSequence:
    """Parse the link code in one of the bot's messages, or the record in its code block.

    Raises:
        BadPaste: if there is neither.
    """
    if (code := _CODE.search(content)) is not None:
        try:
            return sequence_of_record(link.decode(code[1]))
        except dvonn.DvonnError as error:
            raise BadPaste(PasteProblem.UNKNOWN) from error
    _, _, rest = content.partition(_FENCE + "\n")
    return read(rest.partition("\n" + _FENCE)[0])


def link_code(sequence: MoveSequence) -> str:
    """Return a sequence in the short form for messages: one character per ply, in lowercase."""
    headers, start = dict(sequence.headers), PrintedPosition(sequence.start, sequence.assumed)
    record = dvonn.GameRecord(sequence.moves, headers, sequence.coordinates, start=start)
    return f"-# `{link.encode(record)}`"


def code_block(sequence: MoveSequence) -> str:
    """Return a sequence in the form used in messages."""
    return f"{_FENCE}\n{to_storage_text(sequence)}\n{_FENCE}"


def _in_english(text: str) -> str:
    """Return the bot's own diagram of a position, translated to English."""
    *rows, turn = text.rstrip().split("\n")
    if not rows or (turn := _turns_in_english().get(turn.strip(), "")) == "":
        return text
    return "\n".join([*(row for row in rows if _KEY not in row), turn])


@cache
def _turns_in_english() -> Mapping[str, str]:
    """Return the last lines of diagrams in all languages, with their English versions."""
    return {
        translation: turn
        for locale in languages()
        for turn, translation in turn_lines(reader_for(locale)).items()
    }


def _moves(text: str, coordinates: dvonn.Coordinates) -> tuple[dvonn.Move, ...]:
    try:
        listed = _BESIDE_MOVES.sub(" ", text.replace(_CELL, " "))
        moves = dvonn.parse_moves(listed, coordinates)
    except dvonn.NotationError as error:
        raise BadPaste(PasteProblem.UNKNOWN) from error
    position = dvonn.Position.initial()
    for number, move in enumerate(moves, start=1):
        try:
            position = position.play(move)
        except dvonn.IllegalMoveError as error:
            move_text = dvonn.format_move(move, coordinates)
            raise BadPaste(PasteProblem.ILLEGAL, line=number, wrong_part=move_text) from error
    return moves
