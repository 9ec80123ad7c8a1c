"""Tournaments of all formats, played by chance and by Hypothesis: each ends, and forgets nobody."""

from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from bot.features.tournaments.model.arenas_and_ladders import EXTRA_TIME
from bot.features.tournaments.model.pairing import next_step
from bot.features.tournaments.model.tournament import (
    Finished,
    PairingResult,
    PairUp,
    TournamentFormat,
    TournamentState,
    Wait,
)
from tests.bot.features.tournaments.tournament_events import BEGAN, Event, a_tournament, at_random
from tests.tiers import share_of


@pytest.mark.parametrize("seed", range(40))
def test_small_events_hold_what_must_be_true(seed: int) -> None:
    event = at_random(seed, most_players=10)
    assert event.ended
    assert (event.unproven, event.unbalanced) == (0, 0)


@pytest.mark.thorough("a longer road over the same lines, with larger fields")
@pytest.mark.parametrize("hundred", range(3))
def test_events_of_all_sizes_hold_what_must_be_true(hundred: int) -> None:
    for seed in range(10_000 + 100 * hundred, 10_100 + 100 * hundred):
        event = at_random(seed)
        assert (event.unproven, event.unbalanced) == (0, 0)


def test_the_same_event_is_the_same_in_every_process() -> None:
    assert at_random(3, most_players=8).tournament == at_random(3, most_players=8).tournament


class Tournaments(RuleBasedStateMachine):
    """Whatever happens, in whatever order: what comes next is asserted by `Event`."""

    @initialize(
        kind=st.sampled_from(TournamentFormat),
        players=st.integers(0, 9),
        rounds=st.none() | st.integers(1, 6),
        level=st.none() | st.just(3),
        third_place=st.booleans(),
        seed=st.integers(1, 1_000),
    )
    def begin(
        self,
        kind: TournamentFormat,
        players: int,
        rounds: int | None,
        level: int | None,
        third_place: bool,
        seed: int,
    ) -> None:
        tournament = a_tournament(
            kind, players, number=seed, rounds=rounds, level=level, third_place=third_place
        )
        self.event = Event(tournament, Random(seed))

    @rule()
    def time_passes(self) -> None:
        self.event.now += timedelta(minutes=20)

    @precondition(lambda self: not self.event.ended)
    @rule()
    def look(self) -> None:
        step = self.event.step()
        if isinstance(step, Wait):
            assert step == next_step(self.event.tournament, now=self.event.now)

    @precondition(lambda self: self.event.running and not self.event.ended)
    @rule(data=st.data())
    def end_a_game(self, data: st.DataObject) -> None:
        self.event.play(data.draw(st.sampled_from(self.event.running)))

    @precondition(lambda self: self.event.tournament.pairings and not self.event.ended)
    @rule(data=st.data(), result=st.sampled_from((PairingResult.WHITE, PairingResult.BLACK)))
    def correct(self, data: st.DataObject, result: PairingResult) -> None:
        pairings = self.event.tournament.pairings
        self.event.correct(data.draw(st.sampled_from(pairings)), result)

    @precondition(lambda self: not self.event.ended)
    @rule()
    def nobody_comes(self) -> None:
        self.event.let_the_time_run_out()

    @precondition(lambda self: not self.event.ended)
    @rule(data=st.data())
    def leave(self, data: st.DataObject) -> None:
        entrants = [e.player for e in self.event.tournament.entrants]
        if entrants:
            self.event.withdraw(data.draw(st.sampled_from(entrants)))

    @precondition(lambda self: not self.event.ended and self.event.takes_latecomers())
    @rule()
    def join(self) -> None:
        self.event.join()

    def teardown(self) -> None:
        if hasattr(self, "event"):
            self.event.play_to_the_end()


TestTournaments = Tournaments.TestCase
TestTournaments.settings = settings(max_examples=share_of(100), stateful_step_count=20)


def test_an_arena_pairs_whoever_is_free_and_near() -> None:
    event = Event(a_tournament(TournamentFormat.ARENA, 6), Random(1))
    first = event.step()
    assert isinstance(first, PairUp)
    assert (first.round, len(first.pairings)) == (1, 3)
    one, other = event.running[:2]
    event.play(one)
    assert isinstance(event.step(), Wait), "two other games run: they wait for somebody else"
    event.play(other)
    second = event.step()
    assert isinstance(second, PairUp)
    assert second.round == 1
    assert {p.board for p in second.pairings} == {4, 5}
    before = {frozenset(p.players) for p in first.pairings}
    assert not before & {frozenset(p.players) for p in second.pairings}


def test_two_alone_in_an_arena_play_each_other_again_with_colours_swapped() -> None:
    event = Event(a_tournament(TournamentFormat.ARENA, 2), Random(1))
    event.step()
    (first,) = event.running
    event.play(first)
    event.step()
    (second,) = event.running
    assert (second.white, second.black) == (first.black, first.white)


def test_in_an_arena_whoever_sat_out_plays_next() -> None:
    event = Event(a_tournament(TournamentFormat.ARENA, 3), Random(1))
    event.step()
    (first,) = event.running
    (waited,) = {101, 102, 103} - set(first.players)
    event.play(first)
    event.step()
    assert waited in event.running[0].players


def test_an_arena_ends_with_its_time_and_waits_ten_minutes_for_running_games() -> None:
    event = Event(a_tournament(TournamentFormat.ARENA, 4), Random(1))
    event.step()
    ends = event.tournament.ends_at
    assert ends is not None
    event.play(event.running[0])
    event.now = ends
    assert event.step() == Wait(ends + EXTRA_TIME), "no further game is begun"
    event.let_the_time_run_out()
    assert not event.running
    late = [one for one in event.tournament.pairings if one.result is PairingResult.NEITHER]
    assert [one.forfeit for one in late] == [True]
    assert isinstance(event.step(), Finished)


@pytest.mark.parametrize(
    "state", [one for one in TournamentState if one is not TournamentState.RUNNING]
)
def test_only_what_runs_is_paired(state: TournamentState) -> None:
    tournament = a_tournament(TournamentFormat.SWISS, 8)
    step = next_step(replace(tournament, state=state), now=BEGAN)
    over = state in {TournamentState.DONE, TournamentState.CANCELLED}
    assert isinstance(step, Finished if over else Wait)
