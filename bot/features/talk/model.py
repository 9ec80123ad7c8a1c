"""Recognizes requests to the bot in plain words."""

import re
import unicodedata
from enum import Enum, auto
from typing import Final

from bot.base.spelling import without_courtesies


class TextRequest(Enum):
    """Requests that people can make in plain words."""

    HELP = auto()
    """Help: how to play here, and what the bot can do."""
    RULES = auto()
    LEARN = auto()
    """Learn the game by playing."""
    PLAY = auto()
    """Start a game."""
    BOARD = auto()
    GAMES = auto()
    """List the user's running games."""
    HINT = auto()
    """Get a hint about the best move."""
    UNDO = auto()
    DRAW = auto()
    RESIGN = auto()


_WORDS: Final = {
    TextRequest.HELP: (
        "help, help me, i need help, how does this work, how does it work, what can "
        "you do, what can i do, commands, start, info, hilfe, hilf mir, wie geht das, "
        "befehle, aide, aide-moi, à l'aide, comment ça marche, commandes, ayuda, "
        "ayúdame, ayudame, necesito ayuda, cómo funciona, como funciona, cómo va esto, "
        "como va esto, qué puedes hacer, que puedes hacer, comandos, ajuda, aiuto, "
        "comandi, hoe werkt het, hoe werkt dit, uitleg, commando's, pomoc, hjälp, "
        "hjelp, помощь, ヘルプ, 使い方, 帮助, aiutami, mi serve aiuto, come funziona, come "
        "funziona questo, cosa puoi fare, cosa sai fare, help mij, hulp, ik heb hulp "
        "nodig, hoe gaat dit, wat kun je, wat kun je doen, wat kan ik doen, was kannst "
        "du, was kann ich tun, que peux-tu faire, que sais-tu faire, can you help me, "
        "could you help me, i have a question, a question, commands, the commands, "
        "what are the commands, menu, kannst du mir helfen, kannst du helfen, ich habe "
        "eine frage, eine frage, befehle, que puis-je faire, tu peux m'aider, peux-tu "
        "m'aider, j'ai une question, une question, commandes, puedes ayudarme, me "
        "puedes ayudar, me ayudas, tengo una pregunta, una pregunta, comandos, puoi "
        "aiutarmi, mi puoi aiutare, mi aiuti, ho una domanda, una domanda, comandi, "
        "kun je me helpen, kan je me helpen, ik heb een vraag, een vraag, commando's, "
        "wie nehme ich zurück, wie nehme ich einen zug zurück, wie biete ich remis an, "
        "hoe neem ik een zet terug, hoe bied ik remise aan"
    ),
    TextRequest.RULES: (
        "rules, the rules, show rules, show me the rules, what are the rules, what is "
        "dvonn, what's dvonn, was ist dvonn, dvonn c'est quoi, c'est quoi dvonn, qué "
        "es dvonn, que es dvonn, cos'è dvonn, cosa è dvonn, wat is dvonn, how do you "
        "play dvonn, how do i play dvonn, how is dvonn played, regeln, die regeln, "
        "spielregeln, wie spielt man dvonn, règles, les règles, regles, les regles, "
        "règles du jeu, les règles du jeu, montre-moi les règles, quelles sont les "
        "règles, reglas, las reglas, reglas del juego, las reglas del juego, "
        "reglamento, muéstrame las reglas, muestrame las reglas, cuáles son las "
        "reglas, cuales son las reglas, cómo se juega a dvonn, como se juega a dvonn, "
        "cómo se juega dvonn, como se juega dvonn, regras, regole, le regole, regels, "
        "de regels, spelregels, hoe speel je dvonn, regler, zasady, правила, ルール, 规则, "
        "regolamento, mostrami le regole, quali sono le regole, come si gioca a dvonn, "
        "toon de regels, laat de regels zien, wat zijn de regels, zeig mir die regeln, "
        "zeig die regeln, wie sind die regeln, how do i play, how to play, how do we "
        "play, wie spielt man, comment jouer, comment on joue, cómo se juega, como se "
        "juega, cómo juego, como juego, come si gioca, come gioco, hoe speel je, hoe "
        "speel ik, how do stacks move, how do pieces move, how do the pieces move, how "
        "does a stack move, how do i move, how do moves work, how do i win a game, wie "
        "ziehen die steine, wie bewegen sich die steine, wie ziehe ich, wie zieht man, "
        "comment bougent les pions, comment bouger, comment se déplacent les piles, "
        "cómo se mueven las fichas, como se mueven las fichas, cómo muevo, como muevo, "
        "come si muovono i pezzi, come muovo, hoe bewegen de stukken, hoe bewegen "
        "stapels, hoe zet ik, how can i play, wie kann man spielen, comment on peut "
        "jouer, cómo jugar, como jugar, come giocare, hoe kan ik spelen"
    ),
    TextRequest.LEARN: (
        "learn, can you teach me, how do i learn, i'm new, i am new, i'm new here, i'm "
        "a beginner, learn to play, learn the game, i want to learn, teach me, teach "
        "me to play, teach me the game, lesson, lessons, tutorial, lernen, spielen "
        "lernen, ich will lernen, ich möchte lernen, lektionen, apprendre, apprendre à "
        "jouer, apprends-moi, apprends-moi à jouer, je veux apprendre, leçon, leçons, "
        "tutoriel, tuto, aprender, aprender a jugar, quiero aprender, quiero aprender "
        "a jugar, enséñame, enseñame, enséñame a jugar, enseñame a jugar, lección, "
        "leccion, lecciones, imparare, impara, voglio imparare, lezioni, leren, leer "
        "het me, ik wil het leren, les, lessen, insegnami, insegnami a giocare, "
        "imparare a giocare, voglio imparare a giocare, lezione, leer me, leer me "
        "spelen, leer me het spel, leren spelen, ik wil leren, ik wil leren spelen, "
        "bring es mir bei, bring mir das spiel bei, me enseñas, me enseñas a jugar, "
        "puedes enseñarme, mi insegni, mi insegni a giocare, peux-tu m'apprendre, tu "
        "peux m'apprendre, kun je me leren spelen, leer je me spelen, bringst du mir "
        "das spiel bei, bringst du es mir bei"
    ),
    TextRequest.PLAY: (
        "play, play me, play with me, play against me, play a game, let's play, lets "
        "play, i want to play, can we play, do you want to play, wanna play, play "
        "again, again, rematch, revenge, another game, one more, i'm bored, im bored, "
        "new game, new, start a game, start game, challenge, spielen, spiel mit mir, "
        "spiel gegen mich, gegen mich spielen, lass uns spielen, ich will spielen, ich "
        "möchte spielen, neue partie, neues spiel, herausfordern, jouer, joue, joue "
        "avec moi, joue contre moi, je veux jouer, on joue, jouons, une partie, "
        "nouvelle partie, défi, défier, defi, defier, jugar, juega, juega conmigo, "
        "juega contra mí, juega contra mi, jugar contra ti, quiero jugar, vamos a "
        "jugar, juguemos, jugamos, una partida, otra partida, nueva partida, partida "
        "nueva, desafío, desafio, desafiar, reto, retar, grać, gioca, gioca con me, "
        "giocare, voglio giocare, giochiamo, sfida, spelen, speel, speel met mij, "
        "speel tegen mij, tegen jou spelen, ik wil spelen, laten we spelen, nieuwe "
        "partij, nieuw spel, uitdagen, jugar contigo, una partita, un'altra partita, "
        "nuova partita, facciamo una partita, gioca contro di me, giocare contro di "
        "te, een partij, nog een partij, potje, een potje, een potje spelen, nog een "
        "potje, zullen we spelen, speel met me, speel tegen me, eine partie, noch eine "
        "partie, encore une partie, play against you, play with you, i want to play "
        "against you, i want to play with you, can i play against you, can i play with "
        "you, can i play, can you play, gegen dich spielen, mit dir spielen, ich will "
        "gegen dich spielen, jouer contre toi, jouer avec toi, je veux jouer contre "
        "toi, quiero jugar contigo, quiero jugar contra ti, giocare con te, voglio "
        "giocare con te, voglio giocare contro di te, tegen je spelen, met jou spelen, "
        "ik wil tegen je spelen"
    ),
    TextRequest.BOARD: (
        "board, the board, who is winning, who's winning, am i winning, score, what's "
        "the score, wer gewinnt, gewinne ich, qui gagne, quién gana, quien gana, chi "
        "vince, wie wint, show, show board, show the board, show me the board, "
        "position, whose turn, whose turn is it, brett, das brett, zeig das brett, "
        "stellung, wer ist dran, wer ist am zug, plateau, le plateau, montre le "
        "plateau, montre-moi le plateau, à qui de jouer, à qui le tour, tablero, el "
        "tablero, ver tablero, ver el tablero, muestra el tablero, muéstrame el "
        "tablero, muestrame el tablero, posición, posicion, a quién le toca, a quien le "
        "toca, a quién le toca jugar, a quien le toca jugar, de quién es el turno, de "
        "quien es el turno, me toca, plansza, tavoliere, posizione, a chi tocca, bord, "
        "het bord, toon het bord, laat het bord zien, stelling, wie is aan zet, wie is "
        "er aan zet, wie is aan de beurt, il tavoliere, mostra il tavoliere, mostrami "
        "il tavoliere, vedere il tavoliere, di chi è il turno, tocca a me, toon bord, "
        "laat me het bord zien, ben ik aan zet, ben ik aan de beurt, zeig mir das "
        "brett, bin ich dran, bin ich am zug, c'est à moi, est-ce à moi, who won, who "
        "has won, wer hat gewonnen, qui a gagné, quién ganó, quién ha ganado, chi ha "
        "vinto, wie heeft gewonnen, who's turn, whos turn, who's turn is it, whos turn "
        "is it, whose move, whose move is it, is it my turn, my turn, see the board, "
        "wer muss ziehen, de qui est-ce le tour, c'est à qui, c'est à qui de jouer, a "
        "quién le toca mover, tocca a chi, chi deve muovere, wiens beurt is het, how "
        "many pieces do i have, how many pieces, piece count, what's the count, how "
        "much time do i have, how long do i have, how long do i have left, how much "
        "time is left, how much time do i have left, time left, what's the time limit, "
        "what is the time limit, time limit, clock, the clock, when does my time run "
        "out, wie viele steine habe ich, wie viel zeit habe ich, wie viel zeit habe ich "
        "noch, wie lange habe ich, wie lange habe ich noch, restzeit, bedenkzeit, uhr, "
        "combien de pions j'ai, combien de pions ai-je, combien de temps j'ai, combien "
        "de temps ai-je, combien de temps il me reste, combien de temps me reste-t-il, "
        "temps restant, pendule, cuántas fichas tengo, cuantas fichas tengo, cuánto "
        "tiempo tengo, cuanto tiempo tengo, cuánto tiempo me queda, cuanto tiempo me "
        "queda, tiempo restante, reloj, quanti pezzi ho, quanto tempo ho, quanto tempo "
        "mi resta, quanto tempo mi rimane, tempo rimasto, orologio, hoeveel stukken heb "
        "ik, hoeveel tijd heb ik, hoeveel tijd heb ik nog, hoe lang heb ik nog, "
        "resterende tijd, bedenktijd, klok"
    ),
    TextRequest.GAMES: (
        "games, my games, list games, list my games, show my games, partien, meine "
        "partien, spiele, meine spiele, partite, le mie partite, partijen, mijn "
        "partijen, potjes, mijn potjes, parties, mes parties, partidas, mis partidas, "
        "ver mis partidas, muestra mis partidas, mostra le mie partite, mostrami le "
        "mie partite, toon mijn partijen, laat mijn partijen zien, zeig meine partien, "
        "montre mes parties"
    ),
    TextRequest.HINT: (
        "hint, a hint, give me a hint, i need a hint, what should i play, what should "
        "i do, what do i play, best move, tipp, ein tipp, gib mir einen tipp, was soll "
        "ich spielen, was soll ich ziehen, was soll ich tun, indice, un indice, "
        "donne-moi un indice, conseil, un conseil, que dois-je jouer, que jouer, "
        "pista, una pista, dame una pista, qué juego, que juego, qué debo jugar, que "
        "debo jugar, suggerimento, un suggerimento, dammi un suggerimento, cosa gioco, "
        "cosa devo giocare, een hint, geef me een hint, tip, een tip, geef me een tip, "
        "wat moet ik spelen, wat moet ik doen, consiglio, un consiglio, dammi un "
        "consiglio, che mossa faccio, che cosa gioco, geef een hint, wat zal ik "
        "spelen, ich brauche einen tipp, un consejo, dame un consejo, get a hint, have "
        "a hint, einen tipp bekommen, einen tipp haben, avoir un indice, tener una "
        "pista, avere un suggerimento, een hint krijgen"
    ),
    TextRequest.UNDO: (
        "undo, undo that, undo it, undo my move, undo my last move, undo last move, "
        "take back, takeback, take it back, take that back, zurücknehmen, zug "
        "zurücknehmen, nimm das zurück, rückgängig, ritira, ritira la mossa, torna "
        "indietro, terugnemen, zet terugnemen, neem terug, neem mijn zet terug, "
        "ongedaan maken, annuler, annule, annule ça, annule mon coup, annuler le coup, "
        "annuler mon coup, deshacer, deshacer jugada, deshacer la jugada, deshacer mi "
        "jugada, deshaz, deshaz eso, deshaz la jugada, deshaz mi jugada, deshaz mi "
        "última jugada, deshaz mi ultima jugada, volver atrás, volver atras, ritira "
        "mossa, ritira la mia mossa, annulla, annulla mossa, annulla la mossa, "
        "indietro, terug, zet terug, neem zet terug, neem mijn laatste zet terug, nimm "
        "zurück, nimm den zug zurück, zug zurück, take back a move, take back my move, "
        "take my move back, undo a move, einen zug zurücknehmen, den zug zurücknehmen, "
        "meinen zug zurücknehmen, reprendre mon coup, annuler un coup, j'annule, "
        "deshacer una jugada, deshago, deshago una jugada, ritirare la mossa, ritirare "
        "una mossa, ritiro la mossa, een zet terugnemen, mijn zet terugnemen"
    ),
    TextRequest.DRAW: (
        "draw, a draw, offer draw, offer a draw, i offer a draw, accept draw, accept "
        "the draw, remis, remis anbieten, ich biete remis, unentschieden, tablas, "
        "empate, ofrecer empate, ofrecer tablas, ofrezco empate, ofrezco tablas, "
        "ofrezco un empate, propongo empate, propongo tablas, acepto el empate, acepto "
        "tablas, acepto las tablas, patta, propongo patta, remise, remise aanbieden, "
        "ik bied remise aan, gelijkspel, nulle, partie nulle, match nul, proposer "
        "nulle, je propose nulle, je propose la nulle, proponi patta, offro patta, "
        "accetto la patta, accetto patta, bied remise aan, ik neem remise aan, ik "
        "accepteer remise, ich biete remis an, ich nehme remis an, accepter nulle, "
        "j'accepte la nulle, proposer la nulle, proporre patta"
    ),
    TextRequest.RESIGN: (
        "resign, i resign, i give up, give up, surrender, i surrender, forfeit, i "
        "forfeit, aufgeben, ich gebe auf, ich geb auf, j'abandonne, abandon, "
        "abandonner, j'abandonne la partie, me rindo, rendirse, rendirme, rendición, "
        "rendicion, abandonar, abandono, abandono la partida, poddaję się, abbandono, "
        "abbandona, mi arrendo, opgeven, ik geef op, ik geef het op, abbandonare, "
        "abbandono la partita, mi ritiro, geef op, je me rends, wie gebe ich auf, "
        "arrendermi, hoe geef ik op"
    ),
}
"""Phrases in each language: lowercase, with single spaces, separated by commas."""
_BY_WORDS: Final = {
    words: request for request, phrases in _WORDS.items() for words in phrases.split(", ")
}
_WITHOUT_QUESTION_MARKS: Final = str.maketrans("?¿", "  ")


def _opening(phrases: str) -> re.Pattern[str]:
    """Return a pattern for the first words of a text, given phrases separated by commas."""
    longest_first = sorted(phrases.split(", "), key=len, reverse=True)
    return re.compile(f"(?:{'|'.join(map(re.escape, longest_first))}) ")


_POLITE_REQUEST: Final = _opening(
    "can i, can we, could i, could we, may i, may we, can you, could you, i want to, i would like "
    "to, i'd like to, let me, kann ich, können wir, darf ich, kannst du, ich will, ich möchte, "
    "ich würde gern, ich würde gerne, je peux, puis-je, est-ce que je peux, on peut, tu peux, je "
    "veux, je voudrais, j'aimerais, puedo, podemos, puedes, quiero, quisiera, me gustaría, posso, "
    "possiamo, puoi, voglio, vorrei, kan ik, mag ik, kunnen we, kun je, ik wil, ik wil graag, ik "
    "zou graag"
)
"""Words before a request, as in "can I undo"."""
_QUESTION: Final = _opening(
    "how do i, how do we, how do you, how can i, how can we, how to, how would i, where do i, "
    "where can i, wie kann ich, wie kann man, comment, comment puis-je, comment je peux, comment "
    "faire pour, comment je fais pour, comment on fait pour, cómo, como, cómo puedo, como puedo, "
    "come, come posso, come si fa a, come faccio a, hoe, hoe kan ik"
)
"""Words that turn a request into a question about it, as in "how do I undo"."""
_UNCONFIRMED: Final = frozenset({TextRequest.UNDO, TextRequest.DRAW})
"""Requests that are granted without confirmation. A question about them is answered with help."""
LONGEST: Final = 80
"""Maximum number of characters, enough for the longest request with a few polite words."""


def request_in(text: str) -> TextRequest | None:
    """Return the request in a text, ignoring polite words, or None if there is none.

    "Can I undo?" is a request, too. A leading slash is skipped, because people also type "/help"
    after a mention.
    """
    if len(text) > LONGEST:
        return None
    words = normalized(
        without_courtesies(normalized(text.translate(_WITHOUT_QUESTION_MARKS)).lstrip(" /"))
    )
    if words in _BY_WORDS:
        return _BY_WORDS[words]
    if match := _POLITE_REQUEST.match(words):
        return _BY_WORDS.get(words[match.end() :])
    match = _QUESTION.match(words)
    request = None if match is None else _BY_WORDS.get(words[match.end() :])
    return TextRequest.HELP if request in _UNCONFIRMED else request


def normalized(text: str) -> str:
    """Return a text in lowercase, with single spaces and plain apostrophes."""
    text = unicodedata.normalize("NFC", text.replace("\u2019", "'"))
    return " ".join(text.casefold().split())
