"""Texts for the organizers' page: its menu, its forms, the log, and past tournaments."""

from collections.abc import Sequence
from typing import Final

from bot.base.ids import UserId
from bot.base.languages import Reader
from bot.connection import posts
from bot.connection.posts import AnyField, Field, ListField, Option, PeopleField
from club.tournaments.model.acts import LoggedAct, OrganizerAct, OrganizerChoice
from club.tournaments.model.leagues import letter
from club.tournaments.model.possible_terms import is_used
from club.tournaments.model.standings import standings
from club.tournaments.model.tournament import (
    Pairing,
    PairingResult,
    Tournament,
    TournamentFormat,
    TournamentState,
)
from club.tournaments.words import terms
from club.tournaments.words.answers import name_field, rounds_field

_NOTE: Final = "> "


def choice_label(reader: Reader, choice: OrganizerChoice) -> str:
    return {
        OrganizerChoice.BEGIN: reader.gettext("Start now"),
        OrganizerChoice.EDIT: reader.gettext("Edit"),
        OrganizerChoice.ADD: reader.gettext("Add a player, or bring one back"),
        OrganizerChoice.REMOVE: reader.gettext("Take a player out"),
        OrganizerChoice.EXTEND: reader.gettext("Give a game more time"),
        OrganizerChoice.CORRECT: reader.gettext("Set a result"),
        OrganizerChoice.STOP: reader.gettext("Stop clocks"),
        OrganizerChoice.RESUME: reader.gettext("Start clocks"),
        OrganizerChoice.HELPER: reader.gettext("Choose a second organizer"),
        OrganizerChoice.COPY: reader.gettext("Make another one like it"),
        OrganizerChoice.CSV: reader.gettext("Export (CSV)"),
        OrganizerChoice.TRF: reader.gettext("Export for pairing programs (TRF)"),
        OrganizerChoice.CALL_OFF: reader.gettext("Call it off"),
    }[choice]


def _choices(tournament: Tournament, *, is_stopped: bool) -> dict[OrganizerChoice, bool]:
    """Return the choices that are possible in a tournament's current state."""
    state = tournament.state
    is_open = state in (TournamentState.OPEN, TournamentState.CHECK_IN)
    is_running, goes_on = state is TournamentState.RUNNING, tournament.ended_at is None
    has_games = tournament.terms.format.has_rounds and bool(tournament.pairings)
    is_league = tournament.terms.format is TournamentFormat.LEAGUE
    return {
        OrganizerChoice.BEGIN: is_open,
        OrganizerChoice.EDIT: is_open,
        OrganizerChoice.ADD: goes_on,
        OrganizerChoice.REMOVE: goes_on,
        OrganizerChoice.EXTEND: is_running and (has_games or is_league),
        OrganizerChoice.CORRECT: bool(tournament.pairings) or (is_league and is_running),
        OrganizerChoice.STOP: is_running and not is_stopped,
        OrganizerChoice.RESUME: is_running and is_stopped,
        OrganizerChoice.HELPER: goes_on,
        OrganizerChoice.COPY: True,
        OrganizerChoice.CSV: has_games or (is_league and tournament.round > 0),
        OrganizerChoice.TRF: has_games and tournament.terms.format.has_points,
        OrganizerChoice.CALL_OFF: goes_on,
    }


def organizers_page(
    reader: Reader, tournament: Tournament, note: str = "", *, is_stopped: bool = False
) -> posts.Post:
    """Return the page with everything that an organizer can do, below a note about the last act."""
    lines = [*filter(None, [note]), terms.heading(reader, tournament)]
    if tournament.terms.helper is not None:
        sentence = reader.gettext("The second organizer is {player}.")
        lines.append(sentence.format(player=terms.player(reader, tournament.terms.helper)))
    options = tuple(
        Option(choice_label(reader, choice), choice)
        for choice, is_possible in _choices(tournament, is_stopped=is_stopped).items()
        if is_possible
    )
    menu = posts.Select(
        terms.button_id(tournament.id, "do"), reader.gettext("What do you want to do?"), options
    )
    back = posts.Button(reader.gettext("Back"), terms.button_id(tournament.id, "table", 0))
    return posts.Post(content="\n".join(lines), selects=(menu,), buttons=(back,))


def organizers_form(
    reader: Reader, tournament: Tournament, choice: OrganizerChoice | None
) -> tuple[str, list[AnyField]] | None:
    """Return the title and the fields of a choice's form, or None if it has none."""
    player: AnyField = PeopleField("player", reader.gettext("Player"), most=1)
    days = Field("days", reader.gettext("Days"), "7", needed=True)
    is_league = tournament.terms.format is TournamentFormat.LEAGUE
    newest = "" if is_league or not tournament.round else str(tournament.round)
    game: list[AnyField] = [
        Field("round", reader.gettext("Round"), "1", newest, needed=True),
        Field("board", reader.gettext("Board"), "1", needed=True),
    ]
    if is_league:
        game.insert(0, Field("division", reader.gettext("Division"), "A", needed=True))
    match choice:
        case OrganizerChoice.EDIT:
            fields = _terms_fields(reader, tournament)
        case OrganizerChoice.ADD | OrganizerChoice.REMOVE:
            fields = [player]
        case OrganizerChoice.HELPER:
            helper = tournament.terms.helper
            chosen = () if helper is None else (helper,)
            hint = reader.gettext("Nobody")
            fields = [PeopleField("player", reader.gettext("Player"), hint, chosen, most=1)]
        case OrganizerChoice.STOP:
            fields = [days]
        case OrganizerChoice.EXTEND:
            fields = [*game, days]
        case OrganizerChoice.CORRECT:
            results = tuple(
                Option(result_name(reader, result), result)
                for result in PairingResult
                if not result.is_bye
            )
            label = reader.gettext("The right result")
            note = Field("note", reader.gettext("Why, for everyone to read"), "", needed=True)
            fields = [*game, ListField("result", label, label, results), note]
        case _:
            return None
    return choice_label(reader, choice), fields


def _terms_fields(reader: Reader, tournament: Tournament) -> list[AnyField]:
    """Return the fields of the form to edit a tournament. Empty fields change nothing."""
    chosen, same = tournament.terms, reader.gettext("Empty: as it is")
    fields: dict[str, AnyField] = {
        "name": name_field(reader, chosen.name),
        "begins": Field("begins", reader.gettext("When it starts"), same),
        "rounds": rounds_field(reader, chosen.rounds),
        "clock": Field("clock", reader.gettext("Clock"), same),
    }
    return [field for key, field in fields.items() if is_used(chosen.format, key)]


def confirm_calling_off(reader: Reader, tournament: Tournament) -> posts.Post:
    sentence = reader.gettext("Call off {title}? Games that are running go on.")
    yes, no = (terms.button_id(tournament.id, answer) for answer in ("off", "manage"))
    return posts.Post(
        content=sentence.format(title=terms.title(tournament)),
        buttons=(
            posts.Button(reader.gettext("Yes, call it off"), yes, posts.ButtonStyle.DANGER),
            posts.Button(reader.gettext("Keep it"), no),
        ),
    )


def confirm_correction(
    reader: Reader,
    tournament: Tournament,
    act: OrganizerAct,
    ends: Sequence[Pairing],
) -> posts.Post:
    """Return the confirmation prompt for a result that ends games.

    Its last line is the note, which is parsed when the question is answered (`note_in`).
    """
    number, board = act.place or (0, 0)
    sentence = reader.gettext("Set round {number}, board {board} of {title} to {result}?")
    question = sentence.format(
        number=number,
        board=board,
        title=terms.title(tournament),
        result=f"**{result_name(reader, act.result)}**",
    )
    stops = reader.gettext("{players} are playing there. Their game stops, and isn't rated.")
    off = reader.gettext(
        "Round {number}, board {board} ({players}) comes from the old result. I'll call it off "
        "and pair it again."
    )
    lines = [
        (stops if pairing.place == act.place else off).format(
            players=terms.pair(reader, pairing), number=pairing.round, board=pairing.board
        )
        for pairing in ends
    ]
    agreed = ".".join(f"{pairing.round}-{pairing.board}" for pairing in ends)
    yes = terms.button_id(tournament.id, "set", f"{number}-{board}", act.result, agreed)
    return posts.Post(
        content="\n".join([question, *lines, f"{_NOTE}{posts.escaped(act.note)}"]),
        buttons=(
            posts.Button(reader.gettext("Yes, correct it"), yes, posts.ButtonStyle.DANGER),
            posts.Button(reader.gettext("Keep it"), terms.button_id(tournament.id, "manage")),
        ),
    )


def note_in(question: str) -> str:
    """Return the note of a correction, from its confirmation message."""
    _, _, last = question.rpartition("\n")
    return posts.unescaped(last.removeprefix(_NOTE))


def result_name(reader: Reader, result: PairingResult) -> str:
    return {
        PairingResult.WHITE: reader.gettext("1–0: White has won"),
        PairingResult.BLACK: reader.gettext("0–1: Black has won"),
        PairingResult.DRAW: reader.gettext("½–½: a draw"),
        PairingResult.NEITHER: reader.gettext("0–0: nobody gets anything"),
    }[result]


def tournament_exported(
    reader: Reader, tournament: Tournament, kind: str, data: bytes
) -> posts.Post:
    sentence = reader.gettext("{title} as a file. Only you can see this.")
    return posts.Post(
        content=sentence.format(title=terms.title(tournament)),
        file=posts.File(f"tournament-{tournament.id}.{kind}", data),
    )


def log_page(reader: Reader, tournament: Tournament, acts: Sequence[LoggedAct]) -> posts.Post:
    """Return a log of what organizers did, newest first. Everyone can read it."""
    lines = [terms.heading(reader, tournament)]
    lines += [_logged(reader, act) for act in acts]
    if not acts:
        lines.append(reader.gettext("Organizers have changed nothing yet."))
    back = posts.Button(reader.gettext("Back"), terms.button_id(tournament.id, "table", 0))
    return posts.Post(content=posts.join_within_limit(reader, lines), buttons=(back,))


def _logged(reader: Reader, logged: LoggedAct) -> str:
    line = act_line(reader, logged.act, logged.by)
    if logged.division is not None:
        line = f"**{letter(logged.division)}** · {line}"
    return f"{posts.timestamp(logged.at, relative=True)} · {line}"


def act_line(reader: Reader, act: OrganizerAct, by: UserId) -> str:
    """Return what an organizer has done."""
    sentence = {
        OrganizerChoice.EDIT: reader.gettext("{by} changed its terms"),
        OrganizerChoice.ADD: reader.gettext("{by} put {player} in"),
        OrganizerChoice.REMOVE: reader.gettext("{by} took {player} out"),
        OrganizerChoice.BEGIN: reader.gettext("{by} started it"),
        OrganizerChoice.CALL_OFF: reader.gettext("{by} called it off"),
        OrganizerChoice.STOP: reader.gettext("{by} stopped the clocks ({days} d)"),
        OrganizerChoice.RESUME: reader.gettext("{by} started the clocks again"),
        OrganizerChoice.EXTEND: reader.gettext(
            "{by} extended round {round}, board {board} ({days} d)"
        ),
        OrganizerChoice.CORRECT: reader.gettext("{by} corrected round {round}, board {board}"),
        OrganizerChoice.HELPER: reader.gettext("{by} made {player} the second organizer")
        if act.player
        else reader.gettext("{by} removed the second organizer"),
    }[act.kind]
    round_, board = act.place or (0, 0)
    return sentence.format(
        by=terms.player(reader, by),
        player="" if act.player is None else terms.player(reader, act.player),
        round=round_,
        board=board,
        days=act.days,
    )


def past_tournaments(reader: Reader, ended: Sequence[Tournament]) -> posts.Post:
    """Return a server's past tournaments with their winners, newest first."""
    if not ended:
        return posts.Post(content=reader.gettext("No tournament has been played to its end here."))
    lines = [reader.gettext("**Past tournaments**")]
    lines += [_past(reader, tournament) for tournament in ended]
    return posts.Post(content=posts.join_within_limit(reader, lines))


def _past(reader: Reader, tournament: Tournament) -> str:
    first = [row.player for row in standings(tournament) if row.place == 1]
    winners = ", ".join(terms.player(reader, player) for player in first)
    when = "" if tournament.ended_at is None else posts.timestamp(tournament.ended_at)
    is_season = tournament.terms.league is not None
    format_ = TournamentFormat.LEAGUE if is_season else tournament.terms.format
    parts = [terms.title(tournament), terms.format_name(reader, format_), when]
    return " · ".join([*filter(None, parts), f"🏆 {winners}" if winners else ""]).rstrip(" ·")
