"""All themes by key."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from dvonn.svg.theme import BLACK, WHITE, PiecePalette, Rgb, Theme

_IVORY: Final[Rgb] = (255, 250, 238)
_INK: Final[Rgb] = (22, 22, 24)

WOOD: Final = Theme(
    canvas=(34, 26, 20),
    frame=(74, 48, 30),
    cell=(172, 138, 88),
    cell_label=(44, 24, 8),
    moved=(240, 196, 84),
    label=(236, 220, 196),
    text=_IVORY,
    quiet_text=(214, 196, 170),
    accent=(255, 238, 80),
    accent_edge=(38, 22, 6),
    landing=(80, 220, 235),
    movable=(204, 255, 204),
    movable_edge=(20, 14, 10),
    white=PiecePalette(
        top=_IVORY,
        side=(226, 214, 190),
        seam=(112, 92, 64),
        well=(248, 240, 224),
        ink=(34, 24, 16),
        gloss=0.3,
        rim=(62, 40, 20),
    ),
    black=PiecePalette(
        top=(22, 18, 17),
        side=(66, 58, 52),
        seam=(8, 6, 4),
        well=(22, 18, 17),
        ink=_IVORY,
        gloss=0.45,
    ),
    red=PiecePalette(
        top=(244, 54, 58),
        side=(214, 26, 40),
        seam=(70, 2, 8),
        well=(140, 0, 30),
        ink=WHITE,
        gloss=0.3,
        rim=(96, 2, 12),
    ),
    mark=(216, 18, 40),
    mark_edge=_IVORY,
    dimming=0.32,
    outline=0.035,
)

SLATE: Final = WOOD.replace(
    canvas=(29, 37, 43),
    frame=(48, 62, 71),
    cell=(115, 140, 150),
    cell_label=(17, 24, 28),
    moved=(92, 184, 214),
    label=(214, 222, 225),
    text=(244, 245, 242),
    quiet_text=(180, 192, 198),
    accent=(255, 193, 61),
    accent_edge=(36, 28, 10),
    landing=(124, 236, 255),
    white=WOOD.white.replace(side=(214, 204, 182), seam=(122, 113, 97), ink=_INK, rim=(34, 42, 48)),
    black=WOOD.black.replace(top=(22, 24, 28), side=(64, 68, 76), well=(22, 24, 28)),
    dimming=0.29,
)

LIGHT: Final = WOOD.replace(
    canvas=(246, 248, 246),
    frame=(50, 72, 48),
    cell=(120, 152, 108),
    cell_label=(8, 22, 8),
    moved=(255, 226, 110),
    label=(16, 26, 20),
    text=(20, 32, 24),
    quiet_text=(76, 92, 80),
    accent=(158, 56, 0),
    accent_edge=WHITE,
    landing=(0, 52, 116),
    movable=WHITE,
    movable_edge=(8, 22, 8),
    white=WOOD.white.replace(top=WHITE, side=(220, 224, 220), seam=(96, 108, 96), rim=(36, 52, 36)),
    mark_edge=WHITE,
    dimming=0.28,
    panel=(214, 224, 212),
)


def _flat(top: Rgb, *, seam: Rgb, ink: Rgb, well: Rgb | None = None) -> PiecePalette:
    """Return a piece's colors without light and shade, with black lines."""
    return PiecePalette(
        top=top, side=top, seam=seam, well=well or top, ink=ink, gloss=0.0, rim=BLACK
    )


CONTRAST: Final = Theme(
    canvas=BLACK,
    frame=BLACK,
    cell=(150, 150, 150),
    cell_label=BLACK,
    moved=(255, 238, 120),
    label=WHITE,
    text=WHITE,
    quiet_text=(226, 226, 226),
    accent=(255, 221, 0),
    accent_edge=BLACK,
    landing=(96, 240, 255),
    movable=(255, 255, 204),
    movable_edge=BLACK,
    white=_flat(WHITE, seam=BLACK, ink=BLACK),
    black=_flat(BLACK, seam=(150, 150, 150), ink=WHITE),
    red=_flat((255, 70, 62), seam=BLACK, ink=WHITE, well=(140, 0, 0)),
    mark=(206, 0, 20),
    mark_edge=WHITE,
    dimming=0.37,
    panel=(44, 44, 44),
    relief=0.0,
    outline=0.04,
)

COLOURBLIND: Final = WOOD.replace(
    canvas=(22, 26, 44),
    frame=(52, 62, 104),
    cell=(124, 146, 188),
    cell_label=(4, 8, 24),
    moved=(244, 236, 120),
    label=(214, 222, 236),
    text=(246, 246, 248),
    quiet_text=(182, 192, 212),
    accent=(240, 228, 66),
    accent_edge=(28, 24, 4),
    landing=(64, 224, 255),
    movable=WHITE,
    movable_edge=(28, 24, 4),
    white=WOOD.white.replace(top=WHITE, side=(214, 218, 226), seam=(90, 96, 116), rim=(50, 58, 90)),
    black=WOOD.black.replace(top=(14, 15, 18), side=(56, 60, 70), well=(10, 11, 13), ink=WHITE),
    red=PiecePalette(
        top=(255, 160, 0),
        side=(222, 132, 0),
        seam=(70, 44, 0),
        well=(255, 160, 0),
        ink=(24, 14, 0),
        gloss=0.2,
        rim=(70, 44, 0),
    ),
    mark=(255, 160, 0),
    mark_edge=(24, 14, 0),
    dimming=0.33,
    outline=0.045,
)
"""A theme in the hues of Okabe and Ito, "Color Universal Design" (2008): vermilion, yellow, sky
blue.
"""

NEWSLETTER: Final = CONTRAST.replace(
    canvas=WHITE,
    frame=(128, 128, 128),
    cell=WHITE,
    cell_label=(60, 60, 60),
    moved=(208, 208, 208),
    label=BLACK,
    text=BLACK,
    quiet_text=(84, 84, 84),
    accent=BLACK,
    accent_edge=WHITE,
    landing=BLACK,
    dashed_landing=True,
    movable=WHITE,
    movable_edge=BLACK,
    movable_line=0.09,
    black=_flat(BLACK, seam=WHITE, ink=WHITE),
    red=_flat((176, 176, 176), seam=BLACK, ink=BLACK).replace(well=WHITE, hatch=BLACK),
    mark=BLACK,
    dims_to=(128, 128, 128),
    dimming=0.3,
    panel=(232, 232, 232),
    outline=0.05,
)
"""A theme like printed DVONN diagrams: lines on white paper, with red pieces hatched."""

THEMES: Final[Mapping[str, Theme]] = MappingProxyType(
    {
        "wood": WOOD,
        "slate": SLATE,
        "light": LIGHT,
        "contrast": CONTRAST,
        "colourblind": COLOURBLIND,
        "newsletter": NEWSLETTER,
    }
)
"""The themes, in the order of menus. The keys are stored in the database."""
