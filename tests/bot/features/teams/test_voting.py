"""Tests for counting votes, in any order."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.base.ids import ChannelId, GameId, Revision, UserId, is_team, team_channel, team_of
from bot.base.languages import IN_ENGLISH
from bot.composition import refusal
from bot.features.teams.model import (
    LENGTHS,
    USUAL_LENGTH,
    CannotVote,
    Vote,
    VoteProblem,
    edit_at,
    for_teams,
    rounds,
    tally,
    vote_length,
)
from bot.features.teams.use_cases import result_of
from bot.play.model.clock import TimeControl
from bot.play.model.events import Moved
from bot.play.model.refusals import TeamVotes
from bot.play.model.terms import Defaults, Place, Start
from bot.play.words.boards import board
from dvonn import Coordinates, Move, parse_move
from tests.bot.features.teams.example_texts import boards
from tests.bot.play.example_texts import team_games
from tests.bot.replayed import step

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MOVES = [parse_move(text) for text in ("a1-b1", "c2-c3", "e3-f3", "k5-j5")]

votes = st.lists(
    st.builds(
        Vote,
        player=st.integers(1, 6).map(UserId),
        move=st.sampled_from(MOVES),
        at=st.integers(0, 1_000).map(lambda s: NOON + timedelta(seconds=s)),
    ),
    max_size=30,
)


@given(votes)
def test_everyones_last_vote_counts_once(cast: list[Vote]) -> None:
    last = {vote.player: vote.move for vote in cast}
    standing = tally(cast)
    assert {share.move: share.votes for share in standing.shares} == Counter(last.values())
    assert standing.voters == len(last)
    assert standing.written == len(cast)
    assert standing.first_at == min((vote.at for vote in cast), default=None)


def test_moves_without_votes_show_no_votes() -> None:
    standing = tally([Vote(UserId(1), MOVES[0], NOON), Vote(UserId(2), MOVES[0], NOON)])
    for move, voted in ((MOVES[0], 2), (MOVES[1], 0)):
        result = result_of(Revision(3), Moved(move=move), standing)
        assert (result.votes, result.voters) == (voted, 2)


SHORTEST, LONGEST = LENGTHS
SECOND = timedelta(seconds=1)


def per_move(length: timedelta) -> TimeControl:
    return TimeControl(bank=length, increment=length, cap=length)


@pytest.mark.parametrize("length", [SHORTEST, timedelta(hours=3), LONGEST])
def test_a_clock_sets_the_duration_of_a_vote(length: timedelta) -> None:
    assert vote_length(per_move(length)) == length
    assert vote_length(None) == USUAL_LENGTH


@pytest.mark.parametrize(
    "clock",
    [
        per_move(SHORTEST - SECOND),
        per_move(LONGEST + SECOND),
        TimeControl(bank=timedelta(hours=3)),
        replace(per_move(timedelta(days=1)), weekends="UTC"),
    ],
)
def test_votes_need_a_clock_that_allows_them(clock: TimeControl) -> None:
    with pytest.raises(CannotVote):
        vote_length(clock)


@given(votes)
def test_the_most_voted_move_leads_and_of_equals_the_first_proposed(cast: list[Vote]) -> None:
    order: list[Move] = [vote.move for vote in cast]
    keys = [(-share.votes, order.index(share.move)) for share in tally(cast).shares]
    assert keys == sorted(keys)


@given(votes, st.integers(1, 6).map(UserId), st.sampled_from(MOVES))
def test_one_more_vote_moves_one_vote_at_most(cast: list[Vote], who: UserId, wants: Move) -> None:
    before = Counter({share.move: share.votes for share in tally(cast).shares})
    after = Counter(
        {share.move: share.votes for share in tally([*cast, Vote(who, wants, NOON)]).shares}
    )
    assert sum((after - before).values()) <= 1
    assert sum((before - after).values()) <= 1
    assert after[wants] >= max(before[wants], 1)


@given(st.timedeltas(timedelta(), timedelta(days=30)), st.sampled_from(LENGTHS))
def test_a_vote_without_voters_is_extended_once(spent: timedelta, length: timedelta) -> None:
    over = rounds(spent, length)
    assert over * length <= spent < (over + 1) * length


@given(st.lists(st.integers(0, 200_000), min_size=1))
def test_a_board_is_edited_seldom_and_after_every_vote(seconds: list[int]) -> None:
    moments = [NOON + timedelta(seconds=second) for second in sorted(seconds)]
    edits = [edit_at(NOON, at) for at in moments]
    assert edits == sorted(edits)
    assert len({number for number, _ in edits}) == len({due for _, due in edits})
    for at, (_, due) in zip(moments, edits, strict=True):
        young = at - NOON < timedelta(minutes=50)
        assert timedelta() < due - at <= timedelta(seconds=15 if young else 15 * 60)
    all_due = sorted({due for _, due in edits})
    apart = [later - due for due, later in pairwise(all_due)]
    assert all(item >= timedelta(seconds=15) for item in apart)


def test_an_hour_before_its_turn_began_counts_as_its_beginning() -> None:
    assert edit_at(NOON, NOON - timedelta(seconds=3)) == edit_at(NOON, NOON)


def test_a_board_is_old_from_fifty_minutes_on() -> None:
    old = timedelta(minutes=50)
    assert edit_at(NOON, NOON + old - timedelta(seconds=1)) == (200, NOON + old)
    assert edit_at(NOON, NOON + old) == (201, NOON + old + timedelta(minutes=15))


@pytest.mark.parametrize("usual", [Start.BALANCED, Start.PLACEMENT])
def test_teams_begin_with_a_full_board_without_a_clock_and_where_they_are(usual: Start) -> None:
    clock = TimeControl(bank=timedelta(days=1))
    chosen = Defaults(
        start=usual, clock=clock, coordinates=Coordinates.PERGIOCO, place=Place.THREAD
    )
    assert for_teams(chosen) == Defaults(start=Start.BALANCED, coordinates=Coordinates.PERGIOCO)


@given(st.integers(1, 2**62))
def test_no_team_is_taken_for_a_person(number: int) -> None:
    team = team_of(ChannelId(number))
    assert is_team(team)
    assert team_channel(team) == number
    assert not is_team(UserId(number))


@pytest.mark.parametrize(
    ("problem", "says"),
    [
        (VoteProblem.START, "Choose *even board*."),
        (VoteProblem.CLOCK, "from 1 minute to 1 day per move"),
        (VoteProblem.THREAD, "open one and start the game there"),
        (VoteProblem.PLACE, "servers that have added me"),
        (VoteProblem.BUSY, "already a game in <#7>, and a team needs the channel to itself"),
        (VoteProblem.ELSEWHERE, "The vote is in <#7>"),
        (VoteProblem.OFTEN, "voted 20 times"),
        (VoteProblem.ONE_MOVE, "Vote for one move"),
    ],
)
def test_a_refused_vote_gives_the_reason_and_an_alternative(
    problem: VoteProblem, says: str
) -> None:
    assert says in refusal(IN_ENGLISH, CannotVote(problem, ChannelId(7)))


def test_votes_move_no_button_of_a_board() -> None:
    first = board(IN_ENGLISH, next(team_games()))
    for shown in boards():
        if shown.game == next(team_games()).game:
            assert board(IN_ENGLISH, shown).buttons == first.buttons


def test_a_move_in_a_team_game_is_answered_as_a_vote() -> None:
    assert "press *Vote*" in refusal(IN_ENGLISH, TeamVotes(GameId(1), Revision(3)))


def test_a_board_names_the_team_that_it_is_for_as_the_other_side_reads_it_too() -> None:
    game = next(team_games()).game
    assert game.to_move is not None
    game, _ = step(game, Moved(parse_move("b1-a1")), game.to_move)
    assert game.to_move is not None
    _, taken = step(game, Moved(parse_move("c1-d1")), game.to_move)
    team = f"<#{team_channel(game.row.white)}>"
    headline = board(IN_ENGLISH, taken).content.splitlines()[0]
    assert headline == f"Lulu took {team}'s piece: c1-d1. {team}, your turn."
