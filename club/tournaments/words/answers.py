"""Private texts of tournaments: the form for a new one, answers to users, and choices."""

from collections.abc import Iterator, Sequence
from typing import Final

from bot.base import formats
from bot.base.formats import number_text
from bot.base.ids import UserId
from bot.base.languages import Reader
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
from club.tournaments.use_cases.pairings import ADJUDICATION
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


def tournament_made(reader: Reader, tournament: Tournament) -> posts.Post:
    """Return the answer to the organizer. The announcement is a separate message."""
    lines = [reader.gettext("I'm announcing {title} here.").format(title=terms.title(tournament))]
    if tournament.terms.begins_at is None:
        lines.append(reader.gettext("Once everyone has joined, start it under *Organize*."))
    if tournament.terms.format is TournamentFormat.LEAGUE:
        sentence = reader.gettext(
            "Each of its games gets a thread here, so a league is best in a channel of its own."
        )
        lines.append(sentence)
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
