"""The form behind *More options* of /play and /challenge: its fields, and what they are called."""

from collections.abc import Mapping
from typing import Final

from bot.base.locales import Reader
from bot.connection.posts import AnyField, ChannelField, Field, ListField, Option
from bot.play.model.terms import ColourChoice, Defaults, Place, Start
from dvonn import Coordinates

TEAMS: Final = "teams"
"""The choice of a game of everybody in a channel against the machine."""


def more_options(
    reader: Reader, usual: Defaults, *, to_machine: bool, in_server: bool
) -> tuple[str, tuple[AnyField, ...]]:
    """Return the form's title and fields; what is not chosen there is as usual."""
    as_usual = reader.gettext("As usual here: {usual}")
    colours, starts = _colours(reader), _starts(reader)
    fields: list[AnyField] = [
        _list("colour", reader.gettext("Your colour"), colours, colours["random"]),
        _list(
            "start",
            reader.gettext("Board at the start"),
            starts,
            as_usual.format(usual=starts[usual.start]),
        ),
        _also(reader, usual, teams=to_machine and in_server),
    ]
    if not to_machine:
        zone = None if usual.clock is None else usual.clock.weekends
        fields.append(
            Field(
                "weekends",
                reader.gettext("Clock pauses at weekends in this time zone"),
                reader.gettext("e.g. {example}").format(example=reader.gettext("Europe/Rome")),
                zone or "",
            )
        )
    if in_server and not to_machine:
        fields.append(
            ChannelField(
                "rival",
                reader.gettext("Team game against this channel"),
                reader.gettext("Everybody here plays everybody there, by votes"),
            )
        )
    return reader.gettext("More options"), tuple(fields)


def _list(key: str, label: str, names: Mapping[str, str], hint: str) -> ListField:
    options = tuple(Option(name, value) for value, name in names.items())
    return ListField(key, label, hint, options)


def _colours(reader: Reader) -> dict[str, str]:
    return {
        ColourChoice.WHITE: reader.pgettext("choice", "white"),
        ColourChoice.BLACK: reader.pgettext("choice", "black"),
        ColourChoice.RANDOM: reader.pgettext("choice", "random"),
    }


def _starts(reader: Reader) -> dict[str, str]:
    return {
        Start.BALANCED: reader.pgettext("choice", "balanced"),
        Start.PLACEMENT: reader.pgettext("choice", "placement"),
    }


def _also(reader: Reader, usual: Defaults, *, teams: bool) -> ListField:
    """Return what can be chosen besides, where it is not as usual."""
    place, place_words = (
        (Place.THREAD, reader.gettext("In a thread of its own"))
        if usual.place is Place.HERE
        else (Place.HERE, reader.gettext("Right in this channel"))
    )
    names, names_words = (
        (Coordinates.PERGIOCO, reader.gettext("Spaces named as on Pergioco, e1 to a11"))
        if usual.coordinates is Coordinates.STANDARD
        else (Coordinates.STANDARD, reader.gettext("Spaces named a1 to k5"))
    )
    team = Option(reader.gettext("Team game: everybody here votes on the moves"), TEAMS)
    options = (
        Option(place_words, place),
        Option(names_words, names),
        *((team,) if teams else ()),
    )
    hint = reader.gettext("Nothing else")
    return ListField("also", reader.gettext("Also"), hint, options, most=len(options))
