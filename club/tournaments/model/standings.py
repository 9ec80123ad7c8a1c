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
from operator import mul
from typing import Final, NamedTuple

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
    buchholz: float = 0.0
    sonneborn_berger: float = 0.0


def _tally(player: UserId, sheet: Sheet, met: Callable[[UserId, Pairing | None], float]) -> Tally:
    """Return a player's sums. `met` returns the points of the opponent, as they count for them."""
    over = [pairing for pairing in sheet if pairing is None or pairing.result is not None]
    opponents = [met(player, pairing) for pairing in over]
    results = [_points(player, [pairing]) for pairing in over]
    return Tally(
        _points(player, sheet),
        buchholz=sum(opponents),
        sonneborn_berger=sum(map(mul, opponents, results)),
    )


def _swiss_tallies(
    players: Iterable[UserId], pairings: Sequence[Pairing], rounds: int
) -> dict[UserId, Tally]:
    """Return the sums in a Swiss after some rounds, by article 16 as of February 2026."""
    games_by_player, sheets = each_ones(pairings), dict[UserId, Sheet]()
    for player in players:
        by_round = {pairing.round: pairing for pairing in games_by_player[player]}
        sheets[player] = [by_round.get(number) for number in range(1, rounds + 1)]
    points = {player: _points(player, sheet) for player, sheet in sheets.items()}
    adjusted = {player: _adjusted(player, sheet) for player, sheet in sheets.items()}

    def met(player: UserId, pairing: Pairing | None) -> float:
        if pairing is None or pairing.black is BYE:
            return min(points[player], HALF * rounds)
        opponent = adjusted[pairing.opponent_of(player) or player]
        return min(points[player], opponent) if pairing.forfeit else opponent

    return {player: _tally(player, sheet, met) for player, sheet in sheets.items()}


def _other_tallies(players: Iterable[UserId], pairings: Sequence[Pairing]) -> dict[UserId, Tally]:
    """Return the sums in another format, in which only games count."""
    games_by_player = each_ones(pairings)
    points = {player: _points(player, games_by_player[player]) for player in players}

    def met(player: UserId, pairing: Pairing | None) -> float:
        opponent = None if pairing is None else pairing.opponent_of(player)
        return 0.0 if opponent is BYE else points[opponent]

    return {player: _tally(player, games_by_player[player], met) for player in points}


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


Scores = Mapping[UserId, float]
Criterion = Callable[[Sequence[UserId]], Scores]
"""Function that scores tied players by a criterion. Higher is better."""


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
    pairings = tournament.in_order
    entrants = tournament.seeded
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
        _criterion_from(lambda player: player not in out),
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


def _criterion_from(score: Callable[[UserId], float]) -> Criterion:
    return lambda group: {player: score(player) for player in group}


def _criteria(
    tournament: Tournament,
    rows: Mapping[UserId, PlayerStanding],
    pairings: Sequence[Pairing],
) -> list[Criterion]:
    points = _criterion_from(lambda player: rows[player].points)
    sonneborn_berger = _criterion_from(lambda player: rows[player].sonneborn_berger)
    wins = _criterion_from(lambda player: rows[player].won)
    margin = _criterion_from(lambda player: rows[player].margin)
    match tournament.terms.format:
        case TournamentFormat.ROUND_ROBIN:
            return [points, _encounter(pairings, unplayed=True), sonneborn_berger, wins, margin]
        case TournamentFormat.SWISS:
            buchholz = _criterion_from(lambda player: rows[player].buchholz)
            encounter = _encounter(pairings, unplayed=False)
            return [points, buchholz, sonneborn_berger, encounter, margin]
        case TournamentFormat.KNOCKOUT:
            survived = rounds_survived(tournament)
            return [
                _criterion_from(lambda player: survived.get(player, 0)),
                _criterion_from(lambda player: not rows[player].withdrawn),
            ]
        case TournamentFormat.LEAGUE:
            seeds = {player: -entrant.seed for player, entrant in tournament.by_player.items()}
            return [_criterion_from(lambda player: seeds[player])]
        case TournamentFormat.LADDER:
            order = {player: -place for place, player in enumerate(ladder_order(tournament))}
            return [
                _criterion_from(
                    lambda player: rows[player].played > 0 and not rows[player].withdrawn
                ),
                _criterion_from(lambda player: order[player]),
            ]


def _encounter(pairings: Sequence[Pairing], *, unplayed: bool) -> Criterion:
    games_by_player = each_ones(pairings)

    def met(group: Sequence[UserId]) -> Scores:
        games = {game.place: game for player in group for game in games_by_player[player]}
        return direct_encounter(group, list(games.values()), unplayed_counts=unplayed)

    return met


def _tallies(
    tournament: Tournament, players: Sequence[UserId], pairings: Sequence[Pairing]
) -> dict[UserId, Tally]:
    if tournament.terms.format is TournamentFormat.SWISS:
        return _swiss_tallies(players, pairings, tournament.round)
    return _other_tallies(players, pairings)


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
