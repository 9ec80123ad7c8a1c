"""The rules in six short pages, each with the lesson that its picture shows."""

from collections.abc import Callable, Mapping
from typing import Final

from bot.base.locales import Reader
from dvonn import POINTS, Color, Coordinates
from renderer import LESSONS, Lesson

RULES: Final = tuple(LESSONS)
"""The names of the pages, in the order in which they are best read."""

Rule = tuple[str, list[str]]
"""A title, and a few short lines."""


def rule(reader: Reader, name: str, coordinates: Coordinates) -> Rule:
    return _RULES[name](reader, LESSONS[name], coordinates)


def _aim(reader: Reader, lesson: Lesson, _coordinates: Coordinates) -> Rule:
    white, black = (lesson.position.score(color) for color in Color)
    return reader.gettext("The aim"), [
        reader.gettext(
            "White and Black move stacks onto other stacks. Whoever has the piece on top owns the "
            "whole stack."
        ),
        reader.gettext("When nobody can move any more, **whoever owns the most pieces wins**."),
        reader.gettext(
            "In the picture White owns {white} pieces and Black {black}. Both numbers stand above "
            "the board."
        ).format(white=white, black=black),
        reader.gettext(
            "Numbers are heights. Red rings belong to nobody; a red diamond marks each red piece, "
            "in stacks too."
        ),
    ]


def _placement(reader: Reader, lesson: Lesson, coordinates: Coordinates) -> Rule:
    position, label = lesson.position, coordinates.label
    assert lesson.last is not None  # its picture is of a placement  # noqa: S101
    shown = reader.gettext(
        "In the picture {count} pieces are down, the last one on {last}, on a yellow space. "
        "Typing `{example}` places the next one there."
    ).format(
        count=position.plies,
        last=label(lesson.last.target),
        example=label(position.legal_moves()[0].target),
    )
    return reader.gettext("Placing"), [
        reader.gettext("Games on a ready-made board, the usual ones, skip this."),
        reader.gettext(
            "First the board is filled, one piece each in turn, on any empty space. The three red "
            "**DVONN pieces** come first: White, Black, White."
        ),
        reader.gettext(
            "Then your own, Black first, until all {spaces} spaces are full. Nothing moves yet."
        ).format(spaces=len(POINTS)),
        shown,
    ]


def _movement(reader: Reader, lesson: Lesson, coordinates: Coordinates) -> Rule:
    position, label = lesson.position, coordinates.label
    assert lesson.marks is not None  # its picture is of a choice  # noqa: S101
    source, landings = lesson.marks.source, lesson.marks.landings
    assert source is not None  # the same  # noqa: S101
    height = position.height(source)
    shown = reader.ngettext(
        "In the picture {source}, outlined in yellow, is {height} high. It can go {height} space, "
        "to one of the blue circles: {targets}.",
        "In the picture {source}, outlined in yellow, is {height} high. It can go {height} spaces, "
        "to one of the blue circles: {targets}.",
        height,
    ).format(
        source=label(source),
        height=height,
        targets=", ".join(map(label, landings)),
    )
    return reader.gettext("Moving"), [
        reader.gettext(
            "White starts. Move a whole stack of yours in a straight line, **exactly as many "
            "spaces as it has pieces**, onto another piece or stack: yours, theirs or red. Never "
            "onto an empty space."
        ),
        reader.gettext(
            "They become one stack, yours. A red piece alone never moves; under your piece it "
            "travels with it."
        ),
        shown,
    ]


def _surrounded(reader: Reader, lesson: Lesson, _coordinates: Coordinates) -> Rule:
    position = lesson.position
    own = [point for point in position.stacks if position.owner(point) is position.turn]
    movable = {move.source for move in position.legal_moves()}
    return reader.gettext("Surrounded"), [
        reader.gettext(
            "A stack with neighbours on all six sides can't move until one side is free."
        ),
        reader.gettext(
            "Stacks at the edge have fewer sides, so nothing holds them. That's why the first "
            "moves come from the edge."
        ),
        reader.gettext(
            "When it is your turn, your stacks that can move are outlined and your others dimmed. "
            "In the picture White has {movable} that can move, and {held} that can't."
        ).format(movable=len(movable), held=len(own) - len(movable)),
    ]


def _cut(reader: Reader, lesson: Lesson, coordinates: Coordinates) -> Rule:
    position, label, last = lesson.position, coordinates.label, lesson.last
    assert last is not None  # its picture is of a move  # noqa: S101
    assert last.source is not None  # the same  # noqa: S101
    gone = position.removed
    white, black = (
        sum(len(pieces) for pieces in gone.values() if pieces[-1] == color) for color in Color
    )
    shown = reader.gettext(
        "In the picture the stack on {source} has moved to {target}. {gone}, shown with dashed "
        "lines, lost their only link to red and are gone: White −{white}, Black −{black}."
    ).format(
        source=label(last.source),
        target=label(last.target),
        gone=", ".join(map(label, gone)),
        white=white,
        black=black,
    )
    return reader.gettext("Cut off"), [
        reader.gettext(
            "After each move every stack must be connected to a red piece: it has one inside, "
            "touches one, or touches a stack that is connected."
        ),
        reader.gettext(
            "Whatever isn't leaves the board for good, yours and theirs. So stay near the red "
            "pieces, and check what your move cuts off."
        ),
        shown,
    ]


def _end(reader: Reader, lesson: Lesson, _coordinates: Coordinates) -> Rule:
    position = lesson.position
    white, black = (position.score(color) for color in Color)
    sentence = (
        reader.gettext("In the picture White wins, {white} to {black}.")
        if position.winner is Color.WHITE
        else reader.gettext("In the picture Black wins, {black} to {white}.")
    )
    return reader.gettext("The end"), [
        reader.gettext(
            "You can't pass by choice; I pass for you when you can't move, until you can again. "
            "When neither of you can move, the game is over."
        ),
        reader.gettext(
            "Count all pieces in the stacks you own: the higher tower wins. Red pieces alone count "
            "for nobody."
        ),
        sentence.format(white=white, black=black),
    ]


_RULES: Final[Mapping[str, Callable[[Reader, Lesson, Coordinates], Rule]]] = {
    "aim": _aim,
    "placement": _placement,
    "movement": _movement,
    "surrounded": _surrounded,
    "cut": _cut,
    "end": _end,
}
