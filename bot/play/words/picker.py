"""The private picker: a place or a move by a few taps on a picture of the board, no typing."""

from collections.abc import Iterable, Sequence

from bot.base.formats import explained
from bot.base.locales import Reader
from bot.connection.posts import OPTION_LIMIT, Button, ButtonStyle, FormWords, Option, Post, Select
from bot.play.model.game import Game
from bot.play.model.previewing import cut_off
from bot.play.words.buttons import BoardPart, buttons_of
from bot.play.words.moves import about, by_row, by_stack
from bot.play.words.pictures import Picture, is_turned, picture, picture_name
from dvonn import Coordinates, Move, Phase, Point, Position, format_move
from renderer import Marks


def picker(reader: Reader, game: Game, parts: Iterable[BoardPart] = ()) -> Post:
    """Return the first choice of the player to move: a free space, or a stack."""
    if game.position.phase is Phase.PLACEMENT:
        return _free_spaces(reader, game)
    stacks = tuple(by_stack(game.position))
    return Post(
        content=reader.ngettext(
            "Which stack? ({count} can move)", "Which stack? ({count} can move)", len(stacks)
        ).format(count=len(stacks)),
        picture=_picture(reader, game, Marks(landings=stacks)),
        selects=(_stacks(reader, game, None),),
        buttons=buttons_of(reader, game, parts),
    )


def landings(reader: Reader, game: Game, source: Point) -> Post:
    """Return the landings of a chosen stack, with a picture that marks it, and a way back."""
    position, coordinates = game.position, reader.naming(game.row.coordinates)
    moves = by_stack(position)[source]
    lines = [
        reader.gettext("{stack} can go to:").format(
            stack=_stack(reader, position, coordinates, source)
        )
    ]
    if any(sum(cut_off(position, move)) for move in moves):
        lines.append(
            reader.gettext("✂ says how many pieces it cuts off from red, and how many are yours.")
        )
    back = Button(reader.gettext("Back"), pick_id(game, "back"))
    return Post(
        content="\n".join(lines),
        picture=_picture(reader, game, Marks.of(position, source)),
        selects=(_stacks(reader, game, source),),
        buttons=(*(_landing(reader, game, move) for move in moves), back),
    )


def move_form(reader: Reader, game: Game) -> FormWords:
    """Return the form for typing a move."""
    example = format_move(game.position.legal_moves()[0], reader.naming(game.row.coordinates))
    placeholder = reader.gettext("e.g. {example}").format(example=example)
    if game.position.phase is Phase.PLACEMENT:
        return FormWords(
            reader.gettext("Place a piece"), reader.gettext("A free space"), placeholder
        )
    return FormWords(reader.gettext("Move a stack"), reader.gettext("From and to"), placeholder)


def pick_id(game: Game, action: str) -> str:
    """Return the id of a part of a picker."""
    return f"dvonn:pick:{game.row.id}:{game.row.revision}:{action}"


def _free_spaces(reader: Reader, game: Game) -> Post:
    """Return one list for each row of the board, as it is shown: the top row first."""
    coordinates, kept = reader.naming(game.row.coordinates), game.row.coordinates
    free = [move.target for move in game.position.legal_moves()]
    question = (
        reader.gettext("Where does the red piece go?")
        if game.position.to_place == "R"
        else reader.gettext("Where does your piece go?")
    )
    return Post(
        content=question,
        picture=_picture(reader, game, Marks()),  # which are free is plain to see
        selects=tuple(
            Select(
                pick_id(game, f"row:{row}"),
                _row(reader, coordinates, row, points),
                tuple(Option(coordinates.label(point), kept.label(point)) for point in points),
            )
            for row, points in by_row(free, turned=is_turned(reader, game)).items()
            if points
        ),
    )


def _row(reader: Reader, coordinates: Coordinates, row: int, points: Sequence[Point]) -> str:
    """Name the spaces of a row that can be chosen."""
    first, last = coordinates.label(points[0]), coordinates.label(points[-1])
    label = coordinates.row_label(row)
    if len(points) == 1:
        return reader.gettext("Row {row}: {names}").format(row=label, names=first)
    words = reader.gettext("Row {row}: {first} to {last}")
    return words.format(row=label, first=first, last=last)


def _picture(reader: Reader, game: Game, marks: Marks) -> Picture:
    return picture(
        reader,
        f"pick-{picture_name(game.row.id, game.row.revision)}",
        game.position,
        reader.naming(game.row.coordinates),
        marks=marks,
        game=game,
    )


def _landing(reader: Reader, game: Game, move: Move) -> Button:
    """Return a landing and what it cuts off; a loss of own pieces is marked in words and colour."""
    own, others = cut_off(game.position, move)
    label = reader.naming(game.row.coordinates).label(move.target)
    if own and others:
        label = reader.gettext("{landing} ✂{count}, {own} yours").format(
            landing=label, count=own + others, own=own
        )
    elif own:
        label = reader.gettext("{landing} ✂{count} yours").format(landing=label, count=own)
    elif others:
        label = f"{label} ✂{others}"
    return Button(
        label,
        pick_id(game, f"go:{format_move(move, game.row.coordinates)}"),
        ButtonStyle.DANGER if own else ButtonStyle.PRIMARY,
    )


def _stacks(reader: Reader, game: Game, chosen: Point | None) -> Select:
    position, coordinates = game.position, reader.naming(game.row.coordinates)
    return Select(
        pick_id(game, "stack"),
        reader.gettext("Choose a stack"),
        tuple(
            Option(
                reader.ngettext(
                    "{stack} · {count} move", "{stack} · {count} moves", len(moves)
                ).format(stack=coordinates.label(point), count=len(moves)),
                game.row.coordinates.label(point),
                _landings(reader, position, coordinates, moves),
                chosen=point == chosen,
            )
            for point, moves in by_stack(position).items()
        ),
    )


def _landings(
    reader: Reader, position: Position, coordinates: Coordinates, moves: list[Move]
) -> str:
    """Describe a stack in the list below its name: "3 high: to c1, e3"."""
    source = moves[0].source
    assert source is not None  # they are movements  # noqa: S101
    targets = ", ".join(coordinates.label(move.target) for move in moves)
    words = reader.gettext("to {targets}").format(targets=targets)
    if height := about(reader, position, source):
        words = explained(reader, height, words)
    return words[:OPTION_LIMIT]


def _stack(reader: Reader, position: Position, coordinates: Coordinates, point: Point) -> str:
    label, height = coordinates.label(point), about(reader, position, point)
    return f"{label} ({height})" if height else label
