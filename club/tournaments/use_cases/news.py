"""A tournament's messages: rows of `deliveries`, written with the changes that they announce."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from typing import Final

from bot.base.ids import UserId, is_deleted_user
from bot.database.delivery_rows import DeliveryKind, DeliveryRoute, NewDelivery
from club.tournaments.model.results import Correction
from club.tournaments.model.tournament import Pairing, Tournament, TournamentFormat

NEWS: Final = DeliveryKind("tournament_news")
"""Kind of delivery: a message in the tournament's channel, or to one player.

Data: {"tournament", "what", "round"}.
"""
PAIRING: Final = DeliveryKind("pairing")
"""Kind of delivery: the first message of a game's thread.

Data: {"tournament", "round", "board"}.
"""
NAMED_AT_THE_END: Final = 3
"""Number of places named at the end."""


class News(StrEnum):
    """Kinds of news about a tournament, stored as `data["what"]`."""

    CREATED = "created"
    CHECK_IN = "check_in"
    ROUND = "round"
    """A round was paired, or a ladder starts (as round 1)."""
    RESULTS = "results"
    """All games of a round have ended.

    It precedes the next `ROUND`. The news of the last round is part of `ENDED`.
    """
    STOPPED = "stopped"
    """All clocks were stopped or restarted.

    The data has "at_s", a time in seconds since 1970, and "is_over": True if they were restarted.
    """
    ADDED = "added"
    """An organizer has added a player. The data has "player", here and in the next two."""
    REMOVED = "removed"
    """An organizer has removed a player."""
    HELPER = "helper"
    """A player became the second organizer."""
    HELD_UP = "held_up"
    """A round waits because its games can't be opened. "round" is its number.

    The channel and the organizer are told.
    """
    GONE = "gone"
    """The channel was deleted. The organizer and each player are told."""
    BLOCKED = "blocked"
    """A player is paired with a user they have blocked. They are told the "round" and "board"."""
    SEASON = "season"
    """A league's season begins. "round" is the season's number, here and in the next two."""
    WEEK = "week"
    """The standings of a running season. The data also has "week", the number of whole weeks."""
    SEASON_OVER = "over"
    """A season has ended, with its winners and the players who move between divisions."""
    ENDED = "ended"
    """The tournament has ended.

    It is sent again if a correction changes the winner. "round" is then a version number, and the
    data has "former", the former winner or None.
    """
    CANCELLED = "cancelled"
    """It was canceled by an organizer, or because too few players were present."""
    CORRECTED = "corrected"
    """A result was corrected.

    The data has "round" and "board" of the pairing, and "called_off": a list of [round, board].
    """


def news(
    tournament: Tournament, kind: News, *, number: int = 0, key: object = None, **data: object
) -> NewDelivery:
    """Return the delivery of a message, which is sent once for each number or other key."""
    key = f"{tournament.id}-{kind}-{number if key is None else key}"
    return _delivery(tournament, NEWS, key, what=kind.value, round=number, **data)


def _delivery(tournament: Tournament, kind: DeliveryKind, key: str, **data: object) -> NewDelivery:
    terms = tournament.terms
    return NewDelivery(
        kind=kind,
        key=key,
        guild=terms.guild,
        channel=terms.channel,
        data={"tournament": tournament.id, **data},
    )


def _only_to(player: UserId, row: NewDelivery) -> NewDelivery:
    return replace(row, player=player, route=DeliveryRoute.DM)


def waiting(tournament: Tournament) -> tuple[UserId, ...]:
    """Return the players who have not checked in yet."""
    return tuple(entrant.player for entrant in tournament.members if not entrant.checked_in)


def about_player(tournament: Tournament, kind: News, player: UserId) -> NewDelivery:
    """Return the announcement of an organizer's act that affects a player."""
    return news(tournament, kind, number=tournament.version, player=player)


def begun(tournament: Tournament) -> list[NewDelivery]:
    """Return the announcement that a ladder starts. Rounds and seasons have their own."""
    is_ladder = tournament.terms.format is TournamentFormat.LADDER
    return [news(tournament, News.ROUND, number=1)] if is_ladder else []


def weekly(league: Tournament, week: int) -> NewDelivery:
    """Return the weekly message with the standings of a league's season."""
    return news(league, News.WEEK, number=league.round, key=f"{league.round}-{week}", week=week)


def corrected(tournament: Tournament, correction: Correction) -> NewDelivery:
    """Return the message about a corrected result. Each correction has its own message."""
    return news(
        tournament,
        News.CORRECTED,
        number=correction.pairing.round,
        key=tournament.version,
        board=correction.pairing.board,
        called_off=[list(pairing.place) for pairing in correction.called_off],
    )


def announced(tournament: Tournament, pairing: Pairing) -> NewDelivery:
    """Return the announcement of a pairing, which is the first message of its thread."""
    key, board = pairing_key(tournament, pairing), pairing.board
    return _delivery(tournament, PAIRING, key, round=pairing.round, board=board)


def pairing_key(tournament: Tournament, pairing: Pairing) -> str:
    return f"{tournament.id}-{pairing.round}-{pairing.board}"


def blocked_pairing_notice(tournament: Tournament, pairing: Pairing, player: UserId) -> NewDelivery:
    """Return the direct message to a player paired with a user they have blocked."""
    key = f"{pairing.round}-{pairing.board}-{int(player != pairing.white)}"
    row = news(tournament, News.BLOCKED, number=pairing.round, key=key, board=pairing.board)
    return _only_to(player, row)


def held_up(tournament: Tournament, number: int) -> list[NewDelivery]:
    """Return the messages to the organizer and the channel about a round that can't be opened."""
    to_channel = news(tournament, News.HELD_UP, number=number)
    return [*_to_each(tournament, [], News.HELD_UP, number), to_channel]


def channel_deleted(tournament: Tournament) -> list[NewDelivery]:
    """Return the notices to the organizer and the players that the channel was deleted."""
    players = [entrant.player for entrant in tournament.members]
    return _to_each(tournament, players, News.GONE, 0)


def _to_each(
    tournament: Tournament, players: Sequence[UserId], kind: News, number: int
) -> list[NewDelivery]:
    """Return direct messages to the organizer and these players. Their keys have no user ids."""
    organizer = tournament.terms.organiser
    seeds = {entrant.player: entrant.seed for entrant in tournament.entrants} | {organizer: 0}
    return [
        _only_to(player, news(tournament, kind, number=number, key=f"{number}-{seeds[player]}"))
        for player in dict.fromkeys((organizer, *players))
        if not is_deleted_user(player)
    ]


def stopped(tournament: Tournament, at: datetime, *, is_over: bool) -> NewDelivery:
    """Return the announcement that all clocks were stopped or restarted."""
    at_s, number = int(at.timestamp()), tournament.version
    return news(tournament, News.STOPPED, number=number, at_s=at_s, is_over=is_over)
