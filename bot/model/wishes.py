"""What people ask of the bot in plain words, when they speak to it."""

import unicodedata
from enum import Enum, auto
from typing import Final

from bot.model.courtesies import without_courtesies


class Wish(Enum):
    """What somebody wants who speaks to the bot."""

    HELP = auto()
    """To know how to play here, and what there is."""
    RULES = auto()
    LEARN = auto()
    """To learn the game by playing."""
    PLAY = auto()
    """A game."""
    BOARD = auto()
    GAMES = auto()
    """Their running games."""
    UNDO = auto()
    DRAW = auto()
    RESIGN = auto()


_WORDS: Final = {
    Wish.HELP: (
        "help",
        "help me",
        "i need help",
        "how do i play",
        "how to play",
        "how do we play",
        "how does this work",
        "how does it work",
        "what can you do",
        "what can i do",
        "commands",
        "start",
        "info",
        "hilfe",
        "hilf mir",
        "wie geht das",
        "wie spielt man",
        "befehle",
        "aide",
        "ayuda",
        "ajuda",
        "aiuto",
        "come si gioca",
        "comandi",
        "pomoc",
        "hjälp",
        "hjelp",
        "помощь",
        "ヘルプ",
        "使い方",
        "帮助",
    ),
    Wish.RULES: (
        "rules",
        "the rules",
        "show rules",
        "show me the rules",
        "what are the rules",
        "how do you play dvonn",
        "how do i play dvonn",
        "how is dvonn played",
        "regeln",
        "die regeln",
        "spielregeln",
        "wie spielt man dvonn",
        "règles",
        "les règles",
        "reglas",
        "regras",
        "regole",
        "le regole",
        "regels",
        "regler",
        "zasady",
        "правила",
        "ルール",
        "规则",
    ),
    Wish.LEARN: (
        "learn",
        "learn to play",
        "learn the game",
        "i want to learn",
        "teach me",
        "teach me to play",
        "teach me the game",
        "lesson",
        "lessons",
        "tutorial",
        "lernen",
        "spielen lernen",
        "ich will lernen",
        "ich möchte lernen",
        "lektionen",
        "apprendre",
        "aprender",
        "imparare",
        "impara",
        "voglio imparare",
        "lezioni",
    ),
    Wish.PLAY: (
        "play",
        "play me",
        "play with me",
        "play against me",
        "play a game",
        "let's play",
        "lets play",
        "i want to play",
        "new game",
        "new",
        "start a game",
        "start game",
        "challenge",
        "spielen",
        "spiel mit mir",
        "spiel gegen mich",
        "gegen mich spielen",
        "lass uns spielen",
        "ich will spielen",
        "ich möchte spielen",
        "neue partie",
        "neues spiel",
        "herausfordern",
        "jouer",
        "jugar",
        "grać",
        "gioca",
        "gioca con me",
        "giocare",
        "voglio giocare",
        "giochiamo",
        "sfida",
    ),
    Wish.BOARD: (
        "board",
        "the board",
        "show",
        "show board",
        "show the board",
        "show me the board",
        "position",
        "whose turn",
        "whose turn is it",
        "brett",
        "das brett",
        "zeig das brett",
        "stellung",
        "wer ist dran",
        "wer ist am zug",
        "plateau",
        "tablero",
        "plansza",
        "tavoliere",
        "posizione",
        "a chi tocca",
    ),
    Wish.GAMES: (
        "games",
        "my games",
        "list games",
        "list my games",
        "show my games",
        "partien",
        "meine partien",
        "spiele",
        "meine spiele",
        "partite",
        "le mie partite",
    ),
    Wish.UNDO: (
        "undo",
        "undo that",
        "undo it",
        "undo my move",
        "undo my last move",
        "undo last move",
        "take back",
        "takeback",
        "take it back",
        "take that back",
        "zurücknehmen",
        "zug zurücknehmen",
        "nimm das zurück",
        "rückgängig",
        "ritira",
        "ritira la mossa",
        "torna indietro",
    ),
    Wish.DRAW: (
        "draw",
        "a draw",
        "offer draw",
        "offer a draw",
        "i offer a draw",
        "accept draw",
        "accept the draw",
        "remis",
        "remis anbieten",
        "ich biete remis",
        "unentschieden",
        "tablas",
        "patta",
        "propongo patta",
    ),
    Wish.RESIGN: (
        "resign",
        "i resign",
        "i give up",
        "give up",
        "surrender",
        "i surrender",
        "forfeit",
        "i forfeit",
        "aufgeben",
        "ich gebe auf",
        "ich geb auf",
        "j'abandonne",
        "me rindo",
        "poddaję się",
        "abbandono",
        "abbandona",
        "mi arrendo",
    ),
}
_BY_WORDS: Final = {words: wish for wish, all_words in _WORDS.items() for words in all_words}
_LONGEST: Final = 80
"""How many characters of a wish are read: the longest with a few courtesies around it."""


def wish_in(text: str) -> Wish | None:
    """What is asked for by a text said to the bot, courtesies aside; None if it is anything else.

    A slash at its beginning is passed over: whoever types "/help" after a mention means it.
    """
    if len(text) > _LONGEST:
        return None
    said = without_courtesies(text.replace("?", " ").replace("\u2019", "'").lstrip(" /"))
    return _BY_WORDS.get(" ".join(unicodedata.normalize("NFC", said).casefold().split()))
