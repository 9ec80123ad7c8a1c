"""The last line of a diagram, which says whose turn it is, in all languages."""

from bot.base.languages import Reader
from dvonn import Color
from dvonn._rules.layout import turn_line


def turn_lines(reader: Reader) -> dict[str, str]:
    """Return the last lines of diagrams in a reader's language, by their English versions."""
    colors = {
        Color.WHITE: reader.pgettext("player in a sentence", "White"),
        Color.BLACK: reader.pgettext("player in a sentence", "Black"),
    }
    lines = {turn_line(None, placing=False): reader.gettext("Game over")}
    for placing, sentence in (
        (True, reader.gettext("{player} to place")),
        (False, reader.gettext("{player} to move")),
    ):
        for color, name in colors.items():
            line = sentence.format(player=name)
            lines[turn_line(color, placing=placing)] = f"{line[0].upper()}{line[1:]}"
    return lines
