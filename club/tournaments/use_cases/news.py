"""A tournament's news: rows of `deliveries`, written together with their causes."""

from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from typing import Final

from bot.base.ids import UserId, is_deleted_user
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
BLOCKED: Final = DeliveryKind("tournament_blocked")
"""Kind of delivery: tells a player that they are paired with a user they have blocked.

Data: {"tournament", "round", "board"}.
"""
HELD_UP: Final = DeliveryKind("tournament_held_up")
"""Kind of delivery: tells a person that a round can't be opened, or that the channel was deleted.

Data: {"tournament", "round"}. Round 0 means that the channel was deleted.
"""
NAMED_AT_THE_END: Final = 3
"""Number of places named at the end."""


class News(StrEnum):
    """Kinds of news in a tournament's channel, stored as `data["what"]`."""

    CREATED = "created"
    CHECK_IN = "check_in"
    ROUND = "round"
    """A round was paired, or a ladder starts (as round 1)."""
    RESULTS = "results"
    """All games of a round have ended.

    It precedes the next `ROUND`. The news of the last round is part of `ENDED`.
    """
    STOPPED = "stopped"
    """All clocks are stopped, or run again.

    The data has "at_s", a time in seconds since 1970, and "is_over": True if they run again.
    """
    ADDED = "added"
    """An organizer has put a player in. The data has "player", here and in the next."""
    REMOVED = "removed"
    """An organizer has taken a player out."""
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


def waiting(tournament: Tournament) -> tuple[UserId, ...]:
    """Return the players who have not checked in yet."""
    return tuple(
        entrant.player
        for entrant in tournament.entrants
        if not (entrant.checked_in or entrant.withdrawn)
    )


def about_player(tournament: Tournament, what: News, player: UserId) -> NewDelivery:
    """Return the announcement that an organizer has put a player in, or taken one out."""
    row = news(tournament, what, number=tournament.version)
    return replace(row, data={**row.data, "player": player})


def begun(tournament: Tournament) -> list[NewDelivery]:
    """Return the announcement that a ladder starts. Rounds and seasons announce themselves."""
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


def blocked_pairing_notice(tournament: Tournament, pairing: Pairing, player: UserId) -> NewDelivery:
    """Return the direct message to a player paired with a user they have blocked."""
    which = f"{pairing.round}-{pairing.board}-{int(player != pairing.white)}"
    key = f"{tournament.id}-blocked-{which}"
    row = _delivery(tournament, BLOCKED, key, round=pairing.round, board=pairing.board)
    return replace(row, player=player, route=DeliveryRoute.DM)


def held_up(tournament: Tournament, number: int, *players: UserId) -> list[NewDelivery]:
    """Return the direct messages that a round can't be opened, to the organizer and some players.

    Round 0 means that the channel was deleted.
    """
    seeds = {entrant.player: entrant.seed for entrant in tournament.entrants} | {
        tournament.terms.organiser: 0
    }
    row = _delivery(tournament, HELD_UP, "", round=number)
    return [
        replace(
            row,
            key=f"{tournament.id}-held_up-{number}-{seeds[player]}",
            player=player,
            route=DeliveryRoute.DM,
        )
        for player in dict.fromkeys((tournament.terms.organiser, *players))
        if not is_deleted_user(player)
    ]


def channel_deleted(tournament: Tournament) -> list[NewDelivery]:
    """Return the notices to the organizer and the players that the channel was deleted."""
    players = [entrant.player for entrant in tournament.entrants if not entrant.withdrawn]
    return held_up(tournament, 0, *players)


def stopped(tournament: Tournament, at: datetime, *, is_over: bool) -> NewDelivery:
    """Return the announcement that all clocks are stopped, or run again."""
    row = news(tournament, News.STOPPED, number=tournament.version)
    return replace(row, data={**row.data, "at_s": int(at.timestamp()), "is_over": is_over})
