"""Animated GIFs of whole games.

A GIF plays inline wherever images are shown. Discord shows only the first frame of an APNG. A
lossless WebP is a third smaller but takes five times as long to write. A GIF is limited to 256
colors, but these pictures need fewer. Of each frame, only the rectangle that changed is written,
and unchanged pixels in it are transparent. The text above the board takes most of the bytes. It is
the same in every other frame, so every other frame is undone, and the next one is written as a
change to the frame before that.
"""

import struct
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from PIL import GifImagePlugin, Image, ImageChops

from dvonn import Coordinates, GameRecord, Move, Phase, Position
from renderer.caption import Caption, is_over, moves_made
from renderer.look import DEFAULT, Look
from renderer.palette import UNUSED
from renderer.picture import Painter, painter_for
from renderer.reel import Reel, reel_of
from renderer.scene import Scene
from renderer.words import Words

FIRST_MS: Final = 1500
PLACEMENT_MS: Final = 350
MOVE_MS: Final = 1000
EVENT_MS: Final = 1600
"""Display time of a move that cut off stacks or was followed by a forced pass."""
BEFORE_END_MS: Final = 2000
"""Display time of a game's last move before its result appears."""
LAST_MS: Final = 6000

_DIFFERS: Final = [0] + 255 * [255]
"""Lookup table from the difference of two indices to a mask: 0 if they are equal, else 255."""
_REACHES: Final = (1, 2, 4)
"""Shifts in pixels for closing gaps, because skipping a short gap would take more bytes."""
_ALL: Final = 0.75
"""Maximum share of written pixels in a rectangle. Above it, the whole rectangle is written."""
_KEEP, _RESTORE = 1, 3
"""GIF disposal methods, applied before the next frame: keep this frame, or undo it."""
# Height of the area for the progress bar and of the bar itself, in half-cells (see
# `dvonn.svg.geometry`). The bar is at the top, next to the text that changes with it. At the
# bottom, each changed rectangle would have to extend down to it.
_HEAD: Final = 0.7
_BAR: Final = 0.2


class Shot(NamedTuple):
    """A frame of an animation, before compression.

    Attributes:
        picture: The palette indices (mode L).
        ms: The display time in milliseconds.
        aside: True if the next frame is more similar to the previous frame than to this one.
    """

    picture: Image.Image
    ms: int
    aside: bool = False


class Patch(NamedTuple):
    """The rectangle of a frame that is stored in the file."""

    picture: Image.Image
    corner: tuple[int, int]
    ms: int
    disposal: int = _KEEP


def animate(
    game: GameRecord | Reel,
    *,
    coordinates: Coordinates | None = None,
    caption: Caption | None = None,
    look: Look = DEFAULT,
    width_px: int = 720,
) -> bytes:
    """Render a whole game as an animated GIF that loops.

    Each position looks like the output of `render` without aids, except that a progress bar above
    it replaces the move number. If the game has ended, both players' towers are shown below each
    position, and the last frame is the same as from `render`.

    Args:
        game: A record, or a part of one (`Reel.from_record`, `Reel.line`).
        coordinates: Coordinate system of the labels, in place of the game's own.
        caption: The players' names and the ending, in place of the game's own.
        look: Colors and texts.
        width_px: Width of the picture, 300 to 2400, in place of the look's own.

    Raises:
        ValueError: if the width is out of bounds.
    """
    reel = reel_of(game)
    reel = replace(
        reel,
        coordinates=coordinates or reel.coordinates,
        caption=reel.caption if caption is None else caption,
    )
    painter = painter_for(replace(look, width_px=width_px))
    return write_gif(painter.palette.rgb_table(), patches(shots(painter, reel, look.words)))


def shots(painter: Painter, reel: Reel, words: Words) -> Iterator[Shot]:
    """Yield the frames of a game, all of the same size."""
    ended = _ending(reel)
    played = [*_played(painter, reel, words, towers=ended is not None)]
    if ended is not None:
        move = reel.moves[-1] if reel.moves else None
        end = Scene(reel.positions[-1], reel.coordinates, move, None, ended)
        played.append(Shot(painter.frame(end, words), LAST_MS))
    played[-1] = Shot(played[-1].picture, LAST_MS)
    height = max(shot.picture.height for shot in played)
    last = len(reel.positions) - 1
    for number, shot in enumerate(played):
        share = min(number, last) / last if last else 1.0
        yield shot._replace(picture=_framed(painter, shot.picture, height, share))


def patches(shots: Iterator[Shot]) -> Iterator[Patch]:
    """Yield the rectangle of each frame that differs from the frame before."""
    base: Image.Image | None = None
    for picture, ms, aside in shots:
        if base is None:
            base = picture
            yield Patch(picture, (0, 0), ms)
            continue
        # If nothing changed, one pixel is written again, because a duration needs a frame.
        difference = ImageChops.difference(base, picture)
        box = difference.getbbox() or (0, 0, 1, 1)
        patch = Image.new("L", (box[2] - box[0], box[3] - box[1]), UNUSED)
        patch.paste(picture.crop(box), mask=_mask_to_write(difference.crop(box)))
        yield Patch(patch, box[:2], ms, _RESTORE if aside else _KEEP)
        if not aside:
            base = picture


def write_gif(palette: bytes, changes: Iterator[Patch]) -> bytes:
    """Return a GIF file that loops.

    Args:
        palette: 256 colors of three bytes each. The index UNUSED is transparent.
        changes: The whole first frame, then the written part of each later one.
    """
    parts: list[bytes] = []
    for patch, corner, ms, disposal in changes:
        if not parts:
            size = struct.pack("<HH", *patch.size)
            parts += [b"GIF89a", size, b"\xf7\x00\x00", palette]
            parts.append(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")
        parts += GifImagePlugin.getdata(
            patch, corner, duration=ms, transparency=UNUSED, disposal=disposal
        )
    return b"".join([*parts, b";"])


def _played(painter: Painter, reel: Reel, words: Words, *, towers: bool) -> Iterator[Shot]:
    """Yield the board after each move, with or without the towers at that point."""
    # The progress bar takes fewer bytes than a move number in each frame.
    caption = replace(reel.caption.lettered(), ending=None, winner=None, scores=(), counted=False)
    final = len(reel.positions) - 1
    for number, (position, last) in enumerate(reel.steps()):
        scene = Scene(position, reel.coordinates, last, None, caption, aids=False)
        picture = painter.frame(scene, words, towers=towers)
        shown_ms = BEFORE_END_MS if number == final else _shown_ms(position, last)
        yield Shot(picture, shown_ms, aside=number % 2 == 1 and number != final)


def _shown_ms(position: Position, last: Move | None) -> int:
    if last is None:
        return FIRST_MS
    if position.removed or position.passed:
        return EVENT_MS
    return PLACEMENT_MS if position.phase is Phase.PLACEMENT else MOVE_MS


def _ending(reel: Reel) -> Caption | None:
    """Return the caption of the final frame with towers, or None if there are no towers."""
    final = reel.positions[-1]
    if not is_over(final, reel.caption) or not moves_made(final):
        return None
    caption = reel.caption.lettered()
    return replace(caption, scores=caption.scores or reel.scores)


def _mask_to_write(difference: Image.Image) -> Image.Image:
    """Return a mask of the pixels to write: those that differ, and short gaps between them.

    Args:
        difference: Difference of two frames' palette indices (mode L).

    Returns:
        A mask (mode 1).
    """
    changed = difference.point(_DIFFERS, "1")
    packed, room = changed.tobytes(), sum(_REACHES)
    bits = int.from_bytes(packed)  # as one integer, because shifting an integer is fast
    if bits.bit_count() > _ALL * changed.width * changed.height:
        return Image.new("1", changed.size, 1)
    bits <<= room
    for reach in _REACHES:
        bits |= bits >> reach
    for reach in _REACHES:
        bits &= bits << reach
    return Image.frombytes("1", changed.size, (bits >> room).to_bytes(len(packed)))


def _framed(painter: Painter, picture: Image.Image, height: int, share: float) -> Image.Image:
    """Return a picture padded to `height`, with a progress bar above it."""
    theme, half = painter.theme, painter.layout.half
    head, breadth = round(half * _HEAD), max(3, round(half * _BAR))
    canvas, track, done_ink = map(painter.palette.index, (theme.canvas, theme.chip, theme.label))
    framed = Image.new("L", (picture.width, head + height), canvas)
    framed.paste(picture, (0, head))
    top = (head - breadth) // 2
    left, right = half, picture.width - half
    framed.paste(track, (left, top, right, top + breadth))
    framed.paste(done_ink, (left, top, left + round((right - left) * share), top + breadth))
    return framed
