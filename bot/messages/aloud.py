"""A position row by row, in lines that a screen reader reads well."""

from bot.games.pie import drawn_boards
from bot.locales import gettext as _
from bot.messages.boards import standing
from bot.messages.posts import Post, fit
from bot.messages.stacks import about, by_row
from bot.model.game import Choosing, Game
from dvonn import POINTS, Color, Coordinates, Phase, Point, Position, format_move


def board_aloud(game: Game) -> Post:
    """The whole board in words, without a drawing: the top row first, each from left to right."""
    if game.choosing is Choosing.BOARD:
        return _boards_aloud(game)
    position, coordinates = game.position, game.row.coordinates
    lines = [standing(game), *_last_move(game)]
    if position.phase is Phase.PLACEMENT:
        lines.append(
            _("Pieces are being placed: {placed} of {total} so far.").format(
                placed=position.plies, total=len(POINTS)
            )
        )
    else:
        white, black = position.score(Color.WHITE), position.score(Color.BLACK)
        lines.append(
            _("Controlled pieces: White {white}, Black {black}.").format(white=white, black=black)
        )
    lines += _rows(position, coordinates)
    if position.phase is Phase.MOVEMENT:
        lines += _surrounded(position, coordinates)
    return Post(content=fit(lines))


def _boards_aloud(game: Game) -> Post:
    """The boards to choose from, in the same way, one after the other."""
    lines = [standing(game)]
    for number, position in enumerate(drawn_boards(game.row), start=1):
        lines.append(_("Board {number}:").format(number=number))
        lines += _rows(position, game.row.coordinates)
    return Post(content=fit(lines))


def _rows(position: Position, coordinates: Coordinates) -> list[str]:
    lines = []
    for row, points in by_row(position.stacks).items():
        stacks = ", ".join(_stack(position, point, coordinates) for point in points) or _("empty")
        lines.append(
            _("Row {row}: {stacks}.").format(row=coordinates.row_label(row), stacks=stacks)
        )
    return lines


def _last_move(game: Game) -> list[str]:
    """What was played last, and what came of it."""
    position, coordinates = game.position, game.row.coordinates
    if game.last is None:
        return []
    sentences = [_("Last move: {move}.").format(move=format_move(game.last, coordinates))]
    if position.removed:
        names = ", ".join(map(coordinates.label, position.removed))
        sentences.append(_("It cut off {names}.").format(names=names))
    sentences += [
        _("White had no legal move and passed.")
        if color is Color.WHITE
        else _("Black had no legal move and passed.")
        for color in position.passed
    ]
    return [" ".join(sentences)]


def _stack(position: Position, point: Point, coordinates: Coordinates) -> str:
    """What stands on a space: "d2 white", "d2 white (4 high, 1 red inside)" or "d2 red"."""
    name = coordinates.label(point)
    owner = position.owner(point)
    if owner is None:
        return _("{name} red").format(name=name)
    sentence = _("{name} white") if owner is Color.WHITE else _("{name} black")
    stack = sentence.format(name=name)
    return stack if position.height(point) == 1 else f"{stack} ({about(position, point)})"


def _surrounded(position: Position, coordinates: Coordinates) -> list[str]:
    held = [
        coordinates.label(point)
        for point in position.stacks
        if position.owner(point) is not None and position.is_surrounded(point)
    ]
    if not held:
        return []
    return [_("Surrounded, so that they cannot move: {names}.").format(names=", ".join(held))]
