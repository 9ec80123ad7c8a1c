"""All that the bot can say, as functions of whoever reads it: the game's, and each feature's."""

import inspect
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from bot.base.errors import PlayError
from bot.base.languages import Reader
from bot.composition import FEATURES, JOINED
from bot.composition import refusal as refusal_post
from bot.play.game_changes import Update
from bot.play.words.boards import board
from bot.play.words.game_page import replay
from bot.play.words.help import TOPICS
from tests import rooms
from tests.bot.people import said as people
from tests.bot.play import said as play

ROOT: Final = Path(__file__).resolve().parents[3]
Says = dict[str, Callable[[Reader], object]]


def _of_features() -> Iterable[ModuleType]:
    yield people
    for feature in FEATURES:
        yield import_module(f"tests.{rooms.package(feature.name)}.said")


_PARTS: Final = tuple(_of_features())


def of_features(name: str) -> Iterator[Any]:
    """Yield what the parts of features have by a name."""
    return (getattr(part, name) for part in _PARTS if hasattr(part, name))


@cache
def boards() -> tuple[Update, ...]:
    """A board after each kind of event, and with all that features tell there."""
    told = (update for makes in of_features("BOARDS") for update in makes())
    return (*play.boards(), *told)


def refused() -> Iterable[PlayError]:
    """Every refusal, of the game and of features."""
    yield from play.refused()
    for errors in of_features("REFUSED"):
        yield from errors


_PLUGGED = {"feature.py", "hook.py"}
"""These hand words on to boards, pages and help, which say them."""


def is_of_words(path: Path) -> bool:
    """Whether a module of bot makes words."""
    return bool({"words", "words.py"} & {*path.parts, path.with_suffix(".py").name})


def asked_for() -> dict[str, Callable[..., object]]:
    """The functions of the modules that make words, of those that other modules ask for."""
    return {
        one.__name__: one
        for path in rooms.sources()
        if not (is_of_words(path) or path.name in _PLUGGED or "migrations" in path.parts)
        for one in vars(_module(path)).values()
        if inspect.isfunction(one) and is_of_words(ROOT / one.__module__.replace(".", "/"))
    }


def _module(path: Path) -> ModuleType:
    return import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


def alone() -> Says:
    """The functions that need nothing but a reader."""
    return {
        name: made
        for name, made in asked_for().items()
        if [*inspect.signature(made).parameters] == ["reader"]
    }


SAID: Says = {
    **alone(),
    **play.SAID,
    **{name: says for part in _PARTS for name, says in part.SAID.items()},
    "board": lambda who: [board(who, update, parts=JOINED.board) for update in boards()],
    "game_page": lambda who: play.game_pages(who, JOINED.page),
    "replay": lambda who: [
        replay(who, seen, may_share=may_share, parts=JOINED.replay)
        for seen in play.all_seen()
        for may_share in (True, False)
    ],
    "topics": lambda who: [one.told(who) for one in JOINED.extensions.of(TOPICS)],
    "refusal": lambda who: [refusal_post(who, error) for error in refused()],
}
"""What each function says, in all its ways, by the function's name."""
