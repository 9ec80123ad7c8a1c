"""Forms that start games: *More options* of /play and /challenge, and *Play from here*."""

from collections.abc import Mapping
from typing import Final

from bot.base.languages import Reader
from bot.connection import posts
from bot.play.model.terms import ColorChoice, Defaults, Place, Start
from dvonn import Coordinates

TEAMS: Final = "teams"
"""Value of the choice of a team game: everyone in a channel against the machine."""


STRICT: Final = "strict"
"""Value of the choice that running out of time loses without a claim by the opponent."""


def both_sides(reader: Reader) -> str:
    return reader.gettext("Nobody: play both sides yourself, or two of you at one screen")


def more_options(
    reader: Reader, defaults: Defaults, *, to_machine: bool, team: str | None = None
) -> tuple[str, tuple[posts.AnyField, ...]]:
    """Return the form's title and fields. A field without a choice takes the default.

    `team` is the label of a team game, if there are team games.
    """
    as_usual = reader.gettext("As usual here: {usual}")
    colours = colour_names(reader)
    starts: dict[str, str] = {
        start: start_name(reader, start) for start in (Start.BALANCED, Start.PLACEMENT)
    }
    fields: list[posts.AnyField] = [
        list_field("colour", reader.gettext("Your color"), colours, colours["random"]),
        list_field(
            "start",
            reader.gettext("Board at the start"),
            starts,
            as_usual.format(usual=starts[defaults.start]),
        ),
        _more_choices(reader, defaults, to_machine=to_machine, team=team),
    ]
    if not to_machine:
        zone = None if defaults.clock is None else defaults.clock.weekends
        fields.append(
            posts.Field(
                "weekends",
                reader.gettext("Clock pauses at weekends in this time zone"),
                reader.gettext("e.g. {example}").format(example=reader.gettext("Europe/Rome")),
                zone or "",
            )
        )
    return reader.gettext("More options"), tuple(fields)


def list_field(key: str, label: str, names: Mapping[str, str], hint: str) -> posts.ListField:
    options = tuple(posts.Option(name, value) for value, name in names.items())
    return posts.ListField(key, label, hint, options)


def colour_names(reader: Reader) -> dict[str, str]:
    return {
        ColorChoice.WHITE: reader.pgettext("choice", "white"),
        ColorChoice.BLACK: reader.pgettext("choice", "black"),
        ColorChoice.RANDOM: reader.pgettext("choice", "random"),
    }


def _more_choices(
    reader: Reader, defaults: Defaults, *, to_machine: bool, team: str | None
) -> posts.ListField:
    """Return the select with the remaining choices, which differ from the defaults."""
    place, place_words = (
        (Place.THREAD, reader.gettext("In a thread of its own"))
        if defaults.place is Place.HERE
        else (Place.HERE, reader.gettext("Right in this channel"))
    )
    names, names_words = (
        (Coordinates.PERGIOCO, reader.gettext("Spaces named as on Pergioco, e1 to a11"))
        if defaults.coordinates is Coordinates.STANDARD
        else (Coordinates.STANDARD, reader.gettext("Spaces named a1 to k5"))
    )
    strict = posts.Option(reader.gettext("Running out of time loses at once"), STRICT)
    options = (
        posts.Option(place_words, place),
        posts.Option(names_words, names),
        *((posts.Option(team, TEAMS),) if to_machine and team is not None else ()),
        *(() if to_machine else (strict,)),
    )
    hint = reader.gettext("Nothing else")
    return posts.ListField("also", reader.gettext("Also"), hint, options, most=len(options))


def start_name(reader: Reader, start: Start) -> str:
    if start is Start.PLACEMENT:
        return reader.gettext("empty board")
    return reader.gettext("even board")
