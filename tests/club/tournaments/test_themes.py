"""Tests of tournaments from one position, which everyone plays with both colors."""

from collections import Counter
from typing import Any

import pytest

from bot.play.model.terms import Start
from club.tournaments.model.tournament import Tournament, TournamentFormat
from club.tournaments.refusals import BadTerms, TermsProblem
from dvonn import position_from_text, position_to_text
from tests.bot.table import Table, raises
from tests.club.tournaments.directed import PEOPLE, Event, game_of
from tests.games import positions_of, random_game

THEME = position_from_text(position_to_text(positions_of(random_game(5))[61]))


def themed(**terms: Any) -> dict[str, Any]:
    return {"start": Start.POSITION, "position": THEME, "rated": False, **terms}


def colours(done: Tournament) -> Counter[tuple[int, int]]:
    """Return how often each player had White against each other one."""
    return Counter(
        (pairing.white, pairing.black) for pairing in done.pairings if pairing.black is not None
    )


@pytest.mark.parametrize("players", [2, 3, 4])
async def test_in_a_round_robin_all_meet_twice_once_with_each_color(
    table: Table, players: int
) -> None:
    event = await Event.made(table, PEOPLE[:players], **themed(format=TournamentFormat.ROUND_ROBIN))
    await event.begin()
    done = await event.to_the_end(PEOPLE)
    there = PEOPLE[:players]
    assert colours(done) == {(one, other): 1 for one in there for other in there if one != other}
    assert done.round == 2 * (players - 1 + players % 2)
    in_round = Counter((pairing.round, who) for pairing in done.pairings for who in pairing.players)
    assert set(in_round.values()) == {1}


async def test_games_begin_there_and_are_not_rated(table: Table) -> None:
    event = await Event.made(table, PEOPLE[:4], **themed(format=TournamentFormat.SWISS, rounds=2))
    assert (await event.now()).terms.position == THEME
    await event.begin()
    for pairing in await event.play_round():
        game = await table.game_cache.existing(game_of(pairing))
        assert (game.origin, game.position) == (THEME, THEME)
        assert (game.row.start, game.row.rated) == (Start.POSITION, False)


async def test_a_swiss_gives_everyone_both_colors(table: Table) -> None:
    event = await Event.made(table, PEOPLE[:8], **themed(format=TournamentFormat.SWISS, rounds=4))
    await event.begin()
    done = await event.to_the_end(PEOPLE)
    assert all(len(set(done.colors_of(player))) == 2 for player in PEOPLE[:8])


@pytest.mark.parametrize("format_", [TournamentFormat.KNOCKOUT, TournamentFormat.LADDER])
async def test_without_both_colors_for_all_there_is_none(
    table: Table, format_: TournamentFormat
) -> None:
    refused = await raises(BadTerms, Event.made(table, **themed(format=format_)))
    assert refused.problem is TermsProblem.THEME
