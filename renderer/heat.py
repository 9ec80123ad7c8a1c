"""Free spaces with what they are worth: a figure in percent, and a shade beside the others."""

from collections.abc import Collection
from functools import lru_cache
from typing import Final

from PIL import Image

from renderer.lettering import Weight, centred, font, lettering
from renderer.palette import Palette
from renderer.theme import Theme
from renderer.tiles import TileMaker

_FIGURE: Final = 0.92  # size of a figure's font, in halves (see geometry.Layout)


class HeatTiles:
    """Renders such spaces in one theme and size, as palette indices."""

    def __init__(self, theme: Theme, tiles: TileMaker, palette: Palette) -> None:
        self._theme = theme
        self._tiles = tiles
        self._palette = palette
        self.tile = lru_cache(maxsize=256)(self._make_tile)

    def _make_tile(self, percent: int, shade: int) -> Image.Image:
        """A space that is worth so much, in one of the theme's shades."""
        half, ground = self._tiles.half, self._theme.heat[shade]
        tile = self._tiles.space(ground)
        face = font(Weight.BOLD, round(half * _FIGURE))
        letters = lettering(str(percent), face)
        middle = (tile.width / 2, tile.height / 2)
        tile.paste(self._theme.heat_ink(shade), centred(letters, face, middle), letters)
        return self._palette.indices(tile)


def shade(percent: int, all_percents: Collection[int]) -> int:
    """Which of a theme's shades a space has: the best have the last, the worst the first."""
    least, most = min(all_percents), max(all_percents)
    if least == most:
        return 4
    return round(4 * (percent - least) / (most - least))
