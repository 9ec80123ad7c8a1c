"""A whole game as one animated picture: a GIF, which is played inline wherever pictures are shown.

Of an APNG Discord shows the first picture only; a lossless WebP is smaller by a third, but takes
five times as long to write. A GIF has 256 colours, and pictures here fewer: nothing is lost. Of
each picture only the rectangle that changed is written, and what stayed as it was is transparent.
"""

import math
import struct
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from PIL import GifImagePlugin, Image, ImageChops

from dvonn import Color, Coordinates, GameRecord, Move, Phase, Position
from renderer.caption import Caption, is_over, moves_made
from renderer.look import DEFAULT, Look
from renderer.palette import UNUSED
from renderer.picture import Painter, painter_of
from renderer.reel import Reel, reel_of
from renderer.words import Words

FIRST_MS: Final = 1500
PLACEMENT_MS: Final = 350
MOVE_MS: Final = 1000
EVENT_MS: Final = 1600
"""How long a move is shown that cut something off, or after which somebody had to pass."""
BEFORE_END_MS: Final = 2000
"""How long the last move of a game is shown before the towers are built."""
TOWER_MS: Final = 130
LAST_MS: Final = 6000

_STEPS: Final = 16
"""In how many pictures the towers are built at most."""
_SAME: Final = [255] + 255 * [0]
"""From the difference of two indices to a mask of those that are the same."""
# In halves (see geometry.Layout): the bar at the foot, which shows how far the game has gone.
_FOOT: Final = 0.7
_BAR: Final = 0.2

Shot = tuple[Image.Image, int]
"""A picture as palette indices (mode L), and how long it is shown, in milliseconds."""
Patch = tuple[Image.Image, tuple[int, int], int]
"""What changes in a picture, where its upper left corner is, and how long it is shown."""


def animate(
    game: GameRecord | Reel,
    *,
    coordinates: Coordinates | None = None,
    caption: Caption | None = None,
    look: Look = DEFAULT,
    width_px: int = 800,
) -> bytes:
    """Render a whole game as an animated GIF, which begins again when it has ended.

    Each position is shown as by `render` without aids, above a bar that tells how far the game has
    gone. Once it has ended, the two towers are built, up to the picture that `render` makes of it.

    Args:
        game: a record, or a part of one (`Reel.of`, `Reel.line`).
        coordinates: the system of the labels, in place of the game's own.
        caption: who plays, and how the game has ended, in place of what the game says.
        look: the colours and the words.
        width_px: of the picture, from 300 to 2400, in place of the look's own.

    Raises:
        ValueError: if the width is out of bounds.
    """
    reel = reel_of(game)
    reel = replace(
        reel,
        coordinates=coordinates or reel.coordinates,
        caption=reel.caption if caption is None else caption,
    )
    painter = painter_of(look.theme, width_px)
    return write_gif(painter.palette.rgb_table(), patches(shots(painter, reel, look.words)))


def shots(painter: Painter, reel: Reel, words: Words) -> Iterator[Shot]:
    """The pictures of a game, all of one size."""
    ended = _ending(reel)
    taken = [*_played(painter, reel, words)]
    if ended is not None:
        taken += _towers(painter, reel, words, ended)
    taken[-1] = (taken[-1][0], LAST_MS)
    height = max(picture.height for picture, _ in taken)
    last = len(reel.positions) - 1
    for number, (picture, shown_ms) in enumerate(taken):
        share = min(number, last) / last if last else 1.0
        yield _framed(painter, picture, height, share), shown_ms


def patches(taken: Iterator[Shot]) -> Iterator[Patch]:
    """What is to be written of each picture."""
    before: Image.Image | None = None
    for picture, shown_ms in taken:
        if before is None:
            yield picture, (0, 0), shown_ms
        else:
            difference = ImageChops.difference(before, picture)
            # Where nothing changed, one pixel is written again: a picture has its time.
            box = difference.getbbox() or (0, 0, 1, 1)
            patch = picture.crop(box)
            patch.paste(UNUSED, mask=difference.crop(box).point(_SAME))
            yield patch, box[:2], shown_ms
        before = picture


def write_gif(palette: bytes, changes: Iterator[Patch]) -> bytes:
    """A GIF file that is played again and again.

    Args:
        palette: 256 colours, three bytes each; the index UNUSED is transparent.
        changes: the whole first picture, then what changes in each.
    """
    parts: list[bytes] = []
    for patch, corner, shown_ms in changes:
        if not parts:
            size = struct.pack("<HH", *patch.size)
            parts += [b"GIF89a", size, b"\xf7\x00\x00", palette]
            parts.append(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")
        parts += GifImagePlugin.getdata(
            patch, corner, duration=shown_ms, transparency=UNUSED, disposal=1
        )
    return b"".join([*parts, b";"])


def _played(painter: Painter, reel: Reel, words: Words) -> Iterator[Shot]:
    """The board after each move."""
    caption = replace(reel.caption, ending=None, winner=None, scores=())
    final = len(reel.positions) - 1
    for number, (position, last) in enumerate(reel.steps()):
        picture = painter.play(
            position, reel.coordinates, words, last=last, caption=caption, aids=False
        )
        yield picture, BEFORE_END_MS if number == final else _shown_ms(position, last)


def _shown_ms(position: Position, last: Move | None) -> int:
    if last is None:
        return FIRST_MS
    if position.removed or position.passed:
        return EVENT_MS
    return PLACEMENT_MS if position.phase is Phase.PLACEMENT else MOVE_MS


def _ending(reel: Reel) -> Caption | None:
    """What is told at the end of a game, if it has one with towers."""
    final = reel.positions[-1]
    if not is_over(final, reel.caption) or not moves_made(final):
        return None
    return replace(reel.caption, scores=reel.caption.scores or reel.scores)


def _towers(painter: Painter, reel: Reel, words: Words, caption: Caption) -> Iterator[Shot]:
    """The two towers, from nothing to what each player has collected."""
    position, last = reel.positions[-1], reel.moves[-1] if reel.moves else None
    most = max(position.score(color) for color in Color)
    for built in [*range(0, most, math.ceil(most / _STEPS) or 1), most]:
        picture = painter.finish(
            position, reel.coordinates, words, last=last, caption=caption, built=built
        )
        yield picture, TOWER_MS


def _framed(painter: Painter, picture: Image.Image, height: int, share: float) -> Image.Image:
    """A picture in the middle of one of that height, and the bar below it."""
    theme, half = painter.theme, painter.layout.half
    foot, breadth = round(half * _FOOT), max(3, round(half * _BAR))
    canvas, track, gone = map(painter.palette.index, (theme.canvas, theme.frame, theme.label))
    framed = Image.new("L", (picture.width, height + foot), canvas)
    framed.paste(picture, (0, (height - picture.height) // 2))
    top = framed.height - (foot + breadth) // 2
    left, right = half, picture.width - half
    framed.paste(track, (left, top, right, top + breadth))
    framed.paste(gone, (left, top, left + round((right - left) * share), top + breadth))
    return framed
