"""Tests of knockouts: bracket, replays, games without a winner, places."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from bot.base.ids import UserId
from club.tournaments.model.knockout import (
    higher_seed_through,
    is_for_third_place,
    is_replay,
    knockout_rounds,
)
from club.tournaments.model.matching import bracket, kept_apart
from club.tournaments.model.pairing import next_step
from club.tournaments.model.standings import standings
from club.tournaments.model.tournament import (
    BYE,
    Conclude,
    Pairing,
    PairingResult,
    PairUp,
    Tournament,
    TournamentFormat,
    Wait,
)
from tests.club.tournaments.tournament_events import BEGAN, Event, a_tournament, pair_up
from tests.club.tournaments.tournament_texts import played


def knockout(players: int, *, third_place: bool = False) -> Event:
    return Event(
        a_tournament(TournamentFormat.KNOCKOUT, players, third_place=third_place), Random(1)
    )


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


def left(tournament: Tournament) -> set[int]:
    step = pair_up(tournament, now=BEGAN)
    return {player for pairing in step.pairings for player in pairing.players}


def test_the_best_seeds_meet_last() -> None:
    assert bracket(8) == (1, 8, 4, 5, 2, 7, 3, 6)
    for size in (2, 4, 8, 16, 32, 64):
        seeds = list(bracket(size))
        while len(seeds) > 1:
            pairs = list(zip(seeds[::2], seeds[1::2], strict=True))
            assert {sum(pair) for pair in pairs} == {len(seeds) + 1}
            seeds = [min(pair) for pair in pairs]


def pairings_of(seeds: tuple[int, ...]) -> Iterator[list[tuple[int, int]]]:
    """Yield all ways to pair them."""
    if not seeds:
        yield []
        return
    first, *others = seeds
    for other in others:
        rest = tuple(seed for seed in others if seed != other)
        yield from ([(first, other), *more] for more in pairings_of(rest))


def faults(
    way: list[tuple[int, int]], count: int, apart: frozenset[frozenset[UserId]]
) -> tuple[int, int, int]:
    """Return the faults of a first round, worst first: byes together, blocks, distant seeds."""
    people = [[seed + 100 for seed in pair if seed <= count] for pair in way]
    size = 2 * len(way)
    return (
        sum(not both for both in people),
        sum(frozenset(map(UserId, both)) in apart for both in people),
        sum((one + other - size - 1) ** 2 for one, other in way),
    )


def test_round_one_avoids_blocked_opponents_if_possible() -> None:
    """Return the valid bracket that is closest to the seeds' own."""
    random = Random(7)
    avoided = 0
    for _ in range(120):
        count = random.randint(2, 8)
        size = 2 ** knockout_rounds(count)
        players = [UserId(101 + number) for number in range(count)]
        two = (frozenset(random.sample(players, 2)) for _ in range(random.choice((1, 2, 6))))
        apart = frozenset(two)

        found = kept_apart(players, size, apart)
        assert sorted(found) == list(range(1, size + 1))
        way = list(zip(found[::2], found[1::2], strict=True))
        every = pairings_of(tuple(range(1, size + 1)))
        least = min(faults(one, count, apart) for one in every)
        assert faults(way, count, apart) == least
        usual = bracket(size)
        seeded = list(zip(usual[::2], usual[1::2], strict=True))
        avoided += faults(seeded, count, apart)[1] > least[1]
        if not least[2]:
            assert found == usual
    assert avoided > 20


def test_the_machine_meets_the_opponent_of_the_last_seed() -> None:
    """2 has blocked 3. 1 meets 3 instead, and the machine's seat is opposite 2."""
    tournament = a_tournament(TournamentFormat.KNOCKOUT, 3, level=3)
    apart = frozenset({frozenset({UserId(102), UserId(103)})})
    step = pair_up(replace(tournament, apart=apart), now=BEGAN)
    assert {frozenset(pairing.players) for pairing in step.pairings} == {
        frozenset({101, 103}),
        frozenset({102}),
    }
    assert [pairing.result for pairing in step.pairings] == [None, None]


@pytest.mark.parametrize(("players", "rounds"), [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4)])
def test_how_many_rounds(players: int, rounds: int) -> None:
    assert knockout_rounds(players) == rounds


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


@pytest.mark.parametrize("third_place", [False, True])
def test_the_third_place_is_played_if_the_organizer_wants_it(third_place: bool) -> None:
    event = knockout(4, third_place=third_place)
    opened(event)
    win(event, 101, 104)
    win(event, 102, 103)
    pairings = opened(event)
    assert len(pairings) == (2 if third_place else 1)
    win(event, 101, 102)
    if third_place:
        assert isinstance(event.step(), Wait)
        draw(event, 103, 104)
        (again,) = opened(event)
        assert set(again.players) == {103, 104}
        win(event, 104, 103)
    assert isinstance(event.step(), Conclude)
    assert places(event) == {101: 1, 102: 2, 104: 3, 103: 4 if third_place else 3}


def test_white_goes_to_the_player_who_had_black() -> None:
    """Some of forty knockouts have a final between one who had White and one who had Black."""
    told_apart = 0
    for number in range(40):
        tournament = a_tournament(TournamentFormat.KNOCKOUT, 4, number=number)
        event = Event(tournament, Random(number))
        opened(event)
        whites = {p.white for p in event.running}
        win(event, 101, 104)
        win(event, 102, 103)
        (final,) = opened(event)
        if len({101, 102} & whites) == 1:
            told_apart += 1
            assert final.black in whites
    assert told_apart


@pytest.mark.parametrize(
    ("games", "white"),
    [
        ("1 1-0 4, 3 0-1 2", 2),
        ("4 0-1 1, 2 1-0 3", 1),
        ("1 = 4, 3 = 2, 4 0-1 1, 2 1-0 3", 1),
        ("4 = 1, 2 = 3, 1 1-0 4, 3 0-1 2", 2),
    ],
)
def test_white_goes_to_the_player_who_had_it_less_often_or_less_recently(
    games: str, white: int
) -> None:
    tournament = played(a_tournament(TournamentFormat.KNOCKOUT, 4), games)
    step = pair_up(tournament, now=BEGAN)
    assert step.pairings[0].white == 100 + white


@pytest.mark.parametrize("games", ["1 1-0 4, 2 1-0 3", "1 bye, 2 1-0 3, 3 1-0 2"])
def test_white_is_random_after_equal_colors(games: str) -> None:
    finals = set()
    for number in range(20):
        tournament = a_tournament(TournamentFormat.KNOCKOUT, 4 - games.count("bye"), number=number)
        tournament = played(tournament, games)
        *others, last = tournament.pairings
        if "bye" in games:
            first = replace(others[-1], result=PairingResult.DRAW)
            others = [*others[:-1], first, replace(last, board=4)]
            tournament = replace(tournament, pairings=(*others,))
        step = pair_up(tournament, now=BEGAN)
        finals.add(step.pairings[0].white)
    assert len(finals) == 2


def test_a_third_place_is_not_played_for_without_two_losers() -> None:
    for result, leaves in ((PairingResult.NEITHER, None), (None, 104)):
        event = knockout(4, third_place=True)
        opened(event)
        if result is None:
            win(event, 101, 104)
        else:
            event.decide(between(event, 101, 104), result)
        win(event, 102, 103)
        if leaves is not None:
            event.withdraw(UserId(leaves))
            (final,) = opened(event)
            assert set(final.players) == {101, 102}
        else:
            assert isinstance(event.step(), Conclude), "one is left"


def test_after_two_draws_the_lower_seed_plays_for_the_third_place() -> None:
    event = knockout(4, third_place=True)
    opened(event)
    draw(event, 101, 104)
    opened(event)
    draw(event, 101, 104)
    win(event, 102, 103)
    assert {frozenset(p.players) for p in opened(event)} == {
        frozenset({101, 102}),
        frozenset({103, 104}),
    }


def test_a_single_remaining_player_wins_and_an_empty_tournament_ends() -> None:
    for players in (0, 1):
        assert next_step(a_tournament(TournamentFormat.KNOCKOUT, players), now=BEGAN) == Conclude()


def test_the_seeds_decide_not_the_order_in_which_people_stand() -> None:
    tournament = a_tournament(TournamentFormat.KNOCKOUT, 8)
    mixed = replace(tournament, entrants=tournament.entrants[::-1])
    assert next_step(mixed, now=BEGAN) == next_step(tournament, now=BEGAN)
    assert left(mixed) == {100 + seed for seed in range(1, 9)}


def test_special_terms_of_a_game_can_be_told() -> None:
    event = knockout(4, third_place=True)
    opened(event)
    draw(event, 101, 104)
    (again,) = opened(event)
    draw(event, 101, 104)
    win(event, 102, 103)
    told = event.tournament
    assert [is_replay(told, pairing) for pairing in told.pairings] == [False, False, True]
    assert [higher_seed_through(told, pairing) for pairing in told.pairings] == [None, None, 101]
    final, third = opened(event)
    assert [is_for_third_place(event.tournament, one) for one in (again, final, third)] == [
        False,
        False,
        True,
    ]


@pytest.mark.parametrize(
    ("players", "level", "machine"),
    [(3, 3, 101), (5, 3, 103), (7, 3, 101), (9, 3, 107), (5, None, None), (6, 3, None)],
)
def test_the_machine_is_the_last_seed_of_an_odd_field_and_plays_one_round(
    players: int, level: int | None, machine: int | None
) -> None:
    tournament = a_tournament(TournamentFormat.KNOCKOUT, players, level=level)
    step = pair_up(tournament, now=BEGAN)
    waiting = [
        pairing.white
        for pairing in step.pairings
        if pairing.black is None and pairing.result is None
    ]
    assert waiting == ([] if machine is None else [machine])
    won = tuple(
        replace(pairing, result=PairingResult.WHITE) if pairing.result is None else pairing
        for pairing in step.pairings
    )
    step = pair_up(replace(tournament, pairings=won, round=1), now=BEGAN)
    opponents = [pairing.black for pairing in step.pairings]
    assert opponents
    assert None not in opponents, "nobody waits for the machine, or for anybody, in round two"
