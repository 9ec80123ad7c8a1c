"""Tells texts that are meant as moves from others, and what half-typed ones may become.

Every text is measured first, and only then read: what is longer than a move can be is none. What
reads it never goes back over what it has passed.
"""

import re
from collections.abc import Iterable
from enum import Enum, auto
from typing import Final

from bot.play.model.courtesies import LONGEST
from bot.play.model.lists import says_pass, split_else_next, visible
from dvonn import Coordinates, Move

LONGEST_CALL: Final = 2 * LONGEST
"""Number of characters that are read of a text that mentions the bot: moves and mentions."""

_SPACE = r"[a-z][0-9]++"
# "x" before a digit begins a space that does not exist.
_BETWEEN = r"(?:[\s`.,;:/\-\u2010-\u2015\u2212>\u2192]|x(?![0-9])|to)*+"
_MOVE_LIKE = re.compile(
    rf"{_BETWEEN}{_SPACE}(?:{_BETWEEN}{_SPACE})*+{_BETWEEN}", re.IGNORECASE | re.ASCII
)
_BEGINS_WITH_SPACE = re.compile(rf"[\s`]*+{_SPACE}", re.IGNORECASE | re.ASCII)
_NO_BREAK_BLANKS = re.compile("[\u00a0\u202f]")
_BESIDE_MENTION = ",:"

_HALF_SPACE = r"[a-k][0-9]{0,2}"
_BLANK = r"\s\u00a0\u202f`"
# What `dvonn.parse_move` takes between two spaces, and what of it is typed so far.
_HALF_BETWEEN = rf"(?:[{_BLANK}.>x:\-\u2010-\u2015\u2212\u2192]|to?)*+"
_HALF_TYPED = re.compile(
    rf"[{_BLANK}]*+(?P<first>{_HALF_SPACE})?+(?P<gap>{_HALF_BETWEEN})(?P<second>{_HALF_SPACE})?+[{_BLANK}.]*+",
    re.IGNORECASE | re.ASCII,
)
LONGEST_HALF_TYPED: Final = 40
"""Number of characters of a half-typed move; nothing longer is read."""


class Meaning(Enum):
    """The meaning of a text, as far as the bot is concerned."""

    TALK = auto()
    """A text that the bot does not answer."""
    MOVE = auto()
    """A move, or what was to be one."""
    CALL = auto()
    """The bot is spoken to, in words that it does not know."""


def meaning(text: str, bot: int) -> tuple[Meaning, str]:
    """Return the meaning of a message, and its visible text without mentions of the bot.

    A mention at the beginning speaks to the bot. Elsewhere it is spoken of, and who replies to a
    board with kind words speaks to the other player: that is talk, unless it is a move.
    """
    if len(text) > LONGEST_CALL:
        return Meaning.TALK, ""
    text = visible(text)
    said = without_mention(text, bot)
    if looks_like_a_move(said):
        return Meaning.MOVE, said
    if not text.lstrip().startswith(_mentions(bot)):
        return Meaning.TALK, said
    # "d2-d4!" after the bot's name was to be a move, and the reader says what is wrong with it.
    was_to_be_one = len(said) <= LONGEST and _BEGINS_WITH_SPACE.match(said)
    return Meaning.MOVE if was_to_be_one else Meaning.CALL, said


def looks_like_a_move(text: str) -> bool:
    """Tell whether a text consists of letter-digit pairs and what may stand between them.

    "z9" and "a2-a30" do: whoever writes them means a move. "nice one" does not. Behind a list may
    stand "else next free".
    """
    if len(text) > LONGEST:
        return False
    plain = _NO_BREAK_BLANKS.sub(" ", split_else_next(text)[0])
    return bool(says_pass(plain) or _MOVE_LIKE.fullmatch(plain))


def without_mention(text: str, bot: int) -> str:
    """Return a text without the mentions of the bot that it begins or ends with.

    Longer texts than `LONGEST_CALL` are left as they are.
    """
    if len(text) > LONGEST_CALL:
        return text
    mentions = _mentions(bot)
    begin, end = 0, len(text)
    while True:
        begin, end = _past_blanks(text, begin, end)
        if one := next((one for one in mentions if text.startswith(one, begin, end)), None):
            begin += len(one)
        elif one := next((one for one in mentions if text.endswith(one, begin, end)), None):
            end -= len(one)
        else:
            return text[begin:end]


def narrow(typed: str, moves: Iterable[Move], coordinates: Coordinates) -> list[Move]:
    """Return the moves that a text may become, in their order.

    "d" leaves what begins on d1, d2 and so on, "d2-" what begins on d2, "d2-e" of that what ends on
    e1, e2 and so on, and "-d4" what ends on d4. Nothing typed leaves everything, and what cannot
    become a move leaves nothing.

    Args:
        typed: What was typed so far, in any spelling that `dvonn.parse_move` reads.
        moves: What can be played.
        coordinates: The system in which the text is read.
    """
    match = _HALF_TYPED.fullmatch(typed) if len(typed) <= LONGEST_HALF_TYPED else None
    if match is None:
        return []
    first, second = ((match[name] or "").lower() for name in ("first", "second"))
    first_is_whole = bool(first and (match["gap"] or second))

    def fits(move: Move) -> bool:
        target = coordinates.label(move.target)
        if move.source is None:
            return not second and _begins(target, first, whole=first_is_whole)
        source = coordinates.label(move.source)
        return _begins(source, first, whole=first_is_whole) and target.startswith(second)

    return [move for move in moves if fits(move)]


def _mentions(bot: int) -> tuple[str, str]:
    return f"<@{bot}>", f"<@!{bot}>"


def _past_blanks(text: str, begin: int, end: int) -> tuple[int, int]:
    """Return the part between the blanks, commas and colons at both ends."""
    while begin < end and (text[begin].isspace() or text[begin] in _BESIDE_MENTION):
        begin += 1
    while begin < end and (text[end - 1].isspace() or text[end - 1] in _BESIDE_MENTION):
        end -= 1
    return begin, end


def _begins(label: str, typed: str, *, whole: bool) -> bool:
    return label == typed if whole else label.startswith(typed)
