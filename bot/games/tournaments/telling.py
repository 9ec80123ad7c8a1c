"""What is told of a tournament: rows of `deliveries`, written with what they tell of."""

from enum import StrEnum
from typing import Final

from bot.model.ids import ChannelId, UserId
from bot.model.tournaments import Pairing, Tournament
from bot.model.tournaments.field import undecided
from bot.store.rows import DeliveryKind, NewDelivery, Way

NEWS: Final = DeliveryKind("tournament_news")
"""One message in the tournament's channel; data {"tournament", "what", "round"}."""
PAIRING: Final = DeliveryKind("pairing")
"""The message from which a game's thread starts; data {"tournament", "round", "board"}."""
EVENT: Final = DeliveryKind("tournament_event")
"""Discord's scheduled event for a start; data {"tournament", "begins"}, in seconds since 1970."""


WITHDRAWN: Final = DeliveryKind("tournament_withdrawn")
"""The word to somebody whom an organiser has taken out; data {"tournament"}."""


class News(StrEnum):
    """What is told in a tournament's channel, as `data["what"]`."""

    CREATED = "created"
    CHECK_IN = "check_in"
    ROUND = "round"
    """A round is paired; or an arena or a ladder begins, which have no rounds: as round 1."""
    RESULTS = "results"
    """All games of a round are over; before `ROUND` of the next. The last one's are in `ENDED`."""
    ENDED = "ended"
    CANCELLED = "cancelled"
    """By an organiser, or because too few were there."""
    CORRECTED = "corrected"
    """data also has "board"; "round" is the pairing's."""


def news(tournament: Tournament, what: News, *, number: int = 0) -> NewDelivery:
    """What tells of a tournament in its channel."""
    terms = tournament.terms
    return NewDelivery(
        kind=NEWS,
        key=f"{tournament.id}-{what}-{number}",
        guild=terms.guild,
        channel=terms.channel,
        data={"tournament": tournament.id, "what": what.value, "round": number},
    )


def begun(tournament: Tournament) -> list[NewDelivery]:
    """What tells that a tournament begins, where its first round does not tell it."""
    return [] if tournament.terms.format.has_rounds else [news(tournament, News.ROUND, number=1)]


def corrected(tournament: Tournament, pairing: Pairing) -> NewDelivery:
    """What tells that a result was corrected; each time anew."""
    terms = tournament.terms
    return NewDelivery(
        kind=NEWS,
        key=f"{tournament.id}-{News.CORRECTED}-{tournament.version}",
        guild=terms.guild,
        channel=terms.channel,
        data={
            "tournament": tournament.id,
            "what": News.CORRECTED.value,
            "round": pairing.round,
            "board": pairing.board,
        },
    )


def announced(tournament: Tournament, pairing: Pairing) -> NewDelivery:
    """What tells two that they play each other: the message from which their thread starts."""
    terms = tournament.terms
    return NewDelivery(
        kind=PAIRING,
        key=pairing_key(tournament, pairing),
        guild=terms.guild,
        channel=terms.channel,
        data={"tournament": tournament.id, "round": pairing.round, "board": pairing.board},
    )


def pairing_key(tournament: Tournament, pairing: Pairing) -> str:
    """Which of its kind the announcement of a pairing is."""
    return f"{tournament.id}-{pairing.round}-{pairing.board}"


def taken_out(tournament: Tournament, player: UserId, way: Way) -> NewDelivery:
    """What tells somebody that an organiser has taken them out of a tournament as it stood.

    It is told in the thread of the game that they play there, else in the tournament's channel; or
    directly.
    """
    terms = tournament.terms
    threads = (one.message for one in undecided(tournament) if player in one.players)
    message = next((one for one in threads if one is not None), None)
    return NewDelivery(
        kind=WITHDRAWN,
        key=f"{tournament.id}-out-{tournament.version}",
        guild=terms.guild,
        channel=terms.channel if message is None else ChannelId(message),
        player=player,
        way=way,
        data={"tournament": tournament.id},
    )


def scheduled(tournament: Tournament) -> NewDelivery:
    """What makes Discord's scheduled event for a start."""
    terms = tournament.terms
    return NewDelivery(
        kind=EVENT,
        key=str(tournament.id),
        guild=terms.guild,
        channel=terms.channel,
        data={
            "tournament": tournament.id,
            "begins": None if terms.begins_at is None else int(terms.begins_at.timestamp()),
        },
    )
