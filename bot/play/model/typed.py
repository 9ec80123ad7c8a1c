"""Reads what players type: whether it is meant as a move, what is played at once, and what is kept.

Every text is measured first, and only then read: what is longer than a move can be is none. What
reads it never goes back over what it has passed.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

import dvonn
from bot.play.model.courtesies import LONGEST, move_among_courtesies
from bot.play.model.refusals import BadList, ListProblem

_NEXT_FREE: Final = (
    "(or )?else (the )?next( free)?( one| space)?",
    "(altrimenti|se no|sennò) (la )?(prossima|successiva|prima)( casella)?( libera)?",
    "(sonst|andernfalls) (das )?n(ä|ae|a\u0308?)chste[ns]?( freie[ns]?)?( feld)?",
    "sinon (la )?(prochaine|suivante|case)( case)?( libre)?( suivante)?",
    "anders (het |de )?volgende?( vrije?)?( veld| vakje)?",
    "(si no|sino) (la )?(siguiente|pr(ó|o\u0301?)xima)( casilla)?( libre)?",
)
"""Endings of a list that mean the next free space, in each language."""
# It is looked for where a run of blanks begins, not at each of them.
_PHRASES: Final = "|".join(_NEXT_FREE).replace("(", "(?:").replace(" ", r"[\s,]++")
_ELSE_NEXT: Final = re.compile(rf"(?<![\s,;`])[\s,;`]*+\b(?:{_PHRASES})[\s.`]*+$", re.IGNORECASE)
_TO: Final = re.compile(r"(?<=[0-9])\s+(?:a|à|a\u0300|nach|naar)\s+(?=[a-k][0-9])", re.IGNORECASE)
# Dutch "pas" alone is too much else.
_PASS: Final = re.compile(
    r"[\s`]*+(?:pass|paso|passo|(?:(?:ich|je) )?passe|ik pas)[\s`.]*+", re.IGNORECASE | re.ASCII
)


@dataclass(frozen=True, slots=True)
class Plan:
    """Placements that a player has decided ahead."""

    spaces: tuple[dvonn.Point, ...]
    else_next: bool = False
    """A space that is taken is replaced by the next free one; otherwise it is passed over."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The meaning of a player's text."""

    moves: tuple[dvonn.Move, ...]
    """Moves to be played now, in one go: at least one."""
    plan: Plan | None = None
    """Placements for the next turns."""


def read_typed(text: str, coordinates: dvonn.Coordinates, position: dvonn.Position) -> Entry:
    """Read what the player to move has typed, as `read_entry` does, or among courtesies.

    Raises:
        NotationError: if the text is nothing of that.
        IllegalMoveError: if the rules refuse one of the moves.
        BadList: if a list for later cannot be kept.
    """
    try:
        return read_entry(text, coordinates, position)
    except dvonn.NotationError:
        if (move := move_among_courtesies(text, coordinates)) is None:
            raise
        position.play(move)
        return Entry((move,))


def read_entry(text: str, coordinates: dvonn.Coordinates, position: dvonn.Position) -> Entry:
    """Read what the player to move has typed.

    One placement or move is the rule. While pieces are placed, further spaces are kept as a list
    for the next turns. Whoever is to move again at once, after the last placement or because the
    other player cannot move, may name those moves as well.

    Raises:
        NotationError: if the text is nothing of that.
        IllegalMoveError: if the rules refuse one of the moves.
        BadList: if the list for later cannot be kept.
    """
    _check_length(text)
    if says_pass(text):
        raise dvonn.NotationError(text, 0, dvonn.NotationProblem.PASS)
    body, else_next = split_else_next(visible(text))
    rest = list(dvonn.parse_moves(body, coordinates))
    if else_next and position.phase is not dvonn.Phase.PLACEMENT:
        raise BadList(ListProblem.NOT_PLACING)
    turn, named, played = position.turn, list[dvonn.Point](), list[dvonn.Move]()
    while rest:
        if played and position.turn is not turn:
            if position.phase is not dvonn.Phase.PLACEMENT:
                raise dvonn.NotationError(text, 0, dvonn.NotationProblem.SEVERAL_MOVES)
            break
        move = _take(rest, position)
        named.append(move.target)
        if else_next and not played:
            move = _free_or_next(move, position, tuple(later.target for later in rest))
        position = position.play(move)
        played.append(move)
    later = _spaces(rest, named, position, coordinates, any_will_do=else_next)
    return Entry(tuple(played), Plan(later, else_next) if later else None)


def read_plan(text: str, coordinates: dvonn.Coordinates, position: dvonn.Position) -> Plan:
    """Read a list of spaces for later turns.

    Raises:
        NotationError: if it is no list.
        BadList: if it cannot be kept.
    """
    _check_length(text)
    body, else_next = split_else_next(visible(text))
    moves = dvonn.parse_moves(body, coordinates)
    return Plan(_spaces(moves, (), position, coordinates, any_will_do=else_next), else_next)


def next_placement(plan: Plan, position: dvonn.Position) -> tuple[dvonn.Move | None, Plan | None]:
    """Return the placement of a plan that is due now, if any, and the rest of the plan, if any."""
    for number, space in enumerate(plan.spaces):
        later = plan.spaces[number + 1 :]
        rest = Plan(later, plan.else_next) if later else None
        if _is_free(space, position):
            return dvonn.Move(target=space), rest
        if plan.else_next:
            return dvonn.Move(target=_next_free(space, position, later)), rest
    return None, None


def visible(text: str) -> str:
    """Return a text without invisible characters: marks of direction, blanks of no width.

    What other languages say between two spaces becomes a dash, which all that reads moves knows.
    """
    seen = "".join(char for char in text if unicodedata.category(char) != "Cf")
    return _TO.sub(" - ", seen)


def says_pass(text: str) -> bool:
    return bool(_PASS.fullmatch(text))


def split_else_next(text: str) -> tuple[str, bool]:
    """Return a text without "else next free" at its end, and whether that stood there."""
    match = _ELSE_NEXT.search(text)
    return (text, False) if match is None else (text[: match.start()], True)


def _take(rest: list[dvonn.Move], position: dvonn.Position) -> dvonn.Move:
    move = rest.pop(0)
    moving = position.phase is dvonn.Phase.MOVEMENT
    if moving and move.source is None and rest and rest[0].source is None:
        return dvonn.Move(target=rest.pop(0).target, source=move.target)
    return move


def _check_length(text: str) -> None:
    if len(text) > LONGEST:
        raise BadList(ListProblem.TOO_LONG, limit=LONGEST)


def _spaces(
    rest: Iterable[dvonn.Move],
    before: Collection[dvonn.Point],
    position: dvonn.Position,
    coordinates: dvonn.Coordinates,
    *,
    any_will_do: bool,
) -> tuple[dvonn.Point, ...]:
    """Read a list of spaces, without the one that stood before it."""
    spaces: list[dvonn.Point] = []
    for move in rest:
        if move.source is not None:
            raise BadList(ListProblem.MOVE)
        if move.target in spaces or move.target in before:
            raise BadList(ListProblem.TWICE, coordinates.label(move.target))
        if not any_will_do and not _is_free(move.target, position):
            raise BadList(ListProblem.TAKEN, coordinates.label(move.target))
        spaces.append(move.target)
    most = len(dvonn.POINTS) // 2
    if len(spaces) > most:
        raise BadList(ListProblem.TOO_MANY, limit=most)
    return tuple(spaces)


def _free_or_next(
    move: dvonn.Move, position: dvonn.Position, later: tuple[dvonn.Point, ...]
) -> dvonn.Move:
    if move.source is not None or _is_free(move.target, position):
        return move
    return dvonn.Move(target=_next_free(move.target, position, later))


def _next_free(
    space: dvonn.Point, position: dvonn.Position, later: tuple[dvonn.Point, ...]
) -> dvonn.Point:
    """Return the next free space in the order of the rows, if possible one not listed for later."""
    start = dvonn.POINTS.index(space)
    free = [
        point
        for point in (*dvonn.POINTS[start:], *dvonn.POINTS[:start])
        if _is_free(point, position)
    ]
    return next((point for point in free if point not in later), free[0])


def _is_free(space: dvonn.Point, position: dvonn.Position) -> bool:
    return position.height(space) == 0


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


def narrow(
    typed: str, moves: Iterable[dvonn.Move], coordinates: dvonn.Coordinates
) -> list[dvonn.Move]:
    """Return the moves that a text may become, in their order.

    "d" leaves what begins on d1, d2 and so on, "d2-" what begins on d2, "d2-e" of that what ends on
    e1, e2 and so on, and "-d4" what ends on d4. Nothing typed leaves everything, and what cannot
    become a move leaves nothing.
    """
    match = _HALF_TYPED.fullmatch(typed) if len(typed) <= LONGEST_HALF_TYPED else None
    if match is None:
        return []
    first, second = ((match[name] or "").lower() for name in ("first", "second"))
    first_is_whole = bool(first and (match["gap"] or second))

    def fits(move: dvonn.Move) -> bool:
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
