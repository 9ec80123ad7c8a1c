"""Texts for refused views and pasted texts."""

from collections.abc import Mapping
from typing import Final

from bot.base.errors import PlayError
from bot.base.formats import number_text
from bot.base.languages import Reader
from bot.play.words.refusals import Words
from bot.replay.model import refusals
from bot.replay.model.refusals import BadPaste, PasteProblem

_MAX_QUOTE: Final = 80
"""Maximum number of characters quoted from a pasted text."""


def _line_too_long(reader: Reader, error: refusals.LineTooLong) -> str:
    return reader.ngettext(
        "A line can hold {count} move. Take some back first.",
        "A line can hold {count} moves. Take some back first.",
        error.limit,
    ).format(count=error.limit)


def bad_paste(reader: Reader, error: BadPaste) -> str:
    match error.problem:
        case PasteProblem.EMPTY:
            return reader.gettext("There's nothing to show yet: paste a game or a position.")
        case PasteProblem.TOO_LONG:
            return reader.ngettext(
                "That's too much: I read {count} character at most.",
                "That's too much: I read {count} characters at most.",
                error.limit,
            ).format(count=number_text(reader, error.limit))
        case PasteProblem.NOT_TEXT:
            return reader.gettext("That file isn't text. Save the game as text and try again.")
        case PasteProblem.UNKNOWN:
            return reader.gettext(
                "I couldn't read that. Paste a game record, moves such as “d2 c3 f5”, or a "
                "position. *Record* on a game's page shows you one."
            )
        case PasteProblem.BAD_LINE | PasteProblem.BAD_MOVE:
            return _bad_line(reader, error)
        case PasteProblem.ILLEGAL:
            return reader.gettext("Move {number} isn't possible there: {found}").format(
                number=error.line, found=_quote(error.wrong_part)
            )


def _bad_line(reader: Reader, error: BadPaste) -> str:
    if not error.column:
        sentence = reader.gettext("Line {line} of that record is wrong: {found}")
    elif error.problem is PasteProblem.BAD_LINE:
        sentence = reader.gettext("Line {line}, column {column}: I can't read {found}")
    else:
        sentence = reader.gettext("Line {line}, column {column}: {found} isn't possible there")
    return sentence.format(line=error.line, column=error.column, found=_quote(error.wrong_part))


def _quote(text: str) -> str:
    plain = "".join(
        character if character.isprintable() else " " for character in text.replace("`", "'")
    )
    excerpt = plain.strip()[:_MAX_QUOTE]
    return f"`{excerpt}`" if excerpt else "…"


REFUSALS: Final[Mapping[type[PlayError], Words]] = {
    refusals.NoBoard: lambda reader, _: reader.gettext(
        "There's no board on that message. Try one of mine that has a board."
    ),
    refusals.NoSuchPly: lambda reader, _: reader.gettext(
        "That move isn't there anymore. Open the view again."
    ),
    refusals.GameStillRunning: lambda reader, _: reader.gettext(
        "This game is still being played. Share it when it's over."
    ),
    refusals.LineTooLong: _line_too_long,
    refusals.BadPaste: bad_paste,
}
