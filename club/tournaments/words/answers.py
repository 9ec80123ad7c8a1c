"""Private texts of tournaments: the form for a new one, answers to users, and choices."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Final

from bot.base import formats
from bot.base.formats import number_text
from bot.base.ids import UserId
from bot.base.languages import Reader
from bot.base.time_words import read_number
from bot.connection import posts
from bot.connection.posts import AnyField, Field, ListField, Option
from bot.guide.topics import Topic
from bot.play.switches import Switch
from club.tournaments.model.leagues import LARGEST, USUAL_SIZE
from club.tournaments.model.possible_terms import is_used
from club.tournaments.model.rules import FEWEST_IN_LEAGUE
from club.tournaments.model.tournament import (
    Pairing,
    Tournament,
    TournamentFormat,
    TournamentState,
    TournamentTerms,
)
from club.tournaments.use_cases.adjudication import ADJUDICATION
from club.tournaments.use_cases.start_times import USUAL_TIME
from club.tournaments.words import terms
from club.tournaments.words.terms import format_name


def making_form(
    reader: Reader, format_: TournamentFormat, example: TournamentTerms | None = None
) -> tuple[str, list[AnyField]]:
    """Return the form's title and up to five fields, filled with the terms of an earlier event."""
    hint = reader.gettext("e.g. {example}").format(example=reader.gettext("7 days"))
    is_league = format_ is TournamentFormat.LEAGUE
    name, rounds, lasts, round_time, size = "", None, "", "", USUAL_SIZE
    if example is not None:
        name, size = example.name, example.division_size or USUAL_SIZE
        rounds = example.rounds
        lasts, round_time = (
            "" if time is None else formats.duration(reader, time)
            for time in (example.lasts, example.round_time)
        )
    fields: dict[str, AnyField] = {
        "name": name_field(reader, name),
        "rounds": rounds_field(reader, rounds),
        "lasts": Field(
            "lasts",
            reader.gettext("Longest season (empty: a month)")
            if is_league
            else reader.gettext("How long it lasts"),
            hint,
            lasts,
        ),
        "division_size": ListField(
            "division_size",
            reader.gettext("Players in a division"),
            number_text(reader, USUAL_SIZE),
            tuple(
                Option(number_text(reader, count), str(count), chosen=count == size)
                for count in range(FEWEST_IN_LEAGUE, LARGEST + 1)
            ),
        ),
        "round_time": Field(
            "round_time", reader.gettext("Longest time for a round, if any"), hint, round_time
        ),
        "also": _also(reader, format_, example),
    }
    form = [field for key, field in fields.items() if is_used(format_, key)]
    return format_name(reader, format_), form


def name_field(reader: Reader, name: str = "") -> Field:
    label, hint = reader.gettext("Name"), reader.gettext("Spring cup")
    return Field("name", label, hint, name, needed=True)


def rounds_field(reader: Reader, rounds: int | None) -> Field:
    text = "" if rounds is None else str(rounds)
    return Field("rounds", reader.gettext("Rounds (empty: I choose)"), "5", text)


def _also(reader: Reader, format_: TournamentFormat, example: TournamentTerms | None) -> ListField:
    is_rated, is_twice = (True, False) if example is None else (example.rated, example.twice)
    options = [Option(reader.gettext("Rated games"), "rated", chosen=is_rated)]
    if is_used(format_, "twice"):
        label = reader.gettext("Two games against each other")
        options.append(Option(label, "twice", chosen=is_twice))
    label, hint = reader.gettext("Also"), reader.gettext("Unrated games")
    return ListField("also", label, hint, tuple(options), most=len(options))


_SOON: Final = ((30, "minute"), (1, "hour"), (2, "hour"))
"""Suggested delays until the start of a tournament."""
_LATER: Final = ((7, "day"),)
_SATURDAY: Final = 5
_EXAMPLES: Final = ((2, "hour"),)
_DATE: Final = "2026-12-24 18:00"


def tournament_made(
    reader: Reader,
    tournament: Tournament,
    missing: str | None = None,
    unused: Sequence[str] = (),
) -> posts.Post:
    """Return the answer to the organizer. The announcement is a separate message.

    `missing` is the missing permission for a scheduled event, and `unused` are options without
    effect in its format.
    """
    lines = [reader.gettext("I'm announcing {title} here.").format(title=terms.title(tournament))]
    if tournament.terms.begins_at is None:
        lines.append(reader.gettext("Once everyone has joined, start it under *Organize*."))
    if tournament.terms.format is TournamentFormat.LEAGUE:
        sentence = reader.gettext(
            "Each of its games gets a thread here, so a league is best in a channel of its own."
        )
        lines.append(sentence)
    if unused:
        sentence = reader.gettext("This format doesn't use {options}, so I left it out.")
        options = formats.and_list(
            reader, (f"`{reader.pgettext('option', name)}`" for name in unused)
        )
        lines.append(sentence.format(options=options))
    if missing is not None:
        sentence = reader.gettext(
            "To add it to this server's events, I need the permission {permission}."
        )
        lines.append(sentence.format(permission=reader.gettext(missing)))
    return posts.Post(content="\n".join(lines), buttons=(_organize(reader, tournament),))


def own_buttons(
    reader: Reader, tournament: Tournament, user: UserId, *, manages: bool
) -> tuple[posts.Button, ...]:
    """Return a user's buttons on a tournament's page."""
    if tournament.terms.league is not None:
        return ()
    buttons = [posts.Button(reader.gettext("Log"), terms.button_id(tournament.id, "log", 0), row=1)]
    if manages or tournament.terms.organizes(user):
        buttons.append(_organize(reader, tournament))
    if tournament.ended_at is not None:
        return tuple(buttons)
    label, action, style = (
        (reader.gettext("Leave"), "leave", posts.ButtonStyle.SECONDARY)
        if tournament.has(user)
        else (reader.gettext("Join"), "join", posts.ButtonStyle.SUCCESS)
    )
    button = posts.Button(label, terms.button_id(tournament.id, action), style, row=1)
    return (button, *buttons)


def _organize(reader: Reader, tournament: Tournament) -> posts.Button:
    return posts.Button(reader.gettext("Organize"), terms.button_id(tournament.id, "manage"), row=1)


def tournament_joined(reader: Reader, tournament: Tournament) -> posts.Post:
    lines = [reader.gettext("You're in {title}.").format(title=terms.title(tournament))]
    if tournament.state is TournamentState.OPEN:
        lines.append(terms.beginning(reader, tournament))
    elif tournament.terms.format is TournamentFormat.LADDER:
        lines += terms.how_to_climb(reader, tournament)
    elif tournament.terms.format is TournamentFormat.LEAGUE:
        lines.append(reader.gettext("You'll play from the next season on."))
        lines += terms.ending(reader, tournament)
    elif tournament.state is TournamentState.RUNNING:
        lines.append(reader.gettext("You'll play from the next round on."))
    return posts.Post(content=" ".join(lines))


def tournament_answered(reader: Reader, pairing: Pairing, user: UserId) -> posts.Post:
    opponent = pairing.opponent_of(user)
    name = "" if opponent is None else terms.player(reader, opponent)
    sentence = reader.gettext("{opponent} didn't come, so you win this game.")
    return posts.Post(content=sentence.format(opponent=name))


def tournament_left(reader: Reader, tournament: Tournament) -> posts.Post:
    lines = [reader.gettext("You've left {title}.").format(title=terms.title(tournament))]
    if tournament.state is TournamentState.RUNNING:
        lines.append(reader.gettext("A game you're playing still counts."))
    return posts.Post(content=" ".join(lines))


def tournament_choices(
    reader: Reader, tournaments: Sequence[Tournament], typed: str
) -> Iterator[posts.Option]:
    """Return the tournaments whose names contain the typed text, as choices."""
    for tournament in tournaments:
        if typed.strip().casefold() in tournament.terms.name.casefold():
            label = formats.with_explanation(
                reader, tournament.terms.name, terms.how_far(reader, tournament)
            )
            yield posts.Option(label=label[: posts.OPTION_LIMIT], value=str(tournament.id))


def beginning_choices(
    reader: Reader,
    typed: str,
    when: Callable[[str], datetime | None],
    *,
    zone: str,
) -> Iterator[posts.Option]:
    """Suggest start times, each with the moment that it stands for.

    `when` returns the moment that a text means, or None if it can't be parsed.
    """
    text = typed.strip()
    soon, later = ([_time_option(reader, *time) for time in times] for times in (_SOON, _LATER))
    usual_times = [*soon, *_evenings(reader), *later]
    readings = [(text, text)] if text and when(text) is not None else []
    if (number := read_number(text)) is not None:
        readings += [_time_option(reader, number, unit) for unit in ("hour", "day")]
    fitting = [time for time in usual_times if _is_completed(text, *time) and time not in readings]
    for label, value in [*readings, *(fitting if fitting or readings else usual_times)]:
        moment = when(value)
        if moment is not None:
            words = formats.with_explanation(
                reader, label, formats.moment_text(reader, moment, zone)
            )
            yield posts.Option(label=words[: posts.OPTION_LIMIT], value=value)


def beginning_examples(reader: Reader) -> str:
    """Return examples of start times: "in 2 hours, tomorrow 18:00, or ..."."""
    soon = [_time_option(reader, count, unit)[0] for count, unit in _EXAMPLES]
    return formats.or_list(reader, [*soon, *(label for label, _ in _evenings(reader)), _DATE])


def _evenings(reader: Reader) -> list[tuple[str, str]]:
    """Return an upcoming evening, and one at a weekend."""
    clock = f"{USUAL_TIME:%H:%M}"
    return [
        (reader.gettext("tomorrow {time}").format(time=clock), f"tomorrow {clock}"),
        (f"{formats.weekday_text(reader, _SATURDAY)} {clock}", f"saturday {clock}"),
    ]


def _time_option(reader: Reader, count: int, unit: str) -> tuple[str, str]:
    return formats.time_until_text(reader, count, unit), f"in {count} {unit}"


def _is_completed(typed: str, label: str, value: str) -> bool:
    """Return True if an option starts with the typed text but is longer."""
    text = typed.casefold()
    return text != value and (text in value or text in label.casefold())


def organisers(reader: Reader, role: int | None, winners: int | None) -> str:
    """Return a server's settings: who may create tournaments, and the role for winners."""
    if role is None:
        line = reader.gettext("Members with Manage Events can create tournaments.")
    else:  # the role @everyone has the server's id, which isn't known here
        sentence = reader.gettext(
            "Members with Manage Events can create tournaments, and {role} too."
        )
        line = sentence.format(role=f"<@&{role}>")
    if winners is None:
        return line
    sentence = reader.gettext("Winners get {role}.")
    return f"{line} {sentence.format(role=f'<@&{winners}>')}"


ADJUDICATION_SWITCH: Final = Switch(
    of=ADJUDICATION,
    label=lambda reader: reader.gettext("Decide my league games when a season ends"),
    hint=lambda reader: reader.gettext("If one side's chances are 95%; off: they are drawn"),
)
TOURNAMENT_TOPIC: Final = Topic(
    words=(
        "tournament, tournaments, turnier, turniere, tournoi, tournois, torneo, torneos, "
        "tornei, toernooi, toernooien"
    ),
    answer=lambda reader: reader.gettext(
        "Tournaments are played in servers. There you join one with /tournament show, and make "
        "one with /tournament create."
    ),
)
