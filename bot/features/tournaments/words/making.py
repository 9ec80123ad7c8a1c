"""The form in which an organiser makes a tournament: what its format needs, and no more."""

from bot.base.languages import Reader
from bot.connection.posts import AnyField, Field, ListField, Option
from bot.features.tournaments.model.possible_terms import is_used
from bot.features.tournaments.model.tournament import TournamentFormat
from bot.features.tournaments.words.terms import format_name
from bot.play.words.challenges import level_name
from dvonn.machine import MEASURED


def making_form(
    reader: Reader, format_: TournamentFormat, *, themed: bool = False
) -> tuple[str, list[AnyField]]:
    """Return the form's title and fields, at most five; `themed` games begin from one position."""
    days = reader.gettext("e.g. {example}").format(example=reader.gettext("7 days"))
    fields: dict[str, AnyField] = {
        "name": Field(
            "name", reader.gettext("Its name"), reader.gettext("Spring cup"), needed=True
        ),
        "rounds": Field("rounds", reader.gettext("Rounds (empty: what fits the players)"), "5"),
        "lasts": Field("lasts", reader.gettext("How long it goes on"), days),
        "round_time": Field("round_time", reader.gettext("Longest time for a round, if any"), days),
        "level": ListField(
            "level",
            reader.gettext("If your number is odd, I play at level"),
            reader.gettext("I don't play"),
            tuple(Option(level_name(reader, one), str(one)) for one in MEASURED),
        ),
    }
    if themed:  # they are never rated
        fields["start"] = Field(
            "position",
            reader.gettext("Start from"),
            reader.gettext("A position, a link or a record"),
            needed=True,
        )
    else:
        fields["also"] = _also(reader, format_)
    title = format_name(reader, format_)
    return title, [one for key, one in fields.items() if is_used(format_, key)]


def theme_choice(reader: Reader) -> str:
    return reader.gettext("a position of your choice")


def _also(reader: Reader, format_: TournamentFormat) -> ListField:
    third = Option(reader.gettext("A game for the third place"), "third_place")
    options = (
        Option(reader.gettext("Rated games"), "rated", chosen=True),
        *((third,) if is_used(format_, "third_place") else ()),
    )
    label, hint = reader.gettext("Also"), reader.gettext("Unrated games")
    return ListField("also", label, hint, options, most=len(options))
