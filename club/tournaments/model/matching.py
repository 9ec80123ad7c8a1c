"""Players' records, and the cheapest pairing: a perfect matching of minimum weight."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, TypeVar

from bot.base.ids import UserId
from club.tournaments.model.tournament import BYE, Entrant, Pairing, PairingResult, Tournament
from dvonn import Color

UP, DOWN, LEVEL = "up", "down", "none"
"""Floats: whether the opponent had more points, fewer points or the same."""


@dataclass(slots=True)
class Record:
    """A player's record when a round is paired."""

    entrant: Entrant
    points: float = 0.0
    colors: tuple[Color, ...] = ()
    """The colors of their played games, oldest first."""
    met: tuple[UserId, ...] = ()
    """Their opponents in pairings, oldest first, even in unplayed games."""
    floats: tuple[str, ...] = ()
    """The float of each round so far."""
    byes: int = 0
    """Rounds without an opponent."""
    forfeits_won: int = 0
    apart: frozenset[UserId] = frozenset()
    """Opponents to avoid, because one of the two has blocked the other."""

    @property
    def player(self) -> UserId:
        return self.entrant.player

    @property
    def difference(self) -> int:
        """The number of games with White minus those with Black."""
        return 2 * self.colors.count(Color.WHITE) - len(self.colors)

    def unbalances(self, color: Color) -> bool:
        """Return True if another game with a color would make the difference larger than 2."""
        return abs(self.difference + (1 if color is Color.WHITE else -1)) > MOST_DIFFERENCE

    def is_third(self, color: Color) -> bool:
        """Return True if it would be the third game in a row with a color."""
        return self.colors[-2:] == (color, color)


MOST_DIFFERENCE = 2
"""Maximum difference between games with White and with Black: FIDE C.04.1, rule f."""


def records(tournament: Tournament) -> dict[UserId, Record]:
    entrants = sorted(tournament.entrants, key=lambda entrant: entrant.seed)
    book = {
        entrant.player: Record(
            entrant,
            apart=frozenset(
                opponent
                for blocked in tournament.apart
                if entrant.player in blocked
                for opponent in blocked - {entrant.player}
            ),
        )
        for entrant in entrants
    }
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
    record.met += (opponent,)
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


Pair_ = tuple[Record, Record | None]
_One = TypeVar("_One")
_BITS: Final = 24
"""Bits per part of a cost. Summed over all boards, a part stays below 2 ** 24."""


def matched(
    players: Sequence[_One], cost: Callable[[_One, _One | None], tuple[int, ...]]
) -> list[tuple[_One, _One | None]]:
    """Return pairs of all players with the minimum total cost.

    If the number is odd, one player is left over. Costs are compared part by part, starting with
    the first.

    >>> matched([1, 5, 2, 6], lambda one, other: (abs(one - (other or 0)),))
    [(1, 2), (5, 6)]
    """
    from networkx import Graph, min_weight_matching  # noqa: PLC0415 - 23 MiB, and seldom needed

    seats: list[_One | None] = [*players, *([None] if len(players) % 2 else [])]
    graph = Graph()
    graph.add_weighted_edges_from(
        (i, j, _number(cost(players[i], seats[j]))) for i, j in combinations(range(len(seats)), 2)
    )
    edges = sorted(tuple(sorted(edge)) for edge in min_weight_matching(graph))
    return [(players[i], seats[j]) for i, j in edges]


def _number(cost: tuple[int, ...]) -> int:
    number = 0
    for part in cost:
        number = (number << _BITS) + part
    return number


def color_faults(white: Record, black: Record) -> tuple[int, int]:
    """Return how many players get a color too often, and how many get it three times in a row."""
    return (
        white.unbalances(Color.WHITE) + black.unbalances(Color.BLACK),
        white.is_third(Color.WHITE) + black.is_third(Color.BLACK),
    )


def colored(one: Record, other: Record) -> tuple[Record, Record]:
    """Return two players, White first, so that their colors are balanced.

    If nothing else decides, the first one gets White.
    """

    def unevenness(white: Record, black: Record) -> tuple[int, ...]:
        repeated = (white.colors[-1:] == (Color.WHITE,)) + (black.colors[-1:] == (Color.BLACK,))
        return (*color_faults(white, black), white.difference - black.difference, repeated)

    return min(((one, other), (other, one)), key=lambda pair: unevenness(*pair))
