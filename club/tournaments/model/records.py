"""Records of players, which determine the pairings of a Swiss."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.base.ids import UserId
from club.tournaments.model.tournament import BYE, Entrant, Pairing, PairingResult, Tournament
from dvonn import Color

UP, DOWN, LEVEL = "up", "down", "none"
"""Floats: whether the opponent had more, fewer or equally many points."""


@dataclass(slots=True)
class Record:
    """A player's record when a round is paired."""

    entrant: Entrant
    points: float = 0.0
    colors: tuple[Color, ...] = ()
    """The colors of their played games, oldest first."""
    floats: tuple[str, ...] = ()
    """The float of each round so far."""
    byes: int = 0
    """Rounds without an opponent."""
    forfeits_won: int = 0

    @property
    def player(self) -> UserId:
        return self.entrant.player


def records(tournament: Tournament) -> dict[UserId, Record]:
    book = {entrant.player: Record(entrant) for entrant in tournament.seeded}
    for number in range(1, tournament.round + 1):
        _add_round(book, tournament.in_round(number), number)
    return book


def _add_round(book: dict[UserId, Record], pairings: Sequence[Pairing], number: int) -> None:
    before = {player: record.points for player, record in book.items()}
    for pairing in pairings:
        for player in pairing.players:
            _add(book[player], pairing, before)
    for record in book.values():
        if len(record.floats) < number:
            record.floats += (LEVEL,)


def _add(record: Record, pairing: Pairing, before: dict[UserId, float]) -> None:
    player, opponent = record.player, pairing.opponent_of(record.player)
    points = pairing.points_of(player)
    record.points += points
    if opponent is BYE:
        record.byes += 1
        record.floats += (DOWN if pairing.result is PairingResult.BYE else LEVEL,)
        return
    if pairing.was_played or pairing.result is None:
        record.colors += (pairing.color_of(player),)
        points_before, opponent_points = before[player], before[opponent]
        record.floats += (
            UP
            if points_before < opponent_points
            else DOWN
            if points_before > opponent_points
            else LEVEL,
        )
    else:
        record.forfeits_won += points > 0
        record.floats += (DOWN if points else LEVEL,)
