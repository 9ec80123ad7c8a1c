"""The entrants of a tournament, and the contents of its rounds."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Final

from bot.base.ids import UserId
from bot.features.tournaments.model.terms import (
    Entrant,
    Pairing,
    PairingResult,
    Tournament,
    TournamentFormat,
    TournamentTerms,
)
from dvonn import Color

USUAL_LENGTHS: Final = {
    TournamentFormat.ARENA: timedelta(hours=1),
    TournamentFormat.LADDER: timedelta(days=28),
}
"""The usual lengths of formats without rounds, where the organiser has not chosen one."""


def lots(tournament: Tournament, *what: object) -> Random:
    """Chance for one purpose: the same whenever it is asked for, in every process."""
    return Random(":".join(str(part) for part in (int(tournament.id), *what)))  # noqa: S311


def by_player(tournament: Tournament) -> dict[UserId, Entrant]:
    """Return the entrants by who they are, in order of their seeds."""
    return {entrant.player: entrant for entrant in by_seed(tournament.entrants)}


def by_seed(entrants: Iterable[Entrant]) -> list[Entrant]:
    """Entrants in order of their seeds."""
    return sorted(entrants, key=lambda entrant: entrant.seed)


def starters(tournament: Tournament) -> tuple[Entrant, ...]:
    """With whom the first round was paired, or will be, by seed: the tables are made of them."""
    entrants = by_seed(tournament.entrants)
    if not tournament.round:
        return tuple(entrant for entrant in entrants if not entrant.withdrawn)
    first = (pairing for pairing in tournament.pairings if pairing.round == 1)
    paired = {player for pairing in first for player in pairing.players}
    return tuple(entrant for entrant in entrants if entrant.player in paired)


def active(tournament: Tournament, number: int) -> tuple[Entrant, ...]:
    """Return the entrants who can be paired in a round, by seed."""
    entrants = by_seed(tournament.entrants)
    return tuple(e for e in entrants if not e.withdrawn and e.joined_round <= number)


def in_round(tournament: Tournament, number: int) -> tuple[Pairing, ...]:
    """Return the pairings of a round by board."""
    pairings = (pairing for pairing in tournament.pairings if pairing.round == number)
    return tuple(sorted(pairings, key=lambda pairing: pairing.board))


def in_order(tournament: Tournament) -> list[Pairing]:
    """Return all pairings by round and board."""
    return sorted(tournament.pairings, key=lambda pairing: (pairing.round, pairing.board))


def each_ones(pairings: Iterable[Pairing]) -> Mapping[UserId, Sequence[Pairing]]:
    """Return pairings by their players, in the order given; nothing for others.

    An arena of a day has thousands: to look through all of them for each player would take long.
    """
    found: defaultdict[UserId, list[Pairing]] = defaultdict(list)
    for pairing in pairings:
        for player in pairing.players:
            found[player].append(pairing)
    return found


def of(tournament: Tournament, player: UserId) -> Iterator[Pairing]:
    """Iterate over a player's pairings, the oldest first."""
    return (pairing for pairing in in_order(tournament) if player in pairing.players)


def colors_of(tournament: Tournament, player: UserId) -> tuple[Color, ...]:
    """Return the colours of a player's games, the oldest first; what was not played has none."""
    return tuple(game.color_of(player) for game in of(tournament, player) if game.was_played)


def color_difference(colors: Sequence[Color]) -> int:
    """Count the games with White, less those with Black."""
    return sum(1 if color is Color.WHITE else -1 for color in colors)


def undecided(tournament: Tournament) -> tuple[Pairing, ...]:
    """Return the pairings that have no result yet."""
    return tuple(pairing for pairing in tournament.pairings if pairing.result is None)


def after_round(tournament: Tournament, number: int) -> Tournament:
    """Return a tournament as it stood when a round was over, whatever has been paired since."""
    pairings = tuple(one for one in tournament.pairings if one.round <= number)
    return replace(tournament, pairings=pairings, round=number)


def rounds_over(tournament: Tournament) -> int:
    """Count the rounds that are over: all of them, or all but the one that is played."""
    number = tournament.round
    return number - any(one.round == number for one in undecided(tournament))


def settled(tournament: Tournament) -> Tournament:
    """Return a tournament as it stood after its last round that is over, if any is.

    While a round is played some have played more than others; a bye has brought its point before
    anybody has moved.
    """
    if not tournament.terms.format.has_rounds:
        return tournament
    return after_round(tournament, rounds_over(tournament))


def without_a_game(white: UserId, black: UserId, here: Collection[UserId]) -> PairingResult | None:
    """Return the result of two if one may have left; None: both are here, so they play."""
    if white in here:
        return None if black in here else PairingResult.WHITE
    return PairingResult.BLACK if black in here else PairingResult.NEITHER


def length_of(terms: TournamentTerms) -> timedelta | None:
    """Return the length of an arena or a ladder; None: it is played in rounds."""
    usual = USUAL_LENGTHS.get(terms.format)
    return None if usual is None else terms.lasts or usual


def ends_at(tournament: Tournament) -> datetime | None:
    """Return the end of an arena or a ladder that has begun; else None."""
    length = length_of(tournament.terms)
    began = tournament.began_at
    return None if began is None or length is None else began + length


def deadline_of(tournament: Tournament, pairing: Pairing) -> datetime | None:
    """Return the moment that decides a pairing without its game's end; None: never.

    A player who is asked after it whether they are there has a time of their own.
    """
    if pairing.asks:
        return None
    return round_ends(tournament, pairing)


def round_ends(tournament: Tournament, pairing: Pairing) -> datetime | None:
    """Return the end of the time of a pairing's round; None: it has none."""
    began = pairing.paired_at or tournament.round_began
    limit = tournament.terms.round_time
    return None if began is None or limit is None else began + limit


def next_deadline(tournament: Tournament) -> datetime | None:
    """Return the moment that decides the first undecided pairing; None: none does."""
    deadlines = (deadline_of(tournament, pairing) for pairing in undecided(tournament))
    return min((deadline for deadline in deadlines if deadline is not None), default=None)
