"""The next step of a tournament in any format, and the rounds of round robin and Swiss.

In a round robin everyone plays everyone once, by the Berger tables of the FIDE Handbook (C.05
"General Regulations for Competitions", annex 1: https://handbook.fide.com/chapter/C05). Pairing
numbers are random. With an odd number of players, the player who would meet the missing number has
a free round. Everyone gets White as often as Black, or one color one time more. A Swiss pairs
players with equal scores who haven't met yet, by FIDE's Dutch system (C.04.3), computed with the
library caissify-pairings.
"""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import permutations
from typing import Final

from bot.base.ids import UserId
from club.tournaments.model.knockout import knockout_rounds, next_knockout_step
from club.tournaments.model.ladder import next_ladder_step
from club.tournaments.model.tournament import (
    BYE,
    Conclude,
    Entrant,
    Pairing,
    PairingResult,
    PairUp,
    Step,
    Tournament,
    TournamentFormat,
    TournamentState,
    TournamentTerms,
    Wait,
    without_a_game,
)
from dvonn import Color

logging.getLogger("caissify_pairings").setLevel(logging.ERROR)
"""The library warns if it finds no good pairing. This module detects that and calls it again."""

FEWEST_PLAYERS: Final = 2
"""Minimum number of players in a tournament, and for a round."""


def most_swiss_rounds(players: int) -> int:
    """Return the maximum number of rounds in a Swiss: one more than in a knockout.

    That is enough for a single winner. With many more rounds, the leaders would all have met
    already.

    >>> most_swiss_rounds(8)
    4
    """
    return knockout_rounds(players) + 1


def rounds_of(terms: TournamentTerms, players: int) -> int:
    """Return the number of rounds for a number of players. It is 1 for a ladder or a league."""
    match terms.format:
        case TournamentFormat.ROUND_ROBIN:
            return round_robin_rounds(players) * (1 + terms.twice)
        case TournamentFormat.KNOCKOUT:
            return knockout_rounds(players)
        case TournamentFormat.SWISS:
            rounds = knockout_rounds(players) if terms.rounds is None else terms.rounds
            return max(1, min(rounds, most_swiss_rounds(players)))
        case _:
            return 1


def next_step(tournament: Tournament, *, now: datetime) -> Step:
    """Return the next step of a tournament.

    The result is the same until the tournament changes. Pairing a Swiss can take seconds, so call
    this in a thread.
    """
    if tournament.state in {TournamentState.DONE, TournamentState.CANCELLED}:
        return Conclude()
    if tournament.state is not TournamentState.RUNNING:
        return Wait(tournament.terms.begins_at)
    step = _next_step(tournament, now)
    if not isinstance(step, PairUp):
        return step
    return PairUp(step.round, tuple(replace(pairing, paired_at=now) for pairing in step.pairings))


def _next_step(tournament: Tournament, now: datetime) -> Step:
    match tournament.terms.format:
        case TournamentFormat.KNOCKOUT:
            return next_knockout_step(tournament)
        case TournamentFormat.LADDER:
            return next_ladder_step(tournament, now=now)
        case _:
            return _next_round(tournament)


def _next_round(tournament: Tournament) -> Step:
    """Return the next step of a round robin or a Swiss.

    A round starts when the previous one ends. In a league's division, all rounds start at once.
    """
    number, last = tournament.round + 1, rounds_of(tournament.terms, len(tournament.starters))
    if tournament.undecided:
        return Wait(tournament.next_deadline)
    if number > last or len(tournament.active(number)) < FEWEST_PLAYERS:
        return Conclude()
    if tournament.terms.format is TournamentFormat.SWISS:
        return PairUp(number, swiss(tournament, number))
    numbers = range(number, number + 1 if tournament.terms.league is None else last + 1)
    pairings = (game for round_ in numbers for game in round_robin(tournament, round_))
    return PairUp(numbers[-1], tuple(pairings))


def round_robin_rounds(players: int) -> int:
    """Return the number of rounds that let everyone play everyone once."""
    return max(0, players - 1 + players % 2)


def berger_round(players: int, number: int) -> tuple[tuple[int, int], ...]:
    """Return a round of the Berger table for an even number: White's and Black's numbers by board.

    The other numbers are symmetric around the opponent of the last number.

    >>> berger_round(4, 1)
    ((1, 4), (2, 3))
    >>> berger_round(4, 2)
    ((4, 3), (1, 2))
    """
    wheel = players - 1
    odd = number % 2
    hub = (number + 1) // 2 if odd else players // 2 + number // 2
    first = (hub, players) if odd else (players, hub)
    pairs = (
        ((hub + step - 1) % wheel + 1, (hub - step - 1) % wheel + 1)
        for step in range(1, players // 2)
    )
    return (first, *pairs)


def pairing_numbers(tournament: Tournament) -> tuple[UserId, ...]:
    """Return the players in order of their pairing numbers, which start at 1."""
    players = [entrant.player for entrant in tournament.starters]
    tournament.lots("berger").shuffle(players)
    return tuple(players)


def round_robin(tournament: Tournament, number: int) -> tuple[Pairing, ...]:
    """Return the pairings of a round.

    The opponent of a player who has left wins by forfeit.

    After all have met, they meet again with colors swapped.
    """
    numbers: dict[int, UserId | None] = dict(enumerate(pairing_numbers(tournament), start=1))
    players = len(numbers) + len(numbers) % 2
    numbers.setdefault(players, BYE)
    active = {entrant.player for entrant in tournament.active(number)}
    pairs = []
    rematch, turn = divmod(number - 1, round_robin_rounds(players))
    for first, second in berger_round(players, turn + 1):
        white, black = numbers[first], numbers[second]
        if white is BYE or (rematch and black is not BYE):
            white, black = black, white
        if white is not None:
            pairs.append((white, black))
    pairs.sort(key=lambda pair: pair[1] is BYE)  # the first game has the first board
    return tuple(
        Pairing(
            round=number,
            board=board,
            white=white,
            black=black,
            result=PairingResult.ZERO_BYE if black is BYE else without_a_game(white, black, active),
            forfeit=black is not BYE and not {white, black} <= active,
        )
        for board, (white, black) in enumerate(pairs, start=1)
    )


def annulled(tournament: Tournament) -> frozenset[UserId]:
    """Return the players whose games don't count, because they left before playing half of them.

    Their scores remain in the table. If a player leaves later, they keep their points, and their
    opponents win the unplayed games. (C.05, on withdrawals from round robins.)
    """
    games = (len(tournament.starters) - 1) * (1 + tournament.terms.twice)
    return frozenset(
        player
        for player in tournament.withdrawn
        if 2 * sum(pairing.was_played for pairing in tournament.pairings_of(player)) < games
    )


def swiss(tournament: Tournament, number: int) -> tuple[Pairing, ...]:
    """Return the pairings of a round. This can take seconds, so don't call it on an event loop.

    Players don't meet twice, and don't meet players they have blocked. If that leaves several
    players without an opponent, the pairings of the first rounds are ignored, one round after the
    other, and finally the blocks.
    """
    book = records(tournament)
    players = [book[entrant.player] for entrant in tournament.active(number)]
    first = Color.WHITE if tournament.lots("swiss").random() < 0.5 else Color.BLACK  # noqa: PLR2004
    for forgotten in range(number + 1):
        later = [pairing for pairing in tournament.pairings if pairing.round > forgotten]
        apart = {frozenset(pairing.players) for pairing in later}
        if forgotten < number:
            apart |= tournament.apart
        pairs = by_the_dutch_system(players, number, first, apart)
        if sum(other is None for _, other in pairs) == len(players) % 2:
            break
    return tuple(
        Pairing(
            round=number,
            board=board,
            white=white.player,
            black=BYE if black is None else black.player,
            result=PairingResult.BYE if black is None else None,
        )
        for board, (white, black) in enumerate(pairs, start=1)
    )


# Records of players, which determine the pairings of a Swiss


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
    book = {entrant.player: Record(entrant) for entrant in tournament.entrants}
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


def by_the_dutch_system(
    players: Sequence[Record], number: int, first: Color, apart: Collection[Collection[UserId]]
) -> list[tuple[Record, Record | None]]:
    """Return the library's pairings, best boards first.

    Several players may remain unpaired, if too many pairs must not meet (`apart`).

    The library is never told that a round is the last one. In the last round, FIDE allows a leader
    the same color three times in a row, and this bot does not. The pairing numbers passed to the
    library are ranks by points: between two players with the same color preference, it prefers the
    lower number, while FIDE prefers the higher score (5.2.4). In round one, it ignores earlier
    meetings, so if two players must not meet, the round is passed as the second one.
    """
    by_seed = {record.entrant.seed: record for record in players}
    seeds = {record.player: record.entrant.seed for record in players}
    met = {
        (seeds[player], seeds[other])
        for pair in apart
        if seeds.keys() >= set(pair)
        for player, other in permutations(pair, 2)
    }
    number = max(number, 1 + bool(met))
    ranks = sorted(players, key=lambda record: (-record.points, record.entrant.seed))
    from caissify_pairings import generate_pairings  # noqa: PLC0415 - an extra

    pairings = generate_pairings(
        system="dutch",
        players=[_for_the_library(record, rank) for rank, record in enumerate(ranks, start=1)],
        previous_pairings=met,
        round_number=number,
        total_rounds=number + 1,
        initial_color=_name(first),
    )
    return [
        (by_seed[pair["white_id"]], by_seed[black] if (black := pair["black_id"]) else None)
        for pair in sorted(pairings, key=lambda pair: pair["table"])
    ]


def _for_the_library(record: Record, rank: int) -> dict[str, object]:
    return {
        "id": record.entrant.seed,
        "name": str(record.entrant.seed),
        "score": record.points,
        "rating": -record.entrant.seed,
        "starting_number": record.entrant.seed,
        "pairing_number": rank,
        "color_hist": [_name(color) for color in record.colors],
        "float_history": list(record.floats) or [LEVEL],
        "bye_count": record.byes,
        "forfeit_win_count": record.forfeits_won,
    }


def _name(color: Color) -> str:
    return "white" if color is Color.WHITE else "black"
