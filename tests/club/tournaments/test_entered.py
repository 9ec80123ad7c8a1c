"""Tests for entrants who delete their data, and of servers that remove the bot."""

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from bot.base.ids import DELETED_USER, is_deleted_user
from bot.base.retention import DeletedKind, Retention
from bot.database.connection import AsyncEngine
from bot.people.model import ModeratorAction
from bot.people.store.privacy import PrivacyTable
from bot.people.store.retention import RetentionTable
from bot.people.use_cases.moderation import Moderation
from bot.people.use_cases.retention_sweeper import RetentionSweeper
from bot.play.model.refused_starts import BlockedHere
from club.tournaments.model.standings import standings
from club.tournaments.model.tournament import PairingResult, TournamentState
from club.tournaments.schema import entrants, pairings, tournaments
from club.tournaments.use_cases.tournaments import Tournaments
from tests.bot.table import ANN, BOB, CHANNEL, CID, GUILD, Table, raises
from tests.club.tournaments.directed import ORGANISER, PEOPLE, Event

DAY = timedelta(days=1)


async def rest() -> None:
    """Players who appear in no other test."""


@pytest.mark.both_databases
async def test_a_deletion_anonymizes_results(table: Table) -> None:
    event = await Event.begun(table, [ANN, BOB, CID, PEOPLE[0]], rounds=2)
    for pairing in await event.play_round():
        loser = next((who for who in pairing.players if who in (ANN, BOB)), pairing.white)
        await event.lose(pairing, loser)
    await event.tick()
    before = standings(await event.now())
    for gone in (ANN, BOB):
        await table.privacy.delete(gone)
        given = await table.store.queries(PrivacyTable).export(gone)
        assert {name for name, rows in given.items() if rows} == set()
    now = await event.now()
    after = standings(now)
    assert [row.points for row in before] == [row.points for row in after][:4]
    strangers = [row.player for row in after if is_deleted_user(row.player)]
    assert len(set(strangers)) == 2, "two people stay two"
    assert all(row.withdrawn for row in after if row.player in strangers)
    done = await event.to_the_end([*PEOPLE, CID, *strangers])
    assert done.state is TournamentState.DONE


async def test_people_deleted_before_the_start_are_not_in_it(table: Table) -> None:
    event = await Event.create(table, [ANN, BOB])
    await table.privacy.delete(ANN)
    assert [entrant.player for entrant in (await event.now()).entrants] == [BOB]


async def test_a_deleted_organizers_notes_are_removed(table: Table) -> None:
    event = await Event.begun(table, [ANN, BOB])
    await event.play_round()
    await event.correct((1, 1), PairingResult.DRAW, "I say so")
    assert (await table.store.queries(PrivacyTable).export(ORGANISER))["pairings"] != []
    await table.privacy.delete(ORGANISER)
    now = await event.now()
    assert now.terms.organiser == DELETED_USER[None]
    (pairing,) = now.pairings
    assert (pairing.result, pairing.note) == (PairingResult.DRAW, None)
    assert pairing.corrected_by == DELETED_USER[None], "that it was corrected stays"


@pytest.mark.both_databases
async def test_tournaments_are_anonymized_after_the_retention_time(table: Table) -> None:
    event = await Event.begun(table, PEOPLE[:3])
    await event.play_round()
    await event.correct((1, 1), PairingResult.DRAW, "I say so")
    done = await event.to_the_end(PEOPLE)
    keeper = RetentionSweeper(
        table.store, table.game_cache, Retention(players=5 * DAY), now=table.clock
    )
    table.clock.advance(days=4)
    assert (await keeper.sweep(pause=rest))[DeletedKind.TOURNAMENTS] == 0
    table.clock.advance(days=1)
    assert (await keeper.sweep(pause=rest))[DeletedKind.TOURNAMENTS] == 1
    assert (await keeper.sweep(pause=rest))[DeletedKind.TOURNAMENTS] == 0
    now = await event.now()
    assert all(is_deleted_user(entrant.player) for entrant in now.entrants)
    assert [row.points for row in standings(now)] == [row.points for row in standings(done)]
    assert len(now.pairings) == len(done.pairings)
    assert {pairing.corrected_by for pairing in now.pairings} == {DELETED_USER[None], None}
    assert not any(pairing.note for pairing in now.pairings)


async def test_with_a_server_its_tournaments_go(table: Table, engine: AsyncEngine) -> None:
    event = await Event.begun(table, PEOPLE[:3])
    await event.to_the_end(PEOPLE)
    more = True
    while more:
        _, more = await table.store.queries(RetentionTable).drop_server(GUILD, at=table.clock())
    assert await table.of(Tournaments).get(event.id) is None
    async with engine.connect() as connection:
        for kept in (tournaments, entrants, pairings):
            rows = await connection.execute(select(func.count()).select_from(kept))
            assert rows.scalar_one() == 0


@pytest.mark.both_databases
async def test_people_blocked_in_a_server_cannot_join_until_the_end(table: Table) -> None:
    event = await Event.create(table, [ANN])
    act = ModeratorAction(by=ORGANISER, command="block", player=BOB)
    await table.of(Moderation).block(GUILD, CHANNEL, BOB, 3, "Rest a bit", act)
    refused = await raises(BlockedHere, event.join(BOB))
    assert (refused.is_asker, refused.block.reason) == (True, "Rest a bit")
    assert [entrant.player for entrant in (await event.now()).entrants] == [ANN]
    table.clock.advance(days=3)
    await event.join(BOB)
