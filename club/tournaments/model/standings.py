"""A tournament's standings, by points and tie-breaks.

The tie-breaks are FIDE's (Handbook C.07 "Tie-Break Regulations"). Article numbers refer to
https://handbook.fide.com/chapter/TieBreakRegulations2026. In a Swiss, rounds without a game count
according to article 16: for their opponents, absent players count as if they had drawn these rounds
(16.3.2), and a player without a game counts as if they had met an opponent with the same points
(16.4). In a round robin, unplayed games count like any others, and a free round does not count.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter, mul
from typing import Any, Final, NamedTuple

from bot.base.ids import UserId
from club.tournaments.model.knockout import rounds_survived
from club.tournaments.model.ladder import ladder_order
from club.tournaments.model.pairing import annulled
from club.tournaments.model.tournament import (
    BYE,
    Entrant,
    Pairing,
    PairingResult,
    Tournament,
    TournamentFormat,
)


def each_ones(pairings: Iterable[Pairing]) -> Mapping[UserId, Sequence[Pairing]]:
    """Return pairings grouped by player, in the given order."""
    games: defaultdict[UserId, list[Pairing]] = defaultdict(list)
    for pairing in pairings:
        for player in pairing.players:
            games[player].append(pairing)
    return games


HALF: Final = 0.5
Sheet = Sequence[Pairing | None]
"""A player's pairings. In a Swiss there is one for each round, or None."""


class Tally(NamedTuple):
    """The sums for a player's tie-breaks."""

    points: float
    buchholz: float
    sonneborn_berger: float


def _tallies(
    tournament: Tournament, players: Iterable[UserId], pairings: Sequence[Pairing]
) -> dict[UserId, Tally]:
    """Return the players' sums: in a Swiss by article 16, in other formats only from games."""
    is_swiss, rounds = tournament.terms.format is TournamentFormat.SWISS, tournament.round
    games_by_player = each_ones(pairings)
    sheets: dict[UserId, Sheet] = {player: games_by_player[player] for player in players}
    if is_swiss:
        for player, games in sheets.items():
            by_round = {game.round: game for game in games if game is not None}
            sheets[player] = [by_round.get(number) for number in range(1, rounds + 1)]
    points = {player: _points(player, sheet) for player, sheet in sheets.items()}
    adjusted = points
    if is_swiss:
        adjusted = {player: _adjusted(player, sheet) for player, sheet in sheets.items()}

    def met(player: UserId, pairing: Pairing | None) -> float:
        """Return the points of an opponent, as they count for a player."""
        opponent = None if pairing is None else pairing.opponent_of(player)
        if pairing is None or opponent is BYE:
            return min(points[player], HALF * rounds) if is_swiss else 0.0
        is_limited = is_swiss and pairing.forfeit
        return min(points[player], adjusted[opponent]) if is_limited else adjusted[opponent]

    tallies = {}
    for player, sheet in sheets.items():
        over = [pairing for pairing in sheet if pairing is None or pairing.result is not None]
        opponents = [met(player, pairing) for pairing in over]
        results = [_points(player, [pairing]) for pairing in over]
        scores = sum(map(mul, opponents, results))
        tallies[player] = Tally(points[player], sum(opponents), scores)
    return tallies


def direct_encounter(
    group: Sequence[UserId], pairings: Sequence[Pairing], *, unplayed_counts: bool
) -> Mapping[UserId, float]:
    """Return the points in games among tied players (article 6), if all of them have met."""
    tied = set(group)
    games = [
        pairing
        for pairing in pairings
        if len(pairing.players) > 1
        and tied.issuperset(pairing.players)
        and pairing.result is not None
        and (unplayed_counts or pairing.was_played)
    ]
    met = {frozenset(game.players) for game in games}
    if len(met) < len(tied) * (len(tied) - 1) // 2:
        return dict.fromkeys(group, 0.0)
    return {
        player: sum(game.points_of(player) for game in games if player in game.players)
        for player in group
    }


def _points(player: UserId, sheet: Sheet) -> float:
    return sum(pairing.points_of(player) for pairing in sheet if pairing is not None)


def _adjusted(player: UserId, sheet: Sheet) -> float:
    """Return a player's points as they count for their opponents: article 16.3."""
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
    """Return True if a player was available in an unplayed round (16.2)."""
    if pairing is None or pairing.result is PairingResult.ZERO_BYE:
        return False
    return not pairing.forfeit or pairing.points_of(player) > 0


Scores = Mapping[UserId, Any]
Criterion = Callable[[Sequence[UserId]], Scores]
"""Function that scores tied players by a criterion. Higher is better."""
_BY_POINTS: Final = {
    TournamentFormat.ROUND_ROBIN: ("points", "encounter", "sonneborn_berger", "won", "margin"),
    TournamentFormat.SWISS: ("points", "buchholz", "sonneborn_berger", "encounter", "margin"),
}
"""The criteria of formats with points: fields of `PlayerStanding`, and direct encounters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerStanding:
    """A player's place and the criteria for it."""

    place: int
    """Place, counted from 1. Tied players share a place."""
    player: UserId
    points: float
    """1 for a win or a bye, a half for a draw."""
    buchholz: float = 0.0
    """Buchholz: in a Swiss, the sum of the opponents' points."""
    sonneborn_berger: float = 0.0
    """The points of beaten opponents, plus half the points of opponents in drawn games."""
    margin: int = 0
    """The sum of their margins in games decided by counting pieces."""
    played: int = 0
    """Number of games against other players, not counting byes or forfeits."""
    won: int = 0
    drawn: int = 0
    lost: int = 0
    withdrawn: bool = False


def standings(tournament: Tournament) -> tuple[PlayerStanding, ...]:
    """Return the standings by place.

    Players who share a place are in order of seed.

    A round counts only after it is over.
    """
    tournament = tournament.settled
    tournament_format = tournament.terms.format
    pairings = tournament.pairings
    entrants = tournament.entrants
    players = [entrant.player for entrant in entrants]
    out = annulled(tournament) if tournament_format is TournamentFormat.ROUND_ROBIN else frozenset()
    counted_pairings = [pairing for pairing in pairings if not out.intersection(pairing.players)]
    tallies = _tallies(tournament, players, counted_pairings)
    if out:
        whole = _tallies(tournament, players, pairings)
        tallies |= {player: whole[player] for player in out}
    games_by_player = each_ones(pairings)
    rows = {e.player: _row(e, games_by_player[e.player], tallies[e.player]) for e in entrants}
    criteria = [
        _criterion(rows, lambda row: row.player not in out),
        *_criteria(tournament, rows, counted_pairings),
    ]
    return tuple(
        replace(rows[player], place=place)
        for place, group in ranked(players, criteria)
        for player in group
    )


def ranked(
    players: Sequence[UserId], criteria: Sequence[Criterion]
) -> list[tuple[int, tuple[UserId, ...]]]:
    """Group players by shared place. Earlier criteria take precedence."""
    groups = [tuple(players)]
    for criterion in criteria:
        groups = [part for group in groups for part in _split(group, criterion)]
    placed, place = [], 1
    for group in groups:
        placed.append((place, group))
        place += len(group)
    return placed


def _split(group: tuple[UserId, ...], criterion: Criterion) -> list[tuple[UserId, ...]]:
    """Split a group of tied players by a criterion, which is recomputed for each part."""
    if len(group) <= 1:
        return [group] if group else []
    scores = criterion(group)
    parts = [
        tuple(player for player in group if scores[player] == score)
        for score in sorted(set(scores.values()), reverse=True)
    ]
    if len(parts) == 1:
        return parts
    return [smaller for part in parts for smaller in _split(part, criterion)]


def _criterion(
    rows: Mapping[UserId, PlayerStanding], score: Callable[[PlayerStanding], Any]
) -> Criterion:
    return lambda group: {player: score(rows[player]) for player in group}


def _criteria(
    tournament: Tournament,
    rows: Mapping[UserId, PlayerStanding],
    pairings: Sequence[Pairing],
) -> list[Criterion]:
    played = tournament.terms.format
    if played in _BY_POINTS:
        encounter = _encounter(pairings, unplayed=played is TournamentFormat.ROUND_ROBIN)
        return [
            encounter if name == "encounter" else _criterion(rows, attrgetter(name))
            for name in _BY_POINTS[played]
        ]
    if played is TournamentFormat.KNOCKOUT:
        survived = rounds_survived(tournament)
        return [_criterion(rows, lambda row: (survived.get(row.player, 0), not row.withdrawn))]
    is_ladder = played is TournamentFormat.LADDER
    order = ladder_order(tournament) if is_ladder else tuple(tournament.by_player)
    places = {player: -place for place, player in enumerate(order)}
    present = _criterion(rows, lambda row: row.played > 0 and not row.withdrawn)
    return [*([present] if is_ladder else []), _criterion(rows, lambda row: places[row.player])]


def _encounter(pairings: Sequence[Pairing], *, unplayed: bool) -> Criterion:
    games_by_player = each_ones(pairings)

    def met(group: Sequence[UserId]) -> Scores:
        games = {game.place: game for player in group for game in games_by_player[player]}
        return direct_encounter(group, list(games.values()), unplayed_counts=unplayed)

    return met


def _row(entrant: Entrant, own_pairings: Iterable[Pairing], tally: Tally) -> PlayerStanding:
    player = entrant.player
    games = [pairing for pairing in own_pairings if pairing.was_played]
    points = [game.points_of(player) for game in games]
    return PlayerStanding(
        place=0,
        player=player,
        **tally._asdict(),
        margin=sum(margin_of(player, game) for game in games),
        played=len(games),
        won=points.count(1.0),
        drawn=points.count(0.5),
        lost=points.count(0.0),
        withdrawn=entrant.withdrawn,
    )


def margin_of(player: UserId, game: Pairing) -> int:
    """Return a player's margin in a game, in pieces. It is negative after a loss."""
    winner = game.result.winner if game.result is not None else None
    if game.margin is None or winner is None:
        return 0
    return game.margin if winner is game.color_of(player) else -game.margin
