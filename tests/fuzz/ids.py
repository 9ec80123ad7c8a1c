"""Custom ids of buttons and forms, made from their templates."""

import inspect
import re
from collections.abc import Iterator
from random import Random
from typing import Any

from bot.composition import FEATURE_SET
from bot.play.handlers.interactions import ReadForm

_parser: Any = re._parser  # type: ignore[attr-defined]

LONGEST = 100
"""Discord accepts no longer ids."""


def templates() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Return all templates of buttons and selects, with the names of their classes."""
    for button in FEATURE_SET.buttons:
        yield button.__name__, button.ids


def form_templates() -> Iterator[re.Pattern[str]]:
    yield from map(template_of, FEATURE_SET.forms)


def template_of(read: ReadForm) -> re.Pattern[str]:
    """Return the template of the forms that a function reads."""
    return re.compile(inspect.getclosurevars(read).nonlocals["template"])


def sample(template: re.Pattern[str], rng: Random, **known: object) -> str:
    """Return an id that matches a template.

    Groups with known names get the given values if possible.
    """
    for _ in range(50):
        made = _matching_text(_parser.parse(template.pattern), rng, template.groupindex, known)
        if len(made) <= LONGEST and template.fullmatch(made):
            return made
    raise ValueError(template.pattern)


def _matching_text(parsed: Any, rng: Random, names: Any, known: dict[str, object]) -> str:
    return "".join(_one(str(op), value, rng, names, known) for op, value in parsed)


def _one(  # noqa: PLR0911 - one line for each kind
    op: str, value: Any, rng: Random, names: Any, known: dict[str, object]
) -> str:
    match op:
        case "LITERAL":
            return chr(value)
        case "ANY":
            return rng.choice("a0 :-\u0661é")
        case "IN":
            return _one_of(value, rng)
        case "BRANCH":
            return _matching_text(rng.choice(value[1]), rng, names, known)
        case "MAX_REPEAT":
            least, most, inner = value
            few, many = int(least), min(int(most), 40)
            count = rng.choice((few, min(few + 1, many), many, rng.randint(few, many)))
            if rng.random() < 0.3:  # such as the largest number
                return _matching_text(inner, rng, names, known) * count
            return "".join(_matching_text(inner, rng, names, known) for _ in range(count))
        case "SUBPATTERN":
            group, _, _, inner = value
            name = next((name for name, number in names.items() if number == group), "")
            return str(known[name]) if name in known else _matching_text(inner, rng, names, known)
        case _:
            raise NotImplementedError(op)


def _one_of(choices: Any, rng: Random) -> str:
    op, value = rng.choice(choices)
    match str(op):
        case "LITERAL":
            return chr(value)
        case "RANGE":
            return chr(rng.choice((value[0], value[1], rng.randint(*value))))
        case _:
            return rng.choice("09\u0661")  # a class of digits
