"""The standings of a tournament, by points and tie-breaks."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.base.ids import UserId
from bot.features.tournaments.model.arena import arena_points
from bot.features.tournaments.model.field import by_seed, each_ones, in_order, settled, starters
from bot.features.tournaments.model.knockout import rounds_survived
from bot.features.tournaments.model.ladder import ladder_order
from bot.features.tournaments.model.pairing import as_played
from bot.features.tournaments.model.round_robin import annulled
from bot.features.tournaments.model.terms import Entrant, Pairing, Tournament, TournamentFormat
from bot.features.tournaments.model.tiebreaks import (
    Tally,
    direct_encounter,
    round_robin_tallies,
    swiss_tallies,
)

Scores = Mapping[UserId, float]
Criterion = Callable[[Sequence[UserId]], Scores]
"""The score of each of some players who are level so far: more is better."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerStanding:
    """A player's place."""

    place: int
    """1 is the first; equal players share a place."""
    player: UserId
    points: float
    """1 for a win and a bye, a half for a draw; in an arena 2 and 1."""
    buchholz: float = 0.0
    """In a Swiss: the points of those they have met, added up."""
    sonneborn_berger: float = 0.0
    """The points of those they have beaten, and half of theirs with whom they have drawn."""
    margin: int = 0
    """The pieces they have won by, less those by which they lost, where they were counted."""
    played: int = 0
    """Games against other players; neither byes nor forfeits."""
    won: int = 0
    drawn: int = 0
    lost: int = 0
    withdrawn: bool = False


def standings(tournament: Tournament) -> tuple[PlayerStanding, ...]:
    """Return the standings, the first one first; those who share a place in order of their seeds.

    A round counts once it is over.
    """
    played = as_played(tournament.terms, len(starters(tournament)))
    tournament = settled(tournament)
    pairings = in_order(tournament)
    entrants = by_seed(tournament.entrants)
    players = [entrant.player for entrant in entrants]
    out = annulled(tournament) if played is TournamentFormat.ROUND_ROBIN else frozenset()
    counted = [pairing for pairing in pairings if not out.intersection(pairing.players)]
    tallies = _tallies(tournament, played, players, counted)
    if out:
        whole = _tallies(tournament, played, players, pairings)
        tallies |= {player: whole[player] for player in out}
    own = each_ones(pairings)
    rows = {e.player: _row(e, own[e.player], tallies[e.player]) for e in entrants}
    criteria = [
        _by(lambda player: player not in out),
        *_criteria(tournament, played, rows, counted),
    ]
    return tuple(
        replace(rows[player], place=place)
        for place, group in ranked(players, criteria)
        for player in group
    )


def ranked(
    players: Sequence[UserId], criteria: Sequence[Criterion]
) -> list[tuple[int, tuple[UserId, ...]]]:
    """Groups of players with the place that each shares; what comes first decides first."""
    groups = [tuple(players)]
    for criterion in criteria:
        groups = [part for group in groups for part in _split(group, criterion)]
    placed, place = [], 1
    for group in groups:
        placed.append((place, group))
        place += len(group)
    return placed


def _split(group: tuple[UserId, ...], criterion: Criterion) -> list[tuple[UserId, ...]]:
    """Return a group that is level, parted by one criterion, which is asked anew of each part."""
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


def _by(score: Callable[[UserId], float]) -> Criterion:
    return lambda group: {player: score(player) for player in group}


def _criteria(
    tournament: Tournament,
    played: TournamentFormat,
    rows: Mapping[UserId, PlayerStanding],
    pairings: Sequence[Pairing],
) -> list[Criterion]:
    points = _by(lambda player: rows[player].points)
    sonneborn_berger = _by(lambda player: rows[player].sonneborn_berger)
    wins = _by(lambda player: rows[player].won)
    margin = _by(lambda player: rows[player].margin)
    match played:
        case TournamentFormat.ROUND_ROBIN:
            return [points, _encounter(pairings, unplayed=True), sonneborn_berger, wins, margin]
        case TournamentFormat.SWISS:
            buchholz = _by(lambda player: rows[player].buchholz)
            encounter = _encounter(pairings, unplayed=False)
            return [points, buchholz, sonneborn_berger, encounter, margin]
        case TournamentFormat.KNOCKOUT:
            survived = rounds_survived(tournament)
            return [
                _by(lambda player: survived.get(player, 0)),
                _by(lambda player: not rows[player].withdrawn),
            ]
        case TournamentFormat.ARENA:
            return [points, wins, margin]
        case TournamentFormat.LADDER:
            order = {player: -index for index, player in enumerate(ladder_order(tournament))}
            return [
                _by(lambda player: rows[player].played > 0 and not rows[player].withdrawn),
                _by(lambda player: order[player]),
            ]


def _encounter(pairings: Sequence[Pairing], *, unplayed: bool) -> Criterion:
    own = each_ones(pairings)

    def met(group: Sequence[UserId]) -> Scores:
        games = {(game.round, game.board): game for player in group for game in own[player]}
        return direct_encounter(group, list(games.values()), unplayed_counts=unplayed)

    return met


def _tallies(
    tournament: Tournament,
    played: TournamentFormat,
    players: Sequence[UserId],
    pairings: Sequence[Pairing],
) -> dict[UserId, Tally]:
    if played is TournamentFormat.SWISS:
        return swiss_tallies(players, pairings, tournament.round)
    if played is TournamentFormat.ROUND_ROBIN:
        return round_robin_tallies(players, pairings)
    brought = arena_points if played is TournamentFormat.ARENA else Pairing.points_of
    own = each_ones(pairings)
    return {
        player: Tally(
            points=sum(brought(pairing, player) for pairing in own[player]),
            buchholz=0.0,
            sonneborn_berger=0.0,
        )
        for player in players
    }


def _row(entrant: Entrant, own: Iterable[Pairing], tally: Tally) -> PlayerStanding:
    player = entrant.player
    games = [pairing for pairing in own if pairing.was_played]
    points = [game.points_of(player) for game in games]
    won = points.count(1.0)
    return PlayerStanding(
        place=0,
        player=player,
        points=tally.points,
        buchholz=tally.buchholz,
        sonneborn_berger=tally.sonneborn_berger,
        margin=sum(margin_of(player, game) for game in games),
        played=len(games),
        won=won,
        drawn=points.count(0.5),
        lost=len(games) - won - points.count(0.5),
        withdrawn=entrant.withdrawn,
    )


def margin_of(player: UserId, game: Pairing) -> int:
    """Return the margin of a player in a game, in pieces; below 0: lost."""
    winner = game.result.winner if game.result is not None else None
    if game.margin is None or winner is None:
        return 0
    return game.margin if winner is game.color_of(player) else -game.margin
