"""The private picker: a place or a move by a few taps, without typing."""

from dataclasses import dataclass

from bot.locales import Reader
from bot.messages.moves import about, by_row, by_stack
from bot.messages.pictures import picture, picture_name
from bot.messages.posts import Button, ButtonStyle, Option, Post, Select
from bot.model.game import Game
from dvonn import Coordinates, Phase, Point, Position, format_move
from renderer import Marks


def picker(reader: Reader, game: Game) -> Post:
    """What the player to move chooses from first: a free space, or a stack."""
    if game.position.phase is Phase.PLACEMENT:
        return _free_spaces(reader, game)
    return Post(
        content=reader.gettext("Which stack do you move? You have {count}.").format(
            count=len(by_stack(game.position))
        ),
        selects=(_stacks(reader, game, None),),
    )


def landings(reader: Reader, game: Game, source: Point) -> Post:
    """Where a chosen stack may go, with a picture that marks it."""
    position, coordinates = game.position, game.row.coordinates
    return Post(
        content=reader.gettext("{stack} can go to:").format(
            stack=_stack(reader, position, coordinates, source)
        ),
        picture=picture(
            reader,
            f"pick-{picture_name(game.row.id, game.row.revision)}",
            position,
            coordinates,
            marks=Marks.of(position, source),
            game=game,
        ),
        selects=(_stacks(reader, game, source),),
        buttons=tuple(
            Button(
                coordinates.label(move.target),
                pick_id(game, f"go:{format_move(move, coordinates)}"),
                ButtonStyle.PRIMARY,
            )
            for move in by_stack(position)[source]
        ),
    )


@dataclass(frozen=True, slots=True)
class FormWords:
    """What stands on the form for typing a move."""

    title: str
    label: str
    placeholder: str


def move_form(reader: Reader, game: Game) -> FormWords:
    """The form for typing a move."""
    example = format_move(game.position.legal_moves()[0], game.row.coordinates)
    if game.position.phase is Phase.PLACEMENT:
        return FormWords(
            reader.gettext("Place a piece"),
            reader.gettext("A free space"),
            reader.gettext("such as {example}").format(example=example),
        )
    return FormWords(
        reader.gettext("Move a stack"),
        reader.gettext("From and to"),
        reader.gettext("such as {example}").format(example=example),
    )


def pick_id(game: Game, action: str) -> str:
    """The id of a part of a picker."""
    return f"dvonn:pick:{game.row.id}:{game.row.revision}:{action}"


def _free_spaces(reader: Reader, game: Game) -> Post:
    """One select for each row of the board, as it is shown: the top row first."""
    coordinates = game.row.coordinates
    rows = by_row(move.target for move in game.position.legal_moves())
    question = (
        reader.gettext("Where do you place the red piece?")
        if game.position.to_place == "R"
        else reader.gettext("Where do you place your piece?")
    )
    return Post(
        content=question,
        selects=tuple(
            Select(
                pick_id(game, f"row:{row}"),
                reader.gettext("Row {row}: {first} to {last}").format(
                    row=coordinates.row_label(row),
                    first=coordinates.label(points[0]),
                    last=coordinates.label(points[-1]),
                ),
                tuple(
                    Option(coordinates.label(point), coordinates.label(point)) for point in points
                ),
            )
            for row, points in rows.items()
            if points
        ),
    )


def _stacks(reader: Reader, game: Game, chosen: Point | None) -> Select:
    position, coordinates = game.position, game.row.coordinates
    return Select(
        pick_id(game, "stack"),
        reader.gettext("Choose a stack"),
        tuple(
            Option(
                coordinates.label(point),
                coordinates.label(point),
                about(reader, position, point),
                chosen=point == chosen,
            )
            for point in by_stack(position)
        ),
    )


def _stack(reader: Reader, position: Position, coordinates: Coordinates, point: Point) -> str:
    return f"{coordinates.label(point)} ({about(reader, position, point)})"
