"""A tournament's news: rows of `deliveries`, written together with their causes."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from bot.base.ids import ChannelId, UserId, is_deleted_user
from bot.database.delivery_rows import DeliveryKind, DeliveryRoute, NewDelivery
from club.tournaments.model.results import Correction
from club.tournaments.model.tournament import Pairing, Tournament, TournamentFormat

NEWS: Final = DeliveryKind("tournament_news")
"""Kind of delivery: a message in the tournament's channel.

Data: {"tournament", "what", "round"}.
"""
PAIRING: Final = DeliveryKind("pairing")
"""Kind of delivery: a message that starts a game's thread.

Data: {"tournament", "round", "board"}.
"""
EVENT: Final = DeliveryKind("tournament_event")
"""Kind of delivery: Discord's scheduled event for the start.

Data: {"tournament", "begins": seconds since 1970}.
"""
WITHDRAWN: Final = DeliveryKind("tournament_withdrawn")
"""Kind of delivery: tells a player that an organizer removed them. Data: {"tournament"}."""
BLOCKED: Final = DeliveryKind("tournament_blocked")
"""Kind of delivery: tells a player that they are paired with a user they have blocked.

Data: {"tournament", "round", "board"}.
"""
HELD_UP: Final = DeliveryKind("tournament_held_up")
"""Kind of delivery: tells a person that a round can't be opened, or that the channel was deleted.

Data: {"tournament", "round"}. Round 0 means that the channel was deleted.
"""
STOPPED: Final = DeliveryKind("tournament_stopped")
"""Kind of delivery: tells a player that the tournament's clocks are stopped, or run again.

Data: {"tournament", "at_s": time in seconds since 1970, "is_over": True if they run again}.
"""
NAMED_AT_THE_END: Final = 3
"""Number of places named at the end."""
CALLED: Final = 60
"""Maximum number of entrants that a check-in message pings, limited by its length."""


class News(StrEnum):
    """Kinds of news in a tournament's channel, stored as `data["what"]`."""

    CREATED = "created"
    CHECK_IN = "check_in"
    CALLED = "called"
    """Pings the other entrants for check-in. The data also has "seeds"."""
    ROUND = "round"
    """A round was paired, or a ladder starts (as round 1)."""
    RESULTS = "results"
    """All games of a round have ended.

    It precedes the next `ROUND`. Those of the last round are part of `ENDED`.
    """
    STOPPED = "stopped"
    """All clocks are stopped, or run again. The data has "at_s" and "is_over", like `STOPPED`."""
    HELD_UP = "held_up"
    """A round waits because its games can't be opened. "round" is its number."""
    SEASON = "season"
    """A league's season begins. "round" is the season's number, here and in the next two."""
    WEEK = "week"
    """The standings of a running season. The data also has "week", the number of whole weeks."""
    SEASON_OVER = "over"
    """A season has ended, with its winners and who moves between divisions."""
    ENDED = "ended"
    """The tournament has ended.

    It is sent again if a correction changes the winner. "round" is then a version number.
    """
    CANCELLED = "cancelled"
    """It was canceled by an organizer, or because too few players were present."""
    CORRECTED = "corrected"
    """A result was corrected.

    The data has "round" and "board" of the pairing, and "called_off": a list of [round, board].
    """


def _delivery(tournament: Tournament, kind: DeliveryKind, key: str, **data: object) -> NewDelivery:
    terms = tournament.terms
    return NewDelivery(
        kind=kind,
        key=key,
        guild=terms.guild,
        channel=terms.channel,
        data={"tournament": tournament.id, **data},
    )


def news(tournament: Tournament, what: News, *, number: int = 0) -> NewDelivery:
    key = f"{tournament.id}-{what}-{number}"
    return _delivery(tournament, NEWS, key, what=what.value, round=number)


def asked(tournament: Tournament) -> list[NewDelivery]:
    """Return the messages of a check-in that ping everyone.

    If there are several, the data of each has the first and the last of its "seeds". So everyone is
    pinged once, even if a player leaves between two messages.
    """
    seeds = [entrant.seed for entrant in tournament.entrants]
    parts = [seeds[first : first + CALLED] for first in range(0, len(seeds), CALLED)]
    if len(parts) <= 1:
        return [news(tournament, News.CHECK_IN)]
    tells = []
    for number, part in enumerate(parts):
        what = News.CALLED if number else News.CHECK_IN
        row = news(tournament, what, number=number)
        tells.append(replace(row, data={**row.data, "seeds": [part[0], part[-1]]}))
    return tells


def called(tournament: Tournament, data: Mapping[str, Any]) -> tuple[UserId, ...]:
    """Return the users that a check-in message pings: those who have not checked in yet."""
    waiting = [
        entrant for entrant in tournament.entrants if not (entrant.checked_in or entrant.withdrawn)
    ]
    first, last = data.get("seeds", (None, None))
    if first is None:
        return tuple(entrant.player for entrant in waiting[:CALLED])
    return tuple(entrant.player for entrant in waiting if first <= entrant.seed <= last)


def begun(tournament: Tournament) -> list[NewDelivery]:
    """Return the news that a ladder starts. Rounds and seasons announce themselves."""
    is_ladder = tournament.terms.format is TournamentFormat.LADDER
    return [news(tournament, News.ROUND, number=1)] if is_ladder else []


def weekly(league: Tournament, week: int) -> NewDelivery:
    """Return the news of how a league's season stands after some weeks."""
    key = f"{league.id}-{News.WEEK}-{league.round}-{week}"
    return _delivery(league, NEWS, key, what=News.WEEK.value, round=league.round, week=week)


def corrected(tournament: Tournament, correction: Correction) -> NewDelivery:
    """Return the news of a corrected result, with a new key for each correction."""
    return _delivery(
        tournament,
        NEWS,
        f"{tournament.id}-{News.CORRECTED}-{tournament.version}",
        what=News.CORRECTED.value,
        round=correction.pairing.round,
        board=correction.pairing.board,
        called_off=[list(pairing.place) for pairing in correction.called_off],
    )


def announced(tournament: Tournament, pairing: Pairing) -> NewDelivery:
    """Return the announcement of a pairing, the message that starts its thread."""
    key, board = pairing_key(tournament, pairing), pairing.board
    return _delivery(tournament, PAIRING, key, round=pairing.round, board=board)


def pairing_key(tournament: Tournament, pairing: Pairing) -> str:
    return f"{tournament.id}-{pairing.round}-{pairing.board}"


def taken_out(tournament: Tournament, player: UserId, way: DeliveryRoute) -> NewDelivery:
    """Return the notice to a player that an organizer removed.

    It goes to the thread of their running game, or to the tournament's channel, or by direct
    message.
    """
    threads = (pairing.message for pairing in tournament.undecided if player in pairing.players)
    message = next((thread for thread in threads if thread is not None), None)
    row = _delivery(tournament, WITHDRAWN, f"{tournament.id}-out-{tournament.version}")
    channel = row.channel if message is None else ChannelId(message)
    return replace(row, channel=channel, player=player, route=way)


def met_anyway(tournament: Tournament, pairing: Pairing, player: UserId) -> NewDelivery:
    """Return the direct message to a player paired with a user they have blocked."""
    which = f"{pairing.round}-{pairing.board}-{int(player != pairing.white)}"
    key = f"{tournament.id}-blocked-{which}"
    row = _delivery(tournament, BLOCKED, key, round=pairing.round, board=pairing.board)
    return replace(row, player=player, route=DeliveryRoute.DM)


def held_up(tournament: Tournament, number: int, players: Iterable[UserId]) -> list[NewDelivery]:
    """Return the notices to the organizer and to players that a round can't be opened.

    Round 0 means that the channel was deleted.
    """
    seeds = {entrant.player: entrant.seed for entrant in tournament.entrants} | {
        tournament.terms.organiser: 0
    }
    return [
        replace(
            _delivery(
                tournament,
                HELD_UP,
                f"{tournament.id}-held_up-{number}-{seeds[player]}",
                round=number,
            ),
            player=player,
            route=DeliveryRoute.DM,
        )
        for player in dict.fromkeys((tournament.terms.organiser, *players))
        if player in seeds and not is_deleted_user(player)
    ]


def stopped(tournament: Tournament, at: datetime, *, is_over: bool) -> list[NewDelivery]:
    """Return the messages to the channel and each player that clocks stop, or run again."""
    about = {"at_s": int(at.timestamp()), "is_over": is_over}
    public = news(tournament, News.STOPPED, number=tournament.version)
    key = f"{tournament.id}-stop-{tournament.version}"
    letters = [
        replace(
            _delivery(tournament, STOPPED, f"{key}-{entrant.seed}", **about),
            player=entrant.player,
            route=DeliveryRoute.DM,
        )
        for entrant in tournament.entrants
        if not entrant.withdrawn and not is_deleted_user(entrant.player)
    ]
    return [replace(public, data={**public.data, **about}), *letters]


def scheduled(tournament: Tournament) -> NewDelivery:
    """Return the delivery that creates Discord's scheduled event for a start."""
    at = tournament.terms.begins_at
    begins = None if at is None else int(at.timestamp())
    return _delivery(tournament, EVENT, str(tournament.id), begins=begins)
