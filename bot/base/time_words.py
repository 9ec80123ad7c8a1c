"""Words for durations and clocks in the bot's languages.

The bot always understands all languages, so no word may have two meanings of the same kind, such as
two units. To add a language, add a `TimeWords` to `ALL`. tests/bot/play/test_time_words.py checks
that the bot understands its own texts.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

_MOST_SECONDS: Final = 10**9
_END: Final = r"(?![^\W\d_])"
"""Pattern for the end of a word. A digit may follow the word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeWords:
    """One language's words in lowercase.

    Phrases are separated by commas, their words by single spaces.
    """

    second: str
    minute: str
    hour: str
    day: str
    week: str
    one: str
    """Word for 1 before a unit."""
    numbers: str
    """Words for 2 to 10 before a unit."""
    also: str
    """Word that joins the parts of a duration: "1 day and 12 hours"."""
    plus: str
    per: str
    """Word between a duration and `move`: "1 day per move"."""
    move: str
    today: str
    tomorrow: str
    day_after: str
    """The day after tomorrow. Weekdays and months are in `bot.base.day_words`."""
    half_hour: str
    tonight: str
    """Word for today's evening. An hour beside it is PM."""
    late: str
    """Words for an hour after noon, such as "in the evening". They can be joined with the day."""
    early: str
    """Words for an hour before noon."""
    at: str
    """Words before a time of day."""
    on: str
    """Filler words around a date, as in "on the 24th of December"."""
    each: str
    """Words meaning that each player gets a clock's initial time."""
    in_all: str
    up_to: str
    live: str
    none: str
    """Words for a game without a clock."""


ENGLISH: Final = TimeWords(
    second="s, sec, secs, second, seconds",
    minute="m, min, mins, minute, minutes",
    hour="h, hr, hrs, hour, hours",
    day="d, day, days",
    week="w, week, weeks",
    one="a, an, one",
    numbers="two, three, four, five, six, seven, eight, nine, ten",
    also="and",
    plus="plus",
    per="a, an, per, each, every, for a, for an, for each, for every",
    move="move, turn",
    today="today, tonight",
    tomorrow="tomorrow",
    day_after="day after tomorrow",
    half_hour="half an hour, a half hour, half hour",
    tonight="tonight, this evening, this afternoon",
    late="in the evening, in the afternoon, at night, evening, afternoon",
    early="in the morning, morning",
    at="at, @",
    on="on, this, the, of, coming",
    each="each, a player, per player, each player, every player, for each player",
    in_all="for the game, for the whole game, for a whole game, in the game, in the whole game",
    up_to="up to, at most, max, maximum, cap",
    live="live",
    none="none, no, no clock, no clocks, off, without, without a clock",
)
ITALIAN: Final = TimeWords(
    second="sec, secondo, secondi",
    minute="min, minuto, minuti",
    hour="h, ora, ore",
    day="g, gg, giorno, giorni",
    week="sett, settimana, settimane",
    one="un, un', uno, una",
    numbers="due, tre, quattro, cinque, sei, sette, otto, nove, dieci",
    also="e",
    plus="più, piu",
    per="a, per, ogni, per ogni",
    move="mossa, turno",
    today="oggi, stasera",
    tomorrow="domani",
    day_after="dopodomani",
    half_hour="mezz'ora, mezzora, una mezz'ora",
    tonight="stasera, questa sera, questo pomeriggio",
    late="di sera, della sera, del pomeriggio, di pomeriggio, sera, pomeriggio",
    early="di mattina, del mattino, della mattina, mattina",
    at="alle ore, alle, ore, all'",
    on="il, questo, questa",
    each="a testa, ciascuno, per giocatore, a giocatore",
    in_all="per la partita, per tutta la partita, per l'intera partita, in tutto",
    up_to="fino a, al massimo, massimo, max",
    live="dal vivo",
    none="nessuno, nessun tempo, nessun limite, no, senza, senza tempo, senza limiti, "
    "senza limite di tempo, senza limiti di tempo, senza orologio",
)
GERMAN: Final = TimeWords(
    second="sek, sekunde, sekunden",
    minute="min, minute, minuten",
    hour="std, stunde, stunden",
    day="t, tag, tage, tagen",
    week="wo, woche, wochen",
    one="ein, eine, einen, einer, einem",
    numbers="zwei, drei, vier, fünf, sechs, sieben, acht, neun, zehn",
    also="und",
    plus="plus",
    per="pro, je, für jeden, jeden, à",
    move="zug, spielzug",
    today="heute, heute abend",
    tomorrow="morgen",
    day_after="übermorgen",
    half_hour="einer halben stunde, eine halbe stunde, halbe stunde",
    tonight="heute abend, heute nachmittag",
    late="am abend, am nachmittag, abends, nachmittags, abend, nachmittag",
    early="am vormittag, vormittags, vormittag, morgens, früh",
    at="um, gegen",
    on="am, an, diesen, den, der, kommenden",
    each="je, jeweils, pro person, pro spieler, für jeden",
    in_all="für die partie, für die ganze partie, für das ganze spiel, insgesamt",
    up_to="bis, bis zu, höchstens, maximal, max",
    live="live",
    none="keine, keine bedenkzeit, keine uhr, ohne, ohne bedenkzeit, ohne uhr, nein, aus",
)
FRENCH: Final = TimeWords(
    second="sec, seconde, secondes",
    minute="min, minute, minutes",
    hour="h, heure, heures",
    day="j, jour, jours",
    week="sem, semaine, semaines",
    one="un, une",
    numbers="deux, trois, quatre, cinq, six, sept, huit, neuf, dix",
    also="et",
    plus="plus",
    per="par, le, chaque, pour chaque",
    move="coup, tour",
    today="aujourd'hui, ce soir",
    tomorrow="demain",
    day_after="après-demain",
    half_hour="une demi-heure, demi-heure, une demi heure",
    tonight="ce soir, cet après-midi",
    late="du soir, dans la soirée, de l'après-midi, dans l'après-midi, l'après-midi, soir, "
    "après-midi",
    early="du matin, dans la matinée, matin",
    at="à, a",
    on="le, ce, de",
    each="chacun, chacune, par personne, par joueur, par joueuse",
    in_all="pour la partie, pour toute la partie, en tout, au total",
    up_to="jusqu'à, au plus, au maximum, maximum, max",
    live="en direct",
    none="aucun, aucune, aucune pendule, sans, sans pendule, sans cadence, sans limite, "
    "sans limite de temps, non",
)
DUTCH: Final = TimeWords(
    second="sec, seconde, seconden",
    minute="min, minuut, minuten",
    hour="u, uur, uren, uurtje",
    day="d, dag, dagen",
    week="week, weken",
    one="een, één",
    numbers="twee, drie, vier, vijf, zes, zeven, acht, negen, tien",
    also="en",
    plus="plus",
    per="per, elke, voor elke",
    move="zet, beurt",
    today="vandaag, vanavond",
    tomorrow="morgen",
    day_after="overmorgen",
    half_hour="een half uur, half uur, een halfuur, halfuur",
    tonight="vanavond, vanmiddag",
    late="'s avonds, 's middags, avond, namiddag, middag",
    early="'s ochtends, 's morgens, ochtend",
    at="om",
    on="op, deze, de, komende, aanstaande",
    each="elk, ieder, per persoon, per speler",
    in_all="voor de partij, voor de hele partij, voor het hele spel, in totaal",
    up_to="tot, hoogstens, maximaal, ten hoogste, max",
    live="live",
    none="geen, geen klok, geen bedenktijd, zonder, zonder klok, zonder bedenktijd, nee, uit",
)
SPANISH: Final = TimeWords(
    second="seg, segundo, segundos",
    minute="min, minuto, minutos",
    hour="h, hora, horas",
    day="d, día, dia, días, dias",
    week="sem, semana, semanas",
    one="un, una",
    numbers="dos, tres, cuatro, cinco, seis, siete, ocho, nueve, diez",
    also="y",
    plus="más, mas",
    per="por, cada, por cada",
    move="jugada, movimiento, turno",
    today="hoy, esta noche",
    tomorrow="mañana",
    day_after="pasado mañana",
    half_hour="media hora, una media hora",
    tonight="esta noche, esta tarde",
    late="de la tarde, por la tarde, de la noche, por la noche, tarde, noche",
    early="de la mañana, por la mañana",
    at="a las, a la",
    on="el, este, la, de, del",
    each="cada uno, cada una, por jugador, por persona",
    in_all="para la partida, para toda la partida, en total",
    up_to="hasta, como máximo, máximo, máx, max",
    live="en vivo",
    none="ninguno, ningún reloj, sin, sin reloj, sin límite, sin límite de tiempo, no",
)
ALL: Final = {
    "en": ENGLISH,
    "it": ITALIAN,
    "de": GERMAN,
    "fr": FRENCH,
    "nl": DUTCH,
    "es": SPANISH,
}

UNITS: Final = {
    word: seconds
    for words in ALL.values()
    for unit, seconds in (
        (words.second, 1),
        (words.minute, 60),
        (words.hour, 3_600),
        (words.day, 86_400),
        (words.week, 7 * 86_400),
    )
    for word in unit.split(", ")
}
"""Seconds in each unit, by every name of the unit."""

NONE: Final = frozenset(word for words in ALL.values() for word in words.none.split(", "))
"""Words for no clock, or in other contexts for no time."""


def any_of(part: Iterable[str]) -> str:
    """Return a pattern that matches any of the words, optionally followed by a period."""
    words = sorted({word for several in part for word in several.split(", ")}, reverse=True)
    joined = [re.escape(word) for word in words if word.endswith("'")]
    whole_words = "|".join(re.escape(word) for word in words if not word.endswith("'"))
    # One condition for all words: a pattern with one for each took a tenth of the startup time.
    return rf"(?:{'|'.join((*joined, f'(?:{whole_words}){_END}'))})\.?"


_ONE: Final = any_of(words.one for words in ALL.values())
_UNIT: Final = any_of(UNITS)
_NUMBERS: Final = {
    word: number
    for words in ALL.values()
    for number, word in enumerate(words.numbers.split(", "), start=2)
}
_DIGITS: Final = re.compile("[0-9]{1,9}")
_NUMBER: Final = rf"(?:{_DIGITS.pattern}\s*|\b{_ONE}\s*|\b{any_of(_NUMBERS)}\s+)"
_ALSO: Final = any_of(words.also for words in ALL.values())
_AMOUNT: Final = rf"{_NUMBER}{_UNIT}"
DURATION: Final = rf"(?!\s|{_ALSO}\s)(?:\s*(?:{_ALSO}\s+)?{_AMOUNT})+"
"""Pattern of a duration in a `plain` text. Each word occurs once, because compiling takes time."""
_EACH_AMOUNT: Final = re.compile(rf"({_NUMBER})({_UNIT})")


def plain(text: str) -> str:
    """Return the text lowercased and NFC-normalized, with whitespace collapsed."""
    folded = unicodedata.normalize("NFC", text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    return " ".join(folded.casefold().split())


def read_duration(text: str | None) -> timedelta:
    """Return the sum of the amounts in a text that `DURATION` matches, or zero for no text.

    >>> read_duration(plain("1 day and 12 Hours"))
    datetime.timedelta(days=1, seconds=43200)
    """
    seconds = sum(
        _count(number) * UNITS[unit.rstrip(".")]
        for number, unit in _EACH_AMOUNT.findall(text or "")
    )
    return timedelta(seconds=min(seconds, _MOST_SECONDS))


def read_number(text: str) -> int | None:
    """Return the number in a text of a few digits, or None for any other text."""
    return int(text) if _DIGITS.fullmatch(text.strip()) else None


def _count(number: str) -> int:
    """Return the value of digits or of a word for a small number."""
    plain = number.strip()
    return int(plain) if plain.isdecimal() else _NUMBERS.get(plain.rstrip("."), 1)
