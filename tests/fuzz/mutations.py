"""Random texts: from scratch, or from valid ones by a few wrong edits."""

from collections.abc import Sequence
from random import Random

_ALPHABETS = (
    "abcdefghijk0123456789-",
    "ABCDEFGHIJKRWB.|/ 0123456789\n",
    "abcdefghijklmnopqrstuvwxyz ,;:+()\t\n",
    "\u0000\u200b\u202e\u2013\u2192\u00a0\u0661\uff11\u0301\ufeff\U0001f600\ud800@`*_~<>[]{}\\\"'%$#",
)
_RUNS = (
    *("d2-", "a1 ", "- ", "0", "(", " ", "else next ", "day ", "9", "to", "\n", "W"),
    *("<@1>", "<@1> ", "<@!1>, ", ", ", "\u2003", "x", "or else "),
)
_LONGEST = 6_000
_LONGEST_RUN = 250
_WHOLE_MESSAGE = 4_000
"""The longest message of an account with Nitro."""


def random_text(rng: Random) -> str:
    """A random text from scratch, usually short."""
    alphabet = rng.choice(_ALPHABETS)
    return "".join(rng.choices(alphabet, k=int(rng.expovariate(1 / 12))))


def mutated(rng: Random, text: str, others: Sequence[str]) -> str:
    """A text after one to six wrong edits. Some insert a part of another text."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        text = _step(rng, text, others)
    return text[:_LONGEST]


def _step(rng: Random, text: str, others: Sequence[str]) -> str:
    begin = rng.randint(0, len(text))
    end = min(len(text), begin + int(rng.expovariate(1 / 4)))
    before, part, after = text[:begin], text[begin:end], text[end:]
    match rng.randrange(8):
        case 0:
            part = ""
        case 1:
            part = random_text(rng)
        case 2:
            part *= rng.randint(2, 4)
        case 3:
            one = rng.choice(_RUNS)
            longest = rng.choice((_LONGEST_RUN, _WHOLE_MESSAGE // len(one)))
            part = one * rng.randint(1, longest)
        case 4:
            part = rng.choice((str.upper, str.lower, str.swapcase))(part)
        case 5:
            before, after = after, before
        case 6:
            other = rng.choice(others)
            cut = rng.randint(0, len(other))
            part = other[cut : cut + int(rng.expovariate(1 / 10))]
        case _:
            part = chr(rng.choice((rng.randrange(128), rng.randrange(0x11_0000))))
    return before + part + after
