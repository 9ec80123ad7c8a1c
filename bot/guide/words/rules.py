"""The rules in six short pages, each with a lesson as its picture."""

from collections.abc import Callable, Mapping
from typing import Final

from bot.base.languages import Reader
from bot.play.words.names import names_of_colors
from dvonn import POINTS, Color, Coordinates
from renderer import LESSONS, Lesson

RULES: Final = tuple(LESSONS)
"""Names of the pages, in reading order."""

Rule = tuple[str, list[str]]
"""A title and a few short lines."""


def rule(reader: Reader, name: str, coordinates: Coordinates) -> Rule:
    return _RULES[name](reader, LESSONS[name], coordinates)


def _aim(reader: Reader, lesson: Lesson, _coordinates: Coordinates) -> Rule:
    white, black = (lesson.position.score(color) for color in Color)
    return reader.gettext("The aim"), [
        reader.gettext(
            "You move stacks onto other stacks. If your piece is on top, the whole stack is yours."
        ),
        reader.gettext("When nobody can move anymore, **the most pieces win**."),
        reader.gettext("In the picture White has {white} pieces, Black {black}.").format(
            white=white, black=black
        ),
        reader.gettext(
            "A number tells how tall a stack is. Red pieces are nobody's. A red diamond means "
            "there's one inside."
        ),
    ]


def _placement(reader: Reader, lesson: Lesson, coordinates: Coordinates) -> Rule:
    position, label = lesson.position, coordinates.label
    assert lesson.last is not None  # its picture shows a placement # noqa: S101
    explanation = reader.gettext(
        "In the picture {count} pieces are down, the last one on {last}. Type `{example}` to "
        "place the next one."
    ).format(
        count=position.plies,
        last=label(lesson.last.target),
        example=label(position.legal_moves()[0].target),
    )
    return reader.gettext("Placing"), [
        reader.gettext("Most games skip this: their board is full from the start."),
        reader.gettext(
            "You take turns placing pieces on any empty space. The three red **DVONN pieces** "
            "come first: White, Black, White."
        ),
        reader.gettext(
            "Then your own, Black first, until all {spaces} spaces are full. Nothing moves yet."
        ).format(spaces=len(POINTS)),
        explanation,
    ]


def _movement(reader: Reader, lesson: Lesson, coordinates: Coordinates) -> Rule:
    position, label = lesson.position, coordinates.label
    assert lesson.marks is not None  # its picture shows a choice # noqa: S101
    source, landings = lesson.marks.source, lesson.marks.landings
    assert source is not None  # that choice has a source  # noqa: S101
    height = position.height(source)
    explanation = reader.ngettext(
        "In the picture {source} is {height} tall. So it goes {height} space, to one of the "
        "circles: {targets}.",
        "In the picture {source} is {height} tall. So it goes {height} spaces, to one of the "
        "circles: {targets}.",
        height,
    ).format(
        source=label(source),
        height=height,
        targets=", ".join(map(label, landings)),
    )
    return reader.gettext("Moving"), [
        reader.gettext(
            "White starts. A stack moves in a straight line, **exactly as far as it is tall**. "
            "It lands on any piece or stack: yours, theirs or red. It can't land on an empty "
            "space."
        ),
        reader.gettext(
            "Now it's one stack, and it's yours. A red piece never moves alone, but it travels "
            "under yours."
        ),
        explanation,
    ]


def _surrounded(reader: Reader, lesson: Lesson, _coordinates: Coordinates) -> Rule:
    position = lesson.position
    own_stacks = [point for point in position.stacks if position.owner(point) is position.turn]
    movable = {move.source for move in position.legal_moves()}
    return reader.gettext("Surrounded"), [
        reader.gettext("A stack can't move while all six sides are taken."),
        reader.gettext(
            "At the edge there are fewer sides, so nothing holds a stack. The first moves come "
            "from there."
        ),
        reader.gettext(
            "On your turn, the stacks you can move are outlined. In the picture White can move "
            "{movable}, and {held} are stuck."
        ).format(movable=len(movable), held=len(own_stacks) - len(movable)),
    ]


def _cut(reader: Reader, lesson: Lesson, coordinates: Coordinates) -> Rule:
    position, label, last = lesson.position, coordinates.label, lesson.last
    assert last is not None  # its picture shows a move # noqa: S101
    assert last.source is not None  # that move is a movement  # noqa: S101
    lost_stacks = position.removed
    white, black = (
        sum(len(pieces) for pieces in lost_stacks.values() if pieces[-1] == color)
        for color in Color
    )
    explanation = reader.gettext(
        "In the picture {source} has moved to {target}. {gone}, now dashed, lost their link to "
        "red: White −{white}, Black −{black}."
    ).format(
        source=label(last.source),
        target=label(last.target),
        gone=", ".join(map(label, lost_stacks)),
        white=white,
        black=black,
    )
    return reader.gettext("Cut off"), [
        reader.gettext(
            "Every stack needs a link to red. It has a red piece inside, touches one, or touches "
            "a linked stack."
        ),
        reader.gettext(
            "Break the link and the stack is gone for good, yours or theirs. So stay near red, "
            "and check what your move cuts off."
        ),
        explanation,
    ]


def _end(reader: Reader, lesson: Lesson, _coordinates: Coordinates) -> Rule:
    position = lesson.position
    winner = Color.WHITE if position.winner is Color.WHITE else Color.BLACK
    winner_score, loser_score = sorted((position.score(color) for color in Color), reverse=True)
    sentence = reader.gettext("In the picture {player} wins, {more} to {fewer}.")
    return reader.gettext("The end"), [
        reader.gettext(
            "If you can't move, I pass for you. You can't skip a turn on purpose. When neither "
            "of you can move, the game is over."
        ),
        reader.gettext(
            "Then pile up all your stacks: the taller tower wins. A red piece alone is nobody's."
        ),
        sentence.format(
            player=names_of_colors(reader).name(winner), more=winner_score, fewer=loser_score
        ),
    ]


_RULES: Final[Mapping[str, Callable[[Reader, Lesson, Coordinates], Rule]]] = {
    "aim": _aim,
    "placement": _placement,
    "movement": _movement,
    "surrounded": _surrounded,
    "cut": _cut,
    "end": _end,
}
