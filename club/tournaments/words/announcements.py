"""A tournament's public texts, from its announcement to its end."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.base.formats import and_list, shortened_people
from bot.base.ids import ChannelId, UserId
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
from bot.database.delivery_rows import DeliveryRoute
from bot.play.words.pictures import Picture, picture
from club.tournaments.model.rules import fewest_players
from club.tournaments.model.standings import PlayerStanding
from club.tournaments.model.tournament import Pairing, Tournament, TournamentFormat, TournamentState
from club.tournaments.use_cases.news import CALLED, NAMED_AT_THE_END
from club.tournaments.words import terms
from club.tournaments.words.games import byes, result_lines
from club.tournaments.words.standings import StandingsPage, place_lines

_NAMED: Final = 40
"""Maximum number of entrants who are named."""
_WORTH_TELLING_S: Final = 60
"""Minimum change of a round's end, in seconds, that makes its message worth correcting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The content of a message about a tournament's current state."""

    tournament: Tournament
    mark: str
    """The mark that lets the bot recognize the message."""
    standings: Sequence[PlayerStanding] = ()
    picture: StandingsPage | None = None
    """The standings, if there are any yet."""
    limit: "RoundLimit | None" = None
    """The running round's time limit."""


@dataclass(frozen=True, slots=True)
class RoundLimit:
    """The running round's time limit in its message."""

    ends: datetime | None = None
    """When it ends at the latest, given the pauses known so far, or None for no limit."""
    stopped_until: datetime | None = None
    """When clocks run again, if they are all stopped."""

    @property
    def data(self) -> dict[str, int | None]:
        """The limit in seconds since 1970, in the form that the message's delivery stores."""
        ends, until = self.ends, self.stopped_until
        return {
            "ends_s": None if ends is None else int(ends.timestamp()),
            "stopped_until_s": None if until is None else int(until.timestamp()),
        }

    def is_told_by(self, data: Mapping[str, int | None]) -> bool:
        """Return True if a message with this data shows this limit, to the minute."""
        for key, own in self.data.items():
            told = data.get(key)
            if own != told and (own is None or told is None or abs(own - told) >= _WORTH_TELLING_S):
                return False
        return True


def tournament_announced(reader: Reader, report: Report) -> Post:
    """Return the announcement, which is edited when players join and during the tournament."""
    one = report.tournament
    sentence = reader.gettext("Organised by {organiser}.")
    organised = sentence.format(organiser=terms.player(reader, one.terms.organiser))
    lines = [terms.title(one), *terms.terms_lines(reader, one), organised]
    if one.state is not TournamentState.OPEN:
        lines.append(f"**{terms.how_far(reader, one)}**")
    if one.round:
        lines += terms.played_otherwise(reader, one)
    lines += terms.ending(reader, one)
    if one.state in (TournamentState.OPEN, TournamentState.CHECK_IN):
        lines.append(terms.beginning(reader, one))
    lines += _joined(reader, one)
    return Post(
        content=join_within_limit(reader, lines),
        picture=_theme(reader, one),
        buttons=_of_announcement(reader, report),
    )


def _theme(reader: Reader, one: Tournament) -> Picture | None:
    """Return the start position of all games, if there is one."""
    terms = one.terms
    if terms.position is None:
        return None
    names = reader.coordinates_or(terms.coordinates)
    return picture(reader, f"tournament-{one.id}.png", terms.position, names)


def tournament_check_in(reader: Reader, report: Report, called: Sequence[UserId]) -> Post:
    """Return the check-in message, which pings some of the entrants. Editing it pings nobody."""
    one = report.tournament
    waiting = [e.player for e in one.entrants if not (e.checked_in or e.withdrawn)]
    here = [
        terms.player(reader, e.player) for e in one.entrants if e.checked_in and not e.withdrawn
    ]
    if one.state is not TournamentState.CHECK_IN:
        lines = [reader.gettext("{title}: check-in is over.").format(title=terms.title(one))]
    else:
        lines = _who_is_there(reader, one, waiting)
    if here:
        names = shortened_people(reader, here, min(max(CALLED - len(waiting), 1), _NAMED))
        lines.append(reader.gettext("Here: {players}").format(players=names))
    is_open = one.state is TournamentState.CHECK_IN
    return Post(
        content=join_within_limit(reader, lines),
        pings=tuple(called) if is_open else (),
        buttons=(
            (_check_in_button(reader, report), *_to_join(reader, report), *marks(reader, report))
            if is_open
            else ()
        ),
    )


def tournament_called(reader: Reader, report: Report, called: Sequence[UserId]) -> Post:
    """Return the check-in message to the other entrants. It is not edited."""
    here = _check_in_button(reader, report)
    return Post(
        content=join_within_limit(reader, _who_is_there(reader, report.tournament, called)),
        pings=tuple(called),
        buttons=(here, *marks(reader, report)),
    )


def _who_is_there(reader: Reader, one: Tournament, waiting: Sequence[UserId]) -> list[str]:
    sentence = reader.gettext("{title} starts soon. Press {verb}, or you get no game.")
    verb = reader.gettext("I'm here")
    lines = [sentence.format(title=terms.title(one), verb=f"*{verb}*")]
    if one.terms.begins_at is not None:
        lines.append(terms.beginning(reader, one))
    if waiting:
        names = shortened_people(reader, [terms.player(reader, who) for who in waiting], CALLED)
        lines.append(reader.gettext("Not here yet: {players}").format(players=names))
    return lines


def tournament_round(reader: Reader, report: Report, number: int) -> Post:
    """Return the news that a round starts. Its games follow, each with its own thread."""
    one = report.tournament
    if not one.terms.format.has_rounds:
        begins = reader.gettext("{title} begins.").format(title=terms.title(one))
        lines = [begins, *terms.how_to_climb(reader, one), *terms.ending(reader, one)]
        return Post(content=join_within_limit(reader, lines), buttons=marks(reader, report))
    pairings = [pairing for pairing in one.pairings if pairing.round == number]
    games = [pairing for pairing in pairings if pairing.result is None]
    heading = reader.gettext("{title}, round {number} of {total}").format(
        title=terms.title(one), number=number, total=terms.rounds(one)
    )
    sentence = reader.ngettext(
        "{count} game, in its own thread below.",
        "{count} games, each in its own thread below.",
        len(games),
    )
    lines = [heading, sentence.format(count=len(games))]
    if report.limit is not None:
        lines += round_limit(reader, report.limit)
    lines += byes(reader, pairings)
    if number == 1:
        lines += terms.played_otherwise(reader, one)
    return Post(content=join_within_limit(reader, lines), buttons=marks(reader, report))


def round_limit(reader: Reader, limit: RoundLimit) -> list[str]:
    """Return the lines about the latest end of a round, and about stopped clocks."""
    lines = []
    if limit.ends is not None:
        sentence = reader.gettext("The round ends {moment} at the latest.")
        lines.append(sentence.format(moment=timestamp(limit.ends)))
    if limit.stopped_until is not None:
        lines.append(stands_still(reader, limit.stopped_until))
    return lines


def stands_still(reader: Reader, until: datetime) -> str:
    sentence = reader.gettext("⏸ All clocks are paused until {until}. You can play on meanwhile.")
    return sentence.format(until=timestamp(until))


def tournament_stopped(reader: Reader, report: Report, at: datetime, *, is_over: bool) -> Post:
    """Return the news, and the message to a player, that all clocks are stopped or run again."""
    sentence = (
        reader.gettext("{title}: all clocks run again since {at}.")
        if is_over
        else reader.gettext(
            "{title}: an organiser has stopped all clocks until {at}. You can play on meanwhile."
        )
    )
    words = sentence.format(title=terms.title(report.tournament), at=timestamp(at))
    return Post(content=words, buttons=marks(reader, report))


def tournament_pairing(reader: Reader, tournament: Tournament, pairing: Pairing) -> Post:
    """Return the announcement of a pairing. Its thread pings the player to move."""
    sentence = (
        reader.gettext("{title}, round {number}, board {board}: {players}")
        if tournament.terms.format.has_rounds
        else reader.gettext("{title}: {players}")
    )
    content = sentence.format(
        title=terms.title(tournament),
        number=pairing.round,
        board=pairing.board,
        players=terms.pair(reader, pairing),
    )
    return Post(content="\n".join([content, *terms.match_lines(reader, tournament, pairing)]))


def tournament_results(reader: Reader, report: Report, number: int) -> Post:
    heading = reader.gettext("{title}, results of round {number}").format(
        title=terms.title(report.tournament), number=number
    )
    lines = [heading, *result_lines(reader, report.tournament, number)]
    return Post(
        content=join_within_limit(reader, lines),
        picture=report.picture,
        buttons=marks(reader, report),
    )


def tournament_held_up(reader: Reader, report: Report, number: int, missing: Sequence[str]) -> Post:
    """Return the news that a round's games can't be started yet.

    Round 0: the channel was deleted.
    """
    one = report.tournament
    if not number:
        words = reader.gettext("The channel of {title} is gone, so it's called off.")
        content = words.format(title=terms.title(one))
    else:
        content = " ".join(held_up(reader, one, missing))
    return Post(content=content, buttons=marks(reader, report))


def held_up(reader: Reader, one: Tournament, missing: Sequence[str]) -> list[str]:
    """Return why no games are started, or an empty list if no permission is missing."""
    if not missing or one.ended_at is not None:
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
            title=terms.title(one),
            channel=channel(one.terms.channel),
            permissions=and_list(reader, map(reader.gettext, missing)),
        )
    ]


def stuck_games(reader: Reader, stuck: Iterable[Pairing]) -> list[str]:
    """Return the line about games that wait because nothing can be posted in their threads."""
    threads = [
        channel(ChannelId(pairing.message)) for pairing in stuck if pairing.message is not None
    ]
    if not threads:
        return []
    words = reader.gettext("These games wait, as I can't post there: {threads}")
    return [words.format(threads=shortened_people(reader, threads, _NAMED))]


def tournament_ended(reader: Reader, report: Report, *, corrected: bool = False) -> Post:
    """Return the winners, and the results of the last round."""
    one = report.tournament
    sentence = (
        reader.gettext("{title}, after the correction:")
        if corrected
        else reader.gettext("{title} is over.")
    )
    lines = [sentence.format(title=terms.title(one))]
    lines += place_lines(reader, _placed(report), one, slice(NAMED_AT_THE_END))
    if one.terms.format.has_rounds and one.round:
        last = reader.gettext("Results of round {number}:").format(number=one.round)
        lines += ["", last, *result_lines(reader, one, one.round)]
    return Post(
        content=join_within_limit(reader, lines),
        picture=report.picture,
        buttons=marks(reader, report),
    )


def _placed(report: Report) -> Sequence[PlayerStanding]:
    """Return the players with a final place. In a ladder they must have played."""
    if report.tournament.terms.format is not TournamentFormat.LADDER:
        return report.standings
    played = {who for pairing in report.tournament.pairings for who in pairing.players}
    return [standing for standing in report.standings if standing.player in played]


def tournament_cancelled(reader: Reader, report: Report) -> Post:
    """Return the news that a tournament was canceled."""
    one = report.tournament
    begins_at, ended_at = one.terms.begins_at, one.ended_at
    was_to_begin = begins_at is not None and ended_at is not None and begins_at <= ended_at
    if not one.round and was_to_begin:
        few = len([e for e in one.entrants if not e.withdrawn]) < fewest_players(one.terms)
        sentence = (
            reader.gettext("{title} is cancelled: too few people joined.")
            if few
            else reader.gettext("{title} is cancelled: too few people were there.")
        )
    elif one.round or one.pairings:
        sentence = (
            reader.gettext(
                "{title} is cancelled. Running games continue and still count for ratings."
            )
            if one.terms.rated
            else reader.gettext("{title} is cancelled. Running games continue, just for fun.")
        )
    else:
        sentence = reader.gettext("{title} is cancelled.")
    return Post(content=sentence.format(title=terms.title(one)), buttons=marks(reader, report))


def tournament_corrected(
    reader: Reader, report: Report, pairing: Pairing, called_off: Sequence[Sequence[int]] = ()
) -> Post:
    """Return the news of a corrected result, with its reason and the games called off."""
    by = pairing.corrected_by
    sentence = reader.gettext(
        "{title}: {organiser} has corrected round {number}, board {board}: {players} {result}"
    )
    lines = [
        sentence.format(
            title=terms.title(report.tournament),
            organiser=reader.gettext("(deleted)") if by is None else terms.player(reader, by),
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
    return Post(content=join_within_limit(reader, lines), buttons=marks(reader, report))


def tournament_withdrawn(
    reader: Reader, report: Report, who: UserId, way: DeliveryRoute = DeliveryRoute.CHANNEL
) -> Post:
    one = report.tournament
    names = {"player": user(who), "title": terms.title(one), "channel": channel(one.terms.channel)}
    sentence = (
        reader.gettext("An organiser took you out of {title} in {channel}.")
        if way is DeliveryRoute.DM
        else reader.gettext("{player}, an organiser took you out of {title}.")
    )
    lines = [sentence.format(**names)]
    if any(who in pairing.players for pairing in one.undecided):
        lines.append(reader.gettext("Your game goes on, and counts."))
    if way is DeliveryRoute.INSTEAD:
        lines.append(reader.gettext("I couldn't DM you, so here it is."))
    return Post(
        content="\n".join(lines),
        pings=() if way is DeliveryRoute.DM else (who,),
        buttons=marks(reader, report),
    )


def tournament_blocked(reader: Reader, report: Report, pairing: Pairing, who: UserId) -> Post:
    opponent = pairing.opponent_of(who)
    sentence = reader.gettext(
        "In {title} you meet {player}, though you've blocked them. There was no other pairing, "
        "and they aren't told. Rather not? Leave it in /tournament show."
    )
    name = "" if opponent is None else terms.player(reader, opponent)
    words = sentence.format(title=terms.title(report.tournament), player=name)
    return Post(content=words, buttons=marks(reader, report))


def _joined(reader: Reader, one: Tournament) -> list[str]:
    everybody = one.state is TournamentState.DONE
    names = [terms.player(reader, e.player) for e in one.entrants if everybody or not e.withdrawn]
    if not names:
        return [reader.gettext("Nobody has joined yet.")] if one.ended_at is None else []
    sentence = reader.ngettext(
        "{count} player: {players}", "{count} players: {players}", len(names)
    )
    return [sentence.format(count=len(names), players=shortened_people(reader, names, _NAMED))]


def _of_announcement(reader: Reader, report: Report) -> tuple[Button, ...]:
    """Return the buttons of an edited message. Each keeps its place during the tournament."""
    ways = [*_to_join(reader, report), *marks(reader, report)]
    if report.tournament.state is TournamentState.CHECK_IN:
        ways.append(_check_in_button(reader, report))
    return tuple(ways)


def _to_join(reader: Reader, report: Report) -> tuple[Button, Button]:
    one = report.tournament
    join_id, leave_id = (
        terms.button_id(one.id, action, report.mark) for action in ("join", "leave")
    )
    begins = one.state in (TournamentState.OPEN, TournamentState.CHECK_IN)
    runs = one.state is TournamentState.RUNNING
    return (
        Button(
            reader.gettext("Join"),
            join_id,
            ButtonStyle.SUCCESS,
            disabled=not (begins or (runs and _takes_more(one))),
        ),
        Button(reader.gettext("Leave"), leave_id, disabled=not (begins or runs)),
    )


def _check_in_button(reader: Reader, report: Report) -> Button:
    number = terms.button_id(report.tournament.id, "here", report.mark)
    return Button(reader.gettext("I'm here"), number, ButtonStyle.PRIMARY)


def marks(reader: Reader, report: Report) -> tuple[Button, ...]:
    """Return the button that lets the bot recognize a tournament's message."""
    one = report.tournament
    if terms.leads_to_games(report.mark):
        label = reader.gettext("Games")
    else:
        # A ladder has an order before its first game.
        has_begun = one.state is TournamentState.RUNNING or one.pairings
        label = reader.gettext("Standings") if has_begun else reader.gettext("Players")
    return (Button(label, terms.tournament_mark(one.id, report.mark)),)


def _takes_more(one: Tournament) -> bool:
    """Return True if a running tournament can still pair a new entrant."""
    played = terms.played_as(one)
    return not played.has_rounds or (
        played is TournamentFormat.SWISS and one.round < terms.rounds(one)
    )
