"""Round robins: everybody plays everybody once, by the Berger tables of the FIDE Handbook.

C.05 "General Regulations for Competitions", annex 1: https://handbook.fide.com/chapter/C05.

Pairing numbers are random; with an odd number of players the opponent of the missing number has a
free round. Everybody has White as often as Black, or one colour once more.
"""

from bot.base.ids import UserId
from bot.features.tournaments.model.field import active, lots, of, starters, without_a_game
from bot.features.tournaments.model.terms import BYE, Pairing, PairingResult, Tournament


def round_robin_rounds(players: int) -> int:
    """Count the rounds of a field."""
    return max(0, players - 1 + players % 2)


def berger_round(players: int, number: int) -> tuple[tuple[int, int], ...]:
    """Return a round of the table for an even number: numbers of White and Black by board.

    Where the last number sits, the others sit symmetrically around its opponent: the table is a
    wheel that turns by half a round.
    """
    wheel = players - 1
    odd = number % 2
    hub = (number + 1) // 2 if odd else players // 2 + number // 2
    first = (hub, players) if odd else (players, hub)
    others = (
        ((hub + step - 1) % wheel + 1, (hub - step - 1) % wheel + 1)
        for step in range(1, players // 2)
    )
    return (first, *others)


def pairing_numbers(tournament: Tournament) -> tuple[UserId, ...]:
    """Return the players in order of their pairing numbers: the first has 1."""
    players = [entrant.player for entrant in starters(tournament)]
    lots(tournament, "berger").shuffle(players)
    return tuple(players)


def round_robin(tournament: Tournament, number: int) -> tuple[Pairing, ...]:
    """Return the pairings of a round; the opponent of a player who has left wins by forfeit."""
    numbers: dict[int, UserId | None] = dict(enumerate(pairing_numbers(tournament), start=1))
    players = len(numbers) + len(numbers) % 2
    numbers.setdefault(players, BYE)
    here = {entrant.player for entrant in active(tournament, number)}
    pairings = []
    for one, other in berger_round(players, number):
        white, black = numbers[one], numbers[other]
        if white is BYE:
            white, black = black, white
        if white is not None:
            pairings.append((white, black))
    pairings.sort(key=lambda pair: pair[1] is BYE)  # the first game has the first board
    return tuple(
        Pairing(
            round=number,
            board=board,
            white=white,
            black=black,
            result=_at_first(tournament, white, black, here),
            forfeit=black is not BYE and not {white, black} <= here,
        )
        for board, (white, black) in enumerate(pairings, start=1)
    )


def _at_first(
    tournament: Tournament, white: UserId, black: UserId | None, here: set[UserId]
) -> PairingResult | None:
    if black is BYE:
        plays = white in here and tournament.terms.level is not None
        return None if plays else PairingResult.ZERO_BYE
    return without_a_game(white, black, here)


def annulled(tournament: Tournament) -> frozenset[UserId]:
    """Return the players whose games don't count: they left with less than half of them played.

    Their score stays in the table. A player who leaves later keeps what they have made, and the
    others win what is not played. (C.05, on withdrawals from round robins.)
    """
    left = [e.player for e in tournament.entrants if e.withdrawn]
    opponents = len(starters(tournament)) - 1
    return frozenset(
        player
        for player in left
        if 2 * sum(pairing.was_played for pairing in of(tournament, player)) < opponents
    )
