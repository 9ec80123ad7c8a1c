"""Guesses the language of a short text, such as a first message to the bot."""

import re
from collections import Counter
from typing import Final

_WORDS: Final = {
    "en": (
        "i you is are the a an it this that not what who how where why can do does hi hello hey "
        "there thanks thank please play game rules help learn teach yes no and with against want "
        "would like me my board move draw undo resign hint tip level puzzle good morning evening"
    ),
    "de": (
        "ich du ihr ist sind das der die den ein eine einen nicht was wer wie wo warum kann kannst "
        "mag mir mich dir dich und mit gegen hallo moin servus grüß guten tag morgen abend danke "
        "bitte spielen spiel spielst regeln hilfe lernen will möchte ja nein kein noch geht brett "
        "zug partie tipp remis aufgeben zurücknehmen lass uns bist gibt auch"
    ),
    "fr": (
        "je tu il on est es le la les un une des du ce c'est pas que qui quoi comment où pourquoi "
        "peux peut veux moi toi et avec contre bonjour bonsoir salut coucou merci plaît jouer joue "
        "jeu règles aide apprendre voudrais oui non plateau coup partie indice nulle abandon "
        "annuler ça va"
    ),
    "it": (
        "io tu è sei il lo la gli un una che chi come dove perché puoi posso mi ti e con contro "
        "ciao salve buongiorno buonasera grazie favore giocare gioca gioco regole aiuto imparare "
        "impara voglio vorrei sì non tavoliere mossa partita suggerimento patta abbandono ritira"
    ),
    "es": (
        "yo tú es eres el la los las un una que qué quién cómo como dónde puedo puedes me te y con "
        "contra hola buenas buenos días tardes gracias favor jugar juega juego reglas ayuda "
        "aprender quiero quisiera sí no tablero jugada partida pista empate tablas deshacer"
    ),
    "nl": (
        "ik je jij is zijn het de een dit dat niet wat wie hoe waar waarom kan kun mij me jou en "
        "met tegen hallo hoi goedemorgen goedenavond dank bedankt alsjeblieft spelen speel spel "
        "regels help leren leer wil ja nee bord zet partij hint remise opgeven terugnemen graag"
    ),
}
"""Frequent words of each language, and words that people often write to the bot."""
_LANGUAGES_OF: Final = {
    word: frozenset(language for language, words in _WORDS.items() if word in words.split())
    for words in _WORDS.values()
    for word in words.split()
}
_WORD: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_LONGEST: Final = 500


def language_of(text: str) -> str | None:
    """Return the language that most words of a text belong to, or None if it is unclear."""
    words = _WORD.findall(text[:_LONGEST].replace("’", "'").lower())
    counts = Counter(language for word in words for language in _LANGUAGES_OF.get(word, ()))
    ranked = counts.most_common(2)
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]
