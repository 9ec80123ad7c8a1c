"""Everything that the bot can say, as functions of the reader."""

import inspect
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, lru_cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from bot.base.errors import PlayError
from bot.base.languages import Reader
from bot.composition import FEATURE_SET, FEATURES
from bot.composition import refusal as refusal_post
from bot.guide.topics import TOPICS
from bot.play.game_changes import BoardAddition, GameUpdate
from bot.play.words.boards import board
from bot.replay.parts import page_parts, replay_parts
from bot.replay.words.game_page import replay
from tests import rooms
from tests.bot.composition.examples import NoExample, calls, texts_by
from tests.bot.guide import example_texts as guide
from tests.bot.people import example_texts as people
from tests.bot.play import example_texts as play
from tests.bot.play.example_texts import ExampleTexts

ROOT: Final = Path(__file__).resolve().parents[3]


def _of_features() -> Iterable[ModuleType]:
    yield guide
    yield people
    for feature in FEATURES:
        if (part := _examples_of(feature.name)) is not None:
            yield part


def _examples_of(feature: str) -> ModuleType | None:
    """Return the examples of a feature's texts, or None if all are derived from types."""
    name = f"tests.{rooms.package(feature)}.example_texts"
    there = (ROOT / f"{name.replace('.', '/')}.py").exists()
    return import_module(name) if there else None


_PARTS: Final = tuple(_of_features())


def of_features(name: str) -> Iterator[Any]:
    """Yield the values that features' examples have under a name."""
    return (getattr(part, name) for part in _PARTS if hasattr(part, name))


@cache
def boards() -> tuple[GameUpdate, ...]:
    """Return a board after each kind of event, and with all additions of features."""
    told = (update for makes in of_features("BOARDS") for update in makes())
    listed = (*play.boards(), *told)
    return (*listed, *_with_other_aftermaths(listed))


def _with_other_aftermaths(listed: Sequence[GameUpdate]) -> Iterator[GameUpdate]:
    """Yield a running game and an ended one with each addition that no listed board has."""
    known = {type(addition) for update in listed for addition in update.additions}
    ended = next(item for item in listed if not item.game.is_running)
    running = next(item for item in listed if item.game.is_running)
    for kind in BoardAddition.__subclasses__():
        if kind not in known and kind.__module__.split(".")[0] in rooms.ROOMS:
            with suppress(NoExample):
                for arguments in calls(kind):
                    made = (kind(**arguments),)
                    yield from (replace(item, additions=made) for item in (ended, running))


@cache
def refusals() -> tuple[PlayError, ...]:
    """Return every refusal, of the game and of features. Missing examples are made from types."""
    listed = [*play.refused(), *chain.from_iterable(of_features("REFUSED"))]
    known = {type(error) for error in listed}
    for kind in refusal_post.known_types - known:
        with suppress(NoExample):
            listed += [kind(**arguments) for arguments in calls(kind)]
    return tuple(listed)


_PLUGGED = {"feature.py", "hook.py"}
"""Their texts become parts of boards, pages and help, which are covered."""


def is_of_words(path: Path) -> bool:
    """Return True if a module of the product makes texts."""
    inside = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    return bool({"words", "words.py"} & {*inside.parts, path.with_suffix(".py").name})


def _is_exempt(path: Path) -> bool:
    return is_of_words(path) or path.name in _PLUGGED


def functions_with_texts() -> dict[str, Callable[..., object]]:
    """Return the functions of modules of words that other modules import."""
    return {
        value.__name__: value
        for module in rooms.modules()
        if not _is_exempt(Path(str(module.__file__)).relative_to(ROOT))
        for value in vars(module).values()
        if inspect.isfunction(value) and is_of_words(ROOT / value.__module__.replace(".", "/"))
    }


def derived(but_for: Container[str]) -> ExampleTexts:
    """Return the texts of functions, with examples made from their types if possible."""
    found: ExampleTexts = {}
    for name, made in functions_with_texts().items():
        if name not in but_for and next(iter(inspect.signature(made).parameters), "") == "reader":
            with suppress(NoExample):
                found[name] = texts_by(made)
    return found


@cache
def _cached(says: Callable[[Reader], object]) -> Callable[[Reader], object]:
    """Return a function that caches its texts, because several tests check all of them."""
    return lru_cache(maxsize=2)(says)


_LISTED: ExampleTexts = {
    **play.EXAMPLE_TEXTS,
    **{name: says for part in _PARTS for name, says in part.EXAMPLE_TEXTS.items()},
    "board": lambda who: [board(who, update, parts=FEATURE_SET.board) for update in boards()],
    "game_page": lambda who: [
        page
        for reader in (who, replace(who, uses_screen_reader=True))
        for page in play.game_pages(reader, page_parts(FEATURE_SET.extensions))
    ],
    "replay": lambda who: [
        replay(who, seen, may_share=may_share, parts=replay_parts(FEATURE_SET.extensions))
        for seen in play.all_seen()
        for may_share in (True, False)
    ],
    "topics": lambda who: [item.answer(who) for item in FEATURE_SET.extensions.all_of(TOPICS)],
    "refusal": lambda who: [refusal_post(who, error) for error in refusals()],
}
EXAMPLE_TEXTS: ExampleTexts = {
    name: _cached(says) for name, says in {**derived(_LISTED), **_LISTED}.items()
}
"""The texts of each function in all its forms, by its name."""


def texts_of_feature(name: str) -> ExampleTexts:
    """Return the texts of the functions of a feature, or of a part that is always there."""
    part = {"play": play, "guide": guide, "people": people}.get(name) or _examples_of(name)
    own = (
        one
        for one, made in functions_with_texts().items()
        if rooms.feature_of(made.__module__) == name
    )
    of_part = {one: _cached(says) for one, says in part.EXAMPLE_TEXTS.items()} if part else {}
    return {item: EXAMPLE_TEXTS[item] for item in own if item in EXAMPLE_TEXTS} | of_part
