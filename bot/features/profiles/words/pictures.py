"""The picture of the course of a player's ratings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.base.locales import Reader
from bot.connection.posts import NameOf, Renderable
from bot.play.words.pictures import cut, look_of
from renderer import Curve, Look, describe_curves, rating_curves

_CURVES_PX = 800
"""Lines and words have fewer details than a board."""


@dataclass(frozen=True, slots=True)
class Curves(Renderable):
    """The course of a player's ratings, to be rendered, and told in words."""

    curves: tuple[Curve, ...]
    look: Look

    def rendering(self, _name_of: NameOf) -> Callable[[], bytes]:
        return partial(rating_curves, self.curves, look=self.look)


def curves(reader: Reader, filename: str, shown: Sequence[Curve]) -> Curves:
    """Return the course of a player's ratings, at least one, as a reader sees or hears it."""
    look = replace(look_of(reader), width_px=_CURVES_PX)
    alt_text = describe_curves(shown, words=look.words)
    return Curves(filename, cut(alt_text), tuple(shown), look)
