"""The private picker, for choosing a move with a few taps instead of typing it."""

from collections.abc import Callable
from dataclasses import replace

from bot.base.languages import Reader
from bot.connection.posts import Button, ButtonStyle, FormWords, Option, Post, Select, SpokenPart
from bot.play.model.game import Game
from bot.play.model.preview import Preview
from bot.play.words import effects
from bot.play.words.moves import by_row, where_to_place
from bot.play.words.names import seat_name
from bot.play.words.pictures import Picture, is_turned, look_of, picture, picture_name
from bot.play.words.stack_buttons import by_stack, landing_buttons, shows_stacks, stacks_of_game
from bot.play.words.views import pick_id
from dvonn import Coordinates, Phase, Point, Position, format_move
from renderer import Marks, stack_facts


def picker(reader: Reader, game: Game, *, on_board: bool = False) -> Post:
    """Return the first step of the move picker. With `on_board`, it replaces the board."""
    back = (Button(reader.gettext("Back"), pick_id(game, "board"), row=_LAST_ROW),)
    post = (
        _free_spaces(reader, game, on_board=on_board)
        if game.position.phase is Phase.PLACEMENT
        else _movable(reader, game, on_board=on_board)
    )
    return replace(post, buttons=(*post.buttons, *back)) if on_board else post


def _movable(reader: Reader, game: Game, *, on_board: bool) -> Post:
    stacks = tuple(by_stack(game.position))
    return Post(
        content=reader.gettext("Which stack?"),
        picture=_picture(reader, game, Marks(landings=stacks), on_board=on_board),
        buttons=stacks_of_game(reader, game),
    )


def landings(reader: Reader, game: Game, stack: Point, *, on_board: bool = False) -> Post:
    position, coordinates = game.position, reader.coordinates_or(game.row.coordinates)
    moves = by_stack(position)[stack]
    question = reader.gettext("{stack} can go to:").format(
        stack=_stack(reader, position, coordinates, stack)
    )
    notation = game.row.coordinates
    return Post(
        content=question,
        picture=_picture(reader, game, Marks.for_stack(position, stack), on_board=on_board),
        buttons=landing_buttons(
            reader,
            position,
            moves,
            notation,
            go=lambda move: pick_id(game, f"go:{format_move(move, notation)}"),
            back=pick_id(game, "board" if on_board and shows_stacks(game) else "back"),
            with_costs=True,
        ),
    )


def move_form(reader: Reader, game: Game) -> FormWords:
    example = format_move(
        game.position.legal_moves()[0], reader.coordinates_or(game.row.coordinates)
    )
    placeholder = reader.gettext("e.g. {example}").format(example=example)
    if game.position.phase is Phase.PLACEMENT:
        return FormWords(
            reader.gettext("Place a piece"), reader.gettext("A free space"), placeholder
        )
    return FormWords(reader.gettext("Move a stack"), reader.gettext("From and to"), placeholder)


def _free_spaces(reader: Reader, game: Game, *, on_board: bool) -> Post:
    return Post(
        content=where_to_place(reader, game.position),
        # The picture shows which spaces are free.
        picture=_picture(reader, game, Marks(), on_board=on_board),
        selects=space_lists(
            reader,
            lambda number: pick_id(game, f"row:{number}"),
            game.position,
            game.row.coordinates,
            turned=is_turned(reader, game),
        ),
    )


def _name(game: Game, kind: str, *, on_board: bool) -> str:
    """Return a picture's file name.

    A picker that replaces a board keeps the board's file name, which identifies boards.
    """
    name = picture_name(game.row.id, game.row.revision)
    return name if on_board else f"{kind}-{name}"


def _picture(reader: Reader, game: Game, marks: Marks, *, on_board: bool) -> Picture:
    return picture(
        reader,
        _name(game, "pick", on_board=on_board),
        game.position,
        reader.coordinates_or(game.row.coordinates),
        marks=marks,
        game=game,
        you=game.position.turn,
        spoken=SpokenPart.NOTHING,
    )


def _stack(reader: Reader, position: Position, coordinates: Coordinates, point: Point) -> str:
    label = coordinates.label(point)
    height = stack_facts(position.stacks[point], look_of(reader).words)
    return f"{label} ({height})" if height else label


def preview(reader: Reader, move_preview: Preview, *, on_board: bool = False) -> Post:
    game, move, move_effects = move_preview.game, move_preview.move, move_preview.does
    coordinates = reader.coordinates_or(game.row.coordinates)
    own_score, other_score = (
        move_effects.after.score(player)
        for player in (move_effects.mover, move_effects.mover.opponent)
    )
    lines = [
        reader.gettext("**{move}** isn't played yet.").format(move=format_move(move, coordinates)),
        *effects.cut_off(reader, game, move_effects, reads=move_effects.mover),
        reader.gettext("If the game ended now: you {own}, {other} {others}.").format(
            own=own_score, other=seat_name(game, move_effects.mover.opponent), others=other_score
        ),
        _next(reader, move_preview, coordinates),
    ]
    move_text = format_move(move, game.row.coordinates)
    return Post(
        content="\n".join(lines),
        picture=picture(
            reader,
            _name(game, "preview", on_board=on_board),
            move_effects.after,
            coordinates,
            last=move,
            seen_in=game,
            you=move_effects.mover,
            spoken=SpokenPart.BOARD,
        ),
        buttons=(
            Button(
                reader.gettext("Play it"), pick_id(game, f"play:{move_text}"), ButtonStyle.SUCCESS
            ),
            Button(reader.gettext("Choose another"), pick_id(game, "back")),
        ),
    )


def _next(reader: Reader, move_preview: Preview, coordinates: Coordinates) -> str:
    effects = move_preview.does
    other = seat_name(move_preview.game, effects.mover.opponent)
    if effects.ends_game:
        return reader.gettext("It ends the game.")
    if effects.moves_again:
        return reader.gettext("Then {other} can't move, and you move again.").format(other=other)
    if effects.threat is None:
        return reader.gettext("{player} can't cut you off next turn.").format(player=other)
    return reader.ngettext(
        "Watch out: {move} would then cut off {count} of your pieces.",
        "Watch out: {move} would then cut off {count} of your pieces.",
        effects.threat.pieces,
    ).format(count=effects.threat.pieces, move=format_move(effects.threat.by, coordinates))


_FREE_PER_LIST = 25
_LAST_ROW = 4


def space_lists(
    reader: Reader,
    custom_id: Callable[[int], str],
    position: Position,
    coordinates: Coordinates,
    *,
    turned: bool,
) -> tuple[Select, ...]:
    """Return the free spaces, row by row, in as few selects as possible, numbered from 0."""
    label = reader.coordinates_or(coordinates).label
    rows = by_row((move.target for move in position.legal_moves()), turned=turned)
    free = [point for points in rows.values() for point in points]
    lists = [free[at : at + _FREE_PER_LIST] for at in range(0, len(free), _FREE_PER_LIST)]
    return tuple(
        Select(
            custom_id(number),
            reader.gettext("Place on {first} to {last}").format(
                first=label(points[0]), last=label(points[-1])
            ),
            tuple(Option(label(point), coordinates.label(point)) for point in points),
        )
        for number, points in enumerate(lists)
    )
