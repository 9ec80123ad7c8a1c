"""A player's record in a tournament: all that pairing asks of them."""

from dataclasses import dataclass

from bot.base.ids import UserId
from bot.features.tournaments.model.field import in_order
from bot.features.tournaments.model.terms import BYE, Entrant, Pairing, PairingResult, Tournament
from dvonn import Color

UP, DOWN, LEVEL = "up", "down", "none"
"""The floats: a player met another with more points, with fewer, or with as many."""


@dataclass(slots=True)
class Record:
    """A player's record when a round is paired."""

    entrant: Entrant
    points: float = 0.0
    colors: tuple[Color, ...] = ()
    """The colours of the games they have played, the oldest first."""
    met: tuple[UserId, ...] = ()
    """With whom they were paired, the oldest first, whether or not anybody came."""
    floats: tuple[str, ...] = ()
    """The float of each round so far."""
    byes: int = 0
    """Rounds without an opponent, those against the machine included."""
    forfeits_won: int = 0
    apart: frozenset[UserId] = frozenset()
    """With whom they are not to be paired, as one of the two has blocked the other."""

    @property
    def player(self) -> UserId:
        return self.entrant.player

    @property
    def difference(self) -> int:
        """The number of games with White, less those with Black."""
        return 2 * self.colors.count(Color.WHITE) - len(self.colors)

    def unbalances(self, color: Color) -> bool:
        """Tell whether one game more with a colour makes the difference larger than 2."""
        return abs(self.difference + (1 if color is Color.WHITE else -1)) > MOST_DIFFERENCE

    def is_third(self, color: Color) -> bool:
        """Tell whether it would be the third game in a row with a colour."""
        return self.colors[-2:] == (color, color)


MOST_DIFFERENCE = 2
"""Between games with White and with Black: FIDE C.04.1, rule f."""


def records(tournament: Tournament) -> dict[UserId, Record]:
    """Return all players' records, in order of their seeds."""
    entrants = sorted(tournament.entrants, key=lambda entrant: entrant.seed)
    found = {
        entrant.player: Record(
            entrant,
            apart=frozenset(
                who
                for two in tournament.apart
                if entrant.player in two
                for who in two - {entrant.player}
            ),
        )
        for entrant in entrants
    }
    pairings = in_order(tournament)
    for number in range(1, tournament.round + 1):
        here = [pairing for pairing in pairings if pairing.round == number]
        _add_round(found, here, number)
    return found


def _add_round(found: dict[UserId, Record], pairings: list[Pairing], number: int) -> None:
    before = {player: record.points for player, record in found.items()}
    for pairing in pairings:
        for player in pairing.players:
            _add(found[player], pairing, before)
    for record in found.values():
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
        mine, theirs = before[player], before[opponent]
        record.floats += (UP if mine < theirs else DOWN if mine > theirs else LEVEL,)
    else:
        record.forfeits_won += points > 0
        record.floats += (DOWN if points else LEVEL,)
