"""Which texts in a channel are meant as moves, and which are people talking."""

import re

from bot.games.lists import LONGEST, split_else_next

_SPACE = r"[a-z][0-9]+"
_BETWEEN = r"(?:[\s`.,;/\-\u2010-\u2015\u2212>\u2192x]|to)*"
_MOVE_LIKE = re.compile(
    rf"{_BETWEEN}{_SPACE}(?:{_BETWEEN}{_SPACE})*{_BETWEEN}", re.IGNORECASE | re.ASCII
)
_PASS = re.compile(r"[\s`]*pass[\s`.]*", re.IGNORECASE | re.ASCII)
_NO_BREAK_BLANKS = re.compile("[\u00a0\u202f]")


def looks_like_a_move(text: str) -> bool:
    """Whether a text is made only of letter-digit pairs and what may stand between them.

    "z9" and "a2-a30" do: whoever writes them means a move. "nice one" does not. Behind a list may
    stand "else next free".
    """
    if len(text) > LONGEST:
        return False
    plain = _NO_BREAK_BLANKS.sub(" ", split_else_next(text)[0])
    return bool(_PASS.fullmatch(plain) or _MOVE_LIKE.fullmatch(plain))


def without_mention(text: str, bot: int) -> str:
    """A text without the mentions of the bot that it begins or ends with."""
    mention = rf"(?:<@!?{bot}>|[\s,:])*"
    return re.sub(rf"^{mention}|{mention}$", "", text)
