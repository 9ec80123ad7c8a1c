"""Knockouts: a bracket by seeds.

Losers are eliminated, and drawn games are replayed.

The two strongest players can meet no earlier than the final. If the bracket is not full, the
strongest players get a bye in round one. A match is one game. If it is drawn, it is replayed with
colors swapped. If that game is also drawn, the higher seed advances, by a rule that is known in
advance and involves no chance. A player who has left by then loses the replay without a game. So
the winner of a match depends only on results, even after a player leaves or is anonymized.

Match `m` of a round with `n` matches is played at board `m`. Its further games are at boards
`m + n`, `m + 2 n`, and so on: a replay, or a new game if an organizer corrects a result that
brought a player into the match. Its earlier games are then called off.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.base.ids import UserId
from club.tournaments.model.tournament import (
    BYE,
    Conclude,
    Pairing,
    PairingResult,
    PairUp,
    Step,
    Tournament,
    TournamentFormat,
    Wait,
    without_a_game,
)

GAMES_OF_A_MATCH: Final = 2
"""Number of draws in a match after which the higher seed advances."""
_WITHOUT_WINNER: Final = (PairingResult.NEITHER, PairingResult.ZERO_BYE)


def knockout_rounds(players: int) -> int:
    """Return the number of rounds for a number of players.

    >>> knockout_rounds(8), knockout_rounds(9)
    (3, 4)
    """
    return max(players - 1, 0).bit_length()


def bracket(size: int) -> tuple[int, ...]:
    """Return a bracket's seeds, top to bottom. Adjacent seeds play each other.

    >>> bracket(8)
    (1, 8, 4, 5, 2, 7, 3, 6)
    """
    seeds = [1]
    while len(seeds) < size:
        mirror = 2 * len(seeds) + 1
        seeds = [seed for upper in seeds for seed in (upper, mirror - upper)]
    return tuple(seeds)


def next_knockout_step(tournament: Tournament) -> Step:
    number = tournament.round
    if pairings := (*_replays(tournament), *_new_games(tournament, number)):
        return PairUp(number, pairings)
    if tournament.undecided:
        return Wait(tournament.next_deadline)
    players = [player for player in _present(tournament, number + 1) if player is not None]
    if number == _rounds(tournament) or len(players) <= 1:
        return Conclude()
    return PairUp(number + 1, _new_games(tournament, number + 1))


def matches_in(tournament: Tournament, number: int) -> int:
    """Return the number of matches in a round, including matches without players."""
    matches: int = 2 ** (_rounds(tournament) - number)
    return matches


def match(tournament: Tournament, number: int, match_number: int) -> tuple[Pairing, ...]:
    """Return the games of a round's match, replays last, without those that were called off.

    `match_number` is counted from 1.
    """
    return _matches(tournament, number)[match_number - 1]


def match_of(tournament: Tournament, pairing: Pairing) -> int:
    """Return the number of a game's match within its round."""
    return (pairing.board - 1) % matches_in(tournament, pairing.round) + 1


def is_called_off(tournament: Tournament, pairing: Pairing) -> bool:
    """Return True if a game was called off because an earlier result was corrected.

    In a knockout, organizers can't remove a result, because one of the two players must advance.
    """
    is_knockout = tournament.terms.format is TournamentFormat.KNOCKOUT
    return is_knockout and pairing.corrected_by is not None and pairing.result in _WITHOUT_WINNER


def called_off(pairing: Pairing, by: UserId, note: str) -> Pairing:
    result = PairingResult.ZERO_BYE if pairing.black is BYE else PairingResult.NEITHER
    return replace(pairing, result=result, forfeit=True, margin=None, corrected_by=by, note=note)


def dependent_games(tournament: Tournament, pairing: Pairing) -> tuple[Pairing, ...]:
    """Return the paired games whose players depend on the result of a game."""
    match_number, number = match_of(tournament, pairing), pairing.round + 1
    games = match(tournament, pairing.round, match_number)
    replays = tuple(game for game in games if game.board > pairing.board)
    if number > tournament.round:
        return replays
    return (*replays, *match(tournament, number, (match_number + 1) // 2))


def is_replay(tournament: Tournament, pairing: Pairing) -> bool:
    """Return True if a game is the replay after a match's drawn first game."""
    return pairing in match(tournament, pairing.round, match_of(tournament, pairing))[1:]


def higher_seed_through(tournament: Tournament, pairing: Pairing) -> UserId | None:
    """Return the player who won a match as the higher seed after a drawn replay, or None."""
    if tournament.terms.format is not TournamentFormat.KNOCKOUT:
        return None
    if pairing.result is not PairingResult.DRAW or not is_replay(tournament, pairing):
        return None
    games = match(tournament, pairing.round, match_of(tournament, pairing))
    first = _higher_seed(tournament, pairing)
    return first if first == winner_of(tournament, games) else None


def winner_of(tournament: Tournament, games: Sequence[Pairing]) -> UserId | None:
    """Return the winner of a match, or None if there is none or it is undecided."""
    last = games[-1] if games else None
    if last is None or last.result is None or last.result is PairingResult.NEITHER:
        return None
    if last.result is not PairingResult.DRAW:
        return last.black if last.result is PairingResult.BLACK else last.white
    return _higher_seed(tournament, last) if len(games) >= GAMES_OF_A_MATCH else None


def rounds_survived(tournament: Tournament) -> dict[UserId, int]:
    """Return how many rounds each player survived."""
    survived = {entrant.player: 0 for entrant in tournament.starters}
    for number in range(1, tournament.round + 1):
        for games in _matches(tournament, number):
            if (winner := winner_of(tournament, games)) is not None:
                survived[winner] += 1
    return survived


def _matches(tournament: Tournament, number: int) -> list[tuple[Pairing, ...]]:
    """Return the games of each match of a round, top to bottom."""
    games: list[list[Pairing]] = [[] for _ in range(matches_in(tournament, number))]
    for pairing in tournament.in_round(number):
        if not is_called_off(tournament, pairing):
            games[match_of(tournament, pairing) - 1].append(pairing)
    return list(map(tuple, games))


def _higher_seed(tournament: Tournament, pairing: Pairing) -> UserId:
    entrants = tournament.by_player
    return min(pairing.players, key=lambda player: entrants[player].seed)


def _replays(tournament: Tournament) -> list[Pairing]:
    """Return the replays needed after draws.

    If a player has left, the replay is already decided.
    """
    number, replays = tournament.round, list[Pairing]()
    active = {entrant.player for entrant in tournament.active(number)}
    for games in _matches(tournament, number):
        if len(games) == 1 and games[0].result is PairingResult.DRAW and games[0].black is not BYE:
            white, black = games[0].black, games[0].white
            result = without_a_game(white, black, active)
            replays.append(
                Pairing(
                    round=number,
                    board=_next_board(tournament, number, match_of(tournament, games[0])),
                    white=white,
                    black=black,
                    result=result,
                    forfeit=result is not None,
                )
            )
    return replays


def _present(tournament: Tournament, number: int) -> list[UserId | None]:
    """Return the players of a round, top to bottom, with None for empty seats."""
    entrants, players = tournament.by_player, [entrant.player for entrant in tournament.starters]
    if number == 1:
        seeds = bracket(2 ** knockout_rounds(len(players)))
        seats = [players[seed - 1] if seed <= len(players) else None for seed in seeds]
    else:
        seats = [winner_of(tournament, games) for games in _matches(tournament, number - 1)]
    return [seat if seat is not None and not entrants[seat].withdrawn else None for seat in seats]


def _new_games(tournament: Tournament, number: int) -> tuple[Pairing, ...]:
    """Pair a round's matches without games: all of a new round, or the ones called off."""
    seats, pairings = _present(tournament, number), list[Pairing]()
    pairs = zip(seats[::2], seats[1::2], strict=True)
    for match_number, (games, pair) in enumerate(
        zip(_matches(tournament, number), pairs, strict=True), start=1
    ):
        if not games:
            board = _next_board(tournament, number, match_number)
            pairings += _pairing(tournament, number, board, *pair)
    return tuple(pairings)


def _pairing(
    tournament: Tournament, number: int, board: int, upper: UserId | None, lower: UserId | None
) -> list[Pairing]:
    """Return the pairing at a board: two players, one who advances without a game, or nobody."""
    if upper is not None and lower is not None:
        white, black = tournament.lots(number, board).sample([upper, lower], 2)
        return [Pairing(round=number, board=board, white=white, black=black)]
    player = upper if upper is not None else lower
    if player is None:
        return []
    return [Pairing(round=number, board=board, white=player, black=BYE, result=PairingResult.BYE)]


def _next_board(tournament: Tournament, number: int, match_number: int) -> int:
    """Return the board of a match's next game."""
    boards = [
        pairing.board
        for pairing in tournament.in_round(number)
        if match_of(tournament, pairing) == match_number
    ]
    return boards[-1] + matches_in(tournament, number) if boards else match_number


def _rounds(tournament: Tournament) -> int:
    return knockout_rounds(len(tournament.starters))
