"""Strips from a text all that people write around a move: formatting, emoji, a polite word.

A text that is a move and such company is played; one that says more is left alone, whatever move
it holds. Nothing here goes back over what it has passed.
"""

import re
import unicodedata
from typing import Final

from dvonn import Coordinates, Move, NotationError, Phase, Position, parse_move

LONGEST: Final = 400
"""Number of characters that are read of a text: the longest list of moves is shorter."""

_POLITE: Final = (
    # English, and what is said everywhere
    "please",
    "pls",
    "plz",
    "thanks",
    "thank you",
    "thx",
    "ty",
    "gg",
    "gl",
    "hf",
    "glhf",
    "wp",
    "ok",
    "okay",
    "sorry",
    "sry",
    "oops",
    "good luck",
    "have fun",
    "good game",
    "well played",
    "your turn",
    # German
    "bitte",
    "danke",
    "okey",
    "viel glück",
    "gutes spiel",
    "schönes spiel",
    "hallo",
    "ups",
    "mist",
    "viel spaß",
    "entschuldigung",
    "du bist dran",
    "du bist am zug",
    # French
    "s'il te plaît",
    "s'il vous plaît",
    "stp",
    "svp",
    "merci",
    "pardon",
    "désolé",
    "désolée",
    "bonne chance",
    "bonne partie",
    "bien joué",
    "bonjour",
    "salut",
    "oups",
    "s'il te plait",
    "à toi",
    "à toi de jouer",
    # Spanish
    "por favor",
    "porfa",
    "gracias",
    "perdón",
    "vale",
    "buena suerte",
    "muchas gracias",
    "perdona",
    "disculpa",
    "lo siento",
    "hola",
    "buenas",
    "uy",
    "suerte",
    "buena partida",
    "bien jugado",
    "te toca",
    "tu turno",
    # Portuguese
    "obrigado",
    "obrigada",
    "desculpa",
    "boa sorte",
    # Italian
    "per favore",
    "grazie",
    "scusa",
    "buona fortuna",
    "per piacere",
    "ciao",
    "ops",
    "bella partita",
    "buon divertimento",
    "grazie mille",
    "buona partita",
    "ben giocato",
    "tocca a te",
    # Dutch
    "alsjeblieft",
    "alstublieft",
    "aub",
    "bedankt",
    "dank je",
    "succes",
    "dankjewel",
    "graag",
    "hoi",
    "oeps",
    "veel plezier",
    "goed gespeeld",
    "dank je wel",
    "veel succes",
    "jouw beurt",
    "jij bent aan zet",
    # Polish
    "proszę",
    "dzięki",
    "dziękuję",
    "przepraszam",
    "powodzenia",
    # Swedish, Danish, Norwegian
    "tack",
    "tak",
    "takk",
    # Russian
    "пожалуйста",
    "спасибо",
    "удачи",
)
_POLITE_WITHOUT_BLANKS: Final = (
    "よろしくお願いします",
    "お願いします",
    "おねがいします",
    "よろしく",
    "ありがとうございます",
    "ありがとう",
    "すみません",
    "请",
    "谢谢",
)
_EMOTICONS: Final = (":-)", ":)", ";-)", ";)", ":-D", ":D", ":-P", ":P", ":3", "<3", "xD", "^^")


def _one_of(texts: tuple[str, ...]) -> str:
    return "|".join(re.escape(text) for text in sorted(texts, key=len, reverse=True))


_WORDS, _SIGNS = _one_of(_POLITE), _one_of(_POLITE_WITHOUT_BLANKS)
_FACES = _one_of(_EMOTICONS)
# A question mark is no mere punctuation: "d4?" asks. Nor is what strikes out, or links.
_AROUND: Final = " \t\r\n\u00a0\u202f\u3000.,;:!¡…()[]{}\"'“”„‟«»‹›‘’‚‛+#。、！"  # noqa: RUF001 - some are Chinese
_FORMATTING: Final = str.maketrans(dict.fromkeys("*_`|"))
_BULLET = re.compile(r"[-•–]\s")
_BEGINS = re.compile(rf"(?:(?:{_WORDS})(?!\w)|(?:{_SIGNS})|(?:{_FACES})(?!\S))", re.IGNORECASE)
_ENDS = re.compile(rf"(?:(?<!\w)(?:{_WORDS})|(?:{_SIGNS})|(?<!\S)(?:{_FACES}))\Z", re.IGNORECASE)
_COMMAND = re.compile(
    r"/(?:move|zug|coup|mover|muovi|zet)\s+(?:(?:move|zug|coup|jugada|mossa|zet):)?", re.IGNORECASE
)
"""A slash command for moves that came out as text, in the languages in which it has a name."""
_LONGEST_COURTESY = max(map(len, (*_POLITE, *_POLITE_WITHOUT_BLANKS, *_EMOTICONS)))

_CUSTOM_EMOJI = re.compile(r"<a?:\w{1,32}:[0-9]{1,20}>")
_KEYCAP = re.compile("[0-9#*]\ufe0f?\u20e3")
_ALIKE: Final = str.maketrans({"\u27a1": "→", "\U0001f449": "→", "\u2019": "'"})
"""Arrows and the apostrophe as phones write them."""
_PICTURES = frozenset({"So", "Sk", "Mn", "Me", "Cf", "Cn", "Co"})
"""Unicode's categories of emoji, of what changes their looks, and of emoji yet to come."""

_SPACE = r"[a-k][0-9]{1,2}"
_BETWEEN = r"(?:\s*(?:[-\u2010-\u2015\u2212]>?|\u2192|to|x|:)\s*|\s+)?"
_FROM_TO = re.compile(
    rf"(?<![a-z0-9_])(?=({_SPACE}){_BETWEEN}({_SPACE})(?![a-z0-9_]))", re.IGNORECASE | re.ASCII
)
_ONE_SPACE = re.compile(rf"(?<![a-z0-9_])({_SPACE})(?![a-z0-9_])", re.IGNORECASE | re.ASCII)


def without_courtesies(text: str) -> str:
    """Return a text without formatting, emoji, and punctuation and polite words at its ends.

    A text longer than `LONGEST` is left as it is.
    """
    if len(text) > LONGEST:
        return text
    text = _CUSTOM_EMOJI.sub(" ", unicodedata.normalize("NFC", text))
    text = _KEYCAP.sub(" ", text).translate(_ALIKE).translate(_FORMATTING)
    text = "".join(" " if _is_picture(char) else char for char in text)
    begin, end = 0, len(text)
    while True:
        before = begin, end
        while begin < end and text[begin] in _AROUND:
            begin += 1
        while begin < end and text[end - 1] in _AROUND:
            end -= 1
        if found := (
            _BEGINS.match(text, begin, end)
            or _BULLET.match(text, begin, end)
            or _COMMAND.match(text, begin, end)
        ):
            begin = found.end()
        # A look at the end sees no more than the longest that could stand there, and its neighbour.
        elif found := _ENDS.search(text[:end], max(begin, end - _LONGEST_COURTESY)):
            end = found.start()
        if (begin, end) == before:
            return text[begin:end]


def move_among_courtesies(text: str, coordinates: Coordinates) -> Move | None:
    """Return the placement or movement of a text, but for courtesies; None if it is not one."""
    if len(text) > LONGEST:
        return None
    try:
        return parse_move(without_courtesies(text), coordinates)
    except NotationError:
        return None


def may_hold_a_move(text: str) -> bool:
    """Tell whether a text names a possible space, so that the game is worth a look."""
    return len(text) <= LONGEST and bool(_ONE_SPACE.search(text) or _FROM_TO.search(text))


def moves_among_words(text: str, position: Position, coordinates: Coordinates) -> tuple[Move, ...]:
    """Return the legal moves that a text holds, whatever else it says; each once, in its order."""
    if len(text) > LONGEST:
        return ()
    words = (word for word in text.split() if not ("://" in word or word.startswith("<")))
    said = " ".join(words).translate(_ALIKE).translate(_FORMATTING)
    if position.phase is Phase.PLACEMENT:
        texts = [found[1] for found in _ONE_SPACE.finditer(said)]
    else:
        texts = [f"{found[1]}-{found[2]}" for found in _FROM_TO.finditer(said)]
    legal, named = set(position.legal_moves()), dict[Move, None]()
    for one in texts:
        try:
            move = parse_move(one, coordinates)
        except NotationError:
            continue
        if move in legal:
            named[move] = None
    return tuple(named)


def _is_picture(char: str) -> bool:
    return not char.isascii() and unicodedata.category(char) in _PICTURES
