"""Tests that people who have left a server are not paired."""

import pytest

from bot.base.ids import MessageId, UserId
from bot.database.connection import AsyncEngine
from club.tournaments.model.tournament import PairingResult, TournamentFormat, TournamentState
from club.tournaments.use_cases.director import Director
from tests.bot.conftest import Clock
from tests.bot.hands import Hands
from tests.bot.people.test_deleted_meanwhile import running
from tests.bot.table import ANN, BOB, Table
from tests.club.tournaments.directed import PEOPLE, Event, places

FOUR = PEOPLE[:4]


async def play(event: Event) -> None:
    """Let the player later in the list lose each running game."""
    for pairing in await event.play_round():
        await event.lose(pairing, max(pairing.players, key=PEOPLE.index))


@pytest.mark.parametrize("format_", [TournamentFormat.KNOCKOUT, TournamentFormat.ROUND_ROBIN])
async def test_players_who_left_the_server_win_no_final(
    table: Table, format_: TournamentFormat
) -> None:
    event = await Event.begun(table, FOUR, format=format_)
    await play(event)
    gone = PEOPLE[0]
    event.left_server.add(gone)
    while (now := await event.now()).state is not TournamentState.DONE:
        table.clock.advance(seconds=2)
        await play(event)
    assert [entrant.player for entrant in now.entrants if entrant.withdrawn] == [gone]
    later = [pairing for pairing in now.pairings if pairing.round > 1 and gone in pairing.players]
    assert all(pairing.forfeit and not pairing.points_of(gone) for pairing in later)
    assert places(now)[0] == PEOPLE[1]


async def test_players_who_left_before_round_one_have_no_game(table: Table) -> None:
    event = await Event.begun(table, FOUR, format=TournamentFormat.SWISS, rounds=2)
    event.left_server.add(FOUR[2])
    (pairing,) = await event.play_round()
    assert FOUR[2] not in pairing.players
    byes = [
        pairing.white
        for pairing in (await event.now()).pairings
        if pairing.result is PairingResult.BYE
    ]
    assert sorted([*pairing.players, *byes]) == [FOUR[0], FOUR[1], FOUR[3]]


async def test_each_is_asked_after_once_for_a_pairing(table: Table) -> None:
    """Also if it is paired again without someone. Unpaired members are not looked up."""
    event = await Event.begun(table, PEOPLE[:6], format=TournamentFormat.KNOCKOUT)
    event.left_server.add(PEOPLE[5])
    await event.play_round()
    assert sorted(event.asked_after) == PEOPLE[:6]
    event.asked_after.clear()
    await event.tick()
    table.clock.advance(hours=1)
    await event.tick()
    assert event.asked_after == [], "while games run nobody is"
    for pairing in await event.running():
        await event.lose(pairing, max(pairing.players, key=PEOPLE.index))
    won: list[UserId] = PEOPLE[:4]
    await event.play_round()
    assert sorted(event.asked_after) == won


@pytest.mark.parametrize("who", [ANN, BOB])
@pytest.mark.both_databases
async def test_a_pairings_game_does_not_start_with_a_deleted_player(
    engine: AsyncEngine, clock: Clock, who: UserId
) -> None:
    hands = Hands(engine, clock)
    event = await Event.begun(hands.quick, [ANN, BOB])
    await event.tick()
    (row,) = await event.announce()
    place = row.data["round"], row.data["board"]
    opened, _ = await hands.race(
        lambda table: table.of(Director).opened(event.id, *place, MessageId(10_000)),
        lambda table: table.privacy.delete(who),
    )
    assert opened is None
    assert await running(engine) == []
