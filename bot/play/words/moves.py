"""Texts about possible moves and their effects."""

from collections.abc import Iterable

import dvonn
from bot.base.formats import shortened_list, with_explanation
from bot.base.ids import UserId
from bot.base.languages import Reader
from bot.connection.posts import OPTION_LIMIT, Option, Post, join_within_limit
from bot.play.model.game import Game
from bot.play.words import effects, events
from bot.play.words.names import Names, capitalized, names_of_colors, your_color
from bot.play.words.pictures import caption_aloud, described, is_turned, look_of
from bot.play.words.stack_buttons import by_stack
from dvonn_lessons.move_effects import MoveEffects
from renderer import described_stack, stack_facts


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
    move_effects = MoveEffects(position, move)
    parts = effects.weights(reader, move_effects)
    if move_effects.ends_game:
        parts.append(reader.gettext("ends the game"))
    elif move_effects.moves_again:
        parts.append(reader.gettext("you move again"))
    return [*parts, effects.landing_words(reader, move_effects.landing)]


def _free_spaces(reader: Reader, game: Game) -> str:
    position, coordinates = game.position, reader.coordinates_or(game.row.coordinates)
    free = position.legal_moves()
    piece = where_to_place(reader, position)
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
    words = look_of(reader).words
    for source, moves in stacks.items():
        name = coordinates.label(source)
        if height := stack_facts(position.stacks[source], words):
            name = f"{name} ({height})"
        targets = ", ".join(_target(reader, position, move, coordinates) for move in moves)
        lines.append(with_explanation(reader, name, targets))
    return join_within_limit(reader, lines)


def _target(
    reader: Reader, position: dvonn.Position, move: dvonn.Move, coordinates: dvonn.Coordinates
) -> str:
    name = coordinates.label(move.target)
    parts = effects.weights(reader, MoveEffects(position, move))
    return f"{name} [{' · '.join(parts)}]" if parts else name


def passes(reader: Reader, position: dvonn.Position, names: Names | None = None) -> list[str]:
    """Return sentences about who can't move. Without names, players are called by their colors."""
    names = names or names_of_colors(reader)
    sentence = reader.gettext("{player} can't move and passes.")
    return [capitalized(sentence.format(player=names.name(color))) for color in position.passed]


def where_to_place(reader: Reader, position: dvonn.Position) -> str:
    if position.to_place == "R":
        return reader.gettext("Where does the red piece go?")
    return reader.gettext("Where does your piece go?")


def by_row(points: Iterable[dvonn.Point], *, turned: bool = False) -> dict[int, list[dvonn.Point]]:
    """Return points grouped by row of the board as seen from White's side, top row first.

    Each row goes from left to right. On a turned board, White's own row comes first.
    """
    rows: dict[int, list[dvonn.Point]] = {row: [] for row in range(dvonn.ROWS)}
    for point in points:
        rows[dvonn.column_row(point)[1]].append(point)
    if turned:
        return {row: row_points[::-1] for row, row_points in rows.items()}
    return dict(reversed(rows.items()))


def stands_alone(
    reader: Reader,
    position: dvonn.Position,
    coordinates: dvonn.Coordinates,
    candidates: Iterable[dvonn.Move],
) -> str:
    """Explain why a text that contains a move was not played."""
    moves = [f"`{dvonn.format_move(move, coordinates)}`" for move in candidates]
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


def board_aloud(reader: Reader, game: Game, asker: UserId | None = None) -> Post:
    """Return a game's board as text: the description of its picture, then the stacks row by row."""
    position, coordinates = game.position, reader.coordinates_or(game.row.coordinates)
    description = described(
        look_of(reader),
        position,
        coordinates,
        last=game.last,
        caption=caption_aloud(game, asker),
        board=False,
    )
    lines = [*filter(None, [events.standing_offer(reader, game)]), description]
    lines += _rows(reader, game, coordinates)
    return Post(content=join_within_limit(reader, lines))


def _rows(reader: Reader, game: Game, coordinates: dvonn.Coordinates) -> list[str]:
    lines, stacks = [], game.position.stacks
    words, turned = look_of(reader).words, is_turned(reader, game)
    for row, points in by_row(stacks, turned=turned).items():
        row_text = ", ".join(
            f"{coordinates.label(point)} {described_stack(stacks[point], words)}"
            for point in points
        )
        sentence = (
            reader.gettext("Row {row}: {names}")
            if row_text
            else reader.gettext("Row {row}: empty.")
        )
        lines.append(sentence.format(row=coordinates.row_label(row), names=f"{row_text}."))
    return lines
