"""All themes by their keys. tests/renderer/test_themes.py says what must be told apart in each."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from renderer.theme import BLACK, SLATE, WHITE, PieceColours, Rgb, Theme

_IVORY: Final[Rgb] = (255, 250, 238)
_INK: Final[Rgb] = (22, 22, 24)

LIGHT: Final = replace(
    SLATE,
    canvas=(246, 248, 250),
    frame=(204, 213, 221),
    cell=(124, 141, 155),
    cell_label=(12, 17, 22),
    label=(52, 64, 75),
    text=(20, 28, 36),
    quiet_text=(80, 94, 106),
    accent=(158, 56, 0),
    accent_edge=WHITE,
    landing=(0, 52, 116),
    movable=(20, 14, 8),
    white=PieceColours(
        top=(255, 255, 255),
        side=(216, 218, 220),
        seam=(112, 117, 122),
        well=(244, 245, 246),
        ink=_INK,
        gloss=0.3,
    ),
    black=replace(SLATE.black, ink=WHITE),
    red=replace(SLATE.red, ink=WHITE),
    mark=(204, 24, 40),
    mark_edge=WHITE,
)


def _flat(top: Rgb, *, seam: Rgb, ink: Rgb, well: Rgb | None = None) -> PieceColours:
    """Return the colours of a piece without light and shade, in black lines."""
    return PieceColours(
        top=top, side=top, seam=seam, well=well or top, ink=ink, gloss=0.0, rim=BLACK
    )


CONTRAST: Final = Theme(
    canvas=BLACK,
    frame=BLACK,
    cell=(154, 154, 154),
    cell_label=BLACK,
    label=WHITE,
    text=WHITE,
    quiet_text=(226, 226, 226),
    accent=(255, 221, 0),
    accent_edge=BLACK,
    landing=(96, 240, 255),
    movable=WHITE,
    white=_flat(WHITE, seam=BLACK, ink=BLACK),
    black=_flat(BLACK, seam=(112, 112, 112), ink=WHITE),
    red=_flat((150, 0, 0), seam=BLACK, ink=WHITE, well=(60, 0, 0)),
    mark=(130, 0, 0),
    mark_edge=WHITE,
    dimming=0.3,
    panel=(44, 44, 44),
    relief=0.0,
    outline=0.055,
)

COLOURBLIND: Final = replace(
    SLATE,
    canvas=(26, 32, 44),
    frame=(46, 56, 74),
    cell=(128, 138, 148),
    cell_label=(14, 18, 24),
    label=(214, 222, 232),
    text=(246, 246, 244),
    quiet_text=(182, 192, 204),
    accent=(240, 228, 66),
    accent_edge=(28, 24, 4),
    landing=(104, 192, 240),
    movable=WHITE,
    white=PieceColours(
        top=WHITE,
        side=(214, 216, 220),
        seam=(112, 116, 122),
        well=(242, 243, 245),
        ink=_INK,
        gloss=0.3,
    ),
    black=PieceColours(
        top=(14, 15, 18),
        side=(46, 50, 56),
        seam=(4, 5, 6),
        well=(10, 11, 13),
        ink=WHITE,
        gloss=0.4,
    ),
    red=PieceColours(
        top=(213, 94, 0),
        side=(180, 78, 0),
        seam=(84, 36, 0),
        well=(110, 46, 0),
        ink=WHITE,
        gloss=0.4,
        rim=WHITE,
    ),
    mark=(213, 94, 0),
    mark_edge=WHITE,
    outline=0.05,
)
"""The hues of Okabe and Ito, "Color Universal Design" (2008): vermilion, yellow and sky blue."""

NEWSLETTER: Final = replace(
    CONTRAST,
    canvas=WHITE,
    frame=(128, 128, 128),
    cell=WHITE,
    cell_label=(88, 88, 88),
    label=BLACK,
    text=BLACK,
    quiet_text=(84, 84, 84),
    accent=BLACK,
    accent_edge=WHITE,
    landing=(60, 60, 60),
    movable=BLACK,
    black=_flat(BLACK, seam=WHITE, ink=WHITE),
    red=replace(_flat((222, 222, 222), seam=BLACK, ink=BLACK), hatch=BLACK),
    mark=BLACK,
    panel=(232, 232, 232),
    outline=0.05,
)
"""The look of printed diagrams of DVONN: lines on white paper, red pieces hatched."""

WOOD: Final = replace(
    SLATE,
    canvas=(54, 36, 24),
    frame=(92, 60, 36),
    cell=(173, 125, 81),
    cell_label=(30, 18, 10),
    label=(236, 220, 196),
    text=(250, 244, 234),
    quiet_text=(214, 196, 170),
    accent=(255, 222, 92),
    accent_edge=(38, 22, 6),
    landing=(80, 220, 235),
    movable=_IVORY,
    white=PieceColours(
        top=_IVORY,
        side=(216, 204, 182),
        seam=(126, 112, 92),
        well=(242, 232, 212),
        ink=(34, 24, 16),
        gloss=0.3,
    ),
    black=PieceColours(
        top=(26, 21, 19),
        side=(54, 44, 38),
        seam=(8, 6, 4),
        well=(20, 15, 12),
        ink=_IVORY,
        gloss=0.45,
    ),
    red=PieceColours(
        top=(112, 4, 10),
        side=(94, 4, 10),
        seam=(46, 2, 4),
        well=(60, 4, 8),
        ink=_IVORY,
        gloss=0.55,
    ),
    mark=(206, 24, 36),
    mark_edge=_IVORY,
)

THEMES: Final[Mapping[str, Theme]] = MappingProxyType(
    {
        "slate": SLATE,
        "light": LIGHT,
        "contrast": CONTRAST,
        "colourblind": COLOURBLIND,
        "newsletter": NEWSLETTER,
        "wood": WOOD,
    }
)
"""The themes that can be chosen, in the order in which they are offered; keys are stored."""
