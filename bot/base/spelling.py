"""Interprets how people type: formatting, polite words, separators, numbers and marks.

All typed text is interpreted here and nowhere else. This module decides whether a text addresses
the bot, and whether it is meant as a move. It removes harmless words around a move, which is then
played. If a text says anything else, its move is not played.

The length of each text is checked first. None of the parsers here backtracks.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from bot.base.courtesies import (
    BEFORE,
    BETWEEN,
    EMOTICONS,
    JOINING,
    POLITE,
    POLITE_WITHOUT_BLANKS,
)
from dvonn import Coordinates, Move, NotationError, Phase, Position, parse_move

LONGEST: Final = 400
"""Maximum number of characters in a text. The longest list of moves is shorter."""
LONGEST_CALL: Final = 2 * LONGEST
"""Maximum number of characters in a text that mentions the bot: moves and mentions."""
LONGEST_LINES: Final = 1_000
"""Maximum number of characters in a plan, the longest kind of text."""


# Plain text: letters, digits and symbols, without formatting and emoji

_CUSTOM_EMOJI: Final = re.compile(r"<a?:\w{1,32}:[0-9]{1,20}>")
_KEYCAP: Final = re.compile("[0-9#*]\ufe0f?\u20e3")
_PICTURES: Final = frozenset({"So", "Sk", "Mn", "Me", "Cn", "Co"})
"""Unicode categories of emoji, of emoji modifiers, and of future emoji."""
_HAND: Final = "\U0001f449"
_ARROW_NAME: Final = re.compile(r"\bARROW")
_FIRST_PICTOGRAM, _MORE_ARROWS = 0x1F000, range(0x1F800, 0x1F900)
"""Code points from the first on with ARROW in their name may be emoji, except in the range."""
# A code block's language is not a move, but `d2-d4` on its first line is one.
_FENCE: Final = re.compile(r"```(?:(?![a-k][0-9])[\w+#.-]*\n)?", re.IGNORECASE)
_LINE_BEGIN: Final = re.compile(
    r"^[ \t]*(?:(?:>{1,3}|(?:#{1,3}|-#|[-+•‣·\u2010-\u2015])(?=\s)"
    r"|[0-9]{1,3}(?:\.{1,3}|\))(?![0-9]))[ \t]*)+",
    re.MULTILINE,
)
"""Symbols for quotes, headings and lists, and move numbers, at the start of a line."""
_ESCAPE: Final = re.compile(r"\\(?=[^\w\s]|_)")
"""A backslash that escapes Discord's formatting."""
# A single asterisk between spaces means "any other move" in a plan.
_FORMATTING: Final = re.compile(r"[_`|]|\*\*+|(?<=[^\s;,:])\*|\*(?=[^\s;,:])")
# A single "=" is a comparison, and plans also use ":".
_SIGNS_BETWEEN: Final = r"(?:=+>+|\.{2,5}|\u2026|[-~>\u2010-\u2015\u2212\u2192\u00d7\u301c]{1,5})"
_WORDS_BETWEEN: Final = "|".join(
    re.escape(word).replace(r"\ ", r"\s+") for word in sorted(BETWEEN, key=len, reverse=True)
)
_SEPARATOR: Final = re.compile(
    r"(?:(?<=[a-k][0-9])|(?<=[a-k][0-9]{2}))"
    rf"(?:\s*(?:{_SIGNS_BETWEEN}|to|x)\s*|\s+(?:{_WORDS_BETWEEN})\s+)(?=[a-k][0-9])",
    re.IGNORECASE,
)


def plain(text: str) -> str:
    """Return a text without formatting, emoji and invisible characters.

    Symbols and words between a move's two spaces become a hyphen. A text longer than
    `LONGEST_LINES` is returned unchanged.

    >>> plain("**d2 → d4** please")
    'd2-d4 please'
    """
    if len(text) > LONGEST_LINES:
        return text
    text = unicodedata.normalize("NFC", text.replace("\u2019", "'"))
    text = _KEYCAP.sub(" ", _CUSTOM_EMOJI.sub(" ", text))
    text = "".join(char if char.isascii() else _ascii(char) for char in text)
    text = _LINE_BEGIN.sub("", _FORMATTING.sub("", _FENCE.sub("", _ESCAPE.sub("", text))))
    return _SEPARATOR.sub("-", text)


def _ascii(char: str) -> str:
    """Return the plain form of a full-width or bold character, if known.

    Emoji become spaces, invisible characters are removed, and arrows become one of two arrows.
    """
    category = unicodedata.category(char)
    if category == "Cf":
        return ""
    if _is_arrow(char):
        name = unicodedata.name(char)
        return "\u2190" if "LEFT" in name and "RIGHT" not in name else "\u2192"
    simple = unicodedata.normalize("NFKC", char)
    if len(simple) == 1 and simple.isascii():
        return simple
    return " " if category in _PICTURES else char


def _is_arrow(char: str) -> bool:
    number = ord(char)
    may_be = number < _FIRST_PICTOGRAM or number in _MORE_ARROWS
    return char == _HAND or (may_be and bool(_ARROW_NAME.search(unicodedata.name(char, ""))))


# Text around a move

# Question marks are left out, because "d4?" asks something. So are the symbols for strikethrough
# and links.
_AROUND: Final = " \t\r\n\u3000.,;:!¡…()[]{}\"'“”„‟«»‹›‘’‚‛+*。、"  # noqa: RUF001 - some are Chinese
_BESIDE_MENTION: Final = ",:"


def _any_of(texts: Iterable[str]) -> str:
    return "|".join(re.escape(text) for text in sorted(texts, key=len, reverse=True))


# Two or more of these annotate a move: "d2-d4!?" is not a question.
_MARKS: Final = re.compile(r"[!?]{2,}")
_PERSON: Final = r"<@!?[0-9]{1,20}>"
_SIGNS: Final = _any_of(POLITE_WITHOUT_BLANKS)
_FACES: Final = _any_of(EMOTICONS)
_NUMBER: Final = r"[0-9]{1,3}(?:\.{1,3}|[):])(?![0-9])"
_ARROW: Final = r"(?:\u2192|[-=]{1,3}>)"
_COMMAND: Final = r"/(?:move|zug|coup|mover|muovi|zet)\s+(?:(?:move|zug|coup|jugada|mossa|zet):)?"
"""A slash command for moves that was sent as text, under its name in any language."""


class _SurroundingWords:
    """Words that may surround a move."""

    def __init__(self, words: Iterable[str], only_before: Iterable[str] = ()) -> None:
        """Allow `words` on both sides of a move, and `only_before` only in front of it."""
        before, behind = _any_of((*words, *only_before)), _any_of(words)
        self.begin = re.compile(
            rf"(?:(?:{before})(?!\w)|(?:{_SIGNS})|(?:{_FACES})(?!\S)|{_PERSON}|{_NUMBER}"
            rf"|{_ARROW}|{_COMMAND})",
            re.IGNORECASE,
        )
        self.end = re.compile(
            rf"(?:(?<!\w)(?:{behind})|(?:{_SIGNS})|(?<!\S)(?:{_FACES})|{_PERSON})\Z",
            re.IGNORECASE,
        )
        self.longest = max(map(len, (*words, *POLITE_WITHOUT_BLANKS, *EMOTICONS, f"<@!{2**64}>")))


_COURTESIES: Final = _SurroundingWords(POLITE)
_ALL_WORDS: Final = _SurroundingWords((*POLITE, *JOINING), BEFORE)


def _without_marks(words: _SurroundingWords, text: str) -> str:
    text = _MARKS.sub(lambda match: "!" if "!" in match[0] and "?" in match[0] else match[0], text)
    begin, end = 0, len(text)
    while True:
        before = begin, end
        # Emoticons come before punctuation, because they may begin with it: ":D".
        if match := words.begin.match(text, begin, end):
            begin = match.end()
        # Search no further from the end than the longest word, plus one character.
        elif match := words.end.search(text[:end], max(begin, end - words.longest)):
            end = match.start()
        while begin < end and text[begin] in _AROUND:
            begin += 1
        while begin < end and text[end - 1] in _AROUND:
            end -= 1
        if (begin, end) == before:
            return text[begin:end]


def without_courtesies(text: str) -> str:
    """Return a text without formatting, emoji, and surrounding punctuation and polite words.

    A text longer than `LONGEST` is returned unchanged.
    """
    return text if len(text) > LONGEST else _without_marks(_COURTESIES, plain(text))


def bare(text: str) -> str:
    """Return a text as `without_courtesies` does, but also without conjunctions at its ends.

    A text longer than `LONGEST` is returned unchanged.
    """
    return text if len(text) > LONGEST else _without_marks(_ALL_WORDS, plain(text))


def whole(text: str) -> str:
    """Return a list or a plan without formatting and surrounding punctuation."""
    return plain(text).strip(_AROUND.replace("*", ""))


def move_among_courtesies(text: str, coordinates: Coordinates) -> Move | None:
    """Return the only placement or movement in a text, ignoring polite words, or None."""
    if len(text) > LONGEST:
        return None
    try:
        return parse_move(bare(text), coordinates)
    except NotationError:
        return None


def one_move(text: str, coordinates: Coordinates, phase: Phase) -> Move | None:
    """Return the only move in a text, ignoring polite words, or None.

    In the placement phase it is a placement, and later a movement. "d2, d4 please" is a movement,
    too, because no list is possible then.
    """
    if phase is Phase.PLACEMENT:
        move = move_among_courtesies(text, coordinates)
        return None if move is None or move.source is not None else move
    match = _TWO_SPACES.fullmatch(bare(text)) if len(text) <= LONGEST else None
    if match is None:
        return None
    source, target = (coordinates.point(name.lower()) for name in match.groups())
    return Move(source=source, target=target) if source and target else None


# Moves among other words

_SPACE: Final = r"[a-k][0-9]{1,2}"
_ONE_SPACE: Final = re.compile(rf"(?<![a-z0-9_])({_SPACE})(?![a-z0-9_])", re.IGNORECASE | re.ASCII)
_FROM_TO: Final = re.compile(
    rf"(?<![a-z0-9_])(?=({_SPACE})[^\w?]{{0,5}}({_SPACE})(?![a-z0-9_]))", re.IGNORECASE | re.ASCII
)


_TAG: Final = re.compile(r"<[@#:/a][^<>\s]{0,60}>")
"""A mention, a channel link, a server's emoji, or a command."""


def may_contain_move(text: str) -> bool:
    """Return True if a text names a possible space, so that loading the game is worthwhile."""
    if len(text) > LONGEST:
        return False
    plain_text = plain(text)
    return bool(_ONE_SPACE.search(plain_text) or _FROM_TO.search(plain_text))


def moves_among_words(text: str, position: Position, coordinates: Coordinates) -> tuple[Move, ...]:
    """Return the legal moves that occur among other words of a text, in order, without repeats."""
    if len(text) > LONGEST:
        return ()
    words = _TAG.sub(" ", plain(text)).split()
    sentence = " ".join(word for word in words if "://" not in word)
    if position.phase is Phase.PLACEMENT:
        texts = [match[1] for match in _ONE_SPACE.finditer(sentence)]
    else:
        texts = [f"{match[1]}-{match[2]}" for match in _FROM_TO.finditer(sentence)]
    legal, mentioned = set(position.legal_moves()), dict[Move, None]()
    for spelled in texts:
        try:
            move = parse_move(spelled, coordinates)
        except NotationError:
            continue
        if move in legal:
            mentioned[move] = None
    return tuple(mentioned)


# Whether a text addresses the bot, and its meaning

_POINT: Final = r"[a-z][0-9]++"
# "x" before a digit may start a space that does not exist.
_GAP: Final = r"(?:[\s.,;:/\-\u2190]|x(?![0-9])|to)*+"
_MOVE_LIKE: Final = re.compile(
    rf"{_GAP}{_POINT}(?:{_GAP}{_POINT})*+{_GAP}", re.IGNORECASE | re.ASCII
)
_ONE_MOVE: Final = re.compile(rf"{_SPACE}(?:{_GAP}{_SPACE})?", re.IGNORECASE | re.ASCII)
_TWO_SPACES: Final = re.compile(rf"({_SPACE})[\s.,;:/\-]*+({_SPACE})", re.IGNORECASE | re.ASCII)
_BEGINS_WITH_SPACE: Final = re.compile(rf"\s*+{_POINT}", re.IGNORECASE | re.ASCII)
# The Dutch "pas" alone has too many other meanings.
_PASS: Final = re.compile(
    r"(?:pass|paso|passo|(?:(?:ich|je) )?passe|ik pas)", re.IGNORECASE | re.ASCII
)


@dataclass(frozen=True, slots=True)
class BotNames:
    """The mentions that mean the bot in a message."""

    user: int
    role: int | None = None
    """The role that Discord created for the bot in a server. People mistake it for the bot."""

    @property
    def mentions(self) -> tuple[str, str]:
        return f"<@{self.user}>", f"<@!{self.user}>"

    def without_role(self, text: str) -> str:
        """Return a text with mentions of the bot's role replaced by mentions of the bot."""
        return text if self.role is None else text.replace(f"<@&{self.role}>", f"<@{self.user}>")


_GREETING: Final = re.compile(
    r"\s*(?:hey|hi|hello|yo|hallo|moin|servus|salut|bonjour|coucou|hola|buenas|ciao|hoi)\b[\s,!]*",
    re.IGNORECASE,
)
"""Words that people put before the bot's name."""


class Meaning(Enum):
    """The possible meanings of a text for the bot."""

    TALK = auto()
    """Some other text, with or without a move in it."""
    MOVE = auto()
    """A move, or an attempt at one."""
    CALL = auto()
    """Words that address the bot but that it does not understand."""


def meaning(text: str, names: BotNames) -> tuple[Meaning, str]:
    """Return the meaning of a message, and its plain text without mentions of the bot.

    A mention at the start addresses the bot. A mention elsewhere does not. Kind words in reply to a
    board are meant for the other player, unless they contain a move.

    >>> meaning("<@5> d2-d4", BotNames(5))
    (<Meaning.MOVE: 2>, 'd2-d4')
    >>> meaning("<@5> thanks!", BotNames(5))
    (<Meaning.CALL: 3>, 'thanks!')
    """
    if len(text) > LONGEST_CALL:
        return Meaning.TALK, ""
    text = plain(names.without_role(text))
    plain_text = without_mention(text, names)
    if looks_like_a_move(plain_text):
        return Meaning.MOVE, plain_text
    if not text[_end_of_greeting(text, names) :].lstrip().startswith(names.mentions):
        return Meaning.TALK, plain_text
    # "d2-d4?" after the bot's name is an attempt at a move, so it gets an explanation.
    is_attempt = len(plain_text) <= LONGEST and _BEGINS_WITH_SPACE.match(plain_text)
    return Meaning.MOVE if is_attempt else Meaning.CALL, plain_text


def looks_like_a_move(text: str) -> bool:
    """Return True if a text consists of letter-digit pairs and possible separators.

    Examples are "z9" and "a2-a30", which are meant as moves. "nice one" is not an example.
    A list may end with "else next free", and polite words may surround a single move.
    """
    if len(text) > LONGEST:
        return False
    words = whole(text)
    listed, _ = split_else_next(words)
    is_move = _MOVE_LIKE.fullmatch(listed) or _ONE_MOVE.fullmatch(bare(text))
    return bool(is_move or _PASS.fullmatch(words))


def says_pass(text: str) -> bool:
    return bool(_PASS.fullmatch(whole(text)))


def without_mention(text: str, names: BotNames) -> str:
    """Return a text without mentions of the bot at its start and end.

    Texts longer than `LONGEST_CALL` are returned unchanged.
    """
    if len(text) > LONGEST_CALL:
        return text
    mentions = names.mentions
    begin, end = _end_of_greeting(text, names), len(text)
    while True:
        begin, end = _past_blanks(text, begin, end)
        if name := next(
            (mention for mention in mentions if text.startswith(mention, begin, end)), None
        ):
            begin += len(name)
        elif name := next(
            (mention for mention in mentions if text.endswith(mention, begin, end)), None
        ):
            end -= len(name)
        else:
            return text[begin:end]


def _end_of_greeting(text: str, names: BotNames) -> int:
    """Return where the bot's name starts in "hey @bot, rules", or 0 if only a greeting follows."""
    match = _GREETING.match(text)
    begin = 0 if match is None else match.end()
    says_more = any(map(str.isalpha, text[begin:].partition(">")[2]))
    return begin if says_more and text.startswith(names.mentions, begin) else 0


def _past_blanks(text: str, begin: int, end: int) -> tuple[int, int]:
    """Return the bounds of a part without spaces, commas and colons at its ends."""
    while begin < end and (text[begin].isspace() or text[begin] in _BESIDE_MENTION):
        begin += 1
    while begin < end and (text[end - 1].isspace() or text[end - 1] in _BESIDE_MENTION):
        end -= 1
    return begin, end


# Lists

_NEXT_FREE: Final = (
    "(or )?else (the )?next( free)?( one| space)?",
    "(altrimenti|se no|sennò) (la )?(prossima|successiva|prima)( casella)?( libera)?",
    "(sonst|andernfalls) (das )?n(ä|ae|a\u0308?)chste[ns]?( freie[ns]?)?( feld)?",
    "sinon (la )?(prochaine|suivante|case)( case)?( libre)?( suivante)?",
    "anders (het |de )?volgende?( vrije?)?( veld| vakje)?",
    "(si no|sino) (la )?(siguiente|pr(ó|o\u0301?)xima)( casilla)?( libre)?",
)
"""Phrases at the end of a list that mean the next free space, in each language."""
# The search starts at the beginning of a run of spaces, not at each space.
_PHRASES: Final = "|".join(_NEXT_FREE).replace("(", "(?:").replace(" ", r"[\s,]++")
_ELSE_NEXT: Final = re.compile(rf"(?<![\s,;`])[\s,;`]*+\b(?:{_PHRASES})[\s.`]*+$", re.IGNORECASE)


def split_else_next(text: str) -> tuple[str, bool]:
    """Return a text without a final "else next free", and True if it had one."""
    match = _ELSE_NEXT.search(text)
    return (text, False) if match is None else (text[: match.start()], True)
