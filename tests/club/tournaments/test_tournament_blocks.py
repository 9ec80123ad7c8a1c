"""Tests that blocked people are paired only if nothing else is possible."""

import pytest

from bot.base.ids import UserId
from bot.database.delivery_rows import Delivery, DeliveryRoute
from club.tournaments.model.tournament import TournamentFormat
from tests.bot.table import Table
from tests.club.tournaments.directed import PEOPLE, Event

ANN, BOB, CID, DEE = PEOPLE[:4]


async def blocks(table: Table, *pairs: tuple[UserId, UserId]) -> None:
    for player, other in pairs:
        await table.blocks.block(player, other, other_is_bot=False)


async def words(table: Table) -> list[Delivery]:
    """Return the players who are told that they meet someone they have blocked."""
    return [row for row in await table.store.deliveries.all_unsent() if row.player is not None]


@pytest.mark.parametrize("blocker", [0, 1])
async def test_blocked_opponents_are_not_paired(table: Table, blocker: int) -> None:
    """A tournament without the block shows the pairing to avoid. The block need not be mutual."""
    usual = await Event.begun(table, PEOPLE[:6], rounds=2)
    one, other = (await usual.play_round())[0].players
    await usual.act("off")
    two = (one, other)[:: 1 if blocker else -1]
    await blocks(table, (two[0], two[1]))
    event = await Event.begun(table, PEOPLE[:6], rounds=2)
    running = await event.play_round()
    assert len(running) == len({who for pairing in running for who in pairing.players}) / 2
    assert all({one, other} != set(pairing.players) for pairing in (await event.now()).pairings)
    assert await words(table) == []


@pytest.mark.both_databases
async def test_without_another_pairing_only_the_blocker_is_informed(
    table: Table,
) -> None:
    await blocks(table, (BOB, ANN), (CID, ANN), (CID, UserId(999)), (DEE, CID))
    event = await Event.begun(table, [ANN, BOB], format=TournamentFormat.KNOCKOUT)
    (pairing,) = await event.play_round()
    assert set(pairing.players) == {ANN, BOB}
    (word,) = await words(table)
    assert (word.player, word.route) == (BOB, DeliveryRoute.DM)
    assert (word.data["what"], word.data["board"]) == ("blocked", pairing.board)


async def test_in_a_round_robin_blockers_are_informed_and_play(
    table: Table,
) -> None:
    await blocks(table, (ANN, BOB), (BOB, ANN))
    event = await Event.begun(table, PEOPLE[:4], format=TournamentFormat.ROUND_ROBIN)
    done = await event.to_the_end(PEOPLE)
    assert frozenset({ANN, BOB}) in {frozenset(pairing.players) for pairing in done.pairings}
    told = await words(table)
    assert {row.player for row in told} == {ANN, BOB}
    assert len({delivery.key for delivery in told}) == 2
