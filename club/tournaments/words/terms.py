"""A tournament's terms as text: name, format, games and players."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Final

from bot.base.formats import duration, with_explanation
from bot.base.ids import TournamentId, UserId, is_deleted_user
from bot.base.languages import Reader
from bot.connection.posts import Button, ButtonStyle, escaped, timestamp, user
from bot.connection.server_events import EventState, ServerEvent
from bot.play.words.challenges import board_words
from bot.play.words.clocks import clock_line
from club.tournaments.model.knockout import is_replay
from club.tournaments.model.leagues import USUAL_SIZE, next_begins, season_deadline
from club.tournaments.model.pairing import rounds_of
from club.tournaments.model.rules import FEWEST_IN_LEAGUE
from club.tournaments.model.tournament import (
    Pairing,
    PairingResult,
    Tournament,
    TournamentFormat,
    TournamentState,
)

_ID: Final = "dvonn:cup"
_ROUND: Final = "round-"
_EVENT_STATES: Final = {
    TournamentState.OPEN: EventState.PLANNED,
    TournamentState.CHECK_IN: EventState.PLANNED,
    TournamentState.RUNNING: EventState.RUNNING,
    TournamentState.DONE: EventState.OVER,
    TournamentState.CANCELLED: EventState.CANCELLED,
}


def button_id(tournament: TournamentId, action: str, *parts: object) -> str:
    """Return the custom id of a tournament's button, from its action and arguments."""
    return ":".join(str(part) for part in (_ID, tournament, action, *parts))


def tournament_mark(tournament: TournamentId, mark: str) -> str:
    """Return the custom id of the marked button below a message, which opens games or standings.

    The bot recognizes its own messages by that id.
    """
    if leads_to_games(mark):
        return button_id(tournament, "games", mark.removeprefix(_ROUND), mark)
    return button_id(tournament, "table", 0, mark)


def leads_to_games(mark: str) -> bool:
    """Return True if a message with this mark announces a round."""
    return mark.startswith(_ROUND)


def title(tournament: Tournament) -> str:
    return f"**{escaped(tournament.terms.name)}**"


def player(reader: Reader, user_id: UserId) -> str:
    """Return a player's name, even if the player has deleted their data."""
    return deleted(reader) if is_deleted_user(user_id) else user(user_id)


def deleted(reader: Reader) -> str:
    return reader.gettext("(deleted)")


def counted(number: int, *, shared: bool = False) -> str:
    """Return the start of a numbered line: a place with an escaped period.

    Otherwise Discord would renumber such lines.
    """
    return f"{number}=" if shared else f"{number}\\"


def pair(reader: Reader, pairing: Pairing) -> str:
    """Return the two players of a pairing, White first, or the player with a bye."""
    white = player(reader, pairing.white)
    if pairing.black is None:
        return white
    return f"{white} – {player(reader, pairing.black)}"


def result(pairing: Pairing) -> str:
    """Return the result of a pairing, such as "1–0", or "" without one."""
    match pairing.result:
        case None | PairingResult.BYE | PairingResult.ZERO_BYE:
            return ""
        case PairingResult.WHITE:
            return "1–0"
        case PairingResult.BLACK:
            return "0–1"
        case PairingResult.DRAW:
            return "½–½"
        case PairingResult.NEITHER:
            return "0–0"


def format_name(reader: Reader, format_: TournamentFormat) -> str:
    return {
        TournamentFormat.ROUND_ROBIN: reader.gettext("Round robin"),
        TournamentFormat.SWISS: reader.gettext("Swiss"),
        TournamentFormat.KNOCKOUT: reader.gettext("Knockout"),
        TournamentFormat.LADDER: reader.gettext("Ladder"),
        TournamentFormat.LEAGUE: reader.gettext("League"),
    }[format_]


def format_choice(reader: Reader, format_: TournamentFormat) -> str:
    meaning = {
        TournamentFormat.ROUND_ROBIN: reader.gettext("everybody plays everybody"),
        TournamentFormat.SWISS: reader.gettext("each round you play someone doing about as well"),
        TournamentFormat.KNOCKOUT: reader.gettext("lose, and you're out"),
        TournamentFormat.LADDER: reader.gettext("beat someone above you and take their place"),
        TournamentFormat.LEAGUE: reader.gettext("divisions, with a new season by itself"),
    }
    return with_explanation(reader, format_name(reader, format_), meaning[format_])


def terms_lines(reader: Reader, tournament: Tournament) -> list[str]:
    """Return all chosen terms except the start time."""
    terms = tournament.terms
    kind = format_choice(reader, terms.format)
    if terms.rounds is not None and terms.format is TournamentFormat.SWISS:
        so_many = reader.ngettext("{count} round", "{count} rounds", terms.rounds)
        kind = f"{kind} · {so_many.format(count=terms.rounds)}"
    if (length := terms.length) is not None:
        kind = f"{kind} · {duration(reader, length)}"
    lines = [kind, board_words(reader, terms.start), *clock_line(reader, terms.clock)]
    if terms.format is TournamentFormat.LADDER:
        return [kind, *how_to_climb(reader, tournament)]
    if terms.format is TournamentFormat.LEAGUE:
        lines += how_seasons_go(reader, tournament)
    if terms.round_time is not None:
        sentence = reader.gettext("Each round takes {time} at most.")
        lines.append(sentence.format(time=duration(reader, terms.round_time)))
    rated, unrated = (
        reader.gettext("The games are rated."),
        reader.gettext("The games aren't rated."),
    )
    return [*lines, rated if terms.rated else unrated]


def how_seasons_go(reader: Reader, tournament: Tournament) -> list[str]:
    """Explain a league's divisions and seasons."""
    terms = tournament.terms
    meets = (
        reader.gettext("You play everybody in your division twice, all at the same time.")
        if terms.twice
        else reader.gettext("You play everybody in your division, all at the same time.")
    )
    size = reader.gettext("{count} players to a division. Two go up each season, and two go down.")
    lasts = (
        reader.gettext("A new season begins each month.")
        if terms.lasts is None
        else reader.gettext(
            "A season takes {time} at most. A day after its last game the next one begins."
        ).format(time=duration(reader, terms.lasts))
    )
    count = terms.division_size or USUAL_SIZE
    return [meets, size.format(count=count), lasts, adjudication(reader)]


def adjudication(reader: Reader) -> str:
    """Explain what happens to unfinished games when a season ends."""
    return reader.gettext(
        "When the season ends, unfinished games are drawn. I give a game to a player whose chances "
        "are at least 95%, if both let me (in /settings). Such games aren't rated."
    )


def how_to_climb(reader: Reader, tournament: Tournament) -> list[str]:
    """Explain that a ladder has no pairings."""
    counts = (
        reader.gettext("Every rated game between two players of the ladder counts, with any clock.")
        if tournament.terms.rated
        else reader.gettext("Every game between two players of the ladder counts, with any clock.")
    )
    return [reader.gettext("Challenge each other with /challenge."), counts]


def match_lines(reader: Reader, tournament: Tournament, pairing: Pairing) -> list[str]:
    """Return the note that a knockout game is a replay."""
    is_knockout = tournament.terms.format is TournamentFormat.KNOCKOUT
    if not is_knockout or not is_replay(tournament, pairing):
        return []
    return [reader.gettext("It was a draw: they play again, with colors swapped.")]


def beginning(reader: Reader, tournament: Tournament) -> str:
    moment = tournament.terms.begins_at
    if moment is None:
        return reader.gettext("It starts when {organizer} says so.").format(
            organizer=player(reader, tournament.terms.organiser)
        )
    return reader.gettext("It starts {moment} ({far}).").format(
        moment=timestamp(moment), far=timestamp(moment, relative=True)
    )


def ending(reader: Reader, tournament: Tournament) -> list[str]:
    if tournament.terms.format is TournamentFormat.LEAGUE:
        return _season(reader, tournament)
    ends = tournament.ends_at
    if tournament.state is not TournamentState.RUNNING or ends is None:
        return []
    sentence = reader.gettext("It ends {moment} ({far}).")
    return [sentence.format(moment=timestamp(ends), far=timestamp(ends, relative=True))]


def _season(reader: Reader, league: Tournament) -> list[str]:
    """Return when the running season of a league ends, or when the next one begins."""
    begins = next_begins(league)
    if league.state is not TournamentState.RUNNING:
        return []
    if begins is None:
        sentence = reader.gettext("The season ends {moment} at the latest.")
        return [sentence.format(moment=timestamp(season_deadline(league)))]
    if len(league.members) < FEWEST_IN_LEAGUE:
        sentence = reader.gettext("Season {number} begins once {count} people are in.")
        return [sentence.format(number=league.round + 1, count=FEWEST_IN_LEAGUE)]
    sentence = reader.gettext("Season {number} begins {moment} ({far}).")
    far = timestamp(begins, relative=True)
    return [sentence.format(number=league.round + 1, moment=timestamp(begins), far=far)]


def games_played(reader: Reader, division: Tournament) -> str:
    """Return how many games of a division are over."""
    games = [pairing for pairing in division.pairings if pairing.black is not None]
    over = sum(pairing.result is not None for pairing in games)
    return reader.gettext("{count} of {total} games are over").format(count=over, total=len(games))


def rounds(tournament: Tournament) -> int:
    """Count a tournament's rounds. A ladder counts as 1."""
    return max(rounds_of(tournament.terms, len(tournament.starters)), tournament.round)


def how_far(reader: Reader, tournament: Tournament) -> str:  # noqa: PLR0911 - one line for each
    match tournament.state:
        case TournamentState.OPEN:
            return reader.gettext("Open to join")
        case TournamentState.CHECK_IN:
            return reader.gettext("Check-in")
        case TournamentState.DONE:
            return reader.gettext("Over")
        case TournamentState.CANCELLED:
            return reader.gettext("Canceled")
        case TournamentState.RUNNING if tournament.terms.league is not None:
            return games_played(reader, tournament)
        case TournamentState.RUNNING if tournament.terms.format is TournamentFormat.LEAGUE:
            return reader.gettext("Season {number}").format(number=max(tournament.round, 1))
        case TournamentState.RUNNING:
            if not (tournament.terms.format.has_rounds and tournament.round):
                # The first round will be paired in a moment.
                return reader.gettext("Running")
            return reader.gettext("Round {number} of {total}").format(
                number=tournament.round, total=rounds(tournament)
            )


def heading(reader: Reader, tournament: Tournament) -> str:
    """Return a tournament's name, state and, if it is yet to come, start time."""
    lines = [f"{title(tournament)} · {how_far(reader, tournament)}"]
    if tournament.state in (TournamentState.OPEN, TournamentState.CHECK_IN):
        lines.append(beginning(reader, tournament))
    return "\n".join(lines)


def ways(
    tournament: Tournament,
    action: str,
    page: int,
    pages: Sequence[int],
    *,
    newest_first: bool = False,
    name: Callable[[int], str] = lambda _page: "",
) -> list[Button]:
    """Return the buttons for the previous and next pages. The earlier page is on the left."""
    step = -1 if newest_first else 1
    signs = (
        ("◀ {name}", page - step, ButtonStyle.SECONDARY),
        ("{name} ▶", page + step, ButtonStyle.PRIMARY),
    )
    return [
        Button(sign.format(name=name(to)).strip(), button_id(tournament.id, action, to), style)
        for sign, to, style in signs
        if to in pages
    ]


def tournament_event(reader: Reader, tournament: Tournament) -> ServerEvent:
    """Return a tournament as an event of its server."""
    terms = tournament.terms
    join = reader.gettext("Join with the button in the channel, or in /tournament show.")
    usual_length = timedelta(hours=3) if terms.is_live else timedelta(days=1)
    rounds_last = None if terms.round_time is None else terms.round_time * (terms.rounds or 1)
    return ServerEvent(
        name=terms.name,
        description="\n".join([*terms_lines(reader, tournament), join]),
        location=f"https://discord.com/channels/{terms.guild}/{terms.channel}",
        starts_at=terms.begins_at,
        length=terms.lasts or rounds_last or usual_length,
        state=_EVENT_STATES[tournament.state],
    )
