"""The colours of a picture."""

from dataclasses import dataclass

Rgb = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Piece:
    """The colours of one side's pieces."""

    base: Rgb  # of the ring in plain light
    well: Rgb  # of the hole in a stack, on which the number stands
    ink: Rgb  # of the number
    gloss: float  # 0 (matt) to 1: how bright the highlight is


@dataclass(frozen=True, slots=True)
class Theme:
    """All colours of a picture. The pictures' contrasts are tested for DEFAULT only.

    The spaces are of a middle grey, as far from the white pieces as from the black ones.
    """

    canvas: Rgb  # behind everything
    frame: Rgb  # of the board, and the lines between its spaces
    cell: Rgb  # a space
    cell_label: Rgb  # the name of an empty space
    label: Rgb  # rows and columns
    text: Rgb
    quiet_text: Rgb
    accent: Rgb  # the last move
    accent_edge: Rgb  # the line around it
    white: Piece
    black: Piece
    red: Piece
    mark: Rgb  # a DVONN piece inside a stack
    mark_edge: Rgb  # the line around it


DEFAULT = Theme(
    canvas=(30, 38, 43),
    frame=(50, 63, 71),
    cell=(112, 134, 141),
    cell_label=(66, 82, 89),
    label=(198, 208, 211),
    text=(240, 241, 238),
    quiet_text=(172, 184, 189),
    accent=(255, 193, 61),
    accent_edge=(36, 28, 10),
    white=Piece(base=(243, 234, 216), well=(228, 217, 195), ink=(26, 26, 28), gloss=0.35),
    black=Piece(base=(48, 51, 57), well=(25, 27, 31), ink=(251, 246, 234), gloss=0.42),
    red=Piece(base=(196, 32, 46), well=(109, 15, 24), ink=(251, 238, 224), gloss=0.4),
    mark=(205, 30, 46),
    mark_edge=(255, 243, 226),
)
