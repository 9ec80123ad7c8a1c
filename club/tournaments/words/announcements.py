"""A tournament's public texts, from its announcement to its end."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.base.formats import and_list, shortened_people, with_explanation
from bot.base.ids import UserId
from bot.base.languages import Reader
from bot.connection.posts import (
    Button,
    ButtonStyle,
    Post,
    channel,
    escaped,
    join_within_limit,
    timestamp,
    user,
)
from club.tournaments.model.rules import MOST_PLAYERS, takes_entrants
from club.tournaments.model.standings import PlayerStanding
from club.tournaments.model.tournament import Pairing, Tournament, TournamentFormat, TournamentState
from club.tournaments.use_cases import news
from club.tournaments.use_cases.news import NAMED_AT_THE_END, News
from club.tournaments.words import terms
from club.tournaments.words.games import byes, place_in_tournament, result_lines
from club.tournaments.words.standings import StandingsPage, place_lines, who_can_join

_NAMED: Final = 40
"""Maximum number of entrants who are named."""


@dataclass(frozen=True, slots=True)
class Award:
    """The server's role for the winner of a tournament."""

    player: UserId
    role: int
    is_given: bool
    """False if the bot may not give it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The content of a message about a tournament's current state."""

    tournament: Tournament
    mark: str
    """The mark that identifies the message to the bot."""
    standings: Sequence[PlayerStanding] = ()
    picture: StandingsPage | None = None
    """The standings, if there are any yet."""
    award: Award | None = None


def tournament_announced(reader: Reader, report: Report) -> Post:
    """Return the announcement, which is edited when players join and during the tournament."""
    tournament = report.tournament
    sentence = reader.gettext("Organized by {organizer}.")
    organised = sentence.format(organizer=terms.player(reader, tournament.terms.organiser))
    lines = [terms.title(tournament), *terms.terms_lines(reader, tournament), organised]
    if tournament.state is not TournamentState.OPEN:
        lines.append(f"**{terms.how_far(reader, tournament)}**")
    lines += terms.ending(reader, tournament)
    if tournament.state in (TournamentState.OPEN, TournamentState.CHECK_IN):
        lines.append(terms.beginning(reader, tournament))
    lines += _joined(reader, tournament)
    return Post(
        content=join_within_limit(reader, lines),
        buttons=(*_to_join(reader, report), *marks(reader, report)),
    )


def tournament_check_in(reader: Reader, report: Report) -> Post:
    """Return the check-in message. It pings missing players, but its edits ping nobody."""
    tournament = report.tournament
    if tournament.state is not TournamentState.CHECK_IN:
        lines = [reader.gettext("{title}: check-in is over.").format(title=terms.title(tournament))]
        return Post(content=join_within_limit(reader, [*lines, *_checked_in(reader, tournament)]))
    sentence = reader.gettext("{title} starts soon. Press {verb}, or you get no game.")
    verb = reader.gettext("I'm here")
    lines = [sentence.format(title=terms.title(tournament), verb=f"*{verb}*")]
    if tournament.terms.begins_at is not None:
        lines.append(terms.beginning(reader, tournament))
    if waiting := news.waiting(tournament):
        names = and_players(reader, waiting, MOST_PLAYERS)
        lines.append(reader.gettext("Not here yet: {players}").format(players=names))
    number = terms.button_id(tournament.id, "here", report.mark)
    check_in = Button(reader.gettext("I'm here"), number, ButtonStyle.PRIMARY)
    return Post(
        content=join_within_limit(reader, [*lines, *_checked_in(reader, tournament)]),
        pings=waiting,
        buttons=(check_in, *_to_join(reader, report), *marks(reader, report)),
    )


def _checked_in(reader: Reader, tournament: Tournament) -> list[str]:
    players = [entrant.player for entrant in tournament.members if entrant.checked_in]
    if not players:
        return []
    names = and_players(reader, players, max(MOST_PLAYERS - len(news.waiting(tournament)), 1))
    return [reader.gettext("Here: {players}").format(players=names)]


def and_players(reader: Reader, players: Iterable[UserId], limit: int = _NAMED) -> str:
    """Return the names of players, or of some if there are more than `limit`."""
    return shortened_people(reader, [terms.player(reader, player) for player in players], limit)


def tournament_round(
    reader: Reader, report: Report, number: int, ends: datetime | None = None
) -> Post:
    """Return the announcement that a round starts. Its games follow, each with its own thread.

    `ends` is the planned end of the round, if its time is limited.
    """
    tournament = report.tournament
    if not tournament.terms.format.has_rounds:
        begins = reader.gettext("{title} begins.").format(title=terms.title(tournament))
        lines = [begins, *terms.how_to_climb(reader, tournament), *terms.ending(reader, tournament)]
        return news_post(reader, report, *lines)
    pairings = [pairing for pairing in tournament.pairings if pairing.round == number]
    games = [pairing for pairing in pairings if pairing.result is None]
    heading = reader.gettext("{title}, round {number} of {total}").format(
        title=terms.title(tournament), number=number, total=terms.rounds(tournament)
    )
    sentence = reader.ngettext(
        "{count} game, in its own thread below.",
        "{count} games, each in its own thread below.",
        len(games),
    )
    lines = [heading, sentence.format(count=len(games))]
    if ends is not None:
        sentence = reader.gettext("The round ends {moment}, or later after a pause.")
        lines.append(sentence.format(moment=timestamp(ends)))
    return news_post(reader, report, *lines, *byes(reader, pairings))


def stands_still(reader: Reader, until: datetime) -> str:
    sentence = reader.gettext("All clocks here are paused until {until}.")
    return sentence.format(until=timestamp(until))


def tournament_stopped(reader: Reader, report: Report, at: datetime, *, is_over: bool) -> Post:
    """Return the announcement that all clocks were stopped or restarted."""
    sentence = (
        reader.gettext("{title}: all clocks have been running again since {at}.")
        if is_over
        else reader.gettext(
            "{title}: an organizer has stopped all clocks until {at}. You can play on meanwhile."
        )
    )
    words = sentence.format(title=terms.title(report.tournament), at=timestamp(at))
    return news_post(reader, report, words)


def tournament_pairing(reader: Reader, tournament: Tournament, pairing: Pairing) -> Post:
    """Return the announcement of a pairing. Its thread pings the player to move."""
    title = terms.title(tournament)
    if tournament.terms.format.has_rounds:
        title = place_in_tournament(reader, title, pairing)
    content = with_explanation(reader, title, terms.pair(reader, pairing))
    return Post(content="\n".join([content, *terms.match_lines(reader, tournament, pairing)]))


def tournament_results(reader: Reader, report: Report, number: int) -> Post:
    heading = reader.gettext("{title}, results of round {number}").format(
        title=terms.title(report.tournament), number=number
    )
    return news_post(reader, report, heading, *result_lines(reader, report.tournament, number))


def tournament_held_up(reader: Reader, report: Report, missing: Sequence[str]) -> Post:
    """Return the announcement that a round's games can't be started yet."""
    return news_post(reader, report, *held_up(reader, report.tournament, missing))


def channel_gone(reader: Reader, report: Report) -> Post:
    words = reader.gettext("The channel of {title} is gone, so it's called off.")
    return news_post(reader, report, words.format(title=terms.title(report.tournament)))


def held_up(reader: Reader, tournament: Tournament, missing: Sequence[str]) -> list[str]:
    """Return why no games are started, or an empty list if no permission is missing."""
    if not missing or tournament.ended_at is not None:
        return []
    words = reader.ngettext(
        "{title} waits: to open games in {channel} I need the permission {permissions}. Once I "
        "have it, it goes on by itself.",
        "{title} waits: to open games in {channel} I need the permissions {permissions}. Once I "
        "have them, it goes on by itself.",
        len(missing),
    )
    return [
        words.format(
            title=terms.title(tournament),
            channel=channel(tournament.terms.channel),
            permissions=and_list(reader, map(reader.gettext, missing)),
        )
    ]


def tournament_ended(reader: Reader, report: Report, *, corrected: bool = False) -> Post:
    """Return the winners, and the results of the last round."""
    tournament = report.tournament
    sentence = (
        reader.gettext("{title}, after the correction:")
        if corrected
        else reader.gettext("{title} is over.")
    )
    lines = [sentence.format(title=terms.title(tournament))]
    lines += place_lines(reader, _placed(report), tournament, slice(NAMED_AT_THE_END))
    lines += award_lines(reader, report.award)
    if tournament.terms.format.has_rounds and tournament.round:
        last = reader.gettext("Results of round {number}:").format(number=tournament.round)
        lines += ["", last, *result_lines(reader, tournament, tournament.round)]
    return news_post(reader, report, *lines)


def award_lines(reader: Reader, award: Award | None) -> list[str]:
    """Return the line about the winner's role, if there is one."""
    if award is None:
        return []
    sentence = (
        reader.gettext("{player} now has the role {role}.")
        if award.is_given
        else reader.gettext(
            "I couldn't give {player} the role {role}. For that I need the permission "
            "{permission}, and a role above it."
        )
    )
    permission = reader.gettext("Manage Roles")
    role = f"<@&{award.role}>"
    return [sentence.format(player=user(award.player), role=role, permission=permission)]


def _placed(report: Report) -> Sequence[PlayerStanding]:
    """Return the players with a final place. In a ladder they must have played."""
    if report.tournament.terms.format is not TournamentFormat.LADDER:
        return report.standings
    return [standing for standing in report.standings if standing.played]


def tournament_cancelled(reader: Reader, report: Report) -> Post:
    """Return the announcement that a tournament was canceled."""
    tournament = report.tournament
    begins_at, ended_at = tournament.terms.begins_at, tournament.ended_at
    was_to_begin = begins_at is not None and ended_at is not None and begins_at <= ended_at
    if not tournament.round and was_to_begin:
        sentence = reader.gettext("{title} is canceled: there were too few players.")
    elif tournament.round or tournament.pairings:
        sentence = reader.gettext("{title} is canceled. Its running games go on.")
    else:
        sentence = reader.gettext("{title} is canceled.")
    return news_post(reader, report, sentence.format(title=terms.title(tournament)))


def tournament_corrected(
    reader: Reader, report: Report, pairing: Pairing, called_off: Sequence[Sequence[int]] = ()
) -> Post:
    """Return the message about a corrected result, with its reason and the games called off."""
    by = pairing.corrected_by
    sentence = reader.gettext(
        "{title}: {organizer} has corrected round {number}, board {board}: {players} {result}"
    )
    lines = [
        sentence.format(
            title=terms.title(report.tournament),
            organizer=reader.gettext("(deleted)") if by is None else terms.player(reader, by),
            number=pairing.round,
            board=pairing.board,
            players=terms.pair(reader, pairing),
            result=f"**{terms.result(pairing)}**",
        )
    ]
    if pairing.note is not None:
        lines.append(f"> {escaped(pairing.note)}")
    off = reader.gettext("Round {number}, board {board} is called off. I'm pairing it again.")
    lines += [off.format(number=number, board=board) for number, board in called_off]
    return news_post(reader, report, *lines)


def told_player(reader: Reader, report: Report, kind: News, player: UserId) -> Post:
    """Return the message about an organizer's act that affects a player."""
    sentence = {
        News.ADDED: reader.gettext(
            "{player}, an organizer has put you into {title}. Rather not? Leave in /tournament "
            "show."
        ),
        News.REMOVED: reader.gettext("{player}, an organizer took you out of {title}."),
        News.HELPER: reader.gettext(
            "{player}, you're now the second organizer of {title}. Press *Organize* in "
            "/tournament show."
        ),
    }[kind]
    lines = [sentence.format(player=user(player), title=terms.title(report.tournament))]
    plays = any(player in pairing.players for pairing in report.tournament.undecided)
    if kind is News.REMOVED and plays:
        lines.append(reader.gettext("A game you're playing still counts."))
    return news_post(reader, report, *lines, pings=(player,))


def tournament_blocked(
    reader: Reader, report: Report, pairing: Pairing, absentee: UserId | None
) -> Post:
    opponent = None if absentee is None else pairing.opponent_of(absentee)
    sentence = reader.gettext(
        "In {title} you meet {player}, though you've blocked them. There was no other pairing, "
        "and they aren't told. Rather not? Leave it in /tournament show."
    )
    name = "" if opponent is None else terms.player(reader, opponent)
    return news_post(
        reader, report, sentence.format(title=terms.title(report.tournament), player=name)
    )


def _joined(reader: Reader, tournament: Tournament) -> list[str]:
    is_over = tournament.state is TournamentState.DONE
    entrants = tournament.entrants if is_over else tournament.members
    players = [entrant.player for entrant in entrants]
    if not players:
        return who_can_join(reader, tournament)
    sentence = reader.ngettext(
        "{count} player: {players}", "{count} players: {players}", len(players)
    )
    return [sentence.format(count=len(players), players=and_players(reader, players))]


def _to_join(reader: Reader, report: Report) -> tuple[Button, Button]:
    tournament = report.tournament
    join_id, leave_id = (
        terms.button_id(tournament.id, action, report.mark) for action in ("join", "leave")
    )
    is_over = tournament.state in (TournamentState.DONE, TournamentState.CANCELLED)
    return (
        Button(
            reader.gettext("Join"),
            join_id,
            ButtonStyle.SUCCESS,
            disabled=not takes_entrants(tournament, are_new=True),
        ),
        Button(reader.gettext("Leave"), leave_id, disabled=is_over),
    )


def news_post(reader: Reader, report: Report, *lines: str, pings: tuple[UserId, ...] = ()) -> Post:
    """Return a message about a tournament, with the standings if the report has them."""
    return Post(
        content=join_within_limit(reader, list(lines)),
        picture=report.picture,
        pings=pings,
        buttons=marks(reader, report),
    )


def marks(reader: Reader, report: Report) -> tuple[Button, ...]:
    """Return the button that identifies a tournament's message to the bot."""
    tournament = report.tournament
    if terms.leads_to_games(report.mark):
        label = reader.gettext("Games")
    else:
        # A ladder has standings even before its first game.
        has_begun = tournament.state is TournamentState.RUNNING or tournament.pairings
        label = reader.gettext("Standings") if has_begun else reader.gettext("Players")
    return (Button(label, terms.tournament_mark(tournament.id, report.mark)),)
