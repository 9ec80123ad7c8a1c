"""Texts about possible moves and their effects."""

from collections.abc import Iterable

import dvonn
from bot.base.formats import shortened_list, with_explanation
from bot.base.languages import Reader
from bot.connection.posts import OPTION_LIMIT, Option, Post, join_within_limit
from bot.play.model.game import Game
from bot.play.words import effects
from bot.play.words.boards import standing
from bot.play.words.names import Names, names_for, your_color
from bot.play.words.pictures import is_turned
from bot.play.words.stack_buttons import by_stack
from bot.play.words.views import score
from dvonn.move_effects import MoveEffects


def suggestions(reader: Reader, game: Game, moves: Iterable[dvonn.Move]) -> tuple[Option, ...]:
    """Return moves as choices, with their effects: "d2-d4 · cuts off 3 · white"."""
    position, coordinates = game.position, reader.coordinates_or(game.row.coordinates)
    return tuple(
        Option(
            label=" · ".join(
                [dvonn.format_move(move, coordinates), *_effects(reader, position, move)]
            )[:OPTION_LIMIT],
            value=dvonn.format_move(move, coordinates),
        )
        for move in moves
    )


def legal_moves(reader: Reader, game: Game) -> Post:
    if game.position.phase is dvonn.Phase.PLACEMENT:
        return Post(content=_free_spaces(reader, game))
    return Post(content=_stacks(reader, game.position, reader.coordinates_or(game.row.coordinates)))


def _effects(reader: Reader, position: dvonn.Position, move: dvonn.Move) -> list[str]:
    if move.source is None:
        return [reader.gettext("places a red")] if position.to_place == "R" else []
    does = MoveEffects(position, move)
    said = effects.weights(reader, does)
    if does.ends_game:
        said.append(reader.gettext("ends the game"))
    elif does.moves_again:
        said.append(reader.gettext("you move again"))
    return [*said, effects.landing_words(reader, does.landing)]


def _free_spaces(reader: Reader, game: Game) -> str:
    position, coordinates = game.position, reader.coordinates_or(game.row.coordinates)
    free = position.legal_moves()
    piece = {
        "R": reader.gettext("You place a red piece."),
        "W": reader.gettext("You place a white piece."),
        "B": reader.gettext("You place a black piece."),
    }[position.to_place or "R"]
    count = reader.ngettext("{count} space is free:", "{count} spaces are free:", len(free))
    lines = [f"{piece} {count.format(count=len(free))}"]
    rows = by_row((move.target for move in free), turned=is_turned(reader, game))
    for row, points in rows.items():
        if points:
            names = ", ".join(map(coordinates.label, points))
            lines.append(
                reader.gettext("Row {row}: {names}").format(
                    row=coordinates.row_label(row), names=names
                )
            )
    return join_within_limit(reader, lines)


def _stacks(reader: Reader, position: dvonn.Position, coordinates: dvonn.Coordinates) -> str:
    stacks = by_stack(position)
    sentence = reader.ngettext("{count} stack can move:", "{count} stacks can move:", len(stacks))
    color = position.turn or dvonn.Color.WHITE
    lines = [f"{your_color(reader, color)} {sentence.format(count=len(stacks))}"]
    for source, moves in stacks.items():
        name = coordinates.label(source)
        if height := stack_text(reader, position, source):
            name = f"{name} ({height})"
        targets = ", ".join(_target(reader, position, move, coordinates) for move in moves)
        lines.append(with_explanation(reader, name, targets))
    return join_within_limit(reader, lines)


def _target(
    reader: Reader, position: dvonn.Position, move: dvonn.Move, coordinates: dvonn.Coordinates
) -> str:
    name = coordinates.label(move.target)
    said = effects.weights(reader, MoveEffects(position, move))
    return f"{name} [{' · '.join(said)}]" if said else name


def stack_text(reader: Reader, position: dvonn.Position, point: dvonn.Point) -> str:
    """Describe a stack's height and reds: "4 tall, 1 red inside", or "" for a single piece."""
    height, reds = position.height(point), position.reds(point)
    if height == 1:
        return ""
    sentence = (
        reader.ngettext(
            "{height} tall, {reds} red inside", "{height} tall, {reds} red inside", reds
        )
        if reds
        else reader.ngettext("{height} tall", "{height} tall", height)
    )
    return sentence.format(height=height, reds=reds)


def passes(reader: Reader, position: dvonn.Position, names: Names | None = None) -> list[str]:
    """Return who can't move on a board. Without names, the players are their colors."""
    if names is not None:
        sentence = reader.gettext("{player} can't move and passes.")
        return [sentence.format(player=names.given(color)) for color in position.passed]
    said = {
        dvonn.Color.WHITE: reader.gettext("White can't move and passes."),
        dvonn.Color.BLACK: reader.gettext("Black can't move and passes."),
    }
    return [said[color] for color in position.passed]


def by_row(points: Iterable[dvonn.Point], *, turned: bool = False) -> dict[int, list[dvonn.Point]]:
    """Return points grouped by row of the board as seen from White's side, top row first.

    Each row goes from left to right. On a turned board, White's own row comes first.
    """
    rows: dict[int, list[dvonn.Point]] = {row: [] for row in range(dvonn.ROWS)}
    for point in points:
        rows[dvonn.column_row(point)[1]].append(point)
    if turned:
        return {row: some[::-1] for row, some in rows.items()}
    return dict(reversed(rows.items()))


def stands_alone(
    reader: Reader,
    position: dvonn.Position,
    coordinates: dvonn.Coordinates,
    found: Iterable[dvonn.Move],
) -> str:
    """Explain why a text with a move in it was not played."""
    moves = [f"`{dvonn.format_move(move, coordinates)}`" for move in found]
    if not moves:
        legal = position.legal_moves() or dvonn.Position.initial().legal_moves()
        return reader.gettext(
            "I only play a move on its own, such as `{example}`. A kind word or an emoji is "
            "fine, too."
        ).format(example=dvonn.format_move(legal[0], coordinates))
    if len(moves) == 1:
        return reader.gettext(
            "Did you mean {move}? Then send just that, or edit your message."
        ).format(move=moves[0])
    return reader.gettext(
        "I see several moves there: {moves}. Send just one, or edit your message."
    ).format(moves=shortened_list(reader, moves))


def board_aloud(reader: Reader, game: Game) -> Post:
    position, coordinates = game.position, reader.coordinates_or(game.row.coordinates)
    lines = [standing(reader, game), *_last_move(reader, game)]
    if position.phase is dvonn.Phase.PLACEMENT:
        lines.append(
            reader.gettext("{placed} of {total} pieces placed.").format(
                placed=position.plies, total=len(dvonn.POINTS)
            )
        )
    else:
        lines.append(score(reader, position, names_for(game)))
    lines += _rows(reader, position, coordinates, turned=is_turned(reader, game))
    if position.phase is dvonn.Phase.MOVEMENT:
        lines += _surrounded(reader, position, coordinates)
    return Post(content=join_within_limit(reader, lines))


def _rows(
    reader: Reader,
    position: dvonn.Position,
    coordinates: dvonn.Coordinates,
    *,
    turned: bool = False,
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
    position, coordinates = game.position, reader.coordinates_or(game.row.coordinates)
    if game.last is None:
        return []
    sentences = [
        reader.gettext("Last move: {move}.").format(move=dvonn.format_move(game.last, coordinates))
    ]
    if position.removed:
        names = ", ".join(map(coordinates.label, position.removed))
        sentences.append(reader.gettext("It cut off {names}.").format(names=names))
    return [" ".join([*sentences, *passes(reader, position, names_for(game))])]


def _stack(
    reader: Reader, position: dvonn.Position, point: dvonn.Point, coordinates: dvonn.Coordinates
) -> str:
    """Name the stack on a space: "d2 white", "d2 white (4 tall, 1 red inside)" or "d2 red"."""
    name = coordinates.label(point)
    owner = position.owner(point)
    if owner is None:
        return reader.gettext("{name} red").format(name=name)
    sentence = (
        reader.gettext("{name} white")
        if owner is dvonn.Color.WHITE
        else reader.gettext("{name} black")
    )
    stack = sentence.format(name=name)
    return (
        stack if position.height(point) == 1 else f"{stack} ({stack_text(reader, position, point)})"
    )


def _surrounded(
    reader: Reader, position: dvonn.Position, coordinates: dvonn.Coordinates
) -> list[str]:
    held = [
        coordinates.label(point)
        for point in position.stacks
        if position.owner(point) is not None and position.is_surrounded(point)
    ]
    if not held:
        return []
    return [reader.gettext("Surrounded, can't move: {names}.").format(names=", ".join(held))]
