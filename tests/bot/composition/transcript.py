"""Everything that the bot says in English, feature by feature, as stored in tests/data/transcripts.

Of each function, an example is only written if it has a line of a new kind. Lines that differ only
in numbers and spaces are of the same kind. A post is written as its text, its pictures, and then
its selects and buttons with what they do.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final

from bot.base.languages import IN_ENGLISH
from bot.composition import FEATURES
from bot.connection.posts import Button, Option, Renderable
from dvonn import Color, Move, Position
from renderer import Caption
from tests.bot.composition.example_texts import EXAMPLE_TEXTS, ROOT, texts_of_feature
from tests.rooms import ROOMS, features

_TRANSCRIPTS: Final = ROOT / "tests" / "data" / "transcripts"
_PART: Final = "## "
"""The beginning of the line with a feature's name."""

_PICTURED: Final = ("filename", "position", "last", "marks", "caption", "page")
"""Fields of a picture that a transcript includes."""
_MOVES: Final = re.compile(r"`.*`|((\b[a-k][1-5]\b|\d+)[-, ]*)+|dvonn:.*?(?= \| |$)")
"""Parts that may differ between two examples of one kind."""


def transcript(feature: str) -> str:
    """Return the texts of a feature's functions, by their names."""
    return "\n".join(f"# {name}\n\n{_of_function(name)}" for name in functions()[feature])


def stored_transcript(feature: str) -> str:
    """Return the stored transcript of a feature."""
    return _kept_beside(feature).get(feature, "")


def keep(feature: str, said: str) -> None:
    """Store the transcript of a feature, in its room's file with the others."""
    all_kept = {**_kept_beside(feature), feature: said}
    parts = (
        f"{_PART}{function}\n\n{all_kept[function]}"
        for function in functions()
        if function in all_kept
    )
    _file(feature).write_text("\n".join(parts), encoding="utf-8")


def kept_features() -> set[str]:
    """Return the features with a stored transcript."""
    return {feature for room in ROOMS for feature in _kept_in(_TRANSCRIPTS / f"{room}.txt")}


def _kept_beside(feature: str) -> dict[str, str]:
    return _kept_in(_file(feature))


def _kept_in(file: Path) -> dict[str, str]:
    _, *parts = f"\n{file.read_text(encoding='utf-8')}".split(f"\n{_PART}")
    found = (part.partition("\n\n") for part in parts)
    return {name: said for name, _, said in found}


def _file(feature: str) -> Path:
    known = features()
    room = known[feature].relative_to(ROOT).parts[0] if feature in known else "bot"
    return _TRANSCRIPTS / f"{room}.txt"


@cache
def functions() -> dict[str, list[str]]:
    """Return the names of the functions that make texts, by feature."""
    found, left = dict[str, list[str]](), set(EXAMPLE_TEXTS)
    for feature in ("play", "guide", "people", *(feature.name for feature in FEATURES)):
        own = left.intersection(texts_of_feature(feature))
        left -= own
        if own:
            found[feature] = sorted(own)
    return {**found, "others": sorted(left)}


def _of_function(name: str) -> str:
    said = EXAMPLE_TEXTS[name](IN_ENGLISH)
    examples = ["\n".join(_lines(item)) for item in (said if isinstance(said, list) else [said])]
    kinds, kept = set[str](), list[str]()
    for example in sorted(set(examples)):
        new = {_MOVES.sub("0", line) for line in example.splitlines()} - kinds
        if new:
            kinds |= new
            kept.append(f"{example}\n")
    return "\n".join(kept)


def _lines(what: object, name: str = "") -> Iterator[str]:
    """Yield the lines of a text or post, without empty or default values."""
    begin = f"{name}: " if name else ""
    match what:
        case None | "" | () | False | bytes():
            return
        case True:
            yield name
        case str():
            yield from (f"{begin}{line}" for line in what.splitlines())
        case Mapping():
            for key, value in what.items():
                yield from _lines(value, f"{begin}{key}")
        case list() | tuple():
            yield from _together(what, name)
        case _ if is_dataclass(what) and not isinstance(what, Move | Position):
            yield from _parts(what, begin)
        case _:
            yield f"{begin}{_in_short(what)}"


def _in_short(what: object) -> str:
    match what:
        case Enum():
            return what.name.lower()
        case Position():
            return f"{what.plies} plies, {':'.join(str(what.score(color)) for color in Color)}"
        case _:
            return str(what)


def _together(all_of_it: Sequence[object], name: str) -> Iterator[str]:
    if name and all(isinstance(item, Move | str) for item in all_of_it):
        yield f"{name}: {', '.join(map(str, all_of_it))}"
    else:
        yield from chain.from_iterable(_lines(item, name) for item in all_of_it)


def _parts(what: object, begin: str) -> Iterator[str]:
    match what:
        case Button() | Option():
            yield f"{begin}{' | '.join(_fields(what))}"
        case Renderable():
            for field in _PICTURED:
                yield from _lines(getattr(what, field, None), f"{begin}{field}")
        case Caption():
            yield from _fields(replace(what, scores=()), begin)
        case _:
            yield from _fields(what, begin)


def _fields(what: Any, begin: str = "") -> Iterator[str]:
    for field in fields(what):
        value = getattr(what, field.name)
        if value is False and field.default is True:
            yield f"{begin}not {field.name}"
        elif value != field.default or field.name == "style":
            yield from _lines(value, begin if field.name == "content" else f"{begin}{field.name}")
