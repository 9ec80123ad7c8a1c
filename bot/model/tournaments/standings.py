"""Who stands where in a tournament, by points and tie-breaks."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from bot.model.ids import UserId
from bot.model.tournaments.field import by_seed, in_order, starters
from bot.model.tournaments.knockout import (
    knockout_rounds,
    match,
    matches_in,
    winner_of,
)
from bot.model.tournaments.pairing import as_played
from bot.model.tournaments.terms import BYE, Entrant, Format, Pairing, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where somebody stands."""

    place: int
    """1 is the first; whoever is equal in everything shares a place."""
    player: UserId
    points: float
    """1 for a win and a bye, a half for a draw; in an arena 2 and 1."""
    buchholz: float = 0.0
    """The points of those they have met, added up."""
    sonneborn_berger: float = 0.0
    """The points of those they have beaten, and half of theirs with whom they have drawn."""
    margin: int = 0
    """By how many pieces they have won where pieces were counted, less those by which they lost."""
    played: int = 0
    """Games; neither byes nor forfeits."""
    won: int = 0
    """Games won; byes and forfeits are none."""
    drawn: int = 0
    lost: int = 0
    withdrawn: bool = False


def standings(tournament: Tournament) -> tuple[Standing, ...]:
    """Who stands where, the first one first; those who share a place in order of their seeds."""
    format_ = as_played(tournament.terms, len(starters(tournament)))
    counted = tuple(in_order(tournament))
    entrants = by_seed(tournament.entrants)
    scores = {e.player: score_of(e.player, counted) for e in entrants}
    rows = [_row(entrant, counted, scores) for entrant in entrants]
    if format_ is Format.KNOCKOUT:
        survived = {e.player: _rounds_survived(tournament, e.player) for e in entrants}
        return ranked(rows, lambda row: (-survived[row.player], row.withdrawn))
    return ranked(
        rows, lambda row: (-row.points, -row.buchholz, -row.sonneborn_berger, -row.margin)
    )


def ranked(
    rows: Iterable[Standing], key: Callable[[Standing], tuple[float, ...]]
) -> tuple[Standing, ...]:
    """The rows in order, with their places: whose key is equal share one."""
    placed: list[Standing] = []
    before: tuple[float, ...] | None = None
    for index, row in enumerate(sorted(rows, key=key), start=1):
        place = placed[-1].place if before == key(row) else index
        before = key(row)
        placed.append(replace(row, place=place))
    return tuple(placed)


def score_of(player: UserId, pairings: Iterable[Pairing]) -> float:
    """The points somebody has made."""
    return sum(pairing.points_of(player) for pairing in pairings if player in pairing.players)


def _row(entrant: Entrant, pairings: tuple[Pairing, ...], scores: dict[UserId, float]) -> Standing:
    player = entrant.player
    mine = [pairing for pairing in pairings if player in pairing.players]
    games = [pairing for pairing in mine if pairing.was_played]
    points = [game.points_of(player) for game in games]
    met = [scores[o] for game in games if (o := game.opponent_of(player)) is not BYE]
    return Standing(
        place=0,
        player=player,
        points=scores[player],
        buchholz=sum(met),
        sonneborn_berger=sum(p * score for p, score in zip(points, met, strict=True)),
        margin=sum(margin_of(player, game) for game in games),
        played=len(games),
        won=points.count(1.0),
        drawn=points.count(0.5),
        lost=sum(1 for game in games if game.result is not None and _lost(player, game)),
        withdrawn=entrant.withdrawn,
    )


def _lost(player: UserId, game: Pairing) -> bool:
    winner = game.result.winner if game.result is not None else None
    return winner is not None and winner is not game.color_of(player)


def margin_of(player: UserId, game: Pairing) -> int:
    """By how many pieces somebody has won a game; below 0: lost."""
    if game.margin is None or game.result is None or game.result.winner is None:
        return 0
    return game.margin if game.result.winner is game.color_of(player) else -game.margin


def _rounds_survived(tournament: Tournament, player: UserId) -> float:
    """How far somebody has come in a knockout; a match won for the third place adds a half."""
    rounds = knockout_rounds(len(starters(tournament)))
    survived = 0
    for number in range(1, tournament.round + 1):
        bracket = range(1, 2 ** (rounds - number) + 1)
        games = (match(tournament, number, which) for which in bracket)
        mine = next((game for game in games if game and player in game[0].players), ())
        if winner_of(tournament, mine) != player:
            break
        survived += 1
    if survived == rounds - 2 and matches_in(tournament, rounds) > 1:
        third = winner_of(tournament, match(tournament, rounds, 2))
        return survived + (0.5 if third == player else 0)
    return survived
