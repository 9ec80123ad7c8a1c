"""Private texts of tournaments: the form, answers to commands, and choices."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Final

from bot.base import formats
from bot.base.formats import number_text
from bot.base.ids import UserId
from bot.base.languages import Reader
from bot.base.time_words import mere_number
from bot.connection import posts
from bot.connection.posts import AnyField, Field, ListField, Option
from bot.guide.topics import Topic
from bot.play.switches import Switch
from bot.play.words.challenges import level_name
from club.tournaments.model.leagues import LARGEST, SMALLEST, USUAL_SIZE
from club.tournaments.model.possible_terms import is_used
from club.tournaments.model.tournament import (
    Pairing,
    PairingResult,
    Tournament,
    TournamentFormat,
    TournamentState,
)
from club.tournaments.use_cases.adjudication import ADJUDICATION
from club.tournaments.use_cases.start_times import USUAL_TIME
from club.tournaments.words import terms
from club.tournaments.words.terms import format_name
from dvonn.machine import MEASURED


def making_form(
    reader: Reader, format_: TournamentFormat, *, themed: bool = False
) -> tuple[str, list[AnyField]]:
    """Return the form's title and up to five fields. `themed` games start from one position."""
    days = reader.gettext("e.g. {example}").format(example=reader.gettext("7 days"))
    fields: dict[str, AnyField] = {
        "name": Field(
            "name", reader.gettext("Its name"), reader.gettext("Spring cup"), needed=True
        ),
        "rounds": Field("rounds", reader.gettext("Rounds (empty: I choose)"), "5"),
        "lasts": Field(
            "lasts",
            reader.gettext("Longest season (empty: a month)")
            if format_ is TournamentFormat.LEAGUE
            else reader.gettext("How long it lasts"),
            days,
        ),
        "division_size": ListField(
            "division_size",
            reader.gettext("Players in a division"),
            number_text(reader, USUAL_SIZE),
            tuple(
                Option(number_text(reader, size), str(size), chosen=size == USUAL_SIZE)
                for size in range(SMALLEST, LARGEST + 1)
            ),
        ),
        "round_time": Field("round_time", reader.gettext("Longest time for a round, if any"), days),
        "level": ListField(
            "level",
            reader.gettext("If your number is odd, I play at level"),
            reader.gettext("I don't play"),
            tuple(Option(level_name(reader, level), str(level)) for level in MEASURED),
        ),
    }
    if themed:  # their games are never rated
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
    third = Option(reader.gettext("Third-place game"), "third_place")
    twice = Option(reader.gettext("Two games against each other"), "twice")
    options = (
        Option(reader.gettext("Rated games"), "rated", chosen=True),
        *((third,) if is_used(format_, "third_place") else ()),
        *((twice,) if is_used(format_, "twice") else ()),
    )
    label, hint = reader.gettext("Also"), reader.gettext("Unrated games")
    return ListField("also", label, hint, options, most=len(options))


_NOTE: Final = "> "
_SOON: Final = ((30, "minute"), (1, "hour"), (2, "hour"))
"""Suggested delays until the start of a tournament."""
_LATER: Final = ((7, "day"),)
_SATURDAY: Final = 5
_EXAMPLES: Final = ((2, "hour"),)
_DATE: Final = "2026-12-24 18:00"
_UNITS: Final = ("day", "hour", "minute")
"""Units suggested for a plain number."""


def tournament_made(
    reader: Reader,
    tournament: Tournament,
    missing: str | None = None,
    unused: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> posts.Post:
    """Return the answer to the organizer. The announcement is a separate message.

    `missing` is the permission missing for a scheduled event, `unused` are options without effect
    in its format, and `notes` are notes about its position.
    """
    lines = [reader.gettext("I'm announcing {title} here.").format(title=terms.title(tournament))]
    lines += notes
    if tournament.terms.begins_at is None:
        lines.append(
            reader.gettext(
                "Once everyone has joined, press *Start now*, here or in /tournament show."
            )
        )
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
    return posts.Post(content="\n".join(lines), buttons=_organizers(reader, tournament))


def own_buttons(
    reader: Reader, tournament: Tournament, who: UserId, *, manages: bool, is_stopped: bool = False
) -> tuple[posts.Button, ...]:
    """Return a user's buttons on a tournament's page."""
    if tournament.terms.league is not None:
        return ()
    is_organizer = manages or tournament.terms.organizes(who)
    log = posts.Button(reader.gettext("Log"), terms.button_id(tournament.id, "log", 0), row=2)
    organize = posts.Button(
        reader.gettext("Organise"), terms.button_id(tournament.id, "manage"), row=2
    )
    below = (log, organize) if is_organizer else (log,)
    if tournament.ended_at is not None:
        return below
    comes = (
        posts.Button(reader.gettext("Leave"), terms.button_id(tournament.id, "out"), row=1)
        if tournament.has(who)
        else posts.Button(
            reader.gettext("Join"),
            terms.button_id(tournament.id, "enter"),
            posts.ButtonStyle.SUCCESS,
            row=1,
        )
    )
    return comes, *(_organizers(reader, tournament, is_stopped) if is_organizer else ()), *below


def _organizers(
    reader: Reader, tournament: Tournament, is_stopped: bool = False
) -> tuple[posts.Button, ...]:
    begin = posts.Button(
        reader.gettext("Start now"),
        terms.button_id(tournament.id, "begin"),
        posts.ButtonStyle.PRIMARY,
        row=1,
        disabled=tournament.state is TournamentState.RUNNING,
    )
    off = terms.button_id(tournament.id, "off")
    call_off = posts.Button(reader.gettext("Call it off"), off, posts.ButtonStyle.DANGER, row=1)
    is_league = tournament.terms.format is TournamentFormat.LEAGUE
    if tournament.state is not TournamentState.RUNNING or is_league:
        return begin, call_off
    pause = posts.Button(
        reader.gettext("Stop clocks"), terms.button_id(tournament.id, "pause"), row=1
    )
    resume = posts.Button(
        reader.gettext("Start clocks"), terms.button_id(tournament.id, "resume"), row=1
    )
    return begin, call_off, resume if is_stopped else pause


def stop_form(reader: Reader) -> tuple[str, list[AnyField]]:
    """Return the title and the field of the form that stops all clocks."""
    label = reader.gettext("How many days to pause all clocks")
    example = reader.gettext("e.g. {example}").format(example="7")
    return reader.gettext("Stop clocks"), [Field("days", label, example, needed=True)]


def clocks_stopped(reader: Reader, tournament: Tournament, until: datetime) -> posts.Post:
    sentence = reader.gettext(
        "All clocks in {title} are paused until {until}. I've told everybody in "
        "it. *Start clocks* in /tournament show ends it early."
    )
    words = sentence.format(title=terms.title(tournament), until=posts.timestamp(until))
    return posts.Post(content=words)


def clocks_run(reader: Reader, tournament: Tournament) -> posts.Post:
    sentence = reader.gettext("All clocks in {title} run again. I tell everybody in it.")
    return posts.Post(content=sentence.format(title=terms.title(tournament)))


def confirm_calling_off(reader: Reader, tournament: Tournament) -> posts.Post:
    sentence = reader.gettext("Call off {title}? Games that are running go on.")
    yes, no = (terms.button_id(tournament.id, answer) for answer in ("off-yes", "off-no"))
    return posts.Post(
        content=sentence.format(title=terms.title(tournament)),
        buttons=(
            posts.Button(reader.gettext("Yes, call it off"), yes, posts.ButtonStyle.DANGER),
            posts.Button(reader.gettext("Keep it"), no),
        ),
    )


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


def tournament_answered(reader: Reader, pairing: Pairing, who: UserId) -> posts.Post:
    opponent = pairing.opponent_of(who)
    name = "" if opponent is None else terms.player(reader, opponent)
    sentence = reader.gettext("{opponent} didn't come, so you win this game.")
    return posts.Post(content=sentence.format(opponent=name))


def tournament_left(
    reader: Reader, tournament: Tournament, who: UserId | None = None
) -> posts.Post:
    if who is not None:
        sentence = reader.gettext("{player} is out of {title}.")
        words = sentence.format(player=terms.player(reader, who), title=terms.title(tournament))
        return posts.Post(content=words)
    lines = [reader.gettext("You've left {title}.").format(title=terms.title(tournament))]
    if tournament.state is TournamentState.RUNNING:
        lines.append(reader.gettext("A game you're playing still counts."))
    return posts.Post(content=" ".join(lines))


def tournament_begun(reader: Reader, tournament: Tournament) -> posts.Post:
    if tournament.state is TournamentState.CHECK_IN:
        sentence = reader.gettext(
            "These are live games, so everyone checks in first. {title} starts {far}. To skip "
            "the wait, press *Start now* again."
        )
        moment = tournament.terms.begins_at
        far = "" if moment is None else posts.timestamp(moment, relative=True)
        words = sentence.format(title=terms.title(tournament), far=far)
        return posts.Post(content=words, buttons=_organizers(reader, tournament))
    lines = [reader.gettext("{title} begins.").format(title=terms.title(tournament))]
    return posts.Post(content=" ".join([*lines, *terms.played_otherwise(reader, tournament)]))


def tournament_called_off(reader: Reader, tournament: Tournament) -> posts.Post:
    return posts.Post(
        content=reader.gettext("{title} is cancelled.").format(title=terms.title(tournament))
    )


def tournament_set_right(reader: Reader, tournament: Tournament) -> posts.Post:
    sentence = reader.gettext("Corrected in {title}. I'm telling the channel, with your note.")
    return posts.Post(content=sentence.format(title=terms.title(tournament)))


def confirm_correction(
    reader: Reader,
    tournament: Tournament,
    place: tuple[int, int],
    right: PairingResult,
    note: str,
    ends: Sequence[Pairing],
) -> posts.Post:
    """Return the question to confirm a result that ends games.

    Its last line is the note, which is read back when the question is answered (`note_in`).
    """
    number, board = place
    sentence = reader.gettext("Set round {number}, board {board} of {title} to {result}?")
    asked = sentence.format(
        number=number,
        board=board,
        title=terms.title(tournament),
        result=f"**{result_name(reader, right)}**",
    )
    stops = reader.gettext("{players} are playing there. Their game stops, and isn't rated.")
    off = reader.gettext(
        "Round {number}, board {board} ({players}) comes from the old result. I'll call it off "
        "and pair it again."
    )
    lines = [
        (stops if pairing.place == place else off).format(
            players=terms.pair(reader, pairing), number=pairing.round, board=pairing.board
        )
        for pairing in ends
    ]
    agreed = ".".join(f"{pairing.round}-{pairing.board}" for pairing in ends)
    yes = terms.button_id(tournament.id, "set", f"{number}-{board}", right, agreed)
    return posts.Post(
        content="\n".join([asked, *lines, f"{_NOTE}{posts.escaped(note)}"]),
        buttons=(
            posts.Button(reader.gettext("Yes, correct it"), yes, posts.ButtonStyle.DANGER),
            posts.Button(reader.gettext("Keep it"), terms.button_id(tournament.id, "keep")),
        ),
    )


def note_in(question: str) -> str:
    """Return the note of a correction, from its confirmation message."""
    _, _, last = question.rpartition("\n")
    return posts.unescaped(last.removeprefix(_NOTE))


def correction_left(reader: Reader) -> posts.Post:
    return posts.Post(content=reader.gettext("OK, nothing changes."))


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
    meant: str | None,
    zone: str,
) -> Iterator[posts.Option]:
    """Suggest start times, each with the moment it means.

    `when` returns the moment that a text means, or None if it can't be parsed. In that case `meant`
    is suggested.
    """
    asked = typed.strip()
    soon, later = ([_time_option(reader, *time) for time in some] for some in (_SOON, _LATER))
    usual = [*soon, *_days(reader), *later]
    mine = [(time, time) for time in (asked, meant) if time and when(time) is not None]
    if (number := mere_number(asked)) is not None:
        mine += [_time_option(reader, number, unit) for unit in ("hour", "day")]
    found = [time for time in usual if _is_asked(asked, *time) and time not in mine]
    for label, value in [*mine, *(found if found or mine else usual)]:
        moment = when(value)
        if moment is not None:
            words = formats.with_explanation(
                reader, label, formats.moment_text(reader, moment, zone)
            )
            yield posts.Option(label=words[: posts.OPTION_LIMIT], value=value)


def beginning_examples(reader: Reader) -> str:
    """Return examples of start times: "in 2 hours, tomorrow 18:00, or ..."."""
    soon = [_time_option(reader, count, unit)[0] for count, unit in _EXAMPLES]
    return formats.or_list(reader, [*soon, *(label for label, _ in _days(reader)), _DATE])


def length_examples(reader: Reader, typed: str) -> str | None:
    """Return the durations that a plain number may mean, or None if the text is not a number."""
    number = mere_number(typed)
    if number is None:
        return None
    return formats.or_list(reader, [formats.amount(reader, number, unit) for unit in _UNITS[:2]])


def result_name(reader: Reader, result: PairingResult) -> str:
    return {
        PairingResult.WHITE: reader.gettext("1–0: White has won"),
        PairingResult.BLACK: reader.gettext("0–1: Black has won"),
        PairingResult.DRAW: reader.gettext("½–½: a draw"),
        PairingResult.NEITHER: reader.gettext("0–0: nobody gets anything"),
    }[result]


def _days(reader: Reader) -> list[tuple[str, str]]:
    """Return an upcoming evening, and one at a weekend."""
    clock = f"{USUAL_TIME:%H:%M}"
    return [
        (reader.gettext("tomorrow {time}").format(time=clock), f"tomorrow {clock}"),
        (f"{formats.weekday_text(reader, _SATURDAY)} {clock}", f"saturday {clock}"),
    ]


def _time_option(reader: Reader, count: int, unit: str) -> tuple[str, str]:
    return formats.time_until_text(reader, count, unit), f"in {count} {unit}"


def _is_asked(typed: str, label: str, value: str) -> bool:
    """Return True if typed text can be completed to an option but isn't equal to it."""
    asked = typed.casefold()
    return asked != value and (asked in value or asked in label.casefold())


def organisers(reader: Reader, role: int | None) -> str:
    if role is None:
        return reader.gettext("Members with Manage Events can create tournaments.")
    # The role @everyone has the server's id, which isn't known here.
    sentence = reader.gettext("Members with Manage Events can create tournaments, and {role} too.")
    return sentence.format(role=f"<@&{role}>")


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
    told=lambda reader: reader.gettext(
        "Tournaments are played in servers. There you join one with /tournament show, and make "
        "one with /tournament create."
    ),
)
