"""Texts of the organizers' page: the form to edit a tournament, the log, and past tournaments."""

from collections.abc import Sequence

from bot.base.ids import UserId
from bot.base.languages import Reader
from bot.connection import posts
from bot.connection.posts import AnyField, Field
from club.tournaments.model.acts import ActKind, TournamentAct
from club.tournaments.model.possible_terms import is_used
from club.tournaments.model.standings import standings
from club.tournaments.model.tournament import Tournament, TournamentState
from club.tournaments.words import terms
from club.tournaments.words.export import REPORTED


def organizers_page(reader: Reader, tournament: Tournament) -> posts.Post:
    """Return the page with everything that an organizer can do."""
    lines = [
        terms.heading(reader, tournament),
        reader.gettext("Add a player, or bring one back: /tournament add"),
        reader.gettext("Take a player out: /tournament withdraw"),
        reader.gettext("Give a game more time: /tournament extend"),
        reader.gettext("Set a result: /tournament correct"),
        reader.gettext("Choose a second organiser: /tournament helper"),
    ]
    if tournament.terms.helper is not None:
        sentence = reader.gettext("The second organiser is {player}.")
        lines.append(sentence.format(player=terms.player(reader, tournament.terms.helper)))
    ids = {action: terms.button_id(tournament.id, action) for action in ("edit", "csv", "trf")}
    edit = posts.Button(
        reader.gettext("Edit"),
        ids["edit"],
        posts.ButtonStyle.PRIMARY,
        disabled=tournament.state is not TournamentState.OPEN,
    )
    table = posts.Button(reader.gettext("Export (CSV)"), ids["csv"])
    report = posts.Button(reader.gettext("Export for pairing programs (TRF)"), ids["trf"])
    is_reported = tournament.terms.format in REPORTED and tournament.pairings
    back = posts.Button(reader.gettext("Back"), terms.button_id(tournament.id, "table", 0))
    buttons = (edit, table, *((report,) if is_reported else ()), log_button(reader, tournament))
    return posts.Post(content="\n".join(lines), buttons=(*buttons, back))


def log_button(reader: Reader, tournament: Tournament) -> posts.Button:
    return posts.Button(reader.gettext("Log"), terms.button_id(tournament.id, "log", 0))


def edit_form(reader: Reader, tournament: Tournament) -> tuple[str, list[AnyField]]:
    """Return the form to edit a tournament. Empty fields change nothing."""
    chosen, same = tournament.terms, reader.gettext("Empty: as it is")
    rounds = "" if chosen.rounds is None else str(chosen.rounds)
    fields: dict[str, AnyField] = {
        "name": Field("name", reader.gettext("Its name"), same, chosen.name, needed=True),
        "begins": Field("begins", reader.gettext("When it starts"), same),
        "rounds": Field("rounds", reader.gettext("Rounds (empty: I choose)"), "5", rounds),
        "clock": Field("clock", reader.gettext("Clock"), same),
    }
    form = [field for key, field in fields.items() if is_used(chosen.format, key)]
    return reader.gettext("Edit"), form


def tournament_edited(reader: Reader, tournament: Tournament) -> posts.Post:
    sentence = reader.gettext("{title} is changed. Its message in the channel shows it.")
    return posts.Post(content=sentence.format(title=terms.title(tournament)))


def player_added(reader: Reader, tournament: Tournament, player: UserId) -> posts.Post:
    """Return the message to an added player."""
    sentence = reader.gettext(
        "{player}, an organiser has put you into {title}. Rather not? Leave in /tournament show."
    )
    words = sentence.format(player=posts.user(player), title=terms.title(tournament))
    return posts.Post(content=words, pings=(player,))


def game_extended(reader: Reader, tournament: Tournament, ends: str) -> posts.Post:
    sentence = reader.gettext("That game of {title} now has time until {moment}.")
    return posts.Post(content=sentence.format(title=terms.title(tournament), moment=ends))


def helper_chosen(reader: Reader, tournament: Tournament) -> posts.Post:
    title, helper = terms.title(tournament), tournament.terms.helper
    if helper is None:
        sentence = reader.gettext("{title} has no second organiser.")
        return posts.Post(content=sentence.format(title=title))
    sentence = reader.gettext("{player} may now do everything in {title} that you may.")
    return posts.Post(content=sentence.format(title=title, player=posts.user(helper)))


def tournament_exported(
    reader: Reader, tournament: Tournament, kind: str, data: bytes
) -> posts.Post:
    sentence = reader.gettext("{title} as a file. Only you can see this.")
    return posts.Post(
        content=sentence.format(title=terms.title(tournament)),
        file=posts.File(f"tournament-{tournament.id}.{kind}", data),
    )


def log_page(reader: Reader, tournament: Tournament, acts: Sequence[TournamentAct]) -> posts.Post:
    """Return the acts of organizers, newest first, for everyone."""
    lines = [terms.heading(reader, tournament)]
    lines += [_act(reader, act) for act in acts]
    if not acts:
        lines.append(reader.gettext("Organisers have changed nothing yet."))
    back = posts.Button(reader.gettext("Back"), terms.button_id(tournament.id, "table", 0))
    return posts.Post(content=posts.join_within_limit(reader, lines), buttons=(back,))


def _act(reader: Reader, act: TournamentAct) -> str:
    sentence = {
        ActKind.EDITED: reader.gettext("{by} changed its terms"),
        ActKind.ADDED: reader.gettext("{by} put {player} in"),
        ActKind.REMOVED: reader.gettext("{by} took {player} out"),
        ActKind.STARTED: reader.gettext("{by} started it"),
        ActKind.CALLED_OFF: reader.gettext("{by} called it off"),
        ActKind.STOPPED: reader.gettext("{by} stopped the clocks ({days} d)"),
        ActKind.RESUMED: reader.gettext("{by} started the clocks again"),
        ActKind.EXTENDED: reader.gettext("{by} extended round {round}, board {board} ({days} d)"),
        ActKind.CORRECTED: reader.gettext("{by} corrected round {round}, board {board}"),
        ActKind.HELPER: reader.gettext("{by} made {player} the second organiser")
        if act.player
        else reader.gettext("{by} removed the second organiser"),
    }[act.kind]
    round_, board = act.place or (0, 0)
    told = sentence.format(
        by=terms.player(reader, act.by),
        player="" if act.player is None else terms.player(reader, act.player),
        round=round_,
        board=board,
        days=act.days,
    )
    return told if act.at is None else f"{posts.timestamp(act.at)} · {told}"


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
    told = [terms.title(tournament), terms.format_name(reader, tournament.terms.format), when]
    return " · ".join([*filter(None, told), f"🏆 {winners}" if winners else ""]).rstrip(" ·")
