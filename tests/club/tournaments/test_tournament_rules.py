"""Tests for each rule of tournaments: terms, entering, leaving, starting."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.base.ids import GameId, UserId
from bot.play.model.clock import TimeControl
from bot.play.model.refusals import OwnRatedGame
from club.tournaments.model import possible_terms as allowed
from club.tournaments.model import rules
from club.tournaments.model.knockout import is_called_off, is_replay
from club.tournaments.model.pairing import next_step
from club.tournaments.model.results import can_be_set, corrected
from club.tournaments.model.tournament import (
    Conclude,
    Entrant,
    Pairing,
    PairingResult,
    Tournament,
    TournamentFormat,
    TournamentState,
)
from club.tournaments.refusals import (
    AlreadyIn,
    BadTerms,
    NotIn,
    Problem,
    TermsProblem,
    TournamentRefusal,
)
from tests.club.tournaments.directed import black_of
from tests.club.tournaments.toured import (
    DAY,
    LIVE,
    NOW,
    SLOW,
    over,
    round_of,
    running,
    somebody,
    tournament,
)
from tests.club.tournaments.tournament_events import pair_up

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
NEW = UserId(77)
ROBIN, SWISS, KNOCKOUT, LADDER, LEAGUE = TournamentFormat


def changed(found: Tournament, seed: int, **fields: Any) -> Tournament:
    """Return the same tournament with another entry of one of its players."""
    entrants = [
        replace(entrant, **fields) if entrant.seed == seed else entrant
        for entrant in found.entrants
    ]
    return replace(found, entrants=tuple(entrants))


def players(found: Tournament) -> list[UserId]:
    return [entrant.player for entrant in found.entrants]


# Possible terms


@pytest.mark.parametrize(
    ("format_", "usual", "found"),
    [
        (SWISS, None, SLOW),
        (ROBIN, None, SLOW),
        (KNOCKOUT, None, SLOW),
        (SWISS, LIVE, LIVE),
        (KNOCKOUT, TimeControl(bank=2 * DAY), TimeControl(bank=2 * DAY)),
        (LADDER, None, None),
        (LADDER, SLOW, SLOW),
    ],
)
def test_by_default_games_have_a_clock_that_ends_them(
    format_: TournamentFormat, usual: TimeControl | None, found: TimeControl | None
) -> None:
    assert allowed.usual_clock(format_, usual) == found


@pytest.mark.parametrize(
    "terms",
    [
        {"name": "a"},
        {"name": 80 * "a"},
        {"rounds": None},
        {"rounds": 1},
        {"rounds": 20},
        {"begins_at": NOW + SECOND},
        {"begins_at": NOW + 180 * DAY},
        {"round_time": 10 * MINUTE},
        {"round_time": 60 * DAY},
        {"clock": None, "round_time": DAY},
        {"clock": None, "format": LADDER},
        {"format": LADDER, "lasts": DAY},
        {"format": LADDER, "lasts": 366 * DAY},
        {"format": SWISS, "lasts": SECOND},
    ],
)
def test_terms_at_their_limits_are_accepted(terms: dict[str, Any]) -> None:
    allowed.check_terms(tournament(**terms).terms, NOW)


_ROUND_TIMES = (10 * MINUTE, 60 * DAY)


def test_a_swiss_is_refused_where_nothing_pairs_its_rounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    swiss = tournament(format=TournamentFormat.SWISS).terms
    allowed.check_terms(swiss, NOW)
    monkeypatch.setattr(
        "club.tournaments.model.possible_terms.find_spec",
        lambda name: None if name == "networkx" else name,
    )
    with pytest.raises(BadTerms) as raised:
        allowed.check_terms(swiss, NOW)
    assert raised.value.problem is TermsProblem.SWISS
    allowed.check_terms(tournament(format=TournamentFormat.ROUND_ROBIN).terms, NOW)


@pytest.mark.parametrize(
    ("terms", "problem", "limits"),
    [
        ({"name": ""}, TermsProblem.NAME, (None, 80)),
        ({"name": "\u202e \u200b\u0301"}, TermsProblem.NAME, (None, 80)),
        ({"name": 81 * "a"}, TermsProblem.NAME, (None, 80)),
        ({"rounds": 0}, TermsProblem.ROUNDS, (1, 20)),
        ({"rounds": 21}, TermsProblem.ROUNDS, (1, 20)),
        ({"begins_at": NOW}, TermsProblem.IN_THE_PAST, (None, None)),
        ({"begins_at": NOW + 180 * DAY + SECOND}, TermsProblem.TOO_FAR, (None, 180 * DAY)),
        ({"round_time": 10 * MINUTE - SECOND}, TermsProblem.ROUND_TIME, _ROUND_TIMES),
        ({"round_time": 60 * DAY + SECOND}, TermsProblem.ROUND_TIME, _ROUND_TIMES),
        ({"clock": None}, TermsProblem.NEEDS_TIME, (None, None)),
        ({"format": LADDER, "lasts": DAY - SECOND}, *(TermsProblem.LENGTH, (DAY, 366 * DAY))),
        ({"format": LADDER, "lasts": 366 * DAY + SECOND}, *(TermsProblem.LENGTH, (DAY, 366 * DAY))),
    ],
)
def test_impossible_terms_are_refused_with_the_limits(
    terms: dict[str, Any], problem: TermsProblem, limits: tuple[object, object]
) -> None:
    with pytest.raises(BadTerms) as caught:
        allowed.check_terms(tournament(**terms).terms, NOW)
    assert (caught.value.problem, (caught.value.least, caught.value.most)) == (problem, limits)


# Times of checks


@pytest.mark.parametrize(
    ("terms", "opens"),
    [
        ({}, None),
        ({"begins_at": NOW + 3 * DAY}, NOW + 2 * DAY),
        ({"begins_at": NOW + HOUR}, NOW),
        ({"begins_at": NOW + HOUR, "clock": LIVE}, NOW + 45 * MINUTE),
        ({"begins_at": NOW + DAY, "clock": None}, NOW),
        ({"begins_at": NOW + 3 * DAY, "format": LADDER}, NOW + 3 * DAY),
    ],
)
def test_a_check_in_opens_a_day_before_the_start_or_a_quarter_of_an_hour(
    terms: dict[str, Any], opens: datetime | None
) -> None:
    found = tournament(**terms)
    assert rules.opens_at(found.terms, created_at=NOW) == opens
    assert rules.due_at(found, NOW + MINUTE) == opens


def test_the_time_of_the_next_check() -> None:
    start = NOW + 3 * DAY
    assert {state: rules.due_at(tournament(state=state, begins_at=start), NOW + HOUR)
            for state in TournamentState} == {
        TournamentState.OPEN: NOW + 2 * DAY,
        TournamentState.CHECK_IN: start,
        TournamentState.RUNNING: NOW + HOUR,
        TournamentState.DONE: None,
        TournamentState.CANCELLED: None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("planned", "late", "clock", "begins"),
    [
        (3 * DAY, MINUTE, SLOW, 3 * DAY),  # if the bot was only busy, the announced start stays
        (3 * DAY, MINUTE + SECOND, SLOW, 3 * DAY),
        (3 * DAY, DAY, SLOW, 3 * DAY + HOUR),
        (3 * DAY, 23 * HOUR + MINUTE, SLOW, 3 * DAY + MINUTE),
        (3 * DAY, 10 * DAY, SLOW, 12 * DAY + HOUR),
        (3 * DAY, MINUTE, LIVE, 3 * DAY),
        (3 * DAY, 11 * MINUTE, LIVE, 3 * DAY + MINUTE),
        (3 * DAY, HOUR, LIVE, 3 * DAY + 50 * MINUTE),
        (3 * MINUTE, MINUTE, LIVE, 3 * MINUTE),
        (3 * MINUTE, HOUR, LIVE, HOUR + 3 * MINUTE),  # as short as it was planned
    ],
)
def test_a_check_in_is_open_for_long_enough(
    planned: timedelta, late: timedelta, clock: TimeControl, begins: timedelta
) -> None:
    found = tournament(begins_at=NOW + planned, clock=clock)
    opens = rules.opens_at(found.terms, created_at=NOW)
    assert opens is not None
    opened = rules.check_in_opened(found, opens + late, NOW + planned)
    assert opened.state is TournamentState.CHECK_IN
    assert opened.terms == replace(found.terms, begins_at=NOW + begins)
    assert opened.entrants == found.entrants


# Joining


def test_new_members_are_last() -> None:
    after = rules.joined(tournament(2), NEW, rating=1612.5)
    assert after.entrants == (
        *tournament(2).entrants,
        Entrant(player=NEW, seed=3, rating=1612.5, joined_round=1),
    )
    first = rules.joined(tournament(0), NEW)
    assert first.entrants == (Entrant(player=NEW, seed=1, rating=None, joined_round=1),)
    assert after.entrant_of(NEW) == after.entrants[2]
    assert after.entrant_of(somebody(3)) is None


def test_joining_during_check_in_counts_as_present() -> None:
    found = tournament(2, state=TournamentState.CHECK_IN)
    assert [entrant.checked_in for entrant in rules.joined(found, NEW).entrants] == [
        False,
        False,
        True,
    ]
    again = rules.joined(found, somebody(1))
    assert [entrant.checked_in for entrant in again.entrants] == [True, False]
    with pytest.raises(AlreadyIn):
        rules.joined(again, somebody(1))
    with pytest.raises(AlreadyIn):
        rules.joined(tournament(2), somebody(1))


@pytest.mark.parametrize(
    ("found", "joined_round"),
    [
        (running(8, rounds=1), 2),
        (running(8, rounds=2), 3),
        (running(8, rounds=3), None),
        (replace(tournament(8), state=TournamentState.RUNNING), 1),
        (running(8, rounds=1, format=ROBIN), None),
        (running(8, rounds=1, format=KNOCKOUT), None),
        (running(8, rounds=1, format=LADDER), 1),
        (running(8, rounds=1, format=LEAGUE), 1),
    ],
)
def test_late_entrants_are_paired_from_the_next_round_or_not_at_all(
    found: Tournament, joined_round: int | None
) -> None:
    if joined_round is None:
        with pytest.raises(TournamentRefusal, match="TOO_LATE_TO_JOIN"):
            rules.joined(found, NEW)
    else:
        late = rules.joined(found, NEW).entrants[-1]
        assert late == Entrant(player=NEW, seed=9, joined_round=joined_round)


@pytest.mark.parametrize("format_", [SWISS, ROBIN, LADDER])
def test_a_returning_player_has_their_old_state(format_: TournamentFormat) -> None:
    found = running(8, rounds=1, format=format_)
    gone = changed(found, 2, withdrawn=True)
    assert rules.joined(gone, somebody(2)) == found


def test_nobody_returns_to_a_knockout() -> None:
    gone = changed(running(8, rounds=1, format=KNOCKOUT), 2, withdrawn=True)
    with pytest.raises(TournamentRefusal, match="TOO_LATE_TO_JOIN"):
        rules.joined(gone, somebody(2))


@pytest.mark.parametrize(("format_", "most"), [(ROBIN, 24), (SWISS, 60), (LEAGUE, 128)])
def test_the_number_of_players_is_limited(format_: TournamentFormat, most: int) -> None:
    full = rules.joined(tournament(most - 1, format=format_), NEW)
    assert len(full.entrants) == most
    with pytest.raises(TournamentRefusal, match="FULL") as caught:
        rules.joined(full, UserId(78))
    assert caught.value.limit == most


# Leaving


def test_a_player_who_leaves_before_the_start_is_removed() -> None:
    for state in (TournamentState.OPEN, TournamentState.CHECK_IN):
        found = tournament(3, state=state)
        after = rules.with_withdrawal(found, somebody(2))
        assert after == replace(found, entrants=(found.entrants[0], found.entrants[2]))


def test_during_a_tournament_results_stay() -> None:
    found = running(4)
    assert rules.with_withdrawal(found, somebody(2)) == changed(found, 2, withdrawn=True)


@pytest.mark.parametrize(
    ("by", "told"),
    [(None, None), (NEW, None), (somebody(1), NEW)],
    ids=["by themselves", "by their own number", "by another"],
)
def test_only_members_can_leave(by: UserId | None, told: UserId | None) -> None:
    with pytest.raises(NotIn) as caught:
        rules.with_withdrawal(running(4), NEW, by)
    assert caught.value.who == told
    gone = Entrant(player=NEW, seed=5, withdrawn=True)
    with pytest.raises(NotIn):
        rules.with_withdrawal(replace(running(4), entrants=(*running(4).entrants, gone)), NEW, by)


def test_who_is_there() -> None:
    after = rules.joined(tournament(3, state=TournamentState.CHECK_IN), somebody(2))
    assert rules.players_at_start(after) == (after.entrants[1],)
    assert rules.players_at_start(tournament(3)) == tournament(3).entrants


# Beginning and continuing


def test_seeds_go_by_rating_then_by_join_order() -> None:
    found = tournament(5, state=TournamentState.CHECK_IN)
    found = replace(found, entrants=tuple(replace(e, checked_in=True) for e in found.entrants))
    found = changed(found, 4, checked_in=False)
    ratings = {somebody(2): 1500.0, somebody(5): 1700.0, somebody(3): 1500.0, somebody(4): 2000.0}
    begun = rules.begun(found, ratings, NOW + HOUR)
    assert (begun.state, begun.began_at) == (TournamentState.RUNNING, NOW + HOUR)
    assert [(entrant.seed, entrant.player, entrant.rating) for entrant in begun.entrants] == [
        (1, somebody(5), 1700.0),
        (2, somebody(2), 1500.0),
        (3, somebody(3), 1500.0),
        (4, somebody(1), None),
    ]


def test_two_are_enough() -> None:
    assert players(rules.begun(tournament(2), {}, NOW)) == [somebody(1), somebody(2)]
    with pytest.raises(TournamentRefusal, match="TOO_FEW") as caught:
        rules.begun(tournament(1), {}, NOW)
    assert caught.value.limit == 2


def unbegun(found: Tournament) -> Tournament:
    """The same if no game of the newest round has started."""
    pairings = tuple(
        replace(pairing, game=None) if pairing.round == found.round else pairing
        for pairing in found.pairings
    )
    return replace(found, pairings=pairings)


def test_leaving_before_a_game_loses_it() -> None:
    found = unbegun(running(7, rounds=1))
    assert rules.without_who_left(found) == found
    for gone in (1, 4, 5, 6):
        found = changed(found, gone, withdrawn=True)
    after = rules.without_who_left(found)
    assert [(pairing.result, pairing.forfeit) for pairing in after.pairings] == [
        (PairingResult.BLACK, True),
        (PairingResult.WHITE, True),
        (PairingResult.NEITHER, True),
        (PairingResult.BYE, False),
    ]
    assert after.entrants == found.entrants


def test_a_started_game_continues_after_a_player_leaves() -> None:
    found = changed(running(4), 1, withdrawn=True)
    assert rules.without_who_left(found) == found


@pytest.mark.parametrize(
    ("format_", "count", "leave"),
    [
        (SWISS, 8, True),
        (ROBIN, 8, False),
        (KNOCKOUT, 8, False),
    ],
)
def test_absent_players_are_not_paired_again_in_formats_by_score(
    format_: TournamentFormat, count: int, leave: bool
) -> None:
    found = running(count, rounds=1, format=format_)
    found = changed(found, 3, withdrawn=True)
    new = replace(found.pairings[1], result=PairingResult.NEITHER, forfeit=True)
    after = rules.decided(found, [new], {somebody(4)})
    assert after.pairings == (found.pairings[0], new, *found.pairings[2:])
    assert {entrant.seed for entrant in after.entrants if entrant.withdrawn} == (
        {3, 4} if leave else {3}
    )


def test_of_two_rounds_only_the_board_of_the_right_one_is_decided() -> None:
    found = running(4, rounds=2)
    new = replace(found.pairings[2], result=PairingResult.DRAW)
    after = rules.decided(found, [new])
    assert [pairing.result for pairing in after.pairings] == [
        *(PairingResult.WHITE, PairingResult.WHITE),
        *(PairingResult.DRAW, None),
    ]


# Corrections


def correct(
    found: Tournament,
    place: tuple[int, int] = (1, 1),
    result: PairingResult = PairingResult.BLACK,
    note: str = "why",
) -> tuple[Tournament, Pairing]:
    correction = corrected(found, place, result, note, somebody(9))
    return correction.after, correction.pairing


def test_a_corrected_result_has_no_margin_and_a_note() -> None:
    for found in (running(4), over(6)):
        before = found.pairings[1]
        after, pairing = correct(found, (1, 2))
        assert pairing == replace(
            before, result=PairingResult.BLACK, margin=None, corrected_by=somebody(9), note="why"
        )
        assert after.pairings == (found.pairings[0], pairing, *found.pairings[2:])
        assert not pairing.forfeit


def test_to_say_why_the_result_stands_keeps_its_margin() -> None:
    for longest in ("a", 200 * "a"):
        assert correct(running(4), note=longest)[1].note == longest
    after, pairing = correct(running(4), result=PairingResult.WHITE)
    assert (pairing.margin, pairing.note) == (12, "why")
    assert correct(after, result=PairingResult.WHITE) == (after, pairing), "told twice"


def test_a_corrected_unplayed_game_is_a_forfeit() -> None:
    found = running(4)
    _, unfinished = correct(found, (2, 1))
    assert unfinished.forfeit
    never_came = replace(found.pairings[0], result=PairingResult.NEITHER, forfeit=True)
    found = replace(found, pairings=(never_came, *found.pairings[1:]))
    assert correct(found)[1].forfeit


@pytest.mark.parametrize(
    ("place", "result", "note", "problem"),
    [
        ((1, 1), PairingResult.BLACK, "", Problem.NOTE),
        ((1, 1), PairingResult.BLACK, 201 * "a", Problem.NOTE),
        ((1, 5), PairingResult.BLACK, "why", Problem.NO_PAIRING),
        ((3, 1), PairingResult.BLACK, "why", Problem.NO_PAIRING),
        ((1, 3), PairingResult.BLACK, "why", Problem.BYE),
        ((1, 1), PairingResult.ZERO_BYE, "why", Problem.BYE),
    ],
)
def test_results_that_cannot_be_corrected(
    place: tuple[int, int], result: PairingResult, note: str, problem: Problem
) -> None:
    with pytest.raises(TournamentRefusal) as caught:
        correct(running(5), place, result, note)
    assert caught.value.problem is problem
    assert caught.value.limit == (200 if problem is Problem.NOTE else 0)


def semi_finals(**final: Any) -> Tournament:
    """A knockout of four whose final is paired: 1 against 3."""
    found = running(4, rounds=2, format=KNOCKOUT)
    last = replace(found.pairings[2], white=somebody(1), black=somebody(3), **final)
    return replace(found, pairings=(*found.pairings[:2], last))


def test_a_knockout_replacement_advances_and_keeps_its_pairing() -> None:
    found = semi_finals(result=PairingResult.WHITE)
    _, final = correct(found, (2, 1))
    assert final.result is PairingResult.BLACK
    for place, result, problem in (
        ((2, 1), PairingResult.DRAW, Problem.NEEDS_WINNER),
        ((2, 1), PairingResult.NEITHER, Problem.NEEDS_WINNER),
        ((1, 1), PairingResult.BLACK, Problem.NEXT_IS_OVER),
    ):
        with pytest.raises(TournamentRefusal) as caught:
            correct(found, place, result)
        assert caught.value.problem is problem


@pytest.mark.parametrize("format_", list(TournamentFormat))
@pytest.mark.parametrize("state", list(TournamentState))
def test_organizers_are_shown_the_corrections_that_only_they_can_make(
    format_: TournamentFormat, state: TournamentState
) -> None:
    found = (
        semi_finals(result=PairingResult.WHITE)
        if format_ is KNOCKOUT
        else running(4, rounds=2, format=format_)
    )
    nobodys = (replace(pairing, result=PairingResult.NEITHER) for pairing in found.pairings)
    found = replace(found, pairings=tuple(nobodys), state=state)
    for pairing in found.pairings:
        try:
            after, corrected = correct(found, (pairing.round, pairing.board))
        except TournamentRefusal:
            assert not can_be_set(found, pairing)
        else:
            assert can_be_set(found, pairing)
            assert not can_be_set(after, corrected)
            again = replace(corrected, result=PairingResult.NEITHER)
            assert not can_be_set(after, again), "an organizer has said so"
    assert not any(can_be_set(found, pairing) for pairing in running(4, rounds=2).pairings)


def test_a_game_that_is_played_again_is_not_corrected_but_its_replay_is() -> None:
    first, second = round_of(1, 4, PairingResult.DRAW)
    replay = replace(
        first, board=3, white=black_of(first), black=first.white, result=None, game=GameId(9)
    )
    found = running(4, rounds=1, format=KNOCKOUT)
    found = replace(found, pairings=(first, second, replay))
    ended = replace(found, pairings=(first, second, replace(replay, result=PairingResult.WHITE)))
    with pytest.raises(TournamentRefusal) as caught:
        correct(ended, (1, 1))
    assert caught.value.problem is Problem.NEXT_IS_OVER
    assert correct(ended, (1, 2))[1].result is PairingResult.BLACK
    assert correct(ended, (1, 3))[1].result is PairingResult.BLACK
    after, first = correct(found, (1, 1))
    assert first.result is PairingResult.BLACK
    assert off(after) == [(1, 3)], "as long as the replay is running it is called off"
    step = pair_up(after, now=NOW)
    assert [pairing.board for pairing in step.pairings] == [4], (
        "and only the other match is played again"
    )


# Corrections of a knockout whose next round is paired


def off(found: Tournament) -> list[tuple[int, int]]:
    """Return the called-off pairings."""
    return [
        (pairing.round, pairing.board)
        for pairing in found.pairings
        if is_called_off(found, pairing)
    ]


def final_of(found: Tournament) -> Pairing:
    """Return the next pairing."""
    step = pair_up(found, now=NOW)
    (pairing,) = step.pairings
    return pairing


def test_a_correction_calls_off_and_repairs_a_running_next_game() -> None:
    found = semi_finals()
    correction = corrected(found, (1, 1), PairingResult.BLACK, "why", somebody(9))
    assert correction.called_off == correction.ends == (found.pairings[2],)
    after = correction.after
    assert after.pairings[2] == replace(
        found.pairings[2],
        result=PairingResult.NEITHER,
        forfeit=True,
        corrected_by=somebody(9),
        note="why",
    )
    next_final = final_of(after)
    assert (next_final.round, next_final.board, set(next_final.players)) == (
        2,
        2,
        {somebody(2), somebody(3)},
    )
    again = replace(after, pairings=(*after.pairings, replace(next_final, game=GameId(7))))
    with pytest.raises(TournamentRefusal) as caught:
        correct(again, (2, 1), PairingResult.WHITE)  # a called-off pairing
    assert caught.value.problem is Problem.NEXT_IS_OVER
    with pytest.raises(OwnRatedGame):
        corrected(found, (1, 1), PairingResult.BLACK, "why", somebody(3))
    back, _ = correct(again, (1, 1), PairingResult.WHITE)
    third = final_of(back)
    assert (third.board, set(third.players)) == (3, {somebody(1), somebody(3)})
    won = replace(third, result=PairingResult.WHITE)
    assert isinstance(next_step(replace(back, pairings=(*back.pairings, won)), now=NOW), Conclude)


def test_a_new_pairing_is_replayed_like_any_other() -> None:
    found = semi_finals(game=None)
    after, _ = correct(found, (1, 1))
    next_final = replace(final_of(after), result=PairingResult.DRAW)
    after = replace(after, pairings=(*after.pairings, next_final))
    replay = final_of(after)
    assert (replay.board, replay.white, replay.black) == (3, next_final.black, next_final.white)
    after = replace(after, pairings=(*after.pairings, replay))
    assert is_replay(after, replay)
    assert not is_replay(after, next_final)


def test_a_correction_against_a_missing_player_gives_no_game() -> None:
    found = changed(semi_finals(game=None), 3, withdrawn=True)
    after, _ = correct(found, (1, 1))
    bye = final_of(after)
    assert (bye.white, bye.black, bye.result) == (somebody(2), None, PairingResult.BYE)
    gone, _ = correct(changed(found, 2, withdrawn=True), (1, 1))
    assert isinstance(next_step(gone, now=NOW), Conclude), "nobody is left to go on"


def test_a_correction_without_consequences_ends_no_game() -> None:
    found = semi_finals()
    correction = corrected(found, (1, 1), PairingResult.WHITE, "As it was", somebody(9))
    assert correction.ends == ()
    assert correction.pairing.note == "As it was"


def test_an_old_correction_reinstates_nobody() -> None:
    """Of eight: the first quarterfinal can't be corrected once the final is paired."""
    found = tournament(8, state=TournamentState.RUNNING, format=KNOCKOUT, pairings=round_of(1, 8))
    while found.round < 3:
        step = pair_up(found, now=NOW)
        won = PairingResult.WHITE if step.round < 3 else None
        new = tuple(replace(pairing, result=won) for pairing in step.pairings)
        found = replace(found, pairings=(*found.pairings, *new), round=step.round)
    with pytest.raises(TournamentRefusal):
        correct(found, (1, 1))
    assert off(correct(found, (2, 1), _other(found, (2, 1)))[0]) == [(3, 1)]
    done = replace(found, state=TournamentState.DONE)
    with pytest.raises(TournamentRefusal):
        correct(done, (2, 1), _other(found, (2, 1)))


def _other(found: Tournament, place: tuple[int, int]) -> PairingResult:
    now = next(
        pairing.result for pairing in found.pairings if (pairing.round, pairing.board) == place
    )
    return PairingResult.BLACK if now is PairingResult.WHITE else PairingResult.WHITE


def test_a_player_who_advances_by_correction_gets_the_next_game() -> None:
    """Of eight, two neighboring games gave nobody anything, so their semifinal was not paired."""
    first = round_of(1, 8)
    nobodys = (replace(item, result=PairingResult.NEITHER, forfeit=True) for item in first[:2])
    found = tournament(
        8, state=TournamentState.RUNNING, format=KNOCKOUT, pairings=(*nobodys, *first[2:])
    )
    semi = final_of(found)
    assert (semi.round, semi.board) == (2, 2)
    found = replace(found, pairings=(*found.pairings, semi), round=2)
    after, _ = correct(found, (1, 2), PairingResult.WHITE)
    bye = final_of(after)
    assert (bye.board, bye.white, bye.result) == (1, somebody(3), PairingResult.BYE)


def test_a_bye_is_called_off_if_an_opponent_appears() -> None:
    """Of eight, the first game gave nobody anything, so the winner of the second had a bye."""
    nobodys, *others = round_of(1, 8)
    nobodys = replace(nobodys, result=PairingResult.NEITHER, forfeit=True)
    found = tournament(
        8, state=TournamentState.RUNNING, format=KNOCKOUT, pairings=(nobodys, *others)
    )
    step = pair_up(found, now=NOW)
    bye, semi = step.pairings
    assert bye.result is PairingResult.BYE
    found = replace(found, pairings=(*found.pairings, *step.pairings), round=2)
    after, _ = correct(found, (1, 1), PairingResult.WHITE)
    assert [pairing.result for pairing in after.pairings[-2:]] == [PairingResult.ZERO_BYE, None]
    next_final = final_of(after)
    assert (next_final.round, next_final.board) == (2, 3), "there are two matches"
    assert set(next_final.players) == {somebody(1), bye.white}
    assert semi in after.pairings, "the other one goes on"


def test_a_correction_names_the_games_that_it_ends() -> None:
    found = running(4)
    stops = corrected(found, (2, 1), PairingResult.DRAW, "why", somebody(9))
    assert stops.ends == (found.pairings[2],)
    over = replace(found.pairings[2], ended_at=NOW)
    asks = replace(found, pairings=(*found.pairings[:2], over, found.pairings[3]))
    for cup, place in ((found, (1, 1)), (asks, (2, 1))):
        assert corrected(cup, place, PairingResult.DRAW, "why", somebody(9)).ends == ()
