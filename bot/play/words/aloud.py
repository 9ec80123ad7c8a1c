"""A position row by row, in lines that a screen reader reads well."""

from bot.base.locales import Reader
from bot.connection.posts import CONTENT_LIMIT, Post, fit
from bot.play.model.game import Choosing, Game
from bot.play.model.openings import random_boards
from bot.play.words import pie
from bot.play.words.boards import standing
from bot.play.words.moves import about, by_row
from bot.play.words.pictures import is_turned
from dvonn import POINTS, Color, Coordinates, Phase, Point, Position, format_move


def board_aloud(reader: Reader, game: Game) -> Post:
    """Tell the whole board in words, without a picture: the top row first, from left to right."""
    if game.choosing is Choosing.BOARD:
        return _boards_aloud(reader, game)
    position, coordinates = game.position, reader.naming(game.row.coordinates)
    lines = [standing(reader, game), *_last_move(reader, game)]
    if position.phase is Phase.PLACEMENT:
        lines.append(
            reader.gettext("{placed} of {total} pieces placed.").format(
                placed=position.plies, total=len(POINTS)
            )
        )
    else:
        white, black = position.score(Color.WHITE), position.score(Color.BLACK)
        lines.append(
            reader.gettext("Score: White {white}, Black {black}.").format(white=white, black=black)
        )
    lines += _rows(reader, position, coordinates, turned=is_turned(reader, game))
    if position.phase is Phase.MOVEMENT:
        lines += _surrounded(reader, position, coordinates)
    return Post(content=fit(reader, lines))


def _boards_aloud(reader: Reader, game: Game) -> Post:
    """Tell the boards to choose from, one after the other.

    Where a language is too long for that, each is told by what stands where.
    """
    lines = [standing(reader, game)]
    for number, position in enumerate(random_boards(game.row), start=1):
        lines.append(reader.gettext("Board {number}:").format(number=number))
        lines += _rows(reader, position, reader.naming(game.row.coordinates))
    if sum(len(line) + 1 for line in lines) > CONTENT_LIMIT:
        return Post(content="\n".join([standing(reader, game), pie.boards_in_words(reader, game)]))
    return Post(content="\n".join(lines))


def _rows(
    reader: Reader, position: Position, coordinates: Coordinates, *, turned: bool = False
) -> list[str]:
    lines = []
    for row, points in by_row(position.stacks, turned=turned).items():
        stacks = ", ".join(_stack(reader, position, point, coordinates) for point in points)
        sentence = (
            reader.gettext("Row {row}: {stacks}.")
            if stacks
            else reader.gettext("Row {row}: empty.")
        )
        lines.append(sentence.format(row=coordinates.row_label(row), stacks=stacks))
    return lines


def _last_move(reader: Reader, game: Game) -> list[str]:
    """Tell the last move and its effects."""
    position, coordinates = game.position, reader.naming(game.row.coordinates)
    if game.last is None:
        return []
    sentences = [
        reader.gettext("Last move: {move}.").format(move=format_move(game.last, coordinates))
    ]
    if position.removed:
        names = ", ".join(map(coordinates.label, position.removed))
        sentences.append(reader.gettext("It cut off {names}.").format(names=names))
    sentences += [
        reader.gettext("White couldn't move and passed.")
        if color is Color.WHITE
        else reader.gettext("Black couldn't move and passed.")
        for color in position.passed
    ]
    return [" ".join(sentences)]


def _stack(reader: Reader, position: Position, point: Point, coordinates: Coordinates) -> str:
    """Name the stack on a space: "d2 white", "d2 white (4 high, 1 red inside)" or "d2 red"."""
    name = coordinates.label(point)
    owner = position.owner(point)
    if owner is None:
        return reader.gettext("{name} red").format(name=name)
    sentence = (
        reader.gettext("{name} white") if owner is Color.WHITE else reader.gettext("{name} black")
    )
    stack = sentence.format(name=name)
    return stack if position.height(point) == 1 else f"{stack} ({about(reader, position, point)})"


def _surrounded(reader: Reader, position: Position, coordinates: Coordinates) -> list[str]:
    held = [
        coordinates.label(point)
        for point in position.stacks
        if position.owner(point) is not None and position.is_surrounded(point)
    ]
    if not held:
        return []
    return [reader.gettext("Surrounded, can't move: {names}.").format(names=", ".join(held))]
