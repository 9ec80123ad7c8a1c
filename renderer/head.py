"""Layout of a picture's header row: the two players, with phrases between them.

The PNG and the SVG are both drawn from this layout. Lengths are in half-cells (see
`dvonn.svg.geometry`). If there is not enough room, less important phrases are dropped first. Then
names get a smaller font, and finally they are cut. No font is smaller than `LEAST`, which is 9
pixels in a picture 400 pixels wide.
"""

from dataclasses import replace
from typing import Final, NamedTuple

from dvonn import Color
from renderer.caption import Caption, ending_phrase, move_total, passes, standing
from renderer.lettering import NAME_LIMIT, Weight, measured, shortened, unmarked
from renderer.scene import Scene
from renderer.words import Words

MIDDLE: Final = 0.7
"""Distance of the center of the row from the upper edge of the picture."""
CHIP: Final = 0.55
"""Half the height of a chip (a player's part of the row), and the radius of its rounded ends."""
ICON: Final = 0.44
"""Radius of the piece in front of a player's name."""
LEAST: Final = 0.54
_MARGIN: Final = 0.45
_PAD: Final = (
    0.68,
    0.42,
)  # distances from the ends of a chip to the center of its piece and to its count
_GAP: Final = 0.22
_STAR: Final = 0.72  # width of the winner's star
_FACE: Final = 1.42  # width of the machine's face
_NAME: Final = 0.8  # font sizes
_COUNT: Final = 0.92
_LOST: Final = 0.66
_PHRASE_SIZE: Final = 0.7
_TOLERANCE: Final = 1.01  # factor that allows for rounding to whole pixels
_BESIDE: Final = 0.45  # distance between a chip and the phrases
_RED: Final = 1.15  # width of the red piece that a player places next
_CUTS: Final = (
    NAME_LIMIT,
    11,
    8,
    0,
)  # maximum lengths of names in phrases, tried in order; 0 leaves names out
_APART: Final = " · "


class HeadText(NamedTuple):
    """A line of text: its left end, font size and available width."""

    text: str
    left: float
    size: float
    weight: Weight
    room: float

    @property
    def length(self) -> float:
        return measured(self.weight, self.text) * self.size


class Chip(NamedTuple):
    """A player's name and count, with a piece of their color in front."""

    color: Color
    left: float
    right: float
    marked: bool
    star: float | None
    """Center of the winner's star."""
    icon: float
    face: tuple[int, float] | None
    """Number of the machine's face, and its center."""
    name: HeadText
    score: HeadText | None
    lost: HeadText | None


class Head(NamedTuple):
    """The layout of the header row above a board."""

    chips: tuple[Chip, Chip]
    phrases: HeadText | None
    red: float | None
    """Center of the red piece that the player to move places."""


class Phrase(NamedTuple):
    """A phrase that is shown if there is room. Phrases with a higher weight take precedence."""

    weight: int
    text: str


def phrases(scene: Scene, words: Words) -> list[Phrase]:
    """Return the phrases between the players, in reading order."""
    position, caption = scene.position, scene.caption
    if not scene.is_over:
        parts = [Phrase(1, text) for text in standing(position, words, caption)]
        return parts + [Phrase(2, text) for text in passes(position, words, caption)]
    parts = [Phrase(2, text) for text in ending_phrase(position, words, caption)]
    return parts + [Phrase(1, text) for text in move_total(position, words, caption)]


def head_of(scene: Scene, words: Words, width: float) -> Head:
    """Return the layout of the header row above a board of a given width."""
    whole = width - 2 * _MARGIN
    red = _RED if scene.placing and scene.position.to_place == "R" else 0.0
    plain = {Color.WHITE: words.white, Color.BLACK: words.black}
    names = {color: unmarked(scene.caption.name(color)) or plain[color] for color in Color}
    fixed = {color: _fixed(scene, color) for color in Color}
    first = max(phrases(_nameless(scene), words), key=lambda phrase: phrase.weight, default=None)
    claimed = 2 * _BESIDE
    if first is not None:
        claimed += measured(Weight.REGULAR, first.text) * LEAST * _TOLERANCE + red
    widths = [measured(Weight.REGULAR, names[color]) * _NAME for color in Color]
    rooms = _shared(widths, whole - sum(fixed.values()) - claimed)
    fitted = [_fitted(names[color], room) for color, room in zip(Color, rooms, strict=True)]
    white, black = (fixed[color] + line.room for color, line in zip(Color, fitted, strict=True))
    chips = (
        _chip(scene, Color.WHITE, _MARGIN, white, fitted[0]),
        _chip(scene, Color.BLACK, width - _MARGIN - black, black, fitted[1]),
    )
    left, right = chips[0].right + _BESIDE, chips[1].left - _BESIDE
    line = _fitting_text(scene, words, left + red, right - left - red)
    if line is None:
        return Head(chips, None, (left + right) / 2 if red and right - left > red else None)
    # center the phrases in the available room
    used = red + measured(line.weight, line.text) * line.size
    begin = left + max(0.0, (right - left - used) / 2)
    room = right - begin - red
    return Head(chips, line._replace(left=begin + red, room=room), begin + red / 2 if red else None)


def _fixed(scene: Scene, color: Color) -> float:
    """Return the width of a player's chip, excluding the name."""
    used = sum(_PAD) + ICON + _GAP
    if scene.is_over and scene.marked is color:
        used += _STAR
    if _face(scene.caption, color) is not None:
        used += _FACE
    count, lost = scene.count(color), scene.lost(color)
    if count is not None:
        used += _GAP + measured(Weight.BOLD, str(count)) * _COUNT
    if lost:
        used += _GAP + measured(Weight.MEDIUM, f"−{lost}") * _LOST
    return used


def _face(caption: Caption, color: Color) -> int | None:
    return caption.face if caption.machine is color else None


def _chip(scene: Scene, color: Color, left: float, width: float, name: HeadText) -> Chip:
    at = left + _PAD[0]
    icon, at = at, at + ICON + _GAP
    face = star = None
    if (number := _face(scene.caption, color)) is not None:
        face, at = (number, at + (_FACE - _GAP) / 2), at + _FACE
    if scene.is_over and scene.marked is color:
        star, at = at + (_STAR - _GAP) / 2, at + _STAR
    name, at = name._replace(left=at), at + name.room
    count = lost = None
    if (figure := scene.count(color)) is not None:
        count = _figure(str(figure), at + _GAP, _COUNT, Weight.BOLD)
        at = count.left + count.room
    if lost_count := scene.lost(color):
        lost = _figure(f"−{lost_count}", at + _GAP, _LOST, Weight.MEDIUM)
    marked = scene.marked is color
    return Chip(color, left, left + width, marked, star, icon, face, name, count, lost)


def _figure(text: str, left: float, size: float, weight: Weight) -> HeadText:
    return HeadText(text, left, size, weight, measured(weight, text) * size)


def _shared(widths: list[float], room: float) -> list[float]:
    """Divide the available width between two names. A short name leaves the rest to the other."""
    if sum(widths) <= room:
        return widths
    shorter = min(widths)
    if shorter <= room / 2:
        return [length if length == shorter else room - shorter for length in widths]
    return [room / 2] * 2


def _fitted(name: str, room: float) -> HeadText:
    """Return a name that fits into the available width, in a smaller font or cut if necessary."""
    weight = Weight.REGULAR
    for limit in range(NAME_LIMIT, 1, -1):
        text = shortened(name, limit)
        length = measured(weight, text)
        size = min(_NAME, room / length)
        if size >= LEAST:
            break
    size = max(size, LEAST)
    return HeadText(text, 0.0, size, weight, min(room, length * size))


def _fitting_text(scene: Scene, words: Words, left: float, room: float) -> HeadText | None:
    """Return the most important phrases that fit."""
    parts: list[Phrase] = []
    for limit in _CUTS:
        parts = phrases(_nameless(scene) if not limit else _with_short_names(scene, limit), words)
        if not parts or _fits([max(parts, key=lambda phrase: phrase.weight)], room):
            break
    while parts:
        text = _APART.join(phrase.text for phrase in parts)
        if _fits(parts, room):
            size = min(_PHRASE_SIZE, room / measured(Weight.REGULAR, text))
            return HeadText(text, left, size, Weight.REGULAR, room)
        parts.remove(min(parts, key=lambda phrase: phrase.weight))
    return None


def _with_short_names(scene: Scene, limit: int) -> Scene:
    return replace(scene, caption=scene.caption.lettered(limit))


def _nameless(scene: Scene) -> Scene:
    return replace(scene, caption=replace(scene.caption, white="", black=""))


def _fits(phrases: list[Phrase], room: float) -> bool:
    text = _APART.join(phrase.text for phrase in phrases)
    return measured(Weight.REGULAR, text) * LEAST <= room
