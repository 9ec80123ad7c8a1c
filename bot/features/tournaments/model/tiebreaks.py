"""Tie-breaks as FIDE defines them: Buchholz, Sonneborn–Berger, direct encounter.

FIDE Handbook C.07 "Tie-Break Regulations": https://handbook.fide.com/chapter/TieBreakRegulations2026
Numbers of articles are theirs. In a Swiss rounds without a game count by article 16: a player who
is not there at the end is taken to have drawn those rounds (16.3.2), and a player with a round
without a game is taken to have met one with as many points as they have themselves (16.4). In
a round robin games that were not played count like any others, and a free round counts nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.base.ids import UserId
from bot.features.tournaments.model.field import each_ones
from bot.features.tournaments.model.terms import BYE, Pairing, PairingResult

HALF: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """A player's tie-breaks, added up."""

    points: float
    buchholz: float
    sonneborn_berger: float


def swiss_tallies(
    players: Iterable[UserId], pairings: Sequence[Pairing], rounds: int
) -> dict[UserId, Tally]:
    """Return the tallies in a Swiss after some rounds: article 16, in force from February 2026."""
    own = each_ones(pairings)
    by_round = {player: {one.round: one for one in own[player]} for player in players}
    sheets = {
        player: tuple(mine.get(number) for number in range(1, rounds + 1))
        for player, mine in by_round.items()
    }
    points = {player: _points(player, sheet) for player, sheet in sheets.items()}
    adjusted = {player: _adjusted(player, sheet) for player, sheet in sheets.items()}
    dummy = {player: min(own, HALF * rounds) for player, own in points.items()}
    tallies = {}
    for player, sheet in sheets.items():
        buchholz = sonneborn_berger = 0.0
        for pairing in sheet:
            met = dummy[player]
            if pairing is not None and pairing.black is not BYE:
                met = adjusted[pairing.opponent_of(player) or player]
                if pairing.forfeit:
                    met = min(points[player], met)
            if pairing is not None and pairing.result is None:
                continue
            buchholz += met
            sonneborn_berger += met * (0.0 if pairing is None else pairing.points_of(player))
        tallies[player] = Tally(
            points=points[player], buchholz=buchholz, sonneborn_berger=sonneborn_berger
        )
    return tallies


def round_robin_tallies(
    players: Iterable[UserId], pairings: Sequence[Pairing]
) -> dict[UserId, Tally]:
    """Return the tallies in a round robin; all have the same opponents, so there is no Buchholz."""
    own = each_ones(pairings)
    mine = {player: own[player] for player in players}
    points = {player: sum(p.points_of(player) for p in games) for player, games in mine.items()}
    return {
        player: Tally(
            points=points[player],
            buchholz=0.0,
            sonneborn_berger=sum(
                game.points_of(player) * points[opponent]
                for game in games
                if (opponent := game.opponent_of(player)) is not BYE
            ),
        )
        for player, games in mine.items()
    }


def direct_encounter(
    group: Sequence[UserId], pairings: Sequence[Pairing], *, unplayed_counts: bool
) -> Mapping[UserId, float]:
    """Points of those who are level against each other: article 6, if all of them have met."""
    level = set(group)
    games = [
        pairing
        for pairing in pairings
        if len(pairing.players) > 1
        and level.issuperset(pairing.players)
        and pairing.result is not None
        and (unplayed_counts or pairing.was_played)
    ]
    met = {frozenset(game.players) for game in games}
    if len(met) < len(level) * (len(level) - 1) // 2:
        return dict.fromkeys(group, 0.0)
    return {
        player: sum(game.points_of(player) for game in games if player in game.players)
        for player in group
    }


def _points(player: UserId, sheet: Sequence[Pairing | None]) -> float:
    return sum(pairing.points_of(player) for pairing in sheet if pairing is not None)


def _adjusted(player: UserId, sheet: Sequence[Pairing | None]) -> float:
    """Return a player's points as they count for those who have met them: article 16.3."""
    present = [
        number for number, pairing in enumerate(sheet, start=1) if _was_there(player, pairing)
    ]
    last = max(present, default=0)
    total = 0.0
    for number, pairing in enumerate(sheet, start=1):
        if number <= last or (pairing is not None and pairing.black is not BYE):
            total += 0.0 if pairing is None else pairing.points_of(player)
        else:
            total += HALF
    return total


def _was_there(player: UserId, pairing: Pairing | None) -> bool:
    """Tell whether a round without a game was none of a player's doing (16.2)."""
    if pairing is None or pairing.result is PairingResult.ZERO_BYE:
        return False
    return not pairing.forfeit or pairing.points_of(player) > 0
