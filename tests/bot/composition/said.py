"""All that the bot can say, as functions of whoever reads it: the game's, and each feature's."""

from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Final

from bot.base.errors import PlayError
from bot.base.locales import Reader
from bot.composition import FEATURES, JOINED
from bot.composition import refusal as refusal_post
from bot.play.use_cases.update import Update
from bot.play.words.boards import board
from bot.play.words.replay import replay
from tests.bot.play import said as play

Says = dict[str, Callable[[Reader], object]]
_SILENT: Final = {"exercises", "machine"}
"""Features that say nothing by themselves."""


def _of_features() -> Iterable[ModuleType]:
    for feature in FEATURES:
        if feature.name not in _SILENT:
            yield import_module(f"tests.bot.features.{feature.name}.said")


_PARTS: Final = tuple(_of_features())


@cache
def boards() -> tuple[Update, ...]:
    """A board after each kind of event, and with all that features tell there."""
    told = (update for part in _PARTS for update in getattr(part, "BOARDS", tuple)())
    return (*play.boards(), *told)


def refused() -> Iterable[PlayError]:
    """Every refusal, of the game and of features."""
    yield from play.refused()
    for part in _PARTS:
        yield from getattr(part, "REFUSED", ())


SAID: Says = {
    **play.SAID,
    **{name: says for part in _PARTS for name, says in part.SAID.items()},
    "board": lambda who: [board(who, update, parts=JOINED.board) for update in boards()],
    "game_page": lambda who: play.game_pages(who, JOINED.page),
    "replay": lambda who: [
        replay(who, seen, may_share=may_share, parts=JOINED.replay)
        for seen in play.all_seen()
        for may_share in (True, False)
    ],
    "refusal": lambda who: [refusal_post(who, error) for error in refused()],
}
"""What each function says, in all its ways, by the function's name."""
