"""Which moves a half-typed text may become."""

import re
from collections.abc import Iterable
from typing import Final

from dvonn import Coordinates, Move

_SPACE = r"[a-k][0-9]{0,2}"
_BLANK = r"\s\u00a0\u202f`"
# What `dvonn.parse_move` takes between two spaces, and what of it is typed so far.
_BETWEEN = rf"(?:[{_BLANK}.>x\-\u2010-\u2015\u2212\u2192]|to?)*+"
_HALF_TYPED = re.compile(
    rf"[{_BLANK}]*+(?P<first>{_SPACE})?+(?P<gap>{_BETWEEN})(?P<second>{_SPACE})?+[{_BLANK}.]*+",
    re.IGNORECASE | re.ASCII,
)
LONGEST: Final = 40
"""How many characters a half-typed move has at most; nothing longer is read."""


def narrow(typed: str, moves: Iterable[Move], coordinates: Coordinates) -> list[Move]:
    """The moves that a text may become, in their order.

    "d" leaves what begins on d1, d2 and so on, "d2-" what begins on d2, "d2-e" of that what ends on
    e1, e2 and so on, and "-d4" what ends on d4. Nothing typed leaves everything, and what cannot
    become a move leaves nothing.

    Args:
        typed: What was typed so far, in any spelling that `dvonn.parse_move` reads.
        moves: What can be played.
        coordinates: The system in which the text is read.
    """
    match = _HALF_TYPED.fullmatch(typed) if len(typed) <= LONGEST else None
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


def _begins(label: str, typed: str, *, whole: bool) -> bool:
    return label == typed if whole else label.startswith(typed)
