"""Small talk: texts to the bot that are not requests."""

import re
from collections.abc import Iterable
from enum import Enum, auto
from typing import Final

from bot.base.spelling import without_courtesies
from bot.features.talk.model import LONGEST, normalized
from bot.guide.topics import Topic


class SmallTalk(Enum):
    """Kinds of messages to the bot that are not requests."""

    GREETING = auto()
    THANKS = auto()
    COURTESY = auto()
    """Other polite words, or an emoji."""
    SWEARING = auto()
    STOP = auto()
    """A request to be quiet."""
    ABOUT = auto()
    """A question about what or who the bot is."""
    HUMAN = auto()
    """A question about whether a person writes the answers."""
    MAKER = auto()
    PRESENCE = auto()
    """A question about whether anyone is there."""
    HEALTH = auto()
    """A question about how the bot feels."""
    GOOD_GAME = auto()
    PRAISE = auto()
    LAUGHTER = auto()
    GOODBYE = auto()
    WAIT = auto()
    YES = auto()
    NO = auto()
    CONFUSED = auto()
    BROKEN = auto()
    EASIER = auto()
    HARDER = auto()
    STRATEGY = auto()
    JOKE = auto()
    INVITE = auto()
    PRICE = auto()
    LANGUAGE = auto()
    SETTINGS = auto()
    PICTURE = auto()
    VOICE = auto()
    STICKER = auto()
    FILE = auto()
    """A file, a link, a poll or a forwarded message."""


_SMALL_TALK: Final = {
    SmallTalk.GREETING: (
        "hi, hello, hey, hello there, hi there, hey there, good morning, good evening, "
        "hallo, guten tag, guten morgen, guten abend, moin, servus, grüß dich, "
        "bonjour, bonsoir, salut, coucou, hola, buenas, buenos días, buenos dias, "
        "buenas tardes, buenas noches, ciao, salve, buongiorno, buonasera, hoi, "
        "goedemorgen, goedendag, goedenavond"
    ),
    SmallTalk.THANKS: (
        "thanks, thank you, thanks a lot, many thanks, thank you very much, thx, ty, "
        "cheers, danke, danke schön, dankeschön, vielen dank, merci, merci beaucoup, "
        "merci bien, gracias, muchas gracias, mil gracias, grazie, grazie mille, molte "
        "grazie, bedankt, dank je, dank je wel, dankjewel, dankje, hartelijk dank"
    ),
    SmallTalk.SWEARING: (
        "fuck, fuck you, fuck this, shit, damn, damn you, wtf, you suck, this sucks, "
        "idiot, you idiot, stupid, stupid bot, bad bot, scheiße, scheisse, verdammt, "
        "mist, arschloch, du idiot, blöder bot, dummer bot, merde, putain, va te faire "
        "foutre, con, connard, tu es nul, t'es nul, mierda, joder, coño, puta madre, "
        "tonto, idiota, cazzo, merda, vaffanculo, stronzo, fai schifo, kut, klote, "
        "verdomme, godverdomme, shit bot, stomme bot, rotbot"
    ),
    SmallTalk.STOP: (
        "stop, stop it, stop that, stop writing me, stop messaging me, no more "
        "messages, unsubscribe, quiet, be quiet, shut up, go away, leave me alone, "
        "fuck off, piss off, stopp, aufhören, hör auf, sei still, lass mich in ruhe, "
        "halt die klappe, hau ab, verpiss dich, arrête, arrete, arrête ça, tais-toi, "
        "laisse-moi tranquille, va-t'en, para, párate, basta, cállate, callate, déjame "
        "en paz, dejame en paz, smettila, fermati, zitto, stai zitto, lasciami in "
        "pace, lasciami stare, vattene, hou op, ophouden, stil, wees stil, hou je "
        "mond, laat me met rust, ga weg, rot op"
    ),
    SmallTalk.ABOUT: (
        "what is this, what's this, what is that, who are you, who r u, what are you, "
        "what do you do, who is this, what are you doing here, was ist das, wer bist "
        "du, was bist du, c'est quoi, qu'est-ce que c'est, qui es-tu, tu es qui, t'es "
        "qui, qué es esto, que es esto, quién eres, quien eres, qué eres, cos'è "
        "questo, che cos'è, chi sei, cosa sei, wat is dit, wie ben je, wat ben je, "
        "dvonn"
    ),
    SmallTalk.HUMAN: (
        "are you a bot, are you human, are you a human, are you real, are you a "
        "person, are you an ai, bot, are you a robot, bist du ein bot, bist du ein "
        "mensch, bist du echt, es-tu un bot, tu es un bot, es-tu humain, eres un bot, "
        "eres humano, eres una persona, sei un bot, sei umano, ben je een bot, ben je "
        "een mens, ben je echt"
    ),
    SmallTalk.MAKER: (
        "who made you, who created you, who built you, who invented this, who invented "
        "dvonn, who made this, wer hat dich gemacht, wer hat dvonn erfunden, qui t'a "
        "créé, qui a inventé dvonn, quién te hizo, quién inventó dvonn, chi ti ha "
        "creato, chi ha inventato dvonn, wie heeft je gemaakt, wie heeft dvonn bedacht"
    ),
    SmallTalk.PRESENCE: (
        "is anyone there, is anybody there, anyone there, anybody there, anyone here, "
        "anybody here, are you there, you there, are you here, are you online, are you "
        "awake, are you alive, test, testing, ping, ist da jemand, ist jemand da, bist "
        "du da, jemand da, il y a quelqu'un, tu es là, t'es là, es-tu là, hay alguien, "
        "hay alguien ahí, estás ahí, estas ahi, c'è qualcuno, ci sei, sei lì, is daar "
        "iemand, is er iemand, ben je daar, ben je er"
    ),
    SmallTalk.HEALTH: (
        "how are you, how r u, how are you doing, how's it going, how is it going, "
        "what's up, whats up, sup, wie geht's, wie gehts, wie geht es dir, was geht, "
        "ça va, ca va, comment ça va, comment vas-tu, qué tal, que tal, cómo estás, "
        "como estas, come stai, come va, tutto bene, hoe gaat het, hoe gaat het met "
        "je, alles goed"
    ),
    SmallTalk.GOOD_GAME: (
        "gg, ggs, good game, gg wp, well played, wp, nice game, great game, that was "
        "fun, gutes spiel, schönes spiel, gut gespielt, bonne partie, bien joué, belle "
        "partie, buena partida, bien jugado, bella partita, ben giocato, goed "
        "gespeeld, leuk potje, mooie partij"
    ),
    SmallTalk.PRAISE: (
        "good bot, nice bot, i love you, love you, you're good, you are good, you're "
        "great, you're the best, nice, great, cool, awesome, wow, good move, nice "
        "move, guter bot, ich liebe dich, du bist gut, super, toll, guter zug, bon "
        "bot, je t'aime, tu es fort, génial, beau coup, buen bot, te quiero, eres "
        "bueno, genial, buena jugada, bravo, bel bot, ti amo, sei bravo, bella mossa, "
        "goede bot, ik hou van je, je bent goed, goede zet, leuk"
    ),
    SmallTalk.LAUGHTER: (
        "lol, lmao, rofl, haha, hahaha, hehe, hihi, xd, mdr, ptdr, jaja, jajaja, ahah, ahaha, kek"
    ),
    SmallTalk.GOODBYE: (
        "bye, bye bye, goodbye, good bye, good night, gn, see you, see you later, see "
        "ya, cya, i have to go, gotta go, tschüss, tschüß, tschau, gute nacht, bis "
        "später, bis dann, auf wiedersehen, au revoir, bonne nuit, à plus, à bientôt, "
        "adiós, adios, hasta luego, chao, arrivederci, buonanotte, a dopo, a presto, "
        "doei, tot ziens, tot later, welterusten, thanks bye, ok bye, ok thanks bye, "
        "danke tschüss, merci au revoir, gracias adiós, grazie ciao, bedankt doei"
    ),
    SmallTalk.WAIT: (
        "wait, wait a moment, wait a minute, one moment, one sec, a moment, just a "
        "moment, hold on, brb, be right back, warte, moment, einen moment, gleich, "
        "attends, un moment, une minute, espera, un momento, aspetta, un attimo, "
        "wacht, wacht even, momentje"
    ),
    SmallTalk.YES: (
        "yes, yeah, yep, yup, y, sure, ja, jep, klar, oui, ouais, sí, si, claro, sì, certo"
    ),
    SmallTalk.NO: "no, nope, nah, n, no thanks, no thank you, nein, nö, nein danke, non, nee",
    SmallTalk.CONFUSED: (
        "what, huh, what do you mean, i don't understand, i dont understand, i don't "
        "get it, i dont get it, i'm confused, i am lost, idk, i don't know, was, hä, "
        "wie, ich verstehe nicht, ich verstehe das nicht, ich kapier's nicht, quoi, "
        "hein, je ne comprends pas, je comprends pas, qué, que, no entiendo, no lo "
        "entiendo, cosa, eh, non capisco, non ho capito, wat, hè, ik snap het niet, ik "
        "begrijp het niet, no entiendo nada, ich verstehe nichts, ich verstehe gar "
        "nichts, je comprends rien, je ne comprends rien, non capisco niente, ik snap "
        "er niets van, i don't get anything"
    ),
    SmallTalk.BROKEN: (
        "it doesn't work, it does not work, doesn't work, it's broken, this is broken, "
        "broken, bug, a bug, there's a bug, i found a bug, it's stuck, nothing "
        "happens, es geht nicht, geht nicht, kaputt, das geht nicht, ça ne marche pas, "
        "ça marche pas, no funciona, está roto, non funziona, het werkt niet, werkt "
        "niet, kapot"
    ),
    SmallTalk.EASIER: (
        "can you go easier, go easier, go easy on me, easier, easier please, make it "
        "easier, play easier, too hard, it's too hard, you're too strong, you are too "
        "strong, you're too good, leichter, einfacher, zu schwer, du bist zu stark, "
        "kannst du leichter spielen, plus facile, trop dur, trop difficile, tu es trop "
        "fort, más fácil, mas facil, demasiado difícil, eres demasiado fuerte, muy "
        "difícil, più facile, troppo difficile, sei troppo forte, makkelijker, te "
        "moeilijk, je bent te sterk"
    ),
    SmallTalk.HARDER: (
        "can you play harder, harder, go harder, play harder, too easy, it's too easy, "
        "you're too weak, stronger, schwerer, stärker, zu leicht, zu einfach, plus "
        "dur, plus difficile, trop facile, más difícil, mas dificil, muy fácil, "
        "demasiado fácil, più difficile, troppo facile, moeilijker, te makkelijk"
    ),
    SmallTalk.STRATEGY: (
        "any tips, tips, some tips, strategy, strategies, how do i win, how to win, "
        "how can i win, how do i get better, what's the best opening, wie gewinne ich, "
        "strategie, tipps, comment gagner, stratégie, des conseils, cómo gano, como "
        "gano, cómo se gana, estrategia, consejos, come vinco, come si vince, "
        "strategia, consigli, hoe win ik, tactiek"
    ),
    SmallTalk.JOKE: (
        "tell me a joke, a joke, joke, make me laugh, erzähl einen witz, erzähl mir "
        "einen witz, witz, une blague, raconte une blague, raconte-moi une blague, un "
        "chiste, cuéntame un chiste, una barzelletta, raccontami una barzelletta, een "
        "grap, vertel een grap, vertel een mop"
    ),
    SmallTalk.INVITE: (
        "can i add you to my server, how do i add you to my server, how do i add you, "
        "can i invite you, how do i invite you, invite, invite link, add me, wie lade "
        "ich dich ein, kann ich dich einladen, einladen, comment t'inviter, comment "
        "t'ajouter, cómo te invito, cómo te añado, come ti invito, come ti aggiungo, "
        "hoe nodig ik je uit, hoe voeg ik je toe"
    ),
    SmallTalk.PRICE: (
        "is it free, is this free, are you free, do i have to pay, how much does it "
        "cost, how much is it, was kostet das, kostet das was, ist das kostenlos, "
        "c'est gratuit, c'est combien, combien ça coûte, es gratis, cuánto cuesta, "
        "cuanto cuesta, è gratis, quanto costa, is het gratis, wat kost het"
    ),
    SmallTalk.LANGUAGE: (
        "do you speak german, do you speak french, do you speak spanish, do you speak "
        "italian, do you speak dutch, do you speak english, what languages do you "
        "speak, language, languages, sprichst du deutsch, kannst du deutsch, deutsch, "
        "sprache, tu parles français, parles-tu français, parlez-vous français, "
        "français, langue, hablas español, hablas espanol, español, espanol, idioma, "
        "parli italiano, italiano, lingua, spreek je nederlands, nederlands, taal, "
        "english"
    ),
    SmallTalk.SETTINGS: (
        "settings, preferences, options, reminders, notifications, einstellungen, "
        "erinnerungen, réglages, paramètres, rappels, ajustes, opciones, "
        "recordatorios, impostazioni, opzioni, promemoria, instellingen, herinneringen"
    ),
}
_BY_TEXT: Final = {
    normalized(words): talk
    for talk, phrases in _SMALL_TALK.items()
    for words in phrases.split(", ")
}
_SIGNS: Final = re.compile(r"[^\w' -]+")
_LONGEST_LINK: Final = 500
_LINK: Final = re.compile(r"<?https?://\S+")


def small_talk_in(text: str) -> SmallTalk | None:
    """Return the small talk in a text, or None if it is anything else."""
    if len(text) > LONGEST:
        return None
    kind = _BY_TEXT.get(normalized(_SIGNS.sub(" ", normalized(text))))
    if kind is None and text.strip() and not without_courtesies(text):
        return SmallTalk.COURTESY
    return kind


def topic_in(text: str, topics: Iterable[Topic]) -> Topic | None:
    """Return the first topic whose name is in a text."""
    if len(text) > LONGEST:
        return None
    words = f" {normalized(_SIGNS.sub(' ', normalized(text)))} "
    for topic in topics:
        if any(f" {word} " in words for word in topic.words.split(", ")):
            return topic
    return None


def is_link(text: str) -> bool:
    """Return True if a text is only a link, for example to a GIF."""
    return len(text) <= _LONGEST_LINK and bool(_LINK.fullmatch(text))
