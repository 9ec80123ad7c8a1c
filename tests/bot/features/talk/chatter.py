"""Ordinary chat in a server, made from templates. None of it is a move."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Final

_SPACES: Final = ("a1", "b2", "c2", "c4", "d4", "e5", "f3", "g1", "h3", "i4", "k5", "D2", "E3")
_TEMPLATES: Final = {
    "English": (
        "{a} steak please, medium rare",
        "a {a} steak for the {noun}",
        "b2b meeting at {n}",
        "c 4 explosives in that {noun}",
        "see you at {a}",
        "I'm at {a} now, where is the {noun}?",
        "flight {a} leaves at {n}:30",
        "thanks for the {noun} in {a}!",
        "{a} or {b}, which {noun} do you like?",
        "why not {a}-{b}?",
        "ok but {a}-{b} loses the {noun}",
        "gg, {a}-{b} was a killer",
        "please don't play {a}",
        "sorry, I meant the {noun} on {a}",
        "{a}? {b}? no idea",
        "my {noun} got a B2 in English, C1 in French",
        "vitamin {a} is good for the {noun}",
        "my seat is {a}, yours is {b}, thx",
        "has anyone tried the {noun} with {n} players?",
        "lol the {noun} again",
        "gg wp everyone {n}:{n}",
        "the meeting moved from {a} to room {b}",
    ),
    "German": (
        "wir sehen uns auf {a}",
        "ich stehe auf {a}, bitte melden",
        "danke für {a}, {noun}!",
        "{a} wäre besser als {b}",
        "mein {noun} hat B2 in Deutsch",
        "bitte nicht {a}-{b} spielen",
        "Autobahn {a} ist gesperrt, {n} km Stau",
        "welcher {noun}, {a} oder {b}?",
        "viel glück mit dem {noun}",
    ),
    "French": (
        "on se voit en {a}",
        "je suis en {a} maintenant, merci",
        "s'il te plaît pas {a}",
        "le {noun} est au {a}",
        "{a} ou {b} ?",
        "merci pour le {noun} de {a}",
        "niveau B2 en anglais, {n} ans",
    ),
    "Spanish": (
        "nos vemos en {a}",
        "por favor no juegues {a}",
        "gracias por lo de {a}, {noun}",
        "estoy en {a} ahora",
        "¿{a} o {b}?",
        "tengo un {noun} y {n} perros",
        "qué tal {a}-{b}?",
    ),
    "Polish": (
        "widzimy się na {a}",
        "proszę nie {a}",
        "dzięki za {a}, {noun}",
        "jestem teraz na {a}",
        "{a} czy {b}?",
        "autobus {n} jedzie do {a}",
    ),
    "Japanese": (
        "{a}で会いましょう",
        "今{a}にいます",
        "{a}と{b}、どっちがいい?",
        "{a}はだめです、お願いします",
        "ありがとう、{a}はいい{noun}だね",
        "{n}時に{a}で",
    ),
    "Portuguese": (
        "nos vemos em {a}",
        "por favor, não jogue {a}",
        "obrigado pelo {a}, {noun}",
        "{a} ou {b}?",
    ),
    "Russian": ("увидимся на {a}", "спасибо за {a}, {noun}", "пожалуйста, не {a}", "{a} или {b}?"),
    "marked": (
        "~~{a}-{b}~~",
        "~~{a}~~ no",
        "> {a}-{b} he said",
        "https://example.org/{a}-{b}",
        "look: https://example.org/{a} 😂",
        "<#{n}{n}{n}> {a} 🙂",
        "@everyone {a} {noun}",
        "{n}. {a} 🔥 the {noun}",
        "{a}% of the {noun}",
        "${a} for a {noun}",
        "v{n}.{n} of {a}",
        "{a}.png",
        "#{a}{b}{a}",
        "{a}={b}",
        "{a}<{b}",
        "{n}{a}",
        "{a}th {noun}",
    ),
}
_NOUNS: Final = ("pizza", "game", "server", "cat", "train", "exam", "board", "Köln", "bus", "🐈")
_TAILS: Final = ("", "", "", "!", " 😂", " lol", " :)", "...", " **now**", " thanks")


def chatter(count: int, seed: int) -> Iterator[str]:
    """Return a number of different lines, from all templates in turn."""
    rng = Random(seed)
    templates = [line for lines in _TEMPLATES.values() for line in lines]
    seen = set[str]()
    while True:
        for template, tail in product(templates, rng.sample(_TAILS, 2)):
            line = template.format(
                a=rng.choice(_SPACES),
                b=rng.choice(_SPACES),
                n=rng.randint(2, 99),
                noun=rng.choice(_NOUNS),
            )
            if (line := line + tail) not in seen:
                seen.add(line)
                yield line
            if len(seen) == count:
                return
