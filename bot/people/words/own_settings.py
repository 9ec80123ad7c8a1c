"""The private pages with a user's settings, and texts about their data."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from itertools import chain, combinations
from typing import Final

from bot.base.formats import day_as_typed
from bot.base.ids import UserId
from bot.base.languages import Reader
from bot.connection.posts import (
    MOST_CHOSEN,
    Button,
    ButtonStyle,
    Field,
    Option,
    PeopleField,
    Post,
    Select,
    user,
)
from bot.people.words.styles import AS_USUAL, sheet, style_lines, style_selects, titled_option
from bot.play.model.preferences import Preferences, QuietHours, RemindAhead, RemindBy, Style
from bot.play.switches import Switch, SwitchList
from bot.play.use_cases.clocks import VacationSummary
from bot.play.words.clocks import vacations

_CLOCK_FACE: Final = "%H:%M"
_EXAMPLE_DAY: Final = date(2026, 12, 24)
BLOCK_KEYS: Final = ("blocked", "blocked-2", "blocked-3")
"""Keys of the selects of blocked people, each with up to 25 people."""
_TABS: Final = 4
"""Row of the buttons that lead to the other page."""


def preferences(
    reader: Reader,
    settings: Preferences,
    switches: Iterable[Switch],
    blocked: Sequence[UserId],
    summary: VacationSummary | None = None,
) -> Post:
    turn_switches = [switch for switch in switches if switch.at is SwitchList.ON]
    lines = [
        _reminders(reader, settings),
        _quiet(reader, settings),
        _digest(reader, settings),
        *(() if summary is None else (vacations(reader, summary),)),
        _blocks_line(reader, blocked),
    ]
    on = Select(
        _id(SwitchList.ON),
        reader.gettext("What I do for you"),
        _options(reader, settings, turn_switches),
        least=0,
        most=len(turn_switches),
    )
    by = Select(
        _id("by"),
        title := reader.gettext("How I remind you"),
        _titled_options(reader, title, _reminder_ways(reader, settings.remind_by)),
    )
    at = Select(
        _id("at"),
        when := reader.gettext("When I remind you"),
        _titled_options(reader, when, _reminder_times(reader, settings.remind_at)),
    )
    end = Button(reader.gettext("End vacation"), _id("back"), row=_TABS - 1)
    return Post(
        content="\n".join(lines),
        selects=(on, by) if settings.remind_by is RemindBy.NONE else (on, by, at),
        buttons=(
            Button(reader.gettext("Quiet hours"), _id("quiet"), row=_TABS - 1),
            Button(reader.gettext("Vacation"), _id("away"), row=_TABS - 1),
            *((end,) if summary and summary.vacations else ()),
            Button(reader.gettext("Blocks"), _id("blocks"), row=_TABS),
            Button(reader.gettext("Privacy"), "dvonn:privacy:show", row=_TABS),
            Button(
                reader.gettext("Language and boards"),
                _id("looks"),
                ButtonStyle.PRIMARY,
                row=_TABS,
            ),
        ),
    )


def looks(reader: Reader, settings: Preferences, switches: Iterable[Switch]) -> Post:
    style = Style(
        language=settings.language, theme=settings.theme, coordinates=settings.coordinates
    )
    default_style = (
        reader.gettext("as in your Discord"),
        reader.gettext("as in the channel"),
        reader.gettext("as in each game"),
    )
    look_switches = [switch for switch in switches if switch.at is SwitchList.SEEN]
    as_all = reader.gettext("Everyone's boards")
    is_usual = not any(settings.is_on(switch.of) for switch in look_switches)
    select = Select(
        _id(SwitchList.SEEN),
        reader.gettext("Boards only I see"),
        (Option(as_all, AS_USUAL, chosen=is_usual), *_options(reader, settings, look_switches)),
        most=len(look_switches),
    )
    back = Button(
        reader.gettext("Turns and reminders"), _id("turns"), ButtonStyle.PRIMARY, row=_TABS
    )
    return Post(
        content="\n".join(style_lines(reader, style, default_style)),
        picture=sheet(reader),
        selects=(*style_selects(reader, _id, style, default_style), select),
        buttons=(back,),
    )


def _titled_options(reader: Reader, title: str, options: Iterable[Option]) -> tuple[Option, ...]:
    return tuple(
        replace(option, label=titled_option(reader, title, option.label)) for option in options
    )


def quiet_fields(reader: Reader, settings: Preferences) -> tuple[str, tuple[Field, ...]]:
    quiet = settings.quiet
    return reader.gettext("Quiet hours and digest"), (
        Field(
            "begins",
            reader.gettext("From (empty: no quiet hours)"),
            reader.gettext("e.g. {example}").format(example="22:00"),
            "" if quiet is None else quiet.begins.strftime(_CLOCK_FACE),
        ),
        Field(
            "ends",
            reader.gettext("Until"),
            reader.gettext("e.g. {example}").format(example="8:00"),
            "" if quiet is None else quiet.ends.strftime(_CLOCK_FACE),
        ),
        Field(
            "zone",
            reader.gettext("Your time zone"),
            # Translators: the zone of a big city where your language is spoken
            reader.gettext("e.g. {example}").format(example=reader.gettext("Europe/Rome")),
            settings.zone,
        ),
        Field(
            "digest",
            reader.gettext("One message a day at (empty: none)"),
            reader.gettext("e.g. {example}").format(example="9:00"),
            "" if settings.digest is None else settings.digest.strftime(_CLOCK_FACE),
        ),
    )


def vacation_fields(reader: Reader) -> tuple[str, tuple[Field, ...]]:
    return reader.gettext("Vacation"), (
        Field(
            "days",
            reader.gettext("For how many days"),
            reader.gettext("e.g. {example}").format(example="7"),
        ),
        Field(
            "first",
            reader.gettext("First day (empty: now)"),
            reader.gettext("e.g. {example}").format(example=day_as_typed(reader, _EXAMPLE_DAY)),
        ),
    )


def block_fields(reader: Reader, players: Sequence[UserId]) -> tuple[str, tuple[PeopleField, ...]]:
    parts = range(0, len(players) + 1, MOST_CHOSEN)
    label = reader.gettext("They can't challenge you")
    return reader.gettext("Blocks"), tuple(
        PeopleField(key, label, chosen=tuple(players[first : first + MOST_CHOSEN]))
        for key, first in zip(BLOCK_KEYS, parts, strict=False)
    )


def _reminder_ways(reader: Reader, current: RemindBy) -> tuple[Option, ...]:
    labels = {
        RemindBy.CHANNEL: reader.gettext("in the game's channel"),
        RemindBy.DM: reader.gettext("by direct message, or in the channel if that fails"),
        RemindBy.NONE: reader.gettext("not at all"),
    }
    return tuple(Option(labels[by], by, chosen=by is current) for by in RemindBy)


def _reminder_times(reader: Reader, current: frozenset[RemindAhead]) -> tuple[Option, ...]:
    sizes = range(1, len(RemindAhead) + 1)
    level_sets = chain.from_iterable(combinations(RemindAhead, size) for size in sizes)
    return tuple(
        Option(
            _levels(reader, frozenset(levels)),
            " ".join(levels),
            chosen=frozenset(levels) == current,
        )
        for levels in level_sets
    )


def _id(name: str) -> str:
    return f"dvonn:preferences:{name}"


def _options(
    reader: Reader, settings: Preferences, switches: Iterable[Switch]
) -> tuple[Option, ...]:
    """Return the switches as options of a select. A switch that is on is selected."""
    return tuple(
        Option(
            switch.label(reader),
            switch.of.key,
            switch.hint(reader),
            chosen=settings.is_on(switch.of),
        )
        for switch in switches
    )


def _levels(reader: Reader, levels: frozenset[RemindAhead]) -> str:
    names = {
        RemindAhead.HALF: reader.gettext("at half of your time"),
        RemindAhead.DAY: reader.gettext("1 day before"),
        RemindAhead.HOUR: reader.gettext("1 hour before"),
    }
    return ", ".join(names[level] for level in RemindAhead if level in levels)


def _reminders(reader: Reader, settings: Preferences) -> str:
    levels = _levels(reader, settings.remind_at)
    match settings.remind_by:
        case RemindBy.CHANNEL:
            return reader.gettext("**Reminders**: in the game's channel, {levels}.").format(
                levels=levels
            )
        case RemindBy.DM:
            return reader.gettext(
                "**Reminders**: by direct message, {levels}. If that fails, I remind you in the "
                "channel."
            ).format(levels=levels)
        case RemindBy.NONE:
            return reader.gettext("**Reminders**: none. Your time still runs.")


def _quiet(reader: Reader, settings: Preferences) -> str:
    if settings.quiet is None:
        return reader.gettext("**Quiet hours**: none. Your time zone: {zone}.").format(
            zone=settings.zone
        )
    return reader.gettext(
        "**Quiet hours**: no sound and no reminders from {hours} ({zone}). If "
        "your time runs out during them, I'll warn you beforehand."
    ).format(hours=_hours(reader, settings.quiet), zone=settings.zone)


def _digest(reader: Reader, settings: Preferences) -> str:
    if settings.digest is None:
        return reader.gettext("**Digest**: none. Choose its time with *Quiet hours*.")
    words = reader.gettext(
        "**Digest**: at {time} ({zone}) I tell you which games wait for you, in place of pings. "
        "If your time runs out before the next one, I still remind you."
    )
    return words.format(time=settings.digest.strftime(_CLOCK_FACE), zone=settings.zone)


def _blocks_line(reader: Reader, players: Sequence[UserId]) -> str:
    if not players:
        return reader.gettext("**Blocked**: nobody.")
    return reader.gettext(
        "**Blocked**: {players}. I don't tell them, and I keep you apart where I can."
    ).format(players=", ".join(map(user, players)))


def _hours(reader: Reader, quiet: QuietHours) -> str:
    return reader.gettext("{begins} to {ends}").format(
        begins=quiet.begins.strftime(_CLOCK_FACE), ends=quiet.ends.strftime(_CLOCK_FACE)
    )
