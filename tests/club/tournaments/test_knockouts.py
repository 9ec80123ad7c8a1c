"""Tests for knockouts: bracket, replays, games without a winner, places."""

from random import Random

import pytest

from bot.base.ids import UserId
from club.tournaments.model.knockout import bracket, higher_seed_through, is_replay
from club.tournaments.model.pairing import next_step
from club.tournaments.model.standings import standings
from club.tournaments.model.tournament import (
    BYE,
    Conclude,
    Pairing,
    PairingResult,
    PairUp,
    TournamentFormat,
    Wait,
)
from tests.club.tournaments.tournament_events import BEGAN, Event, a_tournament, pair_up


def knockout(players: int) -> Event:
    return Event(a_tournament(TournamentFormat.KNOCKOUT, players), Random(1))


def opened(event: Event) -> tuple[Pairing, ...]:
    step = event.step()
    assert isinstance(step, PairUp)
    return step.pairings


def between(event: Event, one: int, other: int) -> Pairing:
    return next(p for p in event.running if set(p.players) == {one, other})


def win(event: Event, winner: int, loser: int) -> None:
    game = between(event, winner, loser)
    white = game.white == winner
    event.decide(game, PairingResult.WHITE if white else PairingResult.BLACK)


def draw(event: Event, one: int, other: int) -> None:
    event.decide(between(event, one, other), PairingResult.DRAW, 0)


def places(event: Event) -> dict[int, int]:
    return {s.player: s.place for s in standings(event.tournament)}


def test_the_best_seeds_meet_last() -> None:
    assert bracket(8) == (1, 8, 4, 5, 2, 7, 3, 6)
    for size in (2, 4, 8, 16, 32, 64):
        seeds = list(bracket(size))
        while len(seeds) > 1:
            pairs = list(zip(seeds[::2], seeds[1::2], strict=True))
            assert {sum(pair) for pair in pairs} == {len(seeds) + 1}
            seeds = [min(pair) for pair in pairs]


def test_the_first_seeds_have_byes() -> None:
    pairings = opened(knockout(5))
    byes = {p.white for p in pairings if p.black is BYE}
    assert byes == {101, 102, 103}
    assert all(p.result is PairingResult.BYE for p in pairings if p.black is BYE)
    assert [set(p.players) for p in pairings if p.black is not BYE] == [{104, 105}]


def test_winners_meet_until_one_is_left() -> None:
    event = knockout(4)
    opened(event)
    win(event, 104, 101)
    assert isinstance(event.step(), Wait), "the other game of the round runs"
    win(event, 102, 103)
    assert {frozenset(p.players) for p in opened(event)} == {frozenset({102, 104})}
    win(event, 102, 104)
    assert isinstance(event.step(), Conclude)
    assert places(event) == {102: 1, 104: 2, 101: 3, 103: 3}


def test_a_draw_is_replayed_at_once_with_swapped_colors() -> None:
    event = knockout(4)
    opened(event)
    first = between(event, 101, 104)
    draw(event, 101, 104)
    (again,) = opened(event)
    assert (again.round, again.white, again.black) == (1, first.black, first.white)
    assert again.board == first.board + 2, "after the boards of the two matches"
    win(event, 102, 103)
    win(event, 104, 101)
    assert {player for p in opened(event) for player in p.players} == {102, 104}


def test_after_two_draws_the_higher_seed_advances() -> None:
    event = knockout(2)
    opened(event)
    draw(event, 101, 102)
    opened(event)
    draw(event, 101, 102)
    assert isinstance(event.step(), Conclude)
    assert places(event) == {101: 1, 102: 2}


def test_of_two_absent_players_nobody_advances_and_the_next_has_a_bye() -> None:
    event = knockout(8)
    opened(event)
    event.decide(between(event, 101, 108), PairingResult.NEITHER)
    win(event, 104, 105)
    win(event, 102, 107)
    win(event, 103, 106)
    pairings = opened(event)
    assert [(p.white, p.result) for p in pairings if p.black is BYE] == [(104, PairingResult.BYE)]
    win(event, 103, 102)
    opened(event)
    win(event, 104, 103)
    assert isinstance(event.step(), Conclude)
    assert places(event)[104] == 1


def test_missing_players_are_not_paired_and_their_opponents_advance() -> None:
    event = knockout(4)
    opened(event)
    win(event, 101, 104)
    win(event, 102, 103)
    event.withdraw(UserId(101))
    assert isinstance(event.step(), Conclude), "one is left"
    assert places(event) == {102: 1, 101: 2, 103: 3, 104: 3}


def test_a_draw_against_a_missing_player_is_not_replayed() -> None:
    event = knockout(4)
    opened(event)
    draw(event, 101, 104)
    event.withdraw(UserId(101))
    win(event, 102, 103)
    (instead,) = opened(event)
    assert instead.result is not None
    assert (instead.color_of(UserId(104)), instead.forfeit) == (instead.result.winner, True)
    assert {player for p in opened(event) for player in p.players} == {102, 104}


def test_after_a_draw_between_missing_players_nobody_advances() -> None:
    event = knockout(4)
    opened(event)
    draw(event, 101, 104)
    event.withdraw(UserId(101))
    event.withdraw(UserId(104))
    win(event, 102, 103)
    assert [p.result for p in opened(event)] == [PairingResult.NEITHER]
    assert isinstance(event.step(), Conclude)
    assert places(event) == {102: 1, 103: 2, 101: 3, 104: 3}


@pytest.mark.parametrize("draws", [1, 2])
def test_the_winner_of_a_match_stays_so_after_leaving(draws: int) -> None:
    """A deleted person leaves all tournaments, including ended ones."""
    event = knockout(2)
    opened(event)
    draw(event, 101, 102)
    if draws == 1:
        event.withdraw(UserId(102))
    opened(event)
    if draws == 2:
        draw(event, 101, 102)
    assert isinstance(event.step(), Conclude)
    event.withdraw(UserId(101))
    assert places(event) == {101: 1, 102: 2}


def test_white_is_random_and_the_same_in_every_process() -> None:
    white = [
        pair_up(a_tournament(TournamentFormat.KNOCKOUT, 2, number=n), now=BEGAN).pairings[0].white
        for n in (*range(20), *range(20))
    ]
    assert white[:20] == white[20:]
    assert set(white) == {101, 102}


def test_a_single_remaining_player_wins_and_an_empty_tournament_ends() -> None:
    for players in (0, 1):
        assert next_step(a_tournament(TournamentFormat.KNOCKOUT, players), now=BEGAN) == Conclude()


def test_replays_and_higher_seeds_can_be_told() -> None:
    event = knockout(4)
    for _ in range(2):
        opened(event)
        draw(event, 101, 104)
    shown = event.tournament
    assert [is_replay(shown, pairing) for pairing in shown.pairings] == [False, False, True]
    assert [higher_seed_through(shown, pairing) for pairing in shown.pairings] == [None, None, 101]
