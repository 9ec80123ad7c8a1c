"""Tests for the rules of leagues: divisions, promotion, seasons, and adjudication."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.base.ids import TournamentId, UserId
from bot.base.zones import Interval
from bot.play.model.engine_thoughts import Thought
from club.tournaments.model import leagues
from club.tournaments.model.badges import winner
from club.tournaments.model.pairing import next_step
from club.tournaments.model.rules import FEWEST_IN_LEAGUE
from club.tournaments.model.standings import standings
from club.tournaments.model.tournament import (
    Conclude,
    Pairing,
    PairingResult,
    PairUp,
    Tournament,
    TournamentFormat,
    TournamentState,
    Wait,
)
from tests.club.tournaments.tournament_events import BEGAN, a_tournament

SIZES = st.integers(FEWEST_IN_LEAGUE, leagues.LARGEST)
MONTH = timedelta(days=30)


def league(players: int, *, size: int = 8, lasts: timedelta | None = MONTH) -> Tournament:
    """A new league with players 101, 102 and so on from the top."""
    found = a_tournament(TournamentFormat.LEAGUE, players, lasts=lasts)
    terms = replace(found.terms, division_size=size, begins_at=BEGAN, round_time=None)
    return replace(found, terms=terms)


def begun(found: Tournament, now: datetime = BEGAN) -> tuple[Tournament, list[Tournament]]:
    """Return the league in its next season, and its divisions."""
    step = leagues.next_league_step(found, (), now=now)
    assert isinstance(step, leagues.SeasonChange)
    made = [replace(one, id=TournamentId(50 + n)) for n, one in enumerate(step.divisions)]
    return step.league, made


def paired(division: Tournament) -> Tournament:
    """A division with all its games."""
    while isinstance(step := next_step(division, now=BEGAN), PairUp):
        division = replace(
            division, pairings=(*division.pairings, *step.pairings), round=step.round
        )
    return division


def played(division: Tournament, away: Sequence[UserId] = ()) -> Tournament:
    """A division in which the higher ranked player won each game, and some never moved."""

    def of(pairing: Pairing) -> Pairing:
        if pairing.result is not None or pairing.black is None:
            return pairing
        here = [player for player in pairing.players if player not in away]
        if not here:
            return replace(pairing, result=PairingResult.NEITHER, forfeit=True)
        won = PairingResult.won_by(pairing.color_of(min(here)))
        return replace(pairing, result=won, forfeit=len(here) == 1)

    whole = paired(division)
    after = replace(whole, pairings=tuple(map(of, whole.pairings)))
    assert isinstance(next_step(after, now=BEGAN), Conclude)
    return replace(after, state=TournamentState.DONE, ended_at=BEGAN + timedelta(days=20))


def people(*numbers: int) -> tuple[UserId, ...]:
    return tuple(UserId(100 + number) for number in numbers)


@given(st.integers(FEWEST_IN_LEAGUE, 128), SIZES)
def test_each_division_has_five_to_eleven_players(players: int, size: int) -> None:
    sizes = leagues.division_sizes(players, size)
    assert sum(sizes) == players
    assert all(FEWEST_IN_LEAGUE <= size <= leagues.LARGEST for size in sizes)
    assert set(sizes[:-2]) <= {size}, "only the last two differ"


@given(st.integers(10, 128), SIZES)
def test_two_go_up_two_go_down_and_nobody_is_lost(players: int, size: int) -> None:
    members = [UserId(100 + number) for number in range(players)]
    tables = leagues.divided(members, size)
    order = leagues.next_order(tables, set(members))
    assert sorted(order) == members
    after = leagues.divided(order, size)
    for above, below, new_above, new_below in zip(
        tables, tables[1:], after, after[1:], strict=False
    ):
        assert set(new_below) & set(above) == set(above[-2:])
        assert set(new_above) & set(below) == set(below[:2])


@given(st.data(), st.integers(5, 128), SIZES)
def test_remaining_members_are_in_the_next_order(
    data: st.DataObject, players: int, size: int
) -> None:
    members = [UserId(100 + number) for number in range(players)]
    staying = data.draw(st.sets(st.sampled_from(members)))
    tables = leagues.divided(members, size)
    order = leagues.next_order(tables, staying)
    assert sorted(order) == sorted(staying)
    for move in leagues.moves(tables, staying):
        assert len(move.up) <= 2
        assert len(move.down) <= 2
        assert not set(move.up) & set(move.down)


def test_a_leaver_counts_as_relegated() -> None:
    tables = [people(1, 2, 3, 4, 5), people(6, 7, 8, 9, 10)]
    staying = set(people(1, 2, 3, 5, 6, 7, 8, 9, 10))
    assert leagues.moves(tables, staying) == [
        leagues.Moves(down=people(5)),
        leagues.Moves(up=people(6, 7)),
    ]
    assert leagues.next_order(tables, staying) == people(1, 2, 3, 6, 7, 5, 8, 9, 10)


@pytest.mark.parametrize(
    ("began", "lasts", "ends", "begins"),
    [
        ("2026-11-01", None, "2026-11-30", "2026-12-01"),
        ("2026-11-10", None, "2026-11-30", "2026-12-01"),
        ("2026-11-20", None, "2026-12-31", "2027-01-01"),
        ("2026-11-10", MONTH, "2026-12-10", "2026-11-21"),
    ],
)
def test_when_seasons_end_and_begin(
    began: str, lasts: timedelta | None, ends: str, begins: str
) -> None:
    moment, early = datetime.fromisoformat(began).replace(tzinfo=UTC), timedelta(days=10)
    assert leagues.season_ends(moment, lasts) == datetime.fromisoformat(ends).replace(tzinfo=UTC)
    found = leagues.next_season(moment, moment + early, lasts)
    assert found == datetime.fromisoformat(begins).replace(tzinfo=UTC)


def test_stopped_clocks_make_a_season_longer_and_the_next_one_later() -> None:
    after, _ = begun(league(6))
    assert leagues.season_deadline(after) == BEGAN + MONTH
    stop = Interval(begins=BEGAN + timedelta(days=3), ends=BEGAN + timedelta(days=10))
    stopped = replace(after, pauses=(stop,))
    assert leagues.season_deadline(stopped) == BEGAN + MONTH + timedelta(days=7)
    soon = replace(stopped.terms, begins_at=stop.begins + timedelta(days=1))
    assert leagues.next_begins(replace(stopped, terms=soon)) == stop.ends


def test_a_season_waits_for_clocks_that_were_stopped_after_its_start() -> None:
    stop = Interval(begins=BEGAN + timedelta(hours=1), ends=BEGAN + timedelta(days=3))
    stopped = replace(league(6), pauses=(stop,))
    assert leagues.next_league_step(stopped, (), now=stop.begins) == Wait(stop.ends)
    begun(stopped, stop.ends)


def test_a_month_whose_games_end_late_is_followed_after_a_day() -> None:
    began, ended = datetime(2026, 11, 1, tzinfo=UTC), datetime(2026, 12, 3, tzinfo=UTC)
    assert leagues.next_season(began, ended, None) == ended + leagues.BREAK


@pytest.mark.parametrize(("twice", "games"), [(False, 15), (True, 30)])
def test_all_games_of_a_division_begin_at_once(twice: bool, games: int) -> None:
    found = league(14)
    found = replace(found, terms=replace(found.terms, twice=twice))
    after, divisions = begun(found)
    assert [len(division.entrants) for division in divisions] == [8, 6]
    assert [division.terms.name for division in divisions] == ["Autumn cup 1A", "Autumn cup 1B"]
    assert (after.round, after.terms.begins_at) == (1, None)
    lower = paired(divisions[1])
    assert len(lower.undecided) == len(lower.pairings) == games
    assert isinstance(next_step(lower, now=BEGAN), Wait)
    assert {pairing.paired_at for pairing in lower.pairings} == {BEGAN}


def test_a_game_counts_when_it_ends_and_not_with_its_round() -> None:
    division = paired(begun(league(6))[1][0])
    *others, last = division.pairings
    won = replace(last, result=PairingResult.WHITE)
    table = standings(replace(division, pairings=(*others, won)))
    assert (table[0].player, table[0].points) == (last.white, 1)


def test_after_a_season_two_change_places_and_who_came_late_is_last() -> None:
    after, divisions = begun(league(12, size=6))
    late = replace(after.entrants[0], player=UserId(900), seed=13)
    after = replace(after, entrants=(*after.entrants, late))
    over = [played(division) for division in divisions]
    now = BEGAN + timedelta(days=20)
    step = leagues.next_league_step(after, over, now=now)
    assert isinstance(step, leagues.SeasonChange)
    assert step.league.terms.begins_at == now + leagues.BREAK
    order = [entrant.player for entrant in step.league.entrants]
    assert order == [*people(1, 2, 3, 4, 7, 8, 5, 6, 9, 10, 11, 12), UserId(900)]
    waits = leagues.next_league_step(step.league, over, now=now)
    assert waits == Wait(now + leagues.BREAK)
    again, second = begun(step.league, now + leagues.BREAK)
    assert (again.round, [len(tournament.entrants) for tournament in second]) == (2, [6, 7])


def test_a_season_lasts_until_its_last_game_and_weeks_are_counted() -> None:
    after, divisions = begun(league(12, size=6))
    one = played(divisions[0])
    later = BEGAN + timedelta(days=15)
    step = leagues.next_league_step(after, [one, paired(divisions[1])], now=later)
    assert step == Wait(BEGAN + timedelta(days=21))
    assert leagues.weeks_over(after, later) == 2


def test_two_missed_seasons_remove_a_member() -> None:
    found, ghost, now = league(6), UserId(103), BEGAN
    for missed in (1, 2):
        after, divisions = begun(found, now)
        over = [played(division, away=[ghost]) for division in divisions]
        step = leagues.next_league_step(after, over, now=now)
        assert isinstance(step, leagues.SeasonChange)
        found = step.league
        entrant = found.entrant_of(ghost)
        assert entrant is not None
        assert (entrant.missed, entrant.withdrawn) == (missed, missed == 2)
        assert leagues.removed_players(found, over) == [ghost] * (missed - 1)
        assert found.terms.begins_at is not None
        now = found.terms.begins_at
    assert [entrant.player for entrant in begun(found, now)[0].entrants] == list(
        people(1, 2, 4, 5, 6)
    )


def test_a_season_waits_for_five() -> None:
    found = league(6)
    gone = tuple(replace(entrant, withdrawn=entrant.seed > 4) for entrant in found.entrants)
    step = leagues.next_league_step(replace(found, entrants=gone), (), now=BEGAN)
    assert step == Wait()


def test_leaving_a_league_leaves_its_division_and_returning_restores_it() -> None:
    after, (division,) = begun(league(6))
    left = replace(
        after,
        entrants=tuple(replace(entrant, withdrawn=entrant.seed == 2) for entrant in after.entrants),
    )
    left = replace(left, terms=replace(left.terms, helper=UserId(7)))
    without = leagues.follow_league(division, left)
    assert without.terms.helper == 7
    assert [entrant.seed for entrant in without.entrants if entrant.withdrawn] == [2]
    assert leagues.follow_league(without, after) == division


def test_only_the_first_of_the_highest_division_has_the_badge() -> None:
    upper, lower = map(played, begun(league(12, size=6))[1])
    assert (winner(upper), winner(lower)) == (UserId(101), None)


@pytest.mark.parametrize(
    ("white_wins", "margin", "result"),
    [
        (None, 3, PairingResult.WHITE),
        (0.1, -1, PairingResult.BLACK),
        (0.99, 0, PairingResult.DRAW),
        (0.95, None, PairingResult.WHITE),
        (0.05, None, PairingResult.BLACK),
        (0.949, None, PairingResult.DRAW),
        (0.051, None, PairingResult.DRAW),
        (None, None, PairingResult.DRAW),
    ],
)
def test_only_proven_or_clear_games_are_adjudicated_as_wins(
    white_wins: float | None, margin: int | None, result: PairingResult
) -> None:
    thought = Thought(moves=(), white_wins=white_wins, margin=margin)
    assert leagues.adjudicated([thought, Thought(moves=(), margin=0)]) is result


def test_without_the_engine_or_leave_it_is_a_draw() -> None:
    assert leagues.adjudicated(None) is leagues.adjudicated([]) is PairingResult.DRAW
