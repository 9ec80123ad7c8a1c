"""The picture of how somebody's ratings have gone."""

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
    """How somebody's ratings have gone, to be rendered, and the same in words."""

    curves: tuple[Curve, ...]
    look: Look

    def rendering(self, _name_of: NameOf) -> Callable[[], bytes]:
        """Return what renders them."""
        return partial(rating_curves, self.curves, look=self.look)


def curves(reader: Reader, filename: str, shown: Sequence[Curve]) -> Curves:
    """How somebody's ratings have gone, at least one, as a reader sees it, or is told of it."""
    look = replace(look_of(reader), width_px=_CURVES_PX)
    alt_text = describe_curves(shown, words=look.words)
    return Curves(filename, cut(alt_text), tuple(shown), look)
