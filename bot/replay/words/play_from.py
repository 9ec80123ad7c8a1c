"""Buttons and the form for playing from a position."""

from bot.base.languages import Reader
from bot.connection import posts
from bot.play.words.begin_form import colour_names, list_field
from bot.play.words.challenges import level_name
from bot.replay.model.replays import ReplayCursor, ReplayView
from dvonn import Color, Phase, Position
from dvonn.machine import LEVELS


def play_from_id(cursor: ReplayCursor, *, with_form: bool = False) -> str:
    """Return the custom id of the button that starts a game, immediately or through a form."""
    return f"dvonn:from{'-with' if with_form else ''}:{cursor.with_line}"


def play_from(reader: Reader, view: ReplayView, row: int | None = None) -> tuple[posts.Button, ...]:
    """Return the buttons for playing from a view, or none while the game restricts help."""
    if view.is_running or view.position.phase is Phase.OVER:
        return ()
    plain_id, form_id = (
        play_from_id(view.cursor, with_form=with_form) for with_form in (False, True)
    )
    return play_from_buttons(reader, plain_id, form_id, row)


def play_from_buttons(
    reader: Reader, plain_id: str, form_id: str, row: int | None = None
) -> tuple[posts.Button, posts.Button]:
    """Return the button that starts a game from a board, and the one that opens a form first."""
    return (
        posts.Button(play_from_here(reader), plain_id, row=row),
        posts.Button(reader.gettext("Choose opponent"), form_id, row=row),
    )


def play_from_here(reader: Reader) -> str:
    return reader.gettext("Play from here")


def position_form(
    reader: Reader, position: Position, *, level: int | None, among_people: bool
) -> tuple[str, tuple[posts.AnyField, ...]]:
    """Return the title and fields of the form for a game from a position.

    Args:
        reader: The person who sees the form.
        position: The start position. Its color to move is the default.
        level: The machine's usual level for the reader, or None if the machine is off.
        among_people: True if there are other people to challenge.
    """
    colours = colour_names(reader)
    default = colours["black" if position.turn is Color.BLACK else "white"]
    fields: list[posts.AnyField] = []
    if among_people:
        machine_option = (
            reader.gettext("Leave it empty to play me")
            if level is not None
            else reader.gettext("Leave it empty for anyone")
        )
        fields.append(
            posts.PeopleField("opponent", reader.gettext("Opponent"), machine_option, most=1)
        )
    fields.append(list_field("colour", reader.gettext("Your color"), colours, default))
    if level is not None:
        levels = {str(number): level_name(reader, number) for number in LEVELS}
        fields.append(list_field("level", reader.gettext("My level"), levels, levels[str(level)]))
    example = reader.gettext("e.g. {example}").format(example="10+5")
    fields.append(posts.Field("clock", reader.gettext("Clock"), example))
    return play_from_here(reader), tuple(fields)
