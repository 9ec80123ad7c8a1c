"""Arenas: who of those who are free plays whom, and when nobody new is paired."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import permutations
from random import Random

import pytest

from bot.base.ids import UserId
from bot.features.tournaments.model.arenas_and_ladders import free_pairs
from bot.features.tournaments.model.matching import Record, records
from bot.features.tournaments.model.pairing import next_step
from bot.features.tournaments.model.tournament import (
    Finished,
    Pairing,
    PairUp,
    Tournament,
    TournamentFormat,
    Wait,
)
from dvonn import Color
from tests.bot.features.tournaments.tournament_events import BEGAN, a_tournament, pair_up
from tests.bot.features.tournaments.tournament_texts import played

Groups = list[tuple[Record, ...]]
SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)


def arena(players: int, games: str = "") -> Tournament:
    """Games such as "1 1-0 2, 3 ? 4", in order of their boards."""
    found = a_tournament(TournamentFormat.ARENA, players)
    return played(found, games) if games else found


def pairs(found: Tournament) -> set[frozenset[int]]:
    """Who plays whom now, by seed."""
    return {frozenset(one.entrant.seed for one in pair) for pair in free_pairs(found, BEGAN)[0]}


def couples(*pairs: tuple[int, int]) -> set[frozenset[int]]:
    return {frozenset(pair) for pair in pairs}


def every_way(free: list[Record]) -> Iterator[Groups]:
    """All ways to pair a few; of an odd number one is alone."""
    if not free:
        yield []
        return
    one, *rest = free
    for other in rest:
        others = [record for record in rest if record is not other]
        yield from ([(one, other), *more] for more in every_way(others))
    if len(free) % 2:
        yield from ([(one,), *more] for more in every_way(rest))


def cost(way: Groups, last: dict[UserId, int]) -> tuple[int | float, ...]:
    """What speaks against it, worst first.

    Who plays whom they are kept apart from, who plays the same again, who gets a colour too often
    or a third time, who has to sit out though others have played since, and how far scores are
    apart.
    """
    couples = [pair for pair in way if len(pair) > 1]
    colors = [
        min(
            (
                white.unbalances(Color.WHITE) + black.unbalances(Color.BLACK),
                white.is_third(Color.WHITE) + black.is_third(Color.BLACK),
            )
            for white, black in ((one, other), (other, one))
        )
        for one, other in couples
    ]
    return (
        sum(other.player in one.apart for one, other in couples),
        sum(other.player in one.met[-1:] or one.player in other.met[-1:] for one, other in couples),
        *(sum(part) for part in zip((0, 0), *colors, strict=True)),
        sum(-last.get(pair[0].player, 0) for pair in way if len(pair) == 1),
        sum(abs(one.points - other.points) for one, other in couples),
    )


def by_chance(random: Random) -> Tournament:
    """An arena in which nobody plays now, after some games."""
    players = random.randint(2, 7)
    games = []
    for _ in range(random.randint(0, 9)):
        white, black = random.sample(range(1, players + 1), 2)
        games.append(f"{white} {random.choice(('1-0', '0-1', '='))} {black}")
    blocks = random.choice((0, 1, 3))
    two = (random.sample(range(101, 101 + players), 2) for _ in range(blocks))
    return kept_apart(arena(players, ", ".join(games)), *two)


def kept_apart(found: Tournament, *two: Sequence[int]) -> Tournament:
    """The same where of these one has blocked the other."""
    return replace(found, apart=frozenset(frozenset(map(UserId, pair)) for pair in two))


def test_of_all_ways_to_pair_those_who_are_free_the_best_is_taken() -> None:
    random = Random(5)
    for _ in range(100):
        found = by_chance(random)
        book = records(found)
        last = {who: game.board for game in found.pairings for who in game.players}
        chosen: Groups = [*free_pairs(found, BEGAN)[0]]
        busy = {record.player for pair in chosen for record in pair}
        chosen += [(record,) for record in book.values() if record.player not in busy]
        assert cost(chosen, last) == min(cost(way, last) for way in every_way([*book.values()]))


@pytest.mark.parametrize(
    ("running", "found"),
    [
        ("", couples((1, 2))),  # there is nobody else, and nobody else will come soon
        ("3 ? 4", couples((1, 2))),
        ("3 ? 4, 5 ? 6", set()),
    ],
)
def test_two_who_have_just_met_wait_where_others_are_soon_free(
    running: str, found: set[frozenset[int]]
) -> None:
    players = 2 * len(running.split(",")) + 2 if running else 2
    assert pairs(arena(players, ", ".join(filter(None, ("1 = 2", running))))) == found


@pytest.mark.parametrize(
    ("before", "running", "waits"),
    [
        ("1 1-0 2, 2 1-0 1", "3 ? 4", True),
        ("1 1-0 2, 2 1-0 1", "", False),  # there is nobody else
        ("1 1-0 2", "3 ? 4", False),  # a second game in a row may be
        ("1 1-0 2, 1 1-0 3, 2 1-0 1", "3 ? 4", False),
        ("1 1-0 2", "3 ? 4, 5 ? 6", True),
        ("1 = 5, 2 = 6, 1 = 6, 2 = 5", "3 ? 4", True),  # both have had White twice
    ],
)
def test_those_who_wait_for_somebody_else_do_so_for_three_minutes_at_most(
    before: str, running: str, waits: bool
) -> None:
    found = arena(6, ", ".join(filter(None, (before, running))))
    busy = {who for one in found.pairings if one.result is None for who in one.players}
    here = {*busy, UserId(101), UserId(102)}
    found = replace(
        found,
        entrants=tuple(replace(one, withdrawn=one.player not in here) for one in found.entrants),
        pairings=tuple(
            one if one.result is None else replace(one, ended_at=BEGAN + one.board * MINUTE)
            for one in found.pairings
        ),
    )
    free = [one for one in found.pairings if {*one.players} & {101, 102}][-1].ended_at
    assert free is not None
    until = free + 3 * MINUTE
    soon, then = next_step(found, now=until - SECOND), next_step(found, now=until)
    assert soon == Wait(until) if waits else isinstance(soon, PairUp)
    assert isinstance(then, PairUp), "nobody waits for long in vain"
    assert set(then.pairings[0].players) == {101, 102}


def test_a_third_game_of_the_same_two_is_not_needed_once_others_are_free() -> None:
    found = arena(4, "1 1-0 2, 2 1-0 1, 3 1-0 4")
    assert pairs(found) in (couples((1, 3), (2, 4)), couples((1, 4), (2, 3)))


@pytest.mark.parametrize(
    ("running", "found"),
    [("", couples((1, 2))), ("3 ? 4", set()), ("3 1-0 4", couples((1, 3), (2, 4)))],
)
def test_who_has_blocked_the_other_plays_them_only_where_nobody_else_is_there(
    running: str, found: set[frozenset[int]]
) -> None:
    now = kept_apart(arena(4 if running else 2, running), (101, 102))
    now = replace(now, pairings=tuple(replace(one, ended_at=BEGAN) for one in now.pairings))
    chosen = pairs(now)
    assert chosen in (found, couples((1, 4), (2, 3))) if running == "3 1-0 4" else chosen == found


def test_two_who_have_not_met_play_though_others_do() -> None:
    assert pairs(arena(6, "3 ? 4, 5 ? 6")) == couples((1, 2))


@pytest.mark.parametrize(
    ("before", "running", "found"),
    [
        ("1 = 5, 2 = 6, 1 = 6, 2 = 5", "", couples((1, 2))),
        ("1 = 5, 2 = 6, 1 = 6, 2 = 5", "3 ? 4", set()),
        ("5 = 1, 1 = 5, 1 = 6, 6 = 2, 2 = 6, 2 = 5", "", couples((1, 2))),
        ("5 = 1, 1 = 5, 1 = 6, 6 = 2, 2 = 6, 2 = 5", "3 ? 4", couples((1, 2))),
    ],
    ids=["too often", "too often, soon others", "a third time", "a third time, soon others"],
)
def test_who_would_have_a_colour_too_often_waits_where_somebody_is_soon_free(
    before: str, running: str, found: set[frozenset[int]]
) -> None:
    """1 and 2 have both had White twice; 5 and 6 have left."""
    now = arena(6, ", ".join(filter(None, (before, running))))
    gone = (replace(one, withdrawn=one.seed >= (5 if running else 3)) for one in now.entrants)
    assert pairs(replace(now, entrants=tuple(gone))) == found


def test_whoever_has_never_played_does_not_sit_out() -> None:
    """1 has played once, long ago; 2 has left. Of 3 and 4, who came later, neither waits for 1."""
    for one, *new in permutations((1, 3, 4)):
        found = arena(4, f"{one} = 2")
        gone = (replace(entrant, withdrawn=entrant.seed == 2) for entrant in found.entrants)
        assert pairs(replace(found, entrants=tuple(gone))) == {frozenset(new)}


def test_boards_are_counted_on() -> None:
    assert next_step(arena(2), now=BEGAN) == PairUp(
        1, (Pairing(round=1, board=1, white=UserId(101), black=UserId(102), paired_at=BEGAN),)
    )
    step = pair_up(arena(8, "1 = 2, 3 ? 4"), now=BEGAN)
    assert [(one.round, one.board) for one in step.pairings] == [(1, 3), (1, 4), (1, 5)]


def test_nobody_new_is_paired_at_the_end() -> None:
    found, over = arena(4, "1 = 2, 3 ? 4"), arena(4, "1 = 2, 3 = 4")
    ends = found.ends_at
    assert ends == BEGAN + timedelta(hours=1)
    assert isinstance(next_step(over, now=ends - timedelta(seconds=1)), PairUp)
    assert next_step(found, now=ends) == Wait(ends + timedelta(minutes=10))
    assert next_step(over, now=ends) == Finished()


def test_where_nobody_is_free_it_is_looked_at_again_at_its_end() -> None:
    assert next_step(arena(2, "1 ? 2"), now=BEGAN) == Wait(BEGAN + timedelta(hours=1))
    assert next_step(arena(1), now=BEGAN) == Wait(BEGAN + timedelta(hours=1))


def test_it_lasts_as_long_as_was_chosen_from_when_it_begins() -> None:
    found = a_tournament(TournamentFormat.ARENA, 2, lasts=timedelta(minutes=30))
    assert found.ends_at == BEGAN + timedelta(minutes=30)
    assert replace(found, began_at=None).ends_at is None
