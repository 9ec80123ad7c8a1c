"""Knockouts: a bracket by seeds.

Losers are out, and drawn games are replayed.

The two strongest players can meet no earlier than the final. If the bracket is not full, the
strongest players get a bye in round one. A match is one game. If it is drawn, it is replayed with
colors swapped. If that is also drawn, the higher seed advances: a rule that is known in advance and
needs no chance. A player who has left by then loses the replay without a game. So the results alone
decide who has won a match, even after a player leaves or is anonymized.

Match `m` of a round with `n` matches is played at board `m` and replayed at board `m + n`. If an
organizer corrects a result that brought a player into it, the match is called off and paired again:
at board `m + 2 n`, replayed at `m + 3 n`, and so on.
"""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Final

from bot.base.ids import UserId
from club.tournaments.model.matching import kept_apart
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
from dvonn import Color

HALF: Final = 0.5
GAMES_OF_A_MATCH: Final = 2
"""Number of draws after which the higher seed advances."""
_WITHOUT_WINNER: Final = (PairingResult.NEITHER, PairingResult.ZERO_BYE)


def knockout_rounds(players: int) -> int:
    """Return the number of rounds for a number of players.

    >>> knockout_rounds(8), knockout_rounds(9)
    (3, 4)
    """
    return max(players - 1, 0).bit_length()


def next_knockout_step(tournament: Tournament) -> Step:
    number = tournament.round
    if replays := _replays(tournament):
        return PairUp(number, replays)
    if anew := _paired_anew(tournament):
        return PairUp(number, anew)
    if tournament.undecided:
        return Wait(tournament.next_deadline)
    left = [player for player in _present(tournament, number + 1) if player is not None]
    if number == _rounds(tournament) or len(left) <= 1:
        return Conclude()
    return PairUp(number + 1, _pairings(tournament, number + 1))


def matches_in(tournament: Tournament, number: int) -> int:
    """Return the number of matches in a round, including those without players."""
    rounds = _rounds(tournament)
    matches: int = 2 ** (rounds - number)
    third = tournament.terms.third_place and rounds > 1 and number == rounds
    return matches + 1 if third else matches


def match(tournament: Tournament, number: int, match_number: int) -> tuple[Pairing, ...]:
    """Return the games of a round's match, replays last.

    `match_number` is counted from 1.

    Games that were called off are left out.
    """
    games = _all_games(tournament, number, match_number)
    newest = _attempt(tournament, games[-1]) if games else 0
    return tuple(
        game
        for game in games
        if _attempt(tournament, game) == newest and not is_called_off(tournament, game)
    )


def match_of(tournament: Tournament, pairing: Pairing) -> int:
    """Return the number of a game's match in its round."""
    return (pairing.board - 1) % matches_in(tournament, pairing.round) + 1


def is_called_off(tournament: Tournament, pairing: Pairing) -> bool:
    """Return True if a game was called off because an earlier result was corrected.

    An organizer can't set a knockout result to no result, because one of the two must advance.
    """
    is_knockout = tournament.terms.format is TournamentFormat.KNOCKOUT
    return is_knockout and pairing.corrected_by is not None and pairing.result in _WITHOUT_WINNER


def called_off(pairing: Pairing, by: UserId, note: str) -> Pairing:
    nothing = PairingResult.ZERO_BYE if pairing.black is BYE else PairingResult.NEITHER
    return replace(pairing, result=nothing, forfeit=True, margin=None, corrected_by=by, note=note)


def dependent_games(tournament: Tournament, pairing: Pairing) -> tuple[Pairing, ...]:
    """Return the paired games whose players depend on the result of a game."""
    match_number, rounds = match_of(tournament, pairing), _rounds(tournament)
    replays = tuple(
        later
        for later in match(tournament, pairing.round, match_number)
        if later.board > pairing.board
    )
    number = pairing.round + 1
    if number > tournament.round:
        return replays
    following = [(match_number + 1) // 2]
    if (last := matches_in(tournament, number)) > 2 ** (rounds - number):
        following.append(last)  # the game for third place
    return (
        *replays,
        *(next_pairing for other in following for next_pairing in match(tournament, number, other)),
    )


def is_replay(tournament: Tournament, pairing: Pairing) -> bool:
    """Return True if a game is the replay of a match with a drawn first game."""
    return (pairing.board - 1) // matches_in(tournament, pairing.round) % GAMES_OF_A_MATCH == 1


def is_for_third_place(tournament: Tournament, pairing: Pairing) -> bool:
    """Return True if a game is for third place: the last match of the last round."""
    matches = matches_in(tournament, pairing.round)
    in_bracket = 2 ** (_rounds(tournament) - pairing.round)
    return matches > in_bracket and pairing.board % matches == 0


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


def _higher_seed(tournament: Tournament, pairing: Pairing) -> UserId:
    entrants = tournament.by_player
    return min(pairing.players, key=lambda player: entrants[player].seed)


def _replays(tournament: Tournament) -> tuple[Pairing, ...]:
    """Return the replays needed after draws.

    If a player has left, the replay is already decided.
    """
    number, matches = tournament.round, matches_in(tournament, tournament.round)
    here = {entrant.player for entrant in tournament.active(number)}
    replays = []
    for games in (
        match(tournament, number, match_number) for match_number in range(1, matches + 1)
    ):
        if len(games) == 1 and games[0].result is PairingResult.DRAW and games[0].black is not BYE:
            white, black, board = games[0].black, games[0].white, games[0].board + matches
            result = without_a_game(white, black, here)
            replays.append(
                Pairing(
                    round=number,
                    board=board,
                    white=white,
                    black=black,
                    result=result,
                    forfeit=result is not None,
                )
            )
    return tuple(replays)


def _first_round(tournament: Tournament) -> tuple[int, ...]:
    """Return the seeds of round one, top to bottom. Seeds without a player are byes."""
    players = [entrant.player for entrant in tournament.starters]
    return kept_apart(players, 2 ** knockout_rounds(len(players)), tournament.apart)


def _present(tournament: Tournament, number: int) -> list[UserId | None]:
    """Return the players of a round, top to bottom, with None for empty seats."""
    entrants, players = tournament.by_player, [entrant.player for entrant in tournament.starters]
    if number == 1:
        seeds = _first_round(tournament)
        seats = [players[seed - 1] if seed <= len(players) else None for seed in seeds]
    else:
        before = range(1, 2 ** (_rounds(tournament) - number + 1) + 1)
        seats = [
            winner_of(tournament, match(tournament, number - 1, match_number))
            for match_number in before
        ]
    return [seat if seat is not None and not entrants[seat].withdrawn else None for seat in seats]


def _pairings(tournament: Tournament, number: int) -> tuple[Pairing, ...]:
    machine = _board_of_machine(tournament, number)
    pairings = []
    for board, pair in enumerate(_pairs(tournament, number), start=1):
        pairings += _pairing(tournament, number, board, *pair, bye=board != machine)
    return tuple(pairings)


def _paired_anew(tournament: Tournament) -> tuple[Pairing, ...]:
    """Pair the players of the current round who lost their match through a correction."""
    number = tournament.round
    if number <= 1:
        return ()
    matches, pairings = matches_in(tournament, number), []
    for match_number, pair in enumerate(_pairs(tournament, number), start=1):
        if not match(tournament, number, match_number):
            before = _all_games(tournament, number, match_number)
            attempts = _attempt(tournament, before[-1]) + 1 if before else 0
            board = match_number + attempts * GAMES_OF_A_MATCH * matches
            pairings += _pairing(tournament, number, board, *pair)
    return tuple(pairings)


def _pairs(tournament: Tournament, number: int) -> list[tuple[UserId | None, UserId | None]]:
    """Return the players of a round's matches. The match for third place is last."""
    seats = _present(tournament, number)
    pairs = list(zip(seats[::2], seats[1::2], strict=True))
    if matches_in(tournament, number) > len(pairs):
        pairs.append(_for_the_third_place(tournament, number))
    return pairs


def _pairing(
    tournament: Tournament,
    number: int,
    board: int,
    upper: UserId | None,
    lower: UserId | None,
    *,
    bye: bool = True,
) -> list[Pairing]:
    """Return the pairing at a board: two players, one who advances without a game, or nobody."""
    if upper is not None and lower is not None:
        white, black = _colors(tournament, upper, lower, tournament.lots(number, board))
        return [Pairing(round=number, board=board, white=white, black=black)]
    alone = upper if upper is not None else lower
    if alone is None:
        return []
    result = PairingResult.BYE if bye else None
    return [Pairing(round=number, board=board, white=alone, black=BYE, result=result)]


def _all_games(tournament: Tournament, number: int, match_number: int) -> list[Pairing]:
    """Return all games of a match, including those that were called off."""
    matches = matches_in(tournament, number)
    return [
        pairing
        for pairing in tournament.in_round(number)
        if (pairing.board - match_number) % matches == 0
    ]


def _attempt(tournament: Tournament, pairing: Pairing) -> int:
    """Return how often a game's match had been paired before."""
    matches = matches_in(tournament, pairing.round)
    attempt: int = (pairing.board - 1) // (GAMES_OF_A_MATCH * matches)
    return attempt


def _rounds(tournament: Tournament) -> int:
    return knockout_rounds(len(tournament.starters))


def _board_of_machine(tournament: Tournament, number: int) -> int | None:
    """Return the machine's board in round one with an odd number of players, or None.

    A player who wins or draws against it advances. A player who loses is out, and the next opponent
    advances.
    """
    players = len(tournament.starters)
    if number > 1 or tournament.terms.level is None or players % 2 == 0:
        return None
    return _first_round(tournament).index(players + 1) // 2 + 1


def _for_the_third_place(
    tournament: Tournament, number: int
) -> tuple[UserId | None, UserId | None]:
    entrants = tournament.by_player
    semis = [match(tournament, number - 1, match_number) for match_number in (1, 2)]
    here = [
        player
        for games in semis
        if (winner := winner_of(tournament, games)) is not None
        for player in games[-1].players
        if player != winner and not entrants[player].withdrawn
    ]
    return (here[0], here[1]) if len(here) == len(semis) else (None, None)


def _colors(
    tournament: Tournament, upper: UserId, lower: UserId, chance: Random
) -> tuple[UserId, UserId]:
    """Return two players, White first.

    White is the one with fewer or less recent games as White, or is drawn by lot.
    """
    one, other = (tournament.colors_of(player) for player in (upper, lower))
    surplus = _difference(one) - _difference(other)
    if surplus:
        return (upper, lower) if surplus < 0 else (lower, upper)
    if one and other and one[-1] is not other[-1]:
        return (upper, lower) if one[-1] is Color.BLACK else (lower, upper)
    pair = [upper, lower]
    chance.shuffle(pair)
    return pair[0], pair[1]


def _difference(colors: Sequence[Color]) -> int:
    """Return the number of games with White minus the number with Black."""
    return sum(1 if color is Color.WHITE else -1 for color in colors)


def rounds_survived(tournament: Tournament) -> dict[UserId, float]:
    """Return how many rounds each player survived. Winning third place counts half."""
    rounds = knockout_rounds(len(tournament.starters))
    survived: dict[UserId, float] = {entrant.player: 0 for entrant in tournament.starters}
    for number in range(1, tournament.round + 1):
        for match_number in range(1, matches_in(tournament, number) + 1):
            winner = winner_of(tournament, match(tournament, number, match_number))
            if winner is not None:
                in_bracket = match_number <= 2 ** (rounds - number)
                survived[winner] += 1 if in_bracket else HALF
    return survived
